"""Method carriers: search in connection games, restricted to the cells that a proof needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solver.methods import CARRIERS, Fit, Method, no_search

if TYPE_CHECKING:
    from solver.solve import Solution
    from solver.task import Task

_COST = 200_000
"""The expected number of positions above which this search takes less than valuing them all."""


def _fit(task: Task) -> Fit:
    from solver.drivers import carriers
    from solver.native.connection_pairs import MOST_CELLS

    blocked = no_search(task)
    if blocked or task.game is None:
        return Fit(float("inf"), blocked)
    if carriers.usable(task.game) is None:
        return Fit(float("inf"), "the rules do not show that exactly one player joins his sides in the end, on at most "
                                 f"{MOST_CELLS} cells")
    return Fit(_COST, "only one player can join his sides, so that the search keeps to the cells that proofs need")


def _solve(task: Task, why: str) -> Solution[Any, Any]:
    from solver.drivers.engines import search

    return search(task, why, CARRIERS)


METHOD = Method(CARRIERS, "searches for who wins after the first moves by the cells that a proof needs",
                "of connection, on small boards", _fit, _solve,
                "whole positions: no hash decides")
