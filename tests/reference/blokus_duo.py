"""Blokus Duo (Bernard Tavitian): two players lay the 21 polyominoes of one to five cells on a board of 14 x 14.

A shape may be turned and mirrored. Each lies on empty cells, touches a shape of the same player at a corner of a cell
and none along an edge; the first covers one of two starting cells. A player who cannot lay one passes; when nobody can,
the game is over. Each gets a point for each cell covered, 15 for having laid all shapes, and 5 more where the single
cell came last. The shapes are spelled here by their cells, (right, up) of the cell by which a move names them. A move
is the shape's name, the cell, and which ways its up and its right point, as `t4:c5-north-east`; of ways that look the
same it names the first clockwise from the north, by up before right.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from tests.reference.rules import DRAW, Rules
from tests.reference.squares import Place, beside, name, places

CASES: list[dict[str, int]] = [
    {"size": 3, "largest": 2}, {"size": 4, "largest": 1}, {"size": 4, "largest": 3}, {"size": 5, "largest": 4},
    {"size": 7},
]

SHAPES: dict[str, list[Place]] = {
    "i1": [(0, 0)],
    "i2": [(0, 0), (1, 0)],
    "i3": [(0, 0), (1, 0), (2, 0)],
    "v3": [(0, 0), (0, -1), (1, -1)],
    "i4": [(0, 0), (1, 0), (2, 0), (3, 0)],
    "l4": [(0, 0), (1, 0), (2, 0), (0, -1)],
    "t4": [(0, 0), (1, 0), (2, 0), (1, -1)],
    "o4": [(0, 0), (1, 0), (0, -1), (1, -1)],
    "z4": [(0, 0), (1, 0), (1, -1), (2, -1)],
    "i5": [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0)],
    "l5": [(0, 0), (1, 0), (2, 0), (3, 0), (0, -1)],
    "y5": [(0, 0), (1, 0), (2, 0), (3, 0), (1, -1)],
    "n5": [(0, 0), (1, 0), (2, 0), (2, -1), (3, -1)],
    "p5": [(0, 0), (1, 0), (2, 0), (0, -1), (1, -1)],
    "u5": [(0, 0), (1, 0), (2, 0), (0, -1), (2, -1)],
    "v5": [(0, 0), (1, 0), (2, 0), (0, -1), (0, -2)],
    "t5": [(0, 0), (1, 0), (2, 0), (1, -1), (1, -2)],
    "w5": [(0, 0), (0, -1), (1, -1), (1, -2), (2, -2)],
    "z5": [(0, 0), (1, 0), (1, -1), (1, -2), (2, -2)],
    "f5": [(0, 0), (1, 0), (-1, -1), (0, -1), (0, -2)],
    "x5": [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)],
}
WAYS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
OTHER = {"Purple": "Orange", "Orange": "Purple"}


@cache
def turns(shape: str) -> list[tuple[str, list[Place]]]:
    """The distinct orientations of a shape: the text of each, and its cells."""
    found: list[tuple[str, list[Place]]] = []
    seen = []
    for up, (ux, uy) in WAYS.items():
        for right, (rx, ry) in WAYS.items():
            if ux * rx + uy * ry:
                continue
            cells = [(x * rx + y * ux, x * ry + y * uy) for x, y in SHAPES[shape]]
            left, low = min(x for x, _ in cells), min(y for _, y in cells)
            looks = {(x - left, y - low) for x, y in cells}
            if looks not in seen:
                seen.append(looks)
                found.append((f"-{up}-{right}", cells))
    return found


class State(NamedTuple):
    """The cells that each player covers, the shapes that each has laid, in order, and the player to move."""

    cells: tuple[frozenset[Place], frozenset[Place]]
    laid: tuple[tuple[str, ...], tuple[str, ...]]
    mover: str


class Reference(Rules[State]):
    """Blokus Duo on a board of any size, with the shapes of at most `largest` cells."""

    def __init__(self, *, size: int = 14, largest: int = 5) -> None:
        self.places = frozenset(places(size, size))
        self.shapes = [shape for shape, cells in SHAPES.items() if len(cells) <= largest]
        first, last = size // 3, size - 1 - size // 3
        self.starts = {(first, last), (last, first)}

    def start(self) -> State:
        return State((frozenset(), frozenset()), ((), ()), "Purple")

    def to_move(self, state: State) -> str:
        return state.mover

    def layings(self, state: State, player: int) -> dict[str, frozenset[Place]]:
        """Map the text of every way for a player to lay a shape to the cells it covers."""
        own, taken = state.cells[player], state.cells[0] | state.cells[1]
        barred = taken | {near for cell in own for near in beside(cell)}
        wanted = {(x + a, y + b) for x, y in own for a in (-1, 1) for b in (-1, 1)} if own else self.starts
        found = {}
        for shape in self.shapes:
            if shape in state.laid[player]:
                continue
            for way, cells in turns(shape):
                for x, y in self.places:
                    covered = frozenset((x + a, y + b) for a, b in cells)
                    if covered <= self.places and not covered & barred and covered & wanted:
                        found[f"{shape}:{name((x, y))}{way}"] = covered
        return found

    def outcome(self, state: State) -> str | None:
        if self.layings(state, 0) or self.layings(state, 1):
            return None
        purple, orange = (self.score(state, player) for player in (0, 1))
        return DRAW if purple == orange else "Purple" if purple > orange else "Orange"

    def score(self, state: State, player: int) -> int:
        laid = state.laid[player]
        bonus = 0 if len(laid) < len(self.shapes) else 20 if laid[-1] == "i1" else 15
        return len(state.cells[player]) + bonus

    def options(self, state: State) -> list[str]:
        return list(self.layings(state, list(OTHER).index(state.mover))) or ["pass"]

    def after(self, state: State, move: str) -> State:
        if move == "pass":
            return state._replace(mover=OTHER[state.mover])
        player = list(OTHER).index(state.mover)
        covered = self.layings(state, player)[move]
        cells, laid = list(state.cells), list(state.laid)
        cells[player] |= covered
        laid[player] += (move.split(":")[0],)
        return State((cells[0], cells[1]), (laid[0], laid[1]), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {name(place): colour for colour, cells in zip(("purple", "orange"), state.cells, strict=True)
                for place in cells}

    def variables(self, state: State) -> None:
        return None
