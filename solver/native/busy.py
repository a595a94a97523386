"""Marks of what threads are searching, so that threads on the same question defer what another is searching.

A thread marks a position, or a move in one, before it searches it, and removes the mark afterwards. Children that
another thread has marked are searched last; by then their values are often in the table (Weill, "The ABDADA distributed
minimax search algorithm", 1996; Kerrigan's simplified form, in which marks may be lost).

Arrays: `busy` uint64[slots], a power of two: the hash that is marked in each slot, 0 for none; one slot where there is
only one thread.
"""

from __future__ import annotations

from interpreter.kernel.plain import EMPTY, number, word
from solver.native.functions import Row, Word, inlined


@inlined
def _place(busy: Row, hashed: Word) -> int:
    """The slot of a hash."""
    return number(hashed & word(len(busy) - 1))


@inlined
def mark(busy: Row, hashed: Word) -> None:
    """Mark a hash as being searched."""
    busy[_place(busy, hashed)] = hashed


@inlined
def is_marked(busy: Row, hashed: Word) -> bool:
    """Whether a hash is marked as being searched."""
    return bool(busy[_place(busy, hashed)] == hashed)


@inlined
def unmark(busy: Row, hashed: Word) -> None:
    """Remove the mark of a hash, unless another has replaced it."""
    if is_marked(busy, hashed):
        busy[_place(busy, hashed)] = EMPTY
