"""Peg solitaire: a peg jumps over a peg next to it onto the empty cell behind, and the peg in between is taken away.

The board is a cross: a square of 2 * half + 1 cells a side, and at each side of it `arm` more rows or columns of that
length. At first only the centre is empty; the player wins when the only peg that is left stands there. Without a move
it is over.

A move names the cells where the jump begins and ends.
"""

from __future__ import annotations

from tests.reference.rules import DRAW, Rules
from tests.reference.squares import Place, name, places

CASES: list[dict[str, int]] = [
    {},
    {"half": 0, "arm": 2},
    {"half": 0, "arm": 4},
    {"half": 1, "arm": 1},
    {"half": 2, "arm": 0},
    {"half": 1, "arm": 3},
]

State = frozenset[Place]
"""The places of the pegs."""


class Reference(Rules[State]):
    """Peg solitaire on a cross."""

    def __init__(self, *, half: int = 1, arm: int = 2) -> None:
        middle = half + arm
        self.centre = (middle, middle)
        self.places = {
            (x, y)
            for x, y in places(2 * middle + 1, 2 * middle + 1)
            if arm <= x <= arm + 2 * half or arm <= y <= arm + 2 * half
        }

    def start(self) -> State:
        return frozenset(self.places - {self.centre})

    def to_move(self, state: State) -> str:
        return "Player"

    def outcome(self, state: State) -> str | None:
        if state == {self.centre}:
            return "Player"
        return None if self.jumps(state) else DRAW

    def jumps(self, state: State) -> dict[str, tuple[Place, Place, Place]]:
        """Map the text of each jump to its start, the jumped place and its end."""
        found = {}
        for x, y in state:
            for right, up in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                over, to = (x + right, y + up), (x + 2 * right, y + 2 * up)
                if over in state and to in self.places and to not in state:
                    found[name((x, y)) + name(to)] = ((x, y), over, to)
        return found

    def options(self, state: State) -> list[str]:
        return list(self.jumps(state))

    def after(self, state: State, move: str) -> State:
        here, over, to = self.jumps(state)[move]
        return state - {here, over} | {to}

    def board(self, state: State) -> dict[str, str]:
        return {name(place): "peg" for place in state}
