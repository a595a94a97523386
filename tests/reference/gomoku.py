"""Gomoku: Black and White in turn put a stone on an empty cell. Freestyle: `length` or more in a row win; with
`exact` only a row of exactly `length`. A full board is a draw.

A move is the name of a cell.
"""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

from tests.reference.lines import cell_names
from tests.reference.rules import DRAW, Rules

CASES: list[dict[str, int]] = [
    {},
    {"exact": 1},
    {"size": 5, "length": 3},
    {"size": 5, "length": 3, "exact": 1},
    {"size": 7, "length": 4, "exact": 1},
]

PIECE = {"Black": "black", "White": "white"}
OTHER = {"Black": "White", "White": "Black"}


class State(NamedTuple):
    """Pieces row by row from the top, "" for an empty cell, and the player to move."""

    pieces: tuple[str, ...]
    mover: str


class Reference(Rules[State]):
    """Gomoku on a square board."""

    def __init__(self, *, size: int = 15, length: int = 5, exact: int = 0) -> None:
        self.names = cell_names(size, size)
        self.length = length
        self.exact = exact
        places = range(size)
        # The cells of every row, column and diagonal over its whole length.
        self.lanes = [
            *([row * size + column for column in places] for row in places),
            *([row * size + column for row in places] for column in places),
            *([row * size + row + by for row in places if 0 <= row + by < size] for by in range(-size, size)),
            *([row * size + by - row for row in places if 0 <= by - row < size] for by in range(2 * size)),
        ]

    def start(self) -> State:
        return State(("",) * len(self.names), "Black")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        for player in ("Black", "White"):
            for lane in self.lanes:
                for piece, run in groupby(lane, key=lambda cell: state.pieces[cell]):
                    many = len(list(run))
                    if piece == PIECE[player] and (many == self.length or (many > self.length and not self.exact)):
                        return player
        return None if "" in state.pieces else DRAW

    def options(self, state: State) -> list[str]:
        return [name for name, piece in zip(self.names, state.pieces, strict=True) if piece == ""]

    def after(self, state: State, move: str) -> State:
        pieces = list(state.pieces)
        pieces[self.names.index(move)] = PIECE[state.mover]
        return State(tuple(pieces), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {name: piece for name, piece in zip(self.names, state.pieces, strict=True) if piece}
