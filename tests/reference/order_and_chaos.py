"""Order and Chaos: both players put a cross or a nought, as they like, on an empty cell. Order, who begins, has won
when there are `length` or more of one sign in a row, Chaos when the board is full and there are none.

A move is `X` or `O` and the name of a cell.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.lines import cell_names, holds_line, straight_lines
from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}, {"size": 2, "length": 2}, {"size": 3, "length": 3}, {"size": 5, "length": 4}]

OTHER = {"Order": "Chaos", "Chaos": "Order"}


class State(NamedTuple):
    """Pieces row by row from the top, "" for an empty cell, and the player to move."""

    pieces: tuple[str, ...]
    mover: str


class Reference(Rules[State]):
    """Order and Chaos on a square board."""

    def __init__(self, *, size: int = 6, length: int = 5) -> None:
        self.names = cell_names(size, size)
        self.lines = straight_lines(size, size, length)

    def start(self) -> State:
        return State(("",) * len(self.names), "Order")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        on = self.board(state)
        if holds_line(on, "x", self.lines) or holds_line(on, "o", self.lines):
            return "Order"
        return None if "" in state.pieces else "Chaos"

    def options(self, state: State) -> list[str]:
        empty = [name for name, piece in zip(self.names, state.pieces, strict=True) if piece == ""]
        return [sign + name for sign in "XO" for name in empty]

    def after(self, state: State, move: str) -> State:
        pieces = list(state.pieces)
        pieces[self.names.index(move[1:])] = move[0].lower()
        return State(tuple(pieces), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {name: piece for name, piece in zip(self.names, state.pieces, strict=True) if piece}
