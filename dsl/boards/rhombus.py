"""`board rhombus(rows, columns)`: hexagonal cells, each row half a cell to the right of the one above."""

from __future__ import annotations

from dsl.boards import outlines
from dsl.boards.rows import RowsOfCells
from dsl.boards.square import Square


class Rhombus(RowsOfCells):
    """Each cell has six neighbours. Points are (row, column)."""

    word = "rhombus"
    arguments = ("rows", "columns")
    example = "rhombus(5, 5)"
    also_called = ("hex", "parallelogram", "diamond", "rhomb", "rhomboid", "lozenge")
    steps = {
        "northwest": (-1, 0), "northeast": (-1, 1), "east": (0, 1),
        "southeast": (1, 0), "southwest": (1, -1), "west": (0, -1),
    }
    direction_sets = {"directions": tuple(steps)}
    regions = Square.regions
    symmetries = {
        "half turn": ("half turn",),
        "diagonal mirror": ("diagonal mirror",),
        "antidiagonal mirror": ("antidiagonal mirror",),
        "all mirrors": ("diagonal mirror", "antidiagonal mirror"),
        "all turns and mirrors": ("half turn", "diagonal mirror"),
    }
    matrices = {
        "half turn": ((-1, 0), (0, -1)),
        "diagonal mirror": ((0, 1), (1, 0)),
        "antidiagonal mirror": ((0, -1), (-1, 0)),
    }
    turn = "half turn"
    halves = 1
    outline = outlines.POINTED
    borders = {"top": ("northwest", "northeast"), "bottom": ("southeast", "southwest"),
               "left": ("southwest", "west"), "right": ("northeast", "east")}


KIND = Rhombus()
