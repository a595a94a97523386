"""`dslgame verify`: check properties that hold for every game, and a reference implementation, by random play."""

from __future__ import annotations

import os
import sys
import tempfile
import textwrap
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from importlib.util import find_spec
from math import inf
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
from dslgame.cli.output import counted, elapsed, print_json, progress
from dslgame.exit_codes import NOT_TESTED, WRONG

if TYPE_CHECKING:
    from dslgame.cli.perft_verify import Counted
    from dslgame.testing import Report, Result
    from interpreter.game import Game

QUICK_SEQUENCES, QUICK_POSITIONS = 20_000, 2_000
"""The largest counts of a perft file that are checked here, of sequences and of positions; `perft --verify` checks
all."""
_WORDS = {"ok": "ok", "failed": "FAILED", "noted": "note", "none": "-", "untested": "not tested"}
_JSON = """\
JSON: {"game", "params", "seed", "results": [{"claim", "status" ("ok",
"failed", "noted", "none", "untested"), "checked", "unit", "reason", "moves",
"details"}], "counts": [as in perft --verify], "not_counted", "games",
"positions", "complete", "late", "seconds", "failed"}."""
_REFERENCE = """\
A reference is a second implementation of the rules, a class in a Python file:
  class Reference:
      def __init__(self, *, size=3): ...   # the game's params
      def start(self): ...                 # the first state, of any type
      def to_move(self, state): ...        # the player's name
      def outcome(self, state): ...        # None, "draw" or the winner's name
      def moves(self, state): ...          # the legal moves as texts
      def play(self, state, move): ...     # the next state, a new object
      def board(self, state): ...          # {cell: piece}, or None
      def variables(self, state): ...      # {name: value}; optional
A piece of 'man of each' is "man[X]", or "man" if its owner need not be
compared. The value of an indexed variable is a list."""


@click.command(short_help="Find bugs in a game by random play.", epilog=examples(
    "dslgame verify my.game",
    "dslgame verify my.game -p size=4 --games 1000 --seed 7",
    "dslgame verify my.game --against my_reference.py",
    "dslgame verify my.game --order --json",
    further=f"{_REFERENCE}\n\n\b\n{_JSON}", codes=True,
))
@file_argument
@param_option
@click.option("--against", metavar="FILE.py", type=click.Path(),
              help="Compare the game with the reference in this file, ply by ply.")
@click.option("--games", type=click.IntRange(0, 1_000_000), default=100, show_default=True, help="Number of random "
                                                                                                 "games.")
@click.option("--plies", type=click.IntRange(1, 1000), default=200, show_default=True,
              help="Abandon a game after this many moves.")
@click.option("--seed", type=click.IntRange(0, 2**32 - 1), default=1, show_default=True,
              help="Seed of the random games; the same seed plays the same games.")
@click.option("--seconds", type=click.IntRange(0), default=60, show_default=True,
              help="Start no new game after this processor time; 0 for no limit. A reference that computes a tenth "
                   "of it for an answer, and at least a second, hangs.")
@click.option("--order", is_flag=True, help="Fail if the result of forced rules depends on their order.")
@click.option("--no-kernel", is_flag=True, help="Do not compare the game's kernel with the interpreter.")
@hooks_options
@json_option
def verify(file: str, params: Mapping[str, int], against: str | None, games: int, plies: int, seed: int,
           seconds: int, order: bool, no_kernel: bool, hooks_file: str | None, no_hooks: bool,
           as_json: bool) -> None:
    """Play a game at random, and test properties that should hold for every game.

    Tests the first positions and random games: no rule fails, legal moves apply, move texts and position texts are
    unambiguous, declared symmetries hold, forced rules end, and the game's kernel plays as the interpreter does.
    Verifies the smaller counts of the .perft file beside FILE. A failure is shown with the shortest game found. Exits
    with 1 if there is one, else with 4 if something could not be tested at all.
    """
    from dslgame import testing

    game = load(file, params)
    hooks = load_hooks(file, hooks_file, no_hooks)
    if find_spec("hypothesis") is None:
        raise click.ClickException(testing.NEEDS)
    started = time.perf_counter()
    with _quietly(), _blaming(hooks_file):
        reference = None
        if against is not None:
            from dslgame.cli import references

            with doing(f"reading {against}"):
                reference = references.load(against, game.params, seconds=seconds or None)
        with doing(f"verifying {title(game)}"), progress(f"verifying {title(game)}", quiet=as_json) as show:
            report = testing.verify(game, reference=reference, name=against or "", games=games, plies=plies, seed=seed,
                                    seconds=seconds or None, order=order, kernel=not no_kernel, hooks=hooks,
                                    progress=_seldom(show))
            counts, left, late = _counts(file, game, bool(params), seconds or None, show)
    took = time.perf_counter() - started
    failed = len(report.failed) + sum(item.wrong for item in counts)
    if as_json:
        print_json({
            "game": game.title, "params": game.params, "seed": seed,
            "results": [_object(result) for result in report.results],
            "counts": [item.as_json() for item in counts], "not_counted": left + late,
            "games": report.games, "positions": report.positions, "complete": report.complete,
            "late": report.late, "seconds": round(took, 6), "failed": failed,
        })
    else:
        _print(game, report, counts, left, late, failed, took)
    if failed:
        raise SystemExit(WRONG)
    if report.untested:
        raise SystemExit(NOT_TESTED)


