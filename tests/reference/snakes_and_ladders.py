"""Snakes and Ladders on 25 squares: a die is thrown for each player in turn, and nobody makes decisions."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}]
PLAYERS = ("One", "Two")
LEADS = {3: 11, 10: 12, 6: 17, 9: 18, 24: 16, 22: 20, 19: 8}
"""The squares that ladders and snakes lead from and to."""


class State(NamedTuple):
    """The players' squares, and the turn."""

    squares: tuple[int, int]
    turn: int


class Reference(Rules[State]):
    """Snakes and Ladders, in which only nature moves."""

    def start(self) -> State:
        return State((0, 0), 0)

    def to_move(self, state: State) -> str:
        return "nature"

    def outcome(self, state: State) -> str | None:
        return next((name for name, square in zip(PLAYERS, state.squares, strict=True) if square == 25), None)

    def options(self, state: State) -> list[str]:
        return ["1", "2", "3", "4", "5", "6"]

    def probability(self, state: State, move: str) -> Fraction:
        return Fraction(1, 6)

    def after(self, state: State, move: str) -> State:
        squares = list(state.squares)
        ahead = squares[state.turn] + int(move)
        if ahead <= 25:
            squares[state.turn] = LEADS.get(ahead, ahead)
        return State((squares[0], squares[1]), 1 - state.turn)

    def board(self, state: State) -> dict[str, str]:
        return {}

    def variables(self, state: State) -> dict[str, object]:
        return {"square": list(state.squares)}
