"""Games of connection: the records of a search with carriers, and who joins what by cells, paths and pairs of cells.

Sets of cells are words. `solver.native.connection` has the search.

Arrays: `near` uint64[cells], the neighbours of each cell; `levels` uint64[cells], to work with.
"""

from __future__ import annotations

from typing import NamedTuple

import attrs

from interpreter.kernel.plain import EMPTY, FULL, ONE, lowest, word
from solver.native.functions import Line, Lines, Records, Row, Rows, Word, inlined, part

MOST_CELLS = 64


@attrs.define(eq=False)
class Frame:
    """A position on the way to the one that is searched."""

    ours: Word = 0
    theirs: Word = 0
    """The pieces of the player to move, and the other's."""
    musts: Word = 0
    needed: Word = 0
    carrier: Word = 0
    """The unions of the other's carriers."""
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
    """The least loss numbers after musts: the first is the win number."""
    total: int = 0
    """The loss number."""
    open_musts: int = 0
    """How many musts there are."""
    chosen: int = 0
    """The must with the least loss number."""


@attrs.define(eq=False)
class Result:
    """What is known of a position that is answered."""

    needed: Word = 0
    carrier: Word = 0
    """S and C."""
    winner: int = 0


@attrs.define(eq=False)
class Group:
    """Pieces of a player that are joined, and how they are joined to others by pairs of cells."""

    pieces: Word = 0
    touching: Word = 0
    """The empty cells that touch it."""
    by: Word = 0
    """The numbers of the groups by which it is joined."""
    pair: Word = 0
    """The cells that this needs."""


@attrs.define(eq=False)
class Linking:
    """What is joined so far, where groups are joined one after another."""

    joined: Word = 0
    """The numbers of the groups."""
    touching: Word = 0
    """The empty cells that touch one of them."""
    used: Word = 0
    """The cells that pairs need."""
    needed: Word = 0
    """The numbers of the groups by which regions are joined."""
    spent: Word = 0
    """The cells that regions need."""
    count: int = 0
    """How many groups there are."""
    many: int = 0
    """How many are joined."""


@attrs.define(eq=False)
class Counts:
    """What is counted."""

    nodes: int = 0
    """Positions, again each time that the search comes back to one;"""
    won_at_once: int = 0
    """won by one move,"""
    lost_at_once: int = 0
    """lost to two threats,"""
    by_table: int = 0
    """known from the table,"""
    by_carrier: int = 0
    """won or lost by a carrier,"""
    by_musts: int = 0
    """lost for lack of a must."""
    left_out: int = 0
    """Moves that were none."""
    tried: int = 0
    kept: int = 0
    """Carriers that were kept."""
    probes: int = 0
    stored: int = 0
    deepest: int = 0


@attrs.define(eq=False)
class State:
    """Where a search stands."""

    depth: int = 0
    status: int = 0


class Board(NamedTuple):
    """What a game of connection is about."""

    near: Row
    """[cells]: the neighbours of each cell."""
    regions: Rows
    """[2, 2 or 3]: for each player the regions that he is to join."""
    images: Lines
    """[symmetries, MOST_CELLS + 1]: for each the image of each cell, and last whether players are swapped."""
    everything: Word
    """All cells."""


class Carriers(NamedTuple):
    """Lists of carriers, the useful ones first."""

    needed: Rows
    carrier: Rows
    """[lists, length]: S and C of each. They stand apart so that several are looked at in one instruction."""
    sizes: Line
    """[lists]: how long each is."""
    nexts: Line
    """Which of the latter half is replaced next."""


class Search(NamedTuple):
    """One search: plies, `frames`, `levels` and `plies` among them, stand for MOST_CELLS + 2, cells for MOST_CELLS."""

    frames: Records[Frame]
    distances: Lines
    """[plies, cells]: how far a cell is from joining regions, for both players."""
    wins: Lines
    losses: Lines
    """[plies, cells]: for each must the win and the loss number of the position after it."""
    history: Lines
    """[2, cells]: for each player how often a cell has won."""
    levels: Row
    groups: Records[Group]
    order: Line
    linking: Records[Linking]
    """To work with: the steps of a path; groups, their numbers in order of joining, and what is joined (one)."""
    result: Records[Result]
    """One."""
    counts: Records[Counts]
    """One."""
    plies: Line
    """How many positions were searched at each distance."""
    state: Records[State]
    """One."""


# ---- sets of cells


@inlined
def first_of(cells: Word) -> Word:
    """The first of some cells, as a set."""
    return cells & ~(cells - ONE)


@inlined
def _region_count(player: int, board: Board) -> int:
    """How many regions a player is to join: two or three."""
    count = len(board.regions[0])
    return 2 if count > 2 and board.regions[player, 2] == EMPTY else count


@part
def neighbours_of(cells: Word, near: Row) -> Word:
    """All neighbours of some cells."""
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
    """The empty cells of which each joins a player's regions."""
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
    """Pieces that join a cell to a region, the fewest that do; none where the cell is in it."""
    start = ONE << word(cell)
    if start & region != EMPTY:
        return EMPTY
    level = 0
    levels[0] = start
    seen = start
    while levels[level] & region == EMPTY:
        rim = neighbours_of(levels[level], near) & pieces & ~seen
        if rim == EMPTY:
            return FULL  # it is not joined
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
    """Whether a player's regions are joined already, if each pair of cells by which groups of his touch is his for one.

    A group is joined to those already joined where two empty cells that nothing else needs touch both: whichever of the
    two is taken, the other remains. It begins with a region, or, where there are three to join, with a group. Then the
    result has S and C; else its carrier is the empty cells that touch what is joined to the region and nothing needs.
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
    """Write a player's groups, after a region's cells, which count as the first."""
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
    """Begin with a group; with the region, the groups that have a piece in it are joined."""
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
    """Join a group."""
    links, group = own.linking[0], own.groups[index]
    group.by = by
    group.pair = pair
    links.joined |= ONE << word(index)
    own.order[links.many] = index
    links.many += 1
    links.touching |= group.touching


@inlined
def _join_more(own: Search) -> bool:
    """Join the groups that two cells join to what is joined; whether there was one."""
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
    """The first group among those joined that a cell touches."""
    links = own.linking[0]
    for index in range(links.count):
        if links.joined >> word(index) & ONE != EMPTY and own.groups[index].touching & cell != EMPTY:
            return ONE << word(index)
    return EMPTY


@inlined
def _join_regions(player: int, start: int, region_count: int, board: Board, own: Search) -> bool:
    """Whether the groups that are joined have a piece in all regions but the one begun with, or two cells for it."""
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
    """Put the groups that are needed, and the cells by which they are joined, into the result."""
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
    """Cells of which each may join a player's two regions by pairs of cells; with three regions all."""
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
