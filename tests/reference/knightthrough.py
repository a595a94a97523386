"""Knightthrough: a race of knights to the far row.

White, at the bottom, moves first. Each side has two full rows of knights, or as many as `filled` says. A knight moves
as in chess, to an empty cell or onto a knight of the other side, which it captures, but only towards the far row.
Reaching the far row wins; so does leaving the other side without a move. Cells are named by column letter from the left
and row number from the bottom; a move is both its cells with `-` between them.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [
    {},
    {"rows": 5, "columns": 3},
    {"rows": 6, "columns": 5},
    {"rows": 7, "columns": 4, "filled": 1},
]

PIECE = {"White": "white", "Black": "black"}
OTHER = {"White": "Black", "Black": "White"}
AHEAD = {"White": 1, "Black": -1}
STEPS = [(1, -2), (1, 2), (2, -1), (2, 1)]  # rows ahead, columns aside


class State(NamedTuple):
    """The pieces as cell and piece name, and the player to move."""

    pieces: frozenset[tuple[str, str]]
    mover: str


class Reference(Rules[State]):
    """Knightthrough on a board of any size."""

    def __init__(self, *, rows: int = 8, columns: int = 8, filled: int = 2) -> None:
        self.rows, self.columns, self.filled = rows, columns, filled

    def start(self) -> State:
        pieces = set()
        for letter in ascii_lowercase[: self.columns]:
            for row in range(self.filled):
                pieces |= {(f"{letter}{row + 1}", "white"), (f"{letter}{self.rows - row}", "black")}
        return State(frozenset(pieces), "White")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        for cell, piece in state.pieces:
            row = int(cell[1:])
            if piece == "white" and row == self.rows:
                return "White"
            if piece == "black" and row == 1:
                return "Black"
        return None if self.options(state) else OTHER[state.mover]

    def options(self, state: State) -> list[str]:
        own = {cell for cell, piece in state.pieces if piece == PIECE[state.mover]}
        found = []
        for cell in own:
            column, row = ascii_lowercase.index(cell[0]), int(cell[1:])
            for ahead, aside in STEPS:
                target = column + aside, row + ahead * AHEAD[state.mover]
                if 0 <= target[0] < self.columns and 1 <= target[1] <= self.rows:
                    name = f"{ascii_lowercase[target[0]]}{target[1]}"
                    if name not in own:
                        found.append(f"{cell}-{name}")
        return found

    def after(self, state: State, move: str) -> State:
        start, end = move.split("-")
        pieces = self.board(state)
        pieces[end] = pieces.pop(start)
        return State(frozenset(pieces.items()), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return dict(state.pieces)
