"""Piles: the pieces covered by the top pieces; the sets of cells hold only the tops.

Each cell has `parts` words, that of part k at `start + k * size + cell`. A word holds up to `digits` pieces of `bits`
bits, the highest covered piece in the lowest bits of part 0; an empty digit is 0. Pushing a piece shifts the digits.
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

# ---- queries


def pile_height(state: Row, cell: Int, start: Static, size: Static, parts: Static, bits: Static, digits: Static) -> Int:
    """The number of pieces on a cell."""
    if holds(state, 0, cell):
        return 0
    for part in range(parts - 1, -1, -1):
        rest = state[start + part * size + cell]
        if rest != EMPTY:
            return part * digits + highest(rest) // bits + 2
    return 1


def pile_below(state: Row, cell: Int, k: Int, start: Static, size: Static, parts: Static, bits: Static, digits: Static,
               pieces: Static, words: Static) -> Int:
    """The piece of a pile with k pieces on top of it, 0 where there is none; -1 where `cell` is none."""
    if cell < 0:
        return -1
    if k == 0:
        return piece_at(state, cell, pieces, words)
    if k < 0 or k > parts * digits:
        return 0
    place = k - 1
    return number((state[start + place // digits * size + cell] >> (place % digits * bits)) & word((1 << bits) - 1))


def pile_copies(state: Row, piece: Int, start: Static, size: Static, parts: Static, bits: Static, words: Static) -> Int:
    """The number of pieces of a kind on the board, covered ones included; for piece 0, of empty cells."""
    found = count(at(state, piece * words, words))
    if piece > 0:
        for k in range(start, start + parts * size):
            rest = state[k]
            while rest != EMPTY:
                if number(rest & word((1 << bits) - 1)) == piece:
                    found += 1
                rest >>= bits
    return found


# ---- changes


def pile_push(state: Row, cell: Int, piece: Int, start: Static, size: Static, parts: Static, bits: Static,
              digits: Static, pieces: Static, words: Static) -> None:
    """Put a piece on top of a pile, which must have room for it."""
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
    """Put a piece under a pile, which must have room for it."""
    under = pile_height(state, cell, start, size, parts, bits, digits) - 1
    if under < 0:
        put(state, cell, piece, pieces, words)
    else:
        state[start + under // digits * size + cell] |= word(piece) << (under % digits * bits)


def pile_drop(state: Row, cell: Int, n: Int, start: Static, size: Static, parts: Static, bits: Static, digits: Static,
              pieces: Static, words: Static) -> None:
    """Remove n pieces from the top of a pile, which must have that many."""
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
    """Remove n pieces from the bottom of a pile, which must have that many."""
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
    """Move n pieces from the top of one pile, which must have that many, onto another, which must have room."""
    if one != other:
        for k in range(n - 1, -1, -1):
            p = pile_below(state, one, k, start, size, parts, bits, digits, pieces, words)
            pile_push(state, other, p, start, size, parts, bits, digits, pieces, words)
        pile_drop(state, one, n, start, size, parts, bits, digits, pieces, words)


def pile_carry_under(state: Row, one: Int, n: Int, other: Int, start: Static, size: Static, parts: Static, bits: Static,
                     digits: Static, pieces: Static, words: Static) -> None:
    """Move n pieces from the top of one pile, which must have that many, under another, which must have room."""
    for _ in range(n):
        p = piece_at(state, one, pieces, words)
        pile_drop(state, one, 1, start, size, parts, bits, digits, pieces, words)
        pile_tuck(state, other, p, start, size, parts, bits, digits, pieces, words)


# ---- covered pieces, where other functions move or replace the tops


def clear_covered(state: Row, cell: Int, start: Static, size: Static, parts: Static) -> None:
    """Remove the covered pieces of a cell."""
    for part in range(parts):
        state[start + part * size + cell] = EMPTY


def clear_all_covered(state: Row, cells: Cells, start: Static, size: Static, parts: Static) -> None:
    """Remove the covered pieces of some cells."""
    for c in members(cells):
        clear_covered(state, c, start, size, parts)


def carry_covered(state: Row, one: Int, other: Int, start: Static, size: Static, parts: Static) -> None:
    """Move the covered pieces of one cell to another, where they replace those that were there."""
    for part in range(parts):
        found = state[start + part * size + one]
        state[start + part * size + one] = EMPTY
        state[start + part * size + other] = found


def slide_covered(state: Row, window: Cells, way: Int, steps: Table, directions: Static, start: Static, size: Static,
                  parts: Static) -> None:
    """Move the covered pieces of the cells of a set by one step; those that would leave the set are lost."""
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
    """Rotate the covered pieces of the cells of a set about its centre; the rotation must map the set onto itself."""
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
