"""Havannah, without the pie rule: a player wins with a ring, a bridge or a fork.

- ring: a closed chain around at least one cell, which may be empty or of any colour;
- bridge: a chain that contains two corners;
- fork: a chain that touches three sides; corner cells belong to no side.

The board is a hexagon of hexagons; columns are straight, and a cell's name is the column's letter and its number from
the top of its column. A move is the name of an empty cell. White moves first; a full board without a winner is a
draw.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import NamedTuple

from tests.reference.rules import DRAW, Rules

PIECE = {"White": "white", "Black": "black"}
OTHER = {"White": "Black", "Black": "White"}

CASES: list[dict[str, int]] = [{"size": 2}, {"size": 3}, {"size": 4}, {"size": 5}]

Cell = tuple[int, int]  # (x, y) of three coordinates with x + y + z = 0, each from -(size - 1) to size - 1
STEPS = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)]


def hexagon(size: int) -> dict[str, Cell]:
    """Map the names of all cells to the cells, column by column, each from the top."""
    last = size - 1
    names = {}
    for x in range(-last, last + 1):
        column = [(x, y) for y in range(-last, last + 1) if abs(x + y) <= last]
        names.update({f"{ascii_lowercase[x + last]}{number}": cell for number, cell in enumerate(column, start=1)})
    return names


def flood(start: Cell, through: set[Cell]) -> set[Cell]:
    """The cells of a set that are connected to a cell, and the cell itself."""
    found, waiting = {start}, [start]
    while waiting:
        x, y = waiting.pop()
        for dx, dy in STEPS:
            cell = (x + dx, y + dy)
            if cell in through and cell not in found:
                found.add(cell)
                waiting.append(cell)
    return found


class State(NamedTuple):
    """Pieces in the order of the names, "" for an empty cell, and the player to move."""

    pieces: tuple[str, ...]
    mover: str


class Reference(Rules[State]):
    """Havannah with `size` cells on each side."""

    def __init__(self, *, size: int = 8) -> None:
        self.last = size - 1
        self.cells = hexagon(size)
        self.names = list(self.cells)

    def start(self) -> State:
        return State(("",) * len(self.cells), "White")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        player = OTHER[state.mover]  # the player who just moved
        stones = {cell for cell, piece in zip(self.cells.values(), state.pieces, strict=True) if piece == PIECE[player]}
        if self.has_ring(stones) or any(self.bridges_or_forks(flood(cell, stones)) for cell in stones):
            return player
        return None if "" in state.pieces else DRAW

    def sides(self, cell: Cell) -> set[tuple[str, int]]:
        """The sides that a cell is on: none, one, or two for a corner."""
        x, y = cell
        return {(axis, value) for axis, value in zip("xyz", (x, y, -x - y), strict=True) if abs(value) == self.last}

    def has_ring(self, stones: set[Cell]) -> bool:
        """Whether the stones enclose a cell: no stone-free path leads from the border to it or to a neighbour of it."""
        others = set(self.cells.values()) - stones
        outside = set().union(*(flood(cell, others) for cell in others if self.sides(cell)))
        return any(
            not self.sides((x, y)) and outside.isdisjoint([(x, y), *((x + dx, y + dy) for dx, dy in STEPS)])
            for x, y in self.cells.values()
        )

    def bridges_or_forks(self, chain: set[Cell]) -> bool:
        touched = [self.sides(cell) for cell in chain]
        corners = [sides for sides in touched if len(sides) == 2]
        return len(corners) >= 2 or len(set().union(*(sides for sides in touched if len(sides) == 1))) >= 3

    def options(self, state: State) -> list[str]:
        return [name for name, piece in zip(self.names, state.pieces, strict=True) if piece == ""]

    def after(self, state: State, move: str) -> State:
        pieces = list(state.pieces)
        pieces[self.names.index(move)] = PIECE[state.mover]
        return State(tuple(pieces), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {name: piece for name, piece in zip(self.names, state.pieces, strict=True) if piece}
