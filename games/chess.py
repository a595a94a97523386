"""Hooks for chess: legal moves are listed as such, by pins and checks, so that none need be played to be taken back.

The compiled rules offer every move of a piece and take back those after which the own king can be captured. Here the
cells are found on which a piece must land to meet a check, and the line that a pinned piece must keep to; only a king's
own steps, a capture in passing and castling are looked at one by one. Positions that play cannot lead to, such as those
without a king or with a right to castle and no rook, are left to the compiled rules.
"""

from interpreter.hooks import EMPTY, FAILED, ONE, highest, hook, lowest, number, part, popcount, word, words

# Where a row has the cells with White's pieces of a kind, behind them those with Black's; and the variables.
PAWN = 1
KNIGHT = 3
BISHOP = 5
ROOK = 7
QUEEN = 9
KING = 11
SHORT = 13
LONG = 15
PASSED = 17
# How entries of moves are numbered: with a choice of what the pawn becomes, without, castling.
PROMOTING = 0
MOVING = 1
CASTLING = 2
EAST = 2
WEST = 6


def mask(cells):
    """A set of cells."""
    return sum(1 << cell for cell in cells)


def steps(board, cell, ways):
    """The cells one step away in some directions."""
    return mask(board.steps[cell][way] for way in ways if board.steps[cell][way] >= 0)


@words
def RAYS(game):
    """For each direction and cell the cells up to the border."""
    return [mask(game.board.ray(cell, way)) for way in range(8) for cell in range(64)]


@words
def ROOK_LINES(game):
    """For each cell all cells in its row and column."""
    return [mask(other for way in (0, 2, 4, 6) for other in game.board.ray(cell, way)) for cell in range(64)]


@words
def BISHOP_LINES(game):
    """For each cell all cells on its diagonals."""
    return [mask(other for way in (1, 3, 5, 7) for other in game.board.ray(cell, way)) for cell in range(64)]


@words
def KNIGHT_STEPS(game):
    """For each cell where a knight goes."""
    board = game.board
    return [mask(other for other in range(64)
                 if {abs(board.row_of[cell] - board.row_of[other]), abs(board.column_of[cell] - board.column_of[other])}
                 == {1, 2}) for cell in range(64)]


@words
def KING_STEPS(game):
    """For each cell the cells around it."""
    return [steps(game.board, cell, range(8)) for cell in range(64)]


@words
def PAWN_TAKES(game):
    """For each cell and player where a pawn takes."""
    return [steps(game.board, cell, ways) for cell in range(64) for ways in ((1, 7), (3, 5))]


@words
def PAWN_STEP(game):
    """For each cell and player the cell ahead."""
    return [steps(game.board, cell, (way,)) for cell in range(64) for way in (0, 4)]


@words
def BETWEEN(game):
    """For each two cells on a line those between them, none where they are on none."""
    board, found = game.board, [0] * 4096
    for cell in range(64):
        for way in range(8):
            ray = board.ray(cell, way)
            for place, other in enumerate(ray):
                found[cell * 64 + other] = mask(ray[:place])
    return found


@words
def LINE(game):
    """For each two cells on a line all cells of that line, none where they are on none."""
    board, found = game.board, [0] * 4096
    for cell in range(64):
        for way in range(8):
            line = mask((*board.ray(cell, way), cell, *board.ray(cell, (way + 4) % 8)))
            for other in board.ray(cell, way):
                found[cell * 64 + other] = line
    return found


@words
def FAR(game):
    """For each player the row in which pawns become other pieces."""
    return [0xFF, 0xFF << 56]


@words
def SECOND(game):
    """For each player the row in which pawns begin."""
    return [0xFF << 48, 0xFF << 8]


@part
def rook_from(c, occupied):
    """Where a rook goes, up to what it can take: the first cell in the way of a ray ends it."""
    top = ONE << 63
    north = RAYS[c]
    north ^= RAYS[highest(north & occupied | ONE)]
    east = RAYS[128 + c]
    east ^= RAYS[128 + lowest(east & occupied | top)]
    south = RAYS[256 + c]
    south ^= RAYS[256 + lowest(south & occupied | top)]
    west = RAYS[384 + c]
    west ^= RAYS[384 + highest(west & occupied | ONE)]
    return north | east | south | west


