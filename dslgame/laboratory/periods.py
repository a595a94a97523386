"""Periods of sequences of winners: what repeats from some value of a param on.

A period is seen, not proved: it says how often it was seen.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

_SEEN = 2
"""How many whole periods must follow the first for it to be one."""


@attrs.frozen
class Period:
    """A sequence that repeats itself."""

    param: str
    length: int
    start: int
    """The value of the param from which on it does."""
    times: float
    """How often it was seen, the first time included."""
    pattern: tuple[int | None, ...]
    """The values of one period, from `start` on."""


def period(param: str, first: int, values: Sequence[int | None]) -> Period | None:
    """The period of values at first, first + 1, ..., that explains most of them; None where none was seen often enough.

    Of those that begin early enough to be seen `1 + _SEEN` times the shortest is taken, and it begins as early as it
    can. Values that are not known repeat nothing.
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
