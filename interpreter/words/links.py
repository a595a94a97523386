"""Words of links: whether a link can be set or is present, and the cells that a cell is linked to."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from dsl import hir
from interpreter.boards import Board, mask_of
from interpreter.compiler import ir
from interpreter.compiler.build import all_of, compared, expr, negated
from interpreter.model.state import WorkingState
from interpreter.words.meaning import Unbounded

if TYPE_CHECKING:
    from interpreter.compiler.lowering.expressions import ExprLowering
    from interpreter.semantics.evaluate import Evaluator
    from interpreter.semantics.functions import Bound, Function


class _OfLink(Unbounded):
    """A query of the link between two cells; false where no such link is possible."""

    @abstractmethod
    def holds(self, board: Board, layer: int, link: int, there: int) -> bool:
        """Whether it holds for a link number, given the present links of its kind as the bitmask `there`."""

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        board, (one, other, number) = evaluator.board, evaluator.arguments(term)
        holds = self.holds

        def of_link(table: WorkingState, bound: Bound) -> bool:
            here, there, layer = one(table, bound), other(table, bound), number(table, bound)
            if here is None or there is None:
                return False
            link = board.layers[layer].number(here, there)
            return link >= 0 and holds(board, layer, link, table.links[layer])

        return of_link


class _Free(_OfLink):
    """`free(c, n, bridge)`: whether two cells can be linked."""

    def holds(self, board: Board, layer: int, link: int, there: int) -> bool:
        return board.layers[layer].is_free(link, there)

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        layer, link = _link(terms, term)
        is_link, is_there = _exists(terms, layer, link)
        crossed = terms.sets.called(terms.program.crossed(layer), terms.row, link)
        return all_of([is_link, negated(is_there), negated(crossed)])


class _Linked(_OfLink):
    """`linked(c, n, bridge)`: whether two cells are linked."""

    def holds(self, board: Board, layer: int, link: int, there: int) -> bool:
        return bool(there >> link & 1)

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        return all_of(_exists(terms, *_link(terms, term)))


class _LinkedTo(Unbounded):
    """`linked_to(c, bridge)`: the cells that a cell is linked to."""

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        board, (cell, number) = evaluator.board, evaluator.arguments(term)

        def linked_to(table: WorkingState, bound: Bound) -> int:
            origin, layer = cell(table, bound), number(table, bound)
            there = table.links[layer]
            return mask_of(other for link, other in board.layers[layer].of_cell.get(origin, ()) if there >> link & 1)

        return linked_to

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        cell, layer_term = term.arguments
        program, layer = terms.program, _layer(layer_term)
        name = program.library.put("linked_to", f"{terms.board.layers[layer].name}_linked_to",
                                   there=program.link_there(layer), **program.link_tables(layer))
        return terms.sets.called(name, terms.row, terms.value(cell))


# ---- lowering


def _layer(term: hir.Expr) -> int:
    """The number of a kind of links, which is always a literal."""
    assert isinstance(term, hir.Literal)
    assert isinstance(term.value, int)
    return int(term.value)


def _link(terms: ExprLowering, term: hir.Apply) -> tuple[int, ir.Expr]:
    """The number of a kind of links, and the IR of the number of the link between two cells, -1 for none."""
    one, other, layer_term = term.arguments
    layer = _layer(layer_term)
    here, there = terms.name(terms.value(one), "here"), terms.name(terms.value(other), "there")
    between = terms.program.link_number(layer)
    terms.program.link_there(layer)
    tests = [compared(end, ">=", 0) for end, part in ((here, one), (there, other)) if terms.may_be_none(part)]
    result: ir.Expr = terms.sets.called(between, here, there)
    return layer, terms.writer.let("link", ir.Conditional(all_of(tests), result, expr(-1)) if tests else result)


def _exists(terms: ExprLowering, layer: int, link: ir.Expr) -> tuple[ir.Expr, ir.Expr]:
    """The IR of whether a link is possible, and of whether it is present."""
    return compared(link, ">=", 0), terms.sets.called(terms.program.link_there(layer), terms.row, link)


MEANINGS = {"free": _Free(), "linked": _Linked(), "linked_to": _LinkedTo()}
