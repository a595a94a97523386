"""Reads and writes game records in the file formats of other programs.

A format is a Python module in `games/records`, beside the games, with the title of its game (`TITLE`), or of several
(`TITLES`), the suffix of its files (`SUFFIX`), and two functions:

- `games(stream)` takes the open file and yields for each game a function that reads it: it returns the `Record`, or
  raises `BadRecord`. So one game that cannot be read takes no other with it, a game that nobody asks for is not read,
  and a file of any size takes the memory of one game.
- `write(records)` takes the records, one after the other, and yields the parts of the file, texts or bytes.

`SEVERAL` is true where files can hold several games, `POSITIONS` where games can begin from a position. Both functions
raise `BadRecord`, with the line and a remedy. The packages know no format by name: formats are found by the suffixes of
files. Modules of formats use `lines_of`, `whole`, `following` and `going_on`.
"""

from __future__ import annotations

import codecs
import importlib.util
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from itertools import repeat
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, BinaryIO

import attrs

from dsl.diagnostics.wording import either

if TYPE_CHECKING:
    from interpreter.game import Game, Position

FOLDER = Path(__file__).resolve().parent.parent / "games" / "records"
MOST_BYTES = 1 << 20
"""The most bytes of a game; larger ones are refused. Files may have any number of games."""


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
    """The position after the moves, if they have been played."""
    notes: tuple[BadRecord, ...] = attrs.field(default=(), eq=False)
    """What a reader should know although the game was read, such as a draw that nobody claimed."""
    beyond: bool = attrs.field(default=False, eq=False)
    """Whether the game goes on where the rules end it, so that no command plays its moves again."""
    stopped: BadRecord | None = attrs.field(default=None, eq=False)
    """Why the game was read up to `moves` only: what comes next is not legal, or is no move. None if it was read whole.
    """


@attrs.frozen
class Word:
    """A move as written in the file."""

    text: str
    line: int = 0


Reader = Callable[[], Record]
"""Reads one game of a file. Raises BadRecord."""


def suffixes() -> list[str]:
    """The suffixes of the files that can be read, such as `.T1`."""
    return [str(form.SUFFIX) for form in _formats()]


def games_in(path: str | Path) -> Iterator[Reader]:
    """For each game in a file, at least one, a function that reads it and plays its moves, in order.

    A record that it returns has its last position, and says in `stopped` what could not be read if at least one move
    could. Raises OSError, and BadRecord where the file cannot be divided into games.
    """
    form = _format_of(path)
    with open(path, "rb") as stream:
        for read in form.games(stream):
            yield partial(_played, read)


def read_records(path: str | Path) -> list[Record]:
    """The records in a file, at least one. Raises OSError, and BadRecord for the first game that is not read whole."""
    return list(_whole_records(path))


def read_record(path: str | Path) -> Record:
    """The first record in a file. Raises BadRecord, OSError."""
    return next(_whole_records(path))


def _whole_records(path: str | Path) -> Iterator[Record]:
    for read in games_in(path):
        record = read()
        if record.stopped is not None:
            raise record.stopped
        yield record


def _played(read: Reader) -> Record:
    record = read()
    if record.last is None:
        record = following(record, map(Word, record.moves, record.lines or repeat(0)))
    if record.stopped is not None and not record.moves:
        raise record.stopped
    return record


def written(record: Record, path: str | Path) -> str:
    """The text of a record in the format of a file's suffix. Raises BadRecord."""
    return encoded([record], path).decode()


def encoded(records: Iterable[Record], path: str | Path) -> bytes:
    """The content of a file with some records, in the format of its suffix. Raises BadRecord."""
    return b"".join(parts(records, path))


def parts(records: Iterable[Record], path: str | Path) -> Iterator[bytes]:
    """The content of a file with some records, in the format of its suffix, part by part. Raises BadRecord."""
    form = _format_of(path)
    for part in form.write(_fitting(form, records)):
        yield part if isinstance(part, bytes) else part.encode()


def _fitting(form: ModuleType, records: Iterable[Record]) -> Iterator[Record]:
    """The records, if a format can hold them. Raises BadRecord."""
    titles = titles_of(form)
    for number, record in enumerate(records):
        if record.title not in titles:
            raise BadRecord(0, f"{form.SUFFIX} files hold games of {either(titles)}, found one of {record.title}")
        if record.start and not getattr(form, "POSITIONS", False):
            raise BadRecord(0, f"{form.SUFFIX} files hold games from the start, found one from a position")
        if number and not getattr(form, "SEVERAL", False):
            raise BadRecord(0, f"{form.SUFFIX} files hold one game, found more", "choose one with --game")
        yield record


