"""Frames: the orientations in which a pattern can be placed on a board.

A pattern's places are offsets across and ahead. A frame maps these to steps of the board: it is one of the rotations
and reflections of the board's lattice, eight on square cells and twelve on hexagonal ones. A pattern that heads for a
side of the board is oriented so that ahead leads there, plain and mirrored; any other pattern by the symmetries in
force.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING

import attrs

from dsl.boards.lattice import Matrix, Point, turned
from interpreter.boards import Board, members

if TYPE_CHECKING:
    from interpreter.game import Game

_IDENTITY: Matrix = ((1, 0), (0, 1))


@attrs.frozen
class Frame:
    """An orientation of a pattern on a board."""

    matrix: Matrix
    across: Point
    """The step to the right in the plain frame."""
    ahead: Point
    """The step ahead in the plain frame."""

    def offset(self, across: int, ahead: int) -> Point:
        """The offset in lattice coordinates of a place."""
        (ax, ay), (bx, by) = self.across, self.ahead
        return turned((across * ax + ahead * bx, across * ay + ahead * by), self.matrix)

    @property
    def mirrored(self) -> bool:
        """Whether left and right are exchanged."""
        (a, b), (c, d) = self.matrix
        return a * d - b * c < 0

    def height(self, point: Point) -> int:
        """The coordinate ahead of a lattice point in this frame."""
        (a, b), (c, d) = self.matrix
        sign = a * d - b * c  # 1 or -1, so that this is the inverse
        x, y = sign * (d * point[0] - b * point[1]), sign * (a * point[1] - c * point[0])
        (ax, ay), (bx, by) = self.across, self.ahead
        return (ax * y - ay * x) // (ax * by - ay * bx)


def frames_of(board: Board) -> tuple[Frame, ...]:
    """Every frame of a board, the plain one first; none on a graph, which has no lattice."""
    kind = board.kind
    steps = set(kind.steps.values())
    if not steps:
        return ()
    result = [_IDENTITY]
    for a, b, c, d in product((-1, 0, 1), repeat=4):
        matrix = ((a, b), (c, d))
        if matrix != _IDENTITY and {turned(step, matrix) for step in steps} == steps:
            result.append(matrix)
    return tuple(Frame(matrix, kind.across, kind.ahead) for matrix in result)


def heading_for(board: Board, goal: int) -> tuple[Frame, ...]:
    """The frames in which ahead leads to a side of the board, given as a bitset of its outermost cells; the unmirrored
    first."""
    points = board.points
    result = []
    for frame in frames_of(board):
        heights = [frame.height(point) for point in points]
        if goal and all(heights[cell] == max(heights) for cell in members(goal)):
            result.append(frame)
    return tuple(sorted(result, key=lambda frame: frame.mirrored))


def turned_as(game: Game, phrase: str) -> tuple[Frame, ...]:
    """The frames of patterns without a heading, by a phrase of the pattern language; '' for the game's symmetries."""
    frames = frames_of(game.board)
    match phrase:
        case "none":
            return frames[:1]
        case "left right mirror":
            return tuple(frame for frame in frames if _keeps_ahead(frame))
        case "all turns":
            return tuple(frame for frame in frames if not frame.mirrored)
        case "all turns and mirrors":
            return frames
    vectors = _direction_vectors(game.board)
    images = {element.cells.directions for element in game.symmetries}
    return tuple(frame for frame in frames if any(_acts_as(frame, vectors, image) for image in images))


def _keeps_ahead(frame: Frame) -> bool:
    plain = Frame(_IDENTITY, frame.across, frame.ahead)
    return all(frame.height(point) == plain.height(point) for point in ((1, 0), (0, 1)))


def _direction_vectors(board: Board) -> list[Point | None]:
    """The step of each direction; None where no cell has one."""
    result: list[Point | None] = [None] * len(board.directions)
    for cell, steps in enumerate(board.steps):
        for direction, target in enumerate(steps):
            if target >= 0 and result[direction] is None:
                (a, b), (c, d) = board.points[cell], board.points[target]
                result[direction] = (c - a, d - b)
    return result


def _acts_as(frame: Frame, vectors: Sequence[Point | None], image: Sequence[int]) -> bool:
    """Whether a frame acts on steps as a board map acts on directions."""
    return all(vector is None or turned(vector, frame.matrix) == vectors[image[direction]]
               for direction, vector in enumerate(vectors))
