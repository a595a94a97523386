"""Squava: four or more in a row win, three in a row without four lose; a full board is a draw."""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.lines import cell_names, holds_line, straight_lines
from tests.reference.rules import DRAW, Rules

CASES: list[dict[str, int]] = [{}, {"size": 3}, {"size": 4}, {"size": 7}]

PIECES = {"X": "x", "O": "o"}
OTHER = {"X": "O", "O": "X"}


class State(NamedTuple):
    """The pieces as cell and piece name, and the player to move."""

    on: frozenset[tuple[str, str]]
    mover: str


class Reference(Rules[State]):
    """Squava with size x size cells."""

    def __init__(self, *, size: int = 5) -> None:
        self.cells = cell_names(size, size)
        self.threes, self.fours = straight_lines(size, size, 3), straight_lines(size, size, 4)

    def start(self) -> State:
        return State(frozenset(), "X")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        on = dict(state.on)
        moved = OTHER[state.mover]
        if holds_line(on, PIECES[moved], self.fours):
            return moved
        if holds_line(on, PIECES[moved], self.threes):
            return state.mover
        return DRAW if len(on) == len(self.cells) else None

    def options(self, state: State) -> list[str]:
        return [cell for cell in self.cells if cell not in dict(state.on)]

    def after(self, state: State, move: str) -> State:
        return State(state.on | {(move, PIECES[state.mover])}, OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return dict(state.on)
