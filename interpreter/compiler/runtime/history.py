"""The table by which random games know positions that came before: the repetition rule in a kernel's playouts.

The keys of a playout's positions stand in rows behind the scratch rows, as a table with open addressing, in which a
position that came twice stands twice. What came
before a playout began is not known to it, nor, in a longer one, what was hundreds of moves ago: then the table is full,
and begins anew. `slots`, a power of two, is how many keys there is a place for.
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
    """The key of a position without what the variables at `many` places hold, which do not tell positions apart."""
    found = key(state)
    for i in unrolled(range(many)):
        k = aside[i]
        found ^= scramble((state[k] + of_number[k - VALUES_FROM]) & FULL)
    return found


def whole_key(state: Row) -> Word:
    """The key of a position, with all that it holds."""
    return key(state)


def forget(scratch: Rows) -> None:
    """Empty the table of earlier positions."""
    for k in range(SCRATCH, PLAYING):
        for i in range(WIDTH):
            scratch[k, i] = EMPTY


def remember(scratch: Rows, state: Row, most: Int, slots: Static) -> Int:
    """Put a position into the table of earlier positions if it was there less often; how often it was.

    So it is only looked for where `most` is 0.
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
