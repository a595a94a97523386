"""Misere tic-tac-toe: X and O in turn fill a cell; a player who completes `length` in a row loses; a full board is a
draw.

A move is the name of a cell.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.lines import cell_names, holds_line, straight_lines
from tests.reference.rules import DRAW, Rules

CASES: list[dict[str, int]] = [{}, {"size": 2, "length": 2}, {"size": 4}, {"size": 5, "length": 4}]

PIECE = {"X": "x", "O": "o"}
OTHER = {"X": "O", "O": "X"}


class State(NamedTuple):
    """Pieces row by row from the top, "" for an empty cell, and the player to move."""

    pieces: tuple[str, ...]
    mover: str


class Reference(Rules[State]):
    """Misere tic-tac-toe on a square board."""

    def __init__(self, *, size: int = 3, length: int = 3) -> None:
        self.names = cell_names(size, size)
        self.lines = straight_lines(size, size, length)

    def start(self) -> State:
        return State(("",) * len(self.names), "X")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        on = self.board(state)
        for player in ("X", "O"):
            if holds_line(on, PIECE[player], self.lines):
                return OTHER[player]
        return None if "" in state.pieces else DRAW

    def options(self, state: State) -> list[str]:
        return [name for name, piece in zip(self.names, state.pieces, strict=True) if piece == ""]

    def after(self, state: State, move: str) -> State:
        pieces = list(state.pieces)
        pieces[self.names.index(move)] = PIECE[state.mover]
        return State(tuple(pieces), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {name: piece for name, piece in zip(self.names, state.pieces, strict=True) if piece}
