"""Hooks for Nex: random moves are drawn without a list, and only the mover can have joined its sides.

To draw a move, the compiled rule lists an entry for each first stone, and for each pair of neutral stones; there are
thousands on a large board. But how many moves there are follows from the numbers of stones, and so does each move from
its number. A move changes the mover's stones and neutral ones, never the other player's, so that the ends need be asked
for the mover alone, and only where it has a stone at each of its sides.
"""

from interpreter.hooks import (
    EMPTY,
    GOING,
    SEATS,
    TO_MOVE,
    WORDS,
    below,
    hook,
    nth,
    number,
    part,
    popcount,
    scramble,
    stir,
    words,
)


@words
def SIDES(game):
    """Each player's first side and its other one: top, bottom, left, right."""
    count = -(-game.board.size // 64)
    return [game.board.regions[side] >> 64 * place & (1 << 64) - 1
            for side in ("top", "bottom", "left", "right") for place in range(count)]


@part
def held(state, piece):
    """How many cells hold a piece."""
    many = 0
    for k in range(WORDS):
        many += popcount(state[piece * WORDS + k])
    return many


@part
def cell_of(state, piece, number_):
    """The cell with a piece that has so many before it."""
    k = 0
    while True:
        many = popcount(state[piece * WORDS + k])
        if number_ < many:
            return (k << 6) + nth(state[piece * WORDS + k], number_)
        number_ -= many
        k += 1


@hook("draw")
def draw(state, seed, entries, scratch, move):
    """Draw a move: a new stone and a neutral one, or two neutral stones that become the mover's for one of its own."""
    mover = number(state[TO_MOVE]) ^ number(state[SEATS])
    empty = held(state, 0)
    neutral = held(state, 3)
    own = held(state, 1 + mover)
    generating = empty * (empty - 1)
    transforming = neutral * (neutral - 1) // 2 * own
    if generating + transforming == 0:
        return seed, False
    seed = stir(seed)
    k = below(scramble(seed), generating + transforming)
    if k < generating:
        one = k // (empty - 1)
        other = k % (empty - 1)
        move[0] = 0
        move[1] = 2
        move[2] = cell_of(state, 0, one)
        move[3] = cell_of(state, 0, other if other < one else other + 1)
        return seed, True
    k -= generating
    pair = k // own
    one = 0
    while pair >= neutral - 1 - one:
        pair -= neutral - 1 - one
        one += 1
    move[0] = 1
    move[1] = 3
    move[2] = cell_of(state, 3, one)
    move[3] = cell_of(state, 3, one + 1 + pair)
    move[4] = cell_of(state, 1 + mover, k % own)
    return seed, True


@hook("ends")
def ends(state, mover, entries, scratch):
    """Whether the mover has joined its sides."""
    one = EMPTY
    other = EMPTY
    for k in range(WORDS):
        stones = state[(1 + mover) * WORDS + k]
        one |= stones & SIDES[2 * mover * WORDS + k]
        other |= stones & SIDES[(2 * mover + 1) * WORDS + k]
    if one == EMPTY or other == EMPTY:
        return GOING
    return compiled_ends(state, mover, entries, scratch)  # the rule that this stands in for
