"""`cheapest(E for x to y in A where P from S to T)`: the cheapest way, by steps whose costs the rules say."""

from __future__ import annotations

from functools import reduce
from heapq import heappop, heappush
from operator import or_
from typing import TYPE_CHECKING

from dsl import hir
from dsl.checks.bounds import Interval
from dsl.resolve.sorts import CELL, Integer
from interpreter.boards import members
from interpreter.compiler import ir
from interpreter.compiler.build import any_of, compared, element, negated, plus
from interpreter.compiler.lowering.bound import Bound as Named
from interpreter.model.state import WorkingState
from interpreter.semantics.limits import TooMuchWork

if TYPE_CHECKING:
    from interpreter.analysis.bounds import BoardBounds
    from interpreter.compiler.lowering.expressions import ExprLowering
    from interpreter.semantics.evaluate import Evaluator
    from interpreter.semantics.functions import Bound, Function


class Cheapest:
    """The parts of the word. Its image under a symmetry is that of what it is made of.

    Cells are settled by Dijkstra's algorithm in one order everywhere, the cheapest first and among these by their
    numbers, so that the same steps are asked for their costs, of which one may fail.
    """

    def value(self, evaluator: Evaluator, term: hir.Cheapest) -> Function:
        """The cost at which the first cell of the goal is settled; each cell and each step from it are work."""
        start, goal = evaluator.known(term.start), evaluator.known(term.goal)
        domain, guard = evaluator.known(term.step.domain), evaluator.optional(term.step.guard)
        cost, here, there, span = evaluator.known(term.cost), term.origin.slot, term.step.slot, term.span
        no_way = _no_way(term)

        def run(table: WorkingState, bound: Bound) -> int:
            costs = dict.fromkeys(members(start(table, bound)), 0)
            goals = goal(table, bound)
            waiting = [(0, cell) for cell in costs]
            done = 0
            while waiting:
                so_far, cell = heappop(waiting)
                if done >> cell & 1:
                    continue
                if goals >> cell & 1:
                    return so_far
                done |= 1 << cell
                bound[here] = cell
                steps = members(domain(table, bound) & ~done)
                table.work[0] -= 1 + len(steps)
                if table.work[0] < 0:
                    raise TooMuchWork(span)
                for near in steps:
                    bound[there] = near
                    if guard is None or guard(table, bound):
                        total = so_far + cost(table, bound)
                        if near not in costs or total < costs[near]:
                            costs[near] = total
                            heappush(waiting, (total, near))
            return no_way

        return run

    def bounds(self, known: BoardBounds, term: hir.Cheapest) -> Interval:
        """Nothing where the sets certainly meet, what stands for no way where there certainly is none. Raises Unclear.
        """
        start, goal, no_way = known.cells(term.start), known.cells(term.goal), _no_way(term)
        if start.least & goal.least:
            return Interval(0, 0)
        most = known.spread(start.most, term.origin.slot, lambda: reduce(
            or_, [near.values for near, _ in known.bound_values(term.step)], 0))
        return Interval(0 if most & goal.most else no_way, no_way)

    def lowered(self, terms: ExprLowering, term: hir.Cheapest) -> ir.Expr:
        """A loop that settles the cheapest of the cells that wait, and looks at the steps from it."""
        writer, sets, origin = terms.writer, terms.sets, term.origin
        waiting = writer.let("waiting", terms.cells(term.start), sets.cells)
        goal = terms.name(terms.cells(term.goal), "goal")
        costs = writer.room("costs", terms.board.size)
        done = writer.let("done", sets.nothing, sets.cells)
        result = writer.let("cheapest", _no_way(term))
        writer.evaluate(sets.called(sets.library.put("without_cost"), costs, waiting))
        cell = ir.Name(writer.name(origin.name), ir.INT)
        with terms.scope(origin.slot), writer.repeat(sets.some(waiting)):
            writer.assign(cell, sets.called(sets.library.put("cheapest_waiting"), costs, waiting))
            so_far = writer.let("so_far", element(costs, cell))
            with writer.when(sets.has(goal, cell)):
                writer.assign(result, so_far)
                writer.leave()
            writer.assign(waiting, sets.minus(waiting, sets.single(cell)))
            writer.assign(done, sets.either(done, sets.single(cell)))
            terms.bound[origin.slot] = Named(cell, sort=CELL)
            with terms.each(term.step, without=done) as near:
                total = writer.let("total", plus(so_far, terms.known(term.cost)))
                place = element(costs, near)
                with writer.when(any_of([negated(sets.has(waiting, near)), compared(total, "<", place)])):
                    writer.assign(place, total)
                writer.assign(waiting, sets.either(waiting, sets.single(near)))
        return result


def _no_way(term: hir.Cheapest) -> int:
    """What stands for no way: more than any way costs."""
    assert isinstance(term.sort, Integer)
    return term.sort.high


CHEAPEST = Cheapest()