@contextmanager
def _blaming(hooks_file: str | None) -> Iterator[None]:
    """Turn an error of Python within the kernel, which runs as plain Python, into a HookError that names the hooks."""
    from interpreter.hooks import HookError

    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, NameError, RecursionError, TypeError, ValueError) as problem:
        frames = traceback.extract_tb(problem.__traceback__)
        within = [frame.name for frame in frames if frame.filename.startswith("<kernel: ")]
        by_kernel = bool(within) or f"{os.sep}kernel{os.sep}" in frames[-1].filename
        if hooks_file is None or type(problem).__module__ != "builtins" or not by_kernel:
            raise
        where = f"'{within[-1]}'" if within else "the kernel"
        said = f"{type(problem).__name__}: {problem}"
        raise HookError(f"{hooks_file}: with these hooks {where} fails: {said}") from problem


@contextmanager
def _quietly() -> Iterator[None]:
    """Keep Hypothesis' files out of the working directory, and send what a reference prints to the standard error."""
    from hypothesis.configuration import set_hypothesis_home_dir

    with tempfile.TemporaryDirectory() as folder, redirect_stdout(sys.stderr):
        set_hypothesis_home_dir(folder)
        try:
            yield
        finally:
            set_hypothesis_home_dir(None)


def _seldom(show: Callable[[str], None] | None) -> Callable[[str], None] | None:
    """Limit a progress function to one update in a tenth of a second."""
    if show is None:
        return None
    last = 0.0

    def tell(text: str) -> None:
        nonlocal last
        if time.perf_counter() - last > 0.1:
            last = time.perf_counter()
            show(text)

    return tell


def _counts(file: str, game: Game, params_given: bool, seconds: float | None,
            show: Callable[[str], None] | None) -> tuple[list[Counted], int, int]:
    """Check the small counts of the perft file beside the game, and return them with the numbers of those left out, and
    of those that there was no time for.

    Where params are given, only the counts for these params are checked. After `seconds` of processor time no count is
    begun, except for the first.
    """
    from dslgame import bundled, perft_files
    from dslgame.cli.perft_verify import count

    path = bundled.beside(game.rules.source.name, ".perft")
    if path is None:
        return [], 0, 0
    try:
        wanted = perft_files.read(path)
    except perft_files.PerftFileError as problem:
        raise click.ClickException(str(problem)) from None
    result: list[Counted] = []
    left = late = 0
    until = inf if seconds is None else time.process_time() + seconds
    games: dict[tuple[tuple[str, int], ...], Game] = {}
    for item in wanted:
        if item.count > (QUICK_SEQUENCES if item.depth else QUICK_POSITIONS):
            left += 1
            continue
        at = games.get(item.params) or games.setdefault(item.params, load(file, dict(item.params)))
        if params_given and at.params != game.params:
            left += 1
            continue
        if result and time.process_time() > until:
            late += 1
            continue
        if show is not None:
            show(f"counting {item}")
        result.append(count(path, at, item))
    return result, left, late


def _object(result: Result) -> dict[str, object]:
    found = result.disagreement
    return {
        "claim": result.claim, "status": result.status, "checked": result.checked, "unit": result.unit,
        "reason": result.reason, "moves": None if found is None else found.moves,
        "details": None if found is None else found.details(),
    }


def _print(game: Game, report: Report, counts: list[Counted], left: int, late: int, failed: int, seconds: float
           ) -> None:
    click.echo(title(game))
    width = max(len(result.claim) for result in report.results)
    first = max(6, *(len(_WORDS[result.status]) for result in report.results))
    for result in report.results:
        said = result.reason or counted(result.checked, result.unit)
        if result.status == "noted":
            said = "it depends on the order; no failure without --order"
        click.echo(f"{_WORDS[result.status]:{first}}  {result.claim.ljust(width)}  {said}".rstrip())
        if result.disagreement is not None:
            details = result.disagreement.details() if result.status == "failed" else _witness(result)
            click.echo(textwrap.indent(details, " " * 8, lambda row: bool(row.strip())))
    for item in counts:
        if item.wrong:
            click.echo(item.text())
    if counts or left:
        wrong = sum(item.wrong for item in counts)
        said = f"{counted(len(counts), 'count')}" + (f", {left} larger or of other params left out" if left else "")
        said += f", no time for {late}" * bool(late)
        click.echo(f"{'FAILED' if wrong else 'ok':{first}}  {'the counts of the perft file'.ljust(width)}  {said}")
    seen = (f"all {report.positions:,} positions" if report.complete
            else f"{counted(report.positions, 'position')}, {counted(report.games, 'random game')}")
    if report.late:
        seen += " (no more in the time)"
    if report.kernel_games:
        seen += f", {report.kernel_games:,} by the kernel"
    click.echo(f"{counted(failed, 'failure') if failed else 'no failures'}: {seen}, {elapsed(seconds)}")


def _witness(result: Result) -> str:
    """The disagreement of a result, with the moves that lead to it, as one line."""
    assert result.disagreement is not None
    moves = " ".join(result.disagreement.moves)
    return f"{result.disagreement.phrase}, {f'after {moves}' if moves else 'at the start'}"
