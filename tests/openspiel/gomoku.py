"""OpenSpiel's freestyle gomoku: cells are numbered row by row, which the adapter counts from the top."""

from __future__ import annotations

from string import ascii_lowercase

from tests.openspiel.adapter import Adapter, Played

CASES: list[dict[str, int]] = [{}, {"size": 5, "length": 3}, {"size": 7, "length": 4}]


class OpenSpiel(Adapter):
    """Gomoku on a square board, without `exact`, which OpenSpiel does not have."""

    players = ("Black", "White")

    def __init__(self, *, size: int = 15, length: int = 5) -> None:
        super().__init__(f"gomoku(size={size},connect={length})")
        self.size = size

    def text_of(self, action: int, state: Played) -> str:
        return f"{ascii_lowercase[action % self.size]}{self.size - action // self.size}"

    def board(self, state: Played) -> dict[str, str]:
        signs = "".join(str(state.spiel).split())[1:]  # the first letter is the player to move
        return {
            self.text_of(cell, state): {"b": "black", "w": "white"}[sign]
            for cell, sign in enumerate(signs)
            if sign != "."
        }
