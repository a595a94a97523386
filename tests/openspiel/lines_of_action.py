"""OpenSpiel's lines_of_action: the same rules but for repetition.

OpenSpiel draws when a board is repeated with either player to move; here the player to move must be the same.
"""

from __future__ import annotations

import re
from typing import Any

from tests.openspiel.adapter import WithoutDraws
from tests.reference.lines_of_action import Reference

CASES: list[dict[str, int]] = [{}]


class OpenSpiel(WithoutDraws):
    """Lines of Action on 8x8."""

    players = ("Black", "White")

    def __init__(self) -> None:
        super().__init__("lines_of_action", Reference())

    def following(self, spiel: Any) -> dict[str, Any]:
        return {
            spiel.action_to_string(action).replace("x", "-"): spiel.child(action) for action in spiel.legal_actions()
        }

    def read(self, spiel: Any) -> dict[str, str]:
        rows = re.findall(r"\d([.xo]{8})", str(spiel))
        return {
            f"{'abcdefgh'[column]}{8 - row}": {"x": "black", "o": "white"}[sign]
            for row, signs in enumerate(rows)
            for column, sign in enumerate(signs)
            if sign != "."
        }
