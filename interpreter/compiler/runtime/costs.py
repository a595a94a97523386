"""What ways cost, by the cells that they have come to: a line has a cost for each cell that waits or waited."""

from __future__ import annotations

from interpreter.compiler.runtime.types import Cells, Int, Line, members


def without_cost(costs: Line, cells: Cells) -> None:
    """Let ways begin at the cells of a set, which cost nothing."""
    for c in members(cells):
        costs[c] = 0


def cheapest_waiting(costs: Line, waiting: Cells) -> Int:
    """The first of the cells of a set, which has some, that cost the least."""
    found = -1
    least = 0
    for c in members(waiting):
        if found < 0 or costs[c] < least:
            found = c
            least = costs[c]
    return found
