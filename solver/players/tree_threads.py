"""Threads that search one tree besides the thread that it is searched by, for Monte-Carlo tree searches.

They share the tree without locks, as `solver.native.mcts` says. So the same search may find other moves the next time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Generic, TypeVar

from interpreter.kernel.plain import scramble
from solver.native.functions import Line
from solver.players.side_threads import SideThread, check, wait_for

Worked = TypeVar("Worked")
"""What a thread works with: arrays of its own, and those of the tree."""
_APART = 0xD1342543DE82EF95
_MASK = (1 << 62) - 1


def seed_of(seed: int, number: int) -> int:
    """The state of the random sequence of one of several threads; number 0 is the one that the others help."""
    return (scramble(seed + number * _APART & (1 << 64) - 1) if number else seed) & _MASK


class TreeThreads(Generic[Worked]):
    """Threads that help one search."""

    def __init__(self, games: Callable[[Worked, int], int], others: Sequence[Worked], halted: Line, *,
                 waiting: int, failing: int | None = None) -> None:
        """`games` plays games with what a thread works with, until it has played so many in all or `halted` (int64[1])
        is not 0, and says why it ended, by `waiting` where it could go on; the `others` are what each thread works with
        besides the one that is helped. One of them may end as `failing` says."""
        self.games, self.others, self.halted = games, others, halted
        self.waiting, self.failing = waiting, failing
        self.failed: Worked | None = None
        """What one of the others worked with that failed."""

    def play(self, own: Worked, until: int, most: int) -> int:
        """Play with `own` until it has played so many games, and with the others for as long; why it ended.

        In all calls together each of the others plays at most `most`. Where `own` could go on and one of the others
        failed, that is why. Raises what went wrong in one of them.
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
        check(threads)
        if result == self.waiting and self.failing is not None:
            for worked, thread in zip(self.others, threads, strict=True):
                if thread.result == self.failing:
                    self.failed = worked
                    return self.failing
        return result
