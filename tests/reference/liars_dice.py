"""Liar's Dice with one die each: bids go up by number, then by face, until one player calls the other a liar.

The highest face is wild. If at least as many dice as bid show the face, the bidder wins, else the caller.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}, {"sides": 2}, {"sides": 3}, {"sides": 8}]

PLAYERS = ("Ann", "Bob")


class State(NamedTuple):
    """The dice, empty before the throw, all bids in order, and whether the last one was called a lie."""

    dice: tuple[int, ...] = ()
    bids: tuple[tuple[int, int], ...] = ()
    called: bool = False


class Reference(Rules[State]):
    """Liar's Dice with one die of `sides` sides each."""

    def __init__(self, *, sides: int = 6) -> None:
        self.sides = sides
        self.faces = range(1, sides + 1)
        self.bids = [(number, face) for number in (1, 2) for face in self.faces]

    def start(self) -> State:
        return State()

    def to_move(self, state: State) -> str:
        return PLAYERS[len(state.bids) % 2] if state.dice else "nature"

    def outcome(self, state: State) -> str | None:
        if not state.called:
            return None
        number, face = state.bids[-1]
        true = sum(die in (face, self.sides) for die in state.dice) >= number
        caller = len(state.bids) % 2
        return PLAYERS[1 - caller if true else caller]

    def options(self, state: State) -> list[str]:
        if not state.dice:
            return [f"throw:{a}-{b}" for a in self.faces for b in self.faces]
        above = [f"{number}x{face}" for number, face in self.bids if (number, face) > max(state.bids, default=(0, 0))]
        return above + ["liar"] * bool(state.bids)

    def probability(self, state: State, move: str) -> Fraction:
        return Fraction(1, self.sides**2)

    def after(self, state: State, move: str) -> State:
        if move == "liar":
            return state._replace(called=True)
        if not state.dice:
            a, b = move.removeprefix("throw:").split("-")
            return State((int(a), int(b)))
        number, face = move.split("x")
        return state._replace(bids=(*state.bids, (int(number), int(face))))

    def board(self, state: State) -> dict[str, str]:
        return {}

    def variables(self, state: State) -> dict[str, object]:
        """`bid` is the last bid's number in the order of all possible bids, from 1; 0 before the first."""
        bid = self.bids.index(state.bids[-1]) + 1 if state.bids else 0
        return {"die": list(state.dice or (None, None)), "bid": bid, "called": int(state.called)}
