"""Hooks for Hexplode: a cascade that knows which tiles are full.

The compiled rule looks for the first full tile anew after each explosion, and counts whether the other player is gone
each time. Here the mover's full tiles are a set that each explosion changes at its own neighbours only; tiles explode
in the same order, the first in board order, so that a cascade that is broken off leaves the same board.
"""

from interpreter.hooks import EMPTY, ONE, VALUES_FROM, WORDS, hook, keep, lowest, number, table, word


@table
def NEXT(game):
    """The neighbours of each cell, six with -1 for those that are not there."""
    return [step for steps in game.board.steps for step in steps]


@table
def FULL_AT(game):
    """How many counters make each tile explode: as many as it has neighbours."""
    return [near.bit_count() for near in game.board.neighbours]


@keep
def READY(game):
    """The mover's tiles that are full; empty between moves."""
    return -(-game.board.size // 64)


@keep
def SCANNED(game):
    """For each player whether its tiles have been gone through once: a position that was read may have full ones."""
    return 2


@hook("do add")
def do_add(state, mover, move):
    """Add a counter; note whether the tile is full."""
    c = move[2]
    bit = ONE << (c & 63)
    place = c >> 6
    count = number(state[VALUES_FROM + c]) + 1
    state[VALUES_FROM + c] = word(count)
    if count > 0:
        state[place] &= ~bit
        state[(1 + mover) * WORDS + place] |= bit
        if count >= FULL_AT[c]:
            state[READY + place] |= bit


@hook("forced")
def close(state, mover):
    """Explode the mover's full tiles until none is left, or until the other player is gone."""
    size = len(FULL_AT)
    own = (1 + mover) * WORDS
    other = (2 - mover) * WORDS
    if state[SCANNED + mover] == EMPTY:
        state[SCANNED + mover] = ONE
        for k in range(WORDS):
            rest = state[own + k]
            while rest != EMPTY:
                c = (k << 6) + lowest(rest)
                rest &= rest - ONE
                if number(state[VALUES_FROM + c]) >= FULL_AT[c]:
                    state[READY + k] |= ONE << (c & 63)
    for _ in range(1000 * size):
        k = 0
        while k < WORDS and state[READY + k] == EMPTY:
            k += 1
        if k == WORDS:
            return
        left = EMPTY
        for part in range(WORDS):
            left |= state[other + part]
        if left == EMPTY:
            counters = 0
            for part in range(WORDS):
                rest = state[own + part]
                while rest != EMPTY:
                    counters += number(state[VALUES_FROM + (part << 6) + lowest(rest)])
                    rest &= rest - ONE
            if counters > 2:
                break
        bit = state[READY + k] & ~(state[READY + k] - ONE)
        c = (k << 6) + lowest(bit)
        count = number(state[VALUES_FROM + c]) - FULL_AT[c]
        state[VALUES_FROM + c] = word(count)
        if count < FULL_AT[c]:
            state[READY + k] ^= bit
        if count == 0:
            state[own + k] ^= bit
            state[k] |= bit
        for d in range(c * 6, c * 6 + 6):
            n = NEXT[d]
            if n < 0:
                continue
            count = number(state[VALUES_FROM + n]) + 1
            state[VALUES_FROM + n] = word(count)
            if count > 0:
                bit = ONE << (n & 63)
                place = n >> 6
                state[other + place] &= ~bit
                state[place] &= ~bit
                state[own + place] |= bit
                if count >= FULL_AT[n]:
                    state[READY + place] |= bit
    for k in range(WORDS):
        state[READY + k] = EMPTY
    compiled_close(state, mover)  # which stops at once, or says that there is no end
