"""Words that aggregate a value over the elements of a set: `sum(x for c in S where P)`, `union(...)`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from dsl import hir
from dsl.checks.bounds import CellBounds, Value
from dsl.resolve.sorts import CELLS
from interpreter.compiler import ir
from interpreter.compiler.build import any_of, compared, expr
from interpreter.model.state import WorkingState

if TYPE_CHECKING:
    from interpreter.analysis.bounds import BoardBounds
    from interpreter.compiler.lowering.expressions import ExprLowering
    from interpreter.semantics.evaluate import Evaluator
    from interpreter.semantics.functions import Bound, Function


class Aggregation(ABC):
    """The meaning of one word. Its image under a symmetry is made of those of its parts."""

    @abstractmethod
    def combined(self, values: Iterator[int]) -> int:
        """Combine many values into one: the definition of the word."""

    @abstractmethod
    def lowered(self, terms: ExprLowering, term: hir.Aggregate) -> ir.Expr:
        """The IR that gives the value."""

    def value(self, evaluator: Evaluator, term: hir.Aggregate) -> Function:
        """Compile a term into the function that gives its value; without a body each element counts as 1."""
        values = evaluator.bound_values(term.binding)
        body = None if term.body is None else evaluator.known(term.body)

        def bodies(table: WorkingState, bound: Bound) -> Iterator[int]:
            for _ in values(table, bound):
                yield 1 if body is None else body(table, bound)

        return lambda table, bound: self.combined(bodies(table, bound))

    def bounds(self, known: BoardBounds, term: hir.Aggregate) -> Value:
        """Bounds on the value where only part of the position is known. Raises Unclear."""
        return known.anything(term.sort)


class _Sum(Aggregation):
    """`sum(x for ...)`; without a body it is a count."""

    def combined(self, values: Iterator[int]) -> int:
        return sum(values)

    def lowered(self, terms: ExprLowering, term: hir.Aggregate) -> ir.Expr:
        total = terms.writer.let("total", 0)
        with terms.each(term.binding):
            terms.writer.update(total, "+", expr(1) if term.body is None else terms.known(term.body))
        return total


class _Count(_Sum):
    """`count(c in S where P)`; cells that fulfil a condition are lowered to a set, whose bits are counted."""

    def lowered(self, terms: ExprLowering, term: hir.Aggregate) -> ir.Expr:
        if term.binding.domain.sort != CELLS or term.body is not None:
            return super().lowered(terms, term)
        comprehension = hir.Comprehension(term.binding, sort=CELLS, span=term.span)
        return terms.sets.count(terms.made_cells(comprehension))


class _Extreme(Aggregation):
    """`min(x for ...)`, `max(x for ...)`: 0 without elements."""

    def __init__(self, choose: Callable[..., int], better: ir.Relation) -> None:
        self.choose, self.better = choose, better

    def combined(self, values: Iterator[int]) -> int:
        return self.choose(values, default=0)

    def lowered(self, terms: ExprLowering, term: hir.Aggregate) -> ir.Expr:
        writer = terms.writer
        total = writer.let("total", 0)
        first = writer.let("none_yet", ir.TRUE)
        with terms.each(term.binding):
            value = terms.name(expr(1) if term.body is None else terms.known(term.body), "value")
            with writer.when(any_of([first, compared(value, self.better, total)])):
                writer.assign(total, value)
            writer.assign(first, ir.FALSE)
        return total


class _Union(Aggregation):
    """`union(S for ...)`: the union of all sets."""

    def combined(self, values: Iterator[int]) -> int:
        cells = 0
        for part in values:
            cells |= part
        return cells

    def bounds(self, known: BoardBounds, term: hir.Aggregate) -> Value:
        if term.body is None:
            return known.anything(term.sort)
        least = most = 0
        for _, certain in known.bound_values(term.binding):
            cells = known.cells(term.body)
            most |= cells.most
            if certain:
                least |= cells.least
        return CellBounds(least, most)

    def lowered(self, terms: ExprLowering, term: hir.Aggregate) -> ir.Expr:
        assert term.body is not None
        result = terms.writer.let("union", terms.sets.nothing)
        with terms.each(term.binding):
            body = terms.cells(term.body) if term.body.sort == CELLS else terms.sets.single(terms.value(term.body))
            terms.writer.assign(result, terms.sets.either(result, body))
        return result


AGGREGATIONS: dict[str, Aggregation] = {
    "count": _Count(), "sum": _Sum(), "min": _Extreme(min, "<"), "max": _Extreme(max, ">"), "union": _Union()}
