"""Hooks for Trax: only what is near the new tiles is looked at, and tracks are walked.

The compiled rules go through the whole window for each question: which cells are next to tiles, whether one of them
must be filled, whether one cannot be, whether tracks go round or reach across. Between moves nothing waits to be filled
and everything can be, so here only the cells around tiles that came in the move are asked, in board order as the rule
wants it, each with one mask of the tiles that fit. A track is walked from the tiles that came, to both of its ends.
"""

from interpreter.hooks import EMPTY, ONE, WORDS, hook, keep, lowest, number, part, popcount, table, word

WAYS = 4
TILES = 6


@table
def NEXT(game):
    """The cells north, east, south and west of each cell."""
    board = game.board
    ways = [board.directions.index(way) for way in ("north", "east", "south", "west")]
    return [steps[way] for steps in board.steps for way in ways]


@table
def SIDE(game):
    """For each tile whose track is at its north, east, south and west side; nothing stands for tile 0."""
    ways = [game.board.directions.index(way) for way in ("north", "east", "south", "west")]
    return [-1] * 4 + [piece.sides[way] for piece in game.rules.pieces[1:] for way in ways]


@table
def FITTING(game):
    """For each side and player the tiles with that player's track there, as bits."""
    ways = [game.board.directions.index(way) for way in ("north", "east", "south", "west")]
    return [sum(1 << tile - 1 for tile, piece in enumerate(game.rules.pieces) if tile and piece.sides[way] == player)
            for way in ways for player in range(2)]


@table
def FIRST(game):
    """The cell of the first tile, and the tiles that may come first: White's track north, Black's east."""
    ways = [game.board.directions.index(way) for way in ("north", "east")]
    tiles = [tile for tile, piece in enumerate(game.rules.pieces)
             if tile and [piece.sides[way] for way in ways] == [0, 1]]
    origin = game.board.regions["origin"].bit_length() - 1
    return [origin, sum(1 << tile - 1 for tile in tiles)]


@table
def ROW(game):
    """The row of each cell."""
    return list(game.board.row_of)


@table
def COLUMN(game):
    """The column of each cell."""
    return list(game.board.column_of)


@keep
def STATE(game):
    """Whether the last move left a cell that no tile fits (1), or was played by the compiled rules (2); 0 else."""
    return 1


@keep
def CLOSED(game):
    """Whether this row has been through a move: a position that was read may have cells that wait to be filled."""
    return 1


@keep
def LOW(game):
    """The first cell with a tile before everything was shifted into place."""
    return 1


@keep
def CAME(game):
    """How many tiles came in the last move, and their cells."""
    return game.board.size + 1


