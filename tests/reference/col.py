"""Col: a player puts a piece on an empty cell that has no neighbour of the player's own colour.

A player who cannot move loses. A move is the name of the cell.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules
from tests.reference.squares import Place, beside, name, places

CASES: list[dict[str, int]] = [
    {},
    {"rows": 1, "columns": 1},
    {"rows": 1, "columns": 8},
    {"rows": 3, "columns": 3},
    {"rows": 7, "columns": 4},
]

OTHER = {"Blue": "Red", "Red": "Blue"}


class State(NamedTuple):
    """The cells of each colour, and the player to move."""

    blue: frozenset[Place]
    red: frozenset[Place]
    mover: str


class Reference(Rules[State]):
    """Col on a board of rows x columns cells."""

    def __init__(self, *, rows: int = 4, columns: int = 4) -> None:
        self.place_of = {name(place): place for place in places(rows, columns)}

    def start(self) -> State:
        return State(frozenset(), frozenset(), "Blue")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        return None if self.options(state) else OTHER[state.mover]

    def forbidding(self, state: State) -> frozenset[Place]:
        """The pieces next to which the player to move may not place: the player's own."""
        return state.blue if state.mover == "Blue" else state.red

    def options(self, state: State) -> list[str]:
        blocked = self.forbidding(state)
        return [
            text
            for text, place in self.place_of.items()
            if place not in state.blue | state.red and not blocked.intersection(beside(place))
        ]

    def after(self, state: State, move: str) -> State:
        place = {self.place_of[move]}
        if state.mover == "Blue":
            return State(state.blue | place, state.red, "Red")
        return State(state.blue, state.red | place, "Blue")

    def board(self, state: State) -> dict[str, str]:
        return {name(place): "blue" for place in state.blue} | {name(place): "red" for place in state.red}
