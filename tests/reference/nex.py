"""Nex: Hex with neutral stones. Black joins the first row to the last, White the first column to the last.

The board is a rhombus of hexagons, rows x columns. Cells are row letter from the top and column number from the left
(a1, a2, ..., b1, ...). Black moves first. A move is one of two:
- generate, `Ba1?c2`: an own stone and a neutral stone on two different empty cells;
- transform, `Ba1Ba2?b1`: two neutral stones become own, and one own stone that was there before becomes neutral.
Whoever has made the connection has won. If the player to move has no legal move the game is a draw.

Canonical text names the two transformed cells in board order; `?c2Ba1` and `Ba2Ba1?b1` are understood too.
"""

from __future__ import annotations

import re
from itertools import combinations, permutations
from string import ascii_lowercase
from typing import NamedTuple

from tests.reference.rules import DRAW, Rules

CASES: list[dict[str, int]] = [
    {"rows": 2, "columns": 2},
    {"rows": 2, "columns": 3},
    {"rows": 3, "columns": 2},
    {},
    {"rows": 2, "columns": 7},
    {"rows": 6, "columns": 3},
]

PIECE = {"Black": "black", "White": "white"}
LETTER = {"Black": "B", "White": "W"}
OTHER = {"Black": "White", "White": "Black"}

Place = tuple[int, int]  # (row, column), both from 0
ROW, COLUMN = 0, 1  # the indices of a place's row and column


class State(NamedTuple):
    """Pieces row by row from the top, "" for an empty cell, and the player to move."""

    pieces: tuple[str, ...]
    mover: str


class Reference(Rules[State]):
    """Nex on a board of up to 26 rows."""

    def __init__(self, *, rows: int = 3, columns: int = 3) -> None:
        if not 1 <= rows <= 26 or columns < 1:
            raise ValueError(f"no such board: {rows} rows, {columns} columns")
        self.rows = rows
        self.columns = columns
        self.places = [(row, column) for row in range(rows) for column in range(columns)]
        self.names = [f"{ascii_lowercase[row]}{column + 1}" for row, column in self.places]

    def start(self) -> State:
        return State(("",) * (self.rows * self.columns), "Black")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        if self._joined(state, "black", ROW, self.rows - 1):
            return "Black"
        if self._joined(state, "white", COLUMN, self.columns - 1):
            return "White"
        return None if self.options(state) else DRAW

    def options(self, state: State) -> list[str]:
        me = LETTER[state.mover]
        empty = self._cells_with(state, "")
        neutral = self._cells_with(state, "neutral")
        own = self._cells_with(state, PIECE[state.mover])
        generate = [f"{me}{stone}?{grey}" for stone, grey in permutations(empty, 2)]
        transform = [f"{me}{first}{me}{second}?{given}" for first, second in combinations(neutral, 2) for given in own]
        return generate + transform

    def after(self, state: State, move: str) -> State:
        pieces = list(state.pieces)
        for mark, cell in re.findall(r"([BW?])([a-z]\d+)", move):
            pieces[self.names.index(cell)] = "neutral" if mark == "?" else PIECE[state.mover]
        return State(tuple(pieces), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {name: piece for name, piece in zip(self.names, state.pieces, strict=True) if piece}

    def canonical_text(self, text: str) -> str:
        if neutral_first := re.fullmatch(r"(\?[a-z]\d+)([BW][a-z]\d+)", text):
            return neutral_first[2] + neutral_first[1]
        if transform := re.fullmatch(r"([BW])([a-z]\d+)([BW])([a-z]\d+)(\?[a-z]\d+)", text):
            mark, first, other_mark, second, given = transform.groups()
            if first in self.names and second in self.names and self.names.index(first) > self.names.index(second):
                return f"{other_mark}{second}{mark}{first}{given}"
        return text

    def _cells_with(self, state: State, piece: str) -> list[str]:
        """The names of the cells with a piece ("" for the empty ones), in board order."""
        return [name for name, held in zip(self.names, state.pieces, strict=True) if held == piece]

    def _joined(self, state: State, colour: str, axis: int, last: int) -> bool:
        """Whether a chain of a colour joins row (or column) 0 to row (or column) `last`."""
        stones = [place for place, piece in zip(self.places, state.pieces, strict=True) if piece == colour]
        chain = [place for place in stones if place[axis] == 0]
        for place in chain:  # the list grows during the loop
            chain.extend(near for near in neighbours(place) if near in stones and near not in chain)
        return any(place[axis] == last for place in chain)


def neighbours(place: Place) -> list[Place]:
    """The six places around a place; some may be off the board."""
    row, column = place
    return [
        (row - 1, column),
        (row + 1, column),
        (row, column - 1),
        (row, column + 1),
        (row - 1, column + 1),
        (row + 1, column - 1),
    ]
