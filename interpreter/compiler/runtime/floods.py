"""Flood fills: the cells connected to given cells inside a region."""

from __future__ import annotations

from interpreter.compiler.runtime.sets import both, either, equal, minus, moved, nothing, of_table, some
from interpreter.compiler.runtime.types import Cells, CellsOf, Sets, Static, Table, WordTable, members, unrolled


def neighbours(cells: Cells, near: WordTable, words: Static) -> Cells:
    """All neighbours of the cells of a set."""
    found = nothing(words)
    for c in members(cells):
        found = either(found, of_table(near, c, words))
    return found


def neighbours_by_shifts(cells: Cells, starts: Sets, distances: Table) -> Cells:
    """All neighbours of the cells of a set: for each direction where it leads from, and how far in board order."""
    found = moved(both(cells, starts[0]), distances[0])
    for d in unrolled(range(1, len(distances))):
        found = either(found, moved(both(cells, starts[d]), distances[d]))
    return found


def flood(start: Cells, region: Cells, neighbours_of: CellsOf) -> Cells:
    """The cells of a region joined to those of a set by steps to neighbours inside the region."""
    reached = both(start, region)
    frontier = reached
    while some(frontier):
        grown = minus(both(neighbours_of(frontier), region), reached)
        reached = either(reached, grown)
        frontier = grown
    return reached


def flood_by_shifts(start: Cells, region: Cells, neighbours_of: CellsOf) -> Cells:
    """The same, faster where the cost of `neighbours_of` does not depend on the number of cells."""
    reached = both(start, region)
    while True:
        grown = both(either(reached, neighbours_of(reached)), region)
        if equal(grown, reached):
            return reached
        reached = grown
