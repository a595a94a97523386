"""Path costs for cheapest-path searches: `costs` has the cost of each cell that is or was in the open set."""

from __future__ import annotations

from interpreter.compiler.runtime.types import Cells, Int, Line, members


def without_cost(costs: Line, cells: Cells) -> None:
    """Set the costs of the cells of a set, at which paths begin, to 0."""
    for c in members(cells):
        costs[c] = 0


def cheapest_waiting(costs: Line, waiting: Cells) -> Int:
    """The first of the cheapest cells of a set, which must not be empty."""
    found = -1
    least = 0
    for c in members(waiting):
        if found < 0 or costs[c] < least:
            found = c
            least = costs[c]
    return found
