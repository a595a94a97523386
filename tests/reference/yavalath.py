"""Yavalath: on a hexagon of hexagons with `side` cells to a side (five), White and Black in turn put a stone on an
empty cell. A player who makes four or more in a row wins; a player who makes three in a row and not four loses. A full
board is a draw.

Columns are lettered from the left; a cell's number is its place in its column, from the top. A move is a cell's name.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import NamedTuple

from tests.reference.rules import DRAW, Rules

CASES: list[dict[str, int]] = [{}, {"side": 2}, {"side": 3}, {"side": 4}]

OTHER = {"White": "Black", "Black": "White"}
AXES = ((1, -1, 0), (0, 1, -1), (-1, 0, 1))

Cube = tuple[int, int, int]
"""Three coordinates that add up to 0; the first is the column, counted from the middle one."""


class State(NamedTuple):
    """The stones of both players, and the player to move."""

    white: frozenset[Cube]
    black: frozenset[Cube]
    mover: str


class Reference(Rules[State]):
    """Yavalath without the pie rule."""

    def __init__(self, *, side: int = 5) -> None:
        far = side - 1
        span = range(-far, far + 1)
        self.names: dict[Cube, str] = {}
        for x in span:
            column = [(x, y, -x - y) for y in reversed(span) if abs(x + y) <= far]  # from the top down
            for number, cube in enumerate(column, start=1):
                self.names[cube] = f"{ascii_lowercase[x + far]}{number}"

    def start(self) -> State:
        return State(frozenset(), frozenset(), "White")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        last = OTHER[state.mover]
        longest = longest_row(state.white if last == "White" else state.black)
        if longest >= 3:
            return last if longest >= 4 else state.mover
        return DRAW if len(state.white) + len(state.black) == len(self.names) else None

    def options(self, state: State) -> list[str]:
        return [name for cube, name in self.names.items() if cube not in state.white | state.black]

    def after(self, state: State, move: str) -> State:
        cube = next(cube for cube, name in self.names.items() if name == move)
        if state.mover == "White":
            return State(state.white | {cube}, state.black, "Black")
        return State(state.white, state.black | {cube}, "White")

    def board(self, state: State) -> dict[str, str]:
        on = dict.fromkeys(state.white, "white") | dict.fromkeys(state.black, "black")
        return {self.names[cube]: piece for cube, piece in on.items()}


def longest_row(stones: frozenset[Cube]) -> int:
    """The length of the longest straight row of stones."""
    longest = 0
    for x, y, z in stones:
        for right, up, back in AXES:
            length = 1
            while (x + right * length, y + up * length, z + back * length) in stones:
                length += 1
            longest = max(longest, length)
    return longest
