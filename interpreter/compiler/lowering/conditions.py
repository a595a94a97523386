"""Lowers conditions: each becomes an IR expression, with the statements that must precede it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from typing import TYPE_CHECKING, Final
from typing import Literal as One

from dsl import hir
from dsl.resolve.sorts import BOOLEAN, CELLS, NOTHING
from interpreter.compiler import ir
from interpreter.compiler.build import all_of, any_of, between, compared, negated, truth
from interpreter.compiler.lowering.errors import NotLowered
from interpreter.compiler.lowering.naming import wish_of
from interpreter.compiler.lowering.writer import Apart
from interpreter.words import MEANINGS

if TYPE_CHECKING:
    from interpreter.compiler.lowering.expressions import ExprLowering

_ORDERS: Final[dict[str, ir.Relation]] = {"<": "<", "<=": "<=", ">": ">", ">=": ">="}
RELATIONS: Final[dict[str, ir.Relation]] = {"exactly": "==", "at least": ">=", "at most": "<="}



@singledispatch
def condition_of(term: hir.Expr, terms: ExprLowering) -> ir.Expr:
    """Lower a condition by its form. Raises NotLowered."""
    raise NotLowered(f"a condition of {type(term).__name__}")


@condition_of.register(hir.Not)
def _not(term: hir.Not, terms: ExprLowering) -> ir.Expr:
    return negated(terms.test(term.operand))


@condition_of.register(hir.All)
def _all(term: hir.All, terms: ExprLowering) -> ir.Expr:
    return _chain(terms, term.operands, "and")


@condition_of.register(hir.Any)
def _any(term: hir.Any, terms: ExprLowering) -> ir.Expr:
    return _chain(terms, term.operands, "or")


def _chain(terms: ExprLowering, operands: Sequence[hir.Expr], word: One["and", "or"]) -> ir.Expr:
    """Join conditions; those that need statements are evaluated only where the ones before leave the result open."""
    stop, go_on = truth(word == "or"), truth(word == "and")
    joined = all_of if word == "and" else any_of
    result: list[ir.Expr] = []
    for index, operand in enumerate(operands):
        with terms.writer.apart() as apart:
            test = terms.test(operand)
        if apart.needed:
            return _asked_in_turn(terms, result, (test, apart), operands[index + 1:], word)
        if test == stop:
            return joined([*result, stop])
        if test != go_on:
            result.append(test)
    return joined(result)


def _asked_in_turn(terms: ExprLowering, before: Sequence[ir.Expr], first: tuple[ir.Expr, Apart],
                   rest: Sequence[hir.Expr], word: One["and", "or"]) -> ir.Expr:
    """The same where a condition needs statements: it and those after it are evaluated one by one, in nested `if`s."""
    writer = terms.writer
    result, (test, apart) = writer.fresh("test", ir.BOOL), first
    depth = writer.depth
    if before:
        writer.assign(result, all_of(before) if word == "and" else any_of(before))
        writer.open_if(result if word == "and" else negated(result))
    apart.put()
    writer.assign(result, test)
    for operand in rest:
        writer.open_if(result if word == "and" else negated(result))
        writer.assign(result, terms.test(operand))
    writer.close(writer.depth - depth)
    return result


@condition_of.register(hir.IfElse)
def _if_else(term: hir.IfElse, terms: ExprLowering) -> ir.Expr:
    return terms.branches(term, "test", terms.test, ir.BOOL)


@condition_of.register(hir.Let)
def _let(term: hir.Let, terms: ExprLowering) -> ir.Expr:
    with terms.scope(term.slot):
        terms.let(term)
        return terms.name(terms.test(term.body), "test")


@condition_of.register(hir.Comparison)
def _comparison(term: hir.Comparison, terms: ExprLowering) -> ir.Expr:
    left, right = term.left, term.right
    if CELLS in (left.sort, right.sort):
        equal = terms.sets.equal(terms.cells(left), terms.cells(right))
        return equal if term.operator == "=" else negated(equal)
    sort = right.sort if left.sort == NOTHING else left.sort
    other = left.sort if right.sort == NOTHING else right.sort
    one, two = terms.value(left, sort), terms.value(right, other)
    if term.operator in ("=", "!="):
        return compared(one, "==" if term.operator == "=" else "!=", two)
    tests: list[ir.Expr] = []
    if terms.may_be_none(left):
        one = terms.name(one, "x")
        tests.append(compared(one, "!=", terms.none_of(sort)))
    if terms.may_be_none(right):
        two = terms.name(two, "x")
        tests.append(compared(two, "!=", terms.none_of(other)))
    return all_of([*tests, compared(one, _ORDERS[term.operator], two)])


@condition_of.register(hir.Contains)
def _contains(term: hir.Contains, terms: ExprLowering) -> ir.Expr:
    return is_in(terms, term.element, term.collection)


def is_in(terms: ExprLowering, element: hir.Expr, collection: hir.Expr) -> ir.Expr:
    """Whether an element is in a collection."""
    match collection:
        case hir.Listing(values=values):
            value = terms.name(terms.value(element), "x")
            return any_of([compared(value, "==", one) for one in values])
        case hir.Numbers(low=low, high=high):
            value = terms.name(terms.value(element, low.sort), "x")
            return between(terms.known(low), value, terms.known(high), "<=")
    cell = terms.value(element)
    cell = terms.name(cell, "cell")
    test = _cell_is_in(terms, cell, collection)
    return all_of([compared(cell, ">=", 0), test]) if terms.may_be_none(element) else test


def _cell_is_in(terms: ExprLowering, cell: ir.Expr, collection: hir.Expr) -> ir.Expr:
    """Whether a cell, which must not be none, is in a set."""
    constant = terms.constant_cells(collection)
    if constant is not None:
        return truth(constant > 0) if constant in (0, terms.board.everything) else terms.sets.has(
            terms.sets.constant(constant, wish_of(collection)), cell)
    if terms.sets.words > 1:  # a row can be tested without a copy of the set
        match collection:
            case hir.CellsOf(pieces=pieces):
                return any_of([terms.sets.in_row(terms.row, piece * terms.sets.words, cell) for piece in pieces])
            case hir.SetArithmetic(operator=operator, left=left, right=right) if terms.fixed(collection) < 0 and (
                    not any(isinstance(part, (hir.Binding, hir.Let, hir.IfElse, hir.Apply))
                            for part in hir.walk(collection))):
                one, other = _cell_is_in(terms, cell, left), _cell_is_in(terms, cell, right)
                if operator == "+":
                    return any_of([one, other])
                return all_of([one, other if operator == "and" else negated(other)])
    return terms.sets.has(terms.cells(collection), cell)


@condition_of.register(hir.Exists)
def _exists(term: hir.Exists, terms: ExprLowering) -> ir.Expr:
    if isinstance(term.collection, hir.Comprehension):
        some = hir.Quantified("some", 0, term.collection.binding, None, sort=BOOLEAN, span=term.span)
        return _quantified(some, terms)
    return terms.sets.some(terms.cells(term.collection))


@condition_of.register(hir.Quantified)
def _quantified(term: hir.Quantified, terms: ExprLowering) -> ir.Expr:
    writer = terms.writer
    if term.kind in ("some", "every", "no"):
        wish = {"some": "found", "every": "all_hold", "no": "none_holds"}[term.kind]
        result = writer.let(wish, truth(term.kind != "some"))
        with terms.each(term.binding):
            if term.kind == "every":
                body = ir.TRUE if term.body is None else terms.test(term.body)
                with writer.when(negated(body)):
                    writer.assign(result, ir.FALSE)
                    writer.leave()
            else:
                terms.guard_all(term.body)
                writer.assign(result, truth(term.kind == "some"))
                writer.leave()
        return result
    count = writer.let("many", 0)
    with terms.each(term.binding):
        terms.guard_all(term.body)
        writer.update(count, "+", 1)
        with writer.when(compared(count, ">", term.number)):
            writer.leave()
    return compared(count, RELATIONS[term.kind], term.number)


@condition_of.register(hir.NoMoves)
def _no_moves(term: hir.NoMoves, terms: ExprLowering) -> ir.Expr:
    return terms.program.no_moves(terms, term.anyone)


@condition_of.register(hir.Apply)
def _apply(term: hir.Apply, terms: ExprLowering) -> ir.Expr:
    return MEANINGS[term.function].lowered(terms, term)
