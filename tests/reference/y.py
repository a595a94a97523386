"""Y, without the pie rule: a player wins with a chain that touches all three sides of a triangle.

The triangle is the part of a rhombus of hexagons with row + column < size: a cell's neighbours are left and right,
above and above to the right, below and below to the left. Corner cells belong to two sides. Cells are named by column
letter from the left and row number from the top; a move is the name of an empty cell. Black moves first; there are no
draws.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import NamedTuple

from tests.reference.hex import connected
from tests.reference.rules import Rules

PIECE = {"Black": "black", "White": "white"}
OTHER = {"Black": "White", "White": "Black"}

CASES: list[dict[str, int]] = [{"size": size} for size in range(1, 8)] + [{}]


class State(NamedTuple):
    """Pieces row by row from the top, "" for an empty cell, and the player to move."""

    pieces: tuple[str, ...]
    mover: str


class Reference(Rules[State]):
    """Y with `size` cells on each side."""

    def __init__(self, *, size: int = 13) -> None:
        self.size = size
        self.places = [(row, column) for row in range(size) for column in range(size - row)]
        self.names = [f"{ascii_lowercase[column]}{row + 1}" for row, column in self.places]

    def start(self) -> State:
        return State(("",) * len(self.places), "Black")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        for player, colour in PIECE.items():
            stones = {place for place, piece in zip(self.places, state.pieces, strict=True) if piece == colour}
            for stone in stones:
                chain = connected(stones, {stone})
                if (
                    any(row == 0 for row, _ in chain)
                    and any(column == 0 for _, column in chain)
                    and any(row + column == self.size - 1 for row, column in chain)
                ):
                    return player
        return None

    def options(self, state: State) -> list[str]:
        return [name for name, piece in zip(self.names, state.pieces, strict=True) if piece == ""]

    def after(self, state: State, move: str) -> State:
        pieces = list(state.pieces)
        pieces[self.names.index(move)] = PIECE[state.mover]
        return State(tuple(pieces), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {name: piece for name, piece in zip(self.names, state.pieces, strict=True) if piece}
