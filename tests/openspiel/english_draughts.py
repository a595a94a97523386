"""OpenSpiel's checkers, where each jump is an action; the adapter joins the jumps of one move.

Each side has three rows of men. OpenSpiel draws after 40 actions without a capture, but not by repetition.
"""

from __future__ import annotations

import re
from typing import Any

from tests.openspiel.adapter import WithoutDraws
from tests.reference.english_draughts import Reference

CASES: list[dict[str, int]] = [{}, {"size": 10}]

PIECES = {"o": "Black man", "+": "White man", "8": "Black king", "*": "White king"}


class OpenSpiel(WithoutDraws):
    """English draughts on boards of an even size from 8."""

    players = ("Black", "White")

    def __init__(self, *, size: int = 8) -> None:
        super().__init__(f"checkers(rows={size},columns={size})", Reference(size=size))
        self.size = size

    def following(self, spiel: Any) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for action in spiel.legal_actions():
            start, end = re.findall(r"[a-z]\d+", spiel.action_to_string(action))
            after = spiel.child(action)
            if abs(ord(start[0]) - ord(end[0])) == 1:
                found[f"{start}-{end}"] = after
            elif after.is_terminal() or after.current_player() != spiel.current_player():
                found[f"{start}x{end}"] = after
            else:
                found |= {f"{start}x{further}": last for further, last in self.following(after).items()}
        return found

    def read(self, spiel: Any) -> dict[str, str]:
        rows = [line[-self.size :] for line in str(spiel).splitlines()[: self.size]]
        return {
            f"{'abcdefghijkl'[column]}{self.size - row}": PIECES[sign]
            for row, signs in enumerate(rows)
            for column, sign in enumerate(signs)
            if sign != "."
        }
