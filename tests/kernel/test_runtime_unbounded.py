"""The runtime function that shifts an unbounded board, compared with its definition."""

from __future__ import annotations

from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from interpreter.compiler.lowering.layout import join, split
from interpreter.compiler.runtime import unbounded

ROOM, FAILURE = 4, 3
OFFSETS = st.tuples(st.integers(0, ROOM), st.integers(0, ROOM))


@given(st.data(), st.sampled_from([8, 12, 70]), st.dictionaries(OFFSETS, st.integers(1, 2), max_size=5), st.booleans())
def test_settled(data: st.DataObject, size: int, shape: dict[tuple[int, int], int], three_axes: bool) -> None:
    """Everything is shifted to begin at row 2, column 2; an arrangement that is too large or touches the edge fails.

    A row of 8 lies in one word, one of 12 may span two, and one of 70 more.
    """
    top, left = (data.draw(st.integers(0, size - ROOM - 1)) for _ in range(2))
    placed = {(top + line, left + column): piece for (line, column), piece in shape.items()}
    words = -(-size * size // 64) + data.draw(st.integers(0, 1))
    every = (1 << size * size) - 1
    failed = 3 * words
    columns_of = [sum(1 << size * line + column for line in range(size)) for column in range(size)]
    sums_of = [sum(1 << size * line + total - line for line in range(size) if 0 <= total - line < size)
               for total in range(2 * size - 1)]

    def row_of(there: dict[tuple[int, int], int]) -> list[int]:
        sets = [sum(1 << size * line + column for (line, column), held in there.items() if held == piece)
                for piece in (1, 2)]
        found = [part for cells in (every & ~sum(sets), *sets) for part in split(cells, words)]
        return [*found, 0]

    row = row_of(placed)
    columns, sums, everything = ([part for cells in table for part in split(cells, words)]
                                 for table in (columns_of, sums_of, [every]))
    with patch.object(unbounded, "FAILED", failed):  # where a row says that a rule failed
        unbounded.settled(row, size, 3, words, columns, sums, three_axes, everything, ROOM, 2, FAILURE)
    expected = row_of(placed)
    if placed:
        lines, across = ([place[axis] for place in placed] for axis in (0, 1))
        wide = max(max(lines) - min(lines), max(across) - min(across)) + 1
        if three_axes:
            both = [line + column for line, column in placed]
            wide = max(wide, max(both) - min(both) + 1)
        if min(*lines, *across, size) < 1 or max(*lines, *across, 0) > size - 2 or wide > ROOM:
            expected[failed] = FAILURE
        else:
            expected = row_of({(line - min(lines) + 2, column - min(across) + 2): piece
                               for (line, column), piece in placed.items()})
    assert row == expected
    assert join(row[:words]) | join(row[words: 2 * words]) | join(row[2 * words: 3 * words]) == every