@part
def bishop_from(c, occupied):
    """Where a bishop goes, up to what it can take."""
    top = ONE << 63
    northeast = RAYS[64 + c]
    northeast ^= RAYS[64 + highest(northeast & occupied | ONE)]
    southeast = RAYS[192 + c]
    southeast ^= RAYS[192 + lowest(southeast & occupied | top)]
    southwest = RAYS[320 + c]
    southwest ^= RAYS[320 + lowest(southwest & occupied | top)]
    northwest = RAYS[448 + c]
    northwest ^= RAYS[448 + highest(northwest & occupied | ONE)]
    return northeast | southeast | southwest | northwest


@part
def attackers(state, mover, c, occupied):
    """The opponent's pieces that attack a cell, were so many cells occupied."""
    foe = 1 - mover
    found = KNIGHT_STEPS[c] & state[KNIGHT + foe] | PAWN_TAKES[c * 2 + mover] & state[PAWN + foe]
    found |= KING_STEPS[c] & state[KING + foe]
    found |= bishop_from(c, occupied) & (state[BISHOP + foe] | state[QUEEN + foe])
    return found | rook_from(c, occupied) & (state[ROOK + foe] | state[QUEEN + foe])


@part
def is_usual(state, mover, k):
    """Whether what the variables say of castling and of a pawn that was passed is as it is in play."""
    home = 60 - 56 * mover
    if number(state[SHORT + mover]) != 0 and (k != home or (state[ROOK + mover] >> (home + 3)) & ONE == EMPTY):
        return False
    if number(state[LONG + mover]) != 0 and (k != home or (state[ROOK + mover] >> (home - 4)) & ONE == EMPTY):
        return False
    passed = number(state[PASSED])
    if passed >= 0:
        if passed >> 3 != 2 + 3 * mover or (state[0] >> passed) & ONE == EMPTY:
            return False
        if (state[PAWN + 1 - mover] >> (passed + 8 - 16 * mover)) & ONE == EMPTY:
            return False
    return True


@part
def sifted(state, entries, first, n, scratch):
    """Keep those of some entries that no rule takes back; how many entries there are."""
    move = entries[len(entries) - 1]
    kept = first
    for e in range(first, n):
        take(entries, e, 0, move)
        trial = scratch[0]
        for i in range(WIDTH):
            trial[i] = state[i]
        if act(trial, move, scratch) == 0:
            if kept != e:
                for i in range(CHOICE + 1):
                    entries[kept, i] = entries[e, i]
            kept += 1
    return kept


@part
def pawn_targets(state, mover, a, k, occupied, own, pinned, allowed):
    """Where a pawn may go."""
    ahead = PAWN_STEP[a * 2 + mover] & state[0]
    found = ahead | PAWN_TAKES[a * 2 + mover] & occupied & ~own
    if ahead != EMPTY and (SECOND[mover] >> a) & ONE != EMPTY:
        found |= PAWN_STEP[lowest(ahead) * 2 + mover] & state[0]
    found &= allowed
    if (pinned >> a) & ONE != EMPTY:
        found &= LINE[k * 64 + a]
    passed = number(state[PASSED])
    if passed >= 0 and (PAWN_TAKES[a * 2 + mover] >> passed) & ONE != EMPTY:
        taken = ONE << (passed + 8 - 16 * mover)
        left = occupied ^ (ONE << a) ^ taken | ONE << passed
        if attackers(state, mover, k, left) & ~taken == EMPTY:
            found |= ONE << passed
    return found


@part
def king_targets(state, mover, k, occupied, own):
    """Where the king may go."""
    found = KING_STEPS[k] & ~own
    rest = found
    left = occupied ^ ONE << k
    while rest != EMPTY:
        b = lowest(rest)
        rest &= rest - ONE
        if attackers(state, mover, b, left) != EMPTY:
            found ^= ONE << b
    return found


@part
def may_castle(state, mover, k, corner, way, occupied):
    """Whether the king may castle with the rook in a corner, so many cells away."""
    if BETWEEN[k * 64 + corner] & occupied != EMPTY:
        return False
    if attackers(state, mover, k + way, occupied) != EMPTY:
        return False
    left = occupied ^ ONE << k ^ ONE << corner | ONE << (k + way) | ONE << (k + 2 * way)
    return attackers(state, mover, k + 2 * way, left) == EMPTY


