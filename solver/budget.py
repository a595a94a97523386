"""Limits on the positions and memory of a solver, and reports of its progress.

A solver calls `Budget.spend` for every position; past a limit this raises `OutOfBudget`, and the solution is then
unknown. About ten times a second progress is reported and memory is measured.
"""

from __future__ import annotations

import mmap
import time
from collections.abc import Callable

import attrs

Progress = Callable[[int, int, str], None]
"""Called with positions done, positions known so far, and what is being done."""

MOST_HISTORIES = 3_000_000
"""The most histories of a game in which something is hidden that are gone through, unless a limit is given."""
_LOOK_EVERY = 32
"""The number of calls between two looks at the clock: the slowest spaces take milliseconds for one position."""
_PAUSE = 0.1
"""The minimum time between two reports, in seconds."""


class OutOfBudget(Exception):
    """Raised where a limit is reached; the text says which."""


def memory_used() -> int:
    """The memory that this process holds now, in MiB.

    Read from a file on Linux, elsewhere from psutil, which takes 13 ms to import.
    """
    try:
        with open("/proc/self/statm", encoding="ascii") as stream:
            return int(stream.read().split()[1]) * mmap.PAGESIZE >> 20
    except OSError:
        import psutil

        return int(psutil.Process().memory_info().rss) >> 20


@attrs.define
class Budget:
    """The limits of solving a task, on the positions stored and the MiB of memory; None for no limit."""

    nodes: int | None = None
    memory: int | None = None
    progress: Progress | None = None
    _calls: int = 0
    _looked: float = 0.0

    def spend(self, done: int, known: int, phase: str) -> None:
        """Check the limits and report progress; memory and progress at most every `_PAUSE` seconds.

        Raises OutOfBudget past a limit.
        """
        if self.nodes is not None and known > self.nodes:
            raise OutOfBudget(f"the limit of {self.nodes:,} positions is reached")
        self._calls += 1
        if self._calls % _LOOK_EVERY:
            return
        now = time.monotonic()
        if now - self._looked < _PAUSE:
            return
        self._looked = now
        if self.memory is not None and memory_used() > self.memory:
            raise OutOfBudget(f"the limit of {self.memory:,} MiB of memory is reached")
        if self.progress is not None:
            self.progress(done, known, phase)

    def due(self, known: int) -> bool:
        """Whether it is time to check memory and report progress. Raises OutOfBudget past the limit of positions."""
        if self.nodes is not None and known > self.nodes:
            raise OutOfBudget(f"the limit of {self.nodes:,} positions is reached")
        now = time.monotonic()
        if now - self._looked < _PAUSE:
            return False
        self._looked = now
        return True

    def tell(self, done: int, known: int, phase: str) -> None:
        """Report progress."""
        if self.progress is not None:
            self.progress(done, known, phase)
