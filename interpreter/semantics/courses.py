"""The functions of tracks at work: steps along them, and what is met on the way.

`ON_TRACKS` has them by name, for `interpreter.semantics.functions`. A track is its number in `Board.courses`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from dsl.syntax.source import Span
from interpreter.boards import Board
from interpreter.boards.courses import Course, around, ray_along, reach_along
from interpreter.model.state import WorkingState

if TYPE_CHECKING:
    from interpreter.semantics.functions import Bound, Function


def _next(board: Board, arguments: list[Function], span: Span) -> Function:
    cell, track, *rest = arguments
    steps = rest[0] if rest else None

    def run(table: WorkingState, bound: Bound) -> int | None:
        origin, course = cell(table, bound), board.courses[track(table, bound)]
        number = 1 if steps is None else steps(table, bound)
        target = -1 if origin is None else course.ahead(origin, number)
        return None if target < 0 else target

    return run


def _along(walked: Callable[[Course, int, int], int]) -> Callable[[Board, list[Function], Span], Function]:
    """A set of cells that are met from a cell on, as far as others reach."""
    def build(board: Board, arguments: list[Function], span: Span) -> Function:
        cell, track, *rest = arguments
        within = rest[0] if rest else None

        def run(table: WorkingState, bound: Bound) -> int:
            origin, course = cell(table, bound), board.courses[track(table, bound)]
            allowed = board.everything if within is None else within(table, bound)
            return 0 if origin is None else walked(course, origin, allowed)

        return run

    return build


def _back(board: Board, arguments: list[Function], span: Span) -> Function:
    (track,) = arguments
    return lambda table, bound: track(table, bound) ^ 1


def _on_track(board: Board, arguments: list[Function], span: Span) -> Function:
    (track,) = arguments
    return lambda table, bound: board.courses[track(table, bound)].everything


ON_TRACKS: dict[str, Callable[[Board, list[Function], Span], Function]] = {
    "next": _next,
    "ray_along": _along(ray_along),
    "reach_along": _along(lambda course, cell, through: reach_along(course, cell, through, 0)),
    "around": _along(around),
    "track_back": _back,
    "track_cells": _on_track,
}