def _as_latin(problem: UnicodeError) -> tuple[str, int]:
    """What bytes that are not UTF-8 mean in Latin-1, in which older programs wrote names."""
    assert isinstance(problem, UnicodeDecodeError)
    return problem.object[problem.start : problem.end].decode("latin-1"), problem.end


LATIN = "dslgame-latin-1"
"""The handler of decoding errors that takes bytes which are not UTF-8 for Latin-1."""
codecs.register_error(LATIN, _as_latin)


def lines_of(stream: BinaryIO) -> Iterator[str]:
    """The lines of a text file, each with its end: UTF-8, and Latin-1 where it is not. Raises BadRecord."""
    with io.TextIOWrapper(stream, "utf-8-sig", errors=LATIN) as text:
        number = 0
        while row := text.readline(MOST_BYTES):
            number += 1
            if len(row) == MOST_BYTES:
                raise BadRecord(number, f"the line has more than {MOST_BYTES >> 20} MiB, the most that a game may have")
            yield row


def whole(stream: BinaryIO) -> str:
    """The text of a file that holds one game. Raises BadRecord where it is too long for one."""
    found = stream.read(MOST_BYTES + 1)
    if len(found) > MOST_BYTES:
        raise BadRecord(0, f"the file has more than {MOST_BYTES >> 20} MiB, the most that a game may have")
    return "".join(lines_of(io.BytesIO(found)))


def titles_of(form: ModuleType) -> tuple[str, ...]:
    """The titles of the games that a format supports."""
    return tuple(form.TITLES) if hasattr(form, "TITLES") else (str(form.TITLE),)


def following(record: Record, words: Iterable[Word],
              meaning: Callable[[Position, Word], Sequence[str]] | None = None) -> Record:
    """A record with the moves that some words of its file mean, played from its start, up to the first that means none.

    `meaning` gives the moves that a word stands for in a position: one, or several where a file leaves out moves that
    are forced, such as passes. It raises BadRecord for a word that is no legal move; its error, or that of an illegal
    move, is then in `stopped`. By default words are moves in the game's notation. Where a file goes on after a draw
    that players have to claim (`going_on`), the first such place is in `notes`. Raises BadRecord where the game cannot
    begin like this.
    """
    position = start_of(record)
    lines: list[int] = []
    notes, stopped, claimed = [*record.notes], record.stopped, True
    try:
        for word in words:
            after = going_on(position)
            moves = (word.text,) if meaning is None else meaning(after, word)
            for move in moves:
                after = _after(after, move, word)
            if moves and position.over and claimed:
                notes.append(BadRecord(word.line, f"before '{word.text}' {_drawn(position)}; the game goes on, as "
                                                  "nobody claimed the draw"))
                claimed = False
            position = after
            lines += [word.line] * len(moves)
    except BadRecord as problem:
        stopped = problem
    return attrs.evolve(record, moves=position.played, lines=tuple(lines), last=position, notes=tuple(notes),
                        beyond=not claimed, stopped=stopped)


def going_on(position: Position) -> Position:
    """A position as one in which the game goes on, if it ended in a draw although there are moves.

    Such a draw (a position that came for the third time, fifty quiet moves) has to be claimed between people; where
    nobody does, the game goes on, and so do records of it.
    """
    if position.outcome != "draw":
        return position
    state = position.state._replace(outcome=None)
    return attrs.evolve(position, state=state) if position.game.engine.has_move(state) else position


def _drawn(position: Position) -> str:
    """How a game was drawn although there are moves."""
    repetition = position.game.repetition
    if repetition.holds(position.state._replace(outcome=None), position.history):
        return f"a position came {repetition.at} times"
    return "the game is drawn by its rules"


def _after(position: Position, move: str, word: Word) -> Position:
    """The position after a move. Raises BadRecord."""
    from interpreter.errors import IllegalMove

    try:
        return position.play(move)
    except IllegalMove as problem:
        raise BadRecord(word.line, f"move {len(position.played) + 1}, '{word.text}', is not legal: {problem.reason}",
                        "correct the move, or delete the lines from here on") from None


def replay(record: Record) -> Position:
    """The position after a record's moves, in the bundled game of its title. Raises BadRecord for an illegal move."""
    if record.last is not None:
        return record.last
    record = following(record, map(Word, record.moves, record.lines or repeat(0)))
    if record.stopped is not None:
        raise record.stopped
    assert record.last is not None
    return record.last


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
