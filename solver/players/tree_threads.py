"""Helper threads for Monte-Carlo tree search, which search the same tree as the main thread.

They share the tree without locks, as `solver.native.mcts` describes, so that repeating a search may give another move.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Generic, TypeVar

from solver.interruptions import deferred
from solver.native.functions import Line
from solver.players.side_threads import SideThread, check, wait_for

Worked = TypeVar("Worked")
"""The arrays that a thread works with: its own, and those of the tree."""


class TreeThreads(Generic[Worked]):
    """The helper threads of one search."""

    def __init__(self, games: Callable[[Worked, int], int], others: Sequence[Worked], halted: Line, *,
                 waiting: int, failing: int | None = None) -> None:
        """`games` plays games with a thread's arrays until it has played a given number in all or `halted` (int64[1])
        is nonzero, and returns a status: `waiting` where it could go on, `failing` where it failed. `others` are the
        arrays of the helpers."""
        self.games, self.others, self.halted = games, others, halted
        self.waiting, self.failing = waiting, failing
        self.failed: Worked | None = None
        """The arrays of a helper that failed."""

    def play(self, own: Worked, until: int, most: int) -> int:
        """Play with `own` until it has played `until` games, and with the helpers meanwhile; return the status.

        Over all calls together each helper plays at most `most` games. The status is `failing` where `own` could go on
        but a helper failed. Raises the exception of a helper; a Ctrl-C is raised once all threads have ended.
        """
        self.halted[0] = 0
        threads = [SideThread(partial(self.games, other, most)) for other in self.others]
        with deferred(self.halted):
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
