"""`dslgame train`: an evaluation function, learned by self-play."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dslgame import bundled
from dslgame.cli.common import (
    Reals,
    doing,
    examples,
    file_argument,
    force_option,
    json_option,
    load,
    param_option,
    title,
)
from dslgame.cli.output import counted, elapsed, print_json, progress
from dslgame.cli.writing import check_folder, write_file
from dslgame.exit_codes import INTERRUPTED, UNKNOWN
from solver.learning.trained import MOST_TUPLES

if TYPE_CHECKING:
    from interpreter.game import Game
    from solver.learning.train import Training
    from solver.learning.trained import Trained

KEPT = 60.0
"""Seconds between two writes of the intermediate result."""
GAMES = 20_000
"""The number of games without --games and --minutes."""
_NOTES = """\
The value is a sum of weights of local patterns of cells, shared by the game's
symmetries, and of the game's own value if it has one. The levels alphabeta,
patterns, puct and mcts (with minimax or playout) use the file if it exists;
'trained=none' disables it. The same command continues where the last one
ended; the same --seed and number of games give the same file, however often
training was interrupted."""
_JSON = """\
JSON: {"game", "params", "file", "seed", "games", "positions", "patterns",
"weights", "error" (null, or the mean square of the last errors), "before"
(number of games in the file that it continued), "seconds"}."""


@click.command(short_help="Learn an evaluation by self-play.", epilog=examples(
    "dslgame train breakthrough",
    "dslgame train nex -p rows=5 -p columns=5 --games 30000",
    "dslgame train my.game --minutes 10 --to strong.trained",
    'dslgame match breakthrough "alphabeta cpu=0.01" "old=alphabeta cpu=0.01 trained=none" --random-plies 4',
    further=_NOTES + "\n\n\b\n" + _JSON, codes=True,
))
@file_argument
@param_option
@click.option("--games", type=click.IntRange(1), default=None, metavar="N",
              help="Stop after N games in total; default: 20,000, or no limit with --minutes.")
@click.option("--minutes", type=Reals(0, min_open=True), default=None, metavar="N",
              help="Stop this run after N minutes.")
@click.option("--to", "target", metavar="FILE", type=click.Path(),
              help="The output file; default: beside the game's file or, for a bundled game, in the user data folder.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Seed of random choices.")
@click.option("--exploring", type=Reals(0, 1), default=None, metavar="SHARE",
              help="Share of random moves; default: 0.1.")
@click.option("--lambda", "fading", type=Reals(0, 1), default=None, metavar="SHARE",
              help="The lambda of TD(lambda): how much positions after the next one contribute to the target; "
                   "default: 0.7.")
@click.option("--rate", "learning", type=Reals(0, 10, min_open=True), default=None, metavar="RATE",
              help="Learning rate, divided among all weights of a position; default: 2.")
@click.option("--tuples", type=click.IntRange(0, MOST_TUPLES), default=None, metavar="N",
              help="Also learn patterns of up to 8 cells on N random paths, for games in which lines and blocks say "
                   "too little; they need many more games. Default: none.")
@force_option
@json_option
def train(file: str, params: Mapping[str, int], games: int | None, minutes: float | None, target: str | None,
          seed: int, exploring: float | None, fading: float | None, learning: float | None, tuples: int | None,
          as_json: bool) -> None:
    """Learn an evaluation of a game's positions by self-play.

    --force starts anew, also if the file has other rules, another seed, other rates or other tuples.
    """
    started = time.perf_counter()
    game = load(file, params)
    if target is not None:
        check_folder(target)
    path = Path(target) if target is not None else bundled.trained_file(game)
    if path is None:
        raise click.UsageError("rules from the standard input have no file for the value to lie beside: give --to FILE")
    rates = {"exploring": exploring, "fading": fading, "learning": learning}
    training = _begun(game, path, seed, {name: rate for name, rate in rates.items() if rate is not None}, tuples)
    before = training.games
    most = games if games is not None else 1 << 40 if minutes is not None else GAMES
    if before >= most:
        raise click.ClickException(f"{bundled.shortest(path)} has {counted(before, 'game')} already: give more "
                                   "--games, or --force to begin anew")
    until = None if minutes is None else time.perf_counter() + 60 * minutes
    stopped = _play(training, path, most, until, title(game), as_json)
    if training.games == before:
        problem = f"stopped before a game ended, so {bundled.shortest(path)} was not written"
        click.echo(problem if stopped else f"{problem}: give more --minutes", err=True)
        raise SystemExit(INTERRUPTED if stopped else UNKNOWN)
    if not training.learned:
        click.echo(f"nothing was learned from {counted(training.games, 'game')}, as nobody won any of them: "
                   f"{bundled.shortest(path)} was not written", err=True)
        raise SystemExit(INTERRUPTED if stopped else UNKNOWN)
    found = training.result()
    _write(path, found)
    seconds = time.perf_counter() - started
    error = found.history[-1][1] if found.history else None
    if as_json:
        print_json({"game": game.title, "params": dict(game.params), "file": str(path), "seed": found.seed,
                    "games": found.games, "positions": found.positions, "patterns": len(training.features.patterns),
                    "weights": training.features.count, "error": error, "before": before, "seconds": seconds})
    else:
        click.echo(f"{title(game)}: {counted(found.games, 'game')}, {counted(found.positions, 'position')}"
                   f"{f', {before:,} games of them before' if before else ''}")
        patterns, weights = len(training.features.patterns), training.features.count
        click.echo(f"{counted(patterns, 'pattern')}, {counted(weights, 'weight')}"
                   + ("" if error is None else f", mean error {error**0.5:.3f} (a won game is 1, a lost one -1)"))
        click.echo(f"{elapsed(seconds)}, written to {bundled.shortest(path)}")
    if training.stuck:
        click.echo("note: the last games taught nothing, as the value was right of nearly all their positions",
                   err=True)
    if stopped:
        raise SystemExit(INTERRUPTED)


def _begun(game: Game, path: Path, seed: int, rates: Mapping[str, float], tuples: int | None) -> Training:
    """Continue the training of a file, or start a new one where there is no file or --force was given."""
    import attrs

    from dslgame.cli.common import session
    from interpreter.compiler.lowering.errors import NotLowered
    from solver.entries import Entries
    from solver.learning.train import Training
    from solver.learning.trained import Trained
    from solver.native.self_play import Rates

    before = None
    wanted = Rates(**rates)
    if path.exists() and not session().force:
        try:
            before = Trained.read(path)
            before.check(game, str(bundled.shortest(path)))
        except ValueError as problem:
            raise click.ClickException(f"{problem}; --force begins anew") from None
        exploring, fading, learning = before.rates
        other = [text for differs, text in (
            (before.seed != seed, f"--seed {before.seed}"),
            (tuples not in (None, before.tuples), f"--tuples {before.tuples}"),
            (bool(rates) and before.rates != attrs.astuple(wanted),
             f"--exploring {exploring:g} --lambda {fading:g} --rate {learning:g}")) if differs]
        if other:
            raise click.ClickException(f"{bundled.shortest(path)} was begun with {' '.join(other)}: give the same, "
                                       "another file with --to, or --force to begin anew")
    try:
        with doing("compiling"):
            return Training(Entries.of(game, bundled.hooks_of(game)), seed=seed, rates=wanted, tuples=tuples or 0,
                            before=before)
    except (ValueError, NotLowered) as problem:
        raise click.ClickException(str(problem)) from None


def _play(training: Training, path: Path, games: int, until: float | None, name: str, quiet: bool) -> bool:
    """Train up to a number of games or a time (`time.perf_counter`), and return whether it was interrupted."""
    written, kept = time.perf_counter(), training.games
    try:
        with doing("training"), progress(f"training {name}", quiet=quiet) as tell:
            for _ in training.batches(games):
                now = time.perf_counter()
                if tell is not None:
                    tell(_progress(training))
                if until is not None and now >= until:
                    break
                if now - written > KEPT and training.games > kept and training.learned:
                    _write(path, training.result())
                    written, kept = time.perf_counter(), training.games
    except KeyboardInterrupt:
        return True
    return False


def _progress(training: Training) -> str:
    """How far the training is; without an error before the first entry of its history."""
    done = f"{counted(training.games, 'game')}, {counted(training.positions, 'position')}"
    return f"{done}, mean error {training.history[-1][1] ** 0.5:.3f}" if training.history else done


def _write(path: Path, result: Trained) -> None:
    """Write the file, and create its folder if that is the one for learned values in the user data folder."""
    if not path.parent.exists() and path.parent.parent.name == "dslgame":
        path.parent.mkdir(parents=True)
    write_file(str(path), result.to_bytes())
