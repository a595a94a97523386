"""`dslgame complexity`: the numbers of positions and of tree nodes of a game, its branching factor and its length."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from dslgame import bundled
from dslgame.cli.common import (
    doing,
    examples,
    file_argument,
    json_option,
    load,
    moves_option,
    param_option,
    play_moves,
    position_option,
    title,
)
from dslgame.cli.output import print_json, progress, table, wrapped
from dslgame.exit_codes import INTERRUPTED

if TYPE_CHECKING:
    from interpreter.game import Position
    from solver.complexity import Complexity, Estimate

_NOTES = """\
If there are few positions, they are counted. Otherwise their number is
estimated from random games, like the size of the tree: a mean with its
standard error. If positions cannot recur, they are sampled layer by layer,
which is right within a factor of ten for the games whose numbers are known.
Otherwise the estimate may be too high; the output shows the factor by which
it was too high at the last ply that was counted. The factor grows from there.
If positions can recur and random games are very long, there is no estimate."""
_JSON = """\
JSON: {"game", "params", "played", "positions", "games", "nodes" (each
{"exact", "log10", "error"}), "positions_by", "excess", "branching",
"most_moves", "length", "shortest", "longest", "tree_branching", "samples",
"broken_off", "repetition"}. "positions" is null if there is no estimate, and
"exact" if a number is estimated; "error" is relative to it. "repetition" is
"ignored" in games with a repetition rule, which is not applied."""


@click.command(short_help="Measure how large a game is.", epilog=examples(
    "dslgame complexity connect_four",
    "dslgame complexity tic_tac_toe --json",
    "dslgame complexity hex -p size=5 --samples 20000",
    further=_NOTES + "\n\n\b\n" + _JSON, codes=True,
))
@file_argument
@param_option
@moves_option
@position_option
@click.option("--samples", type=click.IntRange(2, 10_000_000), default=1_000, show_default=True, metavar="N",
              help="Number of random games.")
@click.option("--enumerate", "most", type=click.IntRange(0), default=1_000_000, show_default=True, metavar="N",
              help="Count the positions one by one if there are at most N.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Seed of the random games.")
@json_option
def complexity(file: str, params: Mapping[str, int], moves: str, position: str | None, samples: int, most: int,
               seed: int, as_json: bool) -> None:
    """Measure how large a game is: positions, game tree, branching, length."""
    from solver.complexity import complexity as measure
    from solver.entries import Entries

    game = load(file, params)
    at = play_moves(game, moves, position)
    with doing(f"compiling {title(game)}"), progress("compiling the rules", quiet=as_json):
        entries = Entries.of(game, bundled.hooks_of(game))
    with doing(f"measuring {title(game)}"), progress(f"measuring {game.title}", quiet=as_json) as show:
        result = measure(entries, at.state, samples=samples, seed=seed, enumerate_most=most,
                         progress=None if show is None else lambda number, what: show(f"{number:,} {what}"))
    if as_json:
        print_json(_object(at, result))
    else:
        click.echo(title(game))
        if at.played:
            click.echo(wrapped("after: ", " ".join(at.played)))
        click.echo(table(result.rows(), right=(False, False)))
        if game.looks_back:
            click.echo("The repetition rule is not applied: lines of play go on where a position comes back.")
    if result.samples < samples:
        click.echo(f"interrupted after {result.samples:,} of {samples:,} random games", err=True)
        raise SystemExit(INTERRUPTED)


def _estimate(estimate: Estimate | None) -> dict[str, object] | None:
    if estimate is None:
        return None
    return {"exact": estimate.exact, "log10": None if math.isinf(estimate.log10) else round(estimate.log10, 6),
            "error": round(estimate.error, 6)}


def _object(position: Position, result: Complexity) -> dict[str, object]:
    game = position.game
    return {
        "game": game.title, "params": game.params, "played": position.played,
        "positions": _estimate(result.positions), "games": _estimate(result.games), "nodes": _estimate(result.nodes),
        "positions_by": result.positions_by, "excess": result.excess, "branching": round(result.branching, 6),
        "most_moves": result.most_moves, "length": round(result.length, 6), "shortest": result.shortest,
        "longest": result.longest, "tree_branching": round(result.tree_branching, 6), "samples": result.samples,
        "broken_off": result.broken_off, "repetition": "ignored" if game.looks_back else None,
    }
