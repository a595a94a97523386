"""Hare and Hounds: three hounds hunt a hare on a board of eleven cells, joined by lines.

The cells are a2, three columns b, c and d of three, and e2. Lines join cells next to each other, and a2, c2 and e2 with
the corners of the columns b to d.

A move goes along a line to an empty cell. The hounds (a2, b1 and b3 at first) begin and never go back to the left; the
hare (e2) goes anywhere. The hounds win when the hare cannot move. The hare wins when it is left of all hounds, when the
hounds cannot move, and when `patience` moves of the hounds in a row have brought none forward. A move names the cells
where it begins and ends.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}, {"patience": 1}, {"patience": 2}, {"patience": 3}]

PATHS = (
    "b3 c3 d3",
    "a2 b2 c2 d2 e2",
    "b1 c1 d1",
    "b3 b2 b1",
    "c3 c2 c1",
    "d3 d2 d1",
    "a2 b3 c2 d1 e2",
    "a2 b1 c2 d3 e2",
)
"""The lines of the board, from end to end."""


class State(NamedTuple):
    """The hounds, the hare, the hounds' moves since one went forward, and the player to move."""

    hounds: frozenset[str]
    hare: str
    stalled: int
    mover: str


class Reference(Rules[State]):
    """Hare and Hounds, lost for the hounds after `patience` moves in a row without progress."""

    def __init__(self, *, patience: int = 10) -> None:
        self.patience = patience
        self.near: dict[str, set[str]] = {}
        for path in PATHS:
            cells = path.split()
            for one, other in pairwise(cells):
                self.near.setdefault(one, set()).add(other)
                self.near.setdefault(other, set()).add(one)

    def start(self) -> State:
        return State(frozenset({"a2", "b1", "b3"}), "e2", 0, "Hounds")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        if all(hound[0] > state.hare[0] for hound in state.hounds) or state.stalled == self.patience:
            return "Hare"
        if self.options(state):
            return None
        return "Hare" if state.mover == "Hounds" else "Hounds"

    def options(self, state: State) -> list[str]:
        taken = {*state.hounds, state.hare}
        if state.mover == "Hare":
            return [state.hare + to for to in self.near[state.hare] - taken]
        return [hound + to for hound in state.hounds for to in self.near[hound] - taken if to[0] >= hound[0]]

    def after(self, state: State, move: str) -> State:
        here, there = move[:2], move[2:]
        if state.mover == "Hare":
            return State(state.hounds, there, state.stalled, "Hounds")
        stalled = state.stalled + 1 if here[0] == there[0] else 0
        return State(state.hounds - {here} | {there}, state.hare, stalled, "Hare")

    def board(self, state: State) -> dict[str, str]:
        return dict.fromkeys(state.hounds, "hound") | {state.hare: "hare"}

    def variables(self, state: State) -> dict[str, object]:
        return {"stalled": state.stalled}
