"""OpenSpiel's clobber: `o` moves first and has the stone on a1, as White does here."""

from __future__ import annotations

import re

from tests.openspiel.adapter import Adapter, Played

CASES: list[dict[str, int]] = [
    {},
    {"rows": 2, "columns": 7},
    {"rows": 4, "columns": 4},
    {"rows": 8, "columns": 3},
]


class OpenSpiel(Adapter):
    """Clobber on any board."""

    players = ("White", "Black")

    def __init__(self, *, rows: int = 5, columns: int = 6) -> None:
        super().__init__(f"clobber(rows={rows},columns={columns})")

    def text_of(self, action: int, state: Played) -> str:
        return "-".join(re.findall(r"[a-z]\d+", state.spiel.action_to_string(action)))

    def board(self, state: Played) -> dict[str, str]:
        rows = re.findall(r"\d+([.ox]+)", str(state.spiel))
        return {
            f"{'abcdefghijklmnopqrstuvwxyz'[column]}{len(rows) - row}": {"o": "white", "x": "black"}[sign]
            for row, signs in enumerate(rows)
            for column, sign in enumerate(signs)
            if sign != "."
        }
