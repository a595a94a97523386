"""Cram: both players put dominoes on two empty cells next to each other, in either direction.

A player who cannot move loses; with `misere`, wins. A move names both cells, the upper or left one first.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules
from tests.reference.squares import Place, name, places

CASES: list[dict[str, int]] = [
    {},
    {"misere": 1},
    {"rows": 1, "columns": 2},
    {"rows": 1, "columns": 9},
    {"rows": 3, "columns": 4, "misere": 1},
    {"rows": 5, "columns": 2},
]

OTHER = {"First": "Second", "Second": "First"}


class State(NamedTuple):
    """The covered cells, and the player to move."""

    covered: frozenset[Place]
    mover: str


class Reference(Rules[State]):
    """Cram on a board of rows x columns cells."""

    def __init__(self, *, rows: int = 5, columns: int = 6, misere: int = 0) -> None:
        self.places = places(rows, columns)
        self.misere = misere

    def start(self) -> State:
        return State(frozenset(), "First")

    def to_move(self, state: State) -> str:
        return state.mover

    def dominoes(self, state: State) -> dict[str, frozenset[Place]]:
        """Map the text of each domino placement to its cells."""
        free = set(self.places) - state.covered
        pairs = [((x, y), other) for x, y in free for other in ((x + 1, y), (x, y - 1)) if other in free]
        return {name(one) + name(other): frozenset({one, other}) for one, other in pairs}

    def outcome(self, state: State) -> str | None:
        if self.dominoes(state):
            return None
        return state.mover if self.misere else OTHER[state.mover]

    def options(self, state: State) -> list[str]:
        return list(self.dominoes(state))

    def after(self, state: State, move: str) -> State:
        return State(state.covered | self.dominoes(state)[move], OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {name(place): "domino" for place in state.covered}
