"""Straight lines in sets of cells, and rays from a cell in a direction."""

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
    """Whether a set contains a straight line of a given length.

    For each direction, `backs` has `each` distances in board order; and-ing a run with itself, shifted by each of them
    in turn, leaves the first cells of ever longer runs. Where cells can be as far apart as those of a line without
    forming one (`bounded` is 1), the result is masked once at the end by `begins`, the cells at which a line can begin.
    Measured: 1.07 times as fast on 225 cells as masking after each step.
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
    """Whether a set contains one of the lines in a table."""
    for k in range(many):
        line = of_table(lines, k, words)
        if equal(both(cells, line), line):
            return True
    return False


def completing_by_shifts(cells: Cells, lined: BoolOf, distances: Table, places: Sets, each: Static, everywhere: Sets,
                         words: Static) -> Cells:
    """The cells each of which would complete a straight line in a set; all cells, where it contains one already.

    For each direction, `places` are the cells that can be the first, the second, and so on of the `each` cells of a
    line, and `distances` has the length of a step in board order.
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
    """The same, by testing each line of a table."""
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
    """The cells of a set that are on a line of a table inside the set."""
    found = nothing(words)
    for k in range(many):
        line = of_table(lines, k, words)
        if equal(both(cells, line), line):
            found = either(found, line)
    return found


def line_through(cells: Cells, cell: Int, lines: WordTable, starts: Table, words: Static) -> Bool:
    """Whether a set contains a line through a cell; `starts` has the index of each cell's first line."""
    for k in range(starts[cell], starts[cell + 1]):
        line = of_table(lines, k, words)
        if equal(both(cells, line), line):
            return True
    return False


def line_along(cells: Cells, cell: Int, lines: WordTable, each: Static, shifts: Table) -> Bool:
    """Whether a set of one word contains a line of a given length along one of the whole lines through a cell.

    `lines` has `each` whole lines for each cell; and-ing the extracted cells with their shifts by `shifts` leaves the
    first cells of runs.
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
    """Whether a set contains a line through one of the cells `fresh`, tested by `through`."""
    for c in members(fresh):
        if through(cells, c):
            return True
    return False


def has_new_line_by_steps(cells: Cells, fresh: Cells, length: Static, steps: Table, count: Static) -> Bool:
    """Whether a set contains a straight line of `length` cells through one of the cells `fresh`, by steps from these.

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
    """The same for the set that begins at index `at` of a row."""
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

    `rays` are whole rays by cell and direction, on boards where their cells are in board order: ascending where
    `upward` is 1, else descending. The cells before the first blocker, or after the last, are found word by word.
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
    """The same, step by step."""
    found = nothing(words)
    place = steps[cell * count + direction + count]
    while place >= 0 and has(within, place):
        found = either(found, single(place, words))
        place = steps[place * count + direction + count]
    return found


def steps_ahead(cell: Int, direction: Int, number: Int, steps: Table, count: Static, half: Static) -> Int:
    """The cell a number of steps away in a direction, backwards where it is negative; -1 off the board or for no cell.
    """
    way = direction
    left = number
    if left < 0:
        way = (direction + half) % count
        left = -left
    place = cell
    while left > 0 and place >= 0:
        place = steps[place * count + way + count]
        left -= 1
    return place


def first_seen(cell: Int, direction: Int, empty: Cells, steps: Table, count: Static) -> Int:
    """The first cell in a direction that is not empty, -1 where there is none or where `cell` is -1."""
    place = steps[cell * count + direction + count]
    while place >= 0 and has(empty, place):
        place = steps[place * count + direction + count]
    return place


def cells_reached(cell: Int, direction: Int, through: Cells, steps: Table, count: Static, words: Static) -> Cells:
    """The cells met in a direction while they are in a set, and the first that is not; none where `cell` is -1."""
    found = nothing(words)
    place = steps[cell * count + direction + count]
    while place >= 0 and has(through, place):
        found = either(found, single(place, words))
        place = steps[place * count + direction + count]
    if place >= 0:
        found = either(found, single(place, words))
    return found


def came_from(cells: Cells, direction: Int, goals: WordTable, back: Table, forth: Table) -> Cells:
    """The cells from which a step in a direction leads into a set of one word."""
    return tuple((cells[k] & goals[direction]) >> back[direction] << forth[direction] for k in range(len(cells)))


def seeing(within: Cells, goal: Cells, reached: Sets, back: Static, most: Static) -> Cells:
    """The cells of a set from which steps in one direction inside the set meet a goal.

    `back` is the distance in board order of a step in the opposite direction, `reached` the cells that steps lead to,
    and `most` the greatest number of steps besides the first.
    """
    found = both(within, goal)
    for _ in range(most):
        found = either(found, both(within, moved(both(found, reached[0]), back)))
    return found


def leap(cell: Int, one: Int, other: Int, row_of: Table, column_of: Table, cell_at: Table, row_count: Static,
         column_count: Static, words: Static) -> Cells:
    """The cells `one` row and `other` columns away, or the reverse, in all directions.

    `cell_at` has the cells in row-major order, -1 where there is none.
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
    """The cells that a shape covers with its drawing's up in direction `up`, and its right in direction `right`.

    `first` has the index in `mark_up` and `mark_right` at which the marks of each kind begin. The set is empty where
    the two directions are not at right angles.
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
