"""`dslgame endgames`: the values of all positions with given pieces."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from pathlib import Path

import click

from dslgame.cli.common import doing, examples, file_argument, json_option, load, param_option, title
from dslgame.cli.output import counted, elapsed, print_json

_NOTES = """\
The pieces are placed on the board in every way, with each player to move;
positions that the rules would take back are left out. Pieces are named by the
signs that `show` and positions in one line use: KQk is White's king and queen
and Black's king. A counter that is `aside` in the rules, such as moves without
a capture, keeps its initial value: a win counts however long it takes."""
_JSON = """\
JSON: {"game", "params", "material", "positions" (all that are valued, including
those with fewer or other pieces), "tables": [{"to_move", "positions", "wins":
{PLAYER: number}, "draws", "longest" (plies), "example" (a position, or null)}],
"file", "bytes" (or null), "seconds"}."""


@click.command(short_help="Value all positions with given pieces.", epilog=examples(
    "dslgame endgames gardners_chess --material KRk",
    "dslgame endgames chess --material KQk --save kqk.solution",
    further=_NOTES + "\n\n\b\n" + _JSON, codes=True,
))
@file_argument
@param_option
@click.option("--material", required=True, metavar="PIECES", help="The pieces on the board, by their signs.")
@click.option("--save", "target", type=click.Path(dir_okay=False, path_type=Path), metavar="SOLUTION",
              help="Save the values in this file, for `dslgame query`.")
@click.option("--memory", type=click.IntRange(1), metavar="MB",
              help="Give up when this much memory is used; default: most of the free memory.")
@json_option
def endgames(file: str, params: Mapping[str, int], material: str, target: Path | None, memory: int | None,
             as_json: bool) -> None:
    """Find the value of all positions with given pieces, and the length of the longest win."""
    from dslgame.cli.memory import most_memory
    from solver.budget import Budget
    from solver.endgames import endgames as table_of

    game = load(file, params)
    started = time.perf_counter()
    shown = not as_json and sys.stderr is not None and sys.stderr.isatty()
    with doing(f"valuing endgames of {title(game)}"):
        result = table_of(game, material, save=target, budget=Budget(None, memory or most_memory(), None),
                          tell=lambda said: click.echo(said, err=True) if shown else None)
    seconds = time.perf_counter() - started
    positions = result.table.unmerged()
    if as_json:
        print_json({"game": game.title, "params": dict(game.params), "material": material, "positions": positions,
                    "tables": [{
                        "to_move": game.players[tally.mover], "positions": tally.positions,
                        "wins": dict(zip(game.players, tally.wins, strict=True)), "draws": tally.draws,
                        "longest": tally.longest, "example": tally.example or None} for tally in result.tallies],
                    "file": None if target is None else str(target), "bytes": result.size or None,
                    "seconds": round(seconds, 3)})
        return
    click.echo(f"{title(game)}: {material}")
    for tally in result.tallies:
        wins = ", ".join(f"{player} wins {count:,}" for player, count in zip(game.players, tally.wins, strict=True))
        click.echo(f"{game.players[tally.mover]} to move: {counted(tally.positions, 'position')}: {wins}, "
                   f"{tally.draws:,} drawn")
        if tally.longest:
            click.echo(f"  longest win: {tally.longest} plies, from {tally.example}")
    click.echo(f"{counted(positions, 'position')} valued in {elapsed(seconds)}, those with fewer pieces, too")
    if target is not None:
        click.echo(f"saved in {target}: {result.size:,} bytes")
