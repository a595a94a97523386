"""Subtract a square: a player takes 1, 4, 9 or another square number of stones from a heap.

The player who takes the last stone wins; with `misere`, loses. A move is the number taken. The stones lie in a row, and
the right end is taken.
"""

from __future__ import annotations

from math import isqrt
from typing import NamedTuple

from tests.reference.rules import Rules
from tests.reference.squares import name

CASES: list[dict[str, int]] = [{}, {"misere": 1}, {"stones": 1}, {"stones": 26}, {"stones": 7, "misere": 1}]

OTHER = {"First": "Second", "Second": "First"}


class State(NamedTuple):
    """The number of stones left, and the player to move."""

    stones: int
    mover: str


class Reference(Rules[State]):
    """Subtract a square with one heap."""

    def __init__(self, *, stones: int = 20, misere: int = 0) -> None:
        self.stones = stones
        self.misere = misere

    def start(self) -> State:
        return State(self.stones, "First")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        if state.stones:
            return None
        return state.mover if self.misere else OTHER[state.mover]

    def options(self, state: State) -> list[str]:
        return [str(number) for number in range(1, state.stones + 1) if isqrt(number) ** 2 == number]

    def after(self, state: State, move: str) -> State:
        return State(state.stones - int(move), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {name((x, 0)): "stone" for x in range(state.stones)}
