"""OpenSpiel's dots_and_boxes: the lines across are numbered first, row by row from the top, then the lines down."""

from __future__ import annotations

from string import ascii_lowercase

from tests.openspiel.adapter import Adapter, Played

CASES: list[dict[str, int]] = [
    {"rows": 1, "columns": 1},
    {"rows": 1, "columns": 3},
    {"rows": 2, "columns": 2},
    {"rows": 3, "columns": 2},
    {},
]


class OpenSpiel(Adapter):
    """Dots and Boxes with rows x columns boxes."""

    players = ("First", "Second")

    def __init__(self, *, rows: int = 5, columns: int = 5) -> None:
        super().__init__(f"dots_and_boxes(num_rows={rows},num_cols={columns})")
        self.rows, self.columns = rows, columns

    def text_of(self, action: int, state: Played) -> str:
        across = (self.rows + 1) * self.columns
        if action < across:
            row, column = 2 * (action // self.columns), 2 * (action % self.columns) + 1
        else:
            row, column = (
                2 * ((action - across) // (self.columns + 1)) + 1,
                2 * ((action - across) % (self.columns + 1)),
            )
        return f"{ascii_lowercase[column]}{2 * self.rows - row + 1}"
