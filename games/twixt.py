"""Hooks for TwixT: bridges and chains are followed peg by peg.

The compiled rules look a bridge's number up for each of eight leaps, and flood both players' pegs after each move. Here
a new peg goes through its own few possible bridges, and each row keeps a union-find of the pegs that bridges join, with
the sides that their chains touch: a move costs the same on any board. What each player lacks, and the ends of its
chains on the shortest ways, are found level by level in words of a line each.
"""

from interpreter.hooks import (
    EMPTY,
    GOING,
    ONE,
    SEATS,
    TO_MOVE,
    WORDS,
    hook,
    keep,
    lowest,
    number,
    part,
    popcount,
    set_at,
    table,
    word_of,
    words,
)
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
def do_place(state, mover, move):
    """Put a peg and build its bridges: to each own peg a leap away, in board order, where no other is in the way."""
    c = move[2]
    own = (1 + mover) * WORDS
    state[c >> 6] &= ~(ONE << (c & 63))
    state[own + (c >> 6)] |= ONE << (c & 63)
    links = 3 * WORDS
    for k in range(FROM[c], FROM[c + 1]):
        n = END[k]
        if (state[own + (n >> 6)] >> (n & 63)) & ONE == EMPTY:
            continue
        bridge = BRIDGE[k]
        free = True
        for j in range(CROSSES_FROM[bridge], CROSSES_FROM[bridge + 1]):
            other = CROSSES[j]
            if (state[links + (other >> 6)] >> (other & 63)) & ONE != EMPTY:
                free = False
                break
        if free:
            state[links + (bridge >> 6)] |= ONE << (bridge & 63)


@hook("ends")
def ends(state, mover, entries, scratch):
    """Join the pegs of new bridges; whether a chain touches both sides of its player."""
    size = len(FROM) - 1
    for player in range(2):
        for k in range(WORDS):
            fresh = state[(1 + player) * WORDS + k] & ~state[SEEN + player * WORDS + k]
            state[SEEN + player * WORDS + k] |= fresh
            while fresh != EMPTY:
                c = (k << 6) + lowest(fresh)
                fresh &= fresh - ONE
                join(state, PARENT, c, c, TOUCHED[player * size + c])
    won = -1
    for k in range(BRIDGES[0]):
        fresh = state[3 * WORDS + k] & ~state[BUILT + k]
        state[BUILT + k] |= fresh
        while fresh != EMPTY:
            bridge = (k << 6) + lowest(fresh)
            fresh &= fresh - ONE
            one = chain(state, PARENT, ENDS[2 * bridge])
            other = chain(state, PARENT, ENDS[2 * bridge + 1])
            if one != other:
                sides = marks(state, PARENT, one) | marks(state, PARENT, other)
                join(state, PARENT, other, one, sides)
                join(state, PARENT, one, one, sides)
                if sides == 3:
                    won = 0 if (state[WORDS + (one >> 6)] >> (one & 63)) & ONE != EMPTY else 1
    if won >= 0:
        return won
    if EARLY[0] == 1:
        return compiled_ends(state, mover, entries, scratch)  # the rule that this stands in for
    return GOING


# ---- ways between a player's sides
#
# Each player has a view of the board in which it heads from the first line to the last: Red's lines are the rows,
# Blue's the columns, a word for each. A leap then leads one or two lines on or back, and what a whole set of cells can
# reach is a few shifts of the lines that have some of it. A word has two lanes where lines are of 30 cells or fewer: in
# the second one the player heads the other way, so that ways from a side and from the other are found at once.


def view_words(game):
    """How many words a view has: one for each line of the longer side, and two empty lines on either side."""
    return max(game.board.row_count, game.board.column_count) + 4


@table
def LINES(game):
    """How many lines each player has."""
    return [game.board.row_count, game.board.column_count]


def views(game):
    """For each player and lane the line and the place in it at which each cell stands, numbered from 0."""
    board = game.board
    for lines, places, count in ((board.row_of, board.column_of, board.row_count),
                                 (board.column_of, board.row_of, board.column_count)):
        for lane in lanes(game):
            yield [count - 1 - line if lane else line for line in lines], [lane + place for place in places]


