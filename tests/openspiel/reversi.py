"""OpenSpiel's othello: cells are numbered row by row from the top; a player without a move has to pass, as here."""

from __future__ import annotations

from string import ascii_lowercase

from tests.openspiel.adapter import Adapter, Played

CASES: list[dict[str, int]] = [{}]


class OpenSpiel(Adapter):
    """Othello on its 8 x 8 cells."""

    players = ("Black", "White")

    def __init__(self, *, half: int = 4) -> None:
        if half != 4:
            raise ValueError("OpenSpiel's board is 8 x 8")
        super().__init__("othello")

    def text_of(self, action: int, state: Played) -> str:
        return "pass" if action == 64 else f"{ascii_lowercase[action % 8]}{action // 8 + 1}"

    def board(self, state: Played) -> dict[str, str]:
        rows = [row.split()[1:9] for row in str(state.spiel).splitlines()[2:10]]
        signs = [sign for row in rows for sign in row]
        colours = {"x": "black", "o": "white"}
        return {self.text_of(cell, state): colours[sign] for cell, sign in enumerate(signs) if sign != "-"}
