"""Moves of chance: what they weigh, for random games and for those who find expected values."""

from __future__ import annotations

from interpreter.compiler.runtime.game import FAILED, SEATS, TO_MOVE, children, moves, take, unpack, weight_of
from interpreter.compiler.runtime.types import EMPTY, Int, Line, Lines, Row, Rows, Static, Table, entry, number


def weight_of_all(S: Row, E: Lines, n: Int, m: Line) -> Int:
    """What the moves that entries list weigh together."""
    mover = number(S[TO_MOVE]) ^ number(S[SEATS])
    whole = 0
    for e in range(n):
        for k in range(E[e, 1]):
            take(E, e, k, m)
            whole += weight_of(S, mover, m)
    return whole


def drawn_by_weight(S: Row, E: Lines, n: Int, at: Int, m: Line) -> None:
    """Write the move into m that a number below the weight of all falls to."""
    mover = number(S[TO_MOVE]) ^ number(S[SEATS])
    for e in range(n):
        for k in range(E[e, 1]):
            take(E, e, k, m)
            at -= weight_of(S, mover, m)
            if at < 0:
                return


@entry
def weigh(S: Row, M: Lines, many: Int, shares: Line, weighted: Static, of_chance: Table) -> Int:
    """Write what so many moves weigh that `offer` listed, where they are of chance; what they weigh together.

    0 where a player moves, -1 where a rule fails.
    """
    if many == 0 or M[0, 0] < 0 or of_chance[M[0, 0]] == 0:
        return 0
    mover = number(S[TO_MOVE]) ^ number(S[SEATS])
    whole = 0
    for k in range(many):
        share = 1
        if weighted:
            share = weight_of(S, mover, M[k])
        shares[k] = share
        whole += share
    if S[FAILED] != EMPTY:
        return -1
    return whole


@entry
def weigh_moves(P: Rows, first: Int, last: Int, starts: Line, shares: Line, S: Row, T: Rows, M: Lines, E: Lines,
                X: Rows, weighted: Static, by_chance: Table) -> Int:
    """Write what the legal moves weigh in those of some packed positions in which chance decides.

    The moves of a position have `shares` from `starts` on, which are left as they are where a player moves. Gives the
    position at which a rule failed, or `last`.
    """
    for row in range(first, last):
        unpack(P[row], S)
        n = moves(S, E, X)
        if n > 0 and by_chance[E[0, 0]] != 0:
            many = children(S, T, M, E, X)
            if S[FAILED] != EMPTY:
                return row
            mover = number(S[TO_MOVE]) ^ number(S[SEATS])
            for k in range(many):
                share = 1
                if weighted:
                    share = weight_of(S, mover, M[k])
                shares[starts[row] + k] = share
    return last
