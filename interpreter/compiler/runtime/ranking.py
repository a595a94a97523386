"""Which of the legal moves remain: those after which a number is the greatest."""

from __future__ import annotations

from interpreter.compiler.runtime.game import (
    ENTRY_WIDTH,
    FAILED,
    SEATS,
    TO_MOVE,
    WIDTH,
    act,
    moves_ranked,
    rank,
    take,
)
from interpreter.compiler.runtime.types import EMPTY, Int, Lines, Row, Rows, Static, Table, number, word


def best_listed(S: Row, E: Lines, X: Rows, values: Static, rule: Table, whole: Table, chance: Static,
                by_chance: Table) -> Int:
    """List the legal moves with the greatest rank, an entry each, and passing and swapping sides; how many entries.

    `rule` has each form's rule, `whole` the form of entries that have all values of a rule's moves. The entries are
    put together behind those of all moves, and then take their place.
    """
    n = moves_ranked(S, E, X)
    if chance:  # noqa: SIM102  # a question of its own, which games without chance do not have
        if n > 0 and by_chance[E[0, 0]] != 0:
            return n
    mover = number(S[TO_MOVE]) ^ number(S[SEATS])
    m = E[len(E) - 2]
    T = X[0]
    most = 0
    kept = 0
    for e in range(n):
        alone = rule[E[e, 0]] < 0
        for k in range(E[e, 1]):
            if n + kept >= len(E) - 3:
                S[FAILED] = word(1)
                return 0
            if alone:
                for i in range(ENTRY_WIDTH):
                    E[n + kept, i] = E[e, i]
                kept += 1
            else:
                take(E, e, k, m)
                for i in range(WIDTH):
                    T[i] = S[i]
                if act(T, m, X) == 0:
                    worth = rank(T, mover)
                    if kept == 0 or worth > most:
                        most = worth
                        kept = 0
                    if worth == most:
                        E[n + kept, 0] = whole[m[0]]
                        E[n + kept, 1] = 1
                        E[n + kept, 2] = m[1]
                        for i in range(m[1]):
                            E[n + kept, values + i] = m[2 + i]
                        kept += 1
                if T[FAILED] != EMPTY:
                    S[FAILED] = T[FAILED]
                    return 0
    for e in range(kept):
        for i in range(ENTRY_WIDTH):
            E[e, i] = E[n + e, i]
    return kept
