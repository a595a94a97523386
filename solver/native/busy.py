"""What threads are searching that work on the same question, so that each begins with what no other is at.

A thread marks a position, or a move in one, before it searches it, and takes the mark away afterwards. What another has
marked comes after all others; by then its value is often in the table (Weill, "The ABDADA distributed minimax search
algorithm", 1996; Kerrigan's simplified form, in which marks may be lost).

Arrays: `busy` uint64[places], a power of two: a hash of what is marked in each, 0 for nothing; of one place where there
is only one thread.
"""

from __future__ import annotations

from interpreter.kernel.plain import EMPTY, number, word
from solver.native.functions import Row, Word, inlined


@inlined
def _place(busy: Row, hashed: Word) -> int:
    """Where something is marked."""
    return number(hashed & word(len(busy) - 1))


@inlined
def mark(busy: Row, hashed: Word) -> None:
    """Note that something is being searched."""
    busy[_place(busy, hashed)] = hashed


@inlined
def is_marked(busy: Row, hashed: Word) -> bool:
    """Whether a thread is searching something."""
    return bool(busy[_place(busy, hashed)] == hashed)


@inlined
def unmark(busy: Row, hashed: Word) -> None:
    """Note that something was searched."""
    if is_marked(busy, hashed):
        busy[_place(busy, hashed)] = EMPTY
