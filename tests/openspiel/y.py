"""OpenSpiel's y: the triangle's cells are numbered row by row from the top, as in a square."""

from __future__ import annotations

from string import ascii_lowercase

from tests.openspiel.adapter import Adapter, Played

CASES: list[dict[str, int]] = [{"size": size} for size in range(1, 8)] + [{}, {"size": 19}]


class OpenSpiel(Adapter):
    """Y on a triangle of up to 19 rows."""

    players = ("Black", "White")

    def __init__(self, *, size: int = 13) -> None:
        super().__init__(f"y(board_size={size})")
        self.size = size

    def text_of(self, action: int, state: Played) -> str:
        return f"{ascii_lowercase[action % self.size]}{action // self.size + 1}"
