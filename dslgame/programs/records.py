"""The log of a match: a file of JSON lines, first the match itself, then each game when it ends.

The log is the whole state of a match: one that finds its log continues from there. Each line is synced to disk before
the next game is logged; a line that was written only in part is dropped.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
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
    "players": lambda value: _named(value, str) and len({*value.values()}) == 2,
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
    head = _item(f"{path}, line 1", lines[0], "the log of a match", _HEAD)
    if head["dslgame_match"] != FORMAT:
        raise BadLog(f"{path} is of format {head['dslgame_match']}, and this version reads format {FORMAT}")
    games: dict[int, dict[str, Any]] = {}
    for at, line in enumerate(lines[1:], start=2):
        where = f"{path}, line {at}"
        game = _item(where, line, "a game of a match", _GAME)
        if not _named(game.get("processor", {}), (int, float, type(None))):
            raise BadLog(f"{where}: expected a game of a match, 'processor' is none")
        if game["players"].keys() != game["seconds"].keys():
            raise BadLog(f"{where}: expected a game of a match, 'players' and 'seconds' are of others")
        if game["number"] in games:
            raise BadLog(f"{where}: game {game['number'] + 1} is there twice; delete one of the two lines")
        games[game["number"]] = game
    return Read(head, list(games.values()), whole, len(data))


def _item(where: str, line: bytes, what: str, wanted: Mapping[str, Callable[[Any], bool]]) -> dict[str, Any]:
    """Read a line of a log, and check that it has the wanted keys. Raises BadLog."""
    try:
        result = json.loads(line)
    except (ValueError, RecursionError):
        raise BadLog(f"{where}: no JSON") from None
    for key, holds in wanted.items():
        if not isinstance(result, dict) or key not in result:
            raise BadLog(f"{where}: expected {what}, '{key}' is missing")
        if not holds(result[key]):
            raise BadLog(f"{where}: expected {what}, '{key}' is none")
    assert isinstance(result, dict)
    return result


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
