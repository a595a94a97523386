"""Words of piles: how high one is, what lies in it, how many pieces of a kind there are.

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
    """`height(c)`: how many pieces lie on a cell."""

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        piles, (cell,) = _piles(evaluator), evaluator.arguments(term)
        return lambda table, bound: len(piles.at(table, some_cell(cell(table, bound), "height(...)", term.span)))

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        return terms.program.piles.height(terms, terms.some_cell(term.arguments[0]))


class _Below(Unbounded):
    """`below(c, k)`: the piece with so many pieces on it, empty where the pile is not so high."""

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
    """`copies(p)`: how many of a piece lie on the board; how many cells are empty."""

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
    """Where states hold piles; these words mean something in games with piles only."""
    assert evaluator.piles is not None
    return evaluator.piles


MEANINGS = {"height": _Height(), "below": _Below(), "copies": _Copies()}
