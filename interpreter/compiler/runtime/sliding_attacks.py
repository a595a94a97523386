"""Sliding attacks along lines, computed by extracting the cells of a line into one word."""

from __future__ import annotations

from interpreter.compiler.runtime.sets import either
from interpreter.compiler.runtime.types import (
    FULL,
    ONE,
    Cells,
    Int,
    Static,
    WordTable,
    deposit,
    extract,
    highest,
    lowest,
    unrolled,
    word,
)


def along(i: Int, within: Cells, lines: WordTable, words: Static) -> Cells:
    """The cells met in both directions along a line from a cell on it, while they are in a set.

    From index i on, `lines` has the words of the line's cells, a word with guard bits before its first cell and beyond
    its last, and a word with the cell's position in the line, counted from 1; in the latter follow, 6 bits each, the
    numbers of the line's cells in the words before the second, before the third, and so on.
    """
    places = lines[i + (words + 1)]
    place = places & word(63)
    stops = extract(~within[0], lines[i])
    for k in unrolled(range(1, words)):
        stops |= extract(~within[k], lines[i + k]) << ((places >> 6 * k) & word(63))
    stops = (stops << ONE) | lines[i + words]
    up = lowest(stops >> (place + ONE))
    down = 63 - highest((stops << (word(64) - place)) & FULL)
    first = place - ONE - word(down)
    free = ((FULL >> word(63 - up - down)) << first) ^ (ONE << (place - ONE))
    return tuple(deposit(free >> ((places >> 6 * k) & word(63)) if k > 0 else free, lines[i + k])
                 for k in range(words))


def sight(cell: Int, within: Cells, lines: WordTable, each: Static, words: Static) -> Cells:
    """The cells met from a cell along all lines through it, while they are in a set."""
    i = cell * (each * (words + 2))
    found = along(i, within, lines, words)
    for line in unrolled(range(1, each)):
        found = either(found, along(i + line * (words + 2), within, lines, words))
    return found
