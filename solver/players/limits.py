"""Limits of a search, by plies, nodes and time, and what follows from them between two batches of its work."""

from __future__ import annotations

import math
import time

import attrs

BATCH = 0.05
"""Seconds between two checks of the clock."""
_SURE = 0.2
"""The part of the time before which a tree search does not judge whether its move is settled: it is too slow at first.
"""
BEGUN = 0.6
"""The share of its seconds after which a search does not start another depth, as it would seldom complete it."""


@attrs.frozen
class Limit:
    """The limits of a search, None for none; the first one that is reached ends it."""

    plies: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    """The time for the search; it does not start another depth that it would seldom complete in the time left."""
    begun: float = BEGUN
    """The share of the seconds after which no further depth is started. Below 1, a tree search ends as soon as the time
    left cannot change its move."""
    ceiling: float | None = None
    """Seconds after which the search is cut off at any point; its report says so."""
    processor: bool = False
    """Whether seconds are processor time of the searching thread instead of wall-clock time."""

    def now(self) -> float:
        """The current reading of the clock that the seconds refer to."""
        return time.thread_time() if self.processor else time.perf_counter()

    def shared(self, threads: int) -> Limit:
        """The limit of each of `threads` threads: nodes and processor seconds are divided among them."""
        if threads == 1:
            return self
        seconds = self.seconds / threads if self.seconds is not None and self.processor else self.seconds
        return attrs.evolve(self, nodes=None if self.nodes is None else -(-self.nodes // threads), seconds=seconds)

    @property
    def time(self) -> float | None:
        """Seconds after which the search ends in any case, None for none."""
        return min((seconds for seconds in (self.seconds, self.ceiling) if seconds is not None), default=None)

    def batch(self, size: int, took: float, spent: float, least: int = 1) -> int:
        """The size of the next batch of games or nodes, after one of `size` that took `took` seconds.

        The clock is read between batches. The next one is at most four times as large, and is expected to end when the
        time is up, of which `spent` seconds are spent, or after `BATCH` seconds.
        """
        left = BATCH if self.time is None else min(BATCH, self.time - spent)
        return max(least, math.ceil(size * min(4.0, left / max(took, 1e-6))))

    def goal(self, visits: int, before: int, took: float, spent: float) -> int:
        """The visits that the root of a tree will have when the time is up, after a batch that took `took` seconds and
        raised them from `before` to `visits`; 0 for a search that uses all of its time, or has hardly begun."""
        if self.time is None or self.begun >= 1 or spent < _SURE * self.time:
            return 0
        return visits + math.ceil((visits - before) / max(took, 1e-6) * max(self.time - spent, 0.0))

    def cut(self, seconds: float, done: str) -> str:
        """The report's text on a search that the ceiling ended after `seconds`; '' where another limit ended it."""
        at_ceiling = self.ceiling is not None and seconds >= self.ceiling and self.time == self.ceiling
        return f"after {self.ceiling:g} s, {done}" if at_ceiling else ""

    def __attrs_post_init__(self) -> None:
        """Raise ValueError for a limit that is not above 0."""
        for name, number in attrs.asdict(self).items():
            if number is not None and number is not False and number <= 0:
                raise ValueError(f"the limit {name} is {number}, expected more than 0")
