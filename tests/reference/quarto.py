"""Quarto: sixteen pieces, each tall or short, dark or light, round or angular, hollow or solid, no two alike; a 4x4
board.

First gives Second a piece; Second puts it on an empty cell and gives First one; and so on. A player who places the
fourth of four pieces in a row, column or long diagonal that share a property wins, with `squares` in a square of 2x2 as
well. A full board is a draw.

Giving and placing are moves of their own. A piece is a letter, A to P: its number from 0, written as four binary
digits, has 0 for tall, dark, round and hollow, in that order. To place, the move is the name of a cell.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.lines import cell_names, straight_lines
from tests.reference.rules import DRAW, Rules

CASES: list[dict[str, int]] = [{}, {"squares": 1}]

PIECES = "ABCDEFGHIJKLMNOP"
OTHER = {"First": "Second", "Second": "First"}


class State(NamedTuple):
    """Pieces row by row from the top, "" for an empty cell; the piece to be placed, "" if one must be given."""

    pieces: tuple[str, ...]
    given: str
    mover: str


class Reference(Rules[State]):
    """Quarto."""

    def __init__(self, *, squares: int = 0) -> None:
        self.names = cell_names(4, 4)
        fours = [[self.names.index(cell) for cell in line] for line in straight_lines(4, 4, 4)]
        if squares:
            fours += [[at, at + 1, at + 4, at + 5] for at in range(12) if at % 4 != 3]
        self.fours = fours

    def start(self) -> State:
        return State(("",) * 16, "", "First")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        if any(alike([state.pieces[at] for at in four]) for four in self.fours):
            return state.mover  # the mover has placed the last piece, and would give one next
        return None if "" in state.pieces else DRAW

    def options(self, state: State) -> list[str]:
        if state.given:
            return [name for name, piece in zip(self.names, state.pieces, strict=True) if piece == ""]
        return [piece for piece in PIECES if piece not in state.pieces]

    def after(self, state: State, move: str) -> State:
        if not state.given:
            return State(state.pieces, move, OTHER[state.mover])
        pieces = list(state.pieces)
        pieces[self.names.index(move)] = state.given
        return State(tuple(pieces), "", state.mover)

    def board(self, state: State) -> dict[str, str]:
        return {name: piece for name, piece in zip(self.names, state.pieces, strict=True) if piece}

    def variables(self, state: State) -> dict[str, object]:
        """`given` is the number of the given piece, from 1; 0 if none is given."""
        return {"given": PIECES.index(state.given) + 1 if state.given else 0}


def alike(pieces: list[str]) -> bool:
    """Whether all four cells hold pieces, and these share a property."""
    if "" in pieces:
        return False
    digits = [f"{PIECES.index(piece):04b}" for piece in pieces]
    return any(len({number[place] for number in digits}) == 1 for place in range(4))
