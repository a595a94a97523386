"""Method proof: proof-number search for who wins after the first moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from solver.methods import PROOF, Fit, Method, cost_of_part, never_drawn, no_search

if TYPE_CHECKING:
    from solver.solve import Solution
    from solver.task import Task

_WORSE = 2
"""The factor of its cost where alpha-beta search suits the rules better."""


def _fit(task: Task) -> Fit:
    blocked = no_search(task)
    if blocked or task.game is None:
        return Fit(float("inf"), blocked)
    cost = cost_of_part(task)
    if len(task.game.players) == 1:
        return Fit(cost * _WORSE, "proof-number search is made for two players, and this is a puzzle")
    if not task.space.acyclic:
        return Fit(cost, "proof-number search can prove a draw where positions may come back")
    if never_drawn(task.game):
        return Fit(cost, "no game is drawn, so that one question is enough for proof-number search: who wins")
    return Fit(cost * _WORSE, "proof-number search has to ask twice where games can be drawn")


def _solve(task: Task, why: str) -> Solution[Any, Any]:
    from solver.drivers.engines import search

    if task.asked:  # plies take another search, so they are only found on request
        task = attrs.evolve(task, remoteness=bool(task.remoteness))
    return search(task, why, PROOF)


METHOD = Method(PROOF, "searches for who wins after the first moves by proof numbers, without plies",
                "that cannot be drawn, or in which positions may come back", _fit, _solve,
                "whole positions as keys; torn entries and, where positions come back, hashes of the way there err by "
                "chance below 1e-8")
