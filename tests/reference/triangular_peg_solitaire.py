"""Triangular peg solitaire: a peg jumps over a peg next to it onto the empty hole behind, and the peg in between is
taken away.

The holes stand in rows of 1, 2, ... `side`, each row half a hole to the left of the one above, so that a hole has up to
six next to it. At first one hole is empty, the one in row `hole_row` that is number `hole_column` from the left, both
from 0. The player wins when one peg is left. Without a move it is over.

A move names the holes where the jump begins and ends; a hole is called by its letter in the row and the row's number
from the top.
"""

from __future__ import annotations

from tests.reference.rules import DRAW, Rules

CASES: list[dict[str, int]] = [
    {},
    {"side": 3},
    {"side": 4, "hole_row": 1},
    {"side": 5, "hole_row": 2, "hole_column": 1},
    {"side": 6, "hole_row": 5, "hole_column": 3},
]

Hole = tuple[int, int]
"""The offset to the right, in half holes, and down; the top hole is (0, 0)."""
State = frozenset[Hole]
"""The places of the pegs."""
AROUND = ((2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1))


class Reference(Rules[State]):
    """Peg solitaire on a triangle."""

    def __init__(self, *, side: int = 5, hole_row: int = 0, hole_column: int = 0) -> None:
        self.names: dict[Hole, str] = {}
        for down in range(side):
            for number in range(down + 1):
                self.names[2 * number - down, down] = f"{'abcdefgh'[number]}{down + 1}"
        self.hole = (2 * hole_column - hole_row, hole_row)

    def start(self) -> State:
        return frozenset(self.names.keys() - {self.hole})

    def to_move(self, state: State) -> str:
        return "Player"

    def outcome(self, state: State) -> str | None:
        if len(state) == 1:
            return "Player"
        return None if self.jumps(state) else DRAW

    def jumps(self, state: State) -> dict[str, tuple[Hole, Hole, Hole]]:
        """Map the text of each jump to its start, the jumped place and its end."""
        found = {}
        for x, y in state:
            for right, down in AROUND:
                over, to = (x + right, y + down), (x + 2 * right, y + 2 * down)
                if over in state and to in self.names and to not in state:
                    found[self.names[x, y] + self.names[to]] = ((x, y), over, to)
        return found

    def options(self, state: State) -> list[str]:
        return list(self.jumps(state))

    def after(self, state: State, move: str) -> State:
        here, over, to = self.jumps(state)[move]
        return state - {here, over} | {to}

    def board(self, state: State) -> dict[str, str]:
        return {self.names[hole]: "peg" for hole in state}
