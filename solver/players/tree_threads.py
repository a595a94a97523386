"""Threads that search one tree besides the thread that it is searched by, for Monte-Carlo tree searches.

They share the tree without locks, as `solver.native.mcts` says. So the same search may find other moves the next time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, TypeVar

from solver.native.functions import Line

Worked = TypeVar("Worked")
"""What a thread works with: arrays of its own, and those of the tree."""
SEED = 0x9E3779B97F4A7C15
"""Apart from each other by this, threads have random sequences of their own."""


class TreeThreads(Generic[Worked]):
    """So many threads that help the searches of one game, one search at a time."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._pool = ThreadPoolExecutor(count, thread_name_prefix="dslgame") if count else None
        self.others: Sequence[Worked] = ()
        """What each of them works with."""

    def play(self, games: Callable[[Worked, int], int], own: Worked, until: int, most: int, halted: Line) -> int:
        """Play `games` with `own` until it has played so many, and with the others for as long; why it ended.

        In all its calls together each of the others plays at most so many.

        What ends the others by itself ends `own` as well, or it goes on without them. `halted` (int64[1]) ends them.
        """
        assert self._pool is not None
        halted[0] = 0
        playing = [self._pool.submit(games, other, most) for other in self.others]
        try:
            return games(own, until)
        finally:
            halted[0] = 1
            for other in playing:
                other.result()
            halted[0] = 0
