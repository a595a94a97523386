"""Shift-Tac-Toe: tic-tac-toe with falling pieces on three sliding rows, seen through a 3x3 window.

One and Two move in turn; a move is one digit:
- 0, 1, 2: drop a piece into that column (0 is the left one); illegal if the column's top cell is taken;
- 3 / 4: shift the top row left / right, 5 / 6 the middle row, 7 / 8 the bottom row.
A row's shift runs from 0 (fully right) to `reach` (fully left) and starts at 1. A shift left adds 1: the row's contents
move one cell left, the leftmost piece is lost for good and the right cell becomes empty; a shift right is the mirror.
A shift that would leave 0..reach is illegal; an empty row may be shifted. After every move pieces fall until none can.
Three in a row (8 lines): if both colours have one it is a draw, if one colour has, that colour wins, whoever moved.
A full board is not the end.

In play a repeated position is a draw. A state does not carry the history: compare `key` to detect repetitions. Cells
are named by column letter from the left and row number from the bottom (a1 is bottom left).
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from tests.reference.rules import DRAW, Rules

CASES: list[dict[str, int]] = [{}, {"reach": 1}, {"reach": 3}, {"reach": 9}]

PIECE = {"One": "one", "Two": "two"}
OTHER = {"One": "Two", "Two": "One"}

Row = tuple[str, str, str]


class State(NamedTuple):
    """Rows of the window from the top, "" for an empty cell; shifts of the rows from the top; the player to move."""

    rows: tuple[Row, Row, Row]
    shifts: tuple[int, int, int]
    mover: str


class Reference(Rules[State]):
    """Shift-Tac-Toe with shifts of 0..reach, reach from 1 to 9."""

    def __init__(self, *, reach: int = 2) -> None:
        if not 1 <= reach <= 9:
            raise ValueError(f"reach must be 1 to 9, not {reach}")
        self.reach = reach

    def start(self) -> State:
        empty: Row = ("", "", "")
        return State((empty, empty, empty), (1, 1, 1), "One")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        winners = self.players_with_a_line(state)
        if len(winners) == 2:
            return DRAW
        return winners[0] if winners else None

    def players_with_a_line(self, state: State) -> list[str]:
        """The names of the players who have three in a row."""
        top, middle, bottom = state.rows
        lines = [
            *state.rows,
            *zip(top, middle, bottom, strict=True),
            (top[0], middle[1], bottom[2]),
            (top[2], middle[1], bottom[0]),
        ]
        return [player for player in ("One", "Two") if (PIECE[player],) * 3 in lines]

    def options(self, state: State) -> list[str]:
        drops = [str(column) for column in range(3) if state.rows[0][column] == ""]
        shifts = []
        for row in range(3):
            if state.shifts[row] + 1 <= self.reach:
                shifts.append(str(3 + 2 * row))
            if state.shifts[row] - 1 >= 0:
                shifts.append(str(4 + 2 * row))
        return drops + shifts

    def after(self, state: State, move: str) -> State:
        number = int(move)
        rows = [list(row) for row in state.rows]
        shifts = list(state.shifts)
        if number <= 2:
            rows[0][number] = PIECE[state.mover]
        else:
            row = (number - 3) // 2
            if number % 2 == 1:
                shifts[row] += 1
                rows[row] = [*rows[row][1:], ""]
            else:
                shifts[row] -= 1
                rows[row] = ["", *rows[row][:-1]]
        fall(rows)
        top, middle, bottom = ((row[0], row[1], row[2]) for row in rows)
        return State((top, middle, bottom), (shifts[0], shifts[1], shifts[2]), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {
            f"{'abc'[column]}{3 - row}": piece
            for row, pieces in enumerate(state.rows)
            for column, piece in enumerate(pieces)
            if piece
        }

    def variables(self, state: State) -> dict[str, object]:
        return {"shift": list(state.shifts)}

    def digits(self, state: State) -> str:
        """The position as twelve digits: the cells row by row from the top (0 empty, 1, 2), then the three shifts."""
        number = {"": "0", "one": "1", "two": "2"}
        return "".join(number[piece] for row in state.rows for piece in row) + "".join(map(str, state.shifts))

    def key(self, state: State) -> tuple[str, str]:
        """The key that equals for repeated positions: the twelve digits and the player to move."""
        return self.digits(state), state.mover


def fall(rows: list[list[str]]) -> None:
    """Let pieces fall, one cell at a time, until nothing can; rows from the top, changed in place."""
    fell = True
    while fell:
        fell = False
        for upper, lower in pairwise(rows):
            for column in range(3):
                if upper[column] and not lower[column]:
                    upper[column], lower[column] = "", upper[column]
                    fell = True
