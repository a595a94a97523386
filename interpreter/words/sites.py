"""Words of borders and vertices: that of a cell in a direction, and the cells beside one.

A border or vertex is its number in `Board.sites`; the compiler looks all of it up in tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl import hir
from dsl.boards.borders import BORDER, VERTEX
from interpreter.boards import mask_of
from interpreter.compiler import ir
from interpreter.compiler.build import element, line, plus, times
from interpreter.model.state import WorkingState
from interpreter.words.meaning import Unbounded

if TYPE_CHECKING:
    from interpreter.compiler.lowering.expressions import ExprLowering
    from interpreter.semantics.evaluate import Evaluator
    from interpreter.semantics.functions import Bound, Function


class _Site(Unbounded):
    """`border(c, north)`, `vertex(c, northeast)`: none where there is none."""

    def __init__(self, what: str) -> None:
        self.what = what

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        cell, direction = evaluator.arguments(term)
        numbers = evaluator.board.sites(self.what).of_cell

        def site(table: WorkingState, bound: Bound) -> int | None:
            origin, way = cell(table, bound), direction(table, bound)
            return None if origin is None else numbers.get((origin, way))

        return site

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        cell, direction = term.arguments
        numbers, ways = terms.board.sites(self.what).of_cell, len(terms.board.directions)
        table = terms.program.tables.table(f"{self.what}_of", [-1] * ways + [
            numbers.get((cell, way), -1) for cell in range(terms.board.size) for way in range(ways)])
        return element(line(table), plus(plus(times(terms.value(cell), ways), terms.known(direction)), ways))


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


MEANINGS = {"border": _Site(BORDER), "vertex": _Site(VERTEX), "beside": _Beside(BORDER), "cells_round": _Beside(VERTEX)}
