"""Words of borders and vertices: from a cell to one in a direction, and back; the cells beside one.

A border or vertex is its number in `Board.sites`; compiled code looks all of them up in tables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from dsl import hir
from dsl.boards.borders import BORDER, VERTEX, borders_from, cells_from
from dsl.resolve.sorts import CELL
from interpreter.boards import Board, mask_of
from interpreter.compiler import ir
from interpreter.compiler.build import element, line, plus, times
from interpreter.model.state import WorkingState
from interpreter.words.meaning import Unbounded

if TYPE_CHECKING:
    from interpreter.compiler.lowering.expressions import ExprLowering
    from interpreter.semantics.evaluate import Evaluator
    from interpreter.semantics.functions import Bound, Function


class _Found(Unbounded):
    """The site or cell in a direction from a cell or site, `border(c, north)`, `b.north`; none where there is none."""

    def __init__(self, table: str, numbers: Callable[[Board], Mapping[tuple[int, int], int]],
                 origins: Callable[[Board], int]) -> None:
        self.table, self.numbers, self.origins = table, numbers, origins

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        start, direction = evaluator.arguments(term)
        numbers = self.numbers(evaluator.board)

        def found(table: WorkingState, bound: Bound) -> int | None:
            origin, way = start(table, bound), direction(table, bound)
            return None if origin is None else numbers.get((origin, way))

        return found

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        start, direction = term.arguments
        numbers, ways = self.numbers(terms.board), len(terms.board.directions)
        table = terms.program.tables.table(self.table, [-1] * ways + [
            numbers.get((origin, way), -1) for origin in range(self.origins(terms.board)) for way in range(ways)])
        origin = terms.value(start) if start.sort == CELL else terms.known(start)
        return element(line(table), plus(plus(times(origin, ways), terms.known(direction)), ways))


def _of_cells(what: str) -> _Found:
    """`border(c, north)`, `vertex(c, northeast)`."""
    return _Found(f"{what}_of", lambda board: board.sites(what).of_cell, lambda board: board.size)


def _cells_from(what: str) -> _Found:
    """`b.north`, `v.northeast`."""
    return _Found(f"from_{what}", lambda board: cells_from(board.kind, board.shape, what),
                  lambda board: len(board.sites(what).names))


class _Beside(Unbounded):
    """`beside(b)`: the cells at a border or a vertex."""

    def __init__(self, what: str) -> None:
        self.what = what

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        (site,) = evaluator.arguments(term)
        cells = [mask_of(there) for there in evaluator.board.sites(self.what).cells]
        return lambda table, bound: cells[site(table, bound)]

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        table = terms.sets.table(
            f"beside_{self.what}", [mask_of(cells) for cells in terms.board.sites(self.what).cells])
        return terms.sets.of_table(table, terms.known(term.arguments[0]))


MEANINGS = {
    "border": _of_cells(BORDER),
    "vertex": _of_cells(VERTEX),
    "border_from": _Found("border_from", lambda board: borders_from(board.kind, board.shape),
                          lambda board: len(board.sites(VERTEX).names)),
    "from_border": _cells_from(BORDER),
    "from_vertex": _cells_from(VERTEX),
    "beside": _Beside(BORDER),
    "cells_round": _Beside(VERTEX),
}
