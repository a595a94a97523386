"""Stores results on disk by the digest of a game's rules, so that no instance is solved twice.

There is one file for each game, method and release of dslgame. A complete result is always reused; one that reached a
limit is stored with the limits, and is reused unless more is allowed. Unreadable files count as missing.
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
"""The version of the format of the files, to be incremented when it changes."""


@attrs.frozen
class Store:
    """A folder of stored results."""

    folder: Path

    @classmethod
    def usual(cls) -> Store:
        """The store in the user's cache folder."""
        from dsl.syntax.grammar import cache_folder

        return cls(cache_folder() / "laboratory")

    def get(self, digest: str, limits: Limits) -> Found | None:
        """The stored result of a game, or None where solving within `limits` could find more.

        If only the value is wanted, a result for all first moves also serves if it has the value.
        """
        if limits.value_only:
            whole = self.get(digest, attrs.evolve(limits, value_only=False))
            if whole is not None and whole.solved:
                return whole
        with suppress(OSError, ValueError, KeyError, TypeError):
            kept = json.loads(self._path(digest, limits).read_text(encoding="utf-8"))
            result = Found.of(kept["found"])
            if result.complete or Limits(**kept["limits"]).within(limits):
                return result
        return None

    def put(self, digest: str, limits: Limits, result: Found) -> None:
        """Store a result by an atomic write; nothing is stored where the folder cannot be written to."""
        path = self._path(digest, limits)
        text = json.dumps({"limits": attrs.asdict(limits), "found": result.as_object()})
        with suppress(OSError):
            write_whole(path, text.encode())

    def _path(self, digest: str, limits: Limits) -> Path:
        key = hashlib.blake2b(f"{_FORMAT} {dslgame.__version__} {limits.method} {limits.value_only} {digest}".encode(),
                              digest_size=16).hexdigest()
        return self.folder / f"{key}.json"
