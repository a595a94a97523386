"""Lowering what is asked of borders and vertices: tables by cell and direction, and of the cells beside each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dsl import hir
from dsl.boards.borders import BORDER, VERTEX
from interpreter.boards import mask_of
from interpreter.compiler import ir
from interpreter.compiler.build import element, line, plus, times

if TYPE_CHECKING:
    from interpreter.compiler.lowering.expressions import ExprLowering


def site(terms: ExprLowering, what: str, arguments: Sequence[hir.Expr]) -> ir.Expr:
    """The border or vertex of a cell in a direction, -1 for none."""
    cell, direction = arguments
    numbers, ways = terms.board.sites(what).of_cell, len(terms.board.directions)
    table = terms.program.tables.table(f"{what}_of", [-1] * ways + [
        numbers.get((cell, way), -1) for cell in range(terms.board.size) for way in range(ways)])
    return element(line(table), plus(plus(times(terms.value(cell), ways), terms.known(direction)), ways))


def beside(terms: ExprLowering, function: str, place: hir.Expr) -> ir.Expr:
    """The cells at a border or a vertex."""
    what = BORDER if function == "beside" else VERTEX
    table = terms.sets.table(f"beside_{what}", [mask_of(cells) for cells in terms.board.sites(what).cells])
    return terms.sets.of_table(table, terms.known(place))
