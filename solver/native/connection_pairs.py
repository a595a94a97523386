"""Connection games: the records of the search with carriers, and connections by single cells, paths and pairs of cells.

Sets of cells are words. The search itself is in `solver.native.connection`.

Arrays: `near` uint64[cells], the neighbours of each cell; `levels` uint64[cells], a work array.
"""

from __future__ import annotations

from typing import NamedTuple

import attrs

from interpreter.kernel.plain import EMPTY, FULL, ONE, lowest, word
from solver.native.functions import Line, Lines, Records, Row, Rows, Word, inlined, part

MOST_CELLS = 64


@attrs.define(eq=False)
class Frame:
    """A position on the path to the one that is searched."""

    ours: Word = 0
    theirs: Word = 0
    """The pieces of the player to move, and of the opponent."""
    musts: Word = 0
    needed: Word = 0
    carrier: Word = 0
    """The moves that are not ruled out, and the unions S and C of the opponent's carriers that rule out the others."""
    played: Word = 0
    """The move that is searched."""
    opened: int = 0
    mover: int = 0
    begun: int = 0
    """How many positions had been searched when it was opened."""
    win_limit: int = 0
    loss_limit: int = 0
    """The search leaves the position, for a while, when its win or its loss number reaches its limit."""
    least: int = 0
    second: int = 0
    """The two least loss numbers after musts; `least` is the position's win number."""
    total: int = 0
    """The position's loss number."""
    open_musts: int = 0
    """The number of musts."""
    chosen: int = 0
    """The must with the least loss number."""


@attrs.define(eq=False)
class Result:
    """The winner of a position, with a carrier that proves it."""

    needed: Word = 0
    carrier: Word = 0
    """S and C."""
    winner: int = 0


@attrs.define(eq=False)
class Group:
    """Connected pieces of a player, and how a pair of cells joins them to other groups."""

    pieces: Word = 0
    touching: Word = 0
    """The empty cells that touch the group."""
    by: Word = 0
    """The set of the groups to which it was joined, by their numbers."""
    pair: Word = 0
    """The pair of cells that joins it; empty if none is needed."""


@attrs.define(eq=False)
class Linking:
    """The state while groups are joined one after another."""

    joined: Word = 0
    """The set of the joined groups, by their numbers."""
    touching: Word = 0
    """The empty cells that touch a joined group."""
    used: Word = 0
    """The cells of all pairs so far."""
    needed: Word = 0
    """The set of the groups that the regions' connection needs, by their numbers."""
    spent: Word = 0
    """The cells of the pairs that join groups to regions."""
    count: int = 0
    """The number of groups."""
    many: int = 0
    """The number of joined groups."""


@attrs.define(eq=False)
class Counts:
    """Statistics of a search."""

    nodes: int = 0
    """Positions searched, counted again each time the search comes back to one."""
    won_at_once: int = 0
    """Positions won by a move that joins the regions, or joins them by pairs of cells."""
    lost_at_once: int = 0
    """Positions lost to two threats, or to regions that are joined by pairs of cells."""
    by_table: int = 0
    """Positions after musts that were found in the table."""
    by_carrier: int = 0
    """Positions won or lost by a known carrier."""
    by_musts: int = 0
    """Positions lost because no must was left."""
    left_out: int = 0
    """Empty cells that were not musts."""
    tried: int = 0
    kept: int = 0
    """Carriers that were kept."""
    probes: int = 0
    stored: int = 0
    deepest: int = 0


@attrs.define(eq=False)
class State:
    """The state of a search between calls."""

    depth: int = 0
    status: int = 0


class Board(NamedTuple):
    """The board of a connection game, and what each player has to join."""

    near: Row
    """[cells]: the neighbours of each cell."""
    regions: Rows
    """[2, 2 or 3]: the regions that each player has to join."""
    images: Lines
    """[symmetries, MOST_CELLS + 1]: for each symmetry the image of each cell, and last whether it swaps the players."""
    everything: Word
    """All cells."""


class Carriers(NamedTuple):
    """Lists of carriers, the useful ones first."""

    needed: Rows
    carrier: Rows
    """[lists, length]: S and C of each carrier, in separate arrays so that one instruction tests several carriers."""
    sizes: Line
    """[lists]: the number of carriers in each list."""
    nexts: Line
    """[lists]: which carrier of the latter half is replaced next."""


