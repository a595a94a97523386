"""`dslgame convert`: read and write records of games in the file formats of other programs."""

from __future__ import annotations

import json
import shlex
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import click

from dslgame.cli.common import (
    doing,
    examples,
    force_option,
    json_option,
    load,
    moves_option,
    param_option,
    play_moves,
    title,
)
from dslgame.cli.output import counted, outcome_text, print_json, wrapped
from dslgame.cli.writing import OutputFile, write_file

if TYPE_CHECKING:
    from dslgame.records import BadRecord, Reader, Record
    from interpreter.game import Position

_JSON = """\
JSON: {"game", "params", "moves", "start" (the position before them, "" for the
game's own), "details" (what else the file says, such as names), "to_move" or
null, "outcome" or null, "position", "notes" (texts)}; for a file with several
games {"games": [...]}, with {"error"} for one that cannot be read."""


@click.command("convert", short_help="Read and write game records of other programs.", epilog=examples(
    "dslgame convert game.pgn",
    'dslgame convert chess --moves "e2e4 e7e5" --to game.pgn',
    "dslgame convert games.pdn --game 3 --to third.pdn",
    "dslgame convert game.pgn --to last.fen",
    further=_JSON, codes=True,
))
@click.argument("file", metavar="FILE")
@param_option
@moves_option
@click.option("--game", "number", metavar="NUMBER", type=click.IntRange(min=1),
              help="Read only this game of a file with several games.")
@click.option("--to", "target", metavar="RECORD", type=OutputFile(),
              help="Write the game to this file, in the format that its ending determines.")
@force_option
@json_option
def convert(file: str, params: Mapping[str, int], moves: str, number: int | None, target: str | None,
            as_json: bool) -> None:
    """Read a game record of another program, or write one.

    FILE is a record, such as a .pgn file of a chess program, or a game, whose --moves are then written with --to. A
    record's moves are played by the rules; a game is read up to a move that is not legal, which is reported with its
    line. Games of a file that cannot be read are reported, and the others are read.
    """
    from dslgame import records

    for path in (file, target):
        _refuse_rules(path)
    try:
        if Path(file).suffix.casefold() in [suffix.casefold() for suffix in records.suffixes()]:
            if params or moves:
                raise click.UsageError(f"{file} says itself which game and moves it has: leave -p and --moves out")
            with doing(f"playing the moves of {file}"):
                readers, several = _chosen(records.games_in(file), number, file)
                if several:
                    _convert_all(readers, file, target, as_json)
                else:
                    _convert_one(next(readers)(), file, target, as_json)
        else:
            if target is None:
                raise click.UsageError(f"say with --to where the moves go; to read a record, give a file that ends in "
                                       f"{' or '.join(records.suffixes())}")
            if number is not None:
                raise click.UsageError(f"--game is for files with several games, found {file}")
            position = play_moves(load(file, params), moves)
            _convert_one(attrs.evolve(records.record_of(position), last=position), file, target, as_json)
    except records.BadRecord as problem:
        raise click.ClickException(problem.text(file)) from None


def _chosen(readers: Iterator[Reader], number: int | None, file: str) -> tuple[Iterator[Reader], bool]:
    """All games of a file or the one with a number, and whether they are several. Raises ClickException, BadRecord."""
    if number is None:
        ahead = list(islice(readers, 2))
        return chain(ahead, readers), len(ahead) > 1
    games = 0
    for games, read in enumerate(readers, start=1):
        if games == number:
            return iter([read]), False
    raise click.ClickException(f"{file} has {counted(games, 'game')}, found --game {number}")


def _convert_one(record: Record, file: str, target: str | None, as_json: bool) -> None:
    """Show or write a game. Raises ClickException where it could not be read whole."""
    if target is not None:
        _write([record], target)
    if as_json:
        print_json(_as_object(record, file))
    elif target is not None:
        click.echo(f"{target}: {counted(len(record.moves), 'move')} of {title(_last(record).game)}")
    else:
        _show(record)
    _print_notes(record, file)
    if record.stopped is not None:
        raise click.ClickException(record.stopped.text(file))


def _convert_all(readers: Iterator[Reader], file: str, target: str | None, as_json: bool) -> None:
    """List or write several games, one after the other, so that a file of any size takes the memory of one game.

    Raises ClickException where one could not be read whole.
    """
    report = _Report(file, listing=target is None, as_json=as_json)
    if target is None:
        deque(report.read(readers), maxlen=0)
    else:
        _write(report.read(readers), target)
    if not as_json:
        click.echo(f"{target}: {counted(report.games - report.refused, 'game')}" if target is not None
                   else f"one of them:  dslgame convert {shlex.quote(file)} --game 1")
    if report.refused or report.stopped:
        raise report.failed()


