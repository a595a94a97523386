"""Hooks for TwixT: bridges and chains are followed peg by peg.

The compiled rules look a bridge's number up for each of eight leaps, and flood both players' pegs after each move. Here
a new peg goes through its own few possible bridges, and each row keeps a union-find of the pegs that bridges join, with
the sides that their chains touch: a move costs the same on any board.
"""

from interpreter.hooks import EMPTY, GOING, ONE, WORDS, hook, keep, lowest, table
from interpreter.unions import chain, join, marks


@table
def FROM(game):
    """Where each cell's possible bridges begin in the tables of bridges."""
    found = [0]
    for cell in range(game.board.size):
        found.append(found[-1] + len(game.board.layers[0].of_cell.get(cell, ())))
    return found


@table
def BRIDGE(game):
    """The numbers of each cell's possible bridges, in the order of the cells at their other ends."""
    return [number for cell in range(game.board.size)
            for number, _ in sorted(game.board.layers[0].of_cell.get(cell, ()), key=lambda link: link[1])]


@table
def END(game):
    """The cells at their other ends."""
    return [end for cell in range(game.board.size)
            for _, end in sorted(game.board.layers[0].of_cell.get(cell, ()), key=lambda link: link[1])]


@table
def ENDS(game):
    """The two cells of each bridge."""
    return [cell for pair in game.board.layers[0].pairs for cell in pair]


@table
def CROSSES_FROM(game):
    """Where the bridges that each bridge crosses begin."""
    found = [0]
    for others in game.board.layers[0].crossing:
        found.append(found[-1] + others.bit_count())
    return found


@table
def CROSSES(game):
    """The bridges that each bridge crosses."""
    return [other for others in game.board.layers[0].crossing for other in range(others.bit_length())
            if others >> other & 1]


@table
def TOUCHED(game):
    """Which of a player's sides each cell touches, 1 and 2 as bits: Red's top and bottom, then Blue's left, right."""
    sides = game.board.regions
    return [(sides[one] >> cell & 1) + 2 * (sides[other] >> cell & 1)
            for one, other in (("top", "bottom"), ("left", "right")) for cell in range(game.board.size)]


@table
def EARLY(game):
    """Whether a game is drawn as soon as nobody can win."""
    return [game.params["early_draw"]]


@table
def BRIDGES(game):
    """How many words the bridges take."""
    return [-(-len(game.board.layers[0].pairs) // 64)]


@keep
def SEEN(game):
    """For each player the pegs that are in the union-find."""
    return 2 * -(-game.board.size // 64)


@keep
def BUILT(game):
    """The bridges that are in the union-find."""
    return -(-len(game.board.layers[0].pairs) // 64)


@keep
def PARENT(game):
    """For each cell the cell it was joined to, its own number for the first of a chain; with the sides touched."""
    return game.board.size


@hook("do place")
def do_place(S, mover, m):
    """Put a peg and build its bridges: to each own peg a leap away, in board order, where no other is in the way."""
    c = m[2]
    own = (1 + mover) * WORDS
    S[c >> 6] &= ~(ONE << (c & 63))
    S[own + (c >> 6)] |= ONE << (c & 63)
    links = 3 * WORDS
    for k in range(FROM[c], FROM[c + 1]):
        n = END[k]
        if (S[own + (n >> 6)] >> (n & 63)) & ONE == EMPTY:
            continue
        bridge = BRIDGE[k]
        free = True
        for j in range(CROSSES_FROM[bridge], CROSSES_FROM[bridge + 1]):
            other = CROSSES[j]
            if (S[links + (other >> 6)] >> (other & 63)) & ONE != EMPTY:
                free = False
                break
        if free:
            S[links + (bridge >> 6)] |= ONE << (bridge & 63)


@hook("ends")
def ends(S, mover, E, X):
    """Join the pegs of new bridges; whether a chain touches both sides of its player."""
    size = len(FROM) - 1
    for player in range(2):
        for k in range(WORDS):
            fresh = S[(1 + player) * WORDS + k] & ~S[SEEN + player * WORDS + k]
            S[SEEN + player * WORDS + k] |= fresh
            while fresh != EMPTY:
                c = (k << 6) + lowest(fresh)
                fresh &= fresh - ONE
                join(S, PARENT, c, c, TOUCHED[player * size + c])
    won = -1
    for k in range(BRIDGES[0]):
        fresh = S[3 * WORDS + k] & ~S[BUILT + k]
        S[BUILT + k] |= fresh
        while fresh != EMPTY:
            bridge = (k << 6) + lowest(fresh)
            fresh &= fresh - ONE
            one = chain(S, PARENT, ENDS[2 * bridge])
            other = chain(S, PARENT, ENDS[2 * bridge + 1])
            if one != other:
                sides = marks(S, PARENT, one) | marks(S, PARENT, other)
                join(S, PARENT, other, one, sides)
                join(S, PARENT, one, one, sides)
                if sides == 3:
                    won = 0 if (S[WORDS + (one >> 6)] >> (one & 63)) & ONE != EMPTY else 1
    if won >= 0:
        return won
    if EARLY[0] == 1:
        return compiled_ends(S, mover, E, X)  # the rule that this stands in for
    return GOING
