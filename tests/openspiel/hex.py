"""OpenSpiel's hex: cells are numbered row by row from the top; without the pie rule by default, as here."""

from __future__ import annotations

from string import ascii_lowercase

from tests.openspiel.adapter import Adapter, Played

CASES: list[dict[str, int]] = [{"size": size} for size in range(3, 12)]


class OpenSpiel(Adapter):
    """Hex on a board of 3 to 11 rows."""

    players = ("Red", "Blue")

    def __init__(self, *, size: int = 11) -> None:
        super().__init__(f"hex(board_size={size})")
        self.size = size

    def text_of(self, action: int, state: Played) -> str:
        return f"{ascii_lowercase[action % self.size]}{action // self.size + 1}"
