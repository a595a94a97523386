"""The time that one analysis may take: the seconds of its limit, or a ceiling where positions are the limit.

`Allowance` divides the time among the methods of an analysis. `Clock` ends a solver that was given a part of it. Time
that is spent on compiling counts in neither.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from solver.budget import OutOfBudget

CEILING = 30.0
"""Seconds after which a player by plies or positions is cut off, where nothing else is said."""
_LOOK = 1.0
"""Seconds between two looks at the clock; more were spent on compiling."""
_LEAST = 1e-3

_Made = TypeVar("_Made")


class Allowance:
    """The time of an analysis that begins now.

    `seconds` is its limit, None where positions are; then it ends after `ceiling` seconds of the wall clock, None for
    never. A `strict` limit is of the wall clock, any other of the processor; one of `processor` is strict as well, and
    counts what this thread takes of the processor.
    """

    def __init__(self, seconds: float | None, ceiling: float | None, *, strict: bool, processor: bool = False) -> None:
        self.seconds, self.processor = seconds, processor and seconds is not None
        self.strict = strict or processor or seconds is None
        self.now: Callable[[], float] = (
            time.thread_time if self.processor else time.monotonic if self.strict else time.process_time)
        most = ceiling if seconds is None else seconds
        self.most = most
        self.until = None if most is None else self.now() + most

    @property
    def timed(self) -> bool:
        """Whether seconds are the limit, not positions."""
        return self.seconds is not None

    def left(self, share: float = 1.0) -> float | None:
        """Seconds for a part of the work, at least a thousandth; all that is left where positions are the limit.

        None where there is no end.
        """
        if self.until is None:
            return None
        left = self.until - self.now()
        return max(_LEAST, left if self.seconds is None else min(share * self.seconds, left))

    @property
    def late(self) -> bool:
        """Whether the time is over."""
        return self.until is not None and self.now() >= self.until

    @property
    def cut(self) -> bool:
        """Whether it was the ceiling that ended the analysis."""
        return not self.timed and self.late

    def keep(self, share: float) -> None:
        """Have so large a part of the limit be left at least, whatever was spent before."""
        if self.seconds is not None and self.until is not None:
            self.until = max(self.until, self.now() + share * self.seconds)

    def uncounted(self, make: Callable[[], _Made]) -> _Made:
        """Do what may compile something; the time for it is not counted."""
        began = self.now()
        made = make()
        self.add(self.now() - began)
        return made

    def add(self, seconds: float) -> None:
        """Allow so much more."""
        if self.until is not None:
            self.until += max(0.0, seconds)


class Clock:
    """Ends what solves after so many seconds, the time not counted in which rules were compiled."""

    def __init__(self, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self.seconds, self._now = seconds, now
        self._spent, self._looked = 0.0, now()
        self.compiling = 0.0
        """Seconds that were not counted."""

    def look(self, done: int, known: int, phase: str) -> None:
        """Look at the clock, as solvers do some times a second. Raises OutOfBudget."""
        now = self._now()
        self._spent += min(now - self._looked, _LOOK)
        self.compiling += max(0.0, now - self._looked - _LOOK)
        self._looked = now
        if self._spent > self.seconds:
            raise OutOfBudget(f"{self.seconds:.2g} s of solving were not enough")
