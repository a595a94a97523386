"""Cells that no longer matter in games of connection, found and filled in: dead ones, and pairs that are captured.

For games that `interpreter.analysis.connections` shows to be such, with two regions to join for each player. A cell is
*dead* for a player if it is on no way of his that needs it, however the other cells are filled: if all that a way could
come from or go on to there, empty cells and groups of his pieces, is joined without it (a simplicial vertex of his
graph: Bjornsson, Hayward, Johanson and van Rijswijck, in "Graph Theory in Paris", 2007). A cell
that is dead for both players changes nothing, whoever takes it. Two empty cells are *captured* by a player if,
whichever of them the opponent takes, he takes the other, and the opponent's piece is dead then; they count as his.
A player's two regions and what is joined to each are groups like others.

What is filled in makes others dead or captured, so it is done again until nothing changes.

Arrays: those of the named tuples as they say.
"""

from __future__ import annotations

from typing import NamedTuple

from solver.native.functions import Line, Lines, inlined, part
from solver.native.virtual_connections import REGIONS

NONE = -1
_ALL_REGIONS = 2 * REGIONS
_LEAST = 2
"""A cell that touches fewer pieces and regions is not dead, and is not captured with another."""


class Ground(NamedTuple):
    """A board, what stands there, and arrays to work with."""

    near: Lines
    """[cells, most + 1]: how many neighbours a cell has, and these."""
    sides: Line
    """[cells]: a bit for each region that a cell is in, in order of the points."""
    colour: Line
    """[points]: 0 of an empty cell, player + 1 of his pieces."""
    group: Line
    """[cells]: which group a piece belongs to: the number of a region that it is joined to, or a number of its own."""
    same: Line
    """[regions + cells + 1]: for each group itself, or a later piece's that joins it to others."""
    stack: Line
    """[cells]"""
    crowd: Line
    """[cells]: how many pieces and regions a cell touches."""


# ---- groups


@inlined
def _spread(size: int, mark: int, player: int, ground: Ground) -> None:
    """Give a group its number, from the pieces on the stack on."""
    near, colour, group, stack = ground.near, ground.colour, ground.group, ground.stack
    while size > 0:
        size -= 1
        cell = stack[size]
        for place in range(1, near[cell, 0] + 1):
            other = near[cell, place]
            if colour[other] == player + 1 and group[other] == NONE:
                group[other] = mark
                stack[size] = other
                size += 1


@part
def find_groups(ground: Ground) -> None:
    """Find the groups of both players, and how many pieces and regions each cell touches."""
    near, sides, colour, group, stack = ground.near, ground.sides, ground.colour, ground.group, ground.stack
    cells = len(group)
    for cell in range(cells):
        group[cell] = NONE
    for region in range(_ALL_REGIONS):
        player, size = region // REGIONS, 0
        for cell in range(cells):
            if sides[cell] & (1 << region) != 0 and colour[cell] == player + 1 and group[cell] == NONE:
                group[cell] = region
                stack[size] = cell
                size += 1
        _spread(size, region, player, ground)
    mark = _ALL_REGIONS
    for cell in range(cells):
        if colour[cell] != 0 and group[cell] == NONE:
            group[cell] = mark
            stack[0] = cell
            _spread(1, mark, colour[cell] - 1, ground)
            mark += 1
        touched = 0
        for region in range(_ALL_REGIONS):
            touched += sides[cell] >> region & 1
        for place in range(1, near[cell, 0] + 1):
            touched += 1 if colour[near[cell, place]] != 0 else 0
        ground.crowd[cell] = touched
    for number in range(len(ground.same)):
        ground.same[number] = number


@inlined
def _join_around(cell: int, player: int, mark: int, ground: Ground) -> None:
    """Have the groups and regions of a player's that a cell touches count as one group; each as itself for -1."""
    for region in range(REGIONS * player, REGIONS * player + REGIONS):
        if ground.sides[cell] & (1 << region) != 0:
            ground.same[region] = region if mark == NONE else mark
    for place in range(1, ground.near[cell, 0] + 1):
        other = ground.near[cell, place]
        if ground.colour[other] == player + 1:
            group = ground.group[other]
            ground.same[group] = group if mark == NONE else mark


