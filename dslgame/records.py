"""Reads and writes game records in the file formats of other programs.

A format is a Python module in `games/records`, beside the games, with the title of its game (`TITLE`), or of several
(`TITLES`), the suffix of its files (`SUFFIX`), and two functions: `read(text)` returns a `Record`, `write(record)` its
text. If files can hold several games, `SEVERAL` is true, and `read` returns and `write` takes a list of records; for
binary files `BINARY` is true, and both work with bytes. Both raise `BadRecord`, with the line and a remedy. The
packages know no format by name: formats are found by the suffixes of files.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import attrs

from dsl.diagnostics.wording import either

if TYPE_CHECKING:
    from interpreter.game import Game, Position

FOLDER = Path(__file__).resolve().parent.parent / "games" / "records"
MOST_BYTES = 1 << 20
"""The most bytes of a file; larger ones are refused."""


class BadRecord(ValueError):
    """An error in a record: the line (0 for none), what was found and expected, and a remedy."""

    def __init__(self, line: int, phrase: str, help: str = "") -> None:
        self.line, self.phrase, self.help = line, phrase, help
        super().__init__(phrase)

    def text(self, name: str) -> str:
        """The message, preceded by file and line, and followed by the remedy."""
        place = f"{name}:{self.line}" if self.line else name
        return f"{place}: {self.phrase}" + (f"\n  help: {self.help}" if self.help else "")


@attrs.frozen
class Record:
    """A recorded game, as stored in a file."""

    title: str
    """The game's title."""
    params: Mapping[str, int]
    moves: tuple[str, ...]
    """The moves, in the game's notation."""
    details: Mapping[str, str] = attrs.field(factory=dict)
    """Further data of the file, such as the players' names, by the keys of the format."""
    lines: tuple[int, ...] = ()
    """The line of each move in the file."""
    start: str = ""
    """The position before the first move as `Game.position_text` writes it; empty for the game's own start."""
    last: Position | None = attrs.field(default=None, eq=False, repr=False)
    """The position after the moves, if the format has already played them."""


def suffixes() -> list[str]:
    """The suffixes of the files that can be read, such as `.T1`."""
    return [str(form.SUFFIX) for form in _formats()]


def read_records(path: str | Path) -> list[Record]:
    """The records in a file, at least one. Raises BadRecord, OSError."""
    form = _format_of(path)
    data = Path(path).read_bytes()
    if len(data) > MOST_BYTES:
        raise BadRecord(0, f"the file has more than {MOST_BYTES >> 20} MiB, the most that a record may have")
    result: Record | list[Record] = form.read(data if _is_binary(form) else _decoded(data))
    return result if isinstance(result, list) else [result]


def read_record(path: str | Path) -> Record:
    """The first record in a file. Raises BadRecord, OSError."""
    return read_records(path)[0]


def written(record: Record, path: str | Path) -> str:
    """The text of a record in the format of a file's suffix. Raises BadRecord."""
    return encoded([record], path).decode()


def encoded(records: Sequence[Record], path: str | Path) -> bytes:
    """The content of a file with some records, in the format of its suffix. Raises BadRecord."""
    form = _format_of(path)
    titles = titles_of(form)
    for record in records:
        if record.title not in titles:
            raise BadRecord(0, f"{form.SUFFIX} files hold games of {either(titles)}, found one of {record.title}")
        if record.start and not getattr(form, "POSITIONS", False):
            raise BadRecord(0, f"{form.SUFFIX} files hold games from the start, found one from a position")
    if not getattr(form, "SEVERAL", False):
        if len(records) > 1:
            raise BadRecord(0, f"{form.SUFFIX} files hold one game, found {len(records)}", "choose one with --game")
        content: str | bytes = form.write(records[0])
    else:
        content = form.write(list(records))
    return content if isinstance(content, bytes) else content.encode()


def _is_binary(form: ModuleType) -> bool:
    return bool(getattr(form, "BINARY", False))


def _decoded(data: bytes) -> str:
    """The text of a file: UTF-8, else Latin-1, as older programs wrote names."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def titles_of(form: ModuleType) -> tuple[str, ...]:
    """The titles of the games that a format supports."""
    return tuple(form.TITLES) if hasattr(form, "TITLES") else (str(form.TITLE),)


def replay(record: Record) -> Position:
    """The position after a record's moves, in the bundled game of its title. Raises BadRecord for an illegal move."""
    from interpreter.errors import IllegalMove

    if record.last is not None:
        return record.last
    position = start_of(record)
    for number, move in enumerate(record.moves):
        try:
            position = position.play(move)
        except IllegalMove as problem:
            line = record.lines[number] if record.lines else 0
            over = "the game is over before it" if position.over else f"{position.to_move} to move"
            raise BadRecord(line, f"move {number + 1}, '{move}', is not legal: {problem.reason or over}",
                            "correct the move, or delete the lines from here on") from None
    return position


def start_of(record: Record) -> Position:
    """The position before a record's first move. Raises BadRecord."""
    from interpreter.errors import ImpossiblePosition

    game = game_of(record)
    if not record.start:
        return game.start()
    try:
        return game.read_position(record.start)
    except ImpossiblePosition as problem:
        raise BadRecord(0, f"the game cannot begin like this: {problem}") from None


def game_of(record: Record) -> Game:
    """The bundled game of a record, with its params. Raises BadRecord."""
    from dsl.diagnostics import GameFileError
    from dslgame import bundled

    path = bundled.named(record.title)
    if path is None:
        raise BadRecord(0, f"there is no bundled game '{record.title}'")
    try:
        return _loaded(path, tuple(sorted(record.params.items())))
    except GameFileError as problem:
        raise BadRecord(0, f"the game cannot be had like this: {problem.diagnostics[0].phrase}") from None


@lru_cache(maxsize=8)
def _loaded(path: Path, params: tuple[tuple[str, int], ...]) -> Game:
    """Load a bundled game, cached as files may hold many records of one."""
    import dslgame

    return dslgame.load(path, **dict(params))


def record_of(position: Position, details: Mapping[str, str] | None = None) -> Record:
    """The record of the game that led to a position."""
    first = position.history[0] if position.history else position.state
    start = "" if first == position.game.start().state else position.game.position_text(first)
    return Record(position.game.title, dict(position.game.params), tuple(position.played), dict(details or {}),
                  start=start)


def _format_of(path: str | Path) -> ModuleType:
    ending = Path(path).suffix.casefold()
    for form in _formats():
        if form.SUFFIX.casefold() == ending:
            return form
    known = ", ".join(suffixes())
    raise BadRecord(0, f"found the ending '{Path(path).suffix}', expected one of: {known}")


def _formats() -> list[ModuleType]:
    """The modules of all formats, in the order of their names."""
    return [format_named(path.stem) for path in sorted(FOLDER.glob("*.py"))]


@cache
def format_named(name: str) -> ModuleType:
    """The module of a format by its file's name; also used by formats that share code."""
    spec = importlib.util.spec_from_file_location(f"dslgame_record_{name}", FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
