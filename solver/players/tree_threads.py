"""Threads that search one tree besides the thread that it is searched by, for Monte-Carlo tree searches.

They share the tree without locks, as `solver.native.mcts` says. So the same search may find other moves the next time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Generic, TypeVar

from solver.native.functions import Line
from solver.players.side_threads import SideThread

Worked = TypeVar("Worked")
"""What a thread works with: arrays of its own, and those of the tree."""
SEED = 0x9E3779B97F4A7C15
"""Apart from each other by this, threads have random sequences of their own."""


class TreeThreads(Generic[Worked]):
    """Threads that help one search."""

    def __init__(self, games: Callable[[Worked, int], int], others: Sequence[Worked], halted: Line) -> None:
        """`games` plays games with what a thread works with, until it has played so many in all or `halted` (int64[1])
        is not 0; the `others` are what each thread works with besides the one that is helped."""
        self.games, self.others, self.halted = games, others, halted

    def play(self, own: Worked, until: int, most: int) -> int:
        """Play with `own` until it has played so many games, and with the others for as long; why `own` ended.

        In all its calls together each of the others plays at most so many. What ends one of the others by itself ends
        `own` as well, or `own` goes on without it.
        """
        self.halted[0] = 0
        playing = [SideThread(partial(self.games, other, most)) for other in self.others]
        try:
            return self.games(own, until)
        finally:
            self.halted[0] = 1
            for thread in playing:
                thread.wait()
