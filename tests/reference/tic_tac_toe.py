"""Tic-tac-toe: X and O in turn fill a cell of a 3x3 board; three in a row wins; a full board is a draw.

Cells are a1 to c3: column letter from the left, row number from the bottom. A move is the name of a cell.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import DRAW, Rules

CASES: list[dict[str, int]] = [{}]

CELLS = ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")

LINES = (
    ("a1", "b1", "c1"),
    ("a2", "b2", "c2"),
    ("a3", "b3", "c3"),
    ("a1", "a2", "a3"),
    ("b1", "b2", "b3"),
    ("c1", "c2", "c3"),
    ("a1", "b2", "c3"),
    ("a3", "b2", "c1"),
)

PIECE = {"X": "x", "O": "o"}
OTHER = {"X": "O", "O": "X"}


class State(NamedTuple):
    """The pieces in the order of CELLS, "" for an empty cell, and the player to move."""

    pieces: tuple[str, ...]
    mover: str


class Reference(Rules[State]):
    """Tic-tac-toe."""

    def start(self) -> State:
        return State(("",) * 9, "X")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        on = self.board(state)
        for player in ("X", "O"):
            if any(all(on.get(cell) == PIECE[player] for cell in line) for line in LINES):
                return player
        return DRAW if len(on) == 9 else None

    def options(self, state: State) -> list[str]:
        return [cell for cell, piece in zip(CELLS, state.pieces, strict=True) if piece == ""]

    def after(self, state: State, move: str) -> State:
        pieces = list(state.pieces)
        pieces[CELLS.index(move)] = PIECE[state.mover]
        return State(tuple(pieces), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {cell: piece for cell, piece in zip(CELLS, state.pieces, strict=True) if piece}
