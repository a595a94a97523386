"""Whether a rule may fail in a term, as where it asks for something of no cell: such a term stays where rules ask."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import TYPE_CHECKING

from dsl import hir
from dsl.resolve.sorts import CELL, Integer
from dsl.words import WORDS

if TYPE_CHECKING:
    from interpreter.compiler.lowering.expressions import ExprLowering


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
