"""Random games: drawing moves, each legal one as likely as any other, and carrying out the repetition rule.

Moves that a rule takes back, or that repeat a position where that is forbidden, are drawn again, so that each legal
move stays as likely as any other.
"""

from __future__ import annotations

from interpreter.compiler.runtime.chance import drawn_by_weight, weight_of_all
from interpreter.compiler.runtime.game import (
    DRAW,
    FAILED,
    GOING,
    MOVE_WIDTH,
    OUTCOME,
    SCRATCH,
    SEATS,
    TO_MOVE,
    WIDTH,
    act,
    advance,
    draw,
    forget,
    heads,
    heads_by_rules,
    most_ways,
    offered,
    outcome,
    remember,
    stuck_outcome,
    tails,
    take,
    take_head,
    total,
    tries,
    weight_of,
)
from interpreter.compiler.runtime.moves import alone, set_of_entry
from interpreter.compiler.runtime.sets import pick
from interpreter.compiler.runtime.types import (
    EMPTY,
    Bool,
    Int,
    Line,
    Lines,
    Row,
    Rows,
    Static,
    Table,
    Word,
    below,
    number,
    scramble,
    stir,
    unrolled,
    word,
)

# ---- drawing a move choice by choice


def first_choices(S: Row, E: Lines, X: Rows, passing: Static, pass_form: Static, swapping: Static,
                  swap_form: Static) -> Int:
    """List the first choices of moves, as entries; how many entries."""
    n = 0
    mover = number(S[TO_MOVE]) ^ number(S[SEATS])
    n = heads_by_rules(S, mover, E, n, X)
    if passing:
        n = alone(S, mover, E, n, -1, pass_form)
    if swapping:
        n = alone(S, mover, E, n, -2, swap_form)
    return n


def head_taken(E: Lines, e: Int, k: Int, m: Line, rule: Static, size: Static, low: Static, values: Static,
               words: Static) -> None:
    """Write the first choices with number k of an entry into m, where all entries have one form, which has a set."""
    m[0] = rule
    m[1] = size + 1
    for i in unrolled(range(size)):
        m[2 + i] = E[e, values + i]
    m[2 + size] = pick(set_of_entry(E, e, words), k) + low


def drawn_by_choices(S: Row, seed: Word, E: Lines, X: Rows, m: Line, draws: Static, tried: Static, one_form: Static,
                     is_head: Table) -> tuple[Word, Bool]:
    """Draw a move choice by choice, each legal one as likely as any other; whether one was found.

    So many draws may be thrown away. How a drawn move goes on is tried way by way (`tried`), or listed.
    """
    n = heads(S, E, X)
    many = total(E, n)
    if many == 0:
        return seed, False
    most = most_ways(S)
    for _ in range(draws):
        seed = stir(seed)
        random = scramble(seed)
        k = below(random, many)
        way = number((random & word(0xFFFFFFFF)) * word(most) >> word(32))
        e = 0
        if n <= 8:  # few entries are all looked at: that is faster than to stop at one that nobody can foresee
            left = k
            for i in range(n):
                k = left if left >= 0 else k
                e = i if left >= 0 else e
                left -= E[i, 1]
        else:
            while k >= E[e, 1]:
                k -= E[e, 1]
                e += 1
        if one_form:
            take_head(E, e, k, m)
        else:
            take(E, e, k, m)
            if is_head[E[e, 0]] == 0:
                if way == 0:
                    return seed, True
                continue
        if tried:
            if tries(S, X, m, way):
                return seed, True
        else:
            last = tails(S, E, n, X, m)
            e = n
            while e < last and way >= E[e, 1]:
                way -= E[e, 1]
                e += 1
            if e < last:
                take(E, e, way, m)
                return seed, True
    return seed, False


def drawn_by_list(S: Row, seed: Word, E: Lines, X: Rows, m: Line) -> tuple[Word, Bool]:
    """Leave it to the list of moves."""
    return seed, False


# ---- games


