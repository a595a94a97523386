"""Surakarta on 6 x 6 points.

Each player has twelve pieces on the two nearest rows; Black begins, at the bottom. A piece steps to one of the eight
points around it, if that is free. It captures by sliding along a line over free points: at the end of a line that is
the second or third from a corner, it continues around that corner, by a loop, into the line at the same distance from
the corner on the next side of the board. The first piece that it meets after at least one loop is captured, if it is
the opponent's. The capturing piece does not block itself. The player who takes the last piece wins; a player who cannot
move loses. A repeated position is a draw, which is left to the caller. A move is both its points with `-` between them.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}]

SIZE = 6
OTHER = {"Black": "White", "White": "Black"}
Point = tuple[int, int]
"""Column and row, both from 0, rows from the bottom."""


class State(NamedTuple):
    """The pieces as point and owner, and the player to move."""

    pieces: frozenset[tuple[Point, str]]
    mover: str


def name(point: Point) -> str:
    """Return the name of a point."""
    return "abcdef"[point[0]] + str(point[1] + 1)


def round_corner(point: Point, way: Point) -> tuple[Point, Point] | None:
    """The point and direction at which a piece that leaves the board by a loop returns; None where there is no loop."""
    x, y = point
    along = y if way[0] else x  # the position along the side by which it leaves
    distance = min(along, SIZE - 1 - along)
    if distance == 0:
        return None
    near_low = along < SIZE - 1 - along
    if way[0]:  # it leaves by the left or right side and continues in a column, away from the corner
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
        """The first piece met from a point in a direction, if that is after at least one loop; else None."""
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
