"""Fibonacci Nim: first take any number but all, then at most twice the previous number; the last stone wins."""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}, {"stones": 2}, {"stones": 13}, {"stones": 60}]

OTHER = {"First": "Second", "Second": "First"}


class State(NamedTuple):
    """The stones left, the most that may be taken, and the player to move."""

    stones: int
    most: int
    mover: str


class Reference(Rules[State]):
    """Fibonacci Nim with one heap."""

    def __init__(self, *, stones: int = 20) -> None:
        self.stones = stones

    def start(self) -> State:
        return State(self.stones, self.stones - 1, "First")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        return None if state.stones else OTHER[state.mover]

    def options(self, state: State) -> list[str]:
        return [str(number) for number in range(1, min(state.stones, state.most) + 1)]

    def after(self, state: State, move: str) -> State:
        return State(state.stones - int(move), 2 * int(move), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {f"{letters(column)}1": "stone" for column in range(state.stones)}

    def variables(self, state: State) -> dict[str, object]:
        return {"most": state.most}


def letters(column: int) -> str:
    """Return the letters of a column: a, ..., z, aa, ab, ..."""
    before, last = divmod(column, 26)
    return (letters(before - 1) if before else "") + chr(ord("a") + last)
