"""OpenSpiel's amazons, where a move is three actions: the amazon, its target, and the arrow's cell.

Cells are numbered row by row from the top.
"""

from __future__ import annotations

import re
from string import ascii_lowercase

from tests.openspiel.adapter import Adapter, Played

CASES: list[dict[str, int]] = [{"size": 6}]


class OpenSpiel(Adapter):
    """Amazons on a board of 6, 8 or 10 rows."""

    players = ("White", "Black")

    def __init__(self, *, size: int = 10) -> None:
        super().__init__(f"amazons(board_size={size})")
        self.size = size

    def text_of(self, action: int, state: Played) -> str:
        return f"{ascii_lowercase[action % self.size]}{self.size - action // self.size}"

    def action_of(self, name: str) -> int:
        return (self.size - int(name[1:])) * self.size + ascii_lowercase.index(name[0])

    def options(self, state: Played) -> list[str]:
        found = []
        for start in state.spiel.legal_actions():
            chosen = state.spiel.child(start)
            for end in chosen.legal_actions():
                moved = chosen.child(end)
                for arrow in moved.legal_actions():
                    names = [self.text_of(action, state) for action in (start, end, arrow)]
                    found.append(f"{names[0]}-{names[1]}/{names[2]}")
        return found

    def after(self, state: Played, move: str) -> Played:
        actions = [self.action_of(name) for name in re.split("[-/]", move)]
        spiel = state.spiel.clone()
        for action in actions:
            spiel.apply_action(action)
        return Played((*state.actions, *actions), spiel)

    def board(self, state: Played) -> dict[str, str]:
        signs = "".join(str(state.spiel).split())
        pieces = {"X": "white", "O": "black", "#": "arrow"}
        return {self.text_of(cell, state): pieces[sign] for cell, sign in enumerate(signs) if sign != "."}
