"""Method linear: the exact value of a game of imperfect information, by linear programming."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from solver.methods import Fit, Method

if TYPE_CHECKING:
    from interpreter.model.state import Move, State
    from solver.solve import Solution
    from solver.task import Task

_BEGUN = 1_000
"""Its cost before the game's histories are enumerated: less than that of learning."""


def fit_of(task: Task, cost: float, why: str) -> Fit:
    """The fit of a method that finds strategies: `cost` and `why`, unless the game is not one for it."""
    if task.game is None or not task.hides:
        return Fit(math.inf, "it is for games in which something is hidden, or players move together")
    if len(task.game.players) > 2:
        return Fit(math.inf, f"strategies are found for one or two players, and there are {len(task.game.players)}")
    return Fit(cost, why)


def _fit(task: Task) -> Fit:
    return fit_of(task, _BEGUN, "a linear program of information states gives the exact value of small games")


def _solve(task: Task, why: str) -> Solution[State, Move]:
    from solver.information.solving import by_program

    return by_program(task, why)


METHOD = Method("linear", "finds best strategies by linear programming, where something is hidden",
                "that are small, in which something is hidden or players move together", _fit, _solve,
                "what players saw, whole: no hash decides; a linear program in floating point; a fraction is proved by "
                "exact best replies",
                takes=frozenset({"save"}), chance=True, hides=True)
