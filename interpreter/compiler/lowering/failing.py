"""Tells whether a rule may fail in a term, such as a question about no cell, so that it must not be moved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from dsl import hir
from dsl.resolve.sorts import CELL, Integer
from dsl.words import WORDS

if TYPE_CHECKING:
    from interpreter.compiler.lowering.expressions import ExprLowering


def may_fail(terms: ExprLowering, term: hir.Expr) -> bool:
    """Whether a rule may fail in a term, so that it must not be computed where the rules do not ask for it."""
    bound: dict[int, bool] = {}
    for part in hir.walk(term):
        if isinstance(part, hir.Let):
            bound[part.slot] = not _surely_some(terms, part.value, bound)
    for part in hir.walk(term):
        if isinstance(part, hir.Only):
            return True
        if isinstance(part, hir.Variable) and (terms.rules.variables[part.number].or_none or (
                part.index is not None and not (_surely_some(terms, part.index, bound)
                                                and _fits(terms, part.number, part.index)))):
            return True
        if isinstance(part, hir.Apply):
            word = WORDS[part.function]
            if word.along_lines and not _is_positive(part.arguments[1]):
                return True
            if (word.may_be_none and part.sort != CELL) or (
                    word.needs_cell and not isinstance(part.arguments[0], hir.Local)):
                return True
    return False


def _is_positive(length: hir.Expr) -> bool:
    """Whether a number is certainly 1 or more."""
    return isinstance(length.sort, Integer) and length.sort.low >= 1


def _surely_some(terms: ExprLowering, term: hir.Expr, bound: Mapping[int, bool]) -> bool:
    """Whether a value is certainly not none; `bound` tells which parameters inside a term may be none."""
    if isinstance(term, hir.Local):
        return not bound.get(term.slot, False) and not terms.may_be_none(term)
    return isinstance(term, (hir.Role, hir.Literal, hir.NamedCell)) and not terms.may_be_none(term)


def _fits(terms: ExprLowering, variable: int, index: hir.Expr) -> bool:
    """Whether an index that is not none is certainly in its variable's range."""
    sort = index.sort
    if isinstance(index, hir.Local) and index.slot in terms.bound and terms.bound[index.slot].sort is not None:
        sort = terms.bound[index.slot].sort or sort
    size = terms.program.variable(variable)[1]
    return not isinstance(sort, Integer) or (sort.low >= 0 and sort.high < size)