class Search(NamedTuple):
    """The arrays of one search.

    In their shapes, plies stands for MOST_CELLS + 2, which `frames`, `levels` and `plies` have too, and cells for
    MOST_CELLS.
    """

    frames: Records[Frame]
    distances: Lines
    """[plies, cells]: how many pieces join a cell to the regions, summed over both players."""
    wins: Lines
    losses: Lines
    """[plies, cells]: for each must the win and the loss number of the position after it."""
    history: Lines
    """[2, cells]: the history score of each cell, for each player: it grows each time the cell wins."""
    levels: Row
    groups: Records[Group]
    order: Line
    linking: Records[Linking]
    """Work arrays: the steps of a path; groups, their numbers in order of joining, and the joining state (one record).
    """
    result: Records[Result]
    """A single record."""
    counts: Records[Counts]
    """A single record."""
    plies: Line
    """The number of positions searched at each depth."""
    state: Records[State]
    """A single record."""


# ---- sets of cells


@inlined
def first_of(cells: Word) -> Word:
    """The lowest cell of a set, as a set."""
    return cells & ~(cells - ONE)


@inlined
def _region_count(player: int, board: Board) -> int:
    """The number of regions that a player has to join: two or three."""
    count = len(board.regions[0])
    return 2 if count > 2 and board.regions[player, 2] == EMPTY else count


@part
def neighbours_of(cells: Word, near: Row) -> Word:
    """The neighbours of all cells of a set."""
    result = EMPTY
    while cells != EMPTY:
        result |= near[lowest(cells)]
        cells &= cells - ONE
    return result


@part
def reach(region: Word, pieces: Word, near: Row) -> Word:
    """The pieces that are joined to a region."""
    reached = region & pieces
    rim = reached
    while rim != EMPTY:
        rim = neighbours_of(rim, near) & pieces & ~reached
        reached |= rim
    return reached


@part
def winning(player: int, pieces: Word, empty: Word, board: Board) -> Word:
    """The empty cells that would each join all of a player's regions."""
    result = empty
    for index in range(len(board.regions[0])):
        region = board.regions[player, index]
        if region == EMPTY and index > 1:
            continue
        result &= region | neighbours_of(reach(region, pieces, board.near), board.near)
        if result == EMPTY:
            break
    return result


@part
def path(cell: int, region: Word, pieces: Word, near: Row, levels: Row) -> Word:
    """The fewest pieces that join a cell to a region: EMPTY if the cell is in it, FULL if none do."""
    start = ONE << word(cell)
    if start & region != EMPTY:
        return EMPTY
    level = 0
    levels[0] = start
    seen = start
    while levels[level] & region == EMPTY:
        rim = neighbours_of(levels[level], near) & pieces & ~seen
        if rim == EMPTY:
            return FULL  # not connected
        level += 1
        levels[level] = rim
        seen |= rim
    step = first_of(levels[level] & region)
    result = step
    while level > 1:
        level -= 1
        step = first_of(near[lowest(step)] & levels[level])
        result |= step
    return result


@part
def paths(cell: int, player: int, pieces: Word, board: Board, levels: Row) -> Word:
    """Pieces that join a cell to all of a player's regions."""
    result = EMPTY
    for index in range(len(board.regions[0])):
        region = board.regions[player, index]
        if region == EMPTY and index > 1:
            continue
        result |= path(cell, region, pieces, board.near, levels)
    return result


# ---- regions that pairs of cells join


@part
def linked(player: int, start: int, pieces: Word, empty: Word, board: Board, own: Search) -> bool:
    """Whether a player's regions are joined by pieces and by disjoint pairs of empty cells.

    A group is joined to the joined ones where two empty cells that no other pair uses touch both: whichever of the two
    the opponent takes, the other remains. Joining starts from the region `start`, or, with three regions to join, from
    each group in turn. On success the result has S and C; else its carrier is the unused empty cells that touch what is
    joined to the region.
    """
    links, result = own.linking[0], own.result[0]
    region_count = _region_count(player, board)
    _find_groups(board.regions[player, start], pieces, empty, board, own)
    seed = 0 if region_count == 2 else 1
    last_seed = 1 if region_count == 2 else links.count
    while seed < last_seed:
        _begin_with(seed, board.regions[player, start], own)
        while _join_more(own):
            pass
        if _join_regions(player, start if seed == 0 else -1, region_count, board, own):
            _collect(own)
            return True
        result.carrier = links.touching & ~links.used
        seed += 1
    return False


