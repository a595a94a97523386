"""Hooks for TwixT: bridges and chains are followed peg by peg.

The compiled rules look a bridge's number up for each of eight leaps, and flood both players' pegs after each move. Here
a new peg goes through its own few possible bridges, and each row keeps a union-find of the pegs that bridges join, with
the sides that their chains touch: a move costs the same on any board. What each player lacks is found level by level,
with the bridges that others cross marked once.
"""

from interpreter.hooks import EMPTY, GOING, ONE, SEATS, TO_MOVE, WORDS, hook, keep, lowest, number, part, table, words
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


@words
def GOALS(game):
    """Each player's border rows, the first and the other: Red's top and bottom, then Blue's left, right."""
    sides = game.board.regions
    count = -(-game.board.size // 64)
    return [sides[name] >> 64 * place & (1 << 64) - 1
            for name in ("top", "bottom", "left", "right") for place in range(count)]


@keep
def LOOKED_AT(game):
    """The bridges whose crossings are among the blocked ones."""
    return -(-len(game.board.layers[0].pairs) // 64)


@keep
def BLOCKED(game):
    """The bridges that others cross."""
    return -(-len(game.board.layers[0].pairs) // 64)


@keep
def SETS(game):
    """Sets of cells to work with: reached, the last level, the next one, and pegs to follow."""
    return 4 * -(-game.board.size // 64)


@part
def follow(S, player):
    """Add all pegs that bridges join to those in the last of the sets to those reached, and to the last level."""
    links = 3 * WORDS
    left = True
    while left:
        left = False
        for w in range(WORDS):
            while S[SETS + 3 * WORDS + w] != EMPTY:
                left = True
                c = (w << 6) + lowest(S[SETS + 3 * WORDS + w])
                bit = ONE << (c & 63)
                S[SETS + 3 * WORDS + w] &= ~bit
                if S[SETS + w] & bit != EMPTY:
                    continue
                S[SETS + w] |= bit
                S[SETS + WORDS + w] |= bit
                for k in range(FROM[c], FROM[c + 1]):
                    bridge = BRIDGE[k]
                    if (S[links + (bridge >> 6)] >> (bridge & 63)) & ONE != EMPTY:
                        n = END[k]
                        S[SETS + 3 * WORDS + (n >> 6)] |= ONE << (n & 63)


@part
def missing_pegs(S, player):
    """How many pegs a player lacks to join its sides, were the other not to play; the board's size if it cannot."""
    size = len(FROM) - 1
    own = (1 + player) * WORDS
    goals = 2 * player * WORDS
    others = 2 * (1 - player) * WORDS
    for w in range(WORDS):
        start = GOALS[goals + w]
        S[SETS + w] = EMPTY
        S[SETS + WORDS + w] = EMPTY
        S[SETS + 2 * WORDS + w] = start & S[w] & ~GOALS[others + w] & ~GOALS[others + WORDS + w]
        S[SETS + 3 * WORDS + w] = start & S[own + w]
    follow(S, player)
    steps = 0
    while True:
        arrived = EMPTY
        for w in range(WORDS):
            arrived |= S[SETS + w] & GOALS[goals + WORDS + w]
        if arrived != EMPTY:
            return steps
        steps += 1
        for w in range(WORDS):  # cells that a free bridge joins to the last level
            rest = S[SETS + WORDS + w]
            while rest != EMPTY:
                c = (w << 6) + lowest(rest)
                rest &= rest - ONE
                for k in range(FROM[c], FROM[c + 1]):
                    n = END[k]
                    bridge = BRIDGE[k]
                    if (S[BLOCKED + (bridge >> 6)] >> (bridge & 63)) & ONE == EMPTY:
                        S[SETS + 2 * WORDS + (n >> 6)] |= ONE << (n & 63)
        found = EMPTY
        for w in range(WORDS):
            outside = GOALS[others + w] | GOALS[others + WORDS + w]
            level = S[SETS + 2 * WORDS + w] & S[w] & ~outside & ~S[SETS + w]
            S[SETS + WORDS + w] = level
            S[SETS + 2 * WORDS + w] = EMPTY
            S[SETS + w] |= level
            found |= level
        if found == EMPTY:
            return size
        for w in range(WORDS):  # chains that a free bridge joins to these cells
            rest = S[SETS + WORDS + w] & S[w]
            while rest != EMPTY:
                c = (w << 6) + lowest(rest)
                rest &= rest - ONE
                for k in range(FROM[c], FROM[c + 1]):
                    n = END[k]
                    if S[own + (n >> 6)] & ~S[SETS + (n >> 6)] & (ONE << (n & 63)) != EMPTY:
                        bridge = BRIDGE[k]
                        if (S[BLOCKED + (bridge >> 6)] >> (bridge & 63)) & ONE == EMPTY:
                            S[SETS + 3 * WORDS + (n >> 6)] |= ONE << (n & 63)
        follow(S, player)


@hook("value")
def value(S):
    """How many more pegs the opponent lacks than the player to move."""
    mover = number(S[TO_MOVE]) ^ number(S[SEATS])
    for k in range(BRIDGES[0]):
        fresh = S[3 * WORDS + k] & ~S[LOOKED_AT + k]
        S[LOOKED_AT + k] |= fresh
        while fresh != EMPTY:
            bridge = (k << 6) + lowest(fresh)
            fresh &= fresh - ONE
            for j in range(CROSSES_FROM[bridge], CROSSES_FROM[bridge + 1]):
                S[BLOCKED + (CROSSES[j] >> 6)] |= ONE << (CROSSES[j] & 63)
    return missing_pegs(S, 1 - mover) - missing_pegs(S, mover)
