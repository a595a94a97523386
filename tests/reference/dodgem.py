"""Dodgem (Colin Vout, in Winning Ways), on a board of any size.

The bottom left cell is empty at first; White's cars fill the rest of the bottom row, Black's the rest of the left
column. White moves first. A white car goes one cell up, left or right (`b1-b2`), a black car right, up or down, to an
empty cell; a car leaves the board for good over the far side: White's at the top, Black's at the right (`b3-off`). A
player who has no cars left wins, and so does a player who is to move but cannot. A repeated position is a draw, which
is left to the caller. Cells are named by column letter from the left and row number from the bottom.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}, {"size": 2}, {"size": 4}, {"size": 5}]

OTHER = {"White": "Black", "Black": "White"}
STEPS = {"White": ((0, 1), (-1, 0), (1, 0)), "Black": ((1, 0), (0, 1), (0, -1))}  # columns and rows; ahead first


class State(NamedTuple):
    """Each player's cars as places (column, row), from 0 at the bottom left, and the player to move."""

    white: frozenset[tuple[int, int]]
    black: frozenset[tuple[int, int]]
    mover: str


class Reference(Rules[State]):
    """Dodgem."""

    def __init__(self, *, size: int = 3) -> None:
        self.size = size

    def start(self) -> State:
        rest = range(1, self.size)
        return State(frozenset((n, 0) for n in rest), frozenset((0, n) for n in rest), "White")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        if not state.white:
            return "White"
        if not state.black:
            return "Black"
        return None if self.options(state) else state.mover

    def options(self, state: State) -> list[str]:
        found = []
        for column, row in state.white if state.mover == "White" else state.black:
            here = f"{ascii_lowercase[column]}{row + 1}"
            if (row if state.mover == "White" else column) == self.size - 1:
                found.append(f"{here}-off")
            for x, y in STEPS[state.mover]:
                target = column + x, row + y
                inside = all(0 <= number < self.size for number in target)
                if inside and target not in state.white and target not in state.black:
                    found.append(f"{here}-{ascii_lowercase[target[0]]}{target[1] + 1}")
        return found

    def after(self, state: State, move: str) -> State:
        cells = [
            (ascii_lowercase.index(cell[0]), int(cell[1:]) - 1) for cell in move.removesuffix("off").split("-") if cell
        ]
        cars = state.white if state.mover == "White" else state.black
        cars = cars - {cells[0]} | set(cells[1:])
        if state.mover == "White":
            return State(cars, state.black, "Black")
        return State(state.white, cars, "White")

    def board(self, state: State) -> dict[str, str]:
        return {
            f"{ascii_lowercase[column]}{row + 1}": piece
            for piece, cars in (("white", state.white), ("black", state.black))
            for column, row in cars
        }
