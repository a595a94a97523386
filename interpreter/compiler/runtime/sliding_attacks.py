"""What is seen from a cell along lines whose cells are put together into one word."""

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
    """What is seen along a line from a cell on it, as long as it is in a set.

    From i on `lines` has the words of the line's cells, a guard beyond its last cell and before its first, and the
    cell's place in the line, counted from 1; from bit 6 of that on, how many cells the line has in the words before the
    second, before the third, and so on.
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
    """The cells that are seen from a cell along some lines, as long as they are in a set."""
    i = cell * (each * (words + 2))
    found = along(i, within, lines, words)
    for line in unrolled(range(1, each)):
        found = either(found, along(i + line * (words + 2), within, lines, words))
    return found
