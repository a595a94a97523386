"""Wythoff's game: a player takes stones from one of two heaps, or the same number from both.

The player who takes the last stone wins; with `misere`, loses. Heaps of x and y stones are shown as a queen in column x
and row y, both counted from 0; a move names the queen's cell before and after.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules
from tests.reference.squares import name

CASES: list[dict[str, int]] = [
    {},
    {"misere": 1},
    {"first": 1, "second": 1},
    {"first": 3, "second": 5, "misere": 1},
    {"first": 20, "second": 2},
]

OTHER = {"Left": "Right", "Right": "Left"}


class State(NamedTuple):
    """The sizes of the heaps, and the player to move."""

    x: int
    y: int
    mover: str


class Reference(Rules[State]):
    """Wythoff's game with heaps of `first` and `second` stones."""

    def __init__(self, *, first: int = 8, second: int = 13, misere: int = 0) -> None:
        self.first, self.second = first, second
        self.misere = misere

    def start(self) -> State:
        return State(self.first, self.second, "Left")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        if state.x + state.y > 0:
            return None
        return state.mover if self.misere else OTHER[state.mover]

    def reached(self, state: State) -> dict[str, State]:
        """Map the text of each move to the state after it."""
        one = [(state.x - taken, state.y) for taken in range(1, state.x + 1)]
        other = [(state.x, state.y - taken) for taken in range(1, state.y + 1)]
        both = [(state.x - taken, state.y - taken) for taken in range(1, min(state.x, state.y) + 1)]
        here = name((state.x, state.y))
        return {here + name((x, y)): State(x, y, OTHER[state.mover]) for x, y in one + other + both}

    def options(self, state: State) -> list[str]:
        return list(self.reached(state))

    def after(self, state: State, move: str) -> State:
        return self.reached(state)[move]

    def board(self, state: State) -> dict[str, str]:
        return {name((state.x, state.y)): "queen"}
