"""Quantik: on 4 x 4 cells each player has two pieces of each of four shapes.

A piece may not be placed in a row, column or quarter (2 x 2) where the opponent has a piece of the same shape. A player
who completes a row, column or quarter with four different shapes wins, whatever their colours; a player who cannot
place loses. A move is the shape, `b`, `c`, `q` or `r`, in capitals for White, and the cell.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules
from tests.reference.squares import Place, name, places

CASES: list[dict[str, int]] = [{}]

OTHER = {"White": "Black", "Black": "White"}
SHAPES = {"b": "ball", "c": "cone", "q": "cube", "r": "rod"}
LINES = [[(x, y) for x in range(4)] for y in range(4)] + [[(x, y) for y in range(4)] for x in range(4)]
QUARTERS = [[(x + i, y + j) for i in (0, 1) for j in (0, 1)] for x in (0, 2) for y in (0, 2)]
AREAS = LINES + QUARTERS


class State(NamedTuple):
    """The pieces as place and letter, a capital for White; the player to move."""

    on: frozenset[tuple[Place, str]]
    mover: str


class Reference(Rules[State]):
    """Quantik."""

    def start(self) -> State:
        return State(frozenset(), "White")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        at = dict(state.on)
        if any(len({at[place].lower() for place in area if place in at}) == 4 for area in AREAS):
            return OTHER[state.mover]
        return None if self.options(state) else OTHER[state.mover]

    def options(self, state: State) -> list[str]:
        at = dict(state.on)
        found = []
        for shape in SHAPES:
            own, foreign = (shape.upper(), shape) if state.mover == "White" else (shape, shape.upper())
            if list(at.values()).count(own) == 2:
                continue
            barred = {place for area in AREAS if any(at.get(other) == foreign for other in area) for place in area}
            found += [own + name(place) for place in places(4, 4) if place not in at and place not in barred]
        return found

    def after(self, state: State, move: str) -> State:
        place = ("abcd".index(move[1]), int(move[2]) - 1)
        return State(state.on | {(place, move[0])}, OTHER[state.mover])

    def board(self, state: State) -> None:
        return None

    def variables(self, state: State) -> None:
        return None
