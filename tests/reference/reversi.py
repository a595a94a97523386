"""Reversi by Othello's rules: a disc must enclose straight runs of the other colour, all of which change colour.

The board has 2 * half rows and columns; in the middle stand two discs of each colour, Black's on the upper right and
the lower left. Black moves first. A player without a move has to `pass`; when neither has one the game ends, and more
discs win. Cells are named by column letter and row number from the top; a move is the name of an empty cell.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import NamedTuple

from tests.reference.rules import DRAW, Rules

PIECE = {"Black": "black", "White": "white"}
OTHER = {"Black": "White", "White": "Black"}
STEPS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]

CASES: list[dict[str, int]] = [{"half": 2}, {"half": 3}, {}]


class State(NamedTuple):
    """Pieces row by row from the top, "" for an empty cell, and the player to move."""

    pieces: tuple[str, ...]
    mover: str


class Reference(Rules[State]):
    """Reversi on a board of 2 * half rows and columns."""

    def __init__(self, *, half: int = 4) -> None:
        self.size = 2 * half
        self.names = [f"{ascii_lowercase[column]}{row + 1}" for row in range(self.size) for column in range(self.size)]

    def start(self) -> State:
        low, high = self.size // 2 - 1, self.size // 2
        pieces = [""] * self.size**2
        for row, column in ((low, low), (high, high)):
            pieces[row * self.size + column] = "white"
        for row, column in ((low, high), (high, low)):
            pieces[row * self.size + column] = "black"
        return State(tuple(pieces), "Black")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        if self.placements(state) or self.placements(State(state.pieces, OTHER[state.mover])):
            return None
        black, white = state.pieces.count("black"), state.pieces.count("white")
        return "Black" if black > white else "White" if white > black else DRAW

    def caught(self, state: State, cell: int) -> list[int]:
        """The cells whose discs a disc of the mover on an empty cell would flip."""
        own, other = PIECE[state.mover], PIECE[OTHER[state.mover]]
        found: list[int] = []
        for down, right in STEPS:
            run: list[int] = []
            row, column = cell // self.size + down, cell % self.size + right
            while 0 <= row < self.size and 0 <= column < self.size:
                place = row * self.size + column
                if state.pieces[place] != other:
                    if state.pieces[place] == own:
                        found += run
                    break
                run.append(place)
                row, column = row + down, column + right
        return found

    def placements(self, state: State) -> list[str]:
        return [name for cell, name in enumerate(self.names) if state.pieces[cell] == "" and self.caught(state, cell)]

    def options(self, state: State) -> list[str]:
        return self.placements(state) or ["pass"]

    def after(self, state: State, move: str) -> State:
        pieces = list(state.pieces)
        if move != "pass":
            cell = self.names.index(move)
            for place in [cell, *self.caught(state, cell)]:
                pieces[place] = PIECE[state.mover]
        return State(tuple(pieces), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {name: piece for name, piece in zip(self.names, state.pieces, strict=True) if piece}
