"""Puts pieces on cells, moves them by a step, and rotates them about the centre of a set."""

from __future__ import annotations

from typing import NamedTuple

from interpreter.compiler.runtime.sets import at, both, either, has, minus, nothing, single, store
from interpreter.compiler.runtime.types import ONE, Bool, Cells, Int, Row, Static, Table, members, unrolled


class Turn(NamedTuple):
    """A rotation of the plane, and the coordinates of cells.

    It maps (x, y), relative to the centre of a set, to (from_x * x + from_y * y, to_x * x + to_y * y).
    """

    xs: Table
    ys: Table
    """The coordinates of each cell."""
    from_x: Static
    from_y: Static
    to_x: Static
    to_y: Static
    low_x: Static
    low_y: Static
    """The lowest corner of the bounding rectangle of all cells."""
    high: Static
    """The number of its columns of points."""
    wide: Static
    """The number of points in a column."""
    cell_of: Table
    """The cell at each of its points, column by column, -1 for none."""


def put(row: Row, cell: Int, piece: Int, pieces: Static, words: Static) -> None:
    """Put a piece on a cell."""
    if words == 1:
        bit = ONE << cell
        for p in unrolled(range(pieces)):
            row[p] &= ~bit
        row[piece] |= bit
    else:
        bit = ONE << (cell & 63)
        part = cell >> 6
        for p in unrolled(range(pieces)):
            row[p * words + part] &= ~bit
        row[piece * words + part] |= bit


def put_all(row: Row, cells: Cells, piece: Int, pieces: Static, words: Static) -> None:
    """Put a piece on every cell of a set."""
    for p in range(pieces):
        store(row, p * words, minus(at(row, p * words, words), cells))
    store(row, piece * words, either(at(row, piece * words, words), cells))


def slide(row: Row, window: Cells, way: Int, steps: Table, directions: Static, pieces: Static, words: Static) -> None:
    """Move every piece of a set by one step; pieces that leave it are lost, and of two that meet the later kind stays.

    `steps` has for each cell the next cell in each direction, -1 for none, after a first row for no cell.
    """
    free = window
    for p in range(1, pieces):
        held = both(at(row, p * words, words), window)
        arrived = nothing(words)
        for c in members(held):
            target = steps[c * directions + way + directions]
            if target >= 0 and has(window, target):
                arrived = either(arrived, single(target, words))
        store(row, p * words, either(minus(at(row, p * words, words), held), arrived))
        for q in range(1, p):
            store(row, q * words, minus(at(row, q * words, words), arrived))
        free = minus(free, arrived)
    store(row, 0, either(minus(at(row, 0, words), window), free))


def turned(cell: Int, size: Int, x_sum: Int, y_sum: Int, by: Turn) -> Int:
    """The image of a cell under the rotation of a set with `size` cells and these coordinate sums; -1 for none."""
    x = size * by.xs[cell] - x_sum
    y = size * by.ys[cell] - y_sum
    u = by.from_x * x + by.from_y * y + x_sum
    v = by.to_x * x + by.to_y * y + y_sum
    if u % size != 0 or v % size != 0:
        return -1
    u = u // size - by.low_x
    v = v // size - by.low_y
    if u < 0 or u >= by.high or v < 0 or v >= by.wide:
        return -1
    return by.cell_of[u * by.wide + v]


def turn(row: Row, window: Cells, pieces: Static, words: Static, by: Turn) -> Bool:
    """Rotate the pieces of a set about its centre; False, without a change, where the set is not mapped onto itself."""
    size = 0
    x_sum = 0
    y_sum = 0
    for c in members(window):
        size += 1
        x_sum += by.xs[c]
        y_sum += by.ys[c]
    for c in members(window):
        target = turned(c, size, x_sum, y_sum, by)
        if target < 0 or not has(window, max(target, 0)):
            return False
    free = window
    for p in range(1, pieces):
        held = both(at(row, p * words, words), window)
        arrived = nothing(words)
        for c in members(held):
            arrived = either(arrived, single(turned(c, size, x_sum, y_sum, by), words))
        store(row, p * words, either(minus(at(row, p * words, words), held), arrived))
        free = minus(free, arrived)
    store(row, 0, either(minus(at(row, 0, words), window), free))
    return True
