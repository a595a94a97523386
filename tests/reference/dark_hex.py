"""Dark Hex: Hex in which neither player sees the other's stones.

Black joins the top row to the bottom row, White the left column to the right column. A move is a cell that the mover
does not know to be taken. If the other player has a stone there, the mover learns this, places nothing and tries again.
The board is a rhombus of hexagons; cells are column letter from the left and row number from the top.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import NamedTuple

from tests.reference.hex import connected
from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}, {"rows": 1}, {"rows": 2}, {"rows": 2, "columns": 3}, {"rows": 4, "columns": 3},
                               {"rows": 4}, {"rows": 1, "columns": 6}, {"rows": 6, "columns": 6}]
PLAYERS = ("Black", "White")


class State(NamedTuple):
    """The players' stones, the stones of the opponent that each has found, the turn, and whether a try just failed."""

    stones: tuple[frozenset[str], frozenset[str]]
    found: tuple[frozenset[str], frozenset[str]]
    turn: int
    failed: bool


class Reference(Rules[State]):
    """Dark Hex in which a failed try does not cost the turn, on up to 26 columns."""

    def __init__(self, *, rows: int = 3, columns: int | None = None) -> None:
        self.rows, self.columns = rows, rows if columns is None else columns
        self.places = {f"{ascii_lowercase[column]}{row + 1}": (row, column)
                       for row in range(rows) for column in range(self.columns)}

    def start(self) -> State:
        return State((frozenset(), frozenset()), (frozenset(), frozenset()), 0, False)

    def to_move(self, state: State) -> str:
        return PLAYERS[state.turn]

    def outcome(self, state: State) -> str | None:
        for player, last in ((0, self.rows - 1), (1, self.columns - 1)):
            places = {self.places[cell] for cell in state.stones[player]}
            joined = connected(places, {place for place in places if place[player] == 0})
            if any(place[player] == last for place in joined):
                return PLAYERS[player]
        return None

    def options(self, state: State) -> list[str]:
        known = state.stones[state.turn] | state.found[state.turn]
        return [cell for cell in self.places if cell not in known]

    def after(self, state: State, move: str) -> State:
        failed = move in state.stones[1 - state.turn]
        black, white = state.found if failed else state.stones
        more = (black | {move}, white) if state.turn == 0 else (black, white | {move})
        if failed:
            return state._replace(found=more, failed=True)
        return State(more, state.found, 1 - state.turn, False)

    def board(self, state: State) -> dict[str, str]:
        return {cell: piece for piece, cells in zip(("black", "white"), state.stones, strict=True) for cell in cells}

    def variables(self, state: State) -> dict[str, object]:
        found = state.found[0] | state.found[1]
        return {"found": [int(cell in found) for cell in self.places], "failed": int(state.failed)}
