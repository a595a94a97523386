"""Floods: what is joined to some cells by steps inside a region."""

from __future__ import annotations

from interpreter.compiler.runtime.sets import both, either, minus, nothing, of_table, some
from interpreter.compiler.runtime.types import Cells, Static, WordTable, members


def neighbours(a: Cells, near: WordTable, words: Static) -> Cells:
    """All neighbours of the cells of a set; `near` has those of each cell."""
    found = nothing(words)
    for c in members(a):
        found = either(found, of_table(near, c, words))
    return found


def flood(start: Cells, region: Cells, near: WordTable, words: Static) -> Cells:
    """The cells of a region joined to those of a set by steps to neighbours inside the region."""
    reached = both(start, region)
    frontier = reached
    while some(frontier):
        grown = minus(both(neighbours(frontier, near, words), region), reached)
        reached = either(reached, grown)
        frontier = grown
    return reached


