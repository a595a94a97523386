"""Boards without borders: a square array of cells, the window, that follows the occupied cells.

After each move everything is shifted so that the extent of the occupied cells begins at the window's home; the position
does not depend on where it is on the board. Positions larger than the room that the game asks for are not supported.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from dsl.boards.kind import Kind, Shape


class Window(Kind):
    """A kind of board without borders; its argument is the room: the maximum number of rows and columns that the
    occupied cells may extend over."""

    arguments = ("room",)
    bounded = False
    rows_and_columns = False
    drawn_in_part = True
    coordinates = "{column:@}{row:0}"
    third_axis: ClassVar[bool] = False
    """Whether the extent along the sums of row and column is also limited to the room."""

    def side(self, shape: Shape) -> int:
        """The number of rows, and of columns, of the window."""
        raise NotImplementedError

    def home(self, shape: Shape) -> int:
        """The row, and column, where the extent of the occupied cells begins; at least 2."""
        raise NotImplementedError

    def cell_count(self, shape: Shape) -> int:
        return self.side(shape) ** 2

    def row_count(self, shape: Shape) -> int:
        return self.side(shape)

    def column_count(self, shape: Shape) -> int:
        return self.side(shape)

    def cells(self, shape: Shape) -> Sequence[tuple[int, int]]:
        side = range(self.side(shape))
        return [(row, column) for row in side for column in side]
