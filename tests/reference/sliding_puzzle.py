"""Sliding puzzle: tiles 1, 2, 3, ... on a board with one gap, into which a tile next to it can slide.

At first the gap is in the upper left corner, followed row by row by the tiles from the largest down to 1. The player
wins when they are in order from 1 with the gap in the last place. A move is the number of the tile. Repeating a
position ends the attempt (which is left to the caller).
"""

from __future__ import annotations

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [
    {},
    {"rows": 2, "columns": 2},
    {"rows": 2, "columns": 3},
    {"rows": 4, "columns": 4},
    {"rows": 3, "columns": 6},
]

State = tuple[int, ...]
"""The tiles row by row from the upper left, 0 for the gap."""


class Reference(Rules[State]):
    """The puzzle with rows x columns places."""

    def __init__(self, *, rows: int = 3, columns: int = 3) -> None:
        self.rows, self.columns = rows, columns

    def start(self) -> State:
        return (0, *range(self.rows * self.columns - 1, 0, -1))

    def to_move(self, state: State) -> str:
        return "Player"

    def outcome(self, state: State) -> str | None:
        return "Player" if state == (*range(1, self.rows * self.columns), 0) else None

    def options(self, state: State) -> list[str]:
        row, column = divmod(state.index(0), self.columns)
        near = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        return [str(state[r * self.columns + c]) for r, c in near if 0 <= r < self.rows and 0 <= c < self.columns]

    def after(self, state: State, move: str) -> State:
        swapped = {0: int(move), int(move): 0}
        return tuple(swapped.get(tile, tile) for tile in state)

    def board(self, state: State) -> dict[str, str]:
        return {}

    def variables(self, state: State) -> dict[str, object]:
        return {"tile": list(state)}
