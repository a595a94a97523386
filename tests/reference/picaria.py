"""Picaria, of the Zuni: three stones each on thirteen points, placed by turns and then moved; three in a line win.

The points are a square of 3 x 3, called by a, c, e and 1, 3, 5, and the middles of its four quarters (b and d, 2 and
4). Lines are the rows and columns, the two long diagonals, and the four short ones around the middle; any three points
that follow each other on a line count. A player who cannot move loses.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}]

OTHER = {"White": "Black", "Black": "White"}
POINTS = [x + y for x in "ace" for y in "135"] + [x + y for x in "bd" for y in "24"]


def place(x: int, y: int) -> str | None:
    """The point at a column and a row, both from 0 to 4; None if there is no point."""
    found = f"{'abcde'[x]}{y + 1}" if 0 <= x < 5 and 0 <= y < 5 else ""
    return found if found in POINTS else None


def runs() -> set[tuple[str, str, str]]:
    """All triples of consecutive points on a line."""
    found = set()
    for x in range(5):
        for y in range(5):
            for i, j in ((2, 0), (0, 2), (1, 1), (1, -1)):
                one, two, three = (place(x + i * step, y + j * step) for step in range(3))
                if one and two and three:
                    found.add((one, two, three))
    return found


RUNS = runs()
NEAR = {point: {run[at + step] for run in RUNS for at in range(3) if run[at] == point
                for step in (-1, 1) if 0 <= at + step < 3} for point in POINTS}


class State(NamedTuple):
    """The stones of both players, the number of stones placed, and the player to move."""

    white: frozenset[str]
    black: frozenset[str]
    placed: int
    mover: str


class Reference(Rules[State]):
    """Picaria."""

    def start(self) -> State:
        return State(frozenset(), frozenset(), 0, "White")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        for player, own in (("White", state.white), ("Black", state.black)):
            if any(own.issuperset(run) for run in RUNS):
                return player
        return None if self.options(state) else OTHER[state.mover]

    def options(self, state: State) -> list[str]:
        free = [point for point in POINTS if point not in state.white | state.black]
        if state.placed < 6:
            return free
        own = state.white if state.mover == "White" else state.black
        return [point + to for point in own for to in free if to in NEAR[point]]

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
