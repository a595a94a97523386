"""Fill-in of dead cells and captured pairs of cells, which no longer matter in connection games.

For connection games that `interpreter.analysis.connections` recognises, with two regions to join for each player. A
cell is *dead* for a player if none of the player's paths needs it, however the other cells are filled. That is so if
its neighbours in the player's graph, empty cells and groups of the player's pieces, are all joined to each other
without it (a simplicial vertex: Bjornsson, Hayward, Johanson and van Rijswijck, in "Graph Theory in Paris", 2007). A
cell that is dead for both players changes nothing, whoever takes it. A player *captures* two empty cells if, whichever
of them the opponent takes, the player makes that piece dead by taking the other; both count as the player's. Each of a
player's two regions forms a group with the pieces joined to it.

Cells that are filled in can make others dead or captured, so callers repeat this until nothing changes.

Arrays: see the fields of the named tuple.
"""

from __future__ import annotations

from typing import NamedTuple

from solver.native.functions import Line, Lines, inlined, part
from solver.native.virtual_connections import REGIONS

NONE = -1
_ALL_REGIONS = 2 * REGIONS
_LEAST = 2
"""A cell that touches fewer pieces and regions is neither dead nor captured."""


class Ground(NamedTuple):
    """A board, its pieces, and work arrays."""

    near: Lines
    """[cells, most + 1]: the number of a cell's neighbours, followed by these."""
    sides: Line
    """[cells]: a bit for each region that contains the cell, in order of the points."""
    colour: Line
    """[points]: 0 for an empty cell, player + 1 for a player's pieces."""
    group: Line
    """[cells]: the group of a piece: the number of a region that it is joined to, else a number of its own."""
    same: Line
    """[regions + cells + 1]: for each group its own number, or that of a trial piece that joins it to others."""
    stack: Line
    """[cells]"""
    crowd: Line
    """[cells]: the number of pieces and regions that a cell touches."""


# ---- groups


@inlined
def _spread(size: int, mark: int, player: int, ground: Ground) -> None:
    """Flood a group from the pieces on the stack, giving each piece the group's number `mark`."""
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
    """Find the groups of both players, and count the pieces and regions that each cell touches."""
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
    """Merge the groups and regions of a player that a cell touches into the group `mark`; -1 separates them again."""
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
    """Put a trial piece on an empty cell; `_take_back` removes it."""
    mark = len(ground.same) - 1
    _join_around(cell, player, mark, ground)
    ground.colour[cell] = player + 1
    ground.group[cell] = mark


@inlined
def _take_back(cell: int, player: int, ground: Ground) -> None:
    """Remove the trial piece; there is only one at a time."""
    ground.colour[cell] = 0
    ground.group[cell] = NONE
    _join_around(cell, player, NONE, ground)


# ---- cells that do not matter


@part
def _touches(cell: int, group: int, player: int, ground: Ground) -> bool:
    """Whether a cell touches a group of a player."""
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
    """Whether two empty cells touch each other, or a group or region of a player touches both."""
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
    """Whether an empty cell is dead once a player has taken another cell."""
    _put(other, player, ground)
    result = _is_dead(cell, ground)
    _take_back(other, player, ground)
    return result


@inlined
def matters_little(cell: int, ground: Ground) -> bool:
    """Whether a cell is empty and touches enough pieces and regions to be dead or captured."""
    return bool(ground.colour[cell] == 0 and ground.crowd[cell] >= _LEAST)


@part
def next_dead(cell: int, ground: Ground) -> int:
    """The first dead cell from `cell` on; -1 for none."""
    while cell < len(ground.group):
        if matters_little(cell, ground) and _is_dead(cell, ground):
            return cell
        cell += 1
    return NONE


@part
def captor(one: int, other: int, ground: Ground) -> int:
    """The player who captures two adjacent empty cells; -1 for none."""
    for player in range(2):
        if _kills(player, one, other, ground) and _kills(player, other, one, ground):
            return player
    return NONE
