"""Tracks in pictures: where one leaves the board at a bend and comes in again, the curve between.

A bend is drawn where cells are points, between two stretches that both have a direction: as the arc of a circle that
goes on from the one and comes into the other: a loop round a corner, for instance.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from interpreter.boards import Board
from interpreter.pictures.canvas import Canvas, Place, number

_CLOSE = 1e-6


def draw_bends(canvas: Canvas, board: Board, places: Sequence[Place], **style: object) -> None:
    """Draw the bends of a board's tracks that are arcs."""
    for course in board.courses[::2]:
        count = len(course.cells)
        for index, bend in enumerate(course.bends):
            if not bend or (index + 1 == count and not course.cyclic):
                continue
            before, start, end, after = (places[course.cells[(index + step) % count]] for step in (-1, 0, 1, 2))
            if course.bends[(index + 1) % count] or course.bends[(index - 1) % count]:
                continue  # a stretch of one cell has no direction
            for commands, covered in _arc(before, start, end, after):
                canvas.path(commands, covered, fill="none", **style)


def _arc(before: Place, start: Place, end: Place, after: Place) -> Iterator[tuple[str, list[Place]]]:
    """The arc from one place to another, on from the place before and in towards the one after; nothing if none is."""
    way = start[0] - before[0], start[1] - before[1]
    back = end[0] - after[0], end[1] - after[1]
    across = way[0] * back[1] - way[1] * back[0]
    if abs(across) < _CLOSE:
        return
    # The centre is square to both ways: (centre - start) * way = 0 = (centre - end) * back.
    one, other = start[0] * way[0] + start[1] * way[1], end[0] * back[0] + end[1] * back[1]
    centre = (one * back[1] - other * way[1]) / across, (other * way[0] - one * back[0]) / across
    radius = math.dist(centre, start)
    if radius < _CLOSE or abs(radius - math.dist(centre, end)) > _CLOSE:
        return
    clockwise = way[0] * (centre[1] - start[1]) - way[1] * (centre[0] - start[0]) > 0
    angles = [math.atan2(at[1] - centre[1], at[0] - centre[0]) for at in (start, end)]
    turned = (angles[1] - angles[0] if clockwise else angles[0] - angles[1]) % (2 * math.pi)
    radii = f"{number(radius)} {number(radius)} 0 {int(turned > math.pi)} {int(clockwise)}"
    between = [(centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle)) for angle in
               (angles[0] + (1 if clockwise else -1) * turned * step / 8 for step in range(9))]
    yield f"M{number(start[0])} {number(start[1])}A{radii} {number(end[0])} {number(end[1])}", between
