"""`board unbounded hexagon(room)`: hexagonal cells without borders."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from dsl.boards import outlines
from dsl.boards.hexagon import Hexagon
from dsl.boards.kind import Cells, Label, Placed, Shape, centred
from dsl.boards.lattice import Matrix, Point, turned
from dsl.boards.outlines import Place
from dsl.boards.window import Window

_WIDTH = math.sqrt(0.75)
"""The distance between columns."""
_AROUND = 4
"""The minimum margin of cells in the window around the images of the occupied cells."""


class UnboundedHexagon(Window):
    """Directions are those of a hexagon. Rows run to the southeast, columns downwards; points are axial: (q, r).

    The window is a rhombus, which a sixth of a turn does not map onto itself. It is therefore twice as wide as the
    room: the occupied cells begin half a room before the middle, and their image by any turn or mirror about the middle
    is still in the window. The extent along all three axes is limited, so that images are no larger.
    """

    word = "unbounded hexagon"
    default = (16,)
    example = "unbounded hexagon"
    also_called = (
        "hexagon unbounded", "infinite hexagon", "endless hexagon", "unlimited hexagon", "borderless hexagon",
        "unbounded hexagonal",
    )
    steps = Hexagon.steps
    direction_sets = Hexagon.direction_sets
    regions = {"origin": lambda shape, row, column: row == column == _home(shape) - 1}
    symmetries = Hexagon.symmetries
    matrices = Hexagon.matrices
    turn = Hexagon.turn
    across = Hexagon.across
    ahead = Hexagon.ahead
    third_axis = True
    outline = outlines.FLAT

    def side(self, shape: Shape) -> int:
        return 2 * _middle(shape) + 1

    def home(self, shape: Shape) -> int:
        return _home(shape)

    def point(self, shape: Shape, row: int, column: int) -> Point:
        return column, row

    def place(self, shape: Shape, row: int, column: int) -> Place:
        return _WIDTH * column, row + column / 2

    def images(self, shape: Shape, points: Sequence[Point], matrix: Matrix) -> tuple[int, ...]:
        """Turned and mirrored about the middle of the window.

        The window is treated as a torus, so that the map is one to one; occupied cells do not reach the seam.
        """
        middle, side = _middle(shape), self.side(shape)
        result = []
        for q, r in points:
            x, y = turned((q - middle, r - middle), matrix)
            result.append((y + middle) % side * side + (x + middle) % side)
        return tuple(result)

    def text(self, board: Cells, glyphs: Sequence[str], rows: range, columns: range) -> list[Placed]:
        """Two lines for each cell, each column one line below the one to its left; rows' labels before their first
        cells."""
        column_labels = [board.column_label(column) for column in columns]
        width = max(map(len, (*glyphs, *column_labels)))
        pitch = width + 2

        def line_at(row: int, column: int) -> int:
            return 2 * row + column

        placed = [Placed(line_at(rows.start - 1, column), pitch * column, centred(label, width))
                  for column, label in zip(columns, column_labels, strict=True)]
        for row in rows:
            label = board.row_label(row)
            end = pitch * (columns.start - 1) + width
            placed.append(Placed(line_at(row, columns.start - 1), end - len(label), label))
        for cell, (row, column) in enumerate(zip(board.row_of, board.column_of, strict=True)):
            if row in rows and column in columns:
                placed.append(Placed(line_at(row, column), pitch * column, centred(glyphs[cell], width), cell))
        return placed

    def labels(self, board: Cells, shown: Sequence[int], places: Sequence[Place], left: float) -> Iterator[Label]:
        rows = sorted({board.row_of[cell] for cell in shown})
        columns = sorted({board.column_of[cell] for cell in shown})
        for column in columns:
            x, y = self.place(board.shape, rows[0], column)
            yield Label((x, y - 0.85), board.column_label(column))
        for row in rows:
            x, y = self.place(board.shape, row, columns[0])
            yield Label((x - 0.75, y - 0.42), board.row_label(row))


def _middle(shape: Shape) -> int:
    """The row and column about which the window is turned."""
    return shape[0] + _AROUND


def _home(shape: Shape) -> int:
    """The row and column half a room before the middle."""
    return _middle(shape) - shape[0] // 2


KIND = UnboundedHexagon()
