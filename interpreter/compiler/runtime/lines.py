"""Straight lines in sets of cells, and what is met from a cell in a direction."""

from __future__ import annotations

from interpreter.compiler.runtime.sets import (
    both,
    count,
    either,
    equal,
    has,
    holds,
    minus,
    moved,
    nothing,
    of_table,
    single,
    some,
)
from interpreter.compiler.runtime.types import (
    EMPTY,
    FULL,
    ONE,
    Bool,
    BoolOf,
    Cells,
    Int,
    Row,
    Sets,
    Static,
    Table,
    WordTable,
    extract,
    highest,
    members,
    unrolled,
)


def has_line_by_shifts(cells: Cells, backs: Table, each: Static, begins: Sets, bounded: Table, words: Static) -> Bool:
    """Whether a set contains a straight line of some length.

    For each direction, `backs` are the `each` distances in board order by which the first cells of runs are found, of
    one cell, then of more. Where cells are so far apart as those of a line, but no line begins (`bounded` is 1), it is
    seen at the end, once, by `begins`. Measured: 1.07 times as fast on 225 cells as to see it after each step.
    """
    found = nothing(words)
    for d in unrolled(range(len(bounded))):
        run = cells
        for k in unrolled(range(each)):
            run = both(run, moved(run, backs[d * each + k]))
        if bounded[d] == 1:
            run = both(run, begins[d])
        found = run if d == 0 else either(found, run)
    return some(found)


def has_line_by_table(cells: Cells, lines: WordTable, many: Static, words: Static) -> Bool:
    """Whether a set contains one of so many lines."""
    for k in range(many):
        line = of_table(lines, k, words)
        if equal(both(cells, line), line):
            return True
    return False


def completing_by_shifts(cells: Cells, lined: BoolOf, distances: Table, places: Sets, each: Static, everywhere: Sets,
                         words: Static) -> Cells:
    """The cells with any one of which a set contains a straight line; all cells, where it contains one.

    For each direction, `places` are the cells that can be the first, the second, and so on of the `each` cells of a
    line, and `distances` has how far a step is in board order.
    """
    if lined(cells):
        return everywhere[0]
    found = nothing(words)
    for d in unrolled(range(len(distances))):
        for k in unrolled(range(each)):
            run = places[d * each + k]
            for other in unrolled(range(each)):
                if other != k:
                    run = both(run, moved(cells, (k - other) * distances[d]))
            found = either(found, run)
    return found


def completing_by_table(cells: Cells, lines: WordTable, many: Static, everywhere: Sets, words: Static) -> Cells:
    """The same, by all lines in turn."""
    found = nothing(words)
    for k in range(many):
        missing = minus(of_table(lines, k, words), cells)
        lacking = count(missing)
        if lacking == 0:
            return everywhere[0]
        if lacking == 1:
            found = either(found, missing)
    return found


def in_lines(cells: Cells, lines: WordTable, many: Static, words: Static) -> Cells:
    """The cells of a set that stand in one of so many lines inside it."""
    found = nothing(words)
    for k in range(many):
        line = of_table(lines, k, words)
        if equal(both(cells, line), line):
            found = either(found, line)
    return found


def line_through(cells: Cells, cell: Int, lines: WordTable, starts: Table, words: Static) -> Bool:
    """Whether a set contains a line through a cell; `starts` says where those of each cell begin among the lines."""
    for k in range(starts[cell], starts[cell + 1]):
        line = of_table(lines, k, words)
        if equal(both(cells, line), line):
            return True
    return False


def line_along(cells: Cells, cell: Int, lines: WordTable, each: Static, shifts: Table) -> Bool:
    """Whether a set, of one word, contains a line of some length along one of the lines that a cell is on.

    `lines` has `each` whole lines for each cell, and `shifts` are those by which the first of runs are found.
    """
    i = cell * each
    found = EMPTY
    for d in unrolled(range(each)):
        run = extract(cells[0], lines[i + d])
        for k in unrolled(range(len(shifts))):
            run &= run >> shifts[k]
        found = run if d == 0 else found | run
    return found != EMPTY


def has_new_line(cells: Cells, fresh: Cells, through: BoolOf) -> Bool:
    """Whether a set contains a line with one of some fresh cells, by the lines through each cell."""
    for c in members(fresh):
        if through(cells, c):
            return True
    return False


