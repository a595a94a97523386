"""Unlur: two players with unequal aims on a hexagon of hexagons; by passing, one of them becomes Black.

At first both place black stones, on cells that are not on the edge. Instead of placing, the player to move may `pass`,
and is Black from then on; the other player is White and moves. Then each places stones of their own colour on any empty
cell. A line is a chain that touches two opposite sides, a Y one that touches three sides no two of which meet; a corner
cell touches two sides. White wins with a white line, Black with a black Y; a player who makes the other's shape without
having the own one loses. Cells are named as in `havannah`.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.havannah import Cell, flood, hexagon
from tests.reference.rules import Rules

OTHER = {"First": "Second", "Second": "First"}

CASES: list[dict[str, int]] = [{"size": 3}, {"size": 4}, {}]


class State(NamedTuple):
    """The pieces in the order of the names, "" for an empty cell; who is Black, "" for nobody; the player to move."""

    pieces: tuple[str, ...]
    black: str
    mover: str


class Reference(Rules[State]):
    """Unlur with `size` cells on each side."""

    def __init__(self, *, size: int = 6) -> None:
        self.last = size - 1
        self.cells = hexagon(size)
        self.names = list(self.cells)

    def start(self) -> State:
        return State(("",) * len(self.cells), "", "First")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        if not state.black:
            return None
        just_moved = OTHER[state.mover]
        colour = "black" if just_moved == state.black else "white"
        chains = self.chains(state, colour)
        own, wrong = (self.is_y, self.is_line) if colour == "black" else (self.is_line, self.is_y)
        if any(own(chain) for chain in chains):
            return just_moved
        return state.mover if any(wrong(chain) for chain in chains) else None

    def chains(self, state: State, colour: str) -> list[set[tuple[str, int]]]:
        """For each stone of a colour, the sides that its chain touches."""
        stones = {cell for cell, piece in zip(self.cells.values(), state.pieces, strict=True) if piece == colour}
        return [set().union(*(self.sides(cell) for cell in flood(stone, stones))) for stone in stones]

    def sides(self, cell: Cell) -> set[tuple[str, int]]:
        """The sides that a cell is on, where z = -x - y; opposite sides have the same letter."""
        x, y = cell
        return {
            (axis, value // self.last)
            for axis, value in zip("xyz", (x, y, -x - y), strict=True)
            if abs(value) == self.last
        }

    def is_line(self, sides: set[tuple[str, int]]) -> bool:
        return any({(axis, 1), (axis, -1)} <= sides for axis in "xyz")

    def is_y(self, sides: set[tuple[str, int]]) -> bool:
        """Whether a chain touches three sides of one sign; sides that meet in a corner have opposite signs."""
        return any({("x", sign), ("y", sign), ("z", sign)} <= sides for sign in (1, -1))

    def options(self, state: State) -> list[str]:
        free = [name for name, piece in zip(self.names, state.pieces, strict=True) if piece == ""]
        if state.black:
            return free
        return [name for name in free if not self.sides(self.cells[name])] + ["pass"]

    def after(self, state: State, move: str) -> State:
        if move == "pass":
            return State(state.pieces, state.mover, OTHER[state.mover])
        pieces = list(state.pieces)
        pieces[self.names.index(move)] = "white" if state.black == OTHER[state.mover] else "black"
        return State(tuple(pieces), state.black, OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {name: piece for name, piece in zip(self.names, state.pieces, strict=True) if piece}

    def variables(self, state: State) -> dict[str, object]:
        return {"black_is": list(OTHER).index(state.black) if state.black else None}
