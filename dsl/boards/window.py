"""Boards without borders: a square array of cells, the window, that follows what stands on the board.

After each move everything is shifted so that its extent begins at the window's home; a position is the same wherever
it lies. What outgrows the room that the game asks for cannot be kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from dsl.boards.kind import Kind, Shape


class Window(Kind):
    """A kind of board without borders; its one argument is the room: how many rows and columns things may take."""

    arguments = ("room",)
    bounded = False
    rows_and_columns = False
    drawn_in_part = True
    coordinates = "{column:@}{row:0}"
    third_axis: ClassVar[bool] = False
    """Whether the extent along the sums of row and column may not exceed the room either."""

    def side(self, shape: Shape) -> int:
        """How many rows, and columns, the window has."""
        raise NotImplementedError

    def home(self, shape: Shape) -> int:
        """The row, and column, where the extent of what stands on the board begins; at least 2."""
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
