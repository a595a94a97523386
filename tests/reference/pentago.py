"""Pentago: White and Black in turn put a stone on an empty cell of a 6x6 board and then turn one of its four 3x3 blocks
by 90 degrees; the turn is never left out. `length` in a row (five) win, whichever player moved; lines of both make a
draw, and so does a full board without a line.

A move is the name of a cell, the name of the middle of a block, and `R` for clockwise or `L` for counterclockwise:
`a1b5R`. Cells are named by column letter from the left and row number from the top.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import DRAW, Rules

CASES: list[dict[str, int]] = [{}, {"length": 3}, {"length": 6}]

PIECE = {"White": "white", "Black": "black"}
OTHER = {"White": "Black", "Black": "White"}

Grid = tuple[tuple[str, ...], ...]


class State(NamedTuple):
    """Rows from the top, "" for an empty cell, and the player to move."""

    rows: Grid
    mover: str


class Reference(Rules[State]):
    """Pentago."""

    def __init__(self, *, length: int = 5) -> None:
        self.lines = [
            [(row + down * step, column + right * step) for step in range(length)]
            for row in range(6)
            for column in range(6)
            for down, right in ((0, 1), (1, 1), (1, 0), (1, -1))
            if row + down * (length - 1) < 6 and 0 <= column + right * (length - 1) < 6
        ]

    def start(self) -> State:
        return State((("",) * 6,) * 6, "White")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        winners = [
            player
            for player in ("White", "Black")
            if any(all(state.rows[row][column] == PIECE[player] for row, column in line) for line in self.lines)
        ]
        if len(winners) == 1:
            return winners[0]
        full = all(piece for row in state.rows for piece in row)
        return DRAW if winners or full else None

    def options(self, state: State) -> list[str]:
        return [
            f"{name(row, column)}{middle}{way}"
            for row in range(6)
            for column in range(6)
            if state.rows[row][column] == ""
            for middle in ("b2", "e2", "b5", "e5")
            for way in "LR"
        ]

    def after(self, state: State, move: str) -> State:
        rows = [list(row) for row in state.rows]
        column, row = place(move[:2])
        rows[row][column] = PIECE[state.mover]
        middle_column, middle_row = place(move[2:4])
        top, left = middle_row - 1, middle_column - 1
        block = [row[left : left + 3] for row in rows[top : top + 3]]
        for down, pieces in enumerate(clockwise(block) if move[4] == "R" else clockwise(clockwise(clockwise(block)))):
            rows[top + down][left : left + 3] = pieces
        return State(tuple(tuple(row) for row in rows), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {
            name(row, column): piece
            for row, pieces in enumerate(state.rows)
            for column, piece in enumerate(pieces)
            if piece
        }


def name(row: int, column: int) -> str:
    """Return the name of a cell."""
    return f"{'abcdef'[column]}{row + 1}"


def place(cell: str) -> tuple[int, int]:
    """The column and row of a cell."""
    return "abcdef".index(cell[0]), int(cell[1]) - 1


def clockwise(block: list[list[str]]) -> list[list[str]]:
    """The block turned clockwise: its left column, read from the bottom up, becomes its top row."""
    return [[block[row][column] for row in (2, 1, 0)] for column in (0, 1, 2)]
