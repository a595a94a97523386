"""Lights Out: pressing a cell toggles its lamp and those next to it. All lamps are on at first and must be turned off.

A move is the name of the cell. Repeating a position ends the attempt (which is left to the caller).
"""

from __future__ import annotations

from tests.reference.rules import Rules
from tests.reference.squares import Place, beside, name, places

CASES: list[dict[str, int]] = [
    {},
    {"rows": 1, "columns": 1},
    {"rows": 2, "columns": 2},
    {"rows": 3, "columns": 3},
    {"rows": 2, "columns": 7},
]

State = frozenset[Place]
"""The lamps that are on."""


class Reference(Rules[State]):
    """Lights Out on a board of rows x columns lamps."""

    def __init__(self, *, rows: int = 5, columns: int = 5) -> None:
        self.place_of = {name(place): place for place in places(rows, columns)}

    def start(self) -> State:
        return frozenset(self.place_of.values())

    def to_move(self, state: State) -> str:
        return "Player"

    def outcome(self, state: State) -> str | None:
        return None if state else "Player"

    def options(self, state: State) -> list[str]:
        return list(self.place_of)

    def after(self, state: State, move: str) -> State:
        place = self.place_of[move]
        return state ^ ({place, *beside(place)} & set(self.place_of.values()))

    def board(self, state: State) -> dict[str, str]:
        return {name(place): "lamp" for place in state}
