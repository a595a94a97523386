"""Entries that searches and solvers call as first-class functions of Numba: they allocate nothing.

The caller provides working space: `entries` and `move_rows` int64[room, numbers], for the entries of moves and for
moves, `scratch`, `child_rows` and two `spares` uint64[rows, WIDTH]. A function that fails leaves the failure number in
the row's FAILED (1: too little room) and returns -1.
"""

from __future__ import annotations

from interpreter.compiler.runtime.game import (
    FAILED,
    GOING,
    MOVE_WIDTH,
    OUTCOME,
    PASS,
    WIDTH,
    apply,
    children,
    least,
    least_image,
    moves,
    offered,
    pack,
    play,
    stuck_outcome,
    take_all,
    tier,
    unpack,
)
from interpreter.compiler.runtime.moves import someone_can_move
from interpreter.compiler.runtime.types import (
    EMPTY,
    Int,
    Line,
    Lines,
    Row,
    Rows,
    Static,
    Word,
    entry,
    number,
    word,
)


def every_taken(state: Row, entries: Lines, n: Int, move_rows: Lines) -> Int:
    """Write the moves of all entries, one per row; their number, -1 with a failure where there are too few rows."""
    many = 0
    for e in range(n):
        if many + entries[e, 1] > len(move_rows):
            state[FAILED] = word(1)
            return -1
        many = take_all(entries, e, move_rows, many)
    return many


def positions_after(state: Row, child_rows: Rows, move_rows: Lines, entries: Lines, scratch: Rows, taken_back: Static,
                    passes: Static, players: Static) -> Int:
    """Write the position after each legal move into a row of `child_rows`, the move into `move_rows`; their number."""
    if number(state[OUTCOME]) != GOING:
        return 0
    n = moves(state, entries, scratch)
    many = every_taken(state, entries, n, move_rows)
    if state[FAILED] != EMPTY:
        return -1
    if many > len(child_rows):
        state[FAILED] = word(1)
        return -1
    found = 0
    for k in range(many):
        after = child_rows[found]
        for i in range(WIDTH):
            after[i] = state[i]
        code = apply(after, move_rows[k], entries, scratch)
        if after[FAILED] != EMPTY:
            state[FAILED] = after[FAILED]
            return -1
        if not taken_back:
            found += 1
        elif code == 0:
            for i in range(MOVE_WIDTH):
                move_rows[found, i] = move_rows[k, i]
            found += 1
    if passes and found == 0 and someone_can_move(state, entries, scratch, players):
        move_rows[0, 0] = PASS
        move_rows[0, 1] = 0
        after = child_rows[found]
        for i in range(WIDTH):
            after[i] = state[i]
        apply(after, move_rows[0], entries, scratch)
        if after[FAILED] != EMPTY:
            state[FAILED] = after[FAILED]
            return -1
        found = 1
    if found == 0:
        state[OUTCOME] = word(stuck_outcome(state))
        if state[FAILED] != EMPTY:
            return -1
    return found


def least_packed(state: Row, packed: Row, elements: Line, spares: Rows) -> Int:
    """Pack the least image of a position under some symmetries, the first of them the identity; how many of these
    leave the position unchanged."""
    same = least_image(state, spares[0], spares[1], elements, 1, len(elements))
    pack(spares[0], packed)
    return same


@entry
def expand(state: Row, child_rows: Rows, move_rows: Lines, entries: Lines, scratch: Rows) -> Int:
    """Write the position after each legal move into a row of `child_rows`, the move into `move_rows`; their number."""
    return children(state, child_rows, move_rows, entries, scratch)


@entry
def offer(state: Row, move_rows: Lines, entries: Lines, scratch: Rows) -> Int:
    """List the pseudo-legal moves, or a pass where it is forced; their number.

    Moves that a rule makes illegal are among them: `step` returns 1 for these.
    """
    n = offered(state, entries, scratch)
    many = every_taken(state, entries, n, move_rows)
    if state[FAILED] != EMPTY:
        return -1
    return many


@entry
def pack_row(state: Row, packed: Row) -> Int:
    """Pack a position."""
    pack(state, packed)
    return 0


@entry
def unpack_row(packed: Row, state: Row) -> Int:
    """Unpack a position."""
    unpack(packed, state)
    return 0


@entry
def pack_least(state: Row, packed: Row, elements: Line, spares: Rows) -> Int:
    """Pack the least image of a position under some symmetries, the first of them the identity; how many of these
    leave the position unchanged."""
    return least(state, packed, elements, spares)


@entry
def step(state: Row, move: Line, entries: Lines, scratch: Rows) -> Int:
    """Carry out a move; 1 where it is illegal, -1 where a rule fails, else 0."""
    code = apply(state, move, entries, scratch)
    if state[FAILED] != EMPTY:
        return -1
    return code


@entry
def random_game(state: Row, seed: Word, limit: Int, entries: Lines, scratch: Rows, move: Line) -> Int:
    """Play random moves to the end of the game, at most `limit`; how many were played, -1 where a rule fails."""
    plies = play(state, seed, limit, entries, scratch, move)
    if state[FAILED] != EMPTY:
        return -1
    return plies


@entry
def expand_tiers(packed: Rows, first: Int, last: Int, elements: Line, packed_children: Rows, same: Line, ranks: Line,
                 counts: Line, failed: Line, state: Row, child_rows: Rows, move_rows: Lines, entries: Lines,
                 scratch: Rows, spares: Rows) -> Int:
    """Write the canonical children of packed positions, packed, one after another.

    `same` gets the number of symmetries that leave each child unchanged, `ranks` its tier, and `counts` the number of
    children of each position. Returns the index of the position at which `packed_children` was full or a rule failed
    (`failed`), else `last`.
    """
    at = 0
    for row in range(first, last):
        unpack(packed[row], state)
        many = children(state, child_rows, move_rows, entries, scratch)
        if state[FAILED] != EMPTY:
            failed[0] = number(state[FAILED])
            return row
        if at + many > len(packed_children):
            return row
        for k in range(many):
            same[at] = least(child_rows[k], packed_children[at], elements, spares)
            ranks[at] = tier(packed_children[at])
            at += 1
        counts[row - first] = many
    return last


@entry
def tier_of(packed: Row) -> Int:
    """The tier of a packed position."""
    return tier(packed)
