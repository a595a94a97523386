"""Threads that search one tree besides the thread that it is searched by, for Monte-Carlo tree searches.

They share the tree without locks, as `solver.native.mcts` says. So the same search may find other moves the next time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Generic, TypeVar

from interpreter.kernel.plain import scramble
from solver.native.functions import Line
from solver.players.side_threads import SideThread, wait_for

Worked = TypeVar("Worked")
"""What a thread works with: arrays of its own, and those of the tree."""
_APART = 0xD1342543DE82EF95
_MASK = (1 << 62) - 1


def seed_of(seed: int, number: int) -> int:
    """The state of the random sequence of one of several threads; number 0 is the one that the others help."""
    return (scramble(seed + number * _APART & (1 << 64) - 1) if number else seed) & _MASK


class TreeThreads(Generic[Worked]):
    """Threads that help one search."""

    def __init__(self, games: Callable[[Worked, int], int], others: Sequence[Worked], halted: Line,
                 failing: int | None = None) -> None:
        """`games` plays games with what a thread works with, until it has played so many in all or `halted` (int64[1])
        is not 0, and says why it ended; the `others` are what each thread works with besides the one that is helped.
        Where one of them ends as `failing` says, all end so."""
        self.games, self.others, self.halted, self.failing = games, others, halted, failing
        self.failed: Worked | None = None
        """With what it failed."""

    def play(self, own: Worked, until: int, most: int) -> int:
        """Play with `own` until it has played so many games, and with the others for as long; why it ended.

        In all its calls together each of the others plays at most so many.
        """
        self.halted[0] = 0
        threads = [SideThread(partial(self.games, other, most)) for other in self.others]
        try:
            for thread in threads:
                thread.begin()
            result = self.games(own, until)
        finally:
            self.halted[0] = 1
            wait_for(threads)
        for worked, ended in ((own, result), *zip(self.others, (thread.result for thread in threads), strict=True)):
            if ended is not None and ended == self.failing:
                self.failed = worked
                return ended
        return result
