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
def OTHER(game):
    """For each tile and side, at which other side the track that is there leaves."""
    ways = [game.board.directions.index(way) for way in ("north", "east", "south", "west")]
    result = [-1] * 4
    for piece in game.rules.pieces[1:]:
        sides = [piece.sides[way] for way in ways]
        result += [next(b for b in range(4) if b != a and sides[b] == sides[a]) for a in range(4)]
    return result


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
    """The cells of tiles that came in the last move, before everything was shifted into place."""
    return -(-game.board.size // 64)


@keep
def AROUND(game):
    """Cells that are still to be asked whether they must be filled."""
    return -(-game.board.size // 64)


@part
def tile_at(state, c):
    """The tile on a cell, 0 for none."""
    place = c >> 6
    shift = c & 63
    found = 0
    for tile in range(1, TILES + 1):
        found |= tile * number((state[tile * WORDS + place] >> shift) & ONE)
    return found


@part
def fitting(state, c):
    """The tiles that fit on a cell, as bits."""
    found = (1 << TILES) - 1
    for way in range(WAYS):
        n = NEXT[c * WAYS + way]
        if n >= 0:
            tile = tile_at(state, n)
            if tile > 0:
                found &= FITTING[way * 2 + SIDE[tile * WAYS + (way + 2) % WAYS]]
    return found


@part
def lay(state, c, tile):
    """Lay a tile; the empty cells around it are to be asked."""
    state[c >> 6] &= ~(ONE << (c & 63))
    state[tile * WORDS + (c >> 6)] |= ONE << (c & 63)
    state[AROUND + (c >> 6)] &= ~(ONE << (c & 63))
    state[CAME + (c >> 6)] |= ONE << (c & 63)
    for way in range(WAYS):
        n = NEXT[c * WAYS + way]
        if n >= 0:
            state[AROUND + (n >> 6)] |= state[n >> 6] & (ONE << (n & 63))


@hook("move place")
def moves_place(state, mover, entries, n, scratch):
    """Add, for each cell next to tiles, the tiles that fit there."""
    found = False
    around = scratch[2]
    for k in range(WORDS):
        around[k] = EMPTY
    for k in range(WORDS):
        rest = EVERY[k] & ~state[k]
        while rest != EMPTY:
            c = (k << 6) + lowest(rest)
            rest &= rest - ONE
            found = True
            for way in range(WAYS):
                d = NEXT[c * WAYS + way]
                if d >= 0:
                    around[d >> 6] |= state[d >> 6] & (ONE << (d & 63))
    if not found:
        around[FIRST[0] >> 6] |= ONE << (FIRST[0] & 63)
    for k in range(WORDS):
        rest = around[k]
        while rest != EMPTY:
            c = (k << 6) + lowest(rest)
            rest &= rest - ONE
            tiles = fitting(state, c) if found else FIRST[1]
            many = popcount(word(tiles))
            if many > 0 and n < len(entries) - 3:
                entries[n, 0] = 0
                entries[n, 1] = many
                entries[n, 2] = 1
                entries[n, 3] = c
                entries[n, CHOICE] = tiles  # where an entry has its set
                n += 1
    return n


@hook("do place")
def do_place(state, mover, move):
    """Lay a tile."""
    for k in range(WORDS):
        state[CAME + k] = EMPTY
    lay(state, move[2], move[3])


@hook("forced")
def close(state, mover):
    """Fill what must be filled around new tiles; note whether some cell is left that no tile fits."""
    state[STATE] = EMPTY
    if state[CLOSED] == EMPTY:
        state[CLOSED] = ONE
        state[STATE] = ONE + ONE
        for k in range(WORDS):
            state[AROUND + k] = EMPTY
        compiled_close(state, mover)  # the rule that this stands in for
        return
    asked = EMPTY
    filling = True
    while filling:
        filling = False
        k = 0
        while k < WORDS and not filling:
            rest = state[AROUND + k]
            while rest != EMPTY and not filling:
                c = (k << 6) + lowest(rest)
                bit = ONE << (c & 63)
                rest &= rest - ONE
                state[AROUND + k] &= ~bit
                tiles = fitting(state, c)
                if tiles == 0:
                    asked = ONE
                beside = 0
                for way in range(WAYS):
                    n = NEXT[c * WAYS + way]
                    if n >= 0 and (state[n >> 6] >> (n & 63)) & ONE == EMPTY:
                        beside += 1
                if beside > 1 and tiles != 0 and tiles & (tiles - 1) == 0:
                    lay(state, c, lowest(word(tiles)) + 1)
                    filling = True
            k += 1
    state[STATE] = asked
    for k in range(WORDS):
        if state[k] != EVERY[k]:  # the whole board
            taken = EVERY[k] & ~state[k]
            state[LOW] = word((k << 6) + lowest(taken))
            break


@hook("illegal")
def illegal(state, mover):
    """Whether some cell is left that no tile fits."""
    if state[STATE] == ONE + ONE:
        return compiled_illegal(state, mover)
    return state[STATE] == ONE


@part
def shifted(state):
    """By how many cells everything was shifted into place after the last move."""
    for k in range(WORDS):
        taken = EVERY[k] & ~state[k]
        if taken != EMPTY:
            return (k << 6) + lowest(taken) - number(state[LOW])
    return 0


@part
def track_end(state, player, c, way):
    """Where a track ends that leaves a tile by a side: cell * 4 + way, -1 where it comes back to the tile."""
    start = c
    while True:
        n = NEXT[c * WAYS + way]
        if n < 0:
            return c * WAYS + way
        tile = tile_at(state, n)
        back = (way + 2) % WAYS
        if tile == 0 or SIDE[tile * WAYS + back] != player:
            return c * WAYS + way
        c = n
        if c == start:
            return -1
        way = OTHER[tile * WAYS + back]


@part
def walked(state, player, c, turn):
    """Where a track ends that leaves a tile by its first side, or its second: see `track_end`."""
    tile = tile_at(state, c)
    way = 0
    while SIDE[tile * WAYS + way] != player:
        way += 1
    if turn == 1:
        way = OTHER[tile * WAYS + way]
    return track_end(state, player, c, way)


@hook("loop by track")
def track_loop(state, cells, player):
    """Whether a track of the player's through a new tile comes back to it."""
    if state[STATE] == ONE + ONE:
        return compiled_track_loop(state, cells, player)
    by = shifted(state)
    for k in range(WORDS):
        rest = state[CAME + k]
        while rest != EMPTY:
            c = (k << 6) + lowest(rest)
            rest &= rest - ONE
            if walked(state, player, c + by, 0) < 0:
                return True
    return False


@hook("spans by track")
def track_spans(state, cells, player, least):
    """Whether a track of the player's through a new tile leads from one outermost edge to the opposite one."""
    if state[STATE] == ONE + ONE:
        return compiled_track_spans(state, cells, player, least)
    top = left = len(ROW)
    bottom = right = 0
    for k in range(WORDS):
        rest = EVERY[k] & ~state[k]
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
    by = shifted(state)
    for k in range(WORDS):
        rest = state[CAME + k]
        while rest != EMPTY:
            c = (k << 6) + lowest(rest) + by
            rest &= rest - ONE
            one = walked(state, player, c, 0)
            if one < 0:
                continue
            other = walked(state, player, c, 1)
            if one % WAYS > other % WAYS:
                one, other = other, one
            first = one // WAYS
            last = other // WAYS
            if tall and one % WAYS == 0 and other % WAYS == 2 and ROW[first] == top and ROW[last] == bottom:
                return True
            if wide and one % WAYS == 1 and other % WAYS == 3 and COLUMN[first] == right and COLUMN[last] == left:
                return True
    return False


@hook("value")
def value(state):
    """By how far apart the places are to which the ends of a track lead: each end counts, as it has one place."""
    if state[CLOSED] == EMPTY:
        return compiled_value(state)
    mover = number(state[TO_MOVE]) ^ number(state[SEATS])
    found = 0
    for k in range(WORDS):
        rest = EVERY[k] & ~state[k]
        while rest != EMPTY:
            c = (k << 6) + lowest(rest)
            rest &= rest - ONE
            tile = tile_at(state, c)
            for way in range(WAYS):
                n = NEXT[c * WAYS + way]
                if n < 0 or (state[n >> 6] >> (n & 63)) & ONE == EMPTY:
                    continue
                player = SIDE[tile * WAYS + way]
                m = NEXT[track_end(state, player, c, OTHER[tile * WAYS + way])]
                if m < 0 or (state[m >> 6] >> (m & 63)) & ONE == EMPTY:
                    continue
                steps = abs(ROW[n] - ROW[m]) + abs(COLUMN[n] - COLUMN[m])
                if steps == 1:
                    found += 40 if player == mover else -12
                elif steps == 2:
                    found += 3 if player == mover else -3
                elif steps == 3:
                    found += 1 if player == mover else -1
    return found
