"""OpenSpiel's lines_of_action: the same rules, with one difference.

It draws when the same men stand as before, whoever is to move; here the player to move must be the same, too. A game in
which that makes a difference is given up.
"""

from __future__ import annotations

import re

from hypothesis import reject

from tests.openspiel.adapter import Adapter, Played
from tests.reference.rules import DRAW

CASES: list[dict[str, int]] = [{}]


class OpenSpiel(Adapter):
    """Lines of Action on 8x8."""

    players = ("Black", "White")

    def __init__(self) -> None:
        super().__init__("lines_of_action")

    def text_of(self, action: int, state: Played) -> str:
        return str(state.spiel.action_to_string(action)).replace("x", "-")

    def outcome(self, state: Played) -> str | None:
        outcome = super().outcome(state)
        if outcome == DRAW:
            earlier = self.game.new_initial_state()
            ply = 0
            while self.board(Played((), earlier)) != self.board(state):
                earlier.apply_action(state.actions[ply])
                ply += 1
            if (len(state.actions) - ply) % 2:
                reject()
        return outcome

    def board(self, state: Played) -> dict[str, str]:
        rows = re.findall(r"\d([.xo]{8})", str(state.spiel))
        return {
            f"{'abcdefgh'[column]}{8 - row}": {"x": "black", "o": "white"}[sign]
            for row, signs in enumerate(rows)
            for column, sign in enumerate(signs)
            if sign != "."
        }