@inlined
def _find_groups(region: Word, pieces: Word, empty: Word, board: Board, own: Search) -> None:
    """List a player's groups, from number 1 on; number 0 stands for a region's empty cells."""
    groups = own.groups
    count = 1
    rest = pieces
    groups[0].pieces = EMPTY
    groups[0].touching = region & empty
    groups[0].by = EMPTY
    groups[0].pair = EMPTY
    while rest != EMPTY and count < MOST_CELLS - 1:
        group = reach(first_of(rest), rest, board.near)
        rest &= ~group
        groups[count].pieces = group
        groups[count].touching = neighbours_of(group, board.near) & empty
        count += 1
    own.linking[0].count = count


@inlined
def _begin_with(seed: int, region: Word, own: Search) -> None:
    """Start joining from a group; from the region (number 0), join the groups that have a piece in it."""
    links, groups = own.linking[0], own.groups
    links.joined = ONE << word(seed)
    own.order[0] = seed
    groups[seed].by = EMPTY
    groups[seed].pair = EMPTY
    links.many = 1
    links.used = EMPTY
    links.touching = groups[seed].touching
    if seed == 0:
        for index in range(1, links.count):
            if groups[index].pieces & region != EMPTY:
                _join(index, ONE, EMPTY, own)


@inlined
def _join(index: int, by: Word, pair: Word, own: Search) -> None:
    """Add a group to the joined ones, with the groups and the pair of cells that join it."""
    links, group = own.linking[0], own.groups[index]
    group.by = by
    group.pair = pair
    links.joined |= ONE << word(index)
    own.order[links.many] = index
    links.many += 1
    links.touching |= group.touching


@inlined
def _join_more(own: Search) -> bool:
    """Join each group that a pair of unused cells connects to the joined ones; whether there was one."""
    links = own.linking[0]
    grown = False
    for index in range(1, links.count):
        if links.joined >> word(index) & ONE != EMPTY:
            continue
        common = own.groups[index].touching & links.touching & ~links.used
        rest = common & (common - ONE)
        if common == EMPTY or rest == EMPTY:
            continue
        one = common & ~rest
        two = first_of(rest)
        links.used |= one | two
        _join(index, _owner(one, own) | _owner(two, own), one | two, own)
        grown = True
    return grown


@part
def _owner(cell: Word, own: Search) -> Word:
    """The first joined group that touches a cell, as a set of group numbers."""
    links = own.linking[0]
    for index in range(links.count):
        if links.joined >> word(index) & ONE != EMPTY and own.groups[index].touching & cell != EMPTY:
            return ONE << word(index)
    return EMPTY


@inlined
def _join_regions(player: int, start: int, region_count: int, board: Board, own: Search) -> bool:
    """Whether the joined groups reach each region except `start`, by a piece in it or by a pair of unused cells."""
    links = own.linking[0]
    links.needed = EMPTY
    links.spent = EMPTY
    for index in range(region_count):
        if index == start:
            continue
        region = board.regions[player, index]
        direct = EMPTY
        for number_of_group in range(1, links.count):
            if (links.joined >> word(number_of_group) & ONE != EMPTY
                    and own.groups[number_of_group].pieces & region != EMPTY):
                direct = ONE << word(number_of_group)
                break
        if direct != EMPTY:
            links.needed |= direct
            continue
        common = links.touching & region & ~links.used
        rest = common & (common - ONE)
        if common == EMPTY or rest == EMPTY:
            return False
        one = common & ~rest
        two = first_of(rest)
        links.needed |= _owner(one, own) | _owner(two, own)
        links.used |= one | two
        links.spent |= one | two
    return True


@inlined
def _collect(own: Search) -> None:
    """Write the needed groups (S) and the pairs of cells that join them (C) to the result."""
    links, result = own.linking[0], own.result[0]
    result.needed = EMPTY
    result.carrier = links.spent
    count = links.many
    while count > 0:
        count -= 1
        index = own.order[count]
        if links.needed >> word(index) & ONE != EMPTY:
            group = own.groups[index]
            result.needed |= group.pieces
            result.carrier |= group.pair
            links.needed |= group.by


@part
def promising(player: int, pieces: Word, empty: Word, board: Board, own: Search) -> Word:
    """The empty cells that may each join a player's two regions by pairs of cells; with three regions, all of them."""
    if _region_count(player, board) > 2:
        return empty
    found = empty
    for start in range(2):
        linked(player, start, pieces, empty, board, own)
        touching = own.result[0].carrier
        rest = found & ~touching
        while rest != EMPTY:
            cell = first_of(rest)
            common = board.near[lowest(cell)] & touching
            if common & (common - ONE) == EMPTY:
                found &= ~cell
            rest &= ~cell
    return found
