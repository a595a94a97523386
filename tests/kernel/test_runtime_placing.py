"""Runtime functions that place, slide and rotate pieces, compared with their definitions."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from interpreter.boards import members
from interpreter.compiler.lowering.layout import join, split
from interpreter.compiler.runtime import placing

SIDE, PIECES, WORDS = 9, 4, 2
SIZE = SIDE * SIDE
WAYS = ((0, 1), (1, 0), (1, 1))
BOARDS = st.lists(st.integers(0, PIECES - 1), min_size=SIZE, max_size=SIZE)
SETS = st.sets(st.integers(0, SIZE - 1), max_size=12)


def row_of(holding: list[int]) -> list[int]:
    """The row for the piece on each cell."""
    return [part for piece in range(PIECES) for part in split(
        sum(1 << cell for cell, held in enumerate(holding) if held == piece), WORDS)]


def holding_of(row: list[int]) -> list[int]:
    """The piece on each cell; checks that each cell has exactly one."""
    found = [-1] * SIZE
    for piece in range(PIECES):
        for cell in members(join(row[piece * WORDS : piece * WORDS + WORDS])):
            assert found[cell] == -1
            found[cell] = piece
    return found


def words(cells: set[int]) -> tuple[int, ...]:
    """A set of cells as words."""
    return tuple(split(sum(1 << cell for cell in cells), WORDS))


def step(cell: int, way: int) -> int:
    """The adjacent cell in a direction, or -1."""
    to = cell // SIDE + WAYS[way][0], cell % SIDE + WAYS[way][1]
    return to[0] * SIDE + to[1] if all(0 <= part < SIDE for part in to) else -1


@given(BOARDS, SETS, st.integers(0, PIECES - 1))
def test_put(holding: list[int], cells: set[int], piece: int) -> None:
    """A piece replaces what is on a cell, one by one or on a whole set."""
    one_by_one, at_once = row_of(holding), row_of(holding)
    for cell in cells:
        placing.put(one_by_one, cell, piece, PIECES, WORDS)
    placing.put_all(at_once, words(cells), piece, PIECES, WORDS)
    expected = [piece if cell in cells else held for cell, held in enumerate(holding)]
    assert holding_of(one_by_one) == holding_of(at_once) == expected


@given(st.lists(st.integers(0, 2), min_size=9, max_size=9), st.integers(0, 8), st.integers(0, 2))
def test_put_on_a_board_of_one_word(holding: list[int], cell: int, piece: int) -> None:
    """The same with sets of one word."""
    row = [sum(1 << place for place, held in enumerate(holding) if held == kind) for kind in range(3)]
    placing.put(row, cell, piece, 3, 1)
    holding[cell] = piece
    assert row == [sum(1 << place for place, held in enumerate(holding) if held == kind) for kind in range(3)]


@given(BOARDS, SETS, st.integers(0, len(WAYS) - 1), st.booleans())
def test_slide(holding: list[int], window: set[int], way: int, narrow: bool) -> None:
    """Pieces move one step inside the set; if two meet, which graphs allow, the later kind stays."""
    def led(cell: int, by: int) -> int:
        found = step(cell, by)
        return found // 2 * 2 if narrow and found >= 0 else found

    steps = [-1] * len(WAYS) + [led(cell, by) for cell in range(SIZE) for by in range(len(WAYS))]
    row = row_of(holding)
    placing.slide(row, words(window), way, steps, len(WAYS), PIECES, WORDS)
    expected = [0 if cell in window else held for cell, held in enumerate(holding)]
    for piece in range(1, PIECES):
        for cell in sorted(window):
            if holding[cell] == piece and led(cell, way) in window:
                expected[led(cell, way)] = piece
    assert holding_of(row) == expected


@given(BOARDS, st.integers(0, 6), st.integers(0, 6), st.integers(1, 3), SETS, st.booleans())
def test_turn(holding: list[int], top: int, left: int, side: int, more: set[int], clockwise: bool) -> None:
    """Squares rotate by a quarter turn; a set that does not map onto itself is unchanged."""
    square = {(top + line) * SIDE + left + column for line in range(side) for column in range(side)}
    sign = 1 if clockwise else -1
    quarter = placing.Turn(
        xs=[cell // SIDE for cell in range(SIZE)], ys=[cell % SIDE for cell in range(SIZE)], from_x=0, from_y=sign,
        to_x=-sign, to_y=0, low_x=0, low_y=0, high=SIDE, wide=SIDE, cell_of=range(SIZE))

    def turned(cell: int) -> int:
        line, column = cell // SIDE - top, cell % SIDE - left
        line, column = (column, side - 1 - line) if clockwise else (side - 1 - column, line)
        return (top + line) * SIDE + left + column

    row = row_of(holding)
    assert placing.turn(row, words(square), PIECES, WORDS, quarter)
    expected = list(holding)
    for cell in square:
        expected[turned(cell)] = holding[cell]
    assert holding_of(row) == expected
    crooked = {*square, *more}
    row = row_of(holding)
    if not placing.turn(row, words(crooked), PIECES, WORDS, quarter):
        assert crooked != square
        assert row == row_of(holding)