def _write(found: Iterable[Record], target: str) -> None:
    """Write games to a file. Raises ClickException where it cannot hold them, and writes nothing then."""
    from dslgame import records

    try:
        write_file(target, records.parts(found, target))
    except records.BadRecord as problem:
        raise click.ClickException(problem.text(target)) from None


@attrs.define
class _Report:
    """Prints what is to be said of each game of a file, and counts."""

    file: str
    listing: bool = attrs.field(kw_only=True)
    as_json: bool = attrs.field(kw_only=True)
    games: int = 0
    refused: int = 0
    """How many could not be read."""
    stopped: int = 0
    """How many could be read in part only."""

    def read(self, readers: Iterator[Reader]) -> Iterator[Record]:
        """The games that can be read. Raises ClickException where there is none."""
        from dslgame import records

        try:
            for self.games, read in enumerate(readers, start=1):
                try:
                    record = read()
                except records.BadRecord as problem:
                    self._refuse(problem)
                    continue
                self.stopped += record.stopped is not None
                self._say(_as_object(record, self.file), _in_short(record),
                          [*record.notes, *filter(None, [record.stopped])])
                yield record
        except records.BadRecord as problem:  # the file cannot be divided any further
            self.games += 1
            self._refuse(problem)
        if self.as_json:
            click.echo("]}")
        if self.refused == self.games:
            raise self.failed()

    def _refuse(self, problem: BadRecord) -> None:
        self.refused += 1
        self._say({"error": problem.text(self.file)}, "not read", [problem])

    def _say(self, value: Mapping[str, object], text: str, notes: Sequence[BadRecord]) -> None:
        """Print a game, and what a reader should know about it."""
        if self.as_json:
            click.echo(('{"games": [' if self.games == 1 else ", ") + json.dumps(value), nl=False)
            return
        if self.listing:
            click.echo(f"{self.games:>4}  {text}")
        for note in notes:
            click.echo(note.text(self.file), err=True)

    def failed(self) -> click.ClickException:
        """The error of what could not be read."""
        return click.ClickException(f"{self.file}: of {self.games} games, {self.refused} could not be read, and "
                                    f"{self.stopped} in part only")


_RULES = {".gdl": "GDL", ".kif": "GDL", ".lud": "Ludii", ".rbg": "RBG", ".zrf": "Zillions of Games"}
"""The file name suffixes of other rule languages, and the names of these languages."""


def _refuse_rules(path: str | None) -> None:
    """Raise ClickException for a file of rules in another language, which cannot be translated faithfully."""
    language = _RULES.get(Path(path or "").suffix.casefold())
    if language is not None:
        raise click.ClickException(f"{path}: files of this kind hold rules in the language of {language}, expected a "
                                   "record of moves; rules are not translated: write them anew, "
                                   "docs/how-do-i-say.md has the words side by side")


def _last(record: Record) -> Position:
    """The position after a record's moves, which have been played."""
    assert record.last is not None
    return record.last


def _as_object(record: Record, file: str) -> dict[str, object]:
    position = _last(record)
    return {"game": record.title, "params": dict(position.game.params), "moves": list(position.played),
            "start": record.start, "details": dict(record.details),
            "to_move": None if position.over else position.to_move, "outcome": position.outcome,
            "position": position.game.position_text(position.state), "notes": _notes(record, file)}


def _notes(record: Record, file: str) -> list[str]:
    """What a reader should know about a record that was read."""
    return [note.text(file) for note in (*record.notes, *filter(None, [record.stopped]))]


def _print_notes(record: Record, file: str) -> None:
    for note in record.notes:
        click.echo(f"note: {note.text(file)}", err=True)


def _ending(position: Position) -> str:
    return (f"the game is over: {outcome_text(position.outcome)}" if position.outcome is not None
            else f"{position.to_move} to move")


def _in_short(record: Record) -> str:
    """One line about a record: the game, its number of moves, its outcome, and the players' names if known."""
    position = _last(record)
    names = [f"{player} {record.details[player]}" for player in position.game.players
             if record.details.get(player, "?") not in ("", "?")]
    return "; ".join([f"{title(position.game)}, {counted(len(position.played), 'move')}, {_ending(position)}", *names])


def _show(record: Record) -> None:
    """Print a record with the board of its last position, and the command to play on from there."""
    position = _last(record)
    click.echo(title(position.game))
    for name, value in record.details.items():
        click.echo(f"{name}: {value}")
    click.echo(position.drawing())
    click.echo(_ending(position))
    options = "".join(f" -p {name}={value}" for name, value in record.params.items())
    start, moves = record.start, position.played
    if record.beyond:
        start, moves = position.text, ()
    options += f" --position {shlex.quote(start)}" if start else ""
    options += f" --moves {shlex.quote(' '.join(moves))}" if moves else ""
    name = Path(position.game.rules.source.name).stem
    click.echo(wrapped("go on:  ", f"dslgame play {name}{options}"))
