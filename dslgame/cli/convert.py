"""`dslgame convert`: games in the files of other programs, shown as moves for this one, and written."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path

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

_JSON = """\
JSON: {"game", "params", "moves", "details" (what the file says besides, such as
names), "to_move" or null, "outcome" or null, "position"}."""


@click.command("convert", short_help="Read and write game files of other programs.", epilog=examples(
    "dslgame convert old.T1",
    'dslgame convert twixt -p rows=12 -p columns=12 --moves "d4 f7 e6" --to new.T1',
    "dslgame convert old.T1 --to copy.T1",
    further=_JSON, codes=True,
))
@click.argument("file", metavar="FILE")
@param_option
@moves_option
@click.option("--to", "target", metavar="RECORD", type=OutputFile(),
              help="Write the game into this file, in the format that its ending means.")
@force_option
@json_option
def convert(file: str, params: Mapping[str, int], moves: str, target: str | None, as_json: bool) -> None:
    """Read a game from a file of another program, or write one.

    FILE is such a file, as .T1 files of TwixT programs are, or a game, whose --moves are then written with --to. What
    is read is played by the rules, so that a move that is not legal is told with its line.
    """
    from dslgame import records

    try:
        if Path(file).suffix.casefold() in [suffix.casefold() for suffix in records.suffixes()]:
            if params or moves:
                raise click.UsageError(f"{file} says itself which game and moves it has: leave -p and --moves out")
            record = records.read_record(file)
            with doing(f"playing the moves of {file}"):
                position = records.replay(record)
        else:
            if target is None:
                raise click.UsageError(f"say with --to where the moves go; to read a record, give a file that ends in "
                                       f"{' or '.join(records.suffixes())}")
            position = play_moves(load(file, params), moves)
            record = records.record_of(position)
    except records.BadRecord as problem:
        raise click.ClickException(problem.text(file)) from None
    if target is not None:
        try:
            text = records.written(record, target)
        except records.BadRecord as problem:
            raise click.ClickException(problem.text(target)) from None
        write_file(target, text.encode())
    outcome = position.outcome
    if as_json:
        print_json({"game": record.title, "params": dict(position.game.params), "moves": list(position.played),
                    "details": dict(record.details), "to_move": None if position.over else position.to_move,
                    "outcome": outcome, "position": position.game.position_text(position.state)})
        return
    if target is not None:
        click.echo(f"{target}: {counted(len(position.played), 'move')} of {title(position.game)}")
        return
    click.echo(title(position.game))
    for name, value in record.details.items():
        click.echo(f"{name}: {value}")
    click.echo(position.drawing())
    click.echo(f"the game is over: {outcome_text(outcome)}" if outcome is not None else f"{position.to_move} to move")
    options = " ".join(f"-p {name}={value}" for name, value in record.params.items())
    name = Path(position.game.rules.source.name).stem
    click.echo(wrapped("go on:  ", f"dslgame play {name} {options} --moves {shlex.quote(' '.join(position.played))}"))
