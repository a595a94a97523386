"""`cheapest(E for x to y in A where P from S to T)`: the cost of a cheapest path, by steps with costs from the rules.
"""

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
    """The meaning of the word. Its image under a symmetry is made of those of its parts.

    Interpreter and compiled code settle cells by Dijkstra's algorithm in the same order, the cheapest first and ties by
    cell number, so that both evaluate the costs of the same steps, as the evaluation of a cost may fail.
    """

    def value(self, evaluator: Evaluator, term: hir.Cheapest) -> Function:
        """Compile the cost at which the first goal cell is settled; each cell and each step from it is a step of work.
        """
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
        """0 where the sets certainly meet, the number for no path where there certainly is none. Raises Unclear."""
        start, goal, no_way = known.cells(term.start), known.cells(term.goal), _no_way(term)
        if start.least & goal.least:
            return Interval(0, 0)
        most = known.spread(start.most, term.origin.slot, lambda: reduce(
            or_, [near.values for near, _ in known.bound_values(term.step)], 0))
        return Interval(0 if most & goal.most else no_way, no_way)

    def lowered(self, terms: ExprLowering, term: hir.Cheapest) -> ir.Expr:
        """Write a loop that settles the cheapest waiting cell, and relaxes the steps from it."""
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
    """The number that stands for no path, greater than any path's cost."""
    assert isinstance(term.sort, Integer)
    return term.sort.high


CHEAPEST = Cheapest()
