"""Hooks for Y: stones are joined as they come, instead of a search through all of them after each move.

Each row keeps a union-find of the stones: for each cell the one it was joined to, and for the first of a chain which
sides the chain touches. A stone is joined to at most six chains, however long they are.
"""

from interpreter.hooks import EMPTY, GOING, ONE, WORDS, hook, keep, lowest, table
from interpreter.unions import chain, join, marks


@table
def NEXT(game):
    """The neighbours of each cell, six with -1 for those that are not there."""
    return [step for steps in game.board.steps for step in steps]


@table
def TOUCHED(game):
    """Which sides each cell touches, as bits: top, left, and the slope."""
    board = game.board
    size = game.params["size"]
    return [(board.row_of[cell] == 0) + 2 * (board.column_of[cell] == 0)
            + 4 * (board.row_of[cell] + board.column_of[cell] == size - 1) for cell in range(board.size)]


@keep
def JOINED(game):
    """For each player the stones that are in the union-find."""
    return 2 * -(-game.board.size // 64)


@keep
def PARENT(game):
    """For each cell the cell it was joined to, its own number for the first of a chain; with the sides touched."""
    return game.board.size


@hook("ends")
def ends(state, mover, entries, scratch):
    """Join the mover's stones that came; whether their chain touches all sides."""
    won = False
    for k in range(WORDS):
        fresh = state[(1 + mover) * WORDS + k] & ~state[JOINED + mover * WORDS + k]
        while fresh != EMPTY:
            c = (k << 6) + lowest(fresh)
            fresh &= fresh - ONE
            state[JOINED + mover * WORDS + k] |= ONE << (c & 63)
            sides = TOUCHED[c]
            join(state, PARENT, c, c, sides)
            for d in range(c * 6, c * 6 + 6):
                n = NEXT[d]
                if n >= 0 and (state[JOINED + mover * WORDS + (n >> 6)] >> (n & 63)) & ONE != EMPTY:
                    first = chain(state, PARENT, n)
                    if first != c:
                        sides |= marks(state, PARENT, first)
                        join(state, PARENT, first, c, sides)
            join(state, PARENT, c, c, sides)
            if sides == 7:
                won = True
    return mover if won else GOING
