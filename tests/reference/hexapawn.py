"""Hexapawn (Martin Gardner), on a board of any size.

A row of pawns at the bottom for White, who moves first, and one at the top for Black. A pawn goes one cell straight
ahead to an empty cell (`a1-a2`) or captures one cell diagonally ahead (`a1xb2`). Reaching the far row wins; a player
who cannot move loses. Cells are named by column letter from the left and row number from the bottom.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [
    {},
    {"rows": 3, "columns": 2},
    {"rows": 4, "columns": 4},
    {"rows": 5, "columns": 2},
    {"rows": 3, "columns": 7},
]

OTHER = {"White": "Black", "Black": "White"}


class State(NamedTuple):
    """White's and Black's pawns as places (column, row), both from 0, the bottom row being 0; the player to move."""

    white: frozenset[tuple[int, int]]
    black: frozenset[tuple[int, int]]
    mover: str


class Reference(Rules[State]):
    """Hexapawn."""

    def __init__(self, *, rows: int = 3, columns: int = 3) -> None:
        self.rows, self.columns = rows, columns

    def start(self) -> State:
        columns = range(self.columns)
        white = frozenset((column, 0) for column in columns)
        return State(white, frozenset((column, self.rows - 1) for column in columns), "White")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        if any(row == self.rows - 1 for _, row in state.white):
            return "White"
        if any(row == 0 for _, row in state.black):
            return "Black"
        return None if self.options(state) else OTHER[state.mover]

    def options(self, state: State) -> list[str]:
        own, others, ahead = (
            (state.white, state.black, 1) if state.mover == "White" else (state.black, state.white, -1)
        )
        found = []
        for column, row in own:
            straight = column, row + ahead
            if straight not in own | others:
                found.append(f"{name((column, row))}-{name(straight)}")
            for aside in (column - 1, column + 1):
                if (aside, row + ahead) in others:
                    found.append(f"{name((column, row))}x{name((aside, row + ahead))}")
        return found

    def after(self, state: State, move: str) -> State:
        start, end = (
            (ascii_lowercase.index(cell[0]), int(cell[1:]) - 1) for cell in move.replace("x", "-").split("-")
        )
        if state.mover == "White":
            return State(state.white - {start} | {end}, state.black - {end}, "Black")
        return State(state.white - {end}, state.black - {start} | {end}, "White")

    def board(self, state: State) -> dict[str, str]:
        return {name(place): "white" for place in state.white} | {name(place): "black" for place in state.black}


def name(place: tuple[int, int]) -> str:
    """Return the name of a cell."""
    return f"{ascii_lowercase[place[0]]}{place[1] + 1}"
