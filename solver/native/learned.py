"""A learned value of positions: weights of local patterns, summed up, and changed with the cells that a move changes.

A pattern is some cells of the board; its index is a number that has the contents of each cell as a digit, and for each
pattern there is a weight for each index. A position's sum is from the view of the first player's pieces. `sum_up` finds
it for a row, `value_after` for a row that a move leads to from there: it looks only at the patterns of cells that the
move changed, and leaves everything as it was. Numbers that the rules keep have a weight for each value, and are summed
up anew each time. `solver.learning.features` makes the arrays, `self_play` the weights.

Arrays: `row` and `after` uint64[words of a row], `contents` int64[cells], `indices` int64[patterns], `kept` int64[4], a
line of the numbers; `begin`, `touched`, `powers` and `bases` as `Learned` says.
"""

from __future__ import annotations

from typing import NamedTuple

import attrs

from interpreter.kernel.plain import EMPTY, ONE, lowest, number, word
from solver.native.functions import Line, Lines, Links, Records, Row, ValueOf, inlined

VALUE_UNIT = 1 << 20
"""What the game's `value` counts at most, for its own weight."""


@attrs.define(eq=False)
class Shape:
    """What is fixed about learned weights."""

    used: int = 0
    """Whether there are any."""
    words: int = 0
    """How many words of a row a set of cells has."""
    pieces: int = 0
    """How many contents a cell can have, the first of which is empty."""
    cells: int = 0
    patterns: int = 0
    numbers: int = 0
    to_move: int = 0
    seats: int = 0
    failure: int = 0
    """Where a row has these."""
    first_to_move: int = 0
    second_to_move: int = 0
    """What counts for the first player where the one or the other is to move."""
    term: int = 0
    """The weight of the game's `value`; 0 where it is not asked for."""
    scale: int = 0
    """The `value` that counts half of the most."""
    second: int = 0
    """How far behind its weights those begin that count where the second player is to move; 0 where they are the same.
    """


FIXED = ("begin", "touched", "powers", "bases", "numbers", "weights", "shape")
"""What threads may share of `Learned`: all but what is known of positions."""


class Learned(NamedTuple):
    """Weights, and what is known of the positions on the way to the one that is searched."""

    begin: Line
    """int64[cells + 1]: where the patterns of each cell begin in `touched`."""
    touched: Links
    """int32[n]: the patterns that look at a cell."""
    powers: Links
    """int32[n]: how much the cell's contents count in the pattern's index."""
    bases: Line
    """int64[patterns + numbers]: where the weights of each pattern begin, and of each number."""
    numbers: Lines
    """int64[numbers, 4]: for each where a row has it, its cell (-1 where it is a player's), its least value, and how
    many are told apart."""
    weights: Links
    """int32[n]"""
    contents: Lines
    """int64[levels, cells]: what stands on each cell."""
    indices: Lines
    """int64[levels, patterns]: where the weight of each pattern stands."""
    sums: Lines
    """int64[levels, 2]: of the patterns, where the first or the second player is to move."""
    shape: Records[Shape]
    """One."""


@inlined
def read_contents(row: Row, words: int, pieces: int, cells: int, contents: Line) -> None:
    """Find what stands on each cell of a row."""
    for cell in range(cells):
        contents[cell] = 0
    for piece in range(1, pieces):
        for w in range(words):
            left = row[piece * words + w]
            while left != EMPTY:
                contents[64 * w + lowest(left)] = piece
                left &= left - ONE


@inlined
def find_indices(begin: Line, touched: Links, powers: Links, bases: Line, contents: Line, indices: Line) -> None:
    """Find where the weight of each pattern stands."""
    for pattern in range(len(indices)):
        indices[pattern] = bases[pattern]
    for cell in range(len(begin) - 1):
        piece = contents[cell]
        if piece != 0:
            for k in range(begin[cell], begin[cell + 1]):
                indices[touched[k]] += piece * powers[k]


@inlined
def sum_up(own: Learned, row: Row, level: int) -> None:
    """Sum up a position of a level, which `value_after` begins from."""
    shape, contents, indices = own.shape[0], own.contents[level], own.indices[level]
    read_contents(row, shape.words, shape.pieces, shape.cells, contents)
    find_indices(own.begin, own.touched, own.powers, own.bases, contents, indices)
    total = 0
    for mover in range(2):
        if mover == 0 or shape.second != 0:
            total = 0
            for pattern in range(shape.patterns):
                total += own.weights[indices[pattern] + mover * shape.second]
        own.sums[level, mover] = total


