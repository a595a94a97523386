"""Lowers numbers: cells, players, pieces, directions and counts become IR expressions; none is -1."""

from __future__ import annotations

from functools import singledispatch
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from dsl import hir
from dsl.resolve.sorts import Integer, Sort
from interpreter.compiler import ir
from interpreter.compiler.build import (
    any_of,
    as_number,
    between,
    binary,
    compared,
    element,
    expr,
    known,
    minus,
    plus,
    times,
)
from interpreter.compiler.lowering.errors import NotLowered
from interpreter.words import AGGREGATIONS, CHEAPEST, MEANINGS

if TYPE_CHECKING:
    from interpreter.compiler.lowering.expressions import ExprLowering

_OPERATORS: Final[dict[str, ir.Operator]] = {"+": "+", "-": "-", "*": "*", "div": "//", "mod": "%"}


@singledispatch
def number_of(term: hir.Expr, terms: ExprLowering, sort: Sort | None) -> ir.Expr:
    """Lower a number by its form; `sort` is the sort whose none stands for a bare none. Raises NotLowered."""
    raise NotLowered(f"a value of {type(term).__name__}")


@number_of.register(hir.NamedCell)
def _named_cell(term: hir.NamedCell, terms: ExprLowering, sort: Sort | None) -> ir.Expr:
    cell = terms.board.cell_named(term.name)
    return expr(-1 if cell is None else cell)


@number_of.register(hir.Local)
def _local(term: hir.Local, terms: ExprLowering, sort: Sort | None) -> ir.Expr:
    return terms.bound_value(term.slot)


@number_of.register(hir.Role)
def _role(term: hir.Role, terms: ExprLowering, sort: Sort | None) -> ir.Expr:
    if term.name == "mover":
        return terms.mover
    who = known(terms.mover)
    return minus(1, terms.mover) if who is None else expr(1 - who)


@number_of.register(hir.OwnPiece)
def _own_piece(term: hir.OwnPiece, terms: ExprLowering, sort: Sort | None) -> ir.Expr:
    player, pieces = terms.known(term.player), term.pieces
    who = known(player)
    if who is not None:
        return expr(pieces[who])
    steps = {after - before for before, after in pairwise(pieces)}
    if len(steps) == 1:
        step = steps.pop()
        return plus(pieces[0], player if step == 1 else times(step, player))
    return element(terms.program.tables.numbers("own", list(pieces)), player)


@number_of.register(hir.Pair)
def _pair(term: hir.Pair, terms: ExprLowering, sort: Sort | None) -> ir.Expr:
    first, second = terms.value(term.first), terms.value(term.second)
    missing = []
    if _out_of_range(terms, term.first, 1 << 40):
        first = terms.name(first, "first")
        missing.append(compared(first, "<", 0))
    if _out_of_range(terms, term.second, term.count):
        second = terms.name(second, "second")
        missing += [compared(second, "<", 0), compared(second, ">=", term.count)]
    place = plus(times(first, term.count), second)
    return ir.Conditional(any_of(missing), expr(-1), place) if missing else place


@number_of.register(hir.Variable)
def _variable(term: hir.Variable, terms: ExprLowering, sort: Sort | None) -> ir.Expr:
    return as_number(element(terms.row, place(terms, term.number, term.index)))


def place(terms: ExprLowering, variable: int, index: hir.Expr | None) -> ir.Expr:
    """The place of a variable's value in a row."""
    start, size = terms.program.variable(variable)
    if index is None:
        return expr(start)
    at = terms.value(index)
    if (plain := known(at)) is not None:
        if not 0 <= plain < size:
            terms.fail("G403")
            plain = 0
        return expr(start + plain)
    if _out_of_range(terms, index, size):
        at = terms.name(at, "at")
        terms.fail("G403", any_of([compared(at, "<", 0), compared(at, ">=", size)]))
        at = terms.writer.let("at", ir.Conditional(between(0, at, size), at, expr(0)))
    return plus(start, at)


def _out_of_range(terms: ExprLowering, index: hir.Expr, size: int) -> bool:
    if isinstance(index, hir.Pair):
        return _out_of_range(terms, index.first, size // index.count) or _out_of_range(terms, index.second, index.count)
    if terms.may_be_none(index):
        return True
    sort = terms.bound[index.slot].sort if isinstance(index, hir.Local) else index.sort
    return isinstance(sort, Integer) and not (sort.low >= 0 and sort.high < size)


@number_of.register(hir.Only)
def _only(term: hir.Only, terms: ExprLowering, sort: Sort | None) -> ir.Expr:
    result, count = terms.writer.fresh(term.binding.name), terms.writer.fresh("many")
    terms.writer.assign(result, 0)
    terms.writer.assign(count, 0)
    with terms.each(term.binding) as value:
        terms.guard_all(term.body)
        terms.writer.assign(result, value)
        terms.writer.update(count, "+", 1)
    terms.fail("G404", compared(count, "!=", 1))
    return result


@number_of.register(hir.Aggregate)
def _aggregate(term: hir.Aggregate, terms: ExprLowering, sort: Sort | None) -> ir.Expr:
    return AGGREGATIONS[term.kind].lowered(terms, term)


@number_of.register(hir.Cheapest)
def _cheapest(term: hir.Cheapest, terms: ExprLowering, sort: Sort | None) -> ir.Expr:
    return CHEAPEST.lowered(terms, term)


@number_of.register(hir.Let)
def _let(term: hir.Let, terms: ExprLowering, sort: Sort | None) -> ir.Expr:
    with terms.scope(term.slot):
        terms.let(term)
        return terms.name(terms.value(term.body, sort), "x")


@number_of.register(hir.Arithmetic)
def _arithmetic(term: hir.Arithmetic, terms: ExprLowering, sort: Sort | None) -> ir.Expr:
    left, right = terms.known(term.left), terms.known(term.right)
    return binary(_OPERATORS[term.operator], left, right)


@number_of.register(hir.IfElse)
def _if_else(term: hir.IfElse, terms: ExprLowering, sort: Sort | None) -> ir.Expr:
    return terms.branches(term, "x", lambda part: terms.value(part, sort or term.sort), ir.INT)


@number_of.register(hir.Apply)
def _apply(term: hir.Apply, terms: ExprLowering, sort: Sort | None) -> ir.Expr:
    return MEANINGS[term.function].lowered(terms, term)
