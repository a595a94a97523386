"""Hooks for Ultimate Tic-Tac-Toe: each small board is a number of nine bits.

The compiled rules look for lines in all small boards whenever a move is listed or made. Here each row keeps what every
player has in each small board, and which boards are won; a stone changes one of them, and tables say the rest.
"""

from interpreter.hooks import (
    EMPTY,
    GOING,
    ONE,
    VALUES_FROM,
    WORDS,
    hook,
    keep,
    lowest,
    number,
    part,
    popcount,
    table,
    word,
    words,
)

FULL_BOARD = 511


@table
def BOARD(game):
    """The small board of each cell, row by row."""
    board = game.board
    return [board.row_of[cell] // 3 * 3 + board.column_of[cell] // 3 for cell in range(board.size)]


@table
def PLACE(game):
    """The place of each cell in its small board."""
    board = game.board
    return [board.row_of[cell] % 3 * 3 + board.column_of[cell] % 3 for cell in range(board.size)]


@table
def MIDDLE(game):
    """The middle cell of each small board."""
    return [game.board.cell_at(k // 3 * 3 + 1, k % 3 * 3 + 1) for k in range(9)]


@words
def SMALL(game):
    """The cells of each small board."""
    board = game.board
    count = -(-board.size // 64)
    found = []
    for k in range(9):
        cells = sum(1 << cell for cell in range(board.size)
                    if board.row_of[cell] // 3 == k // 3 and board.column_of[cell] // 3 == k % 3)
        found += [cells >> 64 * place & (1 << 64) - 1 for place in range(count)]
    return found


@table
def WINS(game):
    """For each set of nine places whether it has a line."""
    lines = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124]
    return [int(any(places & line == line for line in lines)) for places in range(512)]


@keep
def SEEN(game):
    """For each player the stones that are counted below."""
    return 2 * -(-game.board.size // 64)


@keep
def HELD(game):
    """For each player and small board the places that the player holds."""
    return 18


@keep
def WON(game):
    """For each player the small boards that are won."""
    return 2


@part
def look(state):
    """Count the stones that came."""
    for player in range(2):
        for k in range(WORDS):
            fresh = state[(1 + player) * WORDS + k] & ~state[SEEN + player * WORDS + k]
            state[SEEN + player * WORDS + k] |= fresh
            while fresh != EMPTY:
                c = (k << 6) + lowest(fresh)
                fresh &= fresh - ONE
                at = HELD + player * 9 + BOARD[c]
                state[at] |= ONE << PLACE[c]
                if WINS[number(state[at])] != 0:
                    state[WON + player] |= ONE << BOARD[c]


@part
def is_open(state, k):
    """Whether a small board can still be played in."""
    if ((state[WON] | state[WON + 1]) >> k) & ONE != EMPTY:
        return False
    return number(state[HELD + k] | state[HELD + 9 + k]) != FULL_BOARD


@hook("move place")
def moves_place(state, mover, entries, n, scratch):
    """Add the moves: in the board that the mover is sent to, or in all that are open."""
    look(state)
    sent = number(state[VALUES_FROM])
    many = 0
    for k in range(WORDS):
        cells = EMPTY
        for board in range(9):
            if (sent < 0 or BOARD[sent] == board) and is_open(state, board):
                cells |= SMALL[board * WORDS + k]
        cells &= state[k]
        many += popcount(cells)
        entries[n, CHOICE + k] = number(cells)
    if many > 0:
        entries[n, 0] = 0
        entries[n, 1] = many
        entries[n, 2] = 0
        n += 1
    return n


@hook("do place")
def do_place(state, mover, move):
    """Put a stone; its place says to which board the other player is sent, if that is open."""
    c = move[2]
    state[c >> 6] &= ~(ONE << (c & 63))
    state[(1 + mover) * WORDS + (c >> 6)] |= ONE << (c & 63)
    look(state)
    state[VALUES_FROM] = word(MIDDLE[PLACE[c]] if is_open(state, PLACE[c]) else -1)


@hook("ends")
def ends(state, mover, entries, scratch):
    """Whether the mover has three small boards in a line."""
    look(state)
    return mover if WINS[number(state[WON + mover])] != 0 else GOING
