"""OpenSpiel's breakthrough: the first player starts at the top, so the adapter reverses the rows.

On boards of fewer than six rows each side has one row of men. Captures end in `*`.
"""

from __future__ import annotations

import re

from tests.openspiel.adapter import Adapter, Played

CASES: list[dict[str, int]] = [
    {},
    {"rows": 3, "columns": 2, "filled": 1},
    {"rows": 5, "columns": 4, "filled": 1},
    {"rows": 6, "columns": 6},
    {"rows": 9, "columns": 5},
]


class OpenSpiel(Adapter):
    """Breakthrough on any board."""

    players = ("White", "Black")

    def __init__(self, *, rows: int = 8, columns: int = 8, filled: int = 2) -> None:
        if filled != (2 if rows > 5 else 1):
            raise ValueError(f"OpenSpiel has not {filled} filled rows of {rows}")
        super().__init__(f"breakthrough(rows={rows},columns={columns})")
        self.rows = rows

    def text_of(self, action: int, state: Played) -> str:
        cells = re.findall(r"([a-z])(\d+)", state.spiel.action_to_string(action))
        return "-".join(f"{letter}{self.rows + 1 - int(number)}" for letter, number in cells)

    def board(self, state: Played) -> dict[str, str]:
        rows = re.findall(r"\d+([.bw]+)", str(state.spiel))
        return {
            f"{'abcdefghijklmnopqrstuvwxyz'[column]}{row}": {"b": "white", "w": "black"}[sign]
            for row, signs in enumerate(rows, 1)
            for column, sign in enumerate(signs)
            if sign != "."
        }
