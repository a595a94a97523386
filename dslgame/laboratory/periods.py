"""Finds periods in sequences of winners that repeat from some value of a param on.

A period is observed, not proven; `Period.times` says how often it was seen.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

_SEEN = 2
"""The number of repetitions that must follow the first period."""


@attrs.frozen
class Period:
    """A period of a sequence of winners."""

    param: str
    length: int
    start: int
    """The value of the param from which on the sequence is periodic."""
    times: float
    """The number of periods seen, the first one included."""
    pattern: tuple[int | None, ...]
    """The values of one period, from `start` on."""


def period(param: str, first: int, values: Sequence[int | None]) -> Period | None:
    """The shortest period of the values at first, first + 1, ...; None where none was seen often enough.

    A period must be seen `1 + _SEEN` times and start in the first half of the values. It starts as early as possible.
    Unknown values match nothing.
    """
    for length in range(1, len(values) // (1 + _SEEN) + 1):
        start = len(values)
        while start > length and values[start - 1] is not None and values[start - 1] == values[start - 1 - length]:
            start -= 1
        start -= length
        if start < 0 or None in values[start:]:
            continue
        times = (len(values) - start) / length
        if times >= 1 + _SEEN and start <= len(values) // 2:
            return Period(param, length, first + start, times, tuple(values[start:start + length]))
    return None
