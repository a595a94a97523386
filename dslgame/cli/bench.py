"""`dslgame bench`: the speed of playouts and perft, by the interpreter, the kernel, and the kernel with hooks."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from time import process_time
from typing import TYPE_CHECKING

import attrs
import click

from dslgame.cli.common import (
    Reals,
    Words,
    doing,
    examples,
    hooks_options,
    json_option,
    load,
    load_hooks,
    optional_file_argument,
    param_option,
    refuse_given,
    title,
)
from dslgame.cli.output import counted, elapsed, print_json, progress, table

if TYPE_CHECKING:
    from dslgame.measuring import Speed
    from interpreter.game import Game

_WAYS = ("interpreter", "kernel", "hooks")
_JSON = """\
JSON: {"game", "params", "seed", "seconds", "plies", "measured_seconds",
"compiled_seconds", "interpreter", "kernel", "hooks" (each
{"playouts_per_second", "moves_per_second", "perft_nodes_per_second",
"moves_per_playout", "unfinished" (the share of games abandoned after --plies
moves), "perft_depth", "compile_seconds", "cached"}, or null if missing),
"missing" (the reasons, by name)}. Values that need finished games are null if
no game finished in time. With --signature {"signature", "games": {NAME:
{SEARCH: its counts}}}: SEARCH is "perft", "alphabeta", "proof", "mcts" or
"strong". With --device cuda "device": [{"games", "moves_per_second",
"playouts_per_second", "compile_seconds", "position_bytes"}], by batch size."""


@click.command(short_help="Measure how fast a game is played.", epilog=examples(
    "dslgame bench my.game",
    "dslgame bench hex -p size=5 --seconds 5",
    "dslgame bench my.game --hooks my.py",
    "dslgame bench connect_four --json",
    "dslgame bench --signature",
    further=_JSON, codes=True,
))
@optional_file_argument
@param_option
@click.option("--signature", is_flag=True,
              help="Count what fixed searches visit, in all bundled games or in FILE, and print a hash of the counts.")
@click.option("--seconds", type=Reals(0.01, 3600), default=3.0, show_default=True,
              help="Processor time to measure all engines together; compiling comes first and is reported separately.")
@click.option("--seed", type=click.IntRange(0, 2**32 - 1), default=1, show_default=True,
              help="Seed of the random games; the same seed plays the same games.")
@click.option("--plies", type=click.IntRange(1, 1_000_000), default=1000, show_default=True,
              help="Abandon a random game after this many moves.")
@click.option("--device", type=Words(["cpu", "cuda"]), default="cpu", show_default=True,
              help="Measure on the CPU, or measure random games on a GPU, in batches of several sizes.")
@hooks_options
@json_option
def bench(file: str | None, params: Mapping[str, int], signature: bool, seconds: float, seed: int, plies: int,
          device: str, hooks_file: str | None, no_hooks: bool, as_json: bool) -> None:
    """Measure random games and counted positions per second, with the interpreter and with the kernel.

    The kernel is compiled from the same rules; if there are hooks, the kernel with hooks is measured as well. The
    engines take turns, and processor time of one core is measured. A game of the interpreter that would take longer
    than its share is cut off. Absolute numbers depend on the machine; the ratio of two engines hardly does.
    """
    if signature:
        refuse_given(("seconds", "seed", "plies", "device", "hooks_file", "no_hooks"), "does not go with --signature")
        _signature(file, params, as_json=as_json)
        return
    if file is None:
        raise click.UsageError("Missing argument 'FILE'.")
    from dslgame import measuring

    game = load(file, params)
    if device == "cuda":
        if hooks_file is not None or no_hooks:
            raise click.UsageError("--device cuda measures the kernel without hooks: leave --hooks and --no-hooks out")
        _on_gpu(game, seconds, seed, plies, as_json=as_json)
        return
    hooks = load_hooks(file, hooks_file, no_hooks)
    with doing(f"measuring {title(game)}"), progress(f"measuring {title(game)}", quiet=as_json) as show:
        if show is not None:
            show("compiling")
        ways, missing = measuring.ways(game, hooks, seconds=seconds)
        started = process_time()
        try:
            speeds = measuring.measure(ways, seconds=seconds, seed=seed, limit=plies, progress=show)
        except measuring.Disagreement as problem:
            raise click.ClickException(
                f"{problem}. They must play the same game: `dslgame verify` finds where they do not") from None
        measured = process_time() - started
    compiled = sum(way.ready_seconds for way in ways)
    if as_json:
        print_json({
            "game": game.title, "params": game.params, "seed": seed, "seconds": seconds, "plies": plies,
            "measured_seconds": round(measured, 3), "compiled_seconds": round(compiled, 3),
            **{name: _object(speeds.get(name)) for name in _WAYS}, "missing": missing,
        })
    else:
        _print(title(game), speeds, missing, plies, with_hooks=hooks is not None)
        before = f", after {elapsed(compiled)} of compiling" if compiled else ""
        click.echo(f"measured for {elapsed(measured)}{before}")


def _on_gpu(game: Game, seconds: float, seed: int, plies: int, *, as_json: bool) -> None:
    """Measure random games on a GPU, in batches of increasing size, and print the moves a second."""
    from dslgame.device_measuring import measured
    from interpreter.device.batch import NoDevice, NotOnDevice

    result = []
    what = f"measuring {title(game)} on a GPU"
    try:
        with doing(what), progress(what, quiet=as_json) as show:
            for speed in measured(game, seconds, seed=seed, limit=plies):
                result.append(speed)
                if show is not None:
                    show(f"{counted(speed.games, 'game')} at once")
    except (NoDevice, NotOnDevice) as problem:
        raise click.ClickException(str(problem)) from None
    if as_json:
        print_json({"game": game.title, "params": game.params, "seed": seed, "seconds": seconds, "plies": plies,
                    "device": [attrs.asdict(speed) for speed in result]})
        return
    click.echo(title(game))
    click.echo(table([("games at once", "moves a second", "games a second"),
                      *((f"{speed.games:,}", f"{speed.moves_per_second:,.0f}", f"{speed.playouts_per_second:,.0f}")
                        for speed in result)], right=(True, True, True)))
    click.echo(f"compiled in {elapsed(result[0].compile_seconds)}; {result[0].position_bytes:,} bytes a position")


def _signature(file: str | None, params: Mapping[str, int], *, as_json: bool) -> None:
    """Print the counts of fixed searches, and their hash."""
    import dslgame
    from dslgame import bundled, signature

    if file is None and params:
        raise click.UsageError("-p sets the params of one game: name it before --signature")
    games = ((name, dslgame.load(name)) for name in bundled.names()) if file is None else [(file, load(file, params))]
    with doing("making the signature"), progress("making the signature", quiet=as_json) as show:
        result = signature.signature_of(games, progress=show)
    value = signature.hash_of(result)
    if as_json:
        print_json({"signature": value, "games": result})
        return
    rows = [("", *signature.SEARCHES)]
    for name, searches in result.items():
        numbers = [signature.number_of(searches.get(search, {})) for search in signature.SEARCHES]
        rows.append((name, *("-" if number is None else f"{number:,}" for number in numbers)))
    click.echo(table(rows, right=(False, *(True for _ in signature.SEARCHES))))
    click.echo(f"signature {value}, of {counted(len(result), 'game')}")


def _object(speed: Speed | None) -> dict[str, object] | None:
    if speed is None:
        return None
    return {
        "playouts_per_second": _rounded(speed.playouts_per_second, 3),
        "moves_per_second": round(speed.moves_per_second, 3),
        "perft_nodes_per_second": round(speed.perft_nodes_per_second, 3),
        "moves_per_playout": _rounded(speed.moves_per_playout, 6), "unfinished": _rounded(speed.unfinished, 6),
        "perft_depth": speed.perft_depth, "compile_seconds": _rounded(speed.compile_seconds, 6),
        "cached": speed.cached,
    }


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)


def _print(name: str, speeds: Mapping[str, Speed], missing: Mapping[str, str], plies: int, *,
           with_hooks: bool) -> None:
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
        moves, nodes = (_rate(ratio) for ratio in speeds[fast].over(speeds[slow]))
        rows.append((f"{fast} / {slow}", moves, moves, nodes, ""))
    click.echo(table(rows, right=(False, True, True, True, True)))
    for way in (way for way, speed in speeds.items() if speed.cut_off):
        click.echo(f"{way}: cut off before it had made the moves of one game, so that its speed is that of first moves")
    for way, reason in missing.items():
        if way != "hooks" or with_hooks:  # few games have hooks
            click.echo(f"no {way}: {reason}")
    last = speeds[names[-1]]
    left = f" ({last.unfinished:.0%} left after {plies:,})" if last.unfinished else ""
    depths = " and ".join(dict.fromkeys(str(speed.perft_depth) for speed in speeds.values()))
    games = ("no random game ended in the time" if last.moves_per_playout is None
             else f"random games of {_rate(last.moves_per_playout)} moves{left}")
    click.echo(f"{games}, counted to depth {depths}; medians, by processor time of one core")


def _rate(value: float | None) -> str:
    """A rate with about three significant digits."""
    if value is None:
        return "-"
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"
