"""OpenSpiel's mancala, which is Kalah with six houses of four seeds.

Its pits are numbered around the board: North's store is 0, South's houses are 1 to 6 from the left, South's store is 7,
and North's houses are 8 to 13 from the right.
"""

from __future__ import annotations

from tests.openspiel.adapter import Adapter, Played

CASES: list[dict[str, int]] = [{}]


class OpenSpiel(Adapter):
    """Kalah."""

    players = ("South", "North")

    def __init__(self) -> None:
        super().__init__("mancala")

    def text_of(self, action: int, state: Played) -> str:
        return f"{'abcdefg'[action]}1" if action < 7 else f"{'abcdefg'[14 - action]}2"
