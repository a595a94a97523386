"""What searches and solvers call, as first-class functions of Numba: they allocate nothing.

Arrays to work on are handed in: E for entries, M for moves, X for scratch rows, U two rows for images. A function that
fails leaves the number of the failure in the row's FAILED (1: there is too little room) and gives -1.
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


def every_taken(S: Row, E: Lines, n: Int, M: Lines) -> Int:
    """Write the moves of all entries into rows of M; how many, and a failure where there are more than rows."""
    many = 0
    for e in range(n):
        if many + E[e, 1] > len(M):
            S[FAILED] = word(1)
            return -1
        many = take_all(E, e, M, many)
    return many


def positions_after(S: Row, T: Rows, M: Lines, E: Lines, X: Rows, taken_back: Static, passes: Static,
                    players: Static) -> Int:
    """Make all positions after a legal move, a row of T for each, and its move in M; how many."""
    if number(S[OUTCOME]) != GOING:
        return 0
    n = moves(S, E, X)
    many = every_taken(S, E, n, M)
    if S[FAILED] != EMPTY:
        return -1
    if many > len(T):
        S[FAILED] = word(1)
        return -1
    found = 0
    for k in range(many):
        after = T[found]
        for i in range(WIDTH):
            after[i] = S[i]
        code = apply(after, M[k], E, X)
        if after[FAILED] != EMPTY:
            S[FAILED] = after[FAILED]
            return -1
        if not taken_back:
            found += 1
        elif code == 0:
            for i in range(MOVE_WIDTH):
                M[found, i] = M[k, i]
            found += 1
    if passes and found == 0 and someone_can_move(S, E, X, players):
        M[0, 0] = PASS
        M[0, 1] = 0
        after = T[found]
        for i in range(WIDTH):
            after[i] = S[i]
        apply(after, M[0], E, X)
        if after[FAILED] != EMPTY:
            S[FAILED] = after[FAILED]
            return -1
        found = 1
    if found == 0:
        S[OUTCOME] = word(stuck_outcome(S))
        if S[FAILED] != EMPTY:
            return -1
    return found


def least_packed(S: Row, P: Row, elements: Line, U: Rows) -> Int:
    """Pack the least image of a position under some symmetries, of which the first is the identity; how many of them
    leave the position as it is."""
    same = least_image(S, U[0], U[1], elements, 1, len(elements))
    pack(U[0], P)
    return same


@entry
def expand(S: Row, T: Rows, M: Lines, E: Lines, X: Rows) -> Int:
    """Make all positions after a legal move, a row of T for each, and its move in M; how many."""
    return children(S, T, M, E, X)


@entry
def offer(S: Row, M: Lines, E: Lines, X: Rows) -> Int:
    """List the moves that the rules offer, a pass where one must; how many.

    Those that a rule takes back are among them: `step` says so.
    """
    n = offered(S, E, X)
    many = every_taken(S, E, n, M)
    if S[FAILED] != EMPTY:
        return -1
    return many


@entry
def pack_row(S: Row, P: Row) -> Int:
    """Pack a position."""
    pack(S, P)
    return 0


@entry
def unpack_row(P: Row, S: Row) -> Int:
    """Unpack a position."""
    unpack(P, S)
    return 0


@entry
def pack_least(S: Row, P: Row, elements: Line, U: Rows) -> Int:
    """Pack the least image of a position under some symmetries, of which the first is the identity; how many of them
    leave the position as it is."""
    return least(S, P, elements, U)


@entry
def step(S: Row, m: Line, E: Lines, X: Rows) -> Int:
    """Carry out a move; 1 where a rule takes it back, -1 where one fails."""
    code = apply(S, m, E, X)
    if S[FAILED] != EMPTY:
        return -1
    return code


@entry
def random_game(S: Row, seed: Word, limit: Int, E: Lines, X: Rows, m: Line) -> Int:
    """Play random moves to the end; how many."""
    plies = play(S, seed, limit, E, X, m)
    if S[FAILED] != EMPTY:
        return -1
    return plies


@entry
def expand_tiers(P: Rows, first: Int, last: Int, elements: Line, C: Rows, same: Line, ranks: Line, counts: Line,
                 failed: Line, S: Row, T: Rows, M: Lines, E: Lines, X: Rows, U: Rows) -> Int:
    """Write the representatives of all positions after a move from packed positions into C, one after another.

    `same` gets how many elements leave each as it is, `ranks` its tier, and `counts` how many each position has. Gives
    the position at which there was no more room in C, or a rule failed (`failed`), or `last`.
    """
    at = 0
    for row in range(first, last):
        unpack(P[row], S)
        many = children(S, T, M, E, X)
        if S[FAILED] != EMPTY:
            failed[0] = number(S[FAILED])
            return row
        if at + many > len(C):
            return row
        for k in range(many):
            same[at] = least(T[k], C[at], elements, U)
            ranks[at] = tier(C[at])
            at += 1
        counts[row - first] = many
    return last


@entry
def tier_of(P: Row) -> Int:
    """The tier of a packed position."""
    return tier(P)
