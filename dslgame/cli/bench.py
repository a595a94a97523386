"""`dslgame bench`: how fast a game is played and counted, by the interpreter, the kernel, and the kernel with hooks."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

import click

from dslgame.cli.common import (
    doing,
    examples,
    file_argument,
    hooks_options,
    json_option,
    load,
    load_hooks,
    param_option,
    title,
)
from dslgame.cli.output import elapsed, print_json, progress, table

if TYPE_CHECKING:
    from dslgame.measuring import Speed

_WAYS = ("interpreter", "kernel", "hooks")
_JSON = """\
JSON: {"game", "params", "seed", "seconds", "plies", "interpreter", "kernel",
"hooks" (each {"playouts_per_second", "moves_per_second",
"perft_nodes_per_second", "moves_per_playout", "unfinished" (the share of games
left after so many plies), "perft_depth", "compile_seconds", "cached"}, or null
where there is none), "missing" (why, by name)}."""


@click.command(short_help="Measure how fast a game is played.", epilog=examples(
    "dslgame bench my.game",
    "dslgame bench hex -p size=5 --seconds 5",
    "dslgame bench my.game --hooks my.py",
    "dslgame bench connect_four --json",
    further=_JSON, codes=True,
))
@file_argument
@param_option
@click.option("--seconds", type=click.FloatRange(0.01, 3600), default=1.0, show_default=True,
              help="Processor time for each way to play the game, and again to count.")
@click.option("--seed", type=click.IntRange(0, 2**32 - 1), default=1, show_default=True,
              help="The same number plays the same games.")
@click.option("--plies", type=click.IntRange(1, 1_000_000), default=1000, show_default=True,
              help="Moves after which a random game is left.")
@hooks_options
@json_option
def bench(file: str, params: Mapping[str, int], seconds: float, seed: int, plies: int, hooks_file: str | None,
          no_hooks: bool, as_json: bool) -> None:
    """Measure random games and counted positions a second, by the interpreter and by the kernel.

    The kernel is compiled from the same rules; where there are hooks, the kernel with them is measured as well. All
    take turns, and what counts is processor time of one core. The numbers belong to the machine; the ratio of two ways
    to play hardly does.
    """
    from dslgame import measuring

    game = load(file, params)
    hooks = load_hooks(file, hooks_file, no_hooks)
    with doing(f"measuring {title(game)}"), progress(f"measuring {title(game)}", quiet=as_json) as show:
        if show is not None:
            show("compiling")
        ways, missing = measuring.ways(game, hooks)
        try:
            speeds = measuring.measure(ways, seconds=seconds, seed=seed, limit=plies, progress=show)
        except measuring.Disagreement as problem:
            raise click.ClickException(
                f"{problem}. They must play the same game: `dslgame verify` finds where they do not") from None
    if as_json:
        print_json({
            "game": game.title, "params": game.params, "seed": seed, "seconds": seconds, "plies": plies,
            **{name: _object(speeds.get(name)) for name in _WAYS}, "missing": missing,
        })
    else:
        _print(title(game), speeds, missing, plies)


def _object(speed: Speed | None) -> dict[str, object] | None:
    if speed is None:
        return None
    return {
        "playouts_per_second": round(speed.playouts_per_second, 3),
        "moves_per_second": round(speed.moves_per_second, 3),
        "perft_nodes_per_second": round(speed.perft_nodes_per_second, 3),
        "moves_per_playout": round(speed.moves_per_playout, 6), "unfinished": round(speed.unfinished, 6),
        "perft_depth": speed.perft_depth,
        "compile_seconds": None if speed.compile_seconds is None else round(speed.compile_seconds, 6),
        "cached": speed.cached,
    }


def _print(name: str, speeds: Mapping[str, Speed], missing: Mapping[str, str], plies: int) -> None:
    click.echo(name)
    rows: list[tuple[str, ...]] = [("", "playouts/s", "moves/s", "perft nodes/s", "first move after")]
    for way, speed in speeds.items():
        waited = ""
        if speed.compile_seconds is not None:
            waited = f"{elapsed(speed.compile_seconds)}, {'from disk' if speed.cached else 'compiled'}"
        rows.append((way, _rate(speed.playouts_per_second), _rate(speed.moves_per_second),
                     _rate(speed.perft_nodes_per_second), waited))
    names = list(speeds)
    for slow, fast in pairwise(names):
        rows.append((f"{fast} / {slow}", *(_rate(ratio) for ratio in speeds[fast].over(speeds[slow])), ""))
    click.echo(table(rows, right=(False, True, True, True, True)))
    for way, reason in missing.items():
        if way != "hooks":  # few games have any
            click.echo(f"no {way}: {reason}")
    last = speeds[names[-1]]
    left = f" ({last.unfinished:.0%} left after {plies:,})" if last.unfinished else ""
    depths = " and ".join(dict.fromkeys(str(speed.perft_depth) for speed in speeds.values()))
    click.echo(f"random games of {_rate(last.moves_per_playout)} moves{left}, counted to depth {depths}; "
               "medians, by processor time of one core")


def _rate(value: float) -> str:
    """A number with three digits or more that count."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"
