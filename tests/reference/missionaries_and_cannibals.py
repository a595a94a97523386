"""Missionaries and cannibals: all must cross in a boat for two; missionaries are never outnumbered by cannibals.

Eleven crossings are enough for three of each. A move is `m+n`, the numbers of missionaries and cannibals that cross.
"""

from __future__ import annotations

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}, {"pairs": 2}, {"pairs": 5, "boat": 3}]

State = tuple[int, int, int]
"""Missionaries and cannibals on the first bank, and the bank of the boat."""


class Reference(Rules[State]):
    """The puzzle with `pairs` of each, and a boat for `boat` people."""

    def __init__(self, *, pairs: int = 3, boat: int = 2) -> None:
        self.pairs, self.boat = pairs, boat

    def start(self) -> State:
        return self.pairs, self.pairs, 0

    def to_move(self, state: State) -> str:
        return "Player"

    def outcome(self, state: State) -> str | None:
        return "Player" if state[:2] == (0, 0) else None

    def options(self, state: State) -> list[str]:
        pairs = [(m, n) for m in range(self.boat + 1) for n in range(self.boat + 1) if 1 <= m + n <= self.boat]
        return [f"{m}+{n}" for m, n in pairs if self.safe(self.after(state, f"{m}+{n}"))]

    def safe(self, state: State) -> bool:
        """Whether the numbers are possible and nobody is eaten."""
        banks = [state[:2], (self.pairs - state[0], self.pairs - state[1])]
        return all(m >= 0 and n >= 0 and (m == 0 or m >= n) for m, n in banks)

    def after(self, state: State, move: str) -> State:
        m, n = map(int, move.split("+"))
        sign = 1 if state[2] else -1
        return state[0] + sign * m, state[1] + sign * n, 1 - state[2]

    def board(self, state: State) -> dict[str, str]:
        return {}

    def variables(self, state: State) -> dict[str, object]:
        m, n, shore = state
        return {"here": [m, self.pairs - m, n, self.pairs - n], "shore": shore}