def drawn_of(E: Lines, k: Int, m: Line) -> None:
    """Write the move with number k of all that entries list into m."""
    e = 0
    while k >= E[e, 1]:
        k -= E[e, 1]
        e += 1
    take(E, e, k, m)


def played(S: Row, seed: Word, limit: Int, E: Lines, X: Rows, m: Line, taken_back: Static, draws: Static,
           repetition: Static, forbidden: Static, loses: Static, kept: Static, earlier: Static,
           weighted: Static) -> Int:
    """Play random moves, each legal one as likely as any other; how many were played.

    `draws` where moves are drawn without being listed, `repetition` where a repetition has a meaning: it is
    `forbidden`, who makes it `loses`, or it draws. So many positions are `kept`; one repeats that was there `earlier`
    times or more. Chance may be `weighted`.
    """
    plies = 0
    if repetition:
        forget(X)
        remember(X, S, earlier)
    while plies < limit and number(S[OUTCOME]) == GOING:
        before = number(S[TO_MOVE])
        if taken_back or forbidden:
            n = offered(S, E, X)
            many = total(E, n)
            if many == 0:
                S[OUTCOME] = word(stuck_outcome(S))
                break
            T = X[SCRATCH - 1]
            for i in range(WIDTH):
                T[i] = S[i]
            done = False
            for _ in range(8):  # draws that may be taken back before all moves are looked at
                seed = stir(seed)
                if weighted:
                    drawn_by_weight(S, E, n, below(scramble(seed), weight_of_all(S, E, n, m)), m)
                else:
                    drawn_of(E, below(scramble(seed), many), m)
                if advance(S, m, E, X) == 0:
                    done = True
                    if forbidden:
                        done = S[FAILED] != EMPTY or number(S[OUTCOME]) != GOING or remember(X, S, earlier) < earlier
                    if done:
                        break
                for i in range(WIDTH):
                    S[i] = T[i]
                if forbidden:  # what was found out about the outcome took the entries' place
                    n = offered(S, E, X)
            if not done:
                many = 0
                best = E[len(E) - 3]
                U = X[0]
                for e in range(n):
                    for k in range(E[e, 1]):
                        take(E, e, k, m)
                        for i in range(WIDTH):
                            U[i] = S[i]
                        allowed = act(U, m, X) == 0
                        if forbidden and allowed and remember(X, U, 0) >= earlier:
                            allowed = outcome(U, number(S[TO_MOVE]) ^ number(S[SEATS]), E, X) != GOING
                            n = offered(S, E, X)
                        if allowed:
                            share = 1
                            if weighted:
                                share = weight_of(S, number(S[TO_MOVE]) ^ number(S[SEATS]), m)
                            many += share
                            seed = stir(seed)
                            if below(scramble(seed), many) < share:
                                for i in range(MOVE_WIDTH):
                                    best[i] = m[i]
                if many == 0:
                    S[OUTCOME] = word(stuck_outcome(S))
                    break
                for i in range(MOVE_WIDTH):
                    m[i] = best[i]
                advance(S, m, E, X)
                if forbidden:
                    remember(X, S, earlier)
        else:
            drawn = False
            if draws:
                seed, drawn = draw(S, seed, E, X, m)
            if not drawn:
                n = offered(S, E, X)
                many = total(E, n)
                if many == 0:
                    S[OUTCOME] = word(stuck_outcome(S))
                    break
                seed = stir(seed)
                if weighted:
                    drawn_by_weight(S, E, n, below(scramble(seed), weight_of_all(S, E, n, m)), m)
                else:
                    drawn_of(E, below(scramble(seed), many), m)
            advance(S, m, E, X)
        if S[FAILED] != EMPTY:
            return plies
        plies += 1
        if repetition and not forbidden and number(S[OUTCOME]) == GOING and remember(X, S, earlier) >= earlier:
            S[OUTCOME] = word(1 - before if loses else DRAW)
        if repetition and plies % kept == 0:
            forget(X)
            remember(X, S, earlier)
    return plies
