"""Breakthrough: a race of men to the far row.

White, at the bottom, moves first. Each side has two full rows of men, or as many as `filled` says. A man goes one cell
ahead: straight or diagonally to an empty cell, or diagonally onto a man of the other side, which it captures. Reaching
the far row wins; so does leaving the other side without a move, as by capturing its last man. Cells are named by column
letter from the left and row number from the bottom; a move is both its cells with `-` between them.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [
    {},
    {"rows": 3, "columns": 2, "filled": 1},
    {"rows": 5, "columns": 5},
    {"rows": 6, "columns": 3},
    {"rows": 11, "columns": 4, "filled": 3},
]

PIECE = {"White": "white", "Black": "black"}
OTHER = {"White": "Black", "Black": "White"}
AHEAD = {"White": 1, "Black": -1}

Rows = tuple[tuple[str, ...], ...]


class State(NamedTuple):
    """Rows from the bottom, "" for an empty cell, and the player to move."""

    rows: Rows
    mover: str


class Reference(Rules[State]):
    """Breakthrough on a board of any size."""

    def __init__(self, *, rows: int = 8, columns: int = 8, filled: int = 2) -> None:
        self.rows, self.columns, self.filled = rows, columns, filled

    def name(self, row: int, column: int) -> str:
        """Return the name of a cell."""
        return f"{ascii_lowercase[column]}{row + 1}"

    def start(self) -> State:
        white, empty, black = (((piece,) * self.columns,) for piece in ("white", "", "black"))
        return State(white * self.filled + empty * (self.rows - 2 * self.filled) + black * self.filled, "White")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        if "white" in state.rows[-1]:
            return "White"
        if "black" in state.rows[0]:
            return "Black"
        return None if self.options(state) else OTHER[state.mover]

    def targets(self, state: State, row: int, column: int) -> list[tuple[int, int]]:
        """The cells that the mover's man on a cell can go to."""
        found = []
        ahead = row + AHEAD[state.mover]
        if 0 <= ahead < self.rows:
            for beside in (column - 1, column, column + 1):
                if 0 <= beside < self.columns:
                    piece = state.rows[ahead][beside]
                    if piece == "" or (piece != PIECE[state.mover] and beside != column):
                        found.append((ahead, beside))
        return found

    def options(self, state: State) -> list[str]:
        return [
            f"{self.name(row, column)}-{self.name(*target)}"
            for row, pieces in enumerate(state.rows)
            for column, piece in enumerate(pieces)
            if piece == PIECE[state.mover]
            for target in self.targets(state, row, column)
        ]

    def after(self, state: State, move: str) -> State:
        start, end = move.split("-")
        pieces = self.board(state)
        pieces[end] = pieces.pop(start)
        rows = tuple(
            tuple(pieces.get(self.name(row, column), "") for column in range(self.columns)) for row in range(self.rows)
        )
        return State(rows, OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {
            self.name(row, column): piece
            for row, pieces in enumerate(state.rows)
            for column, piece in enumerate(pieces)
            if piece
        }
