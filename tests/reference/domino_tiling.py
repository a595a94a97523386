"""Domino tilings: each domino covers the first free cell in reading order, and the one right of it or below.

A board of 4 x 4 has 36 tilings, 6 x 6 has 6,728 and 8 x 8 has 12,988,816 (Kasteleyn; Temperley and Fisher, 1961).
"""

from __future__ import annotations

from tests.reference.rules import Rules
from tests.reference.squares import Place, name, places

CASES: list[dict[str, int]] = [{}, {"rows": 3, "columns": 4}, {"rows": 3, "columns": 3}, {"rows": 6, "columns": 6}]

State = frozenset[tuple[Place, str]]
"""The covered places, each with the orientation of its domino."""


class Reference(Rules[State]):
    """The puzzle on rows x columns cells; a move is the domino's first cell and `-` or `|`."""

    def __init__(self, *, rows: int = 4, columns: int = 4) -> None:
        self.places = places(rows, columns)

    def start(self) -> State:
        return frozenset()

    def to_move(self, state: State) -> str:
        return "Player"

    def free(self, state: State) -> list[Place]:
        """The places that are not covered, in reading order."""
        covered = {place for place, _ in state}
        return [place for place in self.places if place not in covered]

    def outcome(self, state: State) -> str | None:
        if not self.free(state):
            return "Player"
        return None if self.options(state) else "draw"

    def options(self, state: State) -> list[str]:
        free = self.free(state)
        if not free:
            return []
        x, y = free[0]
        return [name((x, y)) + way for way, other in (("-", (x + 1, y)), ("|", (x, y - 1))) if other in free]

    def after(self, state: State, move: str) -> State:
        x, y = self.free(state)[0]
        other, piece = ((x + 1, y), "lying") if move.endswith("-") else ((x, y - 1), "standing")
        return state | {((x, y), piece), (other, piece)}

    def board(self, state: State) -> dict[str, str]:
        return {name(place): piece for place, piece in state}
