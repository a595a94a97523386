"""Words of piles: the height of a pile, a piece in it, and the number of copies of a piece on the board.

A pile is a tuple of pieces here, the lowest first. The effects that build piles are in `interpreter.effects.piles`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl import hir
from interpreter.compiler import ir
from interpreter.model.piles import Piles
from interpreter.model.state import WorkingState
from interpreter.semantics.functions import some_cell
from interpreter.words.meaning import Unbounded

if TYPE_CHECKING:
    from interpreter.compiler.lowering.expressions import ExprLowering
    from interpreter.semantics.evaluate import Evaluator
    from interpreter.semantics.functions import Bound, Function


class _Height(Unbounded):
    """`height(c)`: the number of pieces on a cell."""

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        piles, (cell,) = _piles(evaluator), evaluator.arguments(term)
        return lambda table, bound: len(piles.at(table, some_cell(cell(table, bound), "height(...)", term.span)))

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        return terms.program.piles.height(terms, terms.some_cell(term.arguments[0]))


class _Below(Unbounded):
    """`below(c, k)`: the piece of a pile with k pieces above it, empty where the pile is lower."""

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        piles, (cell, depth) = _piles(evaluator), evaluator.arguments(term)

        def below(table: WorkingState, bound: Bound) -> int | None:
            place, under = cell(table, bound), depth(table, bound)
            if place is None:
                return None
            pile = piles.at(table, place)
            return pile[-1 - under] if 0 <= under < len(pile) else 0

        return below

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        cell, depth = term.arguments
        name = terms.program.piles.put("pile_below")
        place = terms.value(cell)
        return terms.sets.called(name, terms.row, place, terms.known(depth))

    def may_be_none(self, terms: ExprLowering, term: hir.Apply) -> bool:
        return terms.may_be_none(term.arguments[0])


class _Copies(Unbounded):
    """`copies(p)`: the number of copies of a piece on the board; for empty, the number of empty cells."""

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        piles, piece = _piles(evaluator), evaluator.known(term.arguments[0])

        def copies(table: WorkingState, bound: Bound) -> int:
            wanted = piece(table, bound)
            return sum(piles.at(table, cell).count(wanted) for cell in range(piles.cells)) if wanted else (
                table.pieces[0].bit_count())

        return copies

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        name = terms.program.piles.put("pile_copies")
        return terms.sets.called(name, terms.row, terms.known(term.arguments[0]))


def _piles(evaluator: Evaluator) -> Piles:
    """How states store piles; only games with piles have these words."""
    assert evaluator.piles is not None
    return evaluator.piles


MEANINGS = {"height": _Height(), "below": _Below(), "copies": _Copies()}
