"""`board unbounded square(room)`: square cells without borders."""

from __future__ import annotations

from dsl.boards import outlines
from dsl.boards.kind import Shape
from dsl.boards.rows import RowsOfCells
from dsl.boards.square import Square
from dsl.boards.window import Window

_MARGIN = 4
"""The number of rows and columns by which the window exceeds the room."""
_HOME = 2


class UnboundedSquare(Window, RowsOfCells):
    """Directions and symmetries are those of a square board; all of these map the window onto itself."""

    word = "unbounded square"
    default = (32,)
    example = "unbounded square"
    also_called = (
        "infinite", "endless", "unlimited", "borderless", "unbounded", "infinite square", "endless square",
        "unlimited square", "borderless square", "square unbounded",
    )
    steps = Square.steps
    direction_sets = Square.direction_sets
    neighbouring = Square.neighbouring
    regions = {"origin": lambda shape, row, column: row == column == _HOME - 1}
    symmetries = Square.symmetries
    matrices = Square.matrices
    turn = Square.turn
    right_angles = True
    outline = outlines.SQUARE

    def side(self, shape: Shape) -> int:
        return shape[0] + _MARGIN

    def home(self, shape: Shape) -> int:
        return _HOME


KIND = UnboundedSquare()
