"""Wild tic-tac-toe: both players put a cross or a nought, as they like, on an empty cell; a line of either wins for
the one who completes it; a full board is a draw.

A move is `X` or `O` and the name of a cell.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.lines import cell_names, holds_line, straight_lines
from tests.reference.rules import DRAW, Rules

CASES: list[dict[str, int]] = [{}, {"size": 2, "length": 2}, {"size": 4}, {"size": 4, "length": 4}]

OTHER = {"First": "Second", "Second": "First"}


class State(NamedTuple):
    """Pieces row by row from the top, "" for an empty cell, and the player to move."""

    pieces: tuple[str, ...]
    mover: str


class Reference(Rules[State]):
    """Wild tic-tac-toe on a square board."""

    def __init__(self, *, size: int = 3, length: int = 3) -> None:
        self.names = cell_names(size, size)
        self.lines = straight_lines(size, size, length)

    def start(self) -> State:
        return State(("",) * len(self.names), "First")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        on = self.board(state)
        if holds_line(on, "x", self.lines) or holds_line(on, "o", self.lines):
            return OTHER[state.mover]  # the player who has just moved
        return None if "" in state.pieces else DRAW

    def options(self, state: State) -> list[str]:
        empty = [name for name, piece in zip(self.names, state.pieces, strict=True) if piece == ""]
        return [sign + name for sign in "XO" for name in empty]

    def after(self, state: State, move: str) -> State:
        pieces = list(state.pieces)
        pieces[self.names.index(move[1:])] = move[0].lower()
        return State(tuple(pieces), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {name: piece for name, piece in zip(self.names, state.pieces, strict=True) if piece}
