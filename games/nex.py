"""Hooks for Nex: only the mover can have joined its sides.

A move changes the mover's stones and neutral ones, never the other player's. The compiled rule asks for both players
after each move; this one asks for the mover alone, and only where it has a stone at each of its sides.
"""

from interpreter.hooks import EMPTY, GOING, WORDS, hook, words


@words
def SIDES(game):
    """Each player's first side and its other one: top, bottom, left, right."""
    count = -(-game.board.size // 64)
    return [game.board.regions[side] >> 64 * place & (1 << 64) - 1
            for side in ("top", "bottom", "left", "right") for place in range(count)]


@hook("ends")
def ends(S, mover, E, X):
    """Whether the mover has joined its sides."""
    one = EMPTY
    other = EMPTY
    for k in range(WORDS):
        stones = S[(1 + mover) * WORDS + k]
        one |= stones & SIDES[2 * mover * WORDS + k]
        other |= stones & SIDES[(2 * mover + 1) * WORDS + k]
    if one == EMPTY or other == EMPTY:
        return GOING
    return compiled_ends(S, mover, E, X)  # the rule that this stands in for
