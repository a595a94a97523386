"""Sim (G. J. Simmons, 1969): players draw lines between six points; who makes a triangle of their own loses."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}]

LINES = ["".join(pair) for pair in combinations("abcdef", 2)]
OTHER = {"Red": "Blue", "Blue": "Red"}


class State(NamedTuple):
    """The lines of each player, and the player to move."""

    red: frozenset[str]
    blue: frozenset[str]
    mover: str


class Reference(Rules[State]):
    """Sim with six points."""

    def start(self) -> State:
        return State(frozenset(), frozenset(), "Red")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        for player, own in (("Red", state.red), ("Blue", state.blue)):
            if any({p + q, q + r, p + r} <= own for p, q, r in combinations("abcdef", 3)):
                return OTHER[player]
        return None

    def options(self, state: State) -> list[str]:
        return [line for line in LINES if line not in state.red | state.blue]

    def after(self, state: State, move: str) -> State:
        if state.mover == "Red":
            return State(state.red | {move}, state.blue, "Blue")
        return State(state.red, state.blue | {move}, "Red")

    def board(self, state: State) -> dict[str, str]:
        return {}

    def canonical_text(self, text: str) -> str:
        return "".join(sorted(text))
