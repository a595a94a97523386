"""The table by which random games know positions that came before: the repetition rule in a kernel's playouts.

The keys of a playout's positions stand in rows behind the scratch rows, as a table with open addressing. What came
before a playout began is not known to it, nor, in a longer one, what was hundreds of moves ago: then the table is full,
and begins anew. `slots`, a power of two, is how many keys there is a place for.
"""

from __future__ import annotations

from interpreter.compiler.runtime.game import PLAYING, SCRATCH, WIDTH, key
from interpreter.compiler.runtime.types import EMPTY, ONE, Bool, Int, Row, Rows, Static, Word, number, word


def forget(X: Rows) -> None:
    """Empty the table of earlier positions."""
    for k in range(SCRATCH, PLAYING):
        for i in range(WIDTH):
            X[k, i] = EMPTY


def slot_of(X: Rows, key_: Word, slots: Static) -> Int:
    """Where a key stands in the table of earlier positions, or would stand."""
    at = number(key_ & word(slots - 1))
    while X[SCRATCH + at // WIDTH, at % WIDTH] != EMPTY and X[SCRATCH + at // WIDTH, at % WIDTH] != key_:
        at = (at + 1) & (slots - 1)
    return at


def known(X: Rows, S: Row, slots: Static) -> Bool:
    """Whether a position is in the table of earlier positions."""
    at = slot_of(X, key(S) | ONE, slots)
    there: Bool = X[SCRATCH + at // WIDTH, at % WIDTH] != EMPTY
    return there


def remember(X: Rows, S: Row, slots: Static) -> Bool:
    """Put a position into the table of earlier positions; whether it was there."""
    key_ = key(S) | ONE
    at = slot_of(X, key_, slots)
    there: Bool = X[SCRATCH + at // WIDTH, at % WIDTH] != EMPTY
    X[SCRATCH + at // WIDTH, at % WIDTH] = key_
    return there