@keep
def AROUND(game):
    """Cells that are still to be asked whether they must be filled."""
    return -(-game.board.size // 64)


@part
def tile_at(S, c):
    """The tile on a cell, 0 for none."""
    place = c >> 6
    shift = c & 63
    if (S[place] >> shift) & ONE != EMPTY:
        return 0
    for tile in range(1, TILES):
        if (S[tile * WORDS + place] >> shift) & ONE != EMPTY:
            return tile
    return TILES


@part
def fitting(S, c):
    """The tiles that fit on a cell, as bits."""
    found = (1 << TILES) - 1
    for way in range(WAYS):
        n = NEXT[c * WAYS + way]
        if n >= 0:
            tile = tile_at(S, n)
            if tile > 0:
                found &= FITTING[way * 2 + SIDE[tile * WAYS + (way + 2) % WAYS]]
    return found


@part
def lay(S, c, tile):
    """Lay a tile; the empty cells around it are to be asked."""
    S[c >> 6] &= ~(ONE << (c & 63))
    S[tile * WORDS + (c >> 6)] |= ONE << (c & 63)
    S[AROUND + (c >> 6)] &= ~(ONE << (c & 63))
    S[CAME] += ONE
    S[CAME + number(S[CAME])] = word(c)
    for way in range(WAYS):
        n = NEXT[c * WAYS + way]
        if n >= 0:
            S[AROUND + (n >> 6)] |= S[n >> 6] & (ONE << (n & 63))


@hook("move place")
def moves_place(S, mover, E, n, X):
    """Add, for each cell next to tiles, the tiles that fit there."""
    found = False
    around = X[2]
    for k in range(WORDS):
        around[k] = EMPTY
    for tile in range(1, TILES + 1):
        for k in range(WORDS):
            rest = S[tile * WORDS + k]
            while rest != EMPTY:
                c = (k << 6) + lowest(rest)
                rest &= rest - ONE
                found = True
                for way in range(WAYS):
                    d = NEXT[c * WAYS + way]
                    if d >= 0:
                        around[d >> 6] |= S[d >> 6] & (ONE << (d & 63))
    if not found:
        around[FIRST[0] >> 6] |= ONE << (FIRST[0] & 63)
    for k in range(WORDS):
        rest = around[k]
        while rest != EMPTY:
            c = (k << 6) + lowest(rest)
            rest &= rest - ONE
            tiles = fitting(S, c) if found else FIRST[1]
            many = popcount(word(tiles))
            if many > 0 and n < len(E) - 3:
                E[n, 0] = 0
                E[n, 1] = many
                E[n, 2] = 1
                E[n, 3] = c
                E[n, CHOICE] = tiles  # where an entry has its set
                n += 1
    return n


@hook("do place")
def do_place(S, mover, m):
    """Lay a tile."""
    S[CAME] = EMPTY
    lay(S, m[2], m[3])


@hook("forced")
def close(S, mover):
    """Fill what must be filled around new tiles; note whether some cell is left that no tile fits."""
    S[STATE] = EMPTY
    if S[CLOSED] == EMPTY:
        S[CLOSED] = ONE
        S[STATE] = ONE + ONE
        for k in range(WORDS):
            S[AROUND + k] = EMPTY
        compiled_close(S, mover)  # the rule that this stands in for
        return
    asked = EMPTY
    filling = True
    while filling:
        filling = False
        k = 0
        while k < WORDS and not filling:
            rest = S[AROUND + k]
            while rest != EMPTY and not filling:
                c = (k << 6) + lowest(rest)
                bit = ONE << (c & 63)
                rest &= rest - ONE
                S[AROUND + k] &= ~bit
                tiles = fitting(S, c)
                if tiles == 0:
                    asked = ONE
                beside = 0
                for way in range(WAYS):
                    n = NEXT[c * WAYS + way]
                    if n >= 0 and (S[n >> 6] >> (n & 63)) & ONE == EMPTY:
                        beside += 1
                if beside > 1 and tiles != 0 and tiles & (tiles - 1) == 0:
                    lay(S, c, lowest(word(tiles)) + 1)
                    filling = True
            k += 1
    S[STATE] = asked
    for k in range(WORDS):
        if S[k] != EVERY[k]:  # the whole board
            taken = EVERY[k] & ~S[k]
            S[LOW] = word((k << 6) + lowest(taken))
            break


@hook("illegal")
def illegal(S, mover):
    """Whether some cell is left that no tile fits."""
    if S[STATE] == ONE + ONE:
        return compiled_illegal(S, mover)
    return S[STATE] == ONE


@part
def shifted(S):
    """By how many cells everything was shifted into place after the last move."""
    for k in range(WORDS):
        taken = EVERY[k] & ~S[k]
        if taken != EMPTY:
            return (k << 6) + lowest(taken) - number(S[LOW])
    return 0


@part
def walked(S, player, c, turn):
    """Where a track ends that leaves a tile by its first side, or its second: cell * 4 + way, -1 for nowhere."""
    tile = tile_at(S, c)
    way = 0
    while SIDE[tile * WAYS + way] != player:
        way += 1
    if turn == 1:
        way += 1
        while SIDE[tile * WAYS + way] != player:
            way += 1
    start = c
    while True:
        n = NEXT[c * WAYS + way]
        if n < 0:
            return c * WAYS + way
        tile = tile_at(S, n)
        back = (way + 2) % WAYS
        if tile == 0 or SIDE[tile * WAYS + back] != player:
            return c * WAYS + way
        c = n
        if c == start:
            return -1
        way = 0
        while way == back or SIDE[tile * WAYS + way] != player:
            way += 1


@hook("loop by track")
def track_loop(S, cells, player):
    """Whether a track of the player's through a new tile comes back to it."""
    if S[STATE] == ONE + ONE:
        return compiled_track_loop(S, cells, player)
    by = shifted(S)
    for k in range(number(S[CAME])):
        if walked(S, player, number(S[CAME + 1 + k]) + by, 0) < 0:
            return True
    return False


@hook("spans by track")
def track_spans(S, cells, player, least):
    """Whether a track of the player's through a new tile leads from one outermost edge to the opposite one."""
    if S[STATE] == ONE + ONE:
        return compiled_track_spans(S, cells, player, least)
    top = left = len(ROW)
    bottom = right = 0
    for k in range(WORDS):
        rest = EVERY[k] & ~S[k]
        while rest != EMPTY:
            c = (k << 6) + lowest(rest)
            rest &= rest - ONE
            top = min(top, ROW[c])
            bottom = max(bottom, ROW[c])
            left = min(left, COLUMN[c])
            right = max(right, COLUMN[c])
    tall = bottom - top + 1 >= least
    wide = right - left + 1 >= least
    if not (tall or wide):
        return False
    by = shifted(S)
    for k in range(number(S[CAME])):
        c = number(S[CAME + 1 + k]) + by
        one = walked(S, player, c, 0)
        if one < 0:
            continue
        other = walked(S, player, c, 1)
        if one % WAYS > other % WAYS:
            one, other = other, one
        first = one // WAYS
        last = other // WAYS
        if tall and one % WAYS == 0 and other % WAYS == 2 and ROW[first] == top and ROW[last] == bottom:
            return True
        if wide and one % WAYS == 1 and other % WAYS == 3 and COLUMN[first] == right and COLUMN[last] == left:
            return True
    return False
