"""Counting move sequences."""

from __future__ import annotations

from interpreter.compiler.runtime.game import (
    FAILED,
    GOING,
    MOVE_WIDTH,
    OUTCOME,
    SCRATCH,
    WIDTH,
    advance,
    apply,
    count_moves,
    offered,
    stuck_outcome,
    take,
    total,
)
from interpreter.compiler.runtime.types import (
    EMPTY,
    Bool,
    Int,
    Line,
    Lines,
    Pages,
    Row,
    Rows,
    Static,
    entry,
    line,
    number,
    numbers,
    rows,
)


def moves_counted(R: Rows, EE: Pages, P: Lines, X: Rows, m: Line, counts: Line, ended: Line, depth: Int, bulk: Bool,
                  taken_back: Static) -> Int:
    """Count the move sequences of a tree; P has each level's entries and the place of its next move.

    A loop, not a function that calls itself: what Numba keeps on disk of these crashes. The last moves, nearly all, are
    played in loops of their own, which need no P.
    """
    level = 0
    P[0, 0] = -1
    while level >= 0:
        S = R[level]
        E = EE[level]
        if P[level, 0] < 0:
            n = offered(S, E, X)
            if S[FAILED] != EMPTY:
                R[0, FAILED] = S[FAILED]
                return 0
            if n == 0:
                if number(S[OUTCOME]) == GOING and stuck_outcome(S) == GOING:
                    R[0, FAILED] = S[FAILED]
                    return 0
                ended[0] += 1
                level -= 1
                continue
            if not taken_back and bulk and level + 1 == depth:
                counts[level] += total(E, n)
                level -= 1
                continue
            if level + 1 == depth:
                L = R[depth]
                played = 0
                for last in range(n):
                    for way in range(E[last, 1]):
                        take(E, last, way, m)
                        for i in range(WIDTH):
                            L[i] = S[i]
                        code = apply(L, m, EE[depth], X)
                        if taken_back and code != 0:
                            continue
                        if L[FAILED] != EMPTY:
                            R[0, FAILED] = L[FAILED]
                            return 0
                        played += 1
                        if number(L[OUTCOME]) != GOING:
                            ended[0] += 1
                counts[level] += played
                if taken_back and played == 0:
                    if stuck_outcome(S) == GOING:
                        R[0, FAILED] = S[FAILED]
                        return 0
                    ended[0] += 1
                level -= 1
                continue
            P[level, 0] = n
            P[level, 1] = 0
            P[level, 2] = 0
            P[level, 3] = 0
        e = P[level, 1]
        k = P[level, 2]
        if e >= P[level, 0]:
            if taken_back and P[level, 3] == 0:
                if stuck_outcome(S) == GOING:
                    R[0, FAILED] = S[FAILED]
                    return 0
                ended[0] += 1
            level -= 1
            continue
        if k >= E[e, 1]:
            P[level, 1] = e + 1
            P[level, 2] = 0
            continue
        P[level, 2] = k + 1
        T = R[level + 1]
        take(E, e, k, m)
        for i in range(WIDTH):
            T[i] = S[i]
        code = advance(T, m, EE[depth], X)
        if taken_back and code != 0:
            continue
        if T[FAILED] != EMPTY:
            R[0, FAILED] = T[FAILED]
            return 0
        P[level, 3] += 1
        counts[level] += 1
        if number(T[OUTCOME]) != GOING:
            ended[0] += 1
        else:
            level += 1
            P[level, 0] = -1
    return 0


@entry
def perft(start: Row, depth: Int, bulk: Bool, EE: Pages, counts: Line, ended: Line) -> Int:
    """Count move sequences by length."""
    R = rows(depth + 1, WIDTH)
    X = rows(SCRATCH, WIDTH)
    m = line(MOVE_WIDTH)
    P = numbers(depth + 1, 4)
    for i in range(WIDTH):
        R[0, i] = start[i]
    count_moves(R, EE, P, X, m, counts, ended, depth, bulk)
    start[FAILED] = R[0, FAILED]
    return 0
