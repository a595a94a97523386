"""Nim for three: a player takes one or more stones from one of three heaps, called a to c.

The player who takes the last stone wins. A move is the heap and the number taken, such as c3.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}, {"a": 0, "b": 0, "c": 1}, {"a": 3, "b": 3, "c": 3}, {"a": 20, "b": 1, "c": 5}]

ORDER = ("First", "Second", "Third")


class State(NamedTuple):
    """The sizes of the heaps, and the number of moves made, modulo 3."""

    heaps: tuple[int, ...]
    turns: int


class Reference(Rules[State]):
    """Nim with three heaps for three players."""

    def __init__(self, *, a: int = 1, b: int = 2, c: int = 3) -> None:
        self.heaps = (a, b, c)

    def start(self) -> State:
        return State(self.heaps, 0)

    def to_move(self, state: State) -> str:
        return ORDER[state.turns % 3]

    def outcome(self, state: State) -> str | None:
        return None if any(state.heaps) else ORDER[(state.turns - 1) % 3]

    def options(self, state: State) -> list[str]:
        return [
            f"{heap}{number}" for heap, size in zip("abc", state.heaps, strict=True) for number in range(1, size + 1)
        ]

    def after(self, state: State, move: str) -> State:
        heaps = list(state.heaps)
        heaps["abc".index(move[0])] -= int(move[1:])
        return State(tuple(heaps), (state.turns + 1) % 3)

    def board(self, state: State) -> dict[str, str]:
        return {}

    def variables(self, state: State) -> dict[str, object]:
        return {"stones": list(state.heaps)}
