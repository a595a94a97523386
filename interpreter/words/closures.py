"""`reached(S for x from T where P)`: the cells reached from a set by applying the same step repeatedly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl import hir
from dsl.checks.bounds import CellBounds, Value
from dsl.resolve.sorts import CELL
from interpreter.compiler import ir
from interpreter.compiler.lowering.bound import Bound as Named
from interpreter.model.state import WorkingState
from interpreter.semantics.limits import TooMuchWork

if TYPE_CHECKING:
    from interpreter.analysis.bounds import BoardBounds
    from interpreter.compiler.lowering.expressions import ExprLowering
    from interpreter.semantics.evaluate import Evaluator
    from interpreter.semantics.functions import Bound, CellSet


class Reached:
    """The meaning of the word. Its image under a symmetry is made of those of its parts."""

    def value(self, evaluator: Evaluator, term: hir.Closure) -> CellSet:
        """Compile the closure: the start, and the body's cells for each cell reached; each costs a step of work."""
        start, body = evaluator.compile(term.start), evaluator.known(term.body)
        guard, slot, span = evaluator.optional(term.binding.guard), term.binding.slot, term.span

        def run(table: WorkingState, bound: Bound) -> int:
            result = fresh = int(start(table, bound))
            while fresh:
                bound[slot] = (fresh & -fresh).bit_length() - 1
                fresh &= fresh - 1
                table.work[0] -= 1
                if table.work[0] < 0:
                    raise TooMuchWork(span)
                if guard is None or guard(table, bound):
                    beyond = body(table, bound) & ~result
                    result |= beyond
                    fresh |= beyond
            return result

        return run

    def bounds(self, known: BoardBounds, term: hir.Closure) -> Value:
        """The cells that are certainly in the start, and all cells that may be reached. Raises Unclear."""
        start = known.cells(term.start)
        guard = term.binding.guard

        def beyond() -> int:
            return known.cells(term.body).most if guard is None or known.truth(guard) is not False else 0

        return CellBounds(start.least, known.spread(start.most, term.binding.slot, beyond))

    def lowered(self, terms: ExprLowering, term: hir.Closure) -> ir.Expr:
        """Write a loop that expands each reached cell once."""
        writer, sets, binding = terms.writer, terms.sets, term.binding
        result = writer.let("reached", terms.cells(term.start), sets.cells)
        fresh = writer.let("fresh", result, sets.cells)
        cell = ir.Name(writer.name(binding.name), ir.INT)
        with terms.scope(binding.slot), writer.repeat(sets.some(fresh)):
            writer.assign(cell, sets.first(fresh))
            writer.assign(fresh, sets.minus(fresh, sets.single(cell)))
            terms.bound[binding.slot] = Named(cell, sort=CELL)
            terms.guard_all(binding.guard)
            beyond = writer.let("beyond", sets.minus(terms.cells(term.body), result), sets.cells)
            writer.assign(result, sets.either(result, beyond))
            writer.assign(fresh, sets.either(fresh, beyond))
        return result


CLOSURES: dict[str, Reached] = {"reached": Reached()}
