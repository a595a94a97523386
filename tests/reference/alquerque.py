"""Alquerque, on its 25 points.

Points are linked along rows, columns, and diagonally where column and row, counted from 0, have an even sum. White's
twelve men fill the two rows at the bottom and the right half of the middle row, Black's those opposite; the middle is
empty, and White begins. A man steps along a line to an empty point, in any direction, or jumps along a line over a man
of the other player onto the empty point right behind it, which captures that man; the same man must go on jumping while
it can. A player who can capture must. A player who cannot move loses. A repeated position is a draw, which is left to
the caller. Points are named by column letter from the left and row number from the bottom; `b2-c3` steps, `b2xd4xb4`
jumps twice.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from tests.reference.rules import Rules
from tests.reference.squares import Place, name, places

CASES: list[dict[str, int]] = [{}]

OTHER = {"White": "Black", "Black": "White"}
POINTS = places(5, 5)
OF_NAME = {name(point): point for point in POINTS}

Men = dict[Place, str]


class State(NamedTuple):
    """The men as place and owner, and the player to move."""

    men: frozenset[tuple[Place, str]]
    mover: str


class Reference(Rules[State]):
    """Alquerque."""

    def start(self) -> State:
        men = {(x, y): "White" if y < 2 or (y == 2 and x > 2) else "Black" for x, y in POINTS if (x, y) != (2, 2)}
        return State(frozenset(men.items()), "White")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        return None if self.options(state) else OTHER[state.mover]

    def lines(self, point: Place) -> list[tuple[Place, Place]]:
        """For each line at a point, the next two places on it, whether or not they are on the board."""
        x, y = point
        return [((x + right, y + up), (x + 2 * right, y + 2 * up))
                for right in (-1, 0, 1) for up in (-1, 0, 1)
                if (right, up) != (0, 0) and (right * up == 0 or (x + y) % 2 == 0)]

    def chains(self, men: Men, at: Place) -> list[list[Place]]:
        """All complete jumps of a man, as the points that it visits, beginning with its own."""
        found = []
        for near, behind in self.lines(at):
            if men.get(near) == OTHER[men[at]] and behind in POINTS and behind not in men:
                left = {point: owner for point, owner in men.items() if point not in (at, near)}
                found += [[at, *chain] for chain in self.chains({**left, behind: men[at]}, behind)]
        return found or [[at]]

    def options(self, state: State) -> list[str]:
        men = dict(state.men)
        own = [point for point, owner in men.items() if owner == state.mover]
        jumps = ["x".join(map(name, chain)) for point in own for chain in self.chains(men, point) if len(chain) > 1]
        return jumps or [f"{name(point)}-{name(near)}" for point in own for near, _ in self.lines(point)
                         if near in POINTS and near not in men]

    def after(self, state: State, move: str) -> State:
        men = dict(state.men)
        way = [OF_NAME[point] for point in move.replace("-", "x").split("x")]
        men[way[-1]] = men.pop(way[0])
        if "x" in move:
            for before, now in pairwise(way):
                del men[(before[0] + now[0]) // 2, (before[1] + now[1]) // 2]
        return State(frozenset(men.items()), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {name(point): owner.lower() for point, owner in state.men}
