"""Weights of chance moves, for random games and for solvers that compute expected values."""

from __future__ import annotations

from interpreter.compiler.runtime.game import FAILED, SEATS, TO_MOVE, children, moves, take, unpack, weight_of
from interpreter.compiler.runtime.types import (
    EMPTY,
    Int,
    Line,
    Lines,
    Row,
    Rows,
    Static,
    Table,
    Word,
    below,
    entry,
    number,
    word,
)


def weight_of_all(state: Row, entries: Lines, n: Int, move: Line) -> Int:
    """The total weight of the moves of n entries."""
    mover = number(state[TO_MOVE]) ^ number(state[SEATS])
    whole = 0
    for e in range(n):
        for k in range(entries[e, 1]):
            take(entries, e, k, move)
            whole += weight_of(state, mover, move)
    return whole


def drawn_by_weight(state: Row, entries: Lines, n: Int, at: Int, move: Line) -> None:
    """Write the move into `move` that a number `at` below the total weight selects."""
    mover = number(state[TO_MOVE]) ^ number(state[SEATS])
    for e in range(n):
        for k in range(entries[e, 1]):
            take(entries, e, k, move)
            at -= weight_of(state, mover, move)
            if at < 0:
                return


def drawn_below(random: Word, limit: Int) -> Int:
    """A number from 0 to limit - 1 from a random word, for sums of weights of up to 62 bits."""
    if limit < 1 << 32:
        return below(random, limit)
    half, many = word(0xFFFFFFFF), word(limit)  # the upper half of the product of two words, by their halves
    low, high = random & half, random >> word(32)
    middle = high * (many & half) + (low * (many & half) >> word(32))
    other = low * (many >> word(32)) + (middle & half)
    return number(high * (many >> word(32)) + (middle >> word(32)) + (other >> word(32)))


@entry
def weigh(state: Row, move_rows: Lines, many: Int, shares: Line, weighted: Static, of_chance: Table) -> Int:
    """Write the weights of the `many` chance moves that `offer` listed; their total.

    The result is 0 where a player moves, -1 where a rule fails.
    """
    if many == 0 or move_rows[0, 0] < 0 or of_chance[move_rows[0, 0]] == 0:
        return 0
    mover = number(state[TO_MOVE]) ^ number(state[SEATS])
    whole = 0
    for k in range(many):
        share = 1
        if weighted:
            share = weight_of(state, mover, move_rows[k])
        shares[k] = share
        whole += share
    if state[FAILED] != EMPTY:
        return -1
    return whole


@entry
def weigh_moves(packed: Rows, first: Int, last: Int, starts: Line, shares: Line, state: Row, child_rows: Rows,
                move_rows: Lines, entries: Lines, scratch: Rows, weighted: Static, by_chance: Table) -> Int:
    """Write the weights of the legal moves of those packed positions in which chance moves.

    The weights of a position begin in `shares` at its index in `starts`; they are left unchanged where a player moves.
    Returns the index of the position at which a rule failed, else `last`.
    """
    for row in range(first, last):
        unpack(packed[row], state)
        n = moves(state, entries, scratch)
        if n > 0 and by_chance[entries[0, 0]] != 0:
            many = children(state, child_rows, move_rows, entries, scratch)
            if state[FAILED] != EMPTY:
                return row
            mover = number(state[TO_MOVE]) ^ number(state[SEATS])
            for k in range(many):
                share = 1
                if weighted:
                    share = weight_of(state, mover, move_rows[k])
                shares[starts[row] + k] = share
    return last
