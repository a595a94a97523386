"""A learned evaluation: the sum of the weights of local patterns, updated incrementally after a move.

A pattern is a set of cells; its index is a number with the content of each cell as a digit, and each pattern has a
weight for each index. A position's sum is from the view of the first player's pieces. `sum_up` computes it for a row,
`value_after` for the row after a move from there: it visits only the patterns of cells that the move changed, and
restores the state. Numbers that the rules keep have a weight for each value, and are summed up anew each time.
`solver.learning.features` makes the arrays, `self_play` the weights.

Arrays: `row` and `after` uint64[words of a row], `contents` int64[cells], `indices` int64[patterns], `kept` int64[4], a
line of `Learned.numbers`; `begin`, `touched`, `powers` and `bases` as in `Learned`.
"""

from __future__ import annotations

from typing import NamedTuple

import attrs

from interpreter.kernel.plain import EMPTY, ONE, lowest, number, word
from solver.native.functions import Line, Lines, Links, Records, Row, ValueOf, inlined

VALUE_UNIT = 1 << 20
"""The limit of the game's `value` in fixed-point units, before it is multiplied by its weight."""


@attrs.define(eq=False)
class Shape:
    """The constants of learned weights."""

    used: int = 0
    """Whether there are learned weights."""
    words: int = 0
    """The number of words of a row that a set of cells takes."""
    pieces: int = 0
    """The number of contents that a cell can have; the first is empty."""
    cells: int = 0
    patterns: int = 0
    numbers: int = 0
    to_move: int = 0
    seats: int = 0
    failure: int = 0
    """The indices of these words in a row."""
    first_to_move: int = 0
    second_to_move: int = 0
    """The bonus for the first player when the first or the second player is to move."""
    term: int = 0
    """The weight of the game's `value`; 0 if it is not used."""
    scale: int = 0
    """The `value` that counts half of `VALUE_UNIT`."""
    second: int = 0
    """The offset from a weight to the one for positions with the second player to move; 0 where they are the same."""


FIXED = ("begin", "touched", "powers", "bases", "numbers", "weights", "shape")
"""The fields of `Learned` that threads may share: all but those with the state of positions."""


class Learned(NamedTuple):
    """Weights, and the pattern indices and sums of the positions on the path to the one that is searched."""

    begin: Line
    """int64[cells + 1]: where the patterns of each cell begin in `touched`."""
    touched: Links
    """int32[n]: the patterns that look at a cell."""
    powers: Links
    """int32[n]: the place value of the cell's content in the pattern's index."""
    bases: Line
    """int64[patterns + numbers]: where the weights of each pattern, and of each number, begin."""
    numbers: Lines
    """int64[numbers, 4]: for each number the index of its word in a row, its cell (-1 if it belongs to a player), its
    least value, and how many values have weights of their own."""
    weights: Links
    """int32[n]"""
    contents: Lines
    """int64[levels, cells]: the content of each cell."""
    indices: Lines
    """int64[levels, patterns]: the index of the weight of each pattern."""
    sums: Lines
    """int64[levels, 2]: the pattern sum with the first or the second player to move."""
    shape: Records[Shape]
    """A single record."""


@inlined
def read_contents(row: Row, words: int, pieces: int, cells: int, contents: Line) -> None:
    """Write the content of each cell of a row."""
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
    """Write the index of the weight of each pattern."""
    for pattern in range(len(indices)):
        indices[pattern] = bases[pattern]
    for cell in range(len(begin) - 1):
        piece = contents[cell]
        if piece != 0:
            for k in range(begin[cell], begin[cell + 1]):
                indices[touched[k]] += piece * powers[k]


@inlined
def sum_up(own: Learned, row: Row, level: int) -> None:
    """Compute a position's pattern indices and sums at a level, from which `value_after` starts."""
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
    """The cells whose content a move changed, in one word of a set."""
    result = EMPTY
    for piece in range(pieces):
        result |= row[piece * words + part] ^ after[piece * words + part]
    return result


@inlined
def piece_at(row: Row, words: int, pieces: int, part: int, bit: int) -> int:
    """The content of the cell that belongs to a bit of a word."""
    result = 0
    for piece in range(1, pieces):
        if row[piece * words + part] >> word(bit) & ONE != EMPTY:
            result = piece
    return result


@inlined
def value_of_number(row: Row, kept: Line) -> int:
    """A number's value in a row, counted from its least value and clamped to those with weights of their own."""
    return int(min(max(number(row[kept[0]]) - kept[2], 0), kept[3] - 1))


@inlined
def _mover(own: Learned, row: Row) -> int:
    """The colour of the player to move: 0 for the first player's pieces, 1 for the second's."""
    shape = own.shape[0]
    return number(row[shape.to_move]) ^ number(row[shape.seats])


@inlined
def _sum_of_numbers(own: Learned, row: Row, mover: int) -> int:
    """The sum of the weights of a row's numbers."""
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
    """The game's `value` of a position; 0, without a call, if there are learned weights and that of `value` is 0."""
    shape = own.shape[0]
    if shape.used != 0 and shape.term == 0:
        return 0
    return value_of(row)


@inlined
def value_after(own: Learned, row: Row, after: Row, level: int, value: int) -> int:
    """The value of the position after a move from the one summed up at `level`, for the player to move after it.

    `value` is its `own_value`.
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
    """The learned value of a position for its player to move, summed up anew."""
    sum_up(own, row, level)
    return seen_by_mover(own, row, own.sums[level, _mover(own, row)], value)


@inlined
def value_of_row(value_of: ValueOf, own: Learned, row: Row, level: int) -> int:
    """The value of a position for its player to move: the game's or, summed up anew, the learned one."""
    value = own_value(value_of, own, row)
    if own.shape[0].used != 0:
        value = value_here(own, row, level, value)
    return value


@inlined
def seen_by_mover(own: Learned, row: Row, total: int, value: int) -> int:
    """The value for the player to move from a pattern sum: adds the numbers, the bonus to move and the game's `value`.
    """
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
    """A game's `value` squashed to between -VALUE_UNIT and VALUE_UNIT; `scale` gives half of the limit."""
    value = min(max(value, -(1 << 40)), 1 << 40)
    return value * VALUE_UNIT // (scale + abs(value))
