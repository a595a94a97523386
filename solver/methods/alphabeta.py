"""Method alphabeta: alpha-beta search for the values of the first moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solver.methods import ALPHABETA, PART, Fit, Method, cost_of_part, never_drawn, no_search

if TYPE_CHECKING:
    from solver.solve import Solution
    from solver.task import Task

_WORSE = 2
"""The factor of its cost where another search suits the rules better: of 16 bundled games without draws proof-number
search visited fewer positions in 14, half as many or less in 10."""


def _fit(task: Task) -> Fit:
    blocked = no_search(task, kernel=False)
    if blocked:
        return Fit(float("inf"), blocked)
    game = task.game
    if game is None:
        return Fit(PART, "a search looks at a part of the positions")
    cost = cost_of_part(task)
    if len(game.players) == 1:
        return Fit(cost, "alpha-beta search looks for a solution of the puzzle")
    if not task.space.acyclic:
        return Fit(cost * _WORSE, "alpha-beta search cannot prove a draw where positions may come back")
    if never_drawn(game):
        return Fit(cost * _WORSE, "alpha-beta search does not gain from it that no game is drawn")
    return Fit(cost, "alpha-beta search takes least where games can be drawn and no position comes back")


def _solve(task: Task, why: str) -> Solution[Any, Any]:
    from solver.drivers.engines import search

    return search(task, why, ALPHABETA)


METHOD = Method(ALPHABETA, "searches for the values of the first moves by alpha-beta",
                "that can be drawn and in which no position comes back; for puzzles", _fit, _solve,
                "whole positions as keys; what two threads tear in the table fits another one by chance below 1e-8",
                takes=frozenset({"patterns"}))
