"""Method regret: nearly optimal strategies for imperfect information, by counterfactual regret minimisation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solver.methods import Fit, Method
from solver.methods.linear import fit_of

if TYPE_CHECKING:
    from interpreter.model.state import Move, State
    from solver.solve import Solution
    from solver.task import Task

_BEGUN = 100_000
"""Its cost before the game's histories are enumerated: more than that of a linear program."""


def _fit(task: Task) -> Fit:
    return fit_of(task, _BEGUN, "strategies are learned where a linear program would be too large")


def _solve(task: Task, why: str) -> Solution[State, Move]:
    from solver.information.solving import by_learning

    return by_learning(task, why)


METHOD = Method("regret", "learns strategies that can hardly be exploited, where something is hidden",
                "of which all histories can be gone through, in which something is hidden or players move together",
                _fit, _solve,
                "what players saw, whole: no hash decides; the exploitability that is told, in floating point",
                takes=frozenset({"save"}), chance=True, hides=True)
