"""Boards without borders: a window on the board, whose pieces are kept shifted to its start."""

from __future__ import annotations

from interpreter.compiler.runtime.game import FAILED
from interpreter.compiler.runtime.sets import at, both, first, first_taken, last, last_taken, minus, of_table, some
from interpreter.compiler.runtime.types import (
    EMPTY,
    FULL,
    ONE,
    Row,
    Static,
    StaticBool,
    WordTable,
    highest,
    lowest,
    members,
    unrolled,
    word,
)


def settled(state: Row, size: Static, pieces: Static, words: Static, columns: WordTable, sums: WordTable,
            three_axes: StaticBool, every: WordTable, room: Static, home: Static, failure: Static) -> None:
    """Shift all pieces to the start of the window of an unbounded board; sets a failure where they do not fit.

    The window has `size` rows and columns; where these are more than 64, occupied columns are found by the sets
    `columns`. The pieces may span at most `room` rows and columns, with `three_axes` also at most `room` antidiagonals
    (`sums`, the sets of cells with the same sum of row and column). They are shifted to row and column `home`.
    """
    occupied = minus(of_table(every, 0, words), at(state, 0, words))
    if not some(occupied):
        return
    first_row = first(occupied) // size
    last_row = last(occupied) // size
    if size <= 64:
        every_row = EMPTY
        for row in range(first_row, last_row + 1):
            part = row * size >> 6
            shift = row * size & 63
            every_row |= occupied[part] >> shift
            if shift > 64 - size and part + 1 < words:
                every_row |= (occupied[part + 1] << 64 - shift) & FULL
        every_row &= FULL >> 64 - size
        first_column = lowest(every_row)
        last_column = highest(every_row)
    else:
        first_column = first_taken(occupied, columns, words)
        last_column = last_taken(occupied, columns, size, words)
    widest = max(last_row - first_row, last_column - first_column)
    if three_axes:
        first_sum = first_row + first_column
        while not some(both(occupied, of_table(sums, first_sum, words))):
            first_sum += 1
        last_sum = last_row + last_column
        while not some(both(occupied, of_table(sums, last_sum, words))):
            last_sum -= 1
        widest = max(widest, last_sum - first_sum)
    if min(first_row, first_column) < 1 or max(last_row, last_column) > size - 2 or widest + 1 > room:
        if state[FAILED] == EMPTY:
            state[FAILED] = word(failure)
        return
    by = (home - first_row) * size + home - first_column
    if by == 0:
        return
    for p in range(1, pieces):
        held = at(state, p * words, words)
        for part in range(words):
            state[p * words + part] = EMPTY
        for old in members(held):
            c = old + by
            state[p * words + (c >> 6)] |= ONE << (c & 63)
    for part in range(words):
        others = EMPTY
        for p in unrolled(range(1, pieces)):
            others |= state[p * words + part]
        state[part] = every[part] & ~others


def nothing_to_settle(state: Row) -> None:
    """Stands in for `settle` where the board has borders."""
