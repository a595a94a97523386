"""The hash table of earlier positions, for the repetition rule in a kernel's random games.

The keys of the positions of a game are kept in rows behind the scratch rows, in an open-addressing hash table; a
position that occurred twice is in it twice. Positions before the random game are not known, nor, in long games, those
of hundreds of moves ago: when the table is full it is cleared. `slots`, a power of two, is the number of its slots.
"""

from __future__ import annotations

from interpreter.compiler.runtime.game import PLAYING, SCRATCH, VALUES_FROM, WIDTH, key, repetition_key
from interpreter.compiler.runtime.types import (
    EMPTY,
    FULL,
    ONE,
    Int,
    Row,
    Rows,
    Static,
    Table,
    Word,
    WordTable,
    number,
    scramble,
    unrolled,
    word,
)


def key_but_aside(state: Row, aside: Table, many: Static, of_number: WordTable) -> Word:
    """The key of a position without the variables at the `many` places `aside`, which the repetition rule ignores."""
    found = key(state)
    for i in unrolled(range(many)):
        k = aside[i]
        found ^= scramble((state[k] + of_number[k - VALUES_FROM]) & FULL)
    return found


def whole_key(state: Row) -> Word:
    """The full key of a position."""
    return key(state)


def forget(scratch: Rows) -> None:
    """Clear the table of earlier positions."""
    for k in range(SCRATCH, PLAYING):
        for i in range(WIDTH):
            scratch[k, i] = EMPTY


def remember(scratch: Rows, state: Row, most: Int, slots: Static) -> Int:
    """Add a position to the table of earlier positions if it was there less than `most` times; how often it was.

    Where `most` is 0, the position is looked up but not added.
    """
    key_ = repetition_key(state) | ONE
    at = number(key_ & word(slots - 1))
    times = 0
    while scratch[SCRATCH + at // WIDTH, at % WIDTH] != EMPTY:
        if scratch[SCRATCH + at // WIDTH, at % WIDTH] == key_:
            times += 1
        at = (at + 1) & (slots - 1)
    if times < most:
        scratch[SCRATCH + at // WIDTH, at % WIDTH] = key_
    return times
