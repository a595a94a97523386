"""Domineering: a player puts a domino on two empty cells, Vertical one above the other, Horizontal side by side.

Vertical begins. A player who cannot move loses; with `misere`, wins. A move names both cells, the lower or left one
first.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules
from tests.reference.squares import Place, name, places

CASES: list[dict[str, int]] = [
    {},
    {"misere": 1},
    {"rows": 2, "columns": 2},
    {"rows": 3, "columns": 3, "misere": 1},
    {"rows": 4, "columns": 5},
    {"rows": 6, "columns": 3, "misere": 1},
]

OTHER = {"Vertical": "Horizontal", "Horizontal": "Vertical"}


class State(NamedTuple):
    """The cells that each player has covered, and the player to move."""

    vertical: frozenset[Place]
    horizontal: frozenset[Place]
    mover: str


class Reference(Rules[State]):
    """Domineering on a board of rows x columns cells."""

    def __init__(self, *, rows: int = 8, columns: int = 8, misere: int = 0) -> None:
        self.places = places(rows, columns)
        self.misere = misere

    def start(self) -> State:
        return State(frozenset(), frozenset(), "Vertical")

    def to_move(self, state: State) -> str:
        return state.mover

    def dominoes(self, state: State) -> dict[str, frozenset[Place]]:
        """Map the text of each domino placement of the player to move to its cells."""
        free = set(self.places) - state.vertical - state.horizontal
        right, up = (0, 1) if state.mover == "Vertical" else (1, 0)
        pairs = [((x, y), (x + right, y + up)) for x, y in free]
        return {name(one) + name(other): frozenset({one, other}) for one, other in pairs if other in free}

    def outcome(self, state: State) -> str | None:
        if self.dominoes(state):
            return None
        return state.mover if self.misere else OTHER[state.mover]

    def options(self, state: State) -> list[str]:
        return list(self.dominoes(state))

    def after(self, state: State, move: str) -> State:
        domino = self.dominoes(state)[move]
        if state.mover == "Vertical":
            return State(state.vertical | domino, state.horizontal, "Horizontal")
        return State(state.vertical, state.horizontal | domino, "Vertical")

    def board(self, state: State) -> dict[str, str]:
        return {name(place): "vertical" for place in state.vertical} | {
            name(place): "horizontal" for place in state.horizontal
        }
