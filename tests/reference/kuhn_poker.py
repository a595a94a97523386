"""Kuhn's poker: three cards, 1 to 3, of which Ann and Bob get one each; both pay one chip, and may bet one more.

Ann acts first. A player who faces no bet passes or bets; one who faces a bet calls or folds. After two passes or a call
the higher card wins; a player who folds loses.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}]
PLAYERS = ("Ann", "Bob")
ENDS = ("pass pass", "bet call", "bet fold", "pass bet call", "pass bet fold")
"""The sequences of acts that end the game."""


class State(NamedTuple):
    """The cards of Ann and Bob, empty before they are dealt, and the players' acts."""

    cards: tuple[int, ...]
    acts: tuple[str, ...]


class Reference(Rules[State]):
    """Kuhn's poker, one hand."""

    def start(self) -> State:
        return State((), ())

    def to_move(self, state: State) -> str:
        return PLAYERS[len(state.acts) % 2] if state.cards else "nature"

    def outcome(self, state: State) -> str | None:
        if " ".join(state.acts) not in ENDS:
            return None
        if state.acts[-1] == "fold":
            return PLAYERS[len(state.acts) % 2]
        ann, bob = state.cards
        return "Ann" if ann > bob else "Bob"

    def options(self, state: State) -> list[str]:
        if not state.cards:
            return ["deal:1-2", "deal:1-3", "deal:2-1", "deal:2-3", "deal:3-1", "deal:3-2"]
        return ["call", "fold"] if "bet" in state.acts else ["pass", "bet"]

    def probability(self, state: State, move: str) -> Fraction:
        return Fraction(1, 6)

    def after(self, state: State, move: str) -> State:
        if not state.cards:
            return State((int(move[5]), int(move[7])), ())
        return state._replace(acts=(*state.acts, move))

    def board(self, state: State) -> dict[str, str]:
        return {}

    def variables(self, state: State) -> dict[str, object]:
        folded = state.acts[-1:] == ("fold",)
        return {
            "card": list(state.cards) or [None, None],
            "bet": [1 + any(act in ("bet", "call") for act in state.acts[player::2]) for player in (0, 1)],
            "acts": len(state.acts),
            "folded": PLAYERS[(len(state.acts) - 1) % 2] if folded else None,
        }
