"""OpenSpiel's tic_tac_toe: cells are numbered row by row from the top."""

from __future__ import annotations

from tests.openspiel.adapter import Adapter, Played

CASES: list[dict[str, int]] = [{}]


class OpenSpiel(Adapter):
    """Tic-tac-toe."""

    players = ("X", "O")

    def __init__(self) -> None:
        super().__init__("tic_tac_toe")

    def text_of(self, action: int, state: Played) -> str:
        return f"{'abc'[action % 3]}{3 - action // 3}"

    def board(self, state: Played) -> dict[str, str]:
        signs = str(state.spiel).replace("\n", "")
        return {self.text_of(cell, state): sign for cell, sign in enumerate(signs) if sign != "."}
