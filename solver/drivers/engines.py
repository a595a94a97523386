"""Searching for values by the engine that takes least: the definition where little is left to play, else the kernel."""

from __future__ import annotations

from typing import Any

import attrs

from solver.methods import ALPHABETA
from solver.solve import Solution, solve_by_search
from solver.task import Task

TINY = 2000
"""Positions that are searched by the interpreter before the game is compiled;"""
SMALL = 20_000
"""and where positions can come back, as that search alone proves that play never ends."""


def search(task: Task, why: str, method: str) -> Solution[Any, Any]:
    """The values of the root and its moves by one of the methods that share this driver; `why` it was chosen.

    The interpreter searches by alpha-beta alone. Raises RuleError where a rule fails.
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
