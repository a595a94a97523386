"""OpenSpiel's mnk under its misere transformation: cells are numbered row by row from the top."""

from __future__ import annotations

from string import ascii_lowercase

from tests.openspiel.adapter import Adapter, Played

CASES: list[dict[str, int]] = [{}, {"size": 4}, {"size": 5, "length": 4}]


class OpenSpiel(Adapter):
    """Misere tic-tac-toe on a square board."""

    players = ("X", "O")

    def __init__(self, *, size: int = 3, length: int = 3) -> None:
        super().__init__(f"misere(game=mnk(m={size},n={size},k={length}))")
        self.size = size

    def text_of(self, action: int, state: Played) -> str:
        return f"{ascii_lowercase[action % self.size]}{self.size - action // self.size}"

    def board(self, state: Played) -> dict[str, str]:
        signs = str(state.spiel).replace("\n", "")
        return {self.text_of(cell, state): sign for cell, sign in enumerate(signs) if sign != "."}
