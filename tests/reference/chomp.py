"""Chomp: a player names a square of a chocolate bar and eats it with all squares above it, right of it, or both.

The player who eats a1 loses; with `misere`, wins.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules
from tests.reference.squares import Place, name, places

CASES: list[dict[str, int]] = [
    {},
    {"misere": 1},
    {"rows": 1, "columns": 1},
    {"rows": 2, "columns": 7},
    {"rows": 6, "columns": 3},
]

OTHER = {"First": "Second", "Second": "First"}


class State(NamedTuple):
    """The squares that are left, and the player to move."""

    left: frozenset[Place]
    mover: str


class Reference(Rules[State]):
    """Chomp with a bar of rows x columns squares."""

    def __init__(self, *, rows: int = 4, columns: int = 5, misere: int = 0) -> None:
        self.places = places(rows, columns)
        self.misere = misere

    def start(self) -> State:
        return State(frozenset(self.places), "First")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        if state.left:
            return None
        return OTHER[state.mover] if self.misere else state.mover

    def options(self, state: State) -> list[str]:
        return [name(place) for place in state.left]

    def after(self, state: State, move: str) -> State:
        column, row = next(place for place in state.left if name(place) == move)
        return State(frozenset((x, y) for x, y in state.left if x < column or y < row), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {name(place): "square" for place in state.left}
