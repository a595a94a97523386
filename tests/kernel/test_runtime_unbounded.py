"""Shifting what is on an unbounded board, as a runtime function, against what it is to do."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from interpreter.compiler.lowering.layout import join, split
from interpreter.compiler.runtime import unbounded
from interpreter.compiler.runtime.game import FAILED

SIZE, ROOM, FAILURE = 8, 4, 3
LINES = [sum(1 << SIZE * line + column for column in range(SIZE)) for line in range(SIZE)]
COLUMNS = [sum(1 << SIZE * line + column for line in range(SIZE)) for column in range(SIZE)]
SUMS = [sum(1 << SIZE * line + total - line for line in range(SIZE) if 0 <= total - line < SIZE)
        for total in range(2 * SIZE - 1)]
"""The cells by the sum of line and column."""


@given(st.dictionaries(st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1)), st.integers(1, 2), max_size=5),
       st.sampled_from([1, 2]), st.booleans())
def test_settled(placed: dict[tuple[int, int], int], words: int, three_axes: bool) -> None:
    """Everything moves so that it begins at line 2, column 2; what does not fit, or is at the edge, fails."""
    every = (1 << SIZE * SIZE) - 1

    def row_of(there: dict[tuple[int, int], int]) -> list[int]:
        sets = [sum(1 << SIZE * line + column for (line, column), held in there.items() if held == piece)
                for piece in (1, 2)]
        found = [part for cells in (every & ~sum(sets), *sets) for part in split(cells, words)]
        return found + [0] * (FAILED + 1 - len(found))

    row = row_of(placed)
    lines_of, columns_of, sums_of, everything = ([part for cells in table for part in split(cells, words)]
                                        for table in (LINES, COLUMNS, SUMS, [every]))
    unbounded.settled(row, SIZE, 3, words, lines_of, columns_of, sums_of, three_axes, everything, ROOM, 2, FAILURE)
    expected = row_of(placed)
    if placed:
        lines, columns = ([place[axis] for place in placed] for axis in (0, 1))
        first, last = min(*lines, *columns, SIZE), max(*lines, *columns, 0)
        wide = max(max(lines) - min(lines), max(columns) - min(columns)) + 1
        if three_axes:
            sums = [line + column for line, column in placed]
            wide = max(wide, max(sums) - min(sums) + 1)
        if first < 1 or last > SIZE - 2 or wide > ROOM:
            expected[FAILED] = FAILURE
        else:
            expected = row_of({(line - min(lines) + 2, column - min(columns) + 2): piece
                               for (line, column), piece in placed.items()})
    assert row == expected
    assert join(row[:words]) | join(row[words: 2 * words]) | join(row[2 * words: 3 * words]) == every
