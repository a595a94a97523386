"""Node Kayles (T. Schaefer, 1978) on Petersen's graph: stones are placed on points without a stone next to them.

The outer points a to e form a ring, the inner points f to j a star, and each outer point is joined to an inner one.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}]

OTHER = {"First": "Second", "Second": "First"}
EDGES = [*((n, (n + 1) % 5) for n in range(5)), *((n, n + 5) for n in range(5)),
         *((n + 5, (n + 2) % 5 + 5) for n in range(5))]


class State(NamedTuple):
    """The stones, and the player to move."""

    stones: frozenset[int]
    mover: str


class Reference(Rules[State]):
    """Node Kayles; who cannot place loses."""

    def start(self) -> State:
        return State(frozenset(), "First")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        return None if self.options(state) else OTHER[state.mover]

    def options(self, state: State) -> list[str]:
        barred = state.stones | {n for pair in EDGES for n in pair if state.stones & {*pair}}
        return ["abcdefghij"[n] for n in range(10) if n not in barred]

    def after(self, state: State, move: str) -> State:
        return State(state.stones | {"abcdefghij".index(move)}, OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {"abcdefghij"[n]: "stone" for n in state.stones}