def has_new_line_by_steps(cells: Cells, fresh: Cells, length: Static, steps: Table, count: Static) -> Bool:
    """Whether a set contains a straight line of so many cells with one of some fresh ones, by steps from these.

    `steps` has at (cell + 1) * count + direction the next cell, -1 for none; opposite directions are half the count
    apart.
    """
    for c in members(fresh):
        for d in range(count // 2):
            run = 1
            for side in unrolled(range(2)):
                place = steps[c * count + d + side * (count // 2) + count]
                while place >= 0 and has(cells, place):
                    run += 1
                    place = steps[place * count + d + side * (count // 2) + count]
            if run >= length:
                return True
    return False


def has_new_line_at(row: Row, at: Int, fresh: Cells, length: Static, steps: Table, count: Static) -> Bool:
    """The same for a set that begins at a place of a row."""
    for c in members(fresh):
        for d in range(count // 2):
            run = 1
            for side in unrolled(range(2)):
                place = steps[c * count + d + side * (count // 2) + count]
                while place >= 0 and holds(row, at, place):
                    run += 1
                    place = steps[place * count + d + side * (count // 2) + count]
            if run >= length:
                return True
    return False


# ---- rays


def ray(cell: Int, direction: Int, within: Cells, rays: WordTable, upward: Table, count: Static,
        words: Static) -> Cells:
    """The cells met from a cell in a direction as long as they are in a set.

    `rays` are all cells met, by cell and direction, on boards where they lie in board order: forth where `upward` is 1,
    else back. What is before the first stop, or after the last, is found word by word.
    """
    whole = of_table(rays, cell * count + direction, words)
    stop = minus(whole, within)
    if upward[direction] != 0:
        for part in unrolled(range(len(whole) - 1)):
            if stop[part] != EMPTY:
                return tuple(whole[k] if k < part else whole[k] & ~stop[k] & (stop[k] - ONE) if k == part else EMPTY
                             for k in range(len(whole)))
        return tuple(whole[k] if k < len(whole) - 1 else whole[k] & ~stop[k] & (stop[k] - ONE)
                     for k in range(len(whole)))
    for part in unrolled(range(len(whole) - 1, -1, -1)):
        if stop[part] != EMPTY:
            return tuple(EMPTY if k < part else whole[k] & ((FULL << highest(stop[k])) << 1) if k == part else whole[k]
                         for k in range(len(whole)))
    return whole


def ray_by_steps(cell: Int, direction: Int, within: Cells, steps: Table, count: Static, words: Static) -> Cells:
    """The same, by steps."""
    found = nothing(words)
    place = steps[cell * count + direction + count]
    while place >= 0 and has(within, place):
        found = either(found, single(place, words))
        place = steps[place * count + direction + count]
    return found


def first_seen(cell: Int, direction: Int, empty: Cells, steps: Table, count: Static) -> Int:
    """The first cell from one on in a direction that is not empty, -1 where there is none or from none."""
    place = steps[cell * count + direction + count]
    while place >= 0 and has(empty, place):
        place = steps[place * count + direction + count]
    return place


def cells_reached(cell: Int, direction: Int, through: Cells, steps: Table, count: Static, words: Static) -> Cells:
    """The cells of a set from one on in a direction, and the first that is not in it; none from none."""
    found = nothing(words)
    place = steps[cell * count + direction + count]
    while place >= 0 and has(through, place):
        found = either(found, single(place, words))
        place = steps[place * count + direction + count]
    if place >= 0:
        found = either(found, single(place, words))
    return found


def came_from(cells: Cells, direction: Int, goals: WordTable, back: Table, forth: Table) -> Cells:
    """The cells from which a step in a direction leads into a set, of one word."""
    return tuple((cells[k] & goals[direction]) >> back[direction] << forth[direction] for k in range(len(cells)))


def seeing(within: Cells, goal: Cells, reached: Sets, back: Static, most: Static) -> Cells:
    """The cells of a set from which one meets a goal in it, going one way: `back` is how far a step is the other way.

    `reached` is where steps lead, and `most` how many it takes but for the first.
    """
    found = both(within, goal)
    for _ in range(most):
        found = either(found, both(within, moved(both(found, reached[0]), back)))
    return found


def leap(cell: Int, one: Int, other: Int, row_of: Table, column_of: Table, cell_at: Table, row_count: Static,
         column_count: Static, words: Static) -> Cells:
    """The cells so many rows and columns away, either way round.

    `cell_at` has the cells by rows, -1 where there is none.
    """
    found = nothing(words)
    if cell < 0:
        return found
    for k in range(8):
        down = one if k < 4 else other
        across = other if k < 4 else one
        at_row = row_of[cell] + (down if k & 1 == 0 else -down)
        at_column = column_of[cell] + (across if k & 2 == 0 else -across)
        if 0 <= at_row < row_count and 0 <= at_column < column_count:
            target = cell_at[at_row * column_count + at_column]
            if target >= 0:
                found = either(found, single(target, words))
    return found


def laid(kind: Int, cell: Int, up: Int, right: Int, first: Table, mark_up: Table, mark_right: Table, down_of: Table,
         across_of: Table, row_of: Table, column_of: Table, cell_at: Table, row_count: Static, column_count: Static,
         words: Static) -> Cells:
    """The cells that a shape covers, the up of its drawing towards one direction and its right towards another.

    The marks of each kind begin in `mark_up` and `mark_right` where `first` says; no cell is covered where the two
    directions are not at right angles.
    """
    found = nothing(words)
    if kind < 0 or cell < 0 or down_of[up] * down_of[right] + across_of[up] * across_of[right] != 0:
        return found
    for mark in range(first[kind], first[kind + 1]):
        at_row = row_of[cell] + mark_up[mark] * down_of[up] + mark_right[mark] * down_of[right]
        at_column = column_of[cell] + mark_up[mark] * across_of[up] + mark_right[mark] * across_of[right]
        if 0 <= at_row < row_count and 0 <= at_column < column_count:
            target = cell_at[at_row * column_count + at_column]
            if target >= 0:
                found = either(found, single(target, words))
    return found