@inlined
def _put(cell: int, player: int, ground: Ground) -> None:
    """Put a piece on an empty cell, to be taken back."""
    mark = len(ground.same) - 1
    _join_around(cell, player, mark, ground)
    ground.colour[cell] = player + 1
    ground.group[cell] = mark


@inlined
def _take_back(cell: int, player: int, ground: Ground) -> None:
    """Take back the only piece that was put."""
    ground.colour[cell] = 0
    ground.group[cell] = NONE
    _join_around(cell, player, NONE, ground)


# ---- cells that do not matter


@part
def _touches(cell: int, group: int, player: int, ground: Ground) -> bool:
    """Whether a cell touches a group of a player's."""
    for region in range(REGIONS * player, REGIONS * player + REGIONS):
        if ground.sides[cell] & (1 << region) != 0 and ground.same[region] == group:
            return True
    for place in range(1, ground.near[cell, 0] + 1):
        other = ground.near[cell, place]
        if ground.colour[other] == player + 1 and ground.same[ground.group[other]] == group:
            return True
    return False


@inlined
def _are_joined(one: int, other: int, player: int, ground: Ground) -> bool:
    """Whether two empty cells touch, or a group or region of a player's touches both."""
    for region in range(REGIONS * player, REGIONS * player + REGIONS):
        if ground.sides[one] & (1 << region) != 0 and _touches(other, ground.same[region], player, ground):
            return True
    for place in range(1, ground.near[one, 0] + 1):
        there = ground.near[one, place]
        if there == other or (ground.colour[there] == player + 1
                              and _touches(other, ground.same[ground.group[there]], player, ground)):
            return True
    return False


@part
def _is_dead_for(player: int, cell: int, ground: Ground) -> bool:
    """Whether an empty cell is dead for a player."""
    near, colour, same = ground.near, ground.colour, ground.same
    found = NONE
    for region in range(REGIONS * player, REGIONS * player + REGIONS):
        if ground.sides[cell] & (1 << region) != 0:
            if found != NONE and found != same[region]:
                return False
            found = same[region]
    for place in range(1, near[cell, 0] + 1):
        other = near[cell, place]
        if colour[other] == player + 1:
            group = same[ground.group[other]]
            if found != NONE and found != group:
                return False
            found = group
    for place in range(1, near[cell, 0] + 1):
        one = near[cell, place]
        if colour[one] != 0:
            continue
        if found != NONE:
            if not _touches(one, found, player, ground):
                return False
            continue
        for later in range(place + 1, near[cell, 0] + 1):
            if colour[near[cell, later]] == 0 and not _are_joined(one, near[cell, later], player, ground):
                return False
    return True


@inlined
def _is_dead(cell: int, ground: Ground) -> bool:
    """Whether an empty cell is dead for both players."""
    return _is_dead_for(0, cell, ground) and _is_dead_for(1, cell, ground)


@inlined
def _kills(player: int, cell: int, other: int, ground: Ground) -> bool:
    """Whether an empty cell is dead once a player has taken another."""
    _put(other, player, ground)
    result = _is_dead(cell, ground)
    _take_back(other, player, ground)
    return result


@inlined
def matters_little(cell: int, ground: Ground) -> bool:
    """Whether a cell is empty and may be dead or captured, as enough stands around it."""
    return bool(ground.colour[cell] == 0 and ground.crowd[cell] >= _LEAST)


@part
def next_dead(cell: int, ground: Ground) -> int:
    """The first dead cell from one on; -1 for none."""
    while cell < len(ground.group):
        if matters_little(cell, ground) and _is_dead(cell, ground):
            return cell
        cell += 1
    return NONE


@part
def captor(one: int, other: int, ground: Ground) -> int:
    """The player who captures two empty cells that touch; -1 for none."""
    for player in range(2):
        if _kills(player, one, other, ground) and _kills(player, other, one, ground):
            return player
    return NONE
