"""Isolation: a player steps with the pawn like a chess king, then removes a free tile; a player who cannot move loses.

The pawns start in opposite rows, each on the middle square of its own or, where there are two, the one to its player's
left; these two squares are no tiles and cannot be removed. A removed tile is a `hole`; no pawn enters it. Cells are
named by column letter and row number from the bottom; `c1-c2/d7` steps from c1 to c2 and removes d7. White moves first,
from the bottom.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import NamedTuple

from tests.reference.rules import Rules

OTHER = {"White": "Black", "Black": "White"}

CASES: list[dict[str, int]] = [
    {"rows": 3, "columns": 2},
    {"rows": 3, "columns": 3},
    {"rows": 4, "columns": 3},
    {"rows": 3, "columns": 4},
    {"rows": 5, "columns": 5},
    {},
]

Place = tuple[int, int]  # (column, row from the bottom), both from 0


class State(NamedTuple):
    """The places of the pawns, the removed tiles, and the player to move."""

    white: Place
    black: Place
    holes: frozenset[Place]
    mover: str


class Reference(Rules[State]):
    """Isolation on rows x columns squares."""

    def __init__(self, *, rows: int = 8, columns: int = 6) -> None:
        self.name = {(x, y): f"{ascii_lowercase[x]}{y + 1}" for x in range(columns) for y in range(rows)}
        self.place = {name: place for place, name in self.name.items()}
        self.homes = [((columns - 1) // 2, 0), (columns // 2, rows - 1)]

    def start(self) -> State:
        return State(self.homes[0], self.homes[1], frozenset(), "White")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        return None if self.options(state) else OTHER[state.mover]

    def options(self, state: State) -> list[str]:
        start, other = (state.white, state.black) if state.mover == "White" else (state.black, state.white)
        free = set(self.name) - state.holes - {other}
        return [
            f"{self.name[start]}-{self.name[end]}/{self.name[tile]}"
            for end in free
            if max(abs(end[0] - start[0]), abs(end[1] - start[1])) == 1
            for tile in free - {end} - set(self.homes)
        ]

    def after(self, state: State, move: str) -> State:
        _, end, tile = (self.place[name] for name in move.replace("/", "-").split("-"))
        holes = state.holes | {tile}
        if state.mover == "White":
            return State(end, state.black, holes, "Black")
        return State(state.white, end, holes, "White")

    def board(self, state: State) -> dict[str, str]:
        holes = {self.name[place]: "hole" for place in state.holes}
        return {**holes, self.name[state.white]: "white", self.name[state.black]: "black"}
