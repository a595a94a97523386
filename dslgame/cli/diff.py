"""`dslgame diff`: the first position in which two games differ, and how often they do; or that they are equal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from dslgame import exit_codes
from dslgame.cli.common import STDIN, Loader, doing, examples, json_option, param_option, play_moves, title
from dslgame.cli.output import print_json, progress, wrapped

if TYPE_CHECKING:
    from dslgame.laboratory.differences import Compared
    from interpreter.game import Game

_JSON = """\
JSON: {"a", "b", "equal" ("proven", "as far as compared", or null if they
differ), "depth", "positions", "why", "difference": {"kind" ("moves", "result",
"player to move", "probabilities", "payoffs"), "played", "shortest", "only_a",
"only_b", "result_a", "result_b", "to_move_a", "to_move_b", "position"},
"games", "games_differing", "interval", "positions_played",
"positions_differing"}."""
_NOTES = """\
A move of one game is the same as the move of the other that is written alike.
Positions are compared breadth first, so no difference comes after fewer moves.
Random games, of moves that both games have, show how often they differ."""


@click.command(short_help="Compare two games.", epilog=examples(
    "dslgame diff tic_tac_toe misere_tic_tac_toe",
    "dslgame diff connect_four pop_out --depth 2",
    "dslgame diff connect_four pop_out -p rows=4 -p columns=4",
    further=_NOTES + "\n\n\b\n" + _JSON, codes=True,
))
@click.argument("first", metavar="FILE")
@click.argument("second", metavar="FILE2")
@param_option
@click.option("--depth", type=click.IntRange(0), metavar="N", help="Compare positions breadth first, up to N plies.")
@click.option("--positions", type=click.IntRange(1), default=50_000, show_default=True, metavar="N",
              help="Compare at most N pairs of positions breadth first.")
@click.option("--games", type=click.IntRange(0), default=200, show_default=True, metavar="N",
              help="Number of random games, to estimate how often they differ.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Seed of the random games.")
@json_option
def diff(first: str, second: str, params: Mapping[str, int], depth: int | None, positions: int, games: int, seed: int,
         as_json: bool) -> None:
    """Find the first position in which two games differ in legal moves or results, and how often they differ.

    A param is set in each game that has it. Exits with 1 if the games differ.
    """
    from dslgame.laboratory.differences import compare

    one, other = load_both(first, second, params)
    with doing(f"comparing {title(one)} and {title(other)}"), progress("comparing", quiet=as_json):
        result = compare(one, other, positions=positions, depth=depth, games=games, seed=seed)
    if as_json:
        print_json(_object(one, other, result))
    else:
        _print(one, other, result)
    if result.difference is not None:
        raise SystemExit(exit_codes.WRONG)


def load_both(first: str, second: str | None, params: Mapping[str, int]) -> list[Game]:
    """Load one game or two, each with those params that it has. Raises BadParameter for a param that none has."""
    from dsl.syntax import rules
    from dsl.syntax.parser import parse

    if first == second == STDIN:
        raise click.UsageError("the standard input has one game: give a file for the other")
    games = []
    known: set[str] = set()
    for file in (first, *([] if second is None else [second])):
        loader = Loader(file)
        own = {item.name.text for item in parse(loader.source).file.all(rules.Param)}
        known |= own
        games.append(loader.game({name: value for name, value in params.items() if name in own}))
    for name in params:
        if name not in known:
            raise click.BadParameter(f"no game here has the param '{name}'", param_hint="'-p' / '--param'")
    return games


def _names(one: Game, other: Game) -> tuple[str, str]:
    return (one.title, other.title) if one.title != other.title else ("the first", "the second")


def _print(one: Game, other: Game, result: Compared) -> None:
    click.echo(f"{title(one)} and {title(other)}")
    difference = result.difference
    if difference is None:
        played = ", and in all random games" if result.frequency is not None and result.frequency.games else ""
        said = "proven equal" if result.proven else f"equal up to {result.depth} plies{played}"
        click.echo(f"{said}: {result.why}")
    else:
        plies = len(difference.played)
        first = "the first difference" if result.shortest else "the earliest difference seen in random games"
        click.echo(f"{first} is after {plies} {'ply' if plies == 1 else 'plies'}: "
                   f"{difference.text(_names(one, other))}")
        if difference.played:
            click.echo(wrapped("after: ", " ".join(difference.played)))
        click.echo(play_moves(one, " ".join(difference.played)).drawing())
    seen = result.frequency
    if seen is not None and seen.games:
        low, high = seen.interval
        click.echo(f"random games: {seen.differing} of {seen.games} differ ({low:.0%} to {high:.0%}), in "
                   f"{seen.positions_differing:,} of {seen.positions:,} positions")


def _object(one: Game, other: Game, result: Compared) -> dict[str, object]:
    difference, seen = result.difference, result.frequency
    shown = None
    if difference is not None:
        shown = {"kind": difference.kind, "played": difference.played, "shortest": result.shortest,
                 "only_a": difference.only[0], "only_b": difference.only[1], "result_a": difference.results[0],
                 "result_b": difference.results[1], "to_move_a": difference.to_move[0] or None,
                 "to_move_b": difference.to_move[1] or None,
                 "position": play_moves(one, " ".join(difference.played)).text}
    return {
        "a": {"game": one.title, "params": one.params}, "b": {"game": other.title, "params": other.params},
        "equal": "proven" if result.proven else None if difference is not None else "as far as compared",
        "depth": result.depth, "positions": result.positions, "why": result.why, "difference": shown,
        "games": 0 if seen is None else seen.games, "games_differing": 0 if seen is None else seen.differing,
        "interval": None if seen is None or not seen.games else [round(end, 6) for end in seen.interval],
        "positions_played": 0 if seen is None else seen.positions,
        "positions_differing": 0 if seen is None else seen.positions_differing,
    }
