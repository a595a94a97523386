"""Searches with the cheapest engine: the interpreter where little is left to play, else the kernel."""

from __future__ import annotations

from typing import Any

import attrs

from solver.methods import ALPHABETA
from solver.solve import Solution, solve_by_search
from solver.task import Task

TINY = 2000
"""Positions that the interpreter searches before the game is compiled, where all play ends."""
SMALL = 20_000
"""The same where positions can recur, as only the interpreter's search proves that play never ends."""


def search(task: Task, why: str, method: str) -> Solution[Any, Any]:
    """Return the values of the root and its moves by a method that shares this driver; `why` says why it was chosen.

    The interpreter searches by alpha-beta only. Raises RuleError where a rule fails.
    """
    space, budget = task.game_space, task.budget
    if space is None:
        return solve_by_search(task.space, budget, why)
    most = None if task.engine == "interpreter" else TINY if space.acyclic else SMALL
    if most is None or (method == ALPHABETA and not (task.report or task.patterns or task.engine == "kernel")):
        few = budget if most is None else attrs.evolve(budget, nodes=min(budget.nodes or most, most))
        answer = solve_by_search(space, few, why)
        if answer.complete or most is None or (budget.nodes is not None and budget.nodes <= most):
            return answer
    from interpreter.compiler.lowering.errors import NotLowered
    from solver.drivers.weak import search_on_kernel

    try:
        return search_on_kernel(space, budget, why, threads=task.threads, remoteness=task.remoteness,
                                method=method, value_only=task.value_only, patterns=task.patterns)
    except NotLowered as problem:
        return solve_by_search(space, budget, f"{why}; by the interpreter, as the compiler cannot do {problem}")
