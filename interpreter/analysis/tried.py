"""Checks of a game's declared symmetries by play, whose success is cached on disk.

`dynamic_checks.check_symmetries` plays random games, always the same ones, which takes up to 4 s on large boards. That
a check found nothing is recorded in the user's cache folder, under a hash of the game's text, its params, its resolved
rules, and all modules involved; findings are rare, and are not cached.
"""

from __future__ import annotations

import hashlib
import json
import sys
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from dsl.diagnostics import Diagnostic
from dsl.syntax.grammar import cache_folder
from dsl.whole_file import write_whole
from interpreter.game import Game

_PACKAGES = ("dsl", "interpreter")


def broken_symmetries(game: Game, *, games: int = 6, plies: int | None = None) -> list[Diagnostic]:
    """Errors for declared symmetries that the rules break, found in `games` random games of at most `plies` plies."""
    if not game.declared:
        return []
    key = _key(game, games, plies)
    if key is None:
        return _looked_for(game, games, plies)
    place = cache_folder() / f"symmetries-{key[:32]}"
    with suppress(OSError, UnicodeDecodeError):  # not checked before, or not readable
        if place.read_text(encoding="utf-8") == key:
            return []
    result = _looked_for(game, games, plies)
    if not result:
        with suppress(OSError):  # the cache is not writable
            write_whole(place, key.encode())
    return result


def _looked_for(game: Game, games: int, plies: int | None) -> list[Diagnostic]:
    from interpreter.analysis import dynamic_checks

    return dynamic_checks.check_symmetries(game, games=games, plies=plies)


def _key(game: Game, games: int, plies: int | None) -> str | None:
    """The hash that identifies a check of a game; None where the program's own source cannot be read."""
    modules = _modules()
    if modules is None:
        return None
    source = game.rules.source
    parts = [modules, sys.version, source.text, json.dumps([sorted(game.params.items()), games, plies]),
             repr(game.rules)]
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


@lru_cache(maxsize=1)
def _modules() -> str | None:
    """A hash of the source of the packages that read and play games; None where it cannot be read."""
    top, result = Path(__file__).parents[2], hashlib.sha256()
    paths = [path for package in _PACKAGES for path in sorted((top / package).rglob("*"))
             if path.suffix in (".py", ".lark")]
    try:
        for path in paths:
            result.update(f"{path.name}\0".encode() + path.read_bytes() + b"\0")
    except OSError:
        return None
    return result.hexdigest() if Path(__file__) in paths else None
