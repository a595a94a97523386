"""One hand of Blackjack from one deck: the player hits or stands, the dealer takes cards below 17.

`expected` is the expected result of best play, where a win counts 1 and a loss -1.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import NamedTuple

from tests.reference.rules import DRAW, Rules

CASES: list[dict[str, int]] = [{}, {"copies": 1}, {"copies": 8}]


class State(NamedTuple):
    """The cards of player and dealer by value, in order of dealing, and the player's decisions."""

    own: tuple[int, ...]
    dealer: tuple[int, ...]
    hitting: bool
    standing: bool


def worth(cards: tuple[int, ...]) -> int:
    """The best sum of some cards: an ace counts 11 if that does not bust."""
    return sum(cards) + 10 if 1 in cards and sum(cards) <= 11 else sum(cards)


class Reference(Rules[State]):
    """The game for one player, in which nature's moves are cards by value."""

    def __init__(self, *, copies: int = 4) -> None:
        self.deck = [copies] * 9 + [4 * copies]

    def start(self) -> State:
        return State((), (), False, False)

    def to_move(self, state: State) -> str:
        dealt = len(state.own) >= 2 and state.dealer
        return "Solver" if dealt and not state.hitting and not state.standing else "nature"

    def payoffs(self, state: State) -> list[int]:
        """The player's result at the end."""
        own, dealer = worth(state.own), worth(state.dealer)
        if own > 21:
            return [-1]
        return [1] if dealer > 21 else [(own > dealer) - (own < dealer)]

    def outcome(self, state: State) -> str | None:
        if worth(state.own) <= 21 and not (state.standing and worth(state.dealer) >= 17):
            return None
        return "Solver" if self.payoffs(state) == [1] else DRAW  # a single player has nobody to lose to

    def left(self, state: State) -> list[int]:
        """The number of cards of each value that are left in the deck."""
        return [count - (*state.own, *state.dealer).count(value) for value, count in enumerate(self.deck, start=1)]

    def probability(self, state: State, move: str) -> Fraction:
        left = self.left(state)
        return Fraction(left[int(move) - 1], sum(left))

    def options(self, state: State) -> list[str]:
        if self.to_move(state) == "Solver":
            return ["hit", "stand"]
        return [str(value) for value, count in enumerate(self.left(state), start=1) if count]

    def after(self, state: State, move: str) -> State:
        if move in ("hit", "stand"):
            return state._replace(hitting=move == "hit", standing=move == "stand")
        if state.standing or (len(state.own) == 2 and not state.dealer):
            return state._replace(dealer=(*state.dealer, int(move)))
        return state._replace(own=(*state.own, int(move)), hitting=False)

    def board(self, state: State) -> dict[str, str]:
        return {}

    def variables(self, state: State) -> dict[str, object]:
        return {"in_deck": self.left(state), "hard": [sum(state.own), sum(state.dealer)],
                "has_ace": [int(1 in state.own), int(1 in state.dealer)],
                "dealt": min(len(state.own), 2) + bool(state.dealer),
                "hitting": int(state.hitting), "standing": int(state.standing)}


def expected(copies: int) -> Fraction:
    """The expected result of best play from the start."""
    rules = Reference(copies=copies)

    @cache
    def value(state: State) -> Fraction:
        if rules.outcome(state) is not None:
            return Fraction(rules.payoffs(state)[0])
        kids = {move: value(sorted_(rules.after(state, move))) for move in rules.options(state)}
        if rules.to_move(state) == "Solver":
            return max(kids.values())
        return sum((rules.probability(state, move) * kid for move, kid in kids.items()), Fraction(0))

    def sorted_(state: State) -> State:
        return state._replace(own=tuple(sorted(state.own)), dealer=tuple(sorted(state.dealer)))

    return value(rules.start())
