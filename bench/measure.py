"""Measures rates reliably: in alternating rounds, by processor time, with medians and spreads.

A side is a function that does some work and returns its amount. All sides that are compared run in the same process in
alternating rounds, so that a slow machine slows every side. The benchmarks in this folder use it.
"""

from __future__ import annotations

import gc
import os
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from random import Random
from statistics import median

import attrs

Side = Callable[[Random], int]
"""Does some work with the given random generator and returns its amount, such as a number of moves."""


@attrs.frozen
class Spread:
    """The median, the smallest and the largest of some values."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """The spread of the values, of which there must be at least one."""
        return cls(median(values), min(values), max(values))

    def __str__(self) -> str:
        return f"{short(self.median)} ({short(self.low)}..{short(self.high)})"


def short(value: float) -> str:
    """Format a number with at least three significant digits, and with thousands separators."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}" if value < 10 else f"{value:.1f}"


def rates(sides: Mapping[str, Side], *, rounds: int, seconds: float, batch: int = 1) -> dict[str, list[float]]:
    """Measure the work per second of processor time, for each side and round.

    A round of a side repeats its work until `seconds` have passed, and reads the clock after every `batch` calls. Sides
    alternate, and the one that begins changes from round to round. A warm-up round, which does not count, lets every
    side fill its caches. Within a round all sides get the same random numbers.
    """
    names = list(sides)
    found: dict[str, list[float]] = {name: [] for name in names}
    for number in range(-1, rounds):
        for name in names[number % len(names) :] + names[: number % len(names)]:
            rate = _rate(sides[name], Random(number), seconds if number >= 0 else seconds / 4, batch)
            if number >= 0:
                found[name].append(rate)
    return found


def _rate(side: Side, random: Random, seconds: float, batch: int) -> float:
    gc.collect()
    work, start = 0, time.process_time()
    while (passed := time.process_time() - start) < seconds or not work:
        for _ in range(batch):
            work += side(random)
    return work / passed


def ratios(ours: Sequence[float], theirs: Sequence[float]) -> Spread:
    """The spread of the ratios of our rates to theirs, round by round."""
    return Spread.of([mine / other for mine, other in zip(ours, theirs, strict=True)])


def machine() -> dict[str, object]:
    """The machine and the Python version, to be reported with every measurement."""
    return {"python": platform.python_version(), "system": f"{platform.system()} {platform.machine()}",
            "processors": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()}


def table(rows: Sequence[Sequence[str]]) -> str:
    """Align texts in columns, the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(text.rjust(width) if number else text.ljust(width)
                  for number, (text, width) in enumerate(zip(row, widths, strict=True))).rstrip()
        for row in rows
    )


def markdown(rows: Sequence[Sequence[str]]) -> str:
    """Format the rows as a Markdown table; the first row is the header."""
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|---" * len(rows[0]) + "|", *lines[1:]])
