"""Resolves which of the legal moves are kept: `only moves with most E`, `only moves with least E`."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from dsl import hir
from dsl.checks.reads import reads_position
from dsl.diagnostics import warning
from dsl.resolve.expressions import ExprResolver
from dsl.resolve.scope import Scope
from dsl.resolve.sorts import ANY_INTEGER, Integer
from dsl.syntax import rules

if TYPE_CHECKING:
    from dsl.resolve.declarations import DeclarationResolver


def ranking(resolver: DeclarationResolver) -> hir.Condition | None:
    """The number that the kept moves maximise; None where all legal moves are kept.

    Several declarations are combined into one number, in lexicographic order: the first counts most.
    """
    result, slots = list[hir.Expr](), 0
    for item in resolver.all(rules.OnlyMoves):
        terms = ExprResolver(resolver.world, Scope())
        term = terms.value(item.expression, ANY_INTEGER)
        if not isinstance(term.sort, Integer):
            continue
        if not reads_position(term):
            resolver.world.report(warning(
                "G340", f"every move has the same {item.kind} here, so that nothing is left out", item.span,
                help="write a number that depends on what the move did: only moves with least count(theirs)"))
        result.append(_negative(term) if item.kind == "least" else term)
        slots = max(slots, terms.scope.slots)
    if not result:
        return None
    return hir.Condition(reduce(_before, result), slots, span=resolver.all(rules.OnlyMoves)[0].span)


def _negative(term: hir.Expr) -> hir.Expr:
    assert isinstance(term.sort, Integer)
    zero = hir.Literal(0, sort=Integer(0, 0), span=term.span)
    return hir.Arithmetic("-", zero, term, sort=Integer(-term.sort.high, -term.sort.low), span=term.span)


def _before(one: hir.Expr, other: hir.Expr) -> hir.Expr:
    """Combine two numbers into one that is ordered by the first, and by the second where the first is equal."""
    assert isinstance(one.sort, Integer)
    assert isinstance(other.sort, Integer)
    size = other.sort.high - other.sort.low + 1
    high = Integer(one.sort.low * size, one.sort.high * size)
    scaled = hir.Arithmetic("*", one, hir.Literal(size, sort=Integer(size, size), span=one.span), sort=high,
                            span=one.span)
    whole = Integer(high.low + other.sort.low, high.high + other.sort.high)
    return hir.Arithmetic("+", scaled, other, sort=whole, span=one.span)
