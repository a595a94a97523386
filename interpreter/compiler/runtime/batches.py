"""Entries of a kernel for batches of positions, one per row.

Each entry processes the rows from `first` up to `last`, and returns the row at which it stopped: `last`, or a row at
which a rule failed, which it leaves unchanged except for the failure number. So callers can split rows among threads,
and resume where there was too little room. `interpreter.kernel.many` calls them.

Arrays: `states`, `others` uint64[n, WIDTH], `state` and `before` uint64[WIDTH], `move` int64[MOVE_WIDTH], `keys` and
`seeds` uint64[n], `counts`, `chosen`, `limits` and `plies` int64[n], `lawful` bool[n], `marks` bool[n, numbers of
moves], `moves` and `found` int64[n, MOVE_WIDTH]; `entries` int64[room, ENTRY_WIDTH] and `move_rows` int64[room,
MOVE_WIDTH] as working space; `offsets` int64[rules + 2], the last two for passing and swapping, `lows` and `strides`
int64[rules + 2, values].
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
def legal_many(states: Rows, first: Int, last: Int, entries: Lines, move_rows: Lines, counts: Line) -> Int:
    """List the legal moves of positions, those of all positions one after another; `counts` has the number of each."""
    scratch = rows(SCRATCH, WIDTH)
    at = 0
    for place in range(first, last):
        state = states[place]
        many = legal(state, entries, move_rows[at:], scratch)
        if state[FAILED] != EMPTY:
            return place
        counts[place] = many
        at += many
    return last


@entry
def count_many(states: Rows, first: Int, last: Int, entries: Lines, move_rows: Lines, counts: Line,
               taken_back: StaticBool) -> Int:
    """Count the legal moves of positions; `taken_back` says whether rules can make moves illegal."""
    scratch = rows(SCRATCH, WIDTH)
    for place in range(first, last):
        state = states[place]
        if taken_back:
            many = legal(state, entries, move_rows, scratch)
        else:
            n = offered(state, entries, scratch)
            many = total(entries, n)
        if state[FAILED] != EMPTY:
            return place
        counts[place] = many
    return last


@entry
def choose_many(states: Rows, first: Int, last: Int, chosen: Line, entries: Lines, move_rows: Lines, found: Lines,
                taken_back: StaticBool) -> Int:
    """Write the legal move number `chosen` of each position; its rule is -9 where there are fewer moves."""
    scratch = rows(SCRATCH, WIDTH)
    for place in range(first, last):
        state = states[place]
        if taken_back:
            many = legal(state, entries, move_rows, scratch)
        else:
            n = offered(state, entries, scratch)
            many = total(entries, n)
        if state[FAILED] != EMPTY:
            return place
        if chosen[place] < 0 or chosen[place] >= many:
            found[place, 0] = -9
        elif taken_back:
            for i in range(MOVE_WIDTH):
                found[place, i] = move_rows[chosen[place], i]
        else:
            k = chosen[place]
            e = 0
            while k >= entries[e, 1]:
                k -= entries[e, 1]
                e += 1
            take(entries, e, k, found[place])
    return last


def number_of(move: Line, offsets: Line, lows: Lines, strides: Lines) -> Int:
    """The index of a move: the offset of its rule plus its values as digits."""
    rule = move[0]
    if rule < 0:
        rule = len(lows) + rule
    found = offsets[rule]
    for i in range(move[1]):
        found += (move[2 + i] - lows[rule, i]) * strides[rule, i]
    return found


@entry
def mark_many(states: Rows, first: Int, last: Int, offsets: Line, lows: Lines, strides: Lines, entries: Lines,
              move_rows: Lines, marks: FlagRows, counts: Line, taken_back: StaticBool, values: Static, words: Static,
              form_rule: Table, form_low: Table, form_alone: Table) -> Int:
    """Mark the legal moves of positions by their indices; returns -1 - row where a move of a row has no index.

    The values of an entry begin at index `values`. By form of entry, `form_rule` is its rule, `form_low` the lowest
    value of its set, and `form_alone` whether it has nothing but values and a set.
    """
    scratch = rows(SCRATCH, WIDTH)
    move = line(MOVE_WIDTH)
    for place in range(first, last):
        state = states[place]
        for k in range(len(marks[place])):
            marks[place, k] = False
        if taken_back:
            many = legal(state, entries, move_rows, scratch)
            for j in range(many):
                for i in range(MOVE_WIDTH):
                    move[i] = move_rows[j, i]
                at = number_of(move, offsets, lows, strides)
                if at < 0 or at >= len(marks[place]):
                    return -1 - place
                marks[place, at] = True
        else:
            n = offered(state, entries, scratch)
            many = total(entries, n)
            for e in range(n):
                if form_alone[entries[e, 0]] == 0:
                    for k in range(entries[e, 1]):
                        take(entries, e, k, move)
                        at = number_of(move, offsets, lows, strides)
                        if at < 0 or at >= len(marks[place]):
                            return -1 - place
                        marks[place, at] = True
                    continue
                rule = form_rule[entries[e, 0]]
                size = entries[e, 2]
                step = strides[rule, size]
                start = offsets[rule] + (form_low[entries[e, 0]] - lows[rule, size]) * step
                for i in range(size):
                    start += (entries[e, values + i] - lows[rule, i]) * strides[rule, i]
                for part in range(words):
                    rest = word(entries[e, CHOICE + part])
                    while rest != EMPTY:
                        at = start + ((part << 6) + lowest(rest)) * step
                        rest &= rest - ONE
                        if at < 0 or at >= len(marks[place]):
                            return -1 - place
                        marks[place, at] = True
        if state[FAILED] != EMPTY:
            return place
        counts[place] = many
    return last


def put_back(state: Row, before: Row) -> None:
    """Restore a position, but keep the failure number."""
    failure = state[FAILED]
    for k in range(WIDTH):
        state[k] = before[k]
    state[FAILED] = failure


@entry
def apply_many(states: Rows, first: Int, last: Int, moves: Lines, lawful: Flags, entries: Lines) -> Int:
    """Carry out one move in each position; illegal moves change nothing, and are not `lawful`."""
    scratch = rows(SCRATCH, WIDTH)
    before = row(WIDTH)
    for place in range(first, last):
        state = states[place]
        for k in range(WIDTH):
            before[k] = state[k]
        code = apply(state, moves[place], entries, scratch)
        if state[FAILED] != EMPTY:
            put_back(state, before)
            return place
        lawful[place] = code == 0
        if code != 0:
            for k in range(WIDTH):
                state[k] = before[k]
    return last


@entry
def play_many(states: Rows, first: Int, last: Int, seeds: Row, limits: Line, entries: Lines, plies: Line) -> Int:
    """Play random moves from positions."""
    scratch = rows(PLAYING, WIDTH)
    move = line(MOVE_WIDTH)
    before = row(WIDTH)
    for place in range(first, last):
        state = states[place]
        for k in range(WIDTH):
            before[k] = state[k]
        many = play(state, seeds[place], limits[place], entries, scratch, move)
        if state[FAILED] != EMPTY:
            put_back(state, before)
            return place
        plies[place] = many
    return last


@entry
def key_many(states: Rows, first: Int, last: Int, keys: Row) -> Int:
    """Compute the keys of positions."""
    for place in range(first, last):
        state = states[place]
        keys[place] = key(state)
    return last


@entry
def key_change_many(states: Rows, first: Int, last: Int, others: Rows, keys: Row) -> Int:
    """Update the keys of `others` to those of `states`."""
    for place in range(first, last):
        state = states[place]
        keys[place] ^= key_change(state, others[place])
    return last
