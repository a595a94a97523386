"""`board square(rows, columns)`: cells in rows and columns at right angles."""

from __future__ import annotations

from dsl.boards import outlines
from dsl.boards.rows import RowsOfCells


class Square(RowsOfCells):
    """Each cell has four neighbours, with diagonals up to eight. Points are (row, column)."""

    word = "square"
    arguments = ("rows", "columns")
    example = "square(3, 3)"
    also_called = (
        "rectangle", "rect", "rectangular", "grid", "squares", "chess", "quadratic", "matrix", "checkerboard",
    )
    steps = {
        "north": (-1, 0), "northeast": (-1, 1), "east": (0, 1), "southeast": (1, 1),
        "south": (1, 0), "southwest": (1, -1), "west": (0, -1), "northwest": (-1, -1),
    }
    direction_sets = {
        "directions": tuple(steps),
        "orthogonals": ("north", "east", "south", "west"),
        "diagonals": ("northeast", "southeast", "southwest", "northwest"),
    }
    neighbouring = "orthogonals"
    regions = {
        "cells": lambda shape, row, column: True,
        "top": lambda shape, row, column: row == 0,
        "bottom": lambda shape, row, column: row == shape[0] - 1,
        "left": lambda shape, row, column: column == 0,
        "right": lambda shape, row, column: column == shape[1] - 1,
        "corners": lambda shape, row, column: row in (0, shape[0] - 1) and column in (0, shape[1] - 1),
        "edges": lambda shape, row, column: row in (0, shape[0] - 1) or column in (0, shape[1] - 1),
    }
    symmetries = {
        "half turn": ("half turn",),
        "quarter turn": ("quarter turn",),
        "all turns": ("quarter turn",),
        "left right mirror": ("left right mirror",),
        "top bottom mirror": ("top bottom mirror",),
        "diagonal mirror": ("diagonal mirror",),
        "antidiagonal mirror": ("antidiagonal mirror",),
        "all mirrors": ("left right mirror", "diagonal mirror"),
        "all turns and mirrors": ("quarter turn", "left right mirror"),
    }
    matrices = {
        "half turn": ((-1, 0), (0, -1)),
        "quarter turn": ((0, 1), (-1, 0)),
        "left right mirror": ((1, 0), (0, -1)),
        "top bottom mirror": ((-1, 0), (0, 1)),
        "diagonal mirror": ((0, 1), (1, 0)),
        "antidiagonal mirror": ((0, -1), (-1, 0)),
    }
    turn = "quarter turn"
    coordinates = "{column:a}{row:1 up}"
    right_angles = True
    outline = outlines.SQUARE
    borders = {"top": ("north",), "bottom": ("south",), "left": ("west",), "right": ("east",)}
    drawn_in_part = True


KIND = Square()
