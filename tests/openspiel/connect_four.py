"""OpenSpiel's connect_four: an action is a column, from 0."""

from __future__ import annotations

from tests.openspiel.adapter import Adapter, Played

CASES: list[dict[str, int]] = [
    {},
    {"rows": 4, "columns": 4},
    {"rows": 4, "columns": 5, "length": 3},
    {"rows": 7, "columns": 6, "length": 5},
]


class OpenSpiel(Adapter):
    """Connect Four on any board."""

    players = ("Yellow", "Red")

    def __init__(self, *, rows: int = 6, columns: int = 7, length: int = 4) -> None:
        super().__init__(f"connect_four(rows={rows},columns={columns},x_in_row={length})")

    def text_of(self, action: int, state: Played) -> str:
        return str(action + 1)

    def board(self, state: Played) -> dict[str, str]:
        rows = str(state.spiel).split()[::-1]
        return {f"{'abcdefghijklmnopqrstuvwxyz'[column]}{row + 1}": {"x": "yellow", "o": "red"}[sign]
                for row, signs in enumerate(rows) for column, sign in enumerate(signs) if sign != "."}