def lanes(game):
    """Where lanes begin: two where a line fits into half a word, in the second of which lines run the other way."""
    return (0, 32) if max(game.board.row_count, game.board.column_count) <= 30 else (0,)


@table
def LANES(game):
    """How many lanes there are."""
    return [len(lanes(game))]


@words
def LANE(game):
    """The places of each lane, none where there is no second one."""
    return [(1 << 32) - 1, (1 << 64) - (1 << 32)] if len(lanes(game)) == 2 else [(1 << 64) - 1, 0]


@table
def VIEW(game):
    """Where each cell stands in each player's view, lane by lane: 64 times its line, which begin with number 2, and its
    place in it."""
    return [64 * (2 + line) + place for lines, places in views(game) for line, place in zip(lines, places, strict=True)]


@table
def CELL(game):
    """The cell at each place of each player's view, -1 for none."""
    board = game.board
    stride = view_words(game)
    found = [-1] * (2 * 64 * stride)
    for cell in range(board.size):
        row, column = board.row_of[cell], board.column_of[cell]
        found[64 * (2 + row) + column] = cell
        found[64 * (stride + 2 + column) + row] = cell
    return found


@table
def LEAP(game):
    """For each player, lane and bridge: 64 times the word among those of leaps in which it stands, its place there.

    The leaps on are by one line and two places, one line and two places back, two lines and one, two and one back.
    """
    stride = view_words(game)
    found = []
    for lines, places in views(game):
        for pair in game.board.layers[0].pairs:
            one, other = sorted(pair, key=lines.__getitem__)
            leap = [(1, 2), (1, -2), (2, 1), (2, -1)].index((lines[other] - lines[one], places[other] - places[one]))
            found.append(64 * (leap * stride + 2 + lines[one]) + places[one])
    return found


@words
def INSIDE(game):
    """For each player and line the cells on which the player may put pegs, in each lane."""
    board = game.board
    stride = view_words(game)
    found = [0] * (2 * stride)
    for index, (lines, places) in enumerate(views(game)):
        player = index // len(lanes(game))
        outside = board.regions["top" if player else "left"] | board.regions["bottom" if player else "right"]
        for cell in range(board.size):
            if not outside >> cell & 1:
                found[player * stride + 2 + lines[cell]] |= 1 << places[cell]
    return found


