"""Pong Hau K'i, two stones each on five points.

The points are the corners of a square, a3 and c3 above, a1 and c1 below, and its centre b2. Lines join the centre to
every corner, and neighbouring corners to each other, but not the two above. Red begins with stones on both corners
below, Blue's are above. A move takes one of the mover's stones along a line to the free point. A player who cannot move
loses. A repeated position is a draw, which is left to the caller. A move is both its points with `-` between them.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}]

OTHER = {"Red": "Blue", "Blue": "Red"}
LINES = {
    "a3": ["a1", "b2"],
    "c3": ["c1", "b2"],
    "b2": ["a1", "a3", "c1", "c3"],
    "a1": ["a3", "b2", "c1"],
    "c1": ["a1", "b2", "c3"],
}


class State(NamedTuple):
    """The points of both players' stones, and the player to move."""

    red: frozenset[str]
    blue: frozenset[str]
    mover: str


class Reference(Rules[State]):
    """Pong Hau K'i."""

    def start(self) -> State:
        return State(frozenset({"a1", "c1"}), frozenset({"a3", "c3"}), "Red")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        return None if self.options(state) else OTHER[state.mover]

    def options(self, state: State) -> list[str]:
        (free,) = LINES.keys() - state.red - state.blue
        own = state.red if state.mover == "Red" else state.blue
        return [f"{point}-{free}" for point in own if free in LINES[point]]

    def after(self, state: State, move: str) -> State:
        start, end = move.split("-")
        if state.mover == "Red":
            return State(state.red - {start} | {end}, state.blue, "Blue")
        return State(state.red, state.blue - {start} | {end}, "Red")

    def board(self, state: State) -> dict[str, str]:
        return dict.fromkeys(state.red, "red") | dict.fromkeys(state.blue, "blue")
