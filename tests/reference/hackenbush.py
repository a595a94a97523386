"""Blue-red Hackenbush stalks ("Winning Ways"): Left cuts blue, Right cuts red, and everything above the cut falls.

The stalks from the ground up, B and R: BBR, BRR, RBBR, BR, RRB. A player who cannot cut loses. A move is the cell of a
piece.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}]

OTHER = {"Left": "Right", "Right": "Left"}
STALKS = ("BBR", "BRR", "RBBR", "BR", "RRB")


class State(NamedTuple):
    """The stalks, and the player to move."""

    stalks: tuple[str, ...]
    mover: str


class Reference(Rules[State]):
    """Hackenbush with five stalks."""

    def start(self) -> State:
        return State(STALKS, "Left")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        return None if self.options(state) else OTHER[state.mover]

    def options(self, state: State) -> list[str]:
        own = "B" if state.mover == "Left" else "R"
        return [f"{'abcde'[number]}{high + 1}" for number, stalk in enumerate(state.stalks)
                for high, sign in enumerate(stalk) if sign == own]

    def after(self, state: State, move: str) -> State:
        cut = "abcde".index(move[0])
        return State(tuple(stalk[:int(move[1]) - 1] if number == cut else stalk
                           for number, stalk in enumerate(state.stalks)), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {f"{'abcde'[number]}{high + 1}": "blue" if sign == "B" else "red"
                for number, stalk in enumerate(state.stalks) for high, sign in enumerate(stalk)}


def value(stalk: str) -> Fraction:
    """The value of a stalk, in moves for Left: 1 per piece up to the first change of colour, then halved per piece."""
    same = len(stalk) - len(stalk.lstrip(stalk[:1])) if stalk else 0
    total, worth = Fraction(0), Fraction(1)
    for number, sign in enumerate(stalk):
        worth = worth if number < same else worth / 2
        total += worth if sign == "B" else -worth
    return total
