"""Values that are computed once: before the loops that they do not depend on, and for all their uses there."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import TYPE_CHECKING

from dsl import hir
from dsl.resolve.sorts import CELL, CELLS, Integer
from dsl.words import WORDS, Cost
from interpreter.analysis.dependence import MOVER, free_slots, shape_of
from interpreter.compiler import ir

if TYPE_CHECKING:
    from interpreter.compiler.lowering.expressions import ExprLowering



def key_of(terms: ExprLowering, term: hir.Expr) -> tuple[object, ...]:
    """By what the writer knows the value of a term here."""
    shape, slots = shape_of(term, terms.program.shapes)
    mover = terms.mover if MOVER in free_slots(term, terms.program.free) else None
    return terms.row, shape, (mover, *(terms.bound[slot].value or slot if slot in terms.bound else slot
                                       for slot in slots))


def shared(terms: ExprLowering, term: hir.Expr, wish: str, make: Callable[[], ir.Expr]) -> ir.Expr:
    """The value of a term: computed before loops it does not depend on, and once for all its uses there."""
    if not terms.program.passes.sharing or isinstance(
            term, (hir.Local, hir.Role, hir.Literal, hir.Only)):
        return make()
    key = key_of(terms, term)
    known = terms.writer.known(key)
    if known is not None:
        return known
    if not _worth(terms, term):
        return make()
    if may_fail(terms, term):  # computed here, where the rules ask for it, and used again only from here on
        name = terms.writer.let(wish, make())
        terms.writer.know(key, name)
        return name
    names = {part.name for part in (terms.row, *key[2]) if isinstance(part, ir.Name)}  # type: ignore[misc]
    with terms.writer.outside(names):
        value = make()
        if isinstance(value, ir.Name) and value.name.isupper():  # a constant
            return value
        name = terms.writer.let(wish, value)
        terms.writer.know(key, name)
    return name


def _worth(terms: ExprLowering, term: hir.Expr) -> bool:
    """Whether a value is worth a name: sets and what takes a loop are."""
    if term.sort == CELLS:
        return not isinstance(term, hir.CellSet) or len(term.items) > 1
    return any(isinstance(part, (hir.Quantified, hir.Aggregate, hir.Closure, hir.Cheapest)) or (
        isinstance(part, hir.Apply) and part.sort != CELLS and WORDS[part.function].cost >= Cost.SET)
        for part in hir.walk(term))


def may_fail(terms: ExprLowering, term: hir.Expr, *, compared: Container[int] = ()) -> bool:
    """Whether a rule may fail in a term, so that it must not be computed where the rules do not ask for it.

    Parts whose ids are in `compared` may be none.
    """
    bound: dict[int, bool] = {}
    for part in hir.walk(term):
        if isinstance(part, hir.Let):
            bound[part.slot] = not _surely_some(terms, part.value, bound)
    for part in hir.walk(term):
        if isinstance(part, hir.Only):
            return True
        if isinstance(part, hir.Variable) and (
                (terms.rules.variables[part.number].or_none and id(part) not in compared)
                or (part.index is not None and index_may_fail(terms, part.number, part.index, bound))):
            return True
        if isinstance(part, hir.Apply):
            word = WORDS[part.function]
            if word.along_lines and not _is_positive(part.arguments[1]):
                return True
            if (word.may_be_none and part.sort != CELL) or (
                    word.needs_cell and not isinstance(part.arguments[0], hir.Local)):
                return True
    return False


def compared_in(term: hir.Expr) -> set[int]:
    """The ids of the parts of a term that are compared by `=` or `!=`, which they can be where they are none."""
    return {id(side) for part in hir.walk(term) if isinstance(part, hir.Comparison) and part.operator in ("=", "!=")
            for side in (part.left, part.right)}


def index_may_fail(terms: ExprLowering, variable: int, index: hir.Expr,
                   bound: Mapping[int, bool] | None = None) -> bool:
    """Whether a variable may have no value at an index; `bound` tells of parameters whether they may be none."""
    return not (_surely_some(terms, index, bound or {}) and _fits(terms, variable, index))


def _is_positive(length: hir.Expr) -> bool:
    """Whether a number is plainly 1 or more."""
    return isinstance(length.sort, Integer) and length.sort.low >= 1


def _surely_some(terms: ExprLowering, term: hir.Expr, bound: Mapping[int, bool]) -> bool:
    """Whether a value is plainly one; `bound` tells of parameters inside a term whether they may be none."""
    if isinstance(term, hir.Local):
        return not bound.get(term.slot, False) and not terms.may_be_none(term)
    return isinstance(term, (hir.Role, hir.Literal, hir.NamedCell)) and not terms.may_be_none(term)


def _fits(terms: ExprLowering, variable: int, index: hir.Expr) -> bool:
    """Whether an index that is plainly a value is in its variable's range."""
    sort = index.sort
    if isinstance(index, hir.Local) and index.slot in terms.bound and terms.bound[index.slot].sort is not None:
        sort = terms.bound[index.slot].sort or sort
    size = terms.program.variable(variable)[1]
    return not isinstance(sort, Integer) or (sort.low >= 0 and sort.high < size)
