"""Hooks for Havannah: stones are joined as they come, and rings are looked for only where one can have closed.

The compiled rule floods the board from its edges, and the mover's stones from each of those at an edge, after every
move. Here each row keeps a union-find of the stones, with the corners and borders that their chains touch. A stone can
close a ring only if it joins a chain to itself: if two of its neighbours are of one chain, and neither way round the
stone leads from the one to the other by stones of the chain; then the compiled rule is asked. Or it fills a hole.
"""

from interpreter.hooks import DRAW, EMPTY, GOING, ONE, WORDS, hook, keep, lowest, part, popcount, table, word
from interpreter.unions import chain, join, marks

CORNERS = 63


@table
def NEXT(game):
    """The neighbours of each cell, going round it; -1 for those that are not there."""
    return [step for steps in game.board.steps for step in steps]


@table
def TOUCHED(game):
    """For each cell the corner that it is, or the border that it lies on, as a bit: six corners, then six borders."""
    regions = game.board.regions
    corners = [cell for cell in range(game.board.size) if regions["corners"] >> cell & 1]
    found = [0] * game.board.size
    for bit, cell in enumerate(corners):
        found[cell] |= 1 << bit
    for bit, side in enumerate(("top_left", "top_right", "right", "bottom_right", "bottom_left", "left"), start=6):
        for cell in range(game.board.size):
            if (regions[side] & ~regions["corners"]) >> cell & 1:
                found[cell] |= 1 << bit
    return found


@keep
def JOINED(game):
    """For each player the stones that are in the union-find."""
    return 2 * -(-game.board.size // 64)


@keep
def PARENT(game):
    """For each cell the cell it was joined to, its own number for the first of a chain; with what the chain touches."""
    return game.board.size


@part
def is_joined(state, mover, c):
    """Whether a cell is one of the mover's stones in the union-find."""
    return c >= 0 and (state[JOINED + mover * WORDS + (c >> 6)] >> (c & 63)) & ONE != EMPTY


@part
def filled(state, mover, c):
    """Whether a stone has the mover's stones all around it."""
    for d in range(6):
        if not is_joined(state, mover, NEXT[c * 6 + d]):
            return False
    return True


@hook("ends")
def ends(state, mover, entries, scratch):
    """Join the mover's stones that came; whether there is a ring, a bridge or a fork."""
    for k in range(WORDS):
        fresh = state[(1 + mover) * WORDS + k] & ~state[JOINED + mover * WORDS + k]
        while fresh != EMPTY:
            c = (k << 6) + lowest(fresh)
            fresh &= fresh - ONE
            state[JOINED + mover * WORDS + k] |= ONE << (c & 63)
            touched = TOUCHED[c]
            join(state, PARENT, c, c, touched)
            before = is_joined(state, mover, NEXT[c * 6 + 5])
            closing = False
            around = 0
            for d in range(6):
                n = NEXT[c * 6 + d]
                here = is_joined(state, mover, n)
                if here:
                    around += 1
                    if filled(state, mover, n):
                        return mover
                    if not before:
                        first = chain(state, PARENT, n)
                        if first == c:
                            closing = True
                        else:
                            touched |= marks(state, PARENT, first)
                            join(state, PARENT, first, c, touched)
                before = here
            join(state, PARENT, c, c, touched)
            if around == 6:
                return mover
            if popcount(word(touched & CORNERS)) >= 2 or popcount(word(touched >> 6)) >= 3:
                return mover
            if closing and compiled_ends(state, mover, entries, scratch) == mover:
                return mover
    for k in range(WORDS):
        if state[k] != EMPTY:
            return GOING
    return DRAW
