"""Random games: draws legal moves uniformly at random, and applies the repetition rule.

Illegal moves, and those that repeat a position where that is forbidden, are rejected and drawn again, so that each
legal move stays as likely as any other.
"""

from __future__ import annotations

from interpreter.compiler.runtime.chance import drawn_below, drawn_by_weight, weight_of_all
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


def first_choices(state: Row, entries: Lines, scratch: Rows, passing: Static, pass_form: Static, swapping: Static,
                  swap_form: Static) -> Int:
    """List the first choices of moves as entries; the number of entries."""
    n = 0
    mover = number(state[TO_MOVE]) ^ number(state[SEATS])
    n = heads_by_rules(state, mover, entries, n, scratch)
    if passing:
        n = alone(state, mover, entries, n, -1, pass_form)
    if swapping:
        n = alone(state, mover, entries, n, -2, swap_form)
    return n


def head_taken(entries: Lines, e: Int, k: Int, move: Line, rule: Static, size: Static, low: Static, values: Static,
               words: Static) -> None:
    """Write the first choices number k of an entry, where all entries have the same form, which has a set."""
    move[0] = rule
    move[1] = size + 1
    for i in unrolled(range(size)):
        move[2 + i] = entries[e, values + i]
    move[2 + size] = pick(set_of_entry(entries, e, words), k) + low


def drawn_by_choices(state: Row, seed: Word, entries: Lines, scratch: Rows, move: Line, draws: Static, tried: Static,
                     one_form: Static, is_head: Table) -> tuple[Word, Bool]:
    """Draw a legal move uniformly at random, choice by choice; the next seed, and whether one was found.

    The first choices and the number of a continuation are drawn, at most `draws` times until such a continuation
    exists. It is tried directly where `tried`, else looked up in the list of continuations.
    """
    n = heads(state, entries, scratch)
    many = total(entries, n)
    if many == 0:
        return seed, False
    most = most_ways(state)
    for _ in range(draws):
        seed = stir(seed)
        random = scramble(seed)
        k = below(random, many)
        way = number((random & word(0xFFFFFFFF)) * word(most) >> word(32))
        e = 0
        if n <= 8:  # scanning all of a few entries is faster than a loop exit that the processor cannot predict
            left = k
            for i in range(n):
                k = left if left >= 0 else k
                e = i if left >= 0 else e
                left -= entries[i, 1]
        else:
            while k >= entries[e, 1]:
                k -= entries[e, 1]
                e += 1
        if one_form:
            take_head(entries, e, k, move)
        else:
            take(entries, e, k, move)
            if is_head[entries[e, 0]] == 0:
                if way == 0:
                    return seed, True
                continue
        if tried:
            if tries(state, scratch, move, way):
                return seed, True
        else:
            last = tails(state, entries, n, scratch, move)
            e = n
            while e < last and way >= entries[e, 1]:
                way -= entries[e, 1]
                e += 1
            if e < last:
                take(entries, e, way, move)
                return seed, True
    return seed, False


def drawn_by_list(state: Row, seed: Word, entries: Lines, scratch: Rows, move: Line) -> tuple[Word, Bool]:
    """Stands in for `drawn_by_choices` where moves are drawn from the list of moves."""
    return seed, False


# ---- games


def drawn_of(entries: Lines, k: Int, move: Line) -> None:
    """Write move number k of all entries into `move`."""
    e = 0
    while k >= entries[e, 1]:
        k -= entries[e, 1]
        e += 1
    take(entries, e, k, move)


def played(state: Row, seed: Word, limit: Int, entries: Lines, scratch: Rows, move: Line, taken_back: Static,
           draws: Static, repetition: Static, forbidden: Static, loses: Static, kept: Static, earlier: Static,
           weighted: Static) -> Int:
    """Play random moves, each legal one as likely as any other; how many were played.

    Moves are drawn without a list if `draws`; chance moves have weights if `weighted`. A position that was there
    `earlier` times since the table was last cleared (every `kept` plies) is `forbidden`, a loss (`loses`), or a draw.
    """
    plies = 0
    if repetition:
        forget(scratch)
        remember(scratch, state, earlier)
    while plies < limit and number(state[OUTCOME]) == GOING:
        before = number(state[TO_MOVE])
        if taken_back or forbidden:
            n = offered(state, entries, scratch)
            many = total(entries, n)
            if many == 0:
                state[OUTCOME] = word(stuck_outcome(state))
                break
            saved = scratch[SCRATCH - 1]
            for i in range(WIDTH):
                saved[i] = state[i]
            done = False
            for _ in range(8):  # rejected draws before all moves are tried
                seed = stir(seed)
                if weighted:
                    drawn_by_weight(
                        state, entries, n, drawn_below(scramble(seed), weight_of_all(state, entries, n, move)), move)
                else:
                    drawn_of(entries, below(scramble(seed), many), move)
                if advance(state, move, entries, scratch) == 0:
                    done = True
                    if forbidden:
                        done = (state[FAILED] != EMPTY or number(state[OUTCOME]) != GOING
                                or remember(scratch, state, earlier) < earlier)
                    if done:
                        break
                for i in range(WIDTH):
                    state[i] = saved[i]
                if forbidden:  # computing the outcome overwrote the entries
                    n = offered(state, entries, scratch)
            if not done:
                many = 0
                best = entries[len(entries) - 3]
                trial = scratch[0]
                for e in range(n):
                    for k in range(entries[e, 1]):
                        take(entries, e, k, move)
                        for i in range(WIDTH):
                            trial[i] = state[i]
                        allowed = act(trial, move, scratch) == 0
                        if forbidden and allowed and remember(scratch, trial, 0) >= earlier:
                            allowed = outcome(
                                trial, number(state[TO_MOVE]) ^ number(state[SEATS]), entries, scratch) != GOING
                            n = offered(state, entries, scratch)
                        if allowed:
                            mover = number(state[TO_MOVE]) ^ number(state[SEATS])
                            share = weight_of(state, mover, move) if weighted else 1
                            many += share
                            seed = stir(seed)
                            lot = scramble(seed)
                            if (drawn_below(lot, many) if weighted else below(lot, many)) < share:
                                for i in range(MOVE_WIDTH):
                                    best[i] = move[i]
                if many == 0:
                    state[OUTCOME] = word(stuck_outcome(state))
                    break
                for i in range(MOVE_WIDTH):
                    move[i] = best[i]
                advance(state, move, entries, scratch)
                if forbidden:
                    remember(scratch, state, earlier)
        else:
            drawn = False
            if draws:
                seed, drawn = draw(state, seed, entries, scratch, move)
            if not drawn:
                n = offered(state, entries, scratch)
                many = total(entries, n)
                if many == 0:
                    state[OUTCOME] = word(stuck_outcome(state))
                    break
                seed = stir(seed)
                if weighted:
                    drawn_by_weight(
                        state, entries, n, drawn_below(scramble(seed), weight_of_all(state, entries, n, move)), move)
                else:
                    drawn_of(entries, below(scramble(seed), many), move)
            advance(state, move, entries, scratch)
        if state[FAILED] != EMPTY:
            return plies
        plies += 1
        if repetition and not forbidden and number(state[OUTCOME]) == GOING and remember(
                scratch, state, earlier) >= earlier:
            state[OUTCOME] = word(1 - before if loses else DRAW)
        if repetition and plies % kept == 0:
            forget(scratch)
            remember(scratch, state, earlier)
    return plies
