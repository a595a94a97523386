"""Compiles conditions into Python functions of the working state and the rule's bound values.

This is the part of `interpreter.semantics.evaluate` for terms with truth values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from dsl import hir
from dsl.resolve.sorts import CELLS
from interpreter.model.state import WorkingState
from interpreter.semantics.functions import Bound, Test

if TYPE_CHECKING:
    from interpreter.semantics.evaluate import Evaluator


def quantified(evaluator: Evaluator, term: hir.Quantified) -> Test:
    """Whether some, every, no or a given number of elements fulfil a condition."""
    values, body, number = evaluator.bound_values(term.binding), evaluator.optional(term.body), term.number

    def holds(table: WorkingState, bound: Bound) -> Iterator[bool]:
        for _ in values(table, bound):
            yield body is None or bool(body(table, bound))

    def count(table: WorkingState, bound: Bound) -> int:
        """The number of elements for which the body holds, counted to at most `number + 1`."""
        return sum(islice(filter(None, holds(table, bound)), number + 1))

    tests: dict[str, Test] = {
        "some": lambda table, bound: any(holds(table, bound)),
        "every": lambda table, bound: all(holds(table, bound)),
        "no": lambda table, bound: not any(holds(table, bound)),
        "exactly": lambda table, bound: count(table, bound) == number,
        "at least": lambda table, bound: count(table, bound) >= number,
        "at most": lambda table, bound: count(table, bound) <= number,
    }
    return tests[term.kind]


def comparison(evaluator: Evaluator, term: hir.Comparison) -> Test:
    """Whether a relation holds between two values; an order never holds where one is none."""
    left, right = evaluator.compile(term.left), evaluator.compile(term.right)

    def order(test: Callable[[int, int], bool]) -> Test:
        def run(table: WorkingState, bound: Bound) -> bool:
            a, b = left(table, bound), right(table, bound)
            return a is not None and b is not None and test(a, b)

        return run

    operators: dict[str, Test] = {
        "=": lambda table, bound: left(table, bound) == right(table, bound),
        "!=": lambda table, bound: left(table, bound) != right(table, bound),
        "<": order(lambda a, b: a < b),
        "<=": order(lambda a, b: a <= b),
        ">": order(lambda a, b: a > b),
        ">=": order(lambda a, b: a >= b),
    }
    return operators[term.operator]


def contains(evaluator: Evaluator, term: hir.Contains) -> Test:
    """Whether an element is in a collection; none is in no collection."""
    element, collection = evaluator.compile(term.element), evaluator.compile(term.collection)
    if term.collection.sort != CELLS:
        return lambda table, bound: element(table, bound) in collection(table, bound)

    def run(table: WorkingState, bound: Bound) -> bool:
        cell = element(table, bound)
        return cell is not None and bool(collection(table, bound) >> cell & 1)

    return run


def exists(evaluator: Evaluator, term: hir.Exists) -> Test:
    """Whether a set of cells is not empty."""
    collection = evaluator.compile(term.collection)
    return lambda table, bound: collection(table, bound) != 0


def negation(evaluator: Evaluator, term: hir.Not) -> Test:
    """Whether a condition does not hold."""
    operand = evaluator.compile(term.operand)
    return lambda table, bound: not operand(table, bound)


def conjunction(evaluator: Evaluator, term: hir.All) -> Test:
    """Whether all conditions hold, evaluated in order until one does not."""
    operands = [evaluator.compile(operand) for operand in term.operands]

    def run(table: WorkingState, bound: Bound) -> bool:
        for operand in operands:  # noqa: SIM110  # twice as fast as a generator
            if not operand(table, bound):
                return False
        return True

    return run


def disjunction(evaluator: Evaluator, term: hir.Any) -> Test:
    """Whether any condition holds, evaluated in order until one does."""
    operands = [evaluator.compile(operand) for operand in term.operands]

    def run(table: WorkingState, bound: Bound) -> bool:
        for operand in operands:  # noqa: SIM110  # twice as fast as a generator
            if operand(table, bound):
                return True
        return False

    return run


def no_moves(evaluator: Evaluator, term: hir.NoMoves) -> Test:
    """Whether the player to move, or every player, has no move."""
    anyone = term.anyone
    return lambda table, bound: evaluator.no_moves(table, anyone)
