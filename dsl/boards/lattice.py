"""Integer points, and the maps that turn and mirror them.

A board on a lattice numbers its cells by points of two integers; a direction is a step between points, and a map of
the lattice is a matrix of two by two integers with the determinant 1 or -1.
"""

from __future__ import annotations

from collections.abc import Sequence

Point = tuple[int, int]
Matrix = tuple[Point, Point]


def turned(point: Point, matrix: Matrix) -> Point:
    """Return the image of a point, or of a step, under a matrix."""
    (a, b), (c, d) = matrix
    x, y = point
    return a * x + b * y, c * x + d * y


def images_about_centroid(points: Sequence[Point], matrix: Matrix) -> tuple[int, ...]:
    """Return the index of each point's image when the matrix acts about the centroid, -1 where no point is.

    Any symmetry of a finite set of points preserves their centroid, so that boards with cells left out need no special
    treatment. Points are scaled by their number, so that all arithmetic is on integers.
    """
    size = len(points)
    x_sum, y_sum = (sum(values) for values in zip(*points, strict=True))
    centred = [(size * x - x_sum, size * y - y_sum) for x, y in points]
    index = {point: k for k, point in enumerate(centred)}
    return tuple(index.get(turned(point, matrix), -1) for point in centred)
