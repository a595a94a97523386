"""Move ordering: numbers for moves, ranks among the proposals of patterns, killer moves, history, and shuffling.

A move is int64[2 + n]: its rule, the number of chosen values, and these values.

Arrays: `move`, `one` and `other` int64[2 + n], `moves`, `others`, `left_out` and `proposals` int64[room, 2 + n],
`order` int64[room]; `position` and `after` uint64[words of a row]; `killers` int64[2], `history` int64[2 * HISTORY].
"""

from __future__ import annotations

from interpreter.kernel.plain import EMPTY, FULL, number, scramble, stir, word
from solver.native.functions import Line, Lines, Row, Word, inlined

PICKED = 24
"""The number of moves of a position that are tried in order; the rest are tried as they are listed."""
HISTORY_BITS = 14
HISTORY = 1 << HISTORY_BITS
"""The size of each player's half of the history."""
HASH_FIRST, KILLER = 1 << 52, 1 << 48
"""The orders of the hash move and of killer moves; history points stay below."""
_MOST_HISTORY = 1 << 36


@inlined
def same_move(one: Line, other: Line) -> bool:
    """Whether two moves have the same rule and the same chosen values."""
    result = one[0] == other[0] and one[1] == other[1]
    if result:
        for k in range(2, 2 + one[1]):
            result = result and one[k] == other[k]
    return bool(result)


@inlined
def move_number(move: Line) -> int:
    """A hash of a move, which stands for it in tables; never 0."""
    result = word(move[0] + 7)
    for k in range(move[1]):
        result = scramble((result * word(0x100000001B3) & FULL) + word(move[2 + k]) & FULL)
    return number(result >> word(2)) | 1


@inlined
def change_number(position: Row, after: Row, move: Line, standing: int, size: int) -> int:
    """A number below `size`, a power of 2: a hash of what a move changes on the board, or of its choices if nothing.

    So moves that are written alike but have different effects, such as drops into a column that fills up, differ.
    The first `standing` words of a position are the contents of the board.
    """
    result = EMPTY
    for k in range(standing):
        result = scramble(result ^ position[k] ^ after[k])
    if result == EMPTY:
        result = word(move[0] + 3)
        for k in range(move[1]):
            result = scramble(result ^ word(move[2 + k] + 1))
    return number(result & word(size - 1))


@inlined
def proposed_rank(move: Line, proposals: Lines, count: int) -> int:
    """The rank of a move among `count` proposals of patterns: `count` for the first, 0 if it is not proposed."""
    for index in range(count):
        same = True
        for k in range(2 + move[1]):
            if proposals[index, k] != move[k]:
                same = False
                break
        if same:
            return count - index
    return 0


# ---- killers and history, for searches that make moves one at a time


@inlined
def history_index(side: int, number_of_move: int) -> int:
    """The index of a player's move in the history."""
    return side << HISTORY_BITS | (number_of_move >> 1 & HISTORY - 1)


@inlined
def order_of(number_of_move: int, hash_move: int, killers: Line, history: Line, side: int) -> int:
    """The order of a move, highest first: the hash move, killer moves, and the others by their history."""
    if number_of_move == hash_move:
        return HASH_FIRST
    if number_of_move == killers[0]:
        return KILLER + 1
    if number_of_move == killers[1]:
        return KILLER
    return number(history[history_index(side, number_of_move)])


@inlined
def reward(number_of_move: int, killers: Line, history: Line, side: int, depth: int) -> None:
    """Update killer moves and history for a move that cut off at a remaining depth."""
    if killers[0] != number_of_move:
        killers[1] = killers[0]
        killers[0] = number_of_move
    index = history_index(side, number_of_move)
    history[index] += depth * depth
    if history[index] > _MOST_HISTORY:
        for k in range(len(history)):
            history[k] >>= 1


@inlined
def pick(moves: Lines, order: Line, first: int, count: int) -> None:
    """Swap the move with the highest order from index `first` on to that index; no effect from `PICKED` on."""
    if first >= PICKED:
        return
    best = first
    for other in range(first + 1, count):
        if order[other] > order[best]:
            best = other
    if best != first:
        order[first], order[best] = order[best], order[first]
        swap(moves, first, best)


@inlined
def swap(moves: Lines, one: int, other: int) -> None:
    """Swap two moves of a list."""
    for k in range(len(moves[0])):
        moves[one, k], moves[other, k] = moves[other, k], moves[one, k]


# ---- lists of moves


@inlined
def leave_out(moves: Lines, count: int, left_out: Lines) -> int:
    """Remove the moves of `left_out` from a list; the number of moves left."""
    after = 0
    for index in range(count):
        known = False
        for other in range(len(left_out)):
            known = known or same_move(moves[index], left_out[other])
        if not known:
            for k in range(len(moves[0])):
                moves[after, k] = moves[index, k]
            after += 1
    return after


@inlined
def by_chance(moves: Lines, count: int, width: int, seed: Word) -> int:
    """Move a uniformly random selection of `width` moves to the front of a list; how many there are."""
    for index in range(min(width, count)):
        seed = stir(seed)
        swap(moves, index, index + number(scramble(seed) % word(count - index)))
    return min(width, count)


@inlined
def add_others(moves: Lines, count: int, others: Lines, other_count: int) -> int:
    """Append the moves of `others` that are not among the first `count`; the number of moves then."""
    after = count
    for index in range(other_count):
        known = False
        for other in range(count):
            if same_move(others[index], moves[other]):
                known = True
                break
        if not known:
            for k in range(2 + others[index, 1]):
                moves[after, k] = others[index, k]
            after += 1
    return after
