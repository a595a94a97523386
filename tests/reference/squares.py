"""Square grids for the references: places, their names, and their neighbours.

A place is (x, y): the column from the left and the row from the bottom, both from 0. Its name is the column's letter
and the row's number: (0, 0) is a1.
"""

from __future__ import annotations

from string import ascii_lowercase

Place = tuple[int, int]


def places(rows: int, columns: int) -> list[Place]:
    """All places, row by row from the top."""
    return [(x, y) for y in reversed(range(rows)) for x in range(columns)]


def name(place: Place) -> str:
    """Return the name of a place."""
    x, y = place
    return f"{ascii_lowercase[x]}{y + 1}"


def beside(place: Place) -> list[Place]:
    """The places above, below, left and right, whether or not they are on the board."""
    x, y = place
    return [(x, y + 1), (x, y - 1), (x - 1, y), (x + 1, y)]
