"""Virtual connections: what a player can join whatever the opponent does, built up from smaller ones.

For connection games that `interpreter.analysis.connections` recognises, with two regions to join for each player.
*Points* are the cells, followed by the players' regions. An *anchor* is a group of a player's pieces, or one of the
player's regions with the pieces joined to it, named by one of its points. A connection joins an anchor to an empty cell
or to another anchor; its *carrier* is the set of empty cells that it needs. A *full* connection holds if the opponent
moves first, a *semi* connection if its player does. A connection is valid as long as its whole carrier is empty, since
further pieces of one's own never hurt.

Two rules combine connections (H-search: Anshelevich, Artificial Intelligence 134, 2002):

- Two full connections with disjoint carriers that share an end make a full connection if they meet in a group, and a
  semi connection if they meet in an empty cell, which its player takes first.
- Semi connections between the same points whose carriers have no cell common to all of them make a full connection:
  wherever the opponent plays, one of them is left.

Between two empty cells there are only steps to a neighbour, and bridges over two cells between. Because of this, and of
the limited lists, some connections are missed; those found are valid, whenever the search stops. If the opponent's
regions are joined by semi connections, a move loses if it is outside the carrier of one of them, which it leaves
intact: the cells that all these carriers share are the *musts*.

Arrays: see the fields of the named tuple.
"""

from __future__ import annotations

from typing import NamedTuple

import attrs

from interpreter.kernel.plain import EMPTY, FULL, ONE, word
from solver.native.functions import Line, Lines, Records, Row, Rows, compiled, inlined, part

NOTHING, IF_FIRST, JOINED = 0, 1, 2
"""How far a player's regions are joined: not at all, if the player moves first, or even if the opponent does."""
FULLS, SEMIS = 3, 8
"""The most full and semi connections that are kept for a pair of points."""
ANCHORS = 24
"""The most anchors, the player's regions included."""
REGIONS = 2
"""The number of regions that a player has to join."""


@attrs.define(eq=False)
class Finding:
    """The state of the search."""

    player: int = 0
    found: int = 0
    key: int = -1
    """The first move of the first semi connection found between the player's regions; -1 for none."""
    anchors: int = 0
    """The number of anchors; the first are the player's regions."""
    head: int = 0
    tail: int = 0
    """The unprocessed part of the queue."""


class Net(NamedTuple):
    """A board, and the connections found for one player."""

    near: Lines
    """[cells, most + 1]: the number of a cell's neighbours, followed by these."""
    bridges: Lines
    """[cells, 3 * most + 1]: the number of a cell's bridges, then for each its other end and the two cells between."""
    sides: Line
    """[cells]: a bit for each region that contains the cell, in order of the points."""
    words: int
    """The number of words in a set of cells."""
    colour: Line
    """[points]: 0 for an empty cell, player + 1 for a player's pieces and regions."""
    leader: Line
    """[points]: the point of the anchor that a piece belongs to, else -1."""
    anchor: Line
    """[points]: the number of the anchor that a point stands for, else -1."""
    spots: Line
    """[anchors]: the point that stands for each anchor."""
    full: Rows
    semi: Rows
    """[lists * FULLS or SEMIS, words]: carriers; the list of an anchor and a point is `anchor * points + point`."""
    full_sizes: Line
    semi_sizes: Line
    """[lists]: the number of connections in each list."""
    shared: Rows
    """[lists, words]: the cells that all semi connections of a list need."""
    queue: Line
    """[lists * FULLS]: the full connections that are to be combined with others."""
    stack: Line
    """[cells]: a work array, as are the next four sets."""
    held: Row
    new: Row
    common: Row
    union: Row
    musts: Row
    """The cells that all semi connections between the player's regions need."""
    state: Records[Finding]
    """A single record."""


# ---- sets of cells


@inlined
def _is_in(sets: Rows, index: int, cell: int) -> bool:
    """Whether set `index` contains a cell."""
    return bool(sets[index, cell >> 6] & (ONE << word(cell & 63)) != EMPTY)


@inlined
def _is_within(sets: Rows, index: int, cells: Row, words: int) -> bool:
    """Whether set `index` is a subset of `cells`."""
    if words == 2:  # faster without a loop
        return bool((sets[index, 0] & ~cells[0]) | (sets[index, 1] & ~cells[1]) == EMPTY)
    more = EMPTY
    for k in range(words):
        more |= sets[index, k] & ~cells[k]
    return bool(more == EMPTY)


@inlined
def _is_apart(sets: Rows, index: int, cells: Row, words: int) -> bool:
    """Whether set `index` and `cells` are disjoint."""
    if words == 2:
        return bool((sets[index, 0] & cells[0]) | (sets[index, 1] & cells[1]) == EMPTY)
    both = EMPTY
    for k in range(words):
        both |= sets[index, k] & cells[k]
    return bool(both == EMPTY)


