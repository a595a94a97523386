"""Euclid (Cole and Davie, 1969): a multiple of the smaller heap is taken from the larger; who empties a heap wins."""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}, {"a": 1, "b": 1}, {"a": 3, "b": 5}, {"a": 60, "b": 7}, {"a": 59, "b": 36}]

OTHER = {"First": "Second", "Second": "First"}


class State(NamedTuple):
    """Both heaps, and the player to move."""

    heaps: tuple[int, int]
    mover: str


class Reference(Rules[State]):
    """Euclid with two heaps. From equal heaps the second is emptied, which makes no difference."""

    def __init__(self, *, a: int = 19, b: int = 12) -> None:
        self.heaps = (a, b)

    def start(self) -> State:
        return State(self.heaps, "First")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        return None if all(state.heaps) else OTHER[state.mover]

    def options(self, state: State) -> list[str]:
        small, large = sorted(state.heaps)
        return [str(number) for number in range(small, large + 1, small)]

    def after(self, state: State, move: str) -> State:
        one, two = state.heaps
        heaps = (one - int(move), two) if one > two else (one, two - int(move))
        return State(heaps, OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {}

    def variables(self, state: State) -> dict[str, object]:
        return {"stones": list(state.heaps)}
