"""Words of numbers: the number of cells of a set, the absolute value, the minimum and the maximum of two numbers.

`count`, `sum`, `min`, `max` and `union` over the elements of a set are in `aggregates`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from dsl import hir
from dsl.checks.bounds import Interval
from interpreter.compiler import ir
from interpreter.compiler.build import call
from interpreter.words.meaning import Meaning

if TYPE_CHECKING:
    from interpreter.analysis.bounds import BoardBounds
    from interpreter.compiler.lowering.expressions import ExprLowering
    from interpreter.semantics.evaluate import Evaluator
    from interpreter.semantics.functions import Function


class _Count(Meaning):
    """`count(S)`."""

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        (cells,) = evaluator.arguments(term)
        return lambda table, bound: cells(table, bound).bit_count()

    def bounds(self, known: BoardBounds, term: hir.Apply) -> Interval:
        result = known.cells(term.arguments[0])
        return Interval(result.least.bit_count(), result.most.bit_count())

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        return terms.sets.count(terms.cells(term.arguments[0]))


class _Absolute(Meaning):
    """`abs(n)`."""

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        (number,) = evaluator.arguments(term)
        return lambda table, bound: abs(number(table, bound))

    def bounds(self, known: BoardBounds, term: hir.Apply) -> Interval:
        low, high = known.of(term.arguments[0])
        return Interval(0 if low <= 0 <= high else min(abs(low), abs(high)), max(abs(low), abs(high)))

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        return call("abs", terms.known(term.arguments[0]), gives=ir.INT)


class _Extreme(Meaning):
    """`min(a, b)`, `max(a, b)`."""

    def __init__(self, choose: Callable[[float, float], float]) -> None:
        self.choose = choose

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        choose, (one, other) = self.choose, evaluator.arguments(term)
        return lambda table, bound: choose(one(table, bound), other(table, bound))

    def bounds(self, known: BoardBounds, term: hir.Apply) -> Interval:
        left, right = (known.of(number) for number in term.arguments)
        return Interval(self.choose(left.low, right.low), self.choose(left.high, right.high))

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        return call(term.function, *map(terms.known, term.arguments), gives=ir.INT)


MEANINGS = {"count": _Count(), "abs": _Absolute(), "min": _Extreme(min), "max": _Extreme(max)}
