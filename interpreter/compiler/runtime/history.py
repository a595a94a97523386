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


def key_but_aside(S: Row, aside: Table, many: Static, of_number: WordTable) -> Word:
    """The key of a position without what the variables at `many` places hold, which do not tell positions apart."""
    found = key(S)
    for i in unrolled(range(many)):
        k = aside[i]
        found ^= scramble((S[k] + of_number[k - VALUES_FROM]) & FULL)
    return found


def whole_key(S: Row) -> Word:
    """The key of a position, with all that it holds."""
    return key(S)


def forget(X: Rows) -> None:
    """Empty the table of earlier positions."""
    for k in range(SCRATCH, PLAYING):
        for i in range(WIDTH):
            X[k, i] = EMPTY


def remember(X: Rows, S: Row, most: Int, slots: Static) -> Int:
    """Put a position into the table of earlier positions if it was there less often; how often it was.

    So it is only looked for where `most` is 0.
    """
    key_ = repetition_key(S) | ONE
    at = number(key_ & word(slots - 1))
    times = 0
    while X[SCRATCH + at // WIDTH, at % WIDTH] != EMPTY:
        if X[SCRATCH + at // WIDTH, at % WIDTH] == key_:
            times += 1
        at = (at + 1) & (slots - 1)
    if times < most:
        X[SCRATCH + at // WIDTH, at % WIDTH] = key_
    return times
