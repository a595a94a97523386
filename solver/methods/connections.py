"""Method connections: search in connection games by virtual connections, with dead and captured cells filled in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solver.methods import CONNECTIONS, Fit, Method, cost_of_part, no_search

if TYPE_CHECKING:
    from solver.solve import Solution
    from solver.task import Task

_COST = 100_000
"""The expected number of positions above which this search takes less than valuing them all,"""
_CELLS = 64
"""on boards of at most this many cells."""


def _fit(task: Task) -> Fit:
    from solver.connection_board import usable

    blocked = no_search(task)
    if blocked or task.game is None:
        return Fit(float("inf"), blocked)
    if usable(task.game) is None:
        return Fit(float("inf"), "the rules do not show that each player is to join two regions, and that not both can")
    cost = _COST if task.game.board.size <= _CELLS else cost_of_part(task) / 2
    return Fit(cost, "what players can join whatever the opponent does proves who wins long before the end")


def _solve(task: Task, why: str) -> Solution[Any, Any]:
    from solver.drivers.engines import search

    return search(task, why, CONNECTIONS)


METHOD = Method(CONNECTIONS, "searches for who wins after the first moves by what players can join whatever is played",
                "of connection, with two regions for each player to join", _fit, _solve,
                "whole positions: no hash decides", reach=1e22)
