"""`board hexagon(side)`: hexagonal cells in a hexagon, in columns."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from dsl.boards import outlines
from dsl.boards.kind import Cells, Kind, Label, Placed, Shape, centred
from dsl.boards.lattice import Point
from dsl.boards.outlines import Place

_WIDTH = math.sqrt(0.75)
"""The distance between columns."""


def _height(shape: Shape, column: int) -> int:
    """The number of cells in a column: side, side + 1, ... 2 side - 1, ... side."""
    return 2 * shape[0] - 1 - abs(column - (shape[0] - 1))


def _ends(shape: Shape, row: int, column: int) -> bool:
    """Whether a cell is the first or the last of its column."""
    return row in (0, _height(shape, column) - 1)


class Hexagon(Kind):
    """Each cell has six neighbours; a row is the index of a cell within its column.

    Points are axial: (q, r), q counts columns to the right, r downwards, and a step to the southeast keeps r.
    """

    word = "hexagon"
    arguments = ("side",)
    example = "hexagon(4)"
    also_called = ("hexhex", "hexagonal", "hexagons", "honeycomb", "hexes", "hex")
    steps = {
        "north": (0, -1), "northeast": (1, -1), "southeast": (1, 0),
        "south": (0, 1), "southwest": (-1, 1), "northwest": (-1, 0),
    }
    direction_sets = {"directions": tuple(steps)}
    regions = {
        "cells": lambda shape, row, column: True,
        "corners": lambda shape, row, column: (
            _ends(shape, row, column) and column in (0, shape[0] - 1, 2 * shape[0] - 2)),
        "edges": lambda shape, row, column: _ends(shape, row, column) or column in (0, 2 * shape[0] - 2),
        "left": lambda shape, row, column: column == 0,
        "right": lambda shape, row, column: column == 2 * shape[0] - 2,
        "top_left": lambda shape, row, column: row == 0 and column < shape[0],
        "top_right": lambda shape, row, column: row == 0 and column >= shape[0] - 1,
        "bottom_left": lambda shape, row, column: row == _height(shape, column) - 1 and column < shape[0],
        "bottom_right": lambda shape, row, column: row == _height(shape, column) - 1 and column >= shape[0] - 1,
    }
    symmetries = {
        "half turn": ("half turn",),
        "sixth turn": ("sixth turn",),
        "third turn": ("third turn",),
        "all turns": ("sixth turn",),
        "left right mirror": ("left right mirror",),
        "top bottom mirror": ("top bottom mirror",),
        "all turns and mirrors": ("sixth turn", "left right mirror"),
    }
    matrices = {
        "half turn": ((-1, 0), (0, -1)),
        "sixth turn": ((0, -1), (1, 1)),
        "third turn": ((-1, -1), (1, 0)),
        "left right mirror": ((-1, 0), (1, 1)),
        "top bottom mirror": ((1, 0), (-1, -1)),
    }
    turn = "sixth turn"
    across = (1, 0)
    ahead = (0, -1)
    rows_within_columns = True
    outline = outlines.FLAT
    borders = {"left": ("southwest", "northwest"), "right": ("northeast", "southeast"),
               "top_left": ("northwest", "north"), "top_right": ("north", "northeast"),
               "bottom_left": ("southwest", "south"), "bottom_right": ("south", "southeast")}

    def cell_count(self, shape: Shape) -> int:
        return 3 * shape[0] * (shape[0] - 1) + 1

    def row_count(self, shape: Shape) -> int:
        return 2 * shape[0] - 1

    def column_count(self, shape: Shape) -> int:
        return 2 * shape[0] - 1

    def cells(self, shape: Shape) -> Sequence[tuple[int, int]]:
        return [(row, column) for column in range(self.column_count(shape)) for row in range(_height(shape, column))]

    def point(self, shape: Shape, row: int, column: int) -> Point:
        return column, row + max(0, shape[0] - 1 - column)

    def place(self, shape: Shape, row: int, column: int) -> Place:
        return _WIDTH * column, row + abs(column - (shape[0] - 1)) / 2

    def text(self, board: Cells, glyphs: Sequence[str], rows: range, columns: range) -> list[Placed]:
        """Two lines for each cell, neighbouring columns shifted by one line, labels beside the left corner.

        A row is a bent line of cells, as rows are counted within their columns: its label is before its first cell.
        Where rows count upwards, they bend the other way, and the columns' labels are below.
        """
        middle = board.shape[0] - 1
        width = max(map(len, glyphs))
        pitch = width + 2

        def line_at(row: int, column: int) -> int:
            return 2 * row + abs(column - middle)

        def column_at(column: int) -> int:
            return pitch * column

        def flipped(line: int) -> int:
            return 4 * middle - line if board.rows_count_up else line

        placed = []
        for column in range(board.column_count):
            label = board.column_label(column)
            placed.append(Placed(flipped(line_at(-1, column)), column_at(column), centred(label, width)))
        for number in range(board.row_count):  # in the order of the labels
            label = board.row_text(board.row_count - 1 - number if board.rows_count_up else number)
            first = max(0, number - middle)
            line = flipped(line_at(number, first) + 1)
            placed.append(Placed(line, column_at(first - 1) + width - len(label), label))
        for cell, (row, column) in enumerate(zip(board.row_of, board.column_of, strict=True)):
            placed.append(Placed(line_at(row, column), column_at(column), centred(glyphs[cell], width), cell))
        return placed

    def labels(self, board: Cells, shown: Sequence[int], places: Sequence[Place], left: float) -> Iterator[Label]:
        """Columns above (or below) their first cell, rows at the beginning of their bent line, as in the text."""
        middle = board.shape[0] - 1

        def flipped(y: float) -> float:
            return 2 * middle - y if board.rows_count_up else y

        for column in range(board.column_count):
            above = abs(column - middle) / 2 - 0.85
            yield Label((_WIDTH * column, flipped(above)), board.column_label(column))
        for line in range(board.row_count):
            index = board.row_count - 1 - line if board.rows_count_up else line
            first = max(0, line - middle)
            beside = line + abs(first - middle) / 2 + 0.4
            yield Label((_WIDTH * (first - 1) + 0.15, flipped(beside)), board.row_text(index))


KIND = Hexagon()
