"""Surakarta on 6 x 6 points.

Each has twelve pieces on the two rows nearest to them; Black begins, from below. A piece steps to one of the eight
points beside it, if that is free. It takes by going along a line, on over free points: where a line ends that is the
second or third from a corner, it goes on round that corner, by a loop, into the line that is as far from the corner
on the next side of the board. The first piece that it meets after at least one loop, if it is the opponent's, is
taken. The point that the taking piece leaves is free. Who takes the last piece wins, who cannot move loses. A repeated
position is a draw, which is left to the caller. A move is both its points with `-` between.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}]

SIZE = 6
OTHER = {"Black": "White", "White": "Black"}
Point = tuple[int, int]
"""Column and row, both from 0, rows from below."""


class State(NamedTuple):
    """Whose pieces are where, and the player to move."""

    pieces: frozenset[tuple[Point, str]]
    mover: str


def name(point: Point) -> str:
    """What a point is called."""
    return "abcdef"[point[0]] + str(point[1] + 1)


def round_corner(point: Point, way: Point) -> tuple[Point, Point] | None:
    """Where a piece comes in again that leaves the board, and which way it then goes; None where there is no loop."""
    x, y = point
    along = y if way[0] else x  # the place on the side that it leaves by
    distance = min(along, SIZE - 1 - along)
    if distance == 0:
        return None
    near_low = along < SIZE - 1 - along
    if way[0]:  # left by the right or the left side, goes on in a column, away from the corner
        column = SIZE - 1 - distance if way[0] > 0 else distance
        return (column, 0 if near_low else SIZE - 1), (0, 1 if near_low else -1)
    row = SIZE - 1 - distance if way[1] > 0 else distance
    return (0 if near_low else SIZE - 1, row), (1 if near_low else -1, 0)


class Reference(Rules[State]):
    """Surakarta."""

    def start(self) -> State:
        return State(frozenset(((x, y), "Black" if y < 2 else "White") for x in range(SIZE) for y in (0, 1, 4, 5)),
                     "Black")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        owners = {owner for _, owner in state.pieces}
        if len(owners) == 1:
            return owners.pop()
        return None if self.options(state) else OTHER[state.mover]

    def options(self, state: State) -> list[str]:
        held = dict(state.pieces)
        found = []
        for point, owner in held.items():
            if owner != state.mover:
                continue
            x, y = point
            targets = {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)
                       if 0 <= x + dx < SIZE and 0 <= y + dy < SIZE and (x + dx, y + dy) not in held}
            rest = {other: owner for other, owner in held.items() if other != point}
            for way in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                prey = self.met(rest, point, way)
                if prey is not None and held[prey] != state.mover:
                    targets.add(prey)
            found += [f"{name(point)}-{name(target)}" for target in targets]
        return found

    def met(self, held: dict[Point, str], start: Point, start_way: Point) -> Point | None:
        """The first piece that is met from a point after a loop at least."""
        point, way, loops = start, start_way, 0
        while True:
            ahead = point[0] + way[0], point[1] + way[1]
            if not (0 <= ahead[0] < SIZE and 0 <= ahead[1] < SIZE):
                turned = round_corner(point, way)
                if turned is None:
                    return None
                ahead, way = turned
                loops += 1
            if (ahead, way) == (start, start_way):
                return None
            if ahead in held:
                return ahead if loops else None
            point = ahead

    def after(self, state: State, move: str) -> State:
        start, end = (("abcdef".index(text[0]), int(text[1]) - 1) for text in move.split("-"))
        held = dict(state.pieces)
        held[end] = held.pop(start)
        return State(frozenset(held.items()), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {name(point): owner.lower() for point, owner in state.pieces}
