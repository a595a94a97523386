"""Records of games in the files of other programs: read into a game and its moves, and written.

A format is a Python module in `games/records`, beside the games, with the title of its game (`TITLE`), or of several
(`TITLES`), the ending of its files (`SUFFIX`), and two functions: `read(text)` gives a `Record`, `write(record)` its
text. Both raise `BadRecord`, with the line and what to do about it. Nothing in the packages knows a format; they are
found by the endings of files.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from interpreter.game import Game, Position

FOLDER = Path(__file__).resolve().parent.parent / "games" / "records"
MOST_BYTES = 1 << 20
"""Larger files are refused."""


class BadRecord(ValueError):
    """What is wrong with a record: the line, 0 where there is none, what was found and expected, and a remedy."""

    def __init__(self, line: int, phrase: str, help: str = "") -> None:
        self.line, self.phrase, self.help = line, phrase, help
        super().__init__(phrase)

    def text(self, name: str) -> str:
        """The message, with the file and the line before it, and the remedy below."""
        place = f"{name}:{self.line}" if self.line else name
        return f"{place}: {self.phrase}" + (f"\n  help: {self.help}" if self.help else "")


@attrs.frozen
class Record:
    """A game that was played, as a file has it."""

    title: str
    """The game's title."""
    params: Mapping[str, int]
    moves: tuple[str, ...]
    """In the game's notation."""
    details: Mapping[str, str] = attrs.field(factory=dict)
    """What the file says besides, such as the players' names, by the words of the format."""
    lines: tuple[int, ...] = ()
    """Where each move stands in the file."""


def suffixes() -> list[str]:
    """The endings of the files that can be read, such as `.T1`."""
    return [str(form.SUFFIX) for form in _formats()]


def read_record(path: str | Path) -> Record:
    """The record in a file. Raises BadRecord, OSError."""
    form = _format_of(path)
    data = Path(path).read_bytes()
    if len(data) > MOST_BYTES:
        raise BadRecord(0, f"the file has more than {MOST_BYTES >> 20} MiB, the most that a record may have")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")  # as older programs wrote names
    record: Record = form.read(text)
    return record


def written(record: Record, path: str | Path) -> str:
    """The text of a record in the format that a file's ending means. Raises BadRecord."""
    form = _format_of(path)
    titles = titles_of(form)
    if record.title not in titles:
        raise BadRecord(0, f"{form.SUFFIX} files hold games of {' or '.join(titles)}, found one of {record.title}")
    text: str = form.write(record)
    return text


def titles_of(form: ModuleType) -> tuple[str, ...]:
    """The titles of the games that a format's files hold."""
    return tuple(form.TITLES) if hasattr(form, "TITLES") else (str(form.TITLE),)


def replay(record: Record) -> Position:
    """The position after a record's moves, in the bundled game of its title. Raises BadRecord for one that is not
    legal."""
    from interpreter.errors import IllegalMove

    position = game_of(record).start()
    for number, move in enumerate(record.moves):
        try:
            position = position.play(move)
        except IllegalMove as problem:
            line = record.lines[number] if record.lines else 0
            over = "the game is over before it" if position.over else f"{position.to_move} to move"
            raise BadRecord(line, f"move {number + 1}, '{move}', is not legal: {problem.reason or over}",
                            "correct the move, or delete the lines from here on") from None
    return position


def game_of(record: Record) -> Game:
    """The bundled game that a record is of, with its params. Raises BadRecord."""
    import dslgame
    from dsl.diagnostics import GameFileError
    from dslgame import bundled

    path = bundled.named(record.title)
    if path is None:
        raise BadRecord(0, f"there is no bundled game '{record.title}'")
    try:
        return dslgame.load(path, **record.params)
    except GameFileError as problem:
        raise BadRecord(0, f"the game cannot be had like this: {problem.diagnostics[0].phrase}") from None


def record_of(position: Position, details: Mapping[str, str] | None = None) -> Record:
    """The record of the game that led to a position."""
    return Record(position.game.title, dict(position.game.params), tuple(position.played), dict(details or {}))


def _format_of(path: str | Path) -> ModuleType:
    ending = Path(path).suffix.casefold()
    for form in _formats():
        if form.SUFFIX.casefold() == ending:
            return form
    known = ", ".join(suffixes())
    raise BadRecord(0, f"found the ending '{Path(path).suffix}', expected one of: {known}")


def _formats() -> list[ModuleType]:
    """The modules of formats, by their names."""
    found = []
    for path in sorted(FOLDER.glob("*.py")):
        spec = importlib.util.spec_from_file_location(f"dslgame_record_{path.stem}", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        found.append(module)
    return found
