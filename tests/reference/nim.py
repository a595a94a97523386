"""Nim: a player takes one or more stones from one of four heaps, called a to d.

The player who takes the last stone wins; with `misere`, loses. A move is the heap and the number taken, such as d3.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [
    {},
    {"misere": 1},
    {"a": 0, "b": 0, "c": 0, "d": 1},
    {"a": 0, "b": 2, "c": 2, "d": 1, "misere": 1},
    {"a": 50, "b": 1, "c": 20, "d": 3},
]

OTHER = {"First": "Second", "Second": "First"}


class State(NamedTuple):
    """The sizes of the heaps, and the player to move."""

    heaps: tuple[int, ...]
    mover: str


class Reference(Rules[State]):
    """Nim with four heaps."""

    def __init__(self, *, a: int = 1, b: int = 3, c: int = 5, d: int = 7, misere: int = 0) -> None:
        self.heaps = (a, b, c, d)
        self.misere = misere

    def start(self) -> State:
        return State(self.heaps, "First")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        if any(state.heaps):
            return None
        return state.mover if self.misere else OTHER[state.mover]

    def options(self, state: State) -> list[str]:
        return [
            f"{heap}{number}" for heap, size in zip("abcd", state.heaps, strict=True) for number in range(1, size + 1)
        ]

    def after(self, state: State, move: str) -> State:
        heaps = list(state.heaps)
        heaps["abcd".index(move[0])] -= int(move[1:])
        return State(tuple(heaps), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {}

    def variables(self, state: State) -> dict[str, object]:
        return {"stones": list(state.heaps)}
