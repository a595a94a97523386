"""Fanorona, on boards with an odd number of rows and columns; the real one has five rows and nine columns.

Points are linked along rows, columns, and diagonally where column and row, counted from 0, have an even sum. White's
stones fill the rows below the middle one, Black's those above it. In the middle row the colours alternate from the
left, Black first, up to the empty middle, and the right half is the left half turned by a half, with the colours
exchanged. White begins. A stone moves along a line to an empty point beside it. By approach it captures the stones of
the other player that stand in an unbroken row right before it in the direction of the move; by withdrawal those right
behind the point that it left. Where both are possible, one is chosen. If any capture is possible, one must be made; the
same stone may go on capturing, in another direction than that of the move before, and not to a point where it has been
in this turn. A player who has captured all stones wins; a player who cannot move loses. A repeated position is a draw,
which is left to the caller. Points are named by column letter from the left and row number from the bottom; `d2-e3A`
captures by approach, W by withdrawal, and further steps follow: `d2-e3A-e4W`.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules
from tests.reference.squares import Place, name, places

CASES: list[dict[str, int]] = [{}, {"height": 1, "width": 1}, {"height": 2, "width": 2}, {"height": 1, "width": 3}]

OTHER = {"White": "Black", "Black": "White"}
Way = tuple[int, int]


class State(NamedTuple):
    """The stones of both players, and the player to move."""

    white: frozenset[Place]
    black: frozenset[Place]
    mover: str


class Reference(Rules[State]):
    """Fanorona."""

    def __init__(self, *, height: int = 2, width: int = 4) -> None:
        self.height, self.width = height, width
        self.points = places(2 * height + 1, 2 * width + 1)

    def start(self) -> State:
        white, black = set(), set()
        for x, y in self.points:
            if y < self.height:
                white.add((x, y))
            elif y > self.height:
                black.add((x, y))
            elif x < self.width:
                (white if x % 2 else black).add((x, y))
            elif x > self.width:
                (black if (2 * self.width - x) % 2 else white).add((x, y))
        return State(frozenset(white), frozenset(black), "White")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        if not state.white or not state.black:
            return OTHER[state.mover]
        return None if self.options(state) else OTHER[state.mover]

    def ways(self, point: Place) -> list[Way]:
        """The directions of the lines at a point."""
        return [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)
                if (x, y) != (0, 0) and (x * y == 0 or sum(point) % 2 == 0)]

    def row(self, stones: frozenset[Place], point: Place, way: Way) -> frozenset[Place]:
        """The stones in an unbroken row from a point in a direction, without the point itself."""
        found = set()
        x, y = point[0] + way[0], point[1] + way[1]
        while (x, y) in stones:
            found.add((x, y))
            x, y = x + way[0], y + way[1]
        return frozenset(found)

    def captures(self, own: frozenset[Place], theirs: frozenset[Place], at: Place, been: tuple[Place, ...],
                 last: Way | None) -> dict[str, tuple[frozenset[Place], frozenset[Place]]]:
        """Map the capture sequences of a stone, as text without its first point, to both players' stones after them."""
        found = {}
        for way in self.ways(at):
            to = at[0] + way[0], at[1] + way[1]
            if way == last or to in been or to in own or to in theirs or to not in self.points:
                continue
            back = -way[0], -way[1]
            for letter, row in (("A", self.row(theirs, to, way)), ("W", self.row(theirs, at, back))):
                if row:
                    now, left = own - {at} | {to}, theirs - row
                    found[f"{name(to)}{letter}"] = now, left
                    for text, after in self.captures(now, left, to, (*been, at), way).items():
                        found[f"{name(to)}{letter}-{text}"] = after
        return found

    def found(self, state: State) -> dict[str, tuple[frozenset[Place], frozenset[Place]]]:
        """Map every legal move to the mover's and the other player's stones after it."""
        own, theirs = (state.white, state.black) if state.mover == "White" else (state.black, state.white)
        captures = {f"{name(at)}-{text}": after for at in own
                    for text, after in self.captures(own, theirs, at, (), None).items()}
        if captures:
            return captures
        return {f"{name(at)}-{name(to)}": (own - {at} | {to}, theirs) for at in own for x, y in self.ways(at)
                if (to := (at[0] + x, at[1] + y)) in self.points and to not in own and to not in theirs}

    def options(self, state: State) -> list[str]:
        return list(self.found(state))

    def after(self, state: State, move: str) -> State:
        own, theirs = self.found(state)[move]
        white, black = (own, theirs) if state.mover == "White" else (theirs, own)
        return State(white, black, OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {name(place): piece for stones, piece in ((state.white, "white"), (state.black, "black"))
                for place in stones}

    def variables(self, state: State) -> dict[str, object]:
        return {"visited": [False] * len(self.points), "last": None}
