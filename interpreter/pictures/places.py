"""Where the cells of a board are in a picture, and their outlines.

Boards bring their places along, but for graphs: their cells are set out on a grid where their names are coordinates
(`a4`, `d1`), else so that distances along the links look right.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache

from interpreter.boards import Board
from interpreter.drawing import grid_points
from interpreter.pictures.canvas import Place

_CLOSEST = 1.35
"""How far the closest two cells of a graph are apart."""
_NOT_JOINED = 1.0
"""How much farther than the farthest joined cells those are that are not joined at all."""


@lru_cache(maxsize=64)
def places_of(board: Board) -> tuple[Place, ...]:
    """The centre of each cell; x to the right, y down."""
    if board.kind != "graph":
        return board.places
    points = grid_points(board)
    if points is not None:
        return tuple((float(column), -float(row)) for column, row in points)
    if not any(board.neighbours):
        return tuple((_CLOSEST * cell, 0.0) for cell in range(board.size))
    placed = _by_distance(board)
    return placed if placed is not None else tuple((2 * x, 2 * y) for x, y in board.places)


def is_on_grid(board: Board) -> bool:
    """Whether a graph's cells are named as the points of a grid, each link along a row, a column or a diagonal."""
    return grid_points(board) is not None


def _by_distance(board: Board) -> tuple[Place, ...] | None:
    """Classical scaling: the plane in which distances are nearest to the numbers of links between cells.

    None where two cells come to lie on each other.
    """
    import networkx
    import numpy as np

    distances = np.asarray(networkx.floyd_warshall_numpy(board.graph, nodelist=range(board.size)))
    finite = distances[np.isfinite(distances)]
    distances = np.where(np.isfinite(distances), distances, finite.max() + _NOT_JOINED)
    centring = np.eye(board.size) - 1 / board.size
    values, vectors = np.linalg.eigh(-0.5 * centring @ distances**2 @ centring)
    found = vectors[:, -2:][:, ::-1] * np.sqrt(np.maximum(values[-2:][::-1], 0))
    first = found[0] - found.mean(axis=0)  # the first cell goes to the top
    turn = math.atan2(-first[0], -first[1]) if np.hypot(*first) > 1e-6 else 0.0
    cosine, sine = math.cos(turn), math.sin(turn)
    turned = found @ np.array([[cosine, sine], [-sine, cosine]]).T
    gaps = np.hypot(*(turned[:, None] - turned[None]).transpose(2, 0, 1)) + 1e9 * np.eye(board.size)
    if gaps.min() < 0.15:
        return None
    turned *= _CLOSEST / gaps.min()
    return tuple((float(x), float(y)) for x, y in turned)


def outline(board: Board, at: Place, size: float = 1.0) -> Sequence[Place]:
    """The corners of a cell around its centre; none on a graph, whose cells are points."""
    x, y = at
    if board.kind in ("square", "unbounded square"):
        half = size / 2
        return [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
    if board.kind == "graph":
        return []
    first = 30 if board.kind == "rhombus" else 0
    radius = size / math.sqrt(3)
    angles = [math.radians(first + 60 * corner) for corner in range(6)]
    return [(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles]


def side(board: Board, at: Place, direction: str) -> tuple[Place, Place]:
    """The two ends of a cell's side towards a direction."""
    towards = _ANGLES["square" if board.kind == "unbounded square" else board.kind][direction]
    half = 45 if board.kind in ("square", "unbounded square") else 30
    radius = math.sqrt(0.5) if half == 45 else 1 / math.sqrt(3)
    ends = [math.radians(towards - half), math.radians(towards + half)]
    (one, other) = [(at[0] + radius * math.cos(end), at[1] + radius * math.sin(end)) for end in ends]
    return one, other


def middle(board: Board, at: Place, direction: str) -> Place:
    """The middle of a cell's side towards a direction."""
    (ax, ay), (bx, by) = side(board, at, direction)
    return (ax + bx) / 2, (ay + by) / 2


_ANGLES = {
    "square": {"east": 0, "south": 90, "west": 180, "north": 270},
    "rhombus": {"east": 0, "southeast": 60, "southwest": 120, "west": 180, "northwest": 240, "northeast": 300},
    "hexagon": {"southeast": 30, "south": 90, "southwest": 150, "northwest": 210, "north": 270, "northeast": 330},
}
"""The angle of each direction that leads across a side, clockwise from the east."""
GOAL_SIDES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "square": {"top": ("north",), "bottom": ("south",), "left": ("west",), "right": ("east",)},
    "rhombus": {"top": ("northwest", "northeast"), "bottom": ("southeast", "southwest"),
                "left": ("southwest", "west"), "right": ("northeast", "east")},
    "hexagon": {"left": ("southwest", "northwest"), "right": ("northeast", "southeast"),
                "top_left": ("northwest", "north"), "top_right": ("north", "northeast"),
                "bottom_left": ("southwest", "south"), "bottom_right": ("south", "southeast")},
}
"""By kind of board and region, the directions in which the region's cells are at the border."""
