"""Hex, without the pie rule: Red joins the top row to the bottom row, Blue the left column to the right column.

The board is a rhombus of hexagons. Cells are named by column letter from the left and row number from the top (a1 is
top left). A move is the name of an empty cell. Red moves first; a player who joins the two sides wins; there is no
draw.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [*({"size": size} for size in (1, 2, 3, 4, 5, 7, 13)), {}]

PIECE = {"Red": "red", "Blue": "blue"}
OTHER = {"Red": "Blue", "Blue": "Red"}

Place = tuple[int, int]  # (row, column), both from 0


class State(NamedTuple):
    """Pieces row by row from the top, "" for an empty cell, and the player to move."""

    pieces: tuple[str, ...]
    mover: str


class Reference(Rules[State]):
    """Hex on a board of `size` x `size`, size up to 26."""

    def __init__(self, *, size: int = 11) -> None:
        if not 1 <= size <= 26:
            raise ValueError(f"no such board: size {size}")
        self.size = size
        self.places = [(row, column) for row in range(size) for column in range(size)]
        self.names = [f"{ascii_lowercase[column]}{row + 1}" for row, column in self.places]

    def start(self) -> State:
        return State(("",) * self.size**2, "Red")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        last = self.size - 1
        red = self._places_of(state, "red")
        blue = self._places_of(state, "blue")
        if any(row == last for row, _ in connected(red, {(row, column) for row, column in red if row == 0})):
            return "Red"
        if any(column == last for _, column in connected(blue, {(row, column) for row, column in blue if column == 0})):
            return "Blue"
        return None

    def options(self, state: State) -> list[str]:
        return [name for name, piece in zip(self.names, state.pieces, strict=True) if piece == ""]

    def after(self, state: State, move: str) -> State:
        pieces = list(state.pieces)
        pieces[self.names.index(move)] = PIECE[state.mover]
        return State(tuple(pieces), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {name: piece for name, piece in zip(self.names, state.pieces, strict=True) if piece}

    def _places_of(self, state: State, colour: str) -> set[Place]:
        return {place for place, piece in zip(self.places, state.pieces, strict=True) if piece == colour}


def connected(stones: set[Place], seeds: set[Place]) -> set[Place]:
    """The stones that chains of neighbouring stones connect to a seed, including the seeds, which are stones."""
    found = set(seeds)
    frontier = list(seeds)
    while frontier:
        row, column = frontier.pop()
        for neighbour in (
            (row - 1, column),
            (row + 1, column),
            (row, column - 1),
            (row, column + 1),
            (row - 1, column + 1),
            (row + 1, column - 1),
        ):
            if neighbour in stones and neighbour not in found:
                found.add(neighbour)
                frontier.append(neighbour)
    return found
