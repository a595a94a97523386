"""What was found of games, kept on disk by the digest of their rules, so that no instance is solved twice.

A file for each game, method and release of dslgame. What was solved is kept for good; what a limit left open is kept
with that limit, and is tried again where more is allowed. Files that cannot be read count as missing.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from pathlib import Path

import attrs

import dslgame
from dsl.whole_file import write_whole
from dslgame.laboratory.solving import Found, Limits

_FORMAT = 4
"""Raised where what is kept is laid out otherwise."""


@attrs.frozen
class Store:
    """A folder of what was found."""

    folder: Path

    @classmethod
    def usual(cls) -> Store:
        """In the user's cache folder."""
        from dsl.syntax.grammar import cache_folder

        return cls(cache_folder() / "laboratory")

    def get(self, digest: str, limits: Limits) -> Found | None:
        """What is known of a game, where trying these limits could give no more.

        What is known of all first moves also serves whoever wants the value alone.
        """
        if limits.value_only:
            whole = self.get(digest, attrs.evolve(limits, value_only=False))
            if whole is not None and whole.winner is not None:
                return whole
        with suppress(OSError, ValueError, KeyError, TypeError):
            kept = json.loads(self._path(digest, limits).read_text(encoding="utf-8"))
            result = Found.of(kept["found"])
            if result.complete or Limits(**kept["limits"]).within(limits):
                return result
        return None

    def put(self, digest: str, limits: Limits, result: Found) -> None:
        """Keep what was found, in one step; a folder that cannot be written to keeps nothing."""
        path = self._path(digest, limits)
        text = json.dumps({"limits": attrs.asdict(limits), "found": result.as_object()})
        with suppress(OSError):
            write_whole(path, text.encode())

    def _path(self, digest: str, limits: Limits) -> Path:
        key = hashlib.blake2b(f"{_FORMAT} {dslgame.__version__} {limits.method} {limits.value_only} {digest}".encode(),
                              digest_size=16).hexdigest()
        return self.folder / f"{key}.json"
