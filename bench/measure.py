"""Measuring so that the numbers can be trusted: sides take turns, processor time counts, medians and spreads are told.

A side is a function that does some work and says how much it did. What is compared runs in the same process and in
alternating rounds, so that a machine that slows down slows every side. Used by the benchmarks in this folder.
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
"""Does some work, with the random numbers that it is given, and says how much, such as a number of moves."""


@attrs.frozen
class Spread:
    """A median with the smallest and the largest of the values it stands for."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """The spread of at least one value."""
        return cls(median(values), min(values), max(values))

    def __str__(self) -> str:
        return f"{short(self.median)} ({short(self.low)}..{short(self.high)})"


def short(value: float) -> str:
    """A number with three digits that count, and with a mark for thousands."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}" if value < 10 else f"{value:.1f}"


def rates(sides: Mapping[str, Side], *, rounds: int, seconds: float, batch: int = 1) -> dict[str, list[float]]:
    """Work per second of processor time, for each side and round.

    A round of a side repeats its work until `seconds` have passed, `batch` times between two looks at the clock. Sides
    take turns, and the one that begins changes from round to round. A round before the first, not counted, lets every
    side fill what it fills once. In one round all sides get the same random numbers.
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
    """How many times their rate ours is, round by round."""
    return Spread.of([mine / other for mine, other in zip(ours, theirs, strict=True)])


def machine() -> dict[str, object]:
    """What the numbers were measured on; they mean nothing without it."""
    return {"python": platform.python_version(), "system": f"{platform.system()} {platform.machine()}",
            "processors": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()}


def table(rows: Sequence[Sequence[str]]) -> str:
    """Texts in columns, the first column flush left, the others flush right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(text.rjust(width) if number else text.ljust(width)
                  for number, (text, width) in enumerate(zip(row, widths, strict=True))).rstrip()
        for row in rows
    )


def markdown(rows: Sequence[Sequence[str]]) -> str:
    """The same as a table of a page."""
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|---" * len(rows[0]) + "|", *lines[1:]])
