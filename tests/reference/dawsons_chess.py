"""Dawson's chess: white pawns in the first of three rows and black pawns in the third; capturing is compulsory.

A pawn steps straight forward onto an empty cell, or captures diagonally forward. A player who cannot move loses, or
wins in misere play.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules
from tests.reference.squares import name

CASES: list[dict[str, int]] = [{}, {"misere": 1}, {"files": 1}, {"files": 4, "misere": 1}, {"files": 12}]

OTHER = {"White": "Black", "Black": "White"}


class State(NamedTuple):
    """The places of both players' pawns, as column and row from 0 at the lower left; the player to move."""

    white: frozenset[tuple[int, int]]
    black: frozenset[tuple[int, int]]
    mover: str


class Reference(Rules[State]):
    """Dawson's chess with any number of files."""

    def __init__(self, *, files: int = 7, misere: int = 0) -> None:
        self.files, self.misere = files, misere

    def start(self) -> State:
        white, black = (frozenset((x, y) for x in range(self.files)) for y in (0, 2))
        return State(white, black, "White")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        if self.options(state):
            return None
        return state.mover if self.misere else OTHER[state.mover]

    def options(self, state: State) -> list[str]:
        own, foreign, up = (
            (state.white, state.black, 1) if state.mover == "White" else (state.black, state.white, -1))
        takes = [f"{name((x, y))}x{name((x + side, y + up))}" for x, y in own for side in (-1, 1)
                 if (x + side, y + up) in foreign]
        return takes or [name((x, y)) for x, y in own
                         if 0 <= y + up < 3 and (x, y + up) not in own and (x, y + up) not in foreign]

    def after(self, state: State, move: str) -> State:
        own, foreign, up = (
            (state.white, state.black, 1) if state.mover == "White" else (state.black, state.white, -1))
        start, _, end = move.partition("x")
        begin = place(start)
        goal = place(end) if end else (begin[0], begin[1] + up)
        own, foreign = own - {begin} | {goal}, foreign - {goal}
        return State(own, foreign, "Black") if state.mover == "White" else State(foreign, own, "White")

    def board(self, state: State) -> dict[str, str]:
        return {**{name(at): "white" for at in state.white}, **{name(at): "black" for at in state.black}}


def place(cell: str) -> tuple[int, int]:
    """Return the column and row of a cell by its name."""
    return ord(cell[0]) - ord("a"), int(cell[1:]) - 1