@inlined
def _add(cell: int, cells: Row) -> None:
    cells[cell >> 6] |= ONE << word(cell & 63)


# ---- recording connections


@part
def _note_full(one: int, point: int, carrier: Row, own: Net) -> None:
    """Record a full connection of an anchor and a point, unless its list is full or has a subset of its carrier."""
    words, state, points = own.words, own.state[0], len(own.anchor)
    index = one * points + point
    size = own.full_sizes[index]
    if size == FULLS:
        return
    for k in range(size):
        if _is_within(own.full, index * FULLS + k, carrier, words):
            return
    for k in range(words):
        own.full[index * FULLS + size, k] = carrier[k]
    own.full_sizes[index] = size + 1
    own.queue[state.tail] = index * FULLS + size
    state.tail += 1
    other = own.anchor[point]
    if other < 0:
        return
    if one < REGIONS and other < REGIONS:
        state.found = JOINED
    index = other * points + own.spots[one]
    size = own.full_sizes[index]
    if size < FULLS:
        for k in range(words):
            own.full[index * FULLS + size, k] = carrier[k]
        own.full_sizes[index] = size + 1


@part
def _note_semi(one: int, point: int, key: int, carrier: Row, own: Net) -> None:
    """Record a semi connection of an anchor and a point, whose first move is `key`, and what follows from it."""
    words, state, points = own.words, own.state[0], len(own.anchor)
    other = own.anchor[point]
    if 0 <= other < one:  # two anchors share one list
        point = own.spots[one]
        one, other = other, one
    index = one * points + point
    size = own.semi_sizes[index]
    for k in range(own.full_sizes[index]):
        if _is_within(own.full, index * FULLS + k, carrier, words):
            return
    for k in range(size):
        if _is_within(own.semi, index * SEMIS + k, carrier, words):
            return
    if one < REGIONS and 0 <= other < REGIONS:
        if state.found == NOTHING:
            state.found = IF_FIRST
            state.key = key
        for k in range(words):
            own.musts[k] &= carrier[k]
    if size > 0 and _is_apart(own.shared, index, carrier, words):
        _join_semis(one, point, size, carrier, own)
    for k in range(words):
        own.shared[index, k] = carrier[k] if size == 0 else own.shared[index, k] & carrier[k]
    if size < SEMIS:
        for k in range(words):
            own.semi[index * SEMIS + size, k] = carrier[k]
        own.semi_sizes[index] = size + 1


@part
def _join_semis(one: int, point: int, size: int, carrier: Row, own: Net) -> None:
    """Combine a new semi connection of an anchor and a point with others to full connections.

    Each disjoint one makes a full connection with it; if there is none, several that share no cell with it make one.
    """
    words, union, common = own.words, own.union, own.common
    first = (one * len(own.anchor) + point) * SEMIS
    paired = False
    for index in range(first, first + size):
        if _is_apart(own.semi, index, carrier, words):
            paired = True
            for k in range(words):
                union[k] = own.semi[index, k] | carrier[k]
            _note_full(one, point, union, own)
    if paired:
        return
    for k in range(words):
        union[k] = carrier[k]
        common[k] = carrier[k]
    for index in range(first, first + size):
        if not _helps(index, own):
            continue
        left = EMPTY
        for k in range(words):
            common[k] &= own.semi[index, k]
            union[k] |= own.semi[index, k]
            left |= common[k]
        if left == EMPTY:
            _note_full(one, point, union, own)
            return


@inlined
def _helps(index: int, own: Net) -> bool:
    """Whether a semi connection does not need some of the cells that those so far have in common."""
    less = EMPTY
    for k in range(own.words):
        less |= own.common[k] & ~own.semi[index, k]
    return bool(less != EMPTY)


# ---- combining connections


@inlined
def _from_cell(one: int, cell: int, index: int, own: Net) -> None:
    """Extend a full connection from an anchor to an empty cell; `held` is its carrier, kept at `index` of `full`."""
    words, state, full, new, colour, held = own.words, own.state[0], own.full, own.new, own.colour, own.held
    points = len(own.anchor)
    for place in range(1, own.near[cell, 0] + 1):
        other = own.near[cell, place]
        if colour[other] == 0 and not _is_in(full, index, other):
            for k in range(words):
                new[k] = held[k]
            _add(cell, new)
            _note_semi(one, other, cell, new, own)
    for place in range(1, 3 * own.bridges[cell, 0] + 1, 3):
        other, left, right = own.bridges[cell, place], own.bridges[cell, place + 1], own.bridges[cell, place + 2]
        if colour[other] != 0 or colour[left] != 0 or colour[right] != 0:
            continue
        if _is_in(full, index, other) or _is_in(full, index, left) or _is_in(full, index, right):
            continue
        for k in range(words):
            new[k] = held[k]
        _add(cell, new)
        _add(left, new)
        _add(right, new)
        _note_semi(one, other, cell, new, own)
    for other in range(state.anchors):
        if other == one:
            continue
        first = (other * points + cell) * FULLS
        for second in range(first, first + own.full_sizes[other * points + cell]):
            if _is_apart(full, second, held, words):
                for k in range(words):
                    new[k] = held[k] | full[second, k]
                _add(cell, new)
                _note_semi(one, own.spots[other], cell, new, own)
        first = (other * points + own.spots[one]) * FULLS
        for second in range(first, first + own.full_sizes[other * points + own.spots[one]]):
            if not _is_in(full, second, cell) and _is_apart(full, second, held, words):
                for k in range(words):
                    new[k] = held[k] | full[second, k]
                _note_full(other, cell, new, own)


