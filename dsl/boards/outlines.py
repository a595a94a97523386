"""Outlines of cells in pictures, where neighbours' centres are 1 apart: squares, and hexagons of both orientations."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import attrs

Place = tuple[float, float]
"""A place in a picture: x to the right, y downwards; the centres of neighbouring cells are 1 apart."""


@attrs.frozen
class Outline:
    """The outline of a cell: a regular polygon, by its corners and the angles of its sides, in degrees.

    Angles go clockwise from the east.
    """

    first_corner: float
    count: int
    """The number of corners."""
    sides: Mapping[str, float]
    """For each direction that leads across a side, the angle of that side's middle."""

    def corners(self, at: Place, size: float = 1.0) -> Sequence[Place]:
        """The corners around a cell's centre; `size` is the distance between opposite sides."""
        x, y = at
        if self.count == 4:
            half = size / 2
            return [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
        radius = size / math.sqrt(3)
        angles = [math.radians(self.first_corner + 60 * corner) for corner in range(6)]
        return [(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles]

    def side(self, at: Place, direction: str) -> tuple[Place, Place]:
        """The two ends of a cell's side in a direction."""
        towards, half = self.sides[direction], 180 / self.count
        radius = math.sqrt(0.5) if self.count == 4 else 1 / math.sqrt(3)
        ends = [math.radians(towards - half), math.radians(towards + half)]
        (one, other) = [(at[0] + radius * math.cos(end), at[1] + radius * math.sin(end)) for end in ends]
        return one, other


SQUARE = Outline(45, 4, {"east": 0, "south": 90, "west": 180, "north": 270})
POINTED = Outline(30, 6, {"east": 0, "southeast": 60, "southwest": 120, "west": 180, "northwest": 240,
                          "northeast": 300})
"""A hexagon with a corner at its top, for cells in rows."""
FLAT = Outline(0, 6, {"southeast": 30, "south": 90, "southwest": 150, "northwest": 210, "north": 270,
                      "northeast": 330})
"""A hexagon with a side at its top, for cells in columns."""
