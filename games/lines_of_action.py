"""Hooks for Lines of Action: where a man lands is known from how many men its line has.

The compiled rule goes through the cells of each ray and asks of each how far it is and whether its way is free. But a
line with so many men has one landing place in each direction: a table gives it, with the cells on the way there.
"""

from interpreter.hooks import EMPTY, FAILED, ONE, WORDS, hook, lowest, number, popcount, table, word, words


def rays(game):
    """For each cell and direction the cells up to the border."""
    board = game.board
    return [board.ray(cell, way) for cell in range(board.size) for way in range(8)]


def mask(cells):
    """A set of cells."""
    found = 0
    for cell in cells:
        found |= 1 << cell
    return found


def in_words(game, sets):
    """Sets in words of 64 cells, one after another."""
    count = -(-game.board.size // 64)
    return [cells >> 64 * place & (1 << 64) - 1 for cells in sets for place in range(count)]


@words
def LINE(game):
    """For each cell and each of four directions the whole line through the cell."""
    found = rays(game)
    return in_words(game, [mask(found[cell * 8 + way]) | mask(found[cell * 8 + way + 4]) | 1 << cell
                           for cell in range(game.board.size) for way in range(4)])


@table
def SIZE(game):
    """One more than the longest step."""
    return [game.params["size"] + 1]


@table
def LANDING(game):
    """For each cell, direction and length the cell so far away, -1 for none."""
    size = game.params["size"] + 1
    return [ray[length - 1] if 1 <= length <= len(ray) else -1 for ray in rays(game) for length in range(size)]


@words
def ON_THE_WAY(game):
    """For each cell, direction and length the cells between."""
    size = game.params["size"] + 1
    return in_words(game, [mask(ray[: max(length - 1, 0)]) for ray in rays(game) for length in range(size)])


@hook("move go")
def moves_go(state, mover, entries, n, scratch):
    """Add the moves of the mover's men."""
    size = SIZE[0]
    for part in range(WORDS):
        rest = state[(1 + mover) * WORDS + part]
        while rest != EMPTY:
            a = (part << 6) + lowest(rest)
            rest &= rest - ONE
            if n >= len(entries) - 3:
                state[FAILED] = word(1)
                return n
            for k in range(WORDS):
                entries[n, CHOICE + k] = 0
            found = 0
            for way in range(4):
                men = 0
                for k in range(WORDS):
                    men += popcount(LINE[(a * 4 + way) * WORDS + k] & ~state[k])
                for back in range(2):
                    at = (a * 8 + way + 4 * back) * size + min(men, size - 1)
                    b = LANDING[at]
                    if b < 0 or (state[(1 + mover) * WORDS + (b >> 6)] >> (b & 63)) & ONE != EMPTY:
                        continue
                    blocked = EMPTY
                    for k in range(WORDS):
                        blocked |= ON_THE_WAY[at * WORDS + k] & state[(2 - mover) * WORDS + k]
                    if blocked == EMPTY:
                        entries[n, CHOICE + (b >> 6)] |= number(ONE << (b & 63))
                        found += 1
            if found > 0:
                entries[n, 0] = 0
                entries[n, 1] = found
                entries[n, 2] = 1
                entries[n, 3] = a
                n += 1
    return n