@part
def with_castling(state, mover, k, occupied, entries, n):
    """Add castling; how many entries there are."""
    if number(state[SHORT + mover]) != 0 and may_castle(state, mover, k, k + 3, 1, occupied):
        entries[n, 0] = CASTLING
        entries[n, 1] = 1
        entries[n, 2] = 2
        entries[n, 3] = k
        entries[n, 4] = EAST
        n += 1
    if number(state[LONG + mover]) != 0 and may_castle(state, mover, k, k - 4, -1, occupied):
        entries[n, 0] = CASTLING
        entries[n, 1] = 1
        entries[n, 2] = 2
        entries[n, 3] = k
        entries[n, 4] = WEST
        n += 1
    return n


@hook("moves")
def legal_moves(state, mover, entries, n, scratch):
    """Add the legal moves."""
    k = lowest(state[KING + mover]) if state[KING + mover] != EMPTY else 0
    if popcount(state[KING + mover]) != 1 or not is_usual(state, mover, k):
        first = n
        last = compiled_list_by_rules(state, mover, entries, n, scratch)
        return sifted(state, entries, first, last, scratch)
    occupied = ~state[0]
    own = (state[PAWN + mover] | state[KNIGHT + mover] | state[BISHOP + mover] | state[ROOK + mover]
           | state[QUEEN + mover] | state[KING + mover])
    foe = 1 - mover
    checks = attackers(state, mover, k, occupied)
    allowed = ~own
    if checks != EMPTY:
        if checks & (checks - ONE) != EMPTY:
            allowed = EMPTY
        else:
            allowed &= BETWEEN[k * 64 + lowest(checks)] | checks
    pinned = EMPTY
    pinning = (ROOK_LINES[k] & (state[ROOK + foe] | state[QUEEN + foe])
               | BISHOP_LINES[k] & (state[BISHOP + foe] | state[QUEEN + foe]))
    while pinning != EMPTY:
        between = BETWEEN[k * 64 + lowest(pinning)] & occupied
        pinning &= pinning - ONE
        if between & (between - ONE) == EMPTY:
            pinned |= between & own
    rest = own
    while rest != EMPTY:
        a = lowest(rest)
        rest &= rest - ONE
        bit = ONE << a
        form = MOVING
        if state[PAWN + mover] & bit != EMPTY:
            targets = pawn_targets(state, mover, a, k, occupied, own, pinned, allowed)
            if targets & FAR[mover] != EMPTY:
                form = PROMOTING
        elif a == k:
            targets = king_targets(state, mover, k, occupied, own)
        else:
            if state[KNIGHT + mover] & bit != EMPTY:
                targets = KNIGHT_STEPS[a]
            elif state[BISHOP + mover] & bit != EMPTY:
                targets = bishop_from(a, occupied)
            elif state[ROOK + mover] & bit != EMPTY:
                targets = rook_from(a, occupied)
            else:
                targets = bishop_from(a, occupied) | rook_from(a, occupied)
            targets &= allowed
            if pinned & bit != EMPTY:
                targets &= LINE[k * 64 + a]
        if n + popcount(targets) >= len(entries) - 5:
            state[FAILED] = word(1)
            return n
        while targets != EMPTY:
            b = lowest(targets)
            targets &= targets - ONE
            entries[n, 0] = form
            entries[n, 1] = 1
            entries[n, 2] = 2
            entries[n, 3] = a
            entries[n, 4] = b
            if form == PROMOTING:
                entries[n, 1] = 4
                entries[n, CHOICE] = 0b1010101 << mover
            n += 1
    if checks == EMPTY:
        n = with_castling(state, mover, k, occupied, entries, n)
    return n


@hook("illegal")
def taken_back(state, mover):
    """Whether the mover's king can be captured."""
    kings = state[KING + mover]
    while kings != EMPTY:
        k = lowest(kings)
        kings &= kings - ONE
        if attackers(state, mover, k, ~state[0]) != EMPTY:
            return True
    return False
