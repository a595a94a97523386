"""OpenSpiel's havannah, without the pie rule: its rows, in a square of 2 * size - 1, are our columns."""

from __future__ import annotations

from string import ascii_lowercase

from tests.openspiel.adapter import Adapter, Played

CASES: list[dict[str, int]] = [{"size": size} for size in range(3, 7)] + [{}]


class OpenSpiel(Adapter):
    """Havannah with at least 3 cells on each side."""

    players = ("White", "Black")

    def __init__(self, *, size: int = 8) -> None:
        super().__init__(f"havannah(board_size={size})")
        self.size = size

    def text_of(self, action: int, state: Played) -> str:
        row, place = divmod(action, 2 * self.size - 1)
        return f"{ascii_lowercase[row]}{place - max(0, row - self.size + 1) + 1}"
