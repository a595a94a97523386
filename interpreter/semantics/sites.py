"""The functions of borders and vertices at work: those of a cell, and the cells beside one.

`ON_SITES` has them by name, for `interpreter.semantics.functions`. A border is its number in the board's `sites`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from dsl.boards.borders import BORDER, VERTEX
from dsl.syntax.source import Span
from interpreter.boards import Board, mask_of
from interpreter.model.state import WorkingState

if TYPE_CHECKING:
    from interpreter.semantics.functions import Bound, Function


def _site(what: str) -> Callable[[Board, list[Function], Span], Function]:
    """The one of a cell in a direction; none where there is none."""
    def build(board: Board, arguments: list[Function], span: Span) -> Function:
        cell, direction = arguments
        numbers = board.sites(what).of_cell

        def run(table: WorkingState, bound: Bound) -> int | None:
            origin, way = cell(table, bound), direction(table, bound)
            return None if origin is None else numbers.get((origin, way))

        return run

    return build


def _beside(what: str) -> Callable[[Board, list[Function], Span], Function]:
    """The cells at one."""
    def build(board: Board, arguments: list[Function], span: Span) -> Function:
        (site,) = arguments
        cells = [mask_of(there) for there in board.sites(what).cells]
        return lambda table, bound: cells[site(table, bound)]

    return build


ON_SITES: dict[str, Callable[[Board, list[Function], Span], Function]] = {
    "border": _site(BORDER),
    "vertex": _site(VERTEX),
    "beside": _beside(BORDER),
    "cells_round": _beside(VERTEX),
}
