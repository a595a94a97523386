"""Where the cells of a board are in a picture, and their outlines.

Kinds of board say where their cells are (`dsl.boards`). Where they do not, cells are set out so that distances along
the links look right.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from interpreter.boards import Board
from interpreter.pictures.canvas import Place

_CLOSEST = 1.35
"""How far the closest two cells of a graph are apart."""
_NOT_JOINED = 1.0
"""How much farther than the farthest joined cells those are that are not joined at all."""


@lru_cache(maxsize=64)
def places_of(board: Board) -> tuple[Place, ...]:
    """The centre of each cell; x to the right, y down."""
    places = board.kind.picture_places(board)
    if places is not None:
        return places
    placed = _by_distance(board)
    return placed if placed is not None else tuple((2 * x, 2 * y) for x, y in board.places)


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
    """The corners of a cell around its centre; none where cells are points."""
    return [] if board.kind.outline is None else board.kind.outline.corners(at, size)


def side(board: Board, at: Place, direction: str) -> tuple[Place, Place]:
    """The two ends of a cell's side towards a direction, on a board whose cells have outlines."""
    assert board.kind.outline is not None
    return board.kind.outline.side(at, direction)


def middle(board: Board, at: Place, direction: str) -> Place:
    """The middle of a cell's side towards a direction."""
    (ax, ay), (bx, by) = side(board, at, direction)
    return (ax + bx) / 2, (ay + by) / 2
