"""`dslgame perft`: count the move sequences of each length, to compare rules with other programs."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

import attrs
import click

from dslgame.cli.common import (
    Words,
    doing,
    examples,
    file_argument,
    hooks_options,
    json_option,
    load,
    load_hooks,
    moves_option,
    param_option,
    play_moves,
    position_option,
    title,
)
from dslgame.cli.output import above_progress, counted, elapsed, print_json, progress, table, wrapped
from dslgame.cli.perft_verify import verify
from dslgame.exit_codes import INTERRUPTED, WRONG

if TYPE_CHECKING:
    from dslgame.cli.perft_count import Counting, Method
    from interpreter.game import Game

PATIENCE = 1.0
"""Seconds after which each depth is printed when it is counted."""
_JSON = """\
JSON: {"game", "params", "depth" (less than -d where Ctrl-C ended it), "counts"
(from depth 1), "nodes" (including the root), "games" (finished sequences; null
with --ignore-ends or on a GPU), "seconds", "by" (what counted),
"counting_seconds" (without making a kernel), "played"}, and with --divide "moves": [{"move", "count"}]. With --verify
{"file", "counts": [{"kind", "depth", "params", "moves", "position",
"ignore_ends", "line", "expected", "found"}], "failed"}."""


@click.command(short_help="Count move sequences.", epilog=examples(
    "dslgame perft tic_tac_toe -d 9",
    "dslgame perft nex -p rows=2 -p columns=2 -d 4 --divide",
    "dslgame perft hex -p size=2 -d 4 --ignore-ends --json",
    "dslgame perft my.game --verify     # counts that my.perft expects",
    further=_JSON, codes=True,
))
@file_argument
@param_option
@moves_option
@position_option
@click.option("-d", "--depth", type=click.IntRange(1, 300), help="Maximum length of the sequences.")
@click.option("--divide", is_flag=True, help="Also count the sequences of full depth for each first move.")
@click.option("--ignore-ends", is_flag=True, help="Play on after wins and draws, while there are moves.")
@click.option("--no-memo", is_flag=True, help="Count equal positions again each time: slower, with the same numbers.")
@click.option("--method", type=Words(["auto", "interpreter", "kernel"]), default="auto", show_default=True,
              help="What counts: auto uses the kernel, which is compiled first, for large numbers.")
@hooks_options
@click.option("--device", type=Words(["cpu", "cuda"]), default="cpu", show_default=True,
              help="Count on the CPU or on a GPU.")
@click.option("--verify", "against_file", is_flag=True,
              help="Instead, verify all counts of the .perft file beside FILE (up to the depth, if given).")
@json_option
def perft(file: str, params: Mapping[str, int], moves: str, position: str | None, depth: int | None, divide: bool,
          ignore_ends: bool, no_memo: bool, method: Method, hooks_file: str | None, no_hooks: bool, device: str,
          against_file: bool, as_json: bool) -> None:
    """Count the move sequences of each length: the usual test that two programs play by the same rules.

    A count that takes long prints each depth when it is done, and keeps them at Ctrl-C.
    A repetition rule is not applied: sequences continue when a position recurs.
    """
    from dslgame.cli.perft_count import count
    from solver.game_space import GameSpace

    special = moves or position or divide or ignore_ends or no_memo or method != "auto" or hooks_file or no_hooks
    if against_file:
        if special or device != "cpu":
            raise click.UsageError("--verify takes no other options than -d and --json")
        if not verify(file, params, depth, as_json=as_json):
            raise SystemExit(WRONG)
        return
    if depth is None:
        raise click.UsageError("how deep to count is missing: give -d N, or --verify")
    game = load(file, params)
    if device == "cuda":
        if special:
            raise click.UsageError("--device cuda takes no other options than -p, -d and --json")
        _count_on_gpu(game, depth, as_json=as_json)
        return
    if ignore_ends and hooks_file is not None:
        raise click.UsageError("--ignore-ends counts by the rules alone: leave out --hooks")
    hooks = load_hooks(file, hooks_file, no_hooks or ignore_ends)
    if ignore_ends:
        game = attrs.evolve(game, engine=game.endless)
    at = play_moves(game, moves, position)
    started = time.perf_counter()
    with doing(f"counting the moves of {title(game)}"):
        space = GameSpace(game, at.state, symmetry=False, ignore_ends=ignore_ends)
        heading = title(game) + (", played on after wins and draws" if ignore_ends else "")
        rows, stopped = _Rows(heading + (f"\n{wrapped('after: ', ' '.join(at.played))}" if at.played else ""), depth,
                              started, quiet=as_json), False
        try:
            with progress("counting", quiet=as_json) as show:
                counting = count(at, space, depth, method=method, divide=divide, memo=not no_memo, tell=show,
                                 hooks=hooks, found=rows.found)
        except KeyboardInterrupt:
            if rows.last is None:
                raise
            counting, stopped = rows.last, True
    seconds, counts = time.perf_counter() - started, counting.counts
    texts = [(game.notation.write(at.state, move), number) for move, number in counting.shares]
    if as_json:
        result: dict[str, object] = {
            "game": game.title, "params": game.params, "depth": len(counts.counts), "counts": counts.counts,
            "nodes": counts.nodes, "games": None if ignore_ends else counts.games, "seconds": round(seconds, 6),
            "by": counting.by, "counting_seconds": round(counting.seconds, 6), "played": at.played,
        }
        if divide:
            result["moves"] = [{"move": move, "count": number} for move, number in texts]
        print_json(result)
        if stopped:
            raise SystemExit(INTERRUPTED)
        return
    rows.show(counting)
    if divide and not stopped:
        click.echo(f"first moves of the sequences of {counted(depth, 'move')}:")
        click.echo(table([(move, f"{number:,}") for move, number in texts], right=(False, True)) or "  none")
    rate = (f", {counts.nodes / counting.seconds:,.0f} positions a second by {counting.by}"
            if counting.seconds > 0.01 else "")
    games = "" if ignore_ends else f"{counted(counts.games, 'finished game')}, "
    click.echo(f"{counted(counts.nodes, 'position')} in the tree with the first one, {games}{elapsed(seconds)}{rate}")
    if stopped:
        raise SystemExit(INTERRUPTED)


@attrs.define
class _Rows:
    """The table of counts, of which each row is printed as soon as it is known, once counting takes long."""

    heading: str
    depth: int
    started: float
    quiet: bool = attrs.field(kw_only=True)
    last: Counting | None = None
    _printed: int = 0
    _width: int = 0

    def found(self, counting: Counting) -> None:
        """Keep the counts of a smaller depth."""
        self.last = counting
        if not self.quiet and time.perf_counter() - self.started > PATIENCE:
            with above_progress():
                self.show(counting)

    def show(self, counting: Counting) -> None:
        """Print the rows that were not printed before."""
        counts = counting.counts.counts
        texts = [f"{number:,}" for number in counts]
        if not self._width:
            growth = counts[-1] / max([1, *counts[-2:-1]])
            last = counts[-1] * min(growth, 1e9) ** min(self.depth - len(counts), 20)
            self._width = max(len("sequences"), len(f"{last:,.0f}"), *map(len, texts))
            click.echo(f"{self.heading}\n  depth  {'sequences':>{self._width}}")
        for at, text in enumerate(texts[self._printed:], start=self._printed + 1):
            click.echo(f"  {at:>5}  {text:>{self._width}}")
        self._printed = len(texts)


def _count_on_gpu(game: Game, depth: int, *, as_json: bool) -> None:
    """Count on a GPU and print the counts, without the number of finished games."""
    from interpreter.device.batch import DeviceBatch, NoDevice, NotOnDevice

    started = time.perf_counter()
    try:
        with doing(f"counting the moves of {title(game)}"):
            counts = DeviceBatch.of(game).perft(depth)
    except (NoDevice, NotOnDevice) as problem:
        raise click.ClickException(str(problem)) from None
    seconds = time.perf_counter() - started
    if as_json:
        print_json({"game": game.title, "params": game.params, "depth": depth, "counts": counts,
                    "nodes": 1 + sum(counts), "games": None, "seconds": round(seconds, 6), "played": []})
        return
    click.echo(title(game))
    click.echo(table([("depth", "sequences"), *((str(at), f"{number:,}") for at, number in enumerate(counts, start=1))],
                     right=(True, True)))
    click.echo(f"{counted(1 + sum(counts), 'position')} in the tree with the first one, {elapsed(seconds)}")
