"""Method strong: values every reachable position, by retrograde analysis or, on disk, tier by tier."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from solver.methods import ALL, Fit, Method

if TYPE_CHECKING:
    from solver.solve import Solution
    from solver.task import Task

_BEGUN = 1_000
"""Its cost before it begins, while the number of positions is unknown. The number is predicted from the first positions
that are enumerated, and the method gives way where another one is expected to take less."""


def _fit(task: Task) -> Fit:
    if task.space.players > 2:
        if task.save is not None:
            return Fit(math.inf, "solutions of more than two players are not kept in files")
        if task.history_rule:
            return Fit(math.inf, f"'repetition {task.history_rule}' makes values depend on the moves before, and lines "
                                 "of play are followed for one or two players")
        return Fit(_BEGUN, "all positions can be valued where there are not too many, by max^n")
    if task.followed_rule:
        return Fit(_BEGUN, "it values every position and then follows lines of play, as 'repetition "
                           f"{task.history_rule}' makes values depend on the moves before")
    return Fit(_BEGUN, "all positions can be valued where there are not too many")


def _solve(task: Task, why: str) -> Solution[Any, Any]:
    from solver.engines import value_all

    return value_all(task)


METHOD = Method(ALL, "values every position that can occur", "of which every position can be kept",
                _fit, _solve, "whole positions: no hash decides", takes=frozenset({"save"}), many=True)
