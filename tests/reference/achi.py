"""Achi, from Ghana: four stones each (or three) on 3 x 3 points with all lines; three in a row win.

Stones are placed by turns and then moved along a line to the free point; a player who cannot move loses. A repeated
position is a draw, which is left to the caller.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.lines import cell_names, straight_lines
from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}, {"stones": 3}]

OTHER = {"White": "Black", "Black": "White"}
CELLS = cell_names(3, 3)
LINES = straight_lines(3, 3, 3)
NEAR = {cell: {line[place + step] for line in LINES for place in range(3) if line[place] == cell
               for step in (-1, 1) if 0 <= place + step < 3} for cell in CELLS}


class State(NamedTuple):
    """The stones of both players, the number of stones placed, and the player to move."""

    white: frozenset[str]
    black: frozenset[str]
    placed: int
    mover: str


class Reference(Rules[State]):
    """Achi."""

    def __init__(self, *, stones: int = 4) -> None:
        self.stones = stones

    def start(self) -> State:
        return State(frozenset(), frozenset(), 0, "White")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        for player, own in (("White", state.white), ("Black", state.black)):
            if any(own.issuperset(line) for line in LINES):
                return player
        return None if self.options(state) else OTHER[state.mover]

    def options(self, state: State) -> list[str]:
        free = [cell for cell in CELLS if cell not in state.white | state.black]
        if state.placed < 2 * self.stones:
            return free
        own = state.white if state.mover == "White" else state.black
        return [cell + to for cell in own for to in free if to in NEAR[cell]]

    def after(self, state: State, move: str) -> State:
        start, end = move[:-2], move[-2:]
        own = (state.white if state.mover == "White" else state.black) - {start} | {end}
        placed = state.placed + (not start)
        if state.mover == "White":
            return State(own, state.black, placed, "Black")
        return State(state.white, own, placed, "White")

    def board(self, state: State) -> dict[str, str]:
        return {**dict.fromkeys(state.white, "white"), **dict.fromkeys(state.black, "black")}

    def variables(self, state: State) -> dict[str, object]:
        return {"placed": state.placed}
