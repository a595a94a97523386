"""Knight's tour: a knight is set down on a cell and leaps on, never to a visited cell.

The player wins when every cell is visited; without a move before that, the game is over. The first move names a cell,
the others the cells before and after the leap.
"""

from __future__ import annotations

from tests.reference.rules import DRAW, Rules
from tests.reference.squares import Place, name, places

CASES: list[dict[str, int]] = [
    {},
    {"rows": 1, "columns": 1},
    {"rows": 3, "columns": 3},
    {"rows": 3, "columns": 4},
    {"rows": 4, "columns": 6},
    {"rows": 6, "columns": 2},
]

State = tuple[frozenset[Place], Place | None]
"""The visited cells and the knight's cell, None at first."""


class Reference(Rules[State]):
    """Knight's tour on rows x columns cells."""

    def __init__(self, *, rows: int = 5, columns: int = 5) -> None:
        self.places = places(rows, columns)

    def start(self) -> State:
        return frozenset(), None

    def to_move(self, state: State) -> str:
        return "Player"

    def outcome(self, state: State) -> str | None:
        if len(state[0]) == len(self.places):
            return "Player"
        return None if self.options(state) else DRAW

    def reached(self, state: State) -> dict[str, Place]:
        """Map the text of each move to the knight's cell after it."""
        visited, knight = state
        if knight is None:
            return {name(place): place for place in self.places}
        return {
            name(knight) + name((x, y)): (x, y)
            for x, y in self.places
            if (x, y) not in visited and {abs(x - knight[0]), abs(y - knight[1])} == {1, 2}
        }

    def options(self, state: State) -> list[str]:
        return list(self.reached(state))

    def after(self, state: State, move: str) -> State:
        place = self.reached(state)[move]
        return state[0] | {place}, place

    def board(self, state: State) -> dict[str, str]:
        visited, knight = state
        return {name(place): "knight" if place == knight else "visited" for place in visited}
