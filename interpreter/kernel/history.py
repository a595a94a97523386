"""The functions by which random games know positions that came before: the repetition rule in a kernel's playouts.

The keys of a playout's positions stand in rows behind the scratch rows, as a table with open addressing. What came
before a playout began is not known to it, nor, in a longer one, what was hundreds of moves ago: then the
table is full, and begins anew.
"""

from __future__ import annotations

from interpreter.kernel.writer import text_of

SLOTS = 1024
"""How many keys there is a place for."""
MOST = 700
"""How many are kept; more would make the table slow."""


def rows_of(width: int) -> int:
    """How many rows the table takes."""
    return -(-SLOTS // width)


def texts() -> list[str]:
    """The functions on the table."""
    return [
        text_of("forget", "X", "Empty the table of earlier positions.", [
            "for k in range(SCRATCH, PLAYING):", "    for i in range(WIDTH):", "        X[k, i] = EMPTY"]),
        text_of("slot_of", "X, key_", "Where a key stands in the table of earlier positions, or would stand.", [
            f"at = number(key_ & word({SLOTS - 1}))",
            "while X[SCRATCH + at // WIDTH, at % WIDTH] != EMPTY and X[SCRATCH + at // WIDTH, at % WIDTH] != key_:",
            f"    at = (at + 1) & {SLOTS - 1}", "return at"]),
        text_of("known", "X, S", "Whether a position is in the table of earlier positions.", [
            "at = slot_of(X, key(S) | ONE)", "return X[SCRATCH + at // WIDTH, at % WIDTH] != EMPTY"]),
        text_of("remember", "X, S", "Put a position into the table of earlier positions; whether it was there.", [
            "key_ = key(S) | ONE", "at = slot_of(X, key_)",
            "there = X[SCRATCH + at // WIDTH, at % WIDTH] != EMPTY",
            "X[SCRATCH + at // WIDTH, at % WIDTH] = key_", "return there"]),
    ]