@inlined
def _from_group(one: int, by: int, index: int, own: Net) -> None:
    """Extend a full connection of anchor `one` to anchor `by` with the full connections of `by`."""
    words, full, new, held, cells = own.words, own.full, own.new, own.held, len(own.near)
    points = len(own.anchor)
    for point in range(points):
        if own.anchor[point] == one or (point < cells and own.colour[point] == 0 and _is_in(full, index, point)):
            continue
        first = (by * points + point) * FULLS
        for second in range(first, first + own.full_sizes[by * points + point]):
            if _is_apart(full, second, held, words):
                for k in range(words):
                    new[k] = held[k] | full[second, k]
                _note_full(one, point, new, own)


# ---- groups


@inlined
def _touch(one: int, cell: int, own: Net) -> None:
    """Record that an anchor touches an empty cell: a full connection with an empty carrier."""
    index = one * len(own.anchor) + cell
    if own.full_sizes[index] == 0:
        for k in range(own.words):
            own.new[k] = EMPTY
        _note_full(one, cell, own.new, own)


@inlined
def _begin_anchor(point: int, own: Net) -> int:
    """Add an anchor with empty lists; return its number."""
    state, points = own.state[0], len(own.anchor)
    result = state.anchors
    state.anchors += 1
    own.anchor[point] = result
    own.spots[result] = point
    own.leader[point] = point
    for index in range(result * points, (result + 1) * points):
        own.full_sizes[index] = 0
        own.semi_sizes[index] = 0
    return result


@inlined
def _flood(one: int, size: int, own: Net) -> None:
    """Flood an anchor from the pieces on the stack, and record the empty cells that it touches."""
    point, colour = own.spots[one], own.colour
    mine = own.state[0].player + 1
    while size > 0:
        size -= 1
        cell = own.stack[size]
        for place in range(1, own.near[cell, 0] + 1):
            other = own.near[cell, place]
            if colour[other] == 0:
                _touch(one, other, own)
            elif colour[other] == mine and own.leader[other] < 0:
                own.leader[other] = point
                own.stack[size] = other
                size += 1


@inlined
def _find_anchors(own: Net) -> None:
    """Make anchors of the player's regions and groups."""
    state, colour, cells = own.state[0], own.colour, len(own.near)
    for point in range(len(own.anchor)):
        own.leader[point] = -1
        own.anchor[point] = -1
    mine = state.player + 1
    for region in range(REGIONS):
        point = cells + REGIONS * state.player + region
        bit = 1 << (REGIONS * state.player + region)
        one = _begin_anchor(point, own)
        size = 0
        for cell in range(cells):
            if own.sides[cell] & bit == 0:
                continue
            if colour[cell] == 0:
                _touch(one, cell, own)
            elif colour[cell] == mine and own.leader[cell] < 0:
                own.leader[cell] = point
                own.stack[size] = cell
                size += 1
            elif colour[cell] == mine and own.leader[cell] != point:
                state.found = JOINED  # by pieces alone
        _flood(one, size, own)
    for cell in range(cells):
        if colour[cell] == mine and own.leader[cell] < 0 and state.anchors < ANCHORS:
            own.stack[0] = cell
            _flood(_begin_anchor(cell, own), 1, own)


# ---- entry points


@part
def find_connections(player: int, enough: int, own: Net) -> int:
    """Search for a connection between a player's regions: JOINED, IF_FIRST or NOTHING; stops once `enough` is found."""
    state, points = own.state[0], len(own.anchor)
    state.player = player
    state.found = NOTHING
    state.key = -1
    state.anchors = 0
    state.head = 0
    state.tail = 0
    for k in range(own.words):
        own.musts[k] = FULL
    _find_anchors(own)
    while state.head < state.tail and state.found < enough:
        index = own.queue[state.head]
        state.head += 1
        one, point = index // FULLS // points, index // FULLS % points
        for k in range(own.words):
            own.held[k] = own.full[index, k]
        other = own.anchor[point]
        if other < 0:
            _from_cell(one, point, index, own)
        else:
            _from_group(one, other, index, own)
            _from_group(other, one, index, own)
    return state.found


@compiled
def connections(player: int, enough: int, own: Net) -> int:
    """Call `find_connections` from Python."""
    return find_connections(player, enough, own)
