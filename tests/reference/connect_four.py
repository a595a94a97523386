"""Connect Four: Yellow and Red in turn drop a disc into a column; `length` in a row wins; a full board is a draw.

Cells are named by column letter from the left and row number from the bottom. A move is the number of a column, from 1.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import NamedTuple

from tests.reference.rules import DRAW, Rules

CASES: list[dict[str, int]] = [
    {},
    {"rows": 1, "columns": 1},
    {"rows": 3, "columns": 3, "length": 3},
    {"rows": 4, "columns": 5, "length": 3},
    {"rows": 7, "columns": 6, "length": 5},
    {"rows": 1, "columns": 20, "length": 2},
    {"rows": 20, "columns": 1, "length": 20},
    {"rows": 9, "columns": 12, "length": 5},
]

PIECE = {"Yellow": "yellow", "Red": "red"}
OTHER = {"Yellow": "Red", "Red": "Yellow"}


class State(NamedTuple):
    """Each column's discs from the bottom up, and the player to move."""

    stacks: tuple[tuple[str, ...], ...]
    mover: str


class Reference(Rules[State]):
    """Connect Four on any board of up to 26 columns."""

    def __init__(self, *, rows: int = 6, columns: int = 7, length: int = 4) -> None:
        if rows < 1 or not 1 <= columns <= 26 or length < 1:
            raise ValueError(f"no such board: {rows} rows, {columns} columns, length {length}")
        self.rows = rows
        self.columns = columns
        # Every run of `length` cells (column, row) on the board; each line is listed twice, once from either end.
        self.lines: list[list[tuple[int, int]]] = []
        for column in range(columns):
            for row in range(rows):
                for right, up in ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)):
                    line = [(column + right * step, row + up * step) for step in range(length)]
                    if all(0 <= c < columns and 0 <= r < rows for c, r in line):
                        self.lines.append(line)

    def start(self) -> State:
        return State(((),) * self.columns, "Yellow")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        on = self._discs(state)
        for player in ("Yellow", "Red"):
            if any(all(on.get(place) == PIECE[player] for place in line) for line in self.lines):
                return player
        return DRAW if len(on) == self.rows * self.columns else None

    def options(self, state: State) -> list[str]:
        return [str(column + 1) for column, stack in enumerate(state.stacks) if len(stack) < self.rows]

    def after(self, state: State, move: str) -> State:
        stacks = list(state.stacks)
        stacks[int(move) - 1] += (PIECE[state.mover],)
        return State(tuple(stacks), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {f"{ascii_lowercase[column]}{row + 1}": disc for (column, row), disc in self._discs(state).items()}

    def _discs(self, state: State) -> dict[tuple[int, int], str]:
        """Map (column, row), both from 0, to disc."""
        return {(column, row): disc for column, stack in enumerate(state.stacks) for row, disc in enumerate(stack)}
