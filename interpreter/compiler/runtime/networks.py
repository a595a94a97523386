"""Networks: cells of a set joined to their neighbours, cells joined by links, and tiles with tracks of a player.

A network is given by the row, its cells, and the player whose tracks they are (0 where it has no tracks). Only the
functions of the first section differ between kinds of networks: the parameters `to` and `joined_with` of the others are
functions of that section.
"""

from __future__ import annotations

from interpreter.compiler.runtime.sets import (
    at,
    both,
    count,
    either,
    equal,
    first,
    first_taken,
    has,
    last_taken,
    minus,
    nothing,
    of_table,
    single,
    some,
    store,
)
from interpreter.compiler.runtime.types import (
    EMPTY,
    Bool,
    BoolOf,
    Cells,
    CellsOf,
    Int,
    IntOf,
    Row,
    Sets,
    Static,
    Table,
    WordTable,
    members,
    unrolled,
)

# ---- adjacency


def cell_joined_to(state: Row, cells: Cells, player: Int, cell: Int, near: WordTable, words: Static) -> Cells:
    """The cells of a network that a cell of it is joined to."""
    return both(of_table(near, cell, words), cells)


def track_joined_to(state: Row, cells: Cells, player: Int, cell: Int, sides: Table, steps: Table, count: Static,
                    piece_on: IntOf, words: Static) -> Cells:
    """The cells of a network that a cell of it is joined to: where tracks of the player meet."""
    found = nothing(words)
    own = piece_on(state, cell) * count
    for d in range(count):
        if sides[own + d] == player:
            place = steps[cell * count + d + count]
            if place >= 0 and sides[piece_on(state, place) * count + (d + count // 2) % count] == player:
                found = either(found, single(place, words))
    return found


def link_joined_to(state: Row, cells: Cells, player: Int, cell: Int, starts: Table, numbers: Table, ends: Table,
                   there: BoolOf, words: Static) -> Cells:
    """The cells of a network that a cell of it is joined to: those at the other ends of links."""
    found = nothing(words)
    for k in range(starts[cell], starts[cell + 1]):
        if there(state, numbers[k]):
            found = either(found, single(ends[k], words))
    return both(found, cells)


def cut_joined_to(state: Row, cells: Cells, player: Int, cell: Int, starts: Table, numbers: Table, ends: Table,
                  begin: Static, words: Static) -> Cells:
    """The cells of a network that a cell of it is joined to: neighbours whose common border is not closed."""
    found = nothing(words)
    for k in range(starts[cell], starts[cell + 1]):
        if numbers[k] < 0 or state[begin + numbers[k]] == EMPTY:
            found = either(found, single(ends[k], words))
    return both(found, cells)


def cut_joined_with(state: Row, cells: Cells, player: Int, cell: Int, extra: Cells, starts: Table, numbers: Table,
                    ends: Table, begin: Static, words: Static) -> Cells:
    """The cells that a cell is or would be joined to if the extra cells were part of the network."""
    found = nothing(words)
    for k in range(starts[cell], starts[cell + 1]):
        if numbers[k] < 0 or state[begin + numbers[k]] == EMPTY:
            found = either(found, single(ends[k], words))
    return both(found, either(cells, extra))


def cell_joined_with(state: Row, cells: Cells, player: Int, cell: Int, extra: Cells, near: WordTable,
                     words: Static) -> Cells:
    """The cells that a cell is or would be joined to if the extra cells were part of the network."""
    return both(of_table(near, cell, words), either(cells, extra))


def track_joined_with(state: Row, cells: Cells, player: Int, cell: Int, extra: Cells, to: CellsOf) -> Cells:
    """The cells that a cell is joined to: extra cells add no tracks."""
    return to(state, cells, player, cell)


def link_joined_with(state: Row, cells: Cells, player: Int, cell: Int, extra: Cells, starts: Table, numbers: Table,
                     ends: Table, there: BoolOf, crossed_by: BoolOf, words: Static) -> Cells:
    """The cells that a cell is or would be joined to if the extra cells were part of the network and linked to it."""
    found = nothing(words)
    own = has(extra, cell)
    for k in range(starts[cell], starts[cell + 1]):
        if there(state, numbers[k]) or ((own or has(extra, ends[k])) and not crossed_by(state, numbers[k])):
            found = either(found, single(ends[k], words))
    return both(found, either(cells, extra))


# ---- connected components


def cell_reached(state: Row, cells: Cells, player: Int, start: Cells, flooded: CellsOf) -> Cells:
    """The cells of a network connected to those of a set."""
    return flooded(start, cells)


def reached(state: Row, cells: Cells, player: Int, start: Cells, to: CellsOf, words: Static) -> Cells:
    """The cells of a network connected to those of a set."""
    found = both(start, cells)
    frontier = found
    while some(frontier):
        grown = nothing(words)
        for c in members(frontier):
            grown = either(grown, to(state, cells, player, c))
        frontier = minus(grown, found)
        found = either(found, frontier)
    return found


def joined(state: Row, cells: Cells, player: Int, start: Cells, goals: Sets, reached_from: CellsOf,
           words: Static) -> Bool:
    """Whether a connected component with a cell of `start` has a cell of each of the sets `goals`."""
    if len(goals) == 1:
        return some(both(reached_from(state, cells, player, start), goals[0]))
    rest = both(start, cells)
    while some(rest):
        part = reached_from(state, cells, player, single(first(rest), words))
        meets = some(both(part, goals[0]))
        for k in unrolled(range(1, len(goals))):
            meets = meets and some(both(part, goals[k]))
        if meets:
            return True
        rest = minus(rest, part)
    return False


def joining(row: Row, kept: Int, whole: Cells, start: Cells, flooded: CellsOf, near: WordTable, words: Static) -> Cells:
    """The cells connected to a set, updated from the result that the row keeps of the last call.

    At index `kept` the row has all cells of the network as they were, followed by those that were connected.
    """
    seen = at(row, kept, words)
    found = at(row, kept + words, words)
    if equal(seen, whole):
        return found
    fresh = minus(whole, seen)
    if some(minus(seen, whole)):
        found = nothing(words)
        fresh = whole
    border = both(fresh, start)
    for c in members(fresh):
        if some(both(of_table(near, c, words), found)):
            border = either(border, single(c, words))
    store(row, kept, whole)
    if some(border):
        found = flooded(either(found, border), whole)
    store(row, kept + words, found)
    return found


def loop(state: Row, cells: Cells, player: Int, reached_from: CellsOf, to: CellsOf, words: Static) -> Bool:
    """Whether a network has a cycle."""
    left = cells
    while some(left):
        whole = reached_from(state, cells, player, single(first(left), words))
        joints = 0
        for c in members(whole):
            joints += count(to(state, cells, player, c))
        if joints >= 2 * count(whole):
            return True
        left = minus(left, whole)
    return False


def spans(state: Row, cells: Cells, player: Int, least: Int, everything: Sets, rows: WordTable, row_count: Static,
          columns: WordTable, column_count: Static, north: Static, south: Static, west: Static, east: Static,
          reached_from: CellsOf, leaving_by: CellsOf, words: Static) -> Bool:
    """Whether a component leads out at opposite edges of the occupied area, which are at least `least` cells apart."""
    occupied = minus(everything[0], at(state, 0, words))
    if not some(occupied):
        return False
    if spans_stripes(state, cells, player, least, occupied, rows, row_count, north, south, reached_from, leaving_by,
                     words):
        return True
    return spans_stripes(state, cells, player, least, occupied, columns, column_count, west, east, reached_from,
                         leaving_by, words)


def spans_stripes(state: Row, cells: Cells, player: Int, least: Int, occupied: Cells, stripes: WordTable, many: Static,
                  one: Static, other: Static, reached_from: CellsOf, leaving_by: CellsOf, words: Static) -> Bool:
    """Whether a component leads out of the first occupied stripe in direction `one`, and out of the last in `other`."""
    top = first_taken(occupied, stripes, words)
    bottom = last_taken(occupied, stripes, many, words)
    if bottom - top + 1 < least:
        return False
    start = both(leaving_by(state, cells, player, one), of_table(stripes, top, words))
    goal = both(leaving_by(state, cells, player, other), of_table(stripes, bottom, words))
    return some(start) and some(goal) and some(both(reached_from(state, cells, player, start), goal))


# ---- shortest paths


def cell_distance(state: Row, cells: Cells, player: Int, start: Cells, goal: Cells, extra: Cells, reached_from: CellsOf,
                  neighbours_of: CellsOf, size: Static) -> Int:
    """The least number of extra cells that connect two sets through a network; the board's size where none do.

    A breadth-first search that expands a whole level of cells at once.
    """
    extra = minus(extra, cells)
    seen = reached_from(state, cells, player, start)
    waiting = both(start, extra)
    steps = 0
    while not some(both(seen, goal)):
        steps += 1
        level = minus(both(either(neighbours_of(seen), waiting), extra), seen)
        if not some(level):
            return size
        seen = either(seen, level)
        fresh = minus(both(neighbours_of(level), cells), seen)
        if some(fresh):
            seen = either(seen, reached_from(state, cells, player, fresh))
    return steps


def distance(state: Row, cells: Cells, player: Int, start: Cells, goal: Cells, extra: Cells, reached_from: CellsOf,
             around_of: CellsOf, size: Static, words: Static) -> Int:
    """The least number of extra cells that connect two sets through a network; the board's size where none do."""
    extra = minus(extra, cells)
    seen = reached_from(state, cells, player, start)
    level = seen
    waiting = both(start, extra)
    steps = 0
    while not some(both(seen, goal)):
        steps += 1
        waiting = either(waiting, around_of(state, cells, player, level, extra))
        level = minus(both(waiting, extra), seen)
        if not some(level):
            return size
        fresh = minus(around_of(state, cells, player, level, extra), seen)
        level = either(level, reached_from(state, cells, player, fresh))
        seen = either(seen, level)
        waiting = nothing(words)
    return steps


def contested(state: Row, cells: Cells, player: Int, start: Cells, goal: Cells, extra: Cells, reached_from: CellsOf,
              around_of: CellsOf, joined_with: CellsOf, size: Static, words: Static) -> Int:
    """The number of extra cells that connect one set to another where each is answered by taking away the best
    continuation; the board's size where none do.

    An extra cell is reached from an adjacent reached component, or from two adjacent reached extra cells; a component
    from two adjacent reached extra cells.
    """
    extra = minus(extra, cells)
    parts = reached_from(state, cells, player, start)
    fresh = parts
    near = nothing(words)
    coming = both(start, extra)
    steps = 0
    while not some(both(parts, goal)) and count(both(near, goal)) < 2:
        coming = either(coming, both(around_of(state, cells, player, fresh, extra), extra))
        for c in members(minus(both(around_of(state, cells, player, near, extra), extra), near)):
            if count(both(joined_with(state, cells, player, c, extra), near)) >= 2:
                coming = either(coming, single(c, words))
        coming = minus(coming, near)
        if not some(coming):
            return size
        near = either(near, coming)
        steps += 1
        fresh = nothing(words)
        left = minus(both(around_of(state, cells, player, coming, extra), cells), parts)
        while some(left):
            part = reached_from(state, cells, player, single(first(left), words))
            if count(both(around_of(state, cells, player, part, extra), near)) >= 2:
                fresh = either(fresh, part)
            left = minus(left, part)
        parts = either(parts, fresh)
        coming = nothing(words)
    return steps


def cell_around(state: Row, cells: Cells, player: Int, level: Cells, extra: Cells, neighbours_of: CellsOf) -> Cells:
    """The neighbours of the cells of a level."""
    return neighbours_of(level)


def around(state: Row, cells: Cells, player: Int, level: Cells, extra: Cells, joined_with: CellsOf,
           words: Static) -> Cells:
    """The cells that those of a level are or would be joined to if the extra cells were part of the network."""
    found = nothing(words)
    for c in members(level):
        found = either(found, joined_with(state, cells, player, c, extra))
    return found


def ways(state: Row, cells: Cells, player: Int, start: Cells, goal: Cells, extra: Cells, arrivals: Static,
         reached_from: CellsOf, around_of: CellsOf, words: Static) -> Cells:
    """The extra cells on the shortest paths between two sets, or the cells of the network at which such paths arrive.

    The distances of adjacent cells differ by at most one. So the distances modulo three are enough to trace the
    shortest paths back from the other set.
    """
    extra = minus(extra, cells)
    seen = reached_from(state, cells, player, start)
    level = seen
    zero = seen
    one = nothing(words)
    two = nothing(words)
    waiting = both(start, extra)
    steps = 0
    while not some(both(seen, goal)):
        steps += 1
        waiting = either(waiting, around_of(state, cells, player, level, extra))
        level = minus(both(waiting, extra), seen)
        if not some(level):
            return nothing(words)
        fresh = minus(around_of(state, cells, player, level, extra), seen)
        level = either(level, reached_from(state, cells, player, fresh))
        seen = either(seen, level)
        waiting = nothing(words)
        if steps % 3 == 0:
            zero = either(zero, level)
        elif steps % 3 == 1:
            one = either(one, level)
        else:
            two = either(two, level)
    found = nothing(words)
    ahead = both(seen, goal)
    while steps > 0:
        plane = zero
        if steps % 3 == 1:
            plane = one
        if steps % 3 == 2:
            plane = two
        ahead = both(ahead, plane)
        chain = reached_from(state, cells, player, ahead)
        allowed = both(extra, plane)
        leading = both(around_of(state, cells, player, chain, extra), allowed)
        if arrivals == 1:
            found = either(found, both(chain, around_of(state, cells, player, leading, extra)))
        level = either(leading, both(ahead, extra))
        if arrivals == 0:
            found = either(found, level)
        ahead = around_of(state, cells, player, level, extra)
        steps -= 1
    return found
