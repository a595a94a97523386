"""The time budget of an analysis: the seconds of its limit, or a ceiling where positions are the limit.

`Allowance` divides the time among the methods of an analysis. `SolverClock` stops a solver at its share. Time spent on
compiling counts in neither.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from solver.budget import OutOfBudget

CEILING = 30.0
"""The default of the seconds after which a search limited by plies or positions is cut off."""
OTHER_TIME = "seconds=N sets another time, seconds=none lifts it"
"""What a message on a search that this ceiling ended says to do."""
_LOOK = 1.0
"""The most seconds between two readings of the clock that count as solving; the rest counts as compiling."""
_LEAST = 1e-3

_Made = TypeVar("_Made")


def cut_off(cut: str) -> str:
    """Say of a search that the ceiling on its time ended, at the point `cut`, and how to set another; '' for ''."""
    return f"the search was cut off {cut}; {OTHER_TIME}" if cut else ""


class Allowance:
    """The time budget of an analysis that begins now.

    `seconds` is its limit, None where positions are the limit; then it ends after `ceiling` seconds of the wall clock,
    None for never. A `strict` limit counts wall-clock time, any other the processor time of the process. With
    `processor` the limit is strict as well, and counts the processor time of this thread.
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
        """Whether the limit is in seconds, not positions."""
        return self.seconds is not None

    def left(self, share: float = 1.0) -> float | None:
        """The seconds for a share of the limit, at most what is left; all that is left where positions are the limit.

        At least a thousandth of a second; None where there is no time limit.
        """
        if self.until is None:
            return None
        left = self.until - self.now()
        return max(_LEAST, left if self.seconds is None else min(share * self.seconds, left))

    @property
    def late(self) -> bool:
        """Whether the time is up."""
        return self.until is not None and self.now() >= self.until

    @property
    def cut(self) -> bool:
        """Whether the ceiling ended the analysis."""
        return not self.timed and self.late

    def keep(self, share: float) -> None:
        """Extend the time so that at least this share of the limit is left, whatever was spent before."""
        if self.seconds is not None and self.until is not None:
            self.until = max(self.until, self.now() + share * self.seconds)

    def uncounted(self, make: Callable[[], _Made]) -> _Made:
        """Call `make`, which may compile something, without counting its time."""
        began = self.now()
        made = make()
        self.add(self.now() - began)
        return made

    def add(self, seconds: float) -> None:
        """Extend the time by so many seconds."""
        if self.until is not None:
            self.until += max(0.0, seconds)


class SolverClock:
    """Stops a solver after `seconds` seconds, without the time for compiling rules."""

    def __init__(self, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self.seconds, self._now = seconds, now
        self._spent, self._looked = 0.0, now()
        self.compiling = 0.0
        """Seconds that were not counted, as spent on compiling."""

    def look(self, done: int, known: int, phase: str) -> None:
        """Read the clock, as solvers do several times a second. Raises OutOfBudget once the time is spent."""
        now = self._now()
        self._spent += min(now - self._looked, _LOOK)
        self.compiling += max(0.0, now - self._looked - _LOOK)
        self._looked = now
        if self._spent > self.seconds:
            raise OutOfBudget(f"{self.seconds:.2g} s of solving were not enough")
