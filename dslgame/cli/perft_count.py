"""Perft for `dslgame perft`: by the interpreter, or by the game's kernel where the numbers are large.

Both give the same numbers. The interpreter starts at once and counts below equal positions only once; a kernel has to
be compiled, and then visits millions of positions a second, each as often as it occurs. `auto` lets the interpreter
count increasing depths, and switches to the kernel as soon as the full depth would take the interpreter too long,
unless there are too many sequences to visit them all.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal

import attrs
import click

if TYPE_CHECKING:
    from interpreter.game import Position
    from interpreter.hooks import Hooks
    from interpreter.kernel.kernel import Kernel
    from interpreter.model.state import Move
    from solver.game_space import GameSpace
    from solver.perft import PerftCount

Method = Literal["interpreter", "kernel", "auto"]
PATIENCE = 1.0
"""Seconds for which `auto` lets the interpreter count: about the time that compiling a kernel takes."""
MOST = 20_000_000_000
"""The most sequences for which `auto` takes the kernel; the interpreter counts more, as it need not visit each."""
_FAR = 4
"""The interpreter's estimated time as a multiple of its patience from which the kernel takes over at once."""
_GUESS_FROM = 1_000_000
"""The number of sequences of a depth above which those of larger depths are extrapolated."""
_MORE_WORK = 3.0
"""How many times as much work as the last depth the next one is that is counted on its own account, for `found`."""
_QUICK = 0.05
"""Seconds below which a count is too short to tell of the growth."""
Tell = Callable[[str], None]
Found = Callable[["Counting"], None]
"""Called with the counts of smaller depths."""


class _TooLong(Exception):
    """Raised when the interpreter's time is over."""


@attrs.frozen
class Counting:
    """The result of a count."""

    counts: PerftCount
    shares: list[tuple[Move, int]]
    """The number of sequences of full depth below each first move, if divided."""
    seconds: float
    """The seconds of the count, without aborted attempts of the interpreter and without compiling the kernel."""
    by: str
    """What counted, such as `the interpreter`."""


def count(position: Position, space: GameSpace, depth: int, *, method: Method, divide: bool, memo: bool,
          tell: Tell | None, patience: float = PATIENCE, hooks: Hooks | None = None,
          found: Found | None = None) -> Counting:
    """Count the tree below a position, and with `divide` the tree below each first move.

    With `found` smaller depths are counted before, as long as they are little work beside the full one. Raises
    click.ClickException with method `kernel` for a game that has no kernel.
    """
    known = 0

    def note(counting: Counting) -> None:
        nonlocal known
        known = len(counting.counts.counts)
        if found is not None:
            found(counting)

    def interpreted(length: int) -> Counting:
        return _by_interpreter(space, length, divide and length == depth, memo, tell, None)

    if method == "interpreter" or (method == "auto" and not find_spec("numba")):
        return _deepening(interpreted, known, depth, found)
    if method == "auto":
        result = _in_time(space, depth, divide, memo, tell, patience, note)
        if result is not None:
            return result
    from interpreter.errors import RuleError
    from interpreter.kernel.kernel import NotLowered

    if tell is not None:
        tell("compiling")
    try:
        kernel = _kernel(position, space, hooks)
        if method == "kernel" or _guess(kernel, space, depth) <= MOST:
            by = "the kernel" if hooks is None else "the kernel with hooks"
            return attrs.evolve(_deepening(lambda length: _by_kernel(kernel, space, length, divide and length == depth,
                                                                     tell), known, depth, found), by=by)
    except NotLowered as problem:
        if method == "kernel":
            raise click.ClickException(f"the game has no kernel: the compiler cannot translate {problem}; "
                                       "count with --method interpreter") from None
    except RuleError:
        pass  # the interpreter will report the rule and its place
    return _deepening(interpreted, known, depth, found)


