"""Borders and vertices of a board's cells: the sides between cells, and the corners where cells meet.

A border is a side of a cell, shared with the cell beyond it where there is one; a vertex is a corner of a square cell,
shared with the cells around it. Both are numbered in the order of the cells, with directions in board order. They are
named by a cell and a direction, of several possible names by the first: `a1n`, `a1e`, `a1ne`. Cells left out of a board
are not considered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from string import ascii_lowercase

import attrs

from dsl.boards.kind import Kind, Shape

BORDER, VERTEX = "border", "vertex"
"""The two kinds of sites; they are also indices of variables."""
PLURALS = {"borders": BORDER, "vertices": VERTEX}
"""The sets of all sites of a kind."""
INNER = {"inner_borders": BORDER, "inner_vertices": VERTEX}
"""The sets of borders between two cells, and of vertices with cells all around."""

_AROUND = {BORDER: 2, VERTEX: 4}
"""The number of cells around a site inside a board; only boards with right angles have vertices."""


@attrs.frozen(eq=False)
class Sites:
    """The borders or the vertices of a board."""

    of_cell: Mapping[tuple[int, int], int]
    """The number of a site by cell and direction."""
    cells: tuple[tuple[int, ...], ...]
    """The cells at each site."""
    sides: tuple[tuple[int, int], ...]
    """For each site the cell and the direction that it is named by."""
    names: tuple[str, ...]
    points: tuple[tuple[int, int], ...]
    """The positions of the sites between the points of cells, in doubled coordinates."""
    around: int
    """The number of cells around a site inside the board."""

    @property
    def inner(self) -> tuple[int, ...]:
        """The sites with cells all around."""
        return tuple(number for number, cells in enumerate(self.cells) if len(cells) == self.around)


def has_sites(kind: Kind, what: str) -> bool:
    """Whether a kind of board has borders, or vertices."""
    return kind.bounded and not kind.of_paths and (what == BORDER or kind.right_angles)


@lru_cache(maxsize=32)
def sites(kind: Kind, shape: Shape, what: str) -> Sites:
    """The borders or vertices of a full board."""
    cells = kind.cells(shape)
    points = [kind.point(shape, row, column) for row, column in cells]
    straight = kind.direction_sets[kind.neighbouring]
    wanted = [name for name in kind.directions if (name in straight) == (what == BORDER)]
    numbers: dict[tuple[int, int], int] = {}
    result: dict[tuple[int, int], list[tuple[int, int]]] = {}  # by doubled point of the site: its cells and directions
    for cell, (x, y) in enumerate(points):
        for name in wanted:
            dx, dy = kind.steps[name]
            result.setdefault((2 * x + dx, 2 * y + dy), []).append((cell, kind.directions.index(name)))
    for number, ways in enumerate(result.values()):
        numbers.update(dict.fromkeys(ways, number))
    sides = tuple(min(ways, key=lambda way: way[1]) for ways in result.values())
    names = tuple(_name(kind, shape, cells[cell]) + _initials(kind.directions[way]) for cell, way in sides)
    return Sites(numbers, tuple(tuple(sorted(cell for cell, _ in ways)) for ways in result.values()), sides, names,
                 tuple(result), _AROUND[what])


@lru_cache(maxsize=32)
def cells_from(kind: Kind, shape: Shape, what: str) -> Mapping[tuple[int, int], int]:
    """The cell in a direction from a border or vertex, by the number of the site and the direction."""
    back = {number: next(way for way, other in enumerate(kind.directions) if kind.steps[other] == (-dx, -dy))
            for number, name in enumerate(kind.directions) for dx, dy in (kind.steps[name],)}
    return {(number, back[way]): cell for (cell, way), number in sites(kind, shape, what).of_cell.items()}


@lru_cache(maxsize=32)
def borders_from(kind: Kind, shape: Shape) -> Mapping[tuple[int, int], int]:
    """The border in a direction from a vertex, by the number of the vertex and the direction."""
    at = {point: number for number, point in enumerate(sites(kind, shape, BORDER).points)}
    return {(number, way): at[x + dx, y + dy] for number, (x, y) in enumerate(sites(kind, shape, VERTEX).points)
            for way, name in enumerate(kind.directions) for dx, dy in (kind.steps[name],) if (x + dx, y + dy) in at}


def _name(kind: Kind, shape: Shape, cell: Sequence[int]) -> str:
    """The name of a cell where the game does not declare how cells are named."""
    row, column = cell
    number = kind.row_count(shape) - row if "up" in kind.coordinates else row + 1
    letters, rest = "", column + 1
    while rest:
        rest, digit = divmod(rest - 1, 26)
        letters = ascii_lowercase[digit] + letters
    return f"{letters}{number}"


def _initials(direction: str) -> str:
    return direction.replace("north", "n").replace("south", "s").replace("east", "e").replace("west", "w")
