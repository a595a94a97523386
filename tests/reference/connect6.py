"""Connect6: Black puts `first` stones on the board (one), then White and Black in turn `stones` each (two). `length`
or more in a row (six) win; a full board is a draw.

Each stone is a move, the name of a cell; a player who has stones left in the turn moves again.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.lines import cell_names, holds_line, straight_lines
from tests.reference.rules import DRAW, Rules

CASES: list[dict[str, int]] = [
    {"size": 11},
    {"size": 3, "length": 3},
    {"size": 6, "length": 4},
    {"size": 6, "length": 5, "stones": 3, "first": 2},
    {"size": 5, "length": 4, "stones": 1, "first": 3},
]

PIECE = {"Black": "black", "White": "white"}
OTHER = {"Black": "White", "White": "Black"}


class State(NamedTuple):
    """Pieces row by row from the top, "" for an empty cell; the player to move; the stones left in the turn."""

    pieces: tuple[str, ...]
    mover: str
    left: int


class Reference(Rules[State]):
    """Connect6 with any board size, row length and stones per turn."""

    def __init__(self, *, size: int = 19, length: int = 6, stones: int = 2, first: int = 1) -> None:
        self.names = cell_names(size, size)
        self.lines = straight_lines(size, size, length)
        self.stones = stones
        self.first = first

    def start(self) -> State:
        return State(("",) * len(self.names), "Black", self.first)

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        on = self.board(state)
        for player in ("Black", "White"):
            if holds_line(on, PIECE[player], self.lines):
                return player
        return None if "" in state.pieces else DRAW

    def options(self, state: State) -> list[str]:
        return [name for name, piece in zip(self.names, state.pieces, strict=True) if piece == ""]

    def after(self, state: State, move: str) -> State:
        pieces = list(state.pieces)
        pieces[self.names.index(move)] = PIECE[state.mover]
        if state.left > 1:
            return State(tuple(pieces), state.mover, state.left - 1)
        return State(tuple(pieces), OTHER[state.mover], self.stones)

    def board(self, state: State) -> dict[str, str]:
        return {name: piece for name, piece in zip(self.names, state.pieces, strict=True) if piece}
