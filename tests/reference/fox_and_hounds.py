"""Fox and Hounds: a fox tries to get past the hounds, on the dark cells of a chess board (a1 is dark).

The hounds fill the dark cells of the top row; the fox starts on a dark cell of the bottom row, e1 on 8x8 and else the
dark cell nearest to the middle from the left. The fox moves first. The fox steps one cell diagonally in any direction,
a hound one cell diagonally downward, always onto an empty cell; nothing is captured. The fox wins when it reaches the
top row, or when no hound can move; the hounds win when the fox cannot move. Cells are named by column letter from the
left and row number from the bottom; a move is both its cells with `-` between them.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}, {"size": 4}, {"size": 5}, {"size": 6}, {"size": 11}]

FOX_FIRST = {4: "c1", 5: "c1", 6: "c1", 7: "c1", 8: "e1", 9: "e1", 10: "e1", 11: "e1", 12: "g1"}
OTHER = {"Fox": "Hounds", "Hounds": "Fox"}


class State(NamedTuple):
    """The fox's cell, the hounds' cells, and the player to move."""

    fox: str
    hounds: frozenset[str]
    mover: str


class Reference(Rules[State]):
    """Fox and Hounds."""

    def __init__(self, *, size: int = 8) -> None:
        self.size = size

    def start(self) -> State:
        letters = ascii_lowercase[: self.size]
        hounds = (f"{letter}{self.size}" for number, letter in enumerate(letters, 1) if (number + self.size) % 2 == 0)
        return State(FOX_FIRST[self.size], frozenset(hounds), "Fox")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        if state.fox[1:] == str(self.size):
            return "Fox"
        return None if self.options(state) else OTHER[state.mover]

    def steps(self, state: State, cell: str, rows: tuple[int, ...]) -> list[str]:
        """A piece's moves to the next column on either side, by each of the given numbers of rows."""
        column, row = ascii_lowercase.index(cell[0]), int(cell[1:])
        found = []
        for up in rows:
            for aside in (column - 1, column + 1):
                if 0 <= aside < self.size and 1 <= row + up <= self.size:
                    target = f"{ascii_lowercase[aside]}{row + up}"
                    if target != state.fox and target not in state.hounds:
                        found.append(f"{cell}-{target}")
        return found

    def options(self, state: State) -> list[str]:
        if state.mover == "Fox":
            return self.steps(state, state.fox, (-1, 1))
        return [move for hound in state.hounds for move in self.steps(state, hound, (-1,))]

    def after(self, state: State, move: str) -> State:
        start, end = move.split("-")
        if state.mover == "Fox":
            return State(end, state.hounds, "Hounds")
        return State(state.fox, state.hounds - {start} | {end}, "Fox")

    def board(self, state: State) -> dict[str, str]:
        return {state.fox: "fox"} | dict.fromkeys(state.hounds, "hound")
