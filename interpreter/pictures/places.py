"""Where the cells of a board are in a picture, and their outlines.

Kinds of board say where their cells are (`dsl.boards`). Where they do not, cells are set out so that distances along
the links look right.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from interpreter.arrays import Reals
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
    result = _widest(-0.5 * centring @ distances**2 @ centring, board)
    away = result - result.mean(axis=0)
    first = next((row for row in away if np.hypot(*row) > 1e-6), away[0])  # the first cell goes to the top
    turn = math.atan2(-first[0], -first[1])
    cosine, sine = math.cos(turn), math.sin(turn)
    turned = result @ np.array([[cosine, sine], [-sine, cosine]])
    gaps = np.hypot(*(turned[:, None] - turned[None]).transpose(2, 0, 1)) + 1e9 * np.eye(board.size)
    if gaps.min() < 0.15:
        return None
    turned *= _CLOSEST / gaps.min()
    return tuple((float(x), float(y)) for x, y in turned)


def _widest(products: Reals, board: Board) -> Reals:
    """The two columns whose inner products are nearest to those given, the same ones on every machine.

    products: shape (cells, cells), symmetric. Symmetric boards have several eigenvectors of one eigenvalue, of which
    libraries find any basis, depending on the processor. Here fixed vectors are projected onto what they span. Where
    even the plane is open, the board is drawn without crossing links, or else as a ring.
    """
    import numpy as np

    values, vectors = np.linalg.eigh(products)
    columns: list[Reals] = []
    cells = np.arange(board.size)
    while len(columns) < 2:
        value = values[board.size - 1 - len(columns)]
        same = vectors[:, np.abs(values - value) < 1e-6 * max(abs(value), 1)]
        if same.shape[1] > 2:
            flat = _without_crossings(board)
            return _ring(board.size) if flat is None else flat
        column = same @ (same.T @ np.cos(cells * (1 + len(columns)) + 1))
        for other in columns:
            column = column - other * (other @ column) / (other @ other)
        columns.append(column / np.linalg.norm(column) * math.sqrt(max(value, 0)))
    return np.stack(columns, axis=1)


def _ring(corners: int) -> Reals:
    """The corners of a regular polygon, clockwise from the top; shape (corners, 2)."""
    import numpy as np

    angles = 2 * math.pi * np.arange(corners) / corners
    return np.stack([np.sin(angles), -np.cos(angles)], axis=1)


def _without_crossings(board: Board) -> Reals | None:
    """Tutte's drawing: a largest face is a regular polygon, each other cell lies in the middle of its neighbours.

    Shape (cells, 2); None where links must cross, or cells could come to lie on each other. Source: W. T. Tutte, How
    to draw a graph, 1963.
    """
    import networkx
    import numpy as np

    graph = networkx.Graph(board.graph)
    planar, embedding = networkx.check_planarity(graph)
    if not planar or networkx.node_connectivity(graph) < 3:
        return None
    outer = max((embedding.traverse_face(*link) for link in sorted(embedding.edges)), key=len)
    links = networkx.to_numpy_array(graph, nodelist=range(board.size))
    equations = np.diag(links.sum(axis=1)) - links
    equations[outer] = np.eye(board.size)[outer]
    wanted = np.zeros((board.size, 2))
    wanted[outer] = _ring(len(outer))
    return np.linalg.solve(equations, wanted)


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
