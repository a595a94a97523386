"""`dslgame convert`: read and write records of games in the file formats of other programs."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

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
    from dslgame.records import Record
    from interpreter.game import Position

_JSON = """\
JSON: {"game", "params", "moves", "start" (the position before them, "" for the
game's own), "details" (what else the file says, such as names), "to_move" or
null, "outcome" or null, "position"}; for a file with several games {"games":
[...]}."""


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
              help="Select this game of a file with several games.")
@click.option("--to", "target", metavar="RECORD", type=OutputFile(),
              help="Write the game to this file, in the format that its ending determines.")
@force_option
@json_option
def convert(file: str, params: Mapping[str, int], moves: str, number: int | None, target: str | None,
            as_json: bool) -> None:
    """Read a game record of another program, or write one.

    FILE is a record, such as a .pgn file of a chess program, or a game, whose --moves are then written with --to. A
    record's moves are played by the rules, and an illegal move is reported with its line.
    """
    from dslgame import records

    for path in (file, target):
        _refuse_rules(path)
    try:
        if Path(file).suffix.casefold() in [suffix.casefold() for suffix in records.suffixes()]:
            if params or moves:
                raise click.UsageError(f"{file} says itself which game and moves it has: leave -p and --moves out")
            with doing(f"playing the moves of {file}"):
                result = _chosen(records.read_records(file), number, file)
                positions = [records.replay(record) for record in result]
        else:
            if target is None:
                raise click.UsageError(f"say with --to where the moves go; to read a record, give a file that ends in "
                                       f"{' or '.join(records.suffixes())}")
            if number is not None:
                raise click.UsageError(f"--game is for files with several games, found {file}")
            positions = [play_moves(load(file, params), moves)]
            result = [records.record_of(positions[0])]
    except records.BadRecord as problem:
        raise click.ClickException(problem.text(file)) from None
    if target is not None:
        try:
            content = records.encoded(result, target)
        except records.BadRecord as problem:
            raise click.ClickException(problem.text(target)) from None
        write_file(target, content)
    if as_json:
        objects = [_as_object(record, position) for record, position in zip(result, positions, strict=True)]
        print_json(objects[0] if len(objects) == 1 else {"games": objects})
    elif target is not None and len(result) == 1:
        click.echo(f"{target}: {counted(len(positions[0].played), 'move')} of {title(positions[0].game)}")
    elif target is not None:
        click.echo(f"{target}: {counted(len(result), 'game')}")
    elif len(result) == 1:
        _show(result[0], positions[0])
    else:
        for index, (record, position) in enumerate(zip(result, positions, strict=True), start=1):
            click.echo(f"{index:>{len(str(len(result)))}}  {_in_short(record, position)}")
        click.echo(f"one of them:  dslgame convert {shlex.quote(file)} --game 1")


_RULES = {".gdl": "GDL", ".kif": "GDL", ".lud": "Ludii", ".rbg": "RBG", ".zrf": "Zillions of Games"}
"""The file name suffixes of other rule languages, and the names of these languages."""


def _refuse_rules(path: str | None) -> None:
    """Raise ClickException for a file of rules in another language, which cannot be translated faithfully."""
    language = _RULES.get(Path(path or "").suffix.casefold())
    if language is not None:
        raise click.ClickException(f"{path}: files of this kind hold rules in the language of {language}, expected a "
                                   "record of moves; rules are not translated: write them anew, "
                                   "docs/how-do-i-say.md has the words side by side")


def _chosen(result: list[Record], number: int | None, file: str) -> list[Record]:
    """All records of a file, or the one with a number. Raises ClickException where the file has fewer."""
    if number is None:
        return result
    if number > len(result):
        raise click.ClickException(f"{file} has {counted(len(result), 'game')}, found --game {number}")
    return [result[number - 1]]


def _as_object(record: Record, position: Position) -> dict[str, object]:
    return {"game": record.title, "params": dict(position.game.params), "moves": list(position.played),
            "start": record.start, "details": dict(record.details),
            "to_move": None if position.over else position.to_move, "outcome": position.outcome,
            "position": position.game.position_text(position.state)}


def _ending(position: Position) -> str:
    return (f"the game is over: {outcome_text(position.outcome)}" if position.outcome is not None
            else f"{position.to_move} to move")


def _in_short(record: Record, position: Position) -> str:
    """One line about a record: the game, its number of moves, its outcome, and the players' names if known."""
    names = [f"{player} {record.details[player]}" for player in position.game.players
             if record.details.get(player, "?") not in ("", "?")]
    return "; ".join([f"{title(position.game)}, {counted(len(position.played), 'move')}, {_ending(position)}", *names])


def _show(record: Record, position: Position) -> None:
    """Print a record with the board of its last position, and the command to play on from there."""
    click.echo(title(position.game))
    for name, value in record.details.items():
        click.echo(f"{name}: {value}")
    click.echo(position.drawing())
    click.echo(_ending(position))
    options = "".join(f" -p {name}={value}" for name, value in record.params.items())
    options += f" --position {shlex.quote(record.start)}" if record.start else ""
    options += f" --moves {shlex.quote(' '.join(position.played))}" if position.played else ""
    name = Path(position.game.rules.source.name).stem
    click.echo(wrapped("go on:  ", f"dslgame play {name}{options}"))
