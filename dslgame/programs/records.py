"""The log of a match: a file of JSON lines, first the match itself, then each game when it ends.

The log is the whole state of a match: one that finds its log continues from there. Each line is synced to disk before
the next game is logged; a line that was written only in part is dropped.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import attrs

FORMAT = 1


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _named(value: object, kinds: type | tuple[type, ...]) -> bool:
    return isinstance(value, dict) and all(isinstance(item, kinds) for item in value.values())


def _text_or_none(value: object) -> bool:
    return value is None or isinstance(value, str)


_HEAD: dict[str, Callable[[Any], bool]] = {
    "dslgame_match": lambda value: isinstance(value, int), "game": lambda value: isinstance(value, str),
    "rules": lambda value: isinstance(value, str), "params": lambda value: _named(value, int),
    "players": lambda value: isinstance(value, list) and all(_named(item, str) for item in value),
}
_GAME: dict[str, Callable[[Any], bool]] = {
    "number": lambda value: type(value) is int and value >= 0,
    "players": lambda value: _named(value, str) and len(value) > 0,
    "opening": _texts, "moves": _texts, "outcome": lambda value: isinstance(value, str), "winner": _text_or_none,
    "end": lambda value: isinstance(value, str), "reason": lambda value: isinstance(value, str), "forfeits": _texts,
    "seconds": lambda value: _named(value, (int, float)) and len(value) > 0, "notes": _texts,
}
"""The required keys of a log's first line, and of every game, each with a check of its value."""


class BadLog(Exception):
    """A log cannot be used; the message says why."""


@attrs.frozen
class Read:
    """The content of a log file."""

    head: dict[str, Any]
    games: list[dict[str, Any]]
    whole: int
    """The number of bytes up to the end of the last complete line."""
    size: int


def read(path: Path) -> Read:
    """Read and check a log. Raises BadLog where it is not a valid log, OSError where it cannot be read."""
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    lines = data[:whole].split(b"\n")[:-1]
    if not lines:
        raise BadLog(f"{path} is no log of a match: it has no whole line")
    result = []
    for number, line in enumerate(lines, start=1):
        try:
            item = json.loads(line)
        except (ValueError, RecursionError):
            raise BadLog(f"{path}, line {number}: no JSON") from None
        what, wanted = ("a game of a match", _GAME) if number > 1 else ("the log of a match", _HEAD)
        for key, holds in wanted.items():
            if not isinstance(item, dict) or key not in item:
                raise BadLog(f"{path}, line {number}: expected {what}, '{key}' is missing")
            if not holds(item[key]):
                raise BadLog(f"{path}, line {number}: expected {what}, '{key}' is none")
        if number > 1 and not _named(item.get("processor", {}), (int, float, type(None))):
            raise BadLog(f"{path}, line {number}: expected a game of a match, 'processor' is none")
        if number > 1 and item["players"].keys() != item["seconds"].keys():
            raise BadLog(f"{path}, line {number}: expected a game of a match, 'players' and 'seconds' are of others")
        result.append(item)
    if result[0]["dslgame_match"] != FORMAT:
        raise BadLog(f"{path} is of format {result[0]['dslgame_match']}, and this version reads format {FORMAT}")
    return Read(result[0], result[1:], whole, len(data))


class Log:
    """A log that games are added to; without a path it is only in memory."""

    def __init__(self, path: Path | None, head: dict[str, Any]) -> None:
        """Open the log at a path, or create it. Raises OSError, and BadLog for a log of another match, or one in use.
        """
        self.games: list[dict[str, Any]] = []
        self.note = ""
        """A warning about an existing log, for people; '' where there is none."""
        self._file: IO[bytes] | None = None
        if path is None:
            return
        if not path.exists() or path.stat().st_size == 0:
            from dslgame.cli.writing import write_file

            write_file(str(path), _line({"dslgame_match": FORMAT, **head}))
        self._file = path.open("r+b")
        try:
            _lock(self._file, path)
            result = read(path)
            _compare(path, result.head, head)
            if result.whole < result.size:
                self.note = f"{path}: the last line was written in part, and is dropped"
                self._file.truncate(result.whole)
            self._file.seek(result.whole)
            self.games = result.games
        except BaseException:
            self._file.close()
            raise

    def add(self, record: dict[str, Any]) -> None:
        """Add a game, and sync it to disk. Raises OSError."""
        self.games.append(record)
        if self._file is not None:
            self._file.write(_line(record))
            self._file.flush()
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()


def _line(value: dict[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _lock(file: IO[bytes], path: Path) -> None:
    with suppress(ImportError):
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BadLog(f"{path} is in use: another match writes to it") from None


_NAMES = {"game": "of another game", "rules": "of a game with other rules", "params": "of a game with other params",
          "players": "of other players", "clock": "of a match with other times", "seed": "of a match with another seed",
          "longest": "of a match with another limit of plies", "gauntlet": "of a tournament of another kind"}


def _compare(path: Path, there: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Raise BadLog where the head of a log differs from that of the match to play."""
    for key, value in json.loads(_line(wanted)).items():
        if there.get(key) != value and key in _NAMES:
            shown = "" if key == "rules" else f": {_short(there.get(key))}, and now {_short(value)}"
            raise BadLog(f"{path} is the log {_NAMES[key]}{shown}; give another file, or the same match")


def _short(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(f"{item['name']} ({item['player']})" if isinstance(item, dict) else str(item)
                         for item in value)
    if isinstance(value, dict):
        return ", ".join(f"{key}={item}" for key, item in value.items()) or "none"
    return str(value)
