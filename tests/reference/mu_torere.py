"""Mu Torere, four stones each on an eight-pointed star.

Points 1 to 8 (kewai) lie in a ring, 8 beside 1; all are joined to the putahi in the middle. Black begins with stones on
1 to 4, White has 5 to 8. A move takes one of the mover's stones to the free point: from a kewai to a neighbouring
kewai, from the putahi to any kewai, from a kewai to the putahi only if a stone of the other player is on a neighbouring
kewai. A player who cannot move loses. A repeated position is a draw, which is left to the caller. A move is both its
points with `-` between them.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}]

OTHER = {"Black": "White", "White": "Black"}


class State(NamedTuple):
    """The stones on the ring from point 1 (B, W or ""), the one on the putahi, and the player to move."""

    ring: tuple[str, ...]
    putahi: str
    mover: str


class Reference(Rules[State]):
    """Mu Torere."""

    def start(self) -> State:
        return State(("B",) * 4 + ("W",) * 4, "", "Black")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        return None if self.options(state) else OTHER[state.mover]

    def options(self, state: State) -> list[str]:
        own, other = ("B", "W") if state.mover == "Black" else ("W", "B")
        ring = state.ring
        found = []
        for at in range(8):
            beside = (at + 1) % 8, (at - 1) % 8
            if ring[at] == own:
                found += [f"{at + 1}-{to + 1}" for to in beside if ring[to] == ""]
                if state.putahi == "" and other in (ring[beside[0]], ring[beside[1]]):
                    found.append(f"{at + 1}-putahi")
            if ring[at] == "" and state.putahi == own:
                found.append(f"putahi-{at + 1}")
        return found

    def after(self, state: State, move: str) -> State:
        points = {**dict(zip("12345678", state.ring, strict=True)), "putahi": state.putahi}
        start, end = move.split("-")
        points[end], points[start] = points[start], ""
        putahi = points.pop("putahi")
        return State(tuple(points.values()), putahi, OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        points = {**dict(zip("12345678", state.ring, strict=True)), "putahi": state.putahi}
        return {point: {"B": "black", "W": "white"}[stone] for point, stone in points.items() if stone}
