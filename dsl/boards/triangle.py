"""`board triangle(side)`: hexagonal cells in a triangle that stands on a side, the board of Y."""

from __future__ import annotations

from collections.abc import Sequence

from dsl.boards import outlines
from dsl.boards.kind import Cells, Shape
from dsl.boards.rows import RowsOfCells


class Triangle(RowsOfCells):
    """Rows of 1, 2, ... side cells, each half a cell to the left of the one above; six neighbours.

    Points are (row, column); a step to the southwest keeps the column, one to the southeast makes it one more.
    """

    word = "triangle"
    arguments = ("side",)
    example = "triangle(5)"
    also_called = ("triangular", "triangles", "pyramid", "delta")
    steps = {
        "northwest": (-1, -1), "northeast": (-1, 0), "east": (0, 1),
        "southeast": (1, 1), "southwest": (1, 0), "west": (0, -1),
    }
    direction_sets = {"directions": tuple(steps)}
    regions = {
        "cells": lambda shape, row, column: True,
        "left": lambda shape, row, column: column == 0,
        "right": lambda shape, row, column: column == row,
        "bottom": lambda shape, row, column: row == shape[0] - 1,
        "corners": lambda shape, row, column: row == 0 or (row == shape[0] - 1 and column in (0, row)),
        "edges": lambda shape, row, column: column in (0, row) or row == shape[0] - 1,
    }
    symmetries = {
        "third turn": ("third turn",),
        "all turns": ("third turn",),
        "left right mirror": ("left right mirror",),
        "all turns and mirrors": ("third turn", "left right mirror"),
    }
    matrices = {
        "third turn": ((-1, 1), (-1, 0)),
        "left right mirror": ((1, 0), (1, -1)),
    }
    turn = "third turn"
    ahead = (-1, -1)
    halves = -1
    outline = outlines.POINTED
    borders = {"left": ("west", "northwest"), "right": ("northeast", "east"), "bottom": ("southeast", "southwest")}

    def cell_count(self, shape: Shape) -> int:
        return shape[0] * (shape[0] + 1) // 2

    def row_count(self, shape: Shape) -> int:
        return shape[0]

    def column_count(self, shape: Shape) -> int:
        return shape[0]

    def cells(self, shape: Shape) -> Sequence[tuple[int, int]]:
        return [(row, column) for row in range(shape[0]) for column in range(row + 1)]

    def columns_labelled_below(self, board: Cells) -> bool:
        return True


KIND = Triangle()
