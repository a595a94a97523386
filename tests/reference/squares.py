"""Square grids for the references: places, their names, and the places next to them.

A place is (x, y): column from the left and row from the bottom, both from 0. Its name is the column's letter and the
row's number: (0, 0) is a1.
"""

from __future__ import annotations

from string import ascii_lowercase

Place = tuple[int, int]


def places(rows: int, columns: int) -> list[Place]:
    """Every place, row by row from the top."""
    return [(x, y) for y in reversed(range(rows)) for x in range(columns)]


def name(place: Place) -> str:
    """What a place is called."""
    x, y = place
    return f"{ascii_lowercase[x]}{y + 1}"


def beside(place: Place) -> list[Place]:
    """The places above, below, to the left and to the right, on the board or not."""
    x, y = place
    return [(x, y + 1), (x, y - 1), (x - 1, y), (x + 1, y)]
