"""The borders and vertices of a board's cells: what lies between cells, and where cells meet at a corner.

A border is a side of a cell, shared with the cell beyond it where there is one; a vertex a corner of a square cell,
shared with those around it. Both are numbered in the order of the cells, directions in board order. They are called by
a cell and a direction, of several names by the first: `a1n`, `a1e`, `a1ne`. Cells left out of a board are not asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from string import ascii_lowercase

import attrs

from dsl.boards.kind import Kind, Shape

BORDER, VERTEX = "border", "vertex"
"""What they are called; indexes of variables."""
PLURALS = {"borders": BORDER, "vertices": VERTEX}
"""The sets of all of them."""


@attrs.frozen(eq=False)
class Sites:
    """The borders or the vertices of a board."""

    of_cell: Mapping[tuple[int, int], int]
    """The number by cell and direction."""
    cells: tuple[tuple[int, ...], ...]
    """The cells at each."""
    sides: tuple[tuple[int, int], ...]
    """For each the cell and the direction that it is called by."""
    names: tuple[str, ...]


def has_sites(kind: Kind, what: str) -> bool:
    """Whether the cells of a kind of board have borders, or vertices."""
    return kind.bounded and not kind.of_paths and (what == BORDER or kind.right_angles)


@lru_cache(maxsize=32)
def sites(kind: Kind, shape: Shape, what: str) -> Sites:
    """The borders or vertices of a full board."""
    cells = kind.cells(shape)
    points = [kind.point(shape, row, column) for row, column in cells]
    straight = kind.direction_sets[kind.neighbouring]
    wanted = [name for name in kind.directions if (name in straight) == (what == BORDER)]
    numbers: dict[tuple[int, int], int] = {}
    found: dict[tuple[int, int], list[tuple[int, int]]] = {}  # the doubled point in the middle: its cells and ways
    for cell, (x, y) in enumerate(points):
        for name in wanted:
            dx, dy = kind.steps[name]
            found.setdefault((2 * x + dx, 2 * y + dy), []).append((cell, kind.directions.index(name)))
    for number, ways in enumerate(found.values()):
        numbers.update(dict.fromkeys(ways, number))
    sides = tuple(min(ways, key=lambda way: way[1]) for ways in found.values())
    names = tuple(_name(kind, shape, cells[cell]) + _initials(kind.directions[way]) for cell, way in sides)
    return Sites(numbers, tuple(tuple(sorted(cell for cell, _ in ways)) for ways in found.values()), sides, names)


def _name(kind: Kind, shape: Shape, cell: Sequence[int]) -> str:
    """What a cell is called where the game does not say it."""
    row, column = cell
    number = kind.row_count(shape) - row if "up" in kind.coordinates else row + 1
    letters, rest = "", column + 1
    while rest:
        rest, digit = divmod(rest - 1, 26)
        letters = ascii_lowercase[digit] + letters
    return f"{letters}{number}"


def _initials(direction: str) -> str:
    return direction.replace("north", "n").replace("south", "s").replace("east", "e").replace("west", "w")