@inlined
def changed_cells(row: Row, after: Row, words: int, pieces: int, part: int) -> int:
    """The cells of one word of a set on which something else stands after a move."""
    result = EMPTY
    for piece in range(pieces):
        result |= row[piece * words + part] ^ after[piece * words + part]
    return result


@inlined
def piece_at(row: Row, words: int, pieces: int, part: int, bit: int) -> int:
    """What stands on the cell of one bit of a word."""
    result = 0
    for piece in range(1, pieces):
        if row[piece * words + part] >> word(bit) & ONE != EMPTY:
            result = piece
    return result


@inlined
def value_of_number(row: Row, kept: Line) -> int:
    """Which of the values that are told apart a number has in a row."""
    return int(min(max(number(row[kept[0]]) - kept[2], 0), kept[3] - 1))


@inlined
def _mover(own: Learned, row: Row) -> int:
    """Whether the first or the second player is to move: 0 or 1."""
    shape = own.shape[0]
    return number(row[shape.to_move]) ^ number(row[shape.seats])


@inlined
def _sum_of_numbers(own: Learned, row: Row, mover: int) -> int:
    """What the numbers of a row weigh."""
    shape = own.shape[0]
    total = 0
    for k in range(shape.numbers):
        kept = own.numbers[k]
        index = own.bases[shape.patterns + k] + value_of_number(row, kept)
        if kept[1] >= 0:
            index += piece_at(row, shape.words, shape.pieces, kept[1] >> 6, kept[1] & 63) * kept[3]
        total += own.weights[index + mover * shape.second]
    return total


@inlined
def own_value(value_of: ValueOf, own: Learned, row: Row) -> int:
    """What the game's `value` says of a position; 0, without asking, where there are weights and its own is 0."""
    shape = own.shape[0]
    if shape.used != 0 and shape.term == 0:
        return 0
    return value_of(row)


@inlined
def value_after(own: Learned, row: Row, after: Row, level: int, value: int) -> int:
    """The value of a position after a move from the one that was summed up, for the player to move there.

    `value` is what `own_value` says of it.
    """
    shape, contents, indices = own.shape[0], own.contents[level], own.indices[level]
    mover = _mover(own, after)
    total, plane = own.sums[level, mover], mover * shape.second
    for w in range(shape.words):
        left = changed_cells(row, after, shape.words, shape.pieces, w)
        while left != EMPTY:
            bit = lowest(left)
            left &= left - ONE
            step = piece_at(after, shape.words, shape.pieces, w, bit) - contents[64 * w + bit]
            for k in range(own.begin[64 * w + bit], own.begin[64 * w + bit + 1]):
                before = indices[own.touched[k]]
                now = before + step * own.powers[k]
                total += own.weights[plane + now] - own.weights[plane + before]
                indices[own.touched[k]] = now
    for w in range(shape.words):
        left = changed_cells(row, after, shape.words, shape.pieces, w)
        while left != EMPTY:
            bit = lowest(left)
            left &= left - ONE
            step = piece_at(after, shape.words, shape.pieces, w, bit) - contents[64 * w + bit]
            for k in range(own.begin[64 * w + bit], own.begin[64 * w + bit + 1]):
                indices[own.touched[k]] -= step * own.powers[k]
    return seen_by_mover(own, after, total, value)


@inlined
def value_here(own: Learned, row: Row, level: int, value: int) -> int:
    """The value of a position for its player to move; it is summed up anew."""
    sum_up(own, row, level)
    return seen_by_mover(own, row, own.sums[level, _mover(own, row)], value)


@inlined
def value_of_row(value_of: ValueOf, own: Learned, row: Row, level: int) -> int:
    """The value of a position for its player to move, learned or the game's; what was learned is summed up anew."""
    value = own_value(value_of, own, row)
    if own.shape[0].used != 0:
        value = value_here(own, row, level, value)
    return value


@inlined
def seen_by_mover(own: Learned, row: Row, total: int, value: int) -> int:
    """A sum of patterns from the view of the player to move, with what counts besides them."""
    shape = own.shape[0]
    mover = _mover(own, row)
    total += _sum_of_numbers(own, row, mover)
    total += shape.first_to_move if mover == 0 else shape.second_to_move
    if mover != 0:
        total = -total
    if shape.term != 0:
        total += shape.term * term_of(value, shape.scale) // VALUE_UNIT
    return total


@inlined
def term_of(value: int, scale: int) -> int:
    """How much a `value` counts, from -VALUE_UNIT to VALUE_UNIT: half of the most at `scale`."""
    value = min(max(value, -(1 << 40)), 1 << 40)
    return value * VALUE_UNIT // (scale + abs(value))
