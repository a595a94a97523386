"""`dslgame measure`: balance, length, branching, decisiveness and other measures of one game or two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from dslgame.cli.common import doing, examples, force_option, json_option, param_option, title
from dslgame.cli.diff import load_both
from dslgame.cli.output import print_json, progress, table
from dslgame.cli.writing import OutputFile, write_file
from dslgame.laboratory import GAMES, HIDING_LEVELS, LEVEL_GAMES, LEVELS

if TYPE_CHECKING:
    from dslgame.laboratory.profile import Profile

_NOTES = """\
Random games are played by the rules; each level plays itself and the level
before it. Levels are limited by nodes, so the same command gives the same
numbers everywhere; with a level that has seconds=N it does not. The report
contains the definitions and sources of the measures, like docs/laboratory.md."""
_JSON = """\
JSON: {"game", "params", "seed", "measures": [{"name", "title", "value", "low",
"high", "error", "count"}], "uses": [{"what", "name", "count", "of"}], "course",
"cells", "openings": [{"move", "share"}], "examples"}; for two games {"games":
[...], "changes": [{"name", "before", "after", "difference", "z",
"significant"}]}. An exact value has the error 0."""


@click.command(short_help="Measure balance, length, decisiveness and more.", epilog=examples(
    "dslgame measure connect_four",
    "dslgame measure hex pie_hex -p size=5 --report pie.html",
    "dslgame measure tic_tac_toe --random-only --json",
    'dslgame measure hex -p size=4 --level "mcts nodes=50" --level "mcts nodes=400"',
    further=_NOTES + "\n\n\b\n" + _JSON, codes=True,
))
@click.argument("first", metavar="FILE")
@click.argument("second", metavar="[FILE2]", required=False)
@param_option
@click.option("--games", type=click.IntRange(2), default=GAMES, show_default=True, metavar="N",
              help="Number of random games.")
@click.option("--level", "levels", metavar="LEVEL", multiple=True,
              help=f"A level that plays itself and the level before it. Repeatable; default: {' and '.join(LEVELS)}, "
                   f"or {' and '.join(HIDING_LEVELS)} in games with hidden information.")
@click.option("--level-games", type=click.IntRange(2), default=LEVEL_GAMES, show_default=True, metavar="N",
              help="Number of games of each level.")
@click.option("--random-only", is_flag=True, help="Measure only random games; compile nothing.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Seed of the games.")
@click.option("--report", "report_file", metavar="FILE", type=OutputFile(),
              help="Write a report as one HTML file; needs the extra 'pictures'.")
@force_option
@json_option
def measure(first: str, second: str | None, params: Mapping[str, int], games: int, levels: Sequence[str],
            level_games: int, random_only: bool, seed: int, report_file: str | None, as_json: bool) -> None:
    """Measure a game, or compare two: what changes from the first to the second, and how significantly."""
    from dslgame.laboratory import profile
    from solver.players.levels import Level

    if random_only and levels:
        raise click.UsageError("--random-only and --level exclude each other: give one of them")
    chosen = () if random_only else tuple(levels) or None
    try:
        for level in chosen or ():
            Level.of(level)
    except ValueError as problem:
        raise click.BadParameter(str(problem), param_hint="'--level'") from None
    result: list[Profile] = []
    for game in load_both(first, second, params):
        with doing(f"measuring {title(game)}"), progress(f"measuring {game.title}", quiet=as_json) as show:
            try:
                result.append(profile.measure(game, games=games, levels=chosen, level_games=level_games, seed=seed,
                                              told=show))
            except ValueError as problem:
                raise click.ClickException(str(problem)) from None
    if report_file is not None:
        _write(result, report_file)
    if as_json:
        print_json(result[0].as_object() if len(result) == 1 else _both(*result))
    elif len(result) == 1:
        _print(result[0])
    else:
        _print_both(*result)


def _write(result: Sequence[Profile], file: str) -> None:
    from dslgame.laboratory.pictures import NoPlots
    from dslgame.laboratory.report import report

    with doing("writing the report"):
        try:
            text = report(*result)
        except NoPlots as problem:
            raise click.ClickException(str(problem)) from None
    write_file(file, text.encode())


def _print(result: Profile) -> None:
    from dslgame.laboratory.report import between, number

    click.echo(title(result.game))
    rows = [("measure", "value", "95% interval", "games")]
    rows += [(item.title, number(item.value), between(item), f"{item.count:,}" if item.count else "exact")
             for item in result.measures]
    click.echo(table(rows, right=(False, True, True, True)))
    _print_dead(result)


def _print_dead(result: Profile) -> None:
    for use in result.dead:
        click.echo(f"never in play in {result.game.title}: {use.what} {use.name} "
                   f"(less than {use.most:.2%} of the time)")


def _print_both(one: Profile, other: Profile) -> None:
    from dslgame.laboratory.measures import changes
    from dslgame.laboratory.report import number, verdict

    click.echo(f"{title(one.game)} and {title(other.game)}")
    rows = [("measure", "first", "second", "")]
    rows += [(item.before.title, number(item.before.value), number(item.after.value), verdict(item))
             for item in changes(one.measures, other.measures)]
    click.echo(table(rows, right=(False, True, True, False)))
    for profile in (one, other):
        _print_dead(profile)


def _both(one: Profile, other: Profile) -> dict[str, object]:
    from dslgame.laboratory.measures import changes

    return {"games": [one.as_object(), other.as_object()], "changes": [
        {"name": item.before.name, "before": round(item.before.value, 6), "after": round(item.after.value, 6),
         "difference": round(item.difference, 6), "z": round(item.z, 4) if abs(item.z) < 1e9 else None,
         "significant": item.significant} for item in changes(one.measures, other.measures)]}
