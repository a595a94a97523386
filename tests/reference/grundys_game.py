"""Grundy's game: a row of coins is cut into two rows that are not equal; a player who cannot cut loses.

A move is the number of the gap between two coins that is cut, counted from 1 at the left.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}, {"coins": 3}, {"coins": 7}, {"coins": 20}]

OTHER = {"First": "Second", "Second": "First"}


class State(NamedTuple):
    """The lengths of the rows from the left, and the player to move."""

    rows: tuple[int, ...]
    mover: str


class Reference(Rules[State]):
    """Grundy's game with one row of coins at first."""

    def __init__(self, *, coins: int = 12) -> None:
        self.coins = coins

    def start(self) -> State:
        return State((self.coins,), "First")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        return None if any(row > 2 for row in state.rows) else OTHER[state.mover]

    def options(self, state: State) -> list[str]:
        return [str(sum(state.rows[:number]) + first) for number, row in enumerate(state.rows)
                for first in range(1, row) if 2 * first != row]

    def after(self, state: State, move: str) -> State:
        rows: list[int] = []
        passed = 0
        for row in state.rows:
            cut = int(move) - passed
            rows += [cut, row - cut] if 0 < cut < row else [row]
            passed += row
        return State(tuple(rows), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {f"a{sum(state.rows[:number])}": "cut" for number in range(1, len(state.rows))}
