"""Bagh-Chal, tigers and goats, on the 25 points of an alquerque board.

Points are linked along rows, columns, and diagonally where column and row, counted from 0, have an even sum. Four
tigers begin in the corners. Goats move first; while there are goats in hand, a goat is placed on an empty point, and no
goat moves. After that, a goat steps along a line to an empty point. A tiger steps in the same way, or jumps along a
line over a goat onto the empty point right behind it, which captures the goat. The tigers win with the last of `lost`
captures, the goats when no tiger can move; goats that cannot move lose. A repeated position is a draw, which is left to
the caller. Points are named by column letter from the left and row number from the bottom; `c2` places, `a1-b1` steps,
`a1xc3` jumps.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules
from tests.reference.squares import Place, name, places

CASES: list[dict[str, int]] = [{}, {"goats": 6, "lost": 2}, {"goats": 20, "lost": 1}]

OTHER = {"Goats": "Tigers", "Tigers": "Goats"}
POINTS = places(5, 5)
OF_NAME = {name(point): point for point in POINTS}


def ways(point: Place) -> list[tuple[int, int]]:
    """The directions of the lines at a point, in columns and rows."""
    straight = [(1, 0), (-1, 0), (0, 1), (0, -1)]
    return [*straight, (1, 1), (1, -1), (-1, 1), (-1, -1)] if sum(point) % 2 == 0 else straight


class State(NamedTuple):
    """The places of goats and tigers, the goats in hand, the captures, and the player to move."""

    goats: frozenset[Place]
    tigers: frozenset[Place]
    hand: int
    captured: int
    mover: str


class Reference(Rules[State]):
    """Bagh-Chal."""

    def __init__(self, *, goats: int = 20, lost: int = 5) -> None:
        self.goats, self.lost = goats, lost

    def start(self) -> State:
        return State(frozenset(), frozenset({(0, 0), (0, 4), (4, 0), (4, 4)}), self.goats, 0, "Goats")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        if state.captured == self.lost:
            return "Tigers"
        return None if self.options(state) else OTHER[state.mover]

    def options(self, state: State) -> list[str]:
        empty = set(POINTS) - state.goats - state.tigers
        if state.mover == "Goats" and state.hand:
            return [name(point) for point in empty]
        found = []
        for x, y in state.goats if state.mover == "Goats" else state.tigers:
            for right, up in ways((x, y)):
                near, behind = (x + right, y + up), (x + 2 * right, y + 2 * up)
                if near in empty:
                    found.append(f"{name((x, y))}-{name(near)}")
                elif state.mover == "Tigers" and near in state.goats and behind in empty:
                    found.append(f"{name((x, y))}x{name(behind)}")
        return found

    def after(self, state: State, move: str) -> State:
        if len(move) == 2:
            return state._replace(goats=state.goats | {OF_NAME[move]}, hand=state.hand - 1, mover="Tigers")
        start, end = OF_NAME[move[:2]], OF_NAME[move[3:]]
        after = state._replace(mover=OTHER[state.mover])
        if state.mover == "Goats":
            return after._replace(goats=state.goats - {start} | {end})
        after = after._replace(tigers=state.tigers - {start} | {end})
        if "x" not in move:
            return after
        middle = (start[0] + end[0]) // 2, (start[1] + end[1]) // 2
        return after._replace(goats=state.goats - {middle}, captured=state.captured + 1)

    def board(self, state: State) -> dict[str, str]:
        return {name(point): piece for points, piece in ((state.goats, "goat"), (state.tigers, "tiger"))
                for point in points}

    def variables(self, state: State) -> dict[str, object]:
        return {"hand": state.hand, "captured": state.captured}
