"""OpenSpiel's hex with `swap`, which mirrors the stone and changes its colour, as our swap does."""

from __future__ import annotations

from string import ascii_lowercase

from tests.openspiel.adapter import Adapter, Played

CASES: list[dict[str, int]] = [{"size": size} for size in range(3, 12)]


class OpenSpiel(Adapter):
    """Hex with swapping, on a board of 3 to 11 rows."""

    players = ("Red", "Blue")

    def __init__(self, *, size: int = 11) -> None:
        super().__init__(f"hex(board_size={size},swap=True)")
        self.size = size

    def text_of(self, action: int, state: Played) -> str:
        if action == self.size**2:
            return "swap"
        return f"{ascii_lowercase[action % self.size]}{action // self.size + 1}"

    def board(self, state: Played) -> dict[str, str]:
        """Read the signs, which differ by the sides that a stone is connected to."""
        signs = str(state.spiel).split()
        colours = {**dict.fromkeys("xyzX", "red"), **dict.fromkeys("opqO", "blue")}
        return {self.text_of(cell, state): colours[sign] for cell, sign in enumerate(signs) if sign != "."}
