"""Teeko: Black and Red in turn drop four men each on a 5x5 board, then move one of their men to an empty cell next to
it, diagonally too. Four in a line or on the four cells of a 2x2 square win, with `advanced` on the corners of any
larger square that lies along the rows as well.

A drop is the name of a cell, a move its two cells: `b2-c3`. In play a repeated position is a draw, which a state cannot
tell.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.lines import cell_names, straight_lines
from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}, {"advanced": 1}, {"size": 4}, {"size": 6, "advanced": 1}]

PIECE = {"Black": "black", "Red": "red"}
OTHER = {"Black": "Red", "Red": "Black"}


class State(NamedTuple):
    """Pieces row by row from the top, "" for an empty cell, and the player to move."""

    pieces: tuple[str, ...]
    mover: str


class Reference(Rules[State]):
    """Teeko on a square board."""

    def __init__(self, *, size: int = 5, advanced: int = 0) -> None:
        self.size = size
        self.names = cell_names(size, size)
        fours = [[self.names.index(cell) for cell in line] for line in straight_lines(size, size, 4)]
        for side in range(1, size if advanced else 2):
            for row in range(size - side):
                for column in range(size - side):
                    first = row * size + column
                    fours.append([first, first + side, first + side * size, first + side * size + side])
        self.fours = fours

    def start(self) -> State:
        return State(("",) * len(self.names), "Black")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        for player in ("Black", "Red"):
            if any(all(state.pieces[at] == PIECE[player] for at in four) for four in self.fours):
                return player
        return None

    def options(self, state: State) -> list[str]:
        if state.pieces.count("") > len(self.names) - 8:
            return [name for name, piece in zip(self.names, state.pieces, strict=True) if piece == ""]
        return [
            f"{self.names[here]}-{self.names[there]}"
            for here, piece in enumerate(state.pieces)
            if piece == PIECE[state.mover]
            for there, other in enumerate(state.pieces)
            if other == "" and self._near(here, there)
        ]

    def after(self, state: State, move: str) -> State:
        pieces = list(state.pieces)
        here, _, there = move.rpartition("-")
        if here:
            pieces[self.names.index(here)] = ""
        pieces[self.names.index(there)] = PIECE[state.mover]
        return State(tuple(pieces), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {name: piece for name, piece in zip(self.names, state.pieces, strict=True) if piece}

    def _near(self, here: int, there: int) -> bool:
        """Whether two cells are a king's move apart."""
        return abs(here // self.size - there // self.size) <= 1 and abs(here % self.size - there % self.size) <= 1
