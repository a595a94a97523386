"""Onitama, with its sixteen cards, which the players deal themselves.

Five by five cells; each player has a master in the middle of the nearest row and two students on either side. Red sits
at the bottom. Cards are dealt by choice: Red and Blue take one by turns until both have two, then Red lays a fifth
beside the board, and Blue begins. In a turn a player moves a piece by one of the offsets of a card in hand, seen from
their own side, to a cell without an own piece; a piece of the other player there is captured. The card goes beside the
board, and the one that lay there is taken. If no piece can move, only a card is exchanged. A player who captures the
other master or brings their own master to the cell where the other master began wins. A repeated position is a draw,
which is left to the caller. Cells are named by column letter from the left and row number from the bottom; `frog:b1-a2`
plays a card.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules
from tests.reference.squares import Place, name

CASES: list[dict[str, int]] = [{}]

OTHER = {"Red": "Blue", "Blue": "Red"}
CARDS = {
    "tiger": [(0, 2), (0, -1)],
    "dragon": [(-2, 1), (2, 1), (-1, -1), (1, -1)],
    "frog": [(-2, 0), (-1, 1), (1, -1)],
    "rabbit": [(2, 0), (1, 1), (-1, -1)],
    "crab": [(0, 1), (-2, 0), (2, 0)],
    "elephant": [(-1, 0), (-1, 1), (1, 1), (1, 0)],
    "goose": [(-1, 1), (-1, 0), (1, 0), (1, -1)],
    "rooster": [(-1, -1), (-1, 0), (1, 0), (1, 1)],
    "monkey": [(-1, 1), (1, 1), (-1, -1), (1, -1)],
    "mantis": [(-1, 1), (1, 1), (0, -1)],
    "horse": [(0, 1), (-1, 0), (0, -1)],
    "ox": [(0, 1), (1, 0), (0, -1)],
    "crane": [(0, 1), (-1, -1), (1, -1)],
    "boar": [(-1, 0), (0, 1), (1, 0)],
    "eel": [(-1, 1), (-1, -1), (1, 0)],
    "cobra": [(1, 1), (1, -1), (-1, 0)],
}
"""The offsets of each card, (right, ahead) from its player's view."""
TEMPLE = {"Red": (2, 0), "Blue": (2, 4)}


class State(NamedTuple):
    """Pieces as (place, owner, kind); the cards of Red and of Blue; the card beside the board; the player to move."""

    pieces: frozenset[tuple[Place, str, str]]
    red: frozenset[str]
    blue: frozenset[str]
    spare: str | None
    mover: str


class Reference(Rules[State]):
    """Onitama."""

    def start(self) -> State:
        pieces = {((column, row), player, "master" if column == 2 else "student")
                  for player, row in (("Red", 0), ("Blue", 4)) for column in range(5)}
        return State(frozenset(pieces), frozenset(), frozenset(), None, "Red")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        for player in OTHER:
            if not any(owner == player and kind == "master" for _, owner, kind in state.pieces):
                return OTHER[player]
            if (TEMPLE[OTHER[player]], player, "master") in state.pieces:
                return player
        return None

    def options(self, state: State) -> list[str]:
        if state.spare is None:
            return sorted(set(CARDS) - state.red - state.blue)
        owners = {place: owner for place, owner, _ in state.pieces}
        sign = 1 if state.mover == "Red" else -1
        found = []
        cards = state.red if state.mover == "Red" else state.blue
        for card in cards:
            for place, owner in owners.items():
                for right, ahead in CARDS[card]:
                    end = place[0] + sign * right, place[1] + sign * ahead
                    if owner == state.mover and all(0 <= x < 5 for x in end) and owners.get(end) != state.mover:
                        found.append(f"{card}:{name(place)}-{name(end)}")
        return found or sorted(cards)

    def after(self, state: State, move: str) -> State:
        card, _, step = move.partition(":")
        pieces, spare, cards = state.pieces, state.spare, {"Red": state.red, "Blue": state.blue}
        if spare is None:
            if len(state.red) == len(state.blue) == 2:
                spare = card
            else:
                cards[state.mover] |= {card}
        else:
            cards[state.mover] = cards[state.mover] - {card} | {spare}
            spare = card
        if step:
            start, end = (("abcde".index(cell[0]), int(cell[1]) - 1) for cell in step.split("-"))
            kind = next(kind for place, _, kind in pieces if place == start)
            pieces = frozenset(piece for piece in pieces if piece[0] not in (start, end)) | {(end, state.mover, kind)}
        return State(pieces, cards["Red"], cards["Blue"], spare, OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {name(place): f"{owner} {kind}" for place, owner, kind in state.pieces}

    def variables(self, state: State) -> dict[str, object]:
        held = ["Red" if card in state.red else "Blue" if card in state.blue else None for card in CARDS]
        return {"holder": held, "spare": state.spare}