@words
def GOALS(game):
    """Each player's border rows, the first and the other: Red's top and bottom, then Blue's left, right."""
    sides = game.board.regions
    count = -(-game.board.size // 64)
    return [sides[name] >> 64 * place & (1 << 64) - 1
            for name in ("top", "bottom", "left", "right") for place in range(count)]


@words
def ROOM(game):
    """The cells on which each player may put pegs."""
    board = game.board
    count = -(-board.size // 64)
    return [(board.everything & ~board.regions[one] & ~board.regions[other]) >> 64 * place & (1 << 64) - 1
            for one, other in (("left", "right"), ("top", "bottom")) for place in range(count)]


@table
def STRIDE(game):
    """How many words a view has."""
    return [view_words(game)]


@keep
def LOOKED_AT(game):
    """Both players' pegs and the bridges, as they stand in the views."""
    return 2 * -(-game.board.size // 64) + -(-len(game.board.layers[0].pairs) // 64)


@keep
def FOUND(game):
    """For each player whether the ends of its chains were looked for."""
    return 2


@keep
def ARRIVED(game):
    """For each player the ends of its chains toward its first side, and toward its other."""
    return 4 * -(-game.board.size // 64)


@keep
def PEGS(game):
    """The views of each player's pegs, a word for each line."""
    return 2 * view_words(game)


@keep
def TAKEN(game):
    """The views of all pegs."""
    return 2 * view_words(game)


@keep
def LINKED(game):
    """The views of the bridges, a word for each leap and line, by their end on the first of their lines."""
    return 8 * view_words(game)


@keep
def BLOCKED(game):
    """The views of the bridges that others cross."""
    return 8 * view_words(game)


@keep
def WORK(game):
    """Lines to work with, in blocks of a view each; `missing_pegs`, `ends_of_chains` and `contested` name them."""
    return 10 * view_words(game)


@part
def look(state):
    """Bring the views up to the position."""
    size = len(FROM) - 1
    stride = STRIDE[0]
    gone = EMPTY
    new = EMPTY
    for k in range(2 * WORDS):
        gone |= state[LOOKED_AT + k] & ~state[WORDS + k]
        new |= state[WORDS + k] ^ state[LOOKED_AT + k]
    for k in range(BRIDGES[0]):
        gone |= state[LOOKED_AT + 2 * WORDS + k] & ~state[3 * WORDS + k]
        new |= state[3 * WORDS + k] ^ state[LOOKED_AT + 2 * WORDS + k]
    if new == EMPTY:
        return
    for player in range(2):
        state[FOUND + player] = EMPTY
    if gone != EMPTY:  # no move does that but a swap
        for k in range(2 * WORDS + BRIDGES[0]):
            state[LOOKED_AT + k] = EMPTY
        for k in range(2 * stride):
            state[PEGS + k] = EMPTY
            state[TAKEN + k] = EMPTY
        for k in range(8 * stride):
            state[LINKED + k] = EMPTY
            state[BLOCKED + k] = EMPTY
    for k in range(2 * WORDS):
        fresh = state[WORDS + k] ^ state[LOOKED_AT + k]
        state[LOOKED_AT + k] = state[WORDS + k]
        while fresh != EMPTY:
            player = k // WORDS
            c = (k - player * WORDS << 6) + lowest(fresh)
            fresh &= fresh - ONE
            for view in range(2 * LANES[0]):
                place = VIEW[view * size + c]
                of = view // LANES[0] * stride + (place >> 6)
                state[TAKEN + of] |= ONE << (place & 63)
                if view // LANES[0] == player:
                    state[PEGS + of] |= ONE << (place & 63)
    many = len(ENDS) // 2
    for k in range(BRIDGES[0]):
        fresh = state[3 * WORDS + k] ^ state[LOOKED_AT + 2 * WORDS + k]
        state[LOOKED_AT + 2 * WORDS + k] = state[3 * WORDS + k]
        while fresh != EMPTY:
            bridge = (k << 6) + lowest(fresh)
            fresh &= fresh - ONE
            for view in range(2 * LANES[0]):
                place = LEAP[view * many + bridge]
                state[LINKED + 4 * stride * (view // LANES[0]) + (place >> 6)] |= ONE << (place & 63)
            for j in range(CROSSES_FROM[bridge], CROSSES_FROM[bridge + 1]):
                for view in range(2 * LANES[0]):
                    place = LEAP[view * many + CROSSES[j]]
                    state[BLOCKED + 4 * stride * (view // LANES[0]) + (place >> 6)] |= ONE << (place & 63)


@part
def add(one, two, cells):
    """Count cells: the sets of those that came once at least, and twice."""
    return one | cells, two | one & cells


@part
def beside(state, player, first, last, once, twice):
    """Add the cells that free bridges join to the last level, on the lines from the first to the last, to those that
    came once, or twice; both are places in the row."""
    stride = STRIDE[0]
    level = WORK + stride
    blocked = BLOCKED + 4 * stride * player
    for w in range(max(2, first), min(LINES[player] + 1, last) + 1):
        one = state[once + w]
        two = state[twice + w]
        one, two = add(one, two, (state[level + w - 1] & ~state[blocked + w - 1]) << 2)
        one, two = add(one, two, (state[level + w - 1] & ~state[blocked + stride + w - 1]) >> 2)
        one, two = add(one, two, (state[level + w - 2] & ~state[blocked + 2 * stride + w - 2]) << 1)
        one, two = add(one, two, (state[level + w - 2] & ~state[blocked + 3 * stride + w - 2]) >> 1)
        one, two = add(one, two, (state[level + w + 1] >> 2) & ~state[blocked + w])
        one, two = add(one, two, (state[level + w + 1] << 2) & ~state[blocked + stride + w])
        one, two = add(one, two, (state[level + w + 2] >> 1) & ~state[blocked + 2 * stride + w])
        one, two = add(one, two, (state[level + w + 2] << 1) & ~state[blocked + 3 * stride + w])
        state[once + w] = one
        state[twice + w] = two


@part
def step_along(state, player, w, place):
    """Have the pegs that bridges join to a peg followed; the first and the last line on which there are some."""
    stride = STRIDE[0]
    linked = LINKED + 4 * stride * player
    todo = WORK + 3 * stride
    bit = ONE << place
    first = w
    last = w
    for leap in range(4):
        lines = 1 + (leap >> 1)
        if state[linked + leap * stride + w] & bit != EMPTY:
            shift = 2 if leap == 0 else -2 if leap == 1 else 1 if leap == 2 else -1
            state[todo + w + lines] |= ONE << (place + shift)
            last = max(last, w + lines)
        shift = -2 if leap == 0 else 2 if leap == 1 else -1 if leap == 2 else 1
        if place + shift >= 0 and state[linked + leap * stride + w - lines] & (ONE << (place + shift)) != EMPTY:
            state[todo + w - lines] |= ONE << (place + shift)
            first = min(first, w - lines)
    return first, last


@part
def follow(state, player, first, last):
    """Add all pegs that bridges join to those to follow, on the lines from the first to the last, to those reached and
    to the last level; the first and last line of what was added."""
    stride = STRIDE[0]
    todo = WORK + 3 * stride
    low = first
    high = last
    left = True
    while left:
        left = False
        w = low
        while w <= high:
            while state[todo + w] != EMPTY:
                left = True
                place = lowest(state[todo + w])
                bit = ONE << place
                state[todo + w] &= ~bit
                if state[WORK + w] & bit == EMPTY:
                    state[WORK + w] |= bit
                    state[WORK + stride + w] |= bit
                    one, other = step_along(state, player, w, place)
                    low = min(low, one)
                    high = max(high, other)
            w += 1
    return low, high


@part
def missing_pegs(state, player):
    """How many pegs a player lacks to join its sides, were the other not to play; the board's size if it cannot.

    Cells that are reached with as many pegs are a level; the rest of its number by 3 is noted for `ends_of_chains`.
    """
    stride = STRIDE[0]
    level = WORK + stride
    following = WORK + 2 * stride
    todo = WORK + 3 * stride
    pegs = PEGS + stride * player
    for k in range(8 * stride):
        state[WORK + k] = EMPTY
    state[todo + 2] = state[pegs + 2] & LANE[0]
    low, high = follow(state, player, 2, 2)
    for w in range(low, high + 1):
        state[WORK + 4 * stride + w] = state[level + w]
    beside(state, player, low - 2, high + 2, following, WORK + 9 * stride)
    state[following + 2] |= INSIDE[stride * player + 2] & LANE[0]
    steps = 0
    while state[WORK + 1 + LINES[player]] == EMPTY:
        steps += 1
        rest = WORK + (4 + steps % 3) * stride
        for w in range(low, high + 1):
            state[level + w] = EMPTY
        first = low - 2
        last = high + 2
        low = stride
        high = 0
        for w in range(first, last + 1):
            cells = state[following + w] & INSIDE[stride * player + w] & ~state[TAKEN + stride * player + w]
            cells &= ~state[WORK + w]
            state[following + w] = EMPTY
            if cells != EMPTY:
                state[level + w] = cells
                state[WORK + w] |= cells
                state[rest + w] |= cells
                low = min(low, w)
                high = w
        if high == 0:
            steps = len(FROM) - 1
            break
        beside(state, player, low - 2, high + 2, following, WORK + 9 * stride)
        first = stride
        last = 0
        for w in range(low - 2, high + 3):
            met = state[following + w] & state[pegs + w] & ~state[WORK + w]
            if met != EMPTY:
                state[todo + w] = met
                first = min(first, w)
                last = w
        if last > 0:
            for w in range(low, high + 1):
                state[level + w] = EMPTY
            first, last = follow(state, player, first, last)
            beside(state, player, first - 2, last + 2, following, WORK + 9 * stride)
            for w in range(first, last + 1):
                state[rest + w] |= state[level + w]
            low = min(low, first)
            high = max(high, last)
    return steps


@part
def ends_of_chains(state, player):
    """Find the pegs of a player at which the shortest ways between its sides come to its chains, from either side.

    From the level that touched the other side back, level by level, over the cells that are on such ways.
    """
    if state[FOUND + player] != EMPTY:
        return
    state[FOUND + player] = ONE
    steps = missing_pegs(state, player)
    arrived = ARRIVED + 2 * player * WORDS
    for k in range(2 * WORDS):
        state[arrived + k] = EMPTY
    if steps == len(FROM) - 1:
        return
    stride = STRIDE[0]
    last = 1 + LINES[player]
    level = WORK + stride
    following = WORK + 2 * stride
    todo = WORK + 3 * stride
    ahead = WORK + 7 * stride
    pegs = PEGS + stride * player
    taken = TAKEN + stride * player
    for w in range(stride):
        state[following + w] = EMPTY
        state[level + w] = EMPTY
    state[following + last] = state[WORK + last]
    for w in range(stride):
        state[WORK + w] = EMPTY
    while steps > 0:
        rest = WORK + (4 + steps % 3) * stride
        before = WORK + (4 + (steps + 2) % 3) * stride
        for w in range(2, last + 1):
            cells = state[following + w] & state[rest + w]
            state[todo + w] = cells & state[pegs + w]
            state[ahead + w] = cells & ~state[taken + w]
            state[following + w] = EMPTY
            state[level + w] = EMPTY
        follow(state, player, 2, last)
        beside(state, player, 2, last, following, WORK + 9 * stride)
        for w in range(2, last + 1):
            state[todo + w] = state[level + w]
            state[level + w] = state[ahead + w] | (state[following + w] & state[rest + w] & ~state[taken + w])
            state[following + w] = EMPTY
        beside(state, player, 2, last, following, WORK + 9 * stride)
        for w in range(2, last + 1):
            note_arrivals(state, arrived, player, w, state[todo + w] & state[following + w])
            note_arrivals(state, arrived + WORDS, player, w, state[following + w] & state[before + w] & state[pegs + w])
            state[todo + w] = EMPTY
        steps -= 1


@part
def note_arrivals(state, arrived, player, w, cells):
    """Add the cells at some places of a line to a set."""
    while cells != EMPTY:
        c = CELL[64 * (STRIDE[0] * player + w) + lowest(cells)]
        cells &= cells - ONE
        state[arrived + (c >> 6)] |= ONE << (c & 63)


@hook("arrivals by bridge")
def arrivals(state, cells, player, start, goal, extra):
    """The ends of chains: those of a player between its sides are kept; whatever else is asked is computed."""
    for player in range(2):
        for end in range(2):
            good = True
            for w in range(WORDS):
                one = GOALS[(2 * player + end) * WORDS + w]
                other = GOALS[(2 * player + 1 - end) * WORDS + w]
                good = good and (word_of(start, w) == one and word_of(goal, w) == other
                                 and word_of(cells, w) == state[(1 + player) * WORDS + w]
                                 and word_of(extra, w) == state[w] & ROOM[player * WORDS + w])
            if good:
                look(state)
                ends_of_chains(state, player)
                return set_at(state, ARRIVED + (2 * player + end) * WORDS)
    return compiled_bridge_arrivals(state, cells, player, start, goal, extra)


# ---- ways where the other answers


@part
def joins(state, player, w, place, least):
    """Follow a chain of a player, which counts if it is beside so many of the cells that were reached: then all cells
    beside it come next. The first and last line that it is beside."""
    stride = STRIDE[0]
    level = WORK + stride
    following = WORK + 2 * stride
    todo = WORK + 3 * stride
    reached = WORK + 4 * stride
    coming = WORK + 7 * stride
    state[todo + w] = ONE << place
    low, high = follow(state, player, w, w)
    beside(state, player, low - 2, high + 2, following, WORK + 9 * stride)
    near = 0
    for k in range(low - 2, high + 3):
        near += popcount(state[following + k] & state[reached + k])
    good = near >= least
    for k in range(low - 2, high + 3):
        if good:
            state[coming + k] |= state[following + k]
        else:
            state[WORK + k] &= ~state[level + k]
        state[following + k] = EMPTY
        state[level + k] = EMPTY
    return low - 2, high + 2


@part
def first_cells(state, player, start, going):
    """Follow the chains that touch a line, and have its cells come next; the first and last line of what comes."""
    stride = STRIDE[0]
    left = state[PEGS + stride * player + start] & going
    low = start
    high = start
    while left != EMPTY:
        place = lowest(left)
        left &= left - ONE
        if state[WORK + start] & (ONE << place) == EMPTY:
            first, last = joins(state, player, start, place, 0)
            low = min(low, first)
            high = max(high, last)
    state[WORK + 7 * stride + start] |= INSIDE[stride * player + start] & going
    return low, high


@part
def next_cells(state, player, going, begin, end):
    """List the cells on some lines that come next, and note them as reached; the first and the last line on which there
    are any."""
    stride = STRIDE[0]
    reached = WORK + 4 * stride
    low = stride
    high = 0
    for w in range(max(2, begin), min(LINES[player] + 1, end) + 1):
        cells = (state[WORK + 6 * stride + w] | state[WORK + 7 * stride + w]) & INSIDE[stride * player + w] & going
        cells &= ~state[TAKEN + stride * player + w] & ~state[reached + w]
        state[WORK + stride + w] = cells
        if cells != EMPTY:
            state[reached + w] |= cells
            low = min(low, w)
            high = w
    return low, high


@part
def join_chains(state, player, low, high):
    """Follow the chains that two of the cells that were reached are beside, where some came on these lines; the first
    and the last line beside them, or those given."""
    stride = STRIDE[0]
    once = WORK + 5 * stride
    twice = WORK + 6 * stride
    checked = WORK + 8 * stride
    begin = low
    end = high
    for w in range(low, high + 1):
        own = state[PEGS + stride * player + w] & ~state[WORK + w]
        if own == EMPTY:
            continue
        two = own & state[twice + w]
        met = two | (own & state[once + w] & ~state[checked + w])
        state[checked + w] |= met
        while met != EMPTY:
            place = lowest(met)
            met &= met - ONE
            bit = ONE << place
            if state[WORK + w] & bit == EMPTY:
                first, last = joins(state, player, w, place, 2 if two & bit == EMPTY else 0)
                begin = min(begin, first)
                end = max(end, last)
    return begin, end


@part
def contested(state, player, start, goal, most):
    """How many pegs a player lacks to join two lines where the other answers each by taking the best way on away, no
    more than `most`; the sum over lanes."""
    stride = STRIDE[0]
    reached = WORK + 4 * stride
    for k in range(9 * stride):
        state[WORK + k] = EMPTY
    going = LANE[0] | LANE[1]
    low, high = first_cells(state, player, start, going)
    total = 0
    steps = 0
    while True:
        for lane in range(2):
            if going & LANE[lane] != EMPTY and (state[WORK + goal] & LANE[lane] != EMPTY
                                                or popcount(state[reached + goal] & LANE[lane]) >= 2):
                total += steps
                going &= ~LANE[lane]
        if going == EMPTY:
            return total
        if steps < most:
            steps += 1
            low, high = next_cells(state, player, going, low, high)
        else:
            high = 0
        if high == 0:
            total += most if going & LANE[0] != EMPTY else 0
            return total + (most if going & LANE[1] != EMPTY else 0)
        beside(state, player, low - 2, high + 2, WORK + 5 * stride, WORK + 6 * stride)
        for w in range(low, high + 1):
            state[WORK + stride + w] = EMPTY
        low, high = join_chains(state, player, low - 2, high + 2)


@part
def held(state, player):
    """How many pegs a player lacks where the other answers, seen from its one side and from the other."""
    last = 1 + LINES[player]
    if LANES[0] == 2:
        return contested(state, player, 2, last, 20)
    return contested(state, player, 2, last, 20) + contested(state, player, last, 2, 20)


@hook("value")
def value(state):
    """How many more pegs the opponent lacks than the player to move, where each is answered."""
    mover = number(state[TO_MOVE]) ^ number(state[SEATS])
    look(state)
    return 8 * (held(state, 1 - mover) - held(state, mover))
