"""Leduc Poker: six cards of three ranks, a card each, a round of bets, a common card and a second round.

Each player pays a chip before the deal. Ann begins both rounds; a round is over once both have acted and paid the same.
It has two raises at most, of 2 chips over the other's in the first round and of 4 in the second; who owes chips may
fold. At the end the common card's rank wins, else the higher rank; the same rank is a draw.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from tests.reference.rules import DRAW, Rules

CASES: list[dict[str, int]] = [{}]

PLAYERS = ("Ann", "Bob")
CARDS = range(1, 7)
RANKS = {1: "jack", 2: "jack", 3: "queen", 4: "queen", 5: "king", 6: "king"}
SIZES = (2, 4)


class State(NamedTuple):
    """The dealt cards, the two players' first, and the moves of each round."""

    dealt: tuple[int, ...] = ()
    rounds: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())


def paid(rounds: tuple[tuple[str, ...], tuple[str, ...]]) -> list[int]:
    """The chips that each player has paid into the pot."""
    pot = [1, 1]
    for moves, size in zip(rounds, SIZES, strict=True):
        for number, move in enumerate(moves):
            own, other = number % 2, 1 - number % 2
            if move != "fold":
                pot[own] = pot[other] + (size if move == "raise" else 0)
    return pot


def closed(moves: tuple[str, ...]) -> bool:
    """Whether a betting round has ended without a fold: with a call that is not the first move."""
    return len(moves) > 1 and moves[-1] == "call"


class Reference(Rules[State]):
    """Leduc Poker for two."""

    def start(self) -> State:
        return State()

    def phase(self, state: State) -> str:
        """The name of the current phase."""
        if len(state.dealt) == 3:
            return "rebetting"
        if not state.dealt:
            return "dealing"
        return "showing" if closed(state.rounds[0]) else "betting"

    def bets(self, state: State) -> tuple[str, ...]:
        """The moves of the current betting round; none while cards are dealt or shown."""
        return {"betting": state.rounds[0], "rebetting": state.rounds[1]}.get(self.phase(state), ())

    def folded(self, state: State) -> str | None:
        moves = self.bets(state)
        return PLAYERS[(len(moves) - 1) % 2] if moves[-1:] == ("fold",) else None

    def to_move(self, state: State) -> str:
        return PLAYERS[len(self.bets(state)) % 2] if self.phase(state) in ("betting", "rebetting") else "nature"

    def outcome(self, state: State) -> str | None:
        if folded := self.folded(state):
            return "Bob" if folded == "Ann" else "Ann"
        if not closed(state.rounds[1]):
            return None
        ann, bob, common = (RANKS[card] for card in state.dealt)
        if ann == bob:
            return DRAW
        if common in (ann, bob):
            return "Ann" if ann == common else "Bob"
        return "Ann" if state.dealt[0] > state.dealt[1] else "Bob"

    def options(self, state: State) -> list[str]:
        phase, moves = self.phase(state), self.bets(state)
        if phase == "dealing":
            return [f"deal:{a}-{b}" for a in CARDS for b in CARDS if a != b]
        if phase == "showing":
            return [f"show:{card}" for card in CARDS if card not in state.dealt]
        return ["call"] + ["raise"] * (moves.count("raise") < 2) + ["fold"] * (moves[-1:] == ("raise",))

    def probability(self, state: State, move: str) -> Fraction:
        return Fraction(1, 6 * 5) if self.phase(state) == "dealing" else Fraction(1, 4)

    def after(self, state: State, move: str) -> State:
        kind, _, cards = move.partition(":")
        if cards:
            return state._replace(dealt=(*state.dealt, *map(int, cards.split("-"))))
        first, second = state.rounds
        if self.phase(state) == "betting":
            return state._replace(rounds=((*first, kind), second))
        return state._replace(rounds=(first, (*second, kind)))

    def board(self, state: State) -> dict[str, str]:
        return {}

    def variables(self, state: State) -> dict[str, object]:
        ann, bob, common = (*state.dealt, None, None, None)[:3]
        moves = self.bets(state)
        return {
            "now": self.phase(state),
            "card": [ann, bob],
            "common": common,
            "paid": paid(state.rounds),
            "raises": moves.count("raise"),
            "acts": len(moves) - moves.count("fold"),
            "folded": self.folded(state),
        }
