"""Dao (J. Pickard and B. van Buskirk, 1999): four stones each, which slide as far as they can.

On 4 x 4 cells the stones of the players stand on the two diagonals. A stone slides in one of eight directions until the
next cell is taken or beyond the edge; it must move. Four own stones in a row or column, in a block of 2 x 2 or in the
corners win. A player who shuts in a stone of the opponent in a corner with three stones loses. A repeated position is a
draw, which is left to the caller.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from tests.reference.rules import Rules
from tests.reference.squares import Place, name, places

CASES: list[dict[str, int]] = [{}]

OTHER = {"White": "Black", "Black": "White"}
STEPS = [step for step in product((-1, 0, 1), repeat=2) if step != (0, 0)]
CORNERS = list(product((0, 3), repeat=2))
SHAPES = [
    *({(x, y) for x in range(4)} for y in range(4)),
    *({(x, y) for y in range(4)} for x in range(4)),
    *({(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)} for x in range(3) for y in range(3)),
    {*CORNERS},
]


class State(NamedTuple):
    """The stones of both players, and the player to move."""

    white: frozenset[Place]
    black: frozenset[Place]
    mover: str


class Reference(Rules[State]):
    """Dao."""

    def start(self) -> State:
        return State(frozenset((x, 3 - x) for x in range(4)), frozenset((x, x) for x in range(4)), "White")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        moved = OTHER[state.mover]
        own, foreign = (state.white, state.black) if moved == "White" else (state.black, state.white)
        if any(shape == own for shape in SHAPES):
            return moved
        for x, y in CORNERS:
            around = {(x + i, y + j) for i, j in STEPS} & {*places(4, 4)}
            if (x, y) in foreign and around <= own:
                return state.mover
        return None

    def options(self, state: State) -> list[str]:
        taken = state.white | state.black
        found = []
        for x, y in state.white if state.mover == "White" else state.black:
            for i, j in STEPS:
                far = 0
                while (to := (x + (far + 1) * i, y + (far + 1) * j)) in places(4, 4) and to not in taken:
                    far += 1
                if far:
                    found.append(name((x, y)) + name((x + far * i, y + far * j)))
        return found

    def after(self, state: State, move: str) -> State:
        start, end = (next(place for place in places(4, 4) if name(place) == cell) for cell in (move[:2], move[2:]))
        if state.mover == "White":
            return State(state.white - {start} | {end}, state.black, "Black")
        return State(state.white, state.black - {start} | {end}, "White")

    def board(self, state: State) -> dict[str, str]:
        return {**{name(place): "white" for place in state.white}, **{name(place): "black" for place in state.black}}
