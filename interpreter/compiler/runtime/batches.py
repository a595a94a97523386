"""What callers of a kernel do with many positions at once, a row each.

Each entry goes through the rows from `first` to `last` and gives the row at which it stopped: `last`, or one at which a
rule failed, which it leaves as it was but for the number of the failure. So callers can share rows out among threads,
and go on where there was too little room. `interpreter.kernel.many` calls them.
"""

from __future__ import annotations

from interpreter.compiler.runtime.game import (
    CHOICE,
    FAILED,
    MOVE_WIDTH,
    PLAYING,
    SCRATCH,
    WIDTH,
    apply,
    key,
    key_change,
    legal,
    offered,
    play,
    take,
    total,
)
from interpreter.compiler.runtime.types import (
    EMPTY,
    ONE,
    FlagRows,
    Flags,
    Int,
    Line,
    Lines,
    Row,
    Rows,
    Static,
    StaticBool,
    Table,
    entry,
    line,
    lowest,
    row,
    rows,
    word,
)


@entry
def legal_many(states: Rows, first: Int, last: Int, E: Lines, M: Lines, counts: Line) -> Int:
    """List the legal moves of positions, one after another."""
    X = rows(SCRATCH, WIDTH)
    at = 0
    for place in range(first, last):
        S = states[place]
        many = legal(S, E, M[at:], X)
        if S[FAILED] != EMPTY:
            return place
        counts[place] = many
        at += many
    return last


@entry
def count_many(states: Rows, first: Int, last: Int, E: Lines, M: Lines, counts: Line, taken_back: StaticBool) -> Int:
    """Count the legal moves of positions; `taken_back` says whether rules take moves back."""
    X = rows(SCRATCH, WIDTH)
    for place in range(first, last):
        S = states[place]
        if taken_back:
            many = legal(S, E, M, X)
        else:
            n = offered(S, E, X)
            many = total(E, n)
        if S[FAILED] != EMPTY:
            return place
        counts[place] = many
    return last


@entry
def choose_many(states: Rows, first: Int, last: Int, chosen: Line, E: Lines, M: Lines, found: Lines,
                taken_back: StaticBool) -> Int:
    """Find the legal moves with the numbers `chosen` of positions; their rule is -9 where there are fewer."""
    X = rows(SCRATCH, WIDTH)
    for place in range(first, last):
        S = states[place]
        if taken_back:
            many = legal(S, E, M, X)
        else:
            n = offered(S, E, X)
            many = total(E, n)
        if S[FAILED] != EMPTY:
            return place
        if chosen[place] < 0 or chosen[place] >= many:
            found[place, 0] = -9
        elif taken_back:
            for i in range(MOVE_WIDTH):
                found[place, i] = M[chosen[place], i]
        else:
            k = chosen[place]
            e = 0
            while k >= E[e, 1]:
                k -= E[e, 1]
                e += 1
            take(E, e, k, found[place])
    return last


def number_of(m: Line, offsets: Line, lows: Lines, strides: Lines) -> Int:
    """The number of a move: where those of its rule begin, and its values as digits."""
    rule = m[0]
    if rule < 0:
        rule = len(lows) + rule
    found = offsets[rule]
    for i in range(m[1]):
        found += (m[2 + i] - lows[rule, i]) * strides[rule, i]
    return found


@entry
def mark_many(states: Rows, first: Int, last: Int, offsets: Line, lows: Lines, strides: Lines, E: Lines, M: Lines,
              marks: FlagRows, counts: Line, taken_back: StaticBool, values: Static, words: Static, form_rule: Table,
              form_low: Table, form_alone: Table) -> Int:
    """Mark the legal moves of positions by their numbers; the row is given as -1 - row where a move has none.

    Entries have their values from `values` on; forms of entries have the tables `form_rule` of their rules, `form_low`
    of the lowest value of their sets, and `form_alone` of whether they are values and a set alone.
    """
    X = rows(SCRATCH, WIDTH)
    m = line(MOVE_WIDTH)
    for place in range(first, last):
        S = states[place]
        for k in range(len(marks[place])):
            marks[place, k] = False
        if taken_back:
            many = legal(S, E, M, X)
            for j in range(many):
                for i in range(MOVE_WIDTH):
                    m[i] = M[j, i]
                at = number_of(m, offsets, lows, strides)
                if at < 0 or at >= len(marks[place]):
                    return -1 - place
                marks[place, at] = True
        else:
            n = offered(S, E, X)
            many = total(E, n)
            for e in range(n):
                if form_alone[E[e, 0]] == 0:
                    for k in range(E[e, 1]):
                        take(E, e, k, m)
                        at = number_of(m, offsets, lows, strides)
                        if at < 0 or at >= len(marks[place]):
                            return -1 - place
                        marks[place, at] = True
                    continue
                rule = form_rule[E[e, 0]]
                size = E[e, 2]
                step = strides[rule, size]
                start = offsets[rule] + (form_low[E[e, 0]] - lows[rule, size]) * step
                for i in range(size):
                    start += (E[e, values + i] - lows[rule, i]) * strides[rule, i]
                for part in range(words):
                    rest = word(E[e, CHOICE + part])
                    while rest != EMPTY:
                        at = start + ((part << 6) + lowest(rest)) * step
                        rest &= rest - ONE
                        if at < 0 or at >= len(marks[place]):
                            return -1 - place
                        marks[place, at] = True
        if S[FAILED] != EMPTY:
            return place
        counts[place] = many
    return last


def put_back(S: Row, B: Row) -> None:
    """Make a position again what it was, but for the number of its failure."""
    failure = S[FAILED]
    for k in range(WIDTH):
        S[k] = B[k]
    S[FAILED] = failure


@entry
def apply_many(states: Rows, first: Int, last: Int, moves: Lines, lawful: Flags, E: Lines) -> Int:
    """Carry out a move in each of some positions; one that a rule takes back changes nothing."""
    X = rows(SCRATCH, WIDTH)
    B = row(WIDTH)
    for place in range(first, last):
        S = states[place]
        for k in range(WIDTH):
            B[k] = S[k]
        code = apply(S, moves[place], E, X)
        if S[FAILED] != EMPTY:
            put_back(S, B)
            return place
        lawful[place] = code == 0
        if code != 0:
            for k in range(WIDTH):
                S[k] = B[k]
    return last


@entry
def play_many(states: Rows, first: Int, last: Int, seeds: Row, limits: Line, E: Lines, plies: Line) -> Int:
    """Play random moves from positions."""
    X = rows(PLAYING, WIDTH)
    m = line(MOVE_WIDTH)
    B = row(WIDTH)
    for place in range(first, last):
        S = states[place]
        for k in range(WIDTH):
            B[k] = S[k]
        many = play(S, seeds[place], limits[place], E, X, m)
        if S[FAILED] != EMPTY:
            put_back(S, B)
            return place
        plies[place] = many
    return last


@entry
def key_many(states: Rows, first: Int, last: Int, keys: Row) -> Int:
    """Compute the keys of positions."""
    for place in range(first, last):
        S = states[place]
        keys[place] = key(S)
    return last


@entry
def key_change_many(states: Rows, first: Int, last: Int, others: Rows, keys: Row) -> Int:
    """Bring the keys of other positions to those of positions."""
    for place in range(first, last):
        S = states[place]
        keys[place] ^= key_change(S, others[place])
    return last
