"""Goofspiel: both players have cards from 1 up and bid one for each prize, without knowing the other's bid.

The prizes come in falling order, from one point per card down to 1. The higher bid takes the prize, equal bids discard
it, and both cards are used up. The player with more points at the end wins. A move is the card. Ann bids first, and her
card stays in her hand until Bob has bid.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import NamedTuple

from tests.reference.rules import DRAW, Rules

CASES: list[dict[str, int]] = [{}, {"cards": 1}, {"cards": 2}, {"cards": 3}, {"cards": 5}, {"cards": 13}]
PLAYERS = ("Ann", "Bob")


class State(NamedTuple):
    """The bids of every round, Ann's first, and Ann's bid until Bob has bid (0: she has not bid yet)."""

    rounds: tuple[tuple[int, int], ...]
    waiting: int


class Reference(Rules[State]):
    """Goofspiel with prizes in falling order."""

    def __init__(self, *, cards: int = 4) -> None:
        self.cards = cards

    def start(self) -> State:
        return State((), 0)

    def to_move(self, state: State) -> str:
        return "Bob" if state.waiting else "Ann"

    def outcome(self, state: State) -> str | None:
        if len(state.rounds) < self.cards:
            return None
        ann, bob = self._points(state)
        return DRAW if ann == bob else PLAYERS[ann < bob]

    def _points(self, state: State) -> list[int]:
        points = [0, 0]
        for number, (ann, bob) in enumerate(state.rounds):
            if ann != bob:
                points[ann < bob] += self.cards - number
        return points

    def _left(self, state: State, player: int) -> list[int]:
        used = [bids[player] for bids in state.rounds]
        return [card for card in range(1, self.cards + 1) if card not in used]

    def options(self, state: State) -> list[str]:
        return [str(card) for card in self._left(state, 1 if state.waiting else 0)]

    def after(self, state: State, move: str) -> State:
        if state.waiting:
            return State((*state.rounds, (state.waiting, int(move))), 0)
        return state._replace(waiting=int(move))

    def board(self, state: State) -> dict[str, str]:
        rows = ((0, 2, "ann"), (1, 1, "bob"))
        return {f"{ascii_lowercase[card - 1]}{row}": piece for player, row, piece in rows
                for card in self._left(state, player)}

    def variables(self, state: State) -> dict[str, object]:
        card = f"{ascii_lowercase[state.waiting - 1]}2" if state.waiting else None
        return {
            "bid": [None, None],
            "points": self._points(state),
            "round": len(state.rounds),
            "chosen": ["bid" if state.waiting else "nothing", "nothing"],
            "chosen_c": [card, None],
        }
