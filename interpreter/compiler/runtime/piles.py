"""Piles: the pieces that lie under the tops, which the sets of cells are of.

Each cell has `parts` words, those of part k at `start + k * size`. A word holds up to `digits` pieces of `bits` bits,
the highest covered piece in the lowest bits of part 0; an empty digit is 0. So a piece that is put on top shifts them.
"""

from __future__ import annotations

from interpreter.compiler.runtime.pieces import piece_at
from interpreter.compiler.runtime.placing import Turn, put, turned
from interpreter.compiler.runtime.sets import at, count, has, holds
from interpreter.compiler.runtime.types import (
    EMPTY,
    ONE,
    Cells,
    Int,
    Row,
    Static,
    Table,
    highest,
    members,
    number,
    row,
    word,
)

# ---- asked


def pile_height(state: Row, cell: Int, start: Static, size: Static, parts: Static, bits: Static, digits: Static) -> Int:
    """How many pieces lie on a cell."""
    if holds(state, 0, cell):
        return 0
    for part in range(parts - 1, -1, -1):
        rest = state[start + part * size + cell]
        if rest != EMPTY:
            return part * digits + highest(rest) // bits + 2
    return 1


def pile_below(state: Row, cell: Int, k: Int, start: Static, size: Static, parts: Static, bits: Static, digits: Static,
               pieces: Static, words: Static) -> Int:
    """The piece with k pieces on it, 0 where there is none; -1 where there is no cell."""
    if cell < 0:
        return -1
    if k == 0:
        return piece_at(state, cell, pieces, words)
    if k < 0 or k > parts * digits:
        return 0
    place = k - 1
    return number((state[start + place // digits * size + cell] >> (place % digits * bits)) & word((1 << bits) - 1))


def pile_copies(state: Row, piece: Int, start: Static, size: Static, parts: Static, bits: Static, words: Static) -> Int:
    """How many pieces of a kind lie on the board, covered ones included; of no piece, how many cells are empty."""
    found = count(at(state, piece * words, words))
    if piece > 0:
        for k in range(start, start + parts * size):
            rest = state[k]
            while rest != EMPTY:
                if number(rest & word((1 << bits) - 1)) == piece:
                    found += 1
                rest >>= bits
    return found


# ---- changed


def pile_push(state: Row, cell: Int, piece: Int, start: Static, size: Static, parts: Static, bits: Static,
              digits: Static, pieces: Static, words: Static) -> None:
    """Put a piece on a pile, which has room for it."""
    top = piece_at(state, cell, pieces, words)
    if top != 0 and parts > 0:
        for part in range(parts - 1, 0, -1):
            here = start + part * size + cell
            over = state[here - size] >> (bits * (digits - 1))
            state[here] = ((state[here] << bits) | over) & word((1 << bits * digits) - 1)
        state[start + cell] = ((state[start + cell] << bits) | word(top)) & word((1 << bits * digits) - 1)
    put(state, cell, piece, pieces, words)


def pile_tuck(state: Row, cell: Int, piece: Int, start: Static, size: Static, parts: Static, bits: Static,
              digits: Static, pieces: Static, words: Static) -> None:
    """Put a piece under a pile, which has room for it."""
    under = pile_height(state, cell, start, size, parts, bits, digits) - 1
    if under < 0:
        put(state, cell, piece, pieces, words)
    else:
        state[start + under // digits * size + cell] |= word(piece) << (under % digits * bits)


def pile_drop(state: Row, cell: Int, n: Int, start: Static, size: Static, parts: Static, bits: Static, digits: Static,
              pieces: Static, words: Static) -> None:
    """Take pieces off the top of a pile, which has so many."""
    if n > 0:
        top = pile_below(state, cell, n, start, size, parts, bits, digits, pieces, words)
        for part in range(parts):
            here = part + n // digits
            found = EMPTY
            if here < parts:
                found = state[start + here * size + cell] >> (n % digits * bits)
            if here + 1 < parts:
                found |= state[start + (here + 1) * size + cell] << ((digits - n % digits) * bits)
            state[start + part * size + cell] = found & word((1 << bits * digits) - 1)
        put(state, cell, top, pieces, words)


def pile_drop_lowest(state: Row, cell: Int, n: Int, start: Static, size: Static, parts: Static, bits: Static,
                     digits: Static, pieces: Static, words: Static) -> None:
    """Take pieces from under a pile, which has so many."""
    left = pile_height(state, cell, start, size, parts, bits, digits) - n
    if left <= 0:
        pile_drop(state, cell, n, start, size, parts, bits, digits, pieces, words)
    else:
        for part in range(parts):
            kept = left - 1 - part * digits
            if kept <= 0:
                state[start + part * size + cell] = EMPTY
            elif kept < digits:
                state[start + part * size + cell] &= (ONE << (kept * bits)) - ONE


def pile_carry_onto(state: Row, one: Int, n: Int, other: Int, start: Static, size: Static, parts: Static, bits: Static,
                    digits: Static, pieces: Static, words: Static) -> None:
    """Carry pieces off the top of one pile, which has so many, onto another, which has room for them."""
    if one != other:
        for k in range(n - 1, -1, -1):
            p = pile_below(state, one, k, start, size, parts, bits, digits, pieces, words)
            pile_push(state, other, p, start, size, parts, bits, digits, pieces, words)
        pile_drop(state, one, n, start, size, parts, bits, digits, pieces, words)


def pile_carry_under(state: Row, one: Int, n: Int, other: Int, start: Static, size: Static, parts: Static, bits: Static,
                     digits: Static, pieces: Static, words: Static) -> None:
    """Carry pieces off the top of one pile, which has so many, under another, which has room for them."""
    for _ in range(n):
        p = piece_at(state, one, pieces, words)
        pile_drop(state, one, 1, start, size, parts, bits, digits, pieces, words)
        pile_tuck(state, other, p, start, size, parts, bits, digits, pieces, words)


# ---- what is covered, where the tops are moved and replaced otherwise


def clear_covered(state: Row, cell: Int, start: Static, size: Static, parts: Static) -> None:
    """Take away what is under the top of a cell."""
    for part in range(parts):
        state[start + part * size + cell] = EMPTY


def clear_all_covered(state: Row, cells: Cells, start: Static, size: Static, parts: Static) -> None:
    """Take away what is under the tops of some cells."""
    for c in members(cells):
        clear_covered(state, c, start, size, parts)


def carry_covered(state: Row, one: Int, other: Int, start: Static, size: Static, parts: Static) -> None:
    """Carry what is under the top of one cell to another, where it replaces what was there."""
    for part in range(parts):
        found = state[start + part * size + one]
        state[start + part * size + one] = EMPTY
        state[start + part * size + other] = found


def slide_covered(state: Row, window: Cells, way: Int, steps: Table, directions: Static, start: Static, size: Static,
                  parts: Static) -> None:
    """Move what is under the tops of some cells one step; what would leave the set is lost."""
    held = row(size)
    for part in range(parts):
        for c in members(window):
            held[c] = state[start + part * size + c]
            state[start + part * size + c] = EMPTY
        for c in members(window):
            target = steps[c * directions + way + directions]
            if target >= 0 and has(window, target):
                state[start + part * size + target] = held[c]


def turn_covered(state: Row, window: Cells, by: Turn, start: Static, size: Static, parts: Static) -> None:
    """Turn what is under the tops of some cells about the centre of these, which come onto each other."""
    many = 0
    x_sum = 0
    y_sum = 0
    for c in members(window):
        many += 1
        x_sum += by.xs[c]
        y_sum += by.ys[c]
    held = row(size)
    for part in range(parts):
        for c in members(window):
            held[c] = state[start + part * size + c]
            state[start + part * size + c] = EMPTY
        for c in members(window):
            target = turned(c, many, x_sum, y_sum, by)
            if target >= 0:
                state[start + part * size + target] = held[c]
