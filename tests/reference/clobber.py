"""Clobber: stones that move only by capturing.

The board is full, white and black in turn as on a chess board, a1 being white; White moves first. A move takes one of
the mover's stones onto an orthogonally neighbouring stone of the other colour, which is removed. A player who cannot
move loses. Cells are named by column letter from the left and row number from the bottom; a move is both its cells with
`-` between them.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [
    {},
    {"rows": 1, "columns": 9},
    {"rows": 3, "columns": 3},
    {"rows": 4, "columns": 4},
    {"rows": 6, "columns": 2},
]

PIECE = {"White": "white", "Black": "black"}
OTHER = {"White": "Black", "Black": "White"}


class State(NamedTuple):
    """Rows from the top, "" for an empty cell, and the player to move."""

    rows: tuple[tuple[str, ...], ...]
    mover: str


class Reference(Rules[State]):
    """Clobber on a board of any size."""

    def __init__(self, *, rows: int = 5, columns: int = 6) -> None:
        self.rows, self.columns = rows, columns

    def start(self) -> State:
        even = ("white", "black") * self.columns
        odd = ("black", "white") * self.columns
        from_below = [(odd if row % 2 else even)[: self.columns] for row in range(self.rows)]
        return State(tuple(from_below[::-1]), "White")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        return None if self.options(state) else OTHER[state.mover]

    def options(self, state: State) -> list[str]:
        found = []
        for row in range(self.rows):
            for column in range(self.columns):
                if state.rows[row][column] != PIECE[state.mover]:
                    continue
                for to_row, to_column in ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)):
                    inside = 0 <= to_row < self.rows and 0 <= to_column < self.columns
                    if inside and state.rows[to_row][to_column] == PIECE[OTHER[state.mover]]:
                        found.append(f"{self.name(row, column)}-{self.name(to_row, to_column)}")
        return found

    def name(self, row: int, column: int) -> str:
        """Return the name of a cell, given its row from the top."""
        return f"{ascii_lowercase[column]}{self.rows - row}"

    def place(self, name: str) -> tuple[int, int]:
        """Return the row from the top and the column of a cell."""
        return self.rows - int(name[1:]), ascii_lowercase.index(name[0])

    def after(self, state: State, move: str) -> State:
        (row, column), (to_row, to_column) = map(self.place, move.split("-"))
        rows = [list(pieces) for pieces in state.rows]
        rows[row][column] = ""
        rows[to_row][to_column] = PIECE[state.mover]
        return State(tuple(map(tuple, rows)), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {
            self.name(row, column): piece
            for row, pieces in enumerate(state.rows)
            for column, piece in enumerate(pieces)
            if piece
        }