def _deepening(counted: Callable[[int], Counting], known: int, depth: int, found: Found | None) -> Counting:
    """Count to the full depth; with `found` first to smaller ones above `known`.

    Each is `_MORE_WORK` times as much work as the one before, as far as the time tells, so that all together are little
    work beside the full depth: where equal positions are counted once, a ply more may be hardly more work.
    """
    length, step, last = known + 1, 1, 0.0
    while found is not None and length < depth:
        result = counted(length)
        found(result)
        if last > _QUICK:
            growth = math.log(max(result.seconds / last, 1.0)) / step
            step = depth if growth * depth < math.log(_MORE_WORK) else math.ceil(math.log(_MORE_WORK) / growth)
        length, last = length + step, result.seconds
    return counted(depth)


def _in_time(space: GameSpace, depth: int, divide: bool, memo: bool, tell: Tell | None,
             patience: float, found: Found) -> Counting | None:
    """Count by the interpreter; None where it takes, or by the growth so far would take, more than its time."""
    until = time.perf_counter() + patience
    before = 0.0
    try:
        for length in range(1, depth):
            result = _by_interpreter(space, length, False, memo, tell, until)
            found(result)
            took = result.seconds
            if before and took * (took / before) ** (depth - length) > _FAR * patience:
                return None
            before = took
        return _by_interpreter(space, depth, divide, memo, tell, until)
    except _TooLong:
        return None


def _by_interpreter(space: GameSpace, depth: int, divide: bool, memo: bool, tell: Tell | None,
                    until: float | None) -> Counting:
    from solver import perft as counting

    def report(done: int, known: int, phase: str) -> None:
        if until is not None and time.perf_counter() > until:
            raise _TooLong
        if tell is not None:
            tell(f"{done:,} positions expanded")

    progress = report if until is not None or tell is not None else None
    started = time.perf_counter()
    counts = counting.perft(space, depth, memo=memo, progress=progress)
    shares = counting.divide(space, depth, memo=memo, progress=progress) if divide else []
    return Counting(counts, shares, time.perf_counter() - started, "the interpreter")


def _kernel(position: Position, space: GameSpace, hooks: Hooks | None) -> Kernel:
    """The kernel to count with. Raises NotLowered."""
    from interpreter.kernel.kernel import Kernel

    game = position.game
    return Kernel.of(game if game.engine is space.engine else attrs.evolve(game, engine=space.engine),
                     native=find_spec("numba") is not None, hooks=hooks)


def _guess(kernel: Kernel, space: GameSpace, depth: int) -> float:
    """Estimate the number of sequences of a depth from those of smaller depths."""
    counts = [1]
    for length in range(1, depth):
        counts = [1, *kernel.perft(length, bulk=True, start=kernel.row(space.start()))[0]]
        if counts[-1] > _GUESS_FROM:
            break
    return counts[-1] * float(counts[-1] / max(1, counts[-2])) ** (depth - len(counts) + 1) if counts[1:] else 1


def _by_kernel(kernel: Kernel, space: GameSpace, depth: int, divide: bool,
               tell: Tell | None) -> Counting:
    """Count by the kernel, below each first move in turn, so that progress can be shown."""
    from solver.perft import PerftCount

    started = time.perf_counter()
    moves = space.successors(space.start()) if space.outcome(space.start()) is None else []
    totals, games = [len(moves)] + [0] * (depth - 1), int(not moves)
    shares = []
    for number, (move, after) in enumerate(moves):
        if tell is not None:
            tell(f"kernel: {number} of {len(moves)} first moves, {sum(totals):,} sequences")
        share = 1
        if space.outcome(after) is not None:
            games += 1
            share = int(depth == 1)
        elif depth > 1:
            below, ended = kernel.perft(depth - 1, start=kernel.row(after))
            share = below[-1]
            games += ended
            for index, count in enumerate(below, start=1):
                totals[index] += count
        shares.append((move, share))
    return Counting(PerftCount(tuple(totals), 1 + sum(totals), games), shares if divide else [],
                    time.perf_counter() - started, "the kernel")
