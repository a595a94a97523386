"""Search in games of connection with carriers: a proof comes with the cells that it needs, and rules out other moves.

For games that `interpreter.analysis.connections` shows to be such. Sets of cells are words, so boards have at most 64
cells.

A *carrier* is two sets of cells: S, which the winner's pieces hold, and C, which the other's do not. Its player wins
wherever S holds his pieces and C none of the other's: if the other moves first (a *second* player's win), or if he
himself moves first (a *first* player's). What stands elsewhere does not matter: more pieces of the other's change
nothing outside of S and C, more pieces of one's own never hurt, and the other cannot win meanwhile: the strategy would
still be carried through and join the winner's regions, and the two cannot both be joined.

So, with the player to move:

- A cell that joins his regions wins: S is a path of pieces from the cell to each region, C the cell.
- If after a move a second player's carrier (S, C) of his holds, he wins as first player by S less that cell and C plus
  it; if the cell is not in S, he would win as second player, too.
- If the other has a first player's carrier (S, C), every move outside of C loses: the answer is the same. One in C is
  a *must*. Where every must is lost, each with a carrier of the other's, or there is none, the other wins as second
  player: S and C are the unions of these carriers, S being left out of C. For whatever is played, it is outside of one
  of them, by which the other wins; what he needs for that is in the unions.

Carriers that were found are kept in lists, the useful ones first, and tried on other positions, with their images under
the game's symmetries. The table has the exact positions.

Which move to look into next, proof numbers tell (df-pn: Nagai, "Df-pn algorithm for searching AND/OR trees and its
applications", 2002). A position's *win number* stands for how much is to be shown to prove that the player to move
wins: the least loss number of the positions after its musts; its *loss number* for how much to prove that he loses: the
greatest win number of these, and one more for each other must, since sums count over and over what can be reached in
several ways (Ueda and others, "Weak Proof-Number Search", 2008). Measured on rhombuses: sums had not solved five first
moves on 36 cells when they had looked at 80 times as many positions; without such numbers, each must searched to its
end, 25 cells took three times as long, and a first move on 36 that takes 2 s was not solved in 280 s.

Arrays: `table` uint64[entries, ENTRY], `key` uint64[KEY]; those of the named tuples as they say.
"""

from __future__ import annotations

from interpreter.kernel.plain import EMPTY, ONE, lowest, number, popcount, scramble, word
from solver.native.connection_pairs import (
    MOST_CELLS,
    Board,
    Carriers,
    Counts,
    Frame,
    Result,
    Search,
    first_of,
    linked,
    neighbours_of,
    paths,
    promising,
    reach,
    winning,
)
from solver.native.functions import Line, Lines, Row, Rows, Word, compiled, inlined, part, prefetch
from solver.native.transposition import SINGLE, bucket_of, claim_single, find, logarithm, seal, work_of

GOING, ANSWERED, NOBODY = 0, 1, 2
"""The status of a search. NOBODY: the board is full, and nobody is joined."""
NEVER = 1 << 40
"""More than any win or loss number."""
SECOND, FIRST = 0, 2
"""Kinds of lists of carriers, for each player: those of a second player, and of a first."""
LISTS = 4
KEY, KNOWN, NEEDED, CARRIER, ENTRY = 2, 2, 3, 4, 5
"""Words of an entry of the table: the two players' pieces; the winner + 1, or 0, with the effort; S and C, or where
nobody was shown to win the win and the loss number."""
_BLOCK = 64
"""So many carriers are looked at before it matters whether one of them holds."""
_FAR = 30
"""Steps that a cell is away from a region that it cannot be joined to."""
_MOST_HISTORY = 1 << 19


# ---- carriers


@part
def _next_that_holds(needed: Row, carrier: Row, index: int, size: int, pieces: Word, others: Word) -> int:
    """The first place from one on of a list whose carrier holds; -1 where there is none.

    Looked at by blocks without a way out, so that the processor compares several at once: searches on 36 cells are
    twice as fast as one by one.
    """
    while index < size:
        last = min(size, index + _BLOCK)
        holding = 0
        for offset in range(last - index):
            place = word(index + offset)  # an unsigned index cannot count from the end
            if needed[place] & ~pieces | carrier[place] & others == EMPTY:
                holding += 1
        if holding > 0:
            while needed[index] & ~pieces | carrier[index] & others != EMPTY:
                index += 1
            return index
        index = last
    return -1


@part
def _holds(kind: int, pieces: Word, others: Word, carriers: Carriers, result: Result) -> bool:
    """Whether a carrier of a list holds, which is then in the result; it goes further to the front of the list."""
    needed, carrier = carriers.needed[kind], carriers.carrier[kind]
    index = _next_that_holds(needed, carrier, 0, carriers.sizes[kind], pieces, others)
    if index < 0:
        return False
    result.needed, result.carrier = needed[index], carrier[index]
    ahead = index // 2
    needed[index], carrier[index] = needed[ahead], carrier[ahead]
    needed[ahead], carrier[ahead] = result.needed, result.carrier
    return True


@inlined
def _with_move(cell: Word, result: Result) -> bool:
    """Make of a second player's carrier after his move the carrier before it; whether that is only a first player's."""
    if result.needed & cell == EMPTY:
        return False
    result.needed &= ~cell
    result.carrier |= cell
    return True


@inlined
def _rule_out(frame: Frame, needed: Word, carrier: Word, lost: Word) -> None:
    """Leave the musts that are in a carrier of the other's, without a move that is lost by it."""
    left = frame.musts & carrier & ~lost
    if left != frame.musts:
        frame.musts = left
        frame.needed |= needed
        frame.carrier |= carrier


@part
def _leave_musts(kind: int, pieces: Word, others: Word, carriers: Carriers, frame: Frame) -> None:
    """Leave the musts that every carrier of a list that holds has in it, and add the carriers that leave fewer."""
    needed, carrier, size = carriers.needed[kind], carriers.carrier[kind], carriers.sizes[kind]
    index = _next_that_holds(needed, carrier, 0, size, pieces, others)
    while index >= 0:
        _rule_out(frame, needed[index], carrier[index], EMPTY)
        if frame.musts == EMPTY:
            return
        index = _next_that_holds(needed, carrier, index + 1, size, pieces, others)


@part
def _image(cells: Word, images: Lines, element: int) -> Word:
    """The image of a set of cells."""
    result = EMPTY
    while cells != EMPTY:
        result |= ONE << word(images[element, lowest(cells)])
        cells &= cells - ONE
    return result


@part
def _keep(kind: int, result: Result, carriers: Carriers, board: Board, counts: Counts) -> None:
    """Put a carrier and its images into the lists, where they have room."""
    room = len(carriers.needed[0])
    if room == 0:
        return
    counts.kept += 1
    for element in range(len(board.images)):
        listed = kind ^ board.images[element, MOST_CELLS]
        if carriers.sizes[listed] < room:
            index = carriers.sizes[listed]
            carriers.sizes[listed] += 1
        else:  # in place of one in the latter half
            carriers.nexts[listed] = (carriers.nexts[listed] + 1) % (room - room // 2)
            index = room // 2 + carriers.nexts[listed]
        carriers.needed[listed, index] = _image(result.needed, board.images, element)
        carriers.carrier[listed, index] = _image(result.carrier, board.images, element)


@inlined
def _is_kept(kind: int, result: Result, carriers: Carriers) -> bool:
    """Whether a list has a carrier already."""
    for index in range(carriers.sizes[kind]):
        if carriers.needed[kind, index] == result.needed and carriers.carrier[kind, index] == result.carrier:
            return True
    return False


# ---- the table


@inlined
def _write_key(frame: Frame, cell: Word, key: Row) -> Word:
    """Write the players' pieces after a move of the player to move, EMPTY for none; their hash."""
    key[frame.mover] = frame.ours | cell
    key[1 - frame.mover] = frame.theirs
    return scramble(key[0] ^ scramble(key[1]))


@inlined
def _note(frame: Frame, first: Word, second: Word, code: int, key: Row, table: Rows, counts: Counts) -> None:
    """Write an entry, where none stands that took much more; `code` is the winner + 1, or 0."""
    effort = logarithm(counts.nodes - frame.begun + 1)
    hashed = _write_key(frame, EMPTY, key)
    index = claim_single(table, KEY, hashed, effort)
    if index >= 0:
        table[index, NEEDED] = first
        table[index, CARRIER] = second
        seal(table, index, key, KEY, word(code) | work_of(effort, 0))
        counts.stored += 1


@part
def _look_up(depth: int, key: Row, table: Rows, own: Search) -> int:
    """Note what the table knows of the positions after a position's musts; the winner, where one tells, or -1.

    Their entries are fetched ahead, all at once: 1.2 times as fast on 36 cells.
    """
    frame, result, counts = own.frames[depth], own.result[0], own.counts[0]
    cells = frame.musts
    while cells != EMPTY:
        prefetch(table, bucket_of(_write_key(frame, first_of(cells), key), table, SINGLE))
        cells &= cells - ONE
    cells = frame.musts
    while cells != EMPTY:
        cell = first_of(cells)
        cells &= ~cell
        at = lowest(cell)
        own.wins[depth, at] = 1
        own.losses[depth, at] = 1
        counts.probes += 1
        index, known = find(table, key, KEY, _write_key(frame, cell, key), SINGLE)
        if index < 0:
            continue
        counts.by_table += 1
        won = number(known & word(3)) - 1
        if won < 0:
            own.wins[depth, at] = number(table[index, NEEDED])
            own.losses[depth, at] = number(table[index, CARRIER])
        elif won == frame.mover:
            frame.played = cell
            result.needed, result.carrier = table[index, NEEDED], table[index, CARRIER]
            _with_move(cell, result)
            return won
        else:
            _rule_out(frame, table[index, NEEDED], table[index, CARRIER], cell)
            cells &= frame.musts
    return -1


# ---- steps


@inlined
def _open(own: Search, depth: int, mover: int, win: int, loss: int) -> None:
    """Begin with a position, to be left when its win and loss numbers reach these."""
    frame = own.frames[depth]
    frame.opened = 0
    frame.mover = mover
    frame.win_limit = win
    frame.loss_limit = loss


@inlined
def _threatened(board: Board, carriers: Carriers, own: Search, depth: int, empty: Word) -> Word:
    """The cells by which the other would win at once: with one it is the only must, with two the result has why."""
    frame, result, counts = own.frames[depth], own.result[0], own.counts[0]
    other, theirs = 1 - frame.mover, frame.theirs
    losing = winning(other, theirs, empty, board)
    frame.musts = empty
    frame.needed = EMPTY
    frame.carrier = EMPTY
    if losing != EMPTY:
        cell = lowest(losing)
        frame.needed = paths(cell, other, theirs, board, own.levels)
        frame.carrier = ONE << word(cell)
        frame.musts = frame.carrier
        rest = losing & (losing - ONE)
        if rest != EMPTY:
            counts.lost_at_once += 1
            cell = lowest(rest)
            result.needed = frame.needed | paths(cell, other, theirs, board, own.levels)
            result.carrier = frame.carrier | ONE << word(cell)
            if not _is_kept(other, result, carriers):
                _keep(SECOND + other, result, carriers, board, counts)
    return losing


@inlined
def _wins_by_pairs(board: Board, own: Search, depth: int, empty: Word) -> bool:
    """Whether a move of the player to move joins his regions by pairs of cells."""
    frame = own.frames[depth]
    cells = promising(frame.mover, frame.ours, empty, board, own)
    while cells != EMPTY:
        cell = first_of(cells)
        cells &= ~cell
        if linked(frame.mover, 0, frame.ours | cell, empty & ~cell, board, own):
            own.counts[0].won_at_once += 1
            frame.played = cell
            _with_move(cell, own.result[0])
            return True
    return False


@inlined
def _avoid_pairs(board: Board, own: Search, depth: int, empty: Word) -> None:
    """Leave the musts that hinder every move by which the other would join his regions by pairs of cells."""
    frame, result = own.frames[depth], own.result[0]
    other = 1 - frame.mover
    cells = promising(other, frame.theirs, empty, board, own)
    while cells != EMPTY:
        cell = first_of(cells)
        cells &= ~cell
        if linked(other, 0, frame.theirs | cell, empty & ~cell, board, own):
            _rule_out(frame, result.needed & ~cell, result.carrier | cell, EMPTY)
            if frame.musts == EMPTY:
                break


@inlined
def _static(board: Board, carriers: Carriers, own: Search, depth: int, empty: Word) -> int:
    """Who wins a position, as far as single moves, pairs of cells and carriers tell, with the carrier in the result.

    Else -1, with the musts and what rules out the other moves in the frame.
    """
    frame, result, counts = own.frames[depth], own.result[0], own.counts[0]
    mover, other, ours, theirs = frame.mover, 1 - frame.mover, frame.ours, frame.theirs
    cells = winning(mover, ours, empty, board)
    if cells != EMPTY:
        counts.won_at_once += 1
        cell = lowest(cells)
        frame.played = ONE << word(cell)
        result.needed = paths(cell, mover, ours, board, own.levels)
        result.carrier = frame.played
        return mover
    losing = _threatened(board, carriers, own, depth, empty)
    if losing & (losing - ONE) != EMPTY:
        return other
    if linked(other, 0, theirs, empty, board, own):
        counts.lost_at_once += 1
        return other
    if losing == EMPTY and _wins_by_pairs(board, own, depth, empty):
        return mover
    _avoid_pairs(board, own, depth, empty)
    winner = -1
    if _holds(SECOND + other, theirs, ours, carriers, result):
        winner = other
    elif depth > 0 and (_holds(SECOND + mover, ours, theirs, carriers, result)
                        or _holds(FIRST + mover, ours, theirs, carriers, result)):
        winner = mover  # not of the first position: there is asked by which move, too
    if winner >= 0:
        counts.by_carrier += 1
        return winner
    _leave_musts(FIRST + other, theirs, ours, carriers, frame)
    _leave_musts(SECOND + other, theirs, ours, carriers, frame)
    counts.left_out += popcount(empty & ~frame.musts)
    return -1


@part
def _add_distances(player: int, pieces: Word, empty: Word, board: Board, distances: Line) -> None:
    """Add to each empty cell's number how many pieces it lacks, itself included, to be joined to a player's regions."""
    near = board.near
    for index in range(len(board.regions[0])):
        region = board.regions[player, index]
        if region == EMPTY and index > 1:
            continue
        held = reach(region, pieces, near)
        ring = empty & (region | neighbours_of(held, near))
        rest = empty
        level = 1
        while ring != EMPTY:
            rest &= ~ring
            cells = ring
            around = EMPTY
            while cells != EMPTY:
                cell = lowest(cells)
                distances[cell] += level
                around |= near[cell]
                cells &= cells - ONE
            fresh = reach(around, pieces & ~held, near)
            held |= fresh
            ring = rest & (around | neighbours_of(fresh, near))
            level += 1
        while rest != EMPTY:
            distances[lowest(rest)] += _FAR
            rest &= rest - ONE


@inlined
def _enter(board: Board, carriers: Carriers, table: Rows, key: Row, own: Search, depth: int) -> int:
    """Look at a position for the first time; who wins it, or -1."""
    frame, counts, distances = own.frames[depth], own.counts[0], own.distances[depth]
    empty = board.everything & ~(frame.ours | frame.theirs)
    counts.nodes += 1
    counts.deepest = max(counts.deepest, depth)
    own.plies[depth] += 1
    frame.opened = 1
    frame.begun = counts.nodes
    winner = _static(board, carriers, own, depth, empty)
    if winner < 0 and frame.musts != EMPTY:
        cells = empty
        while cells != EMPTY:
            distances[lowest(cells)] = 0
            cells &= cells - ONE
        _add_distances(frame.mover, frame.ours, empty, board, distances)
        _add_distances(1 - frame.mover, frame.theirs, empty, board, distances)
        winner = _look_up(depth, key, table, own)
    return winner


@inlined
def _add_up(own: Search, depth: int) -> None:
    """The win and loss numbers of a position, and the must to search next."""
    frame = own.frames[depth]
    least, second = NEVER, NEVER
    chosen, order, most, count = -1, 0, 0, 0
    cells = frame.musts
    while cells != EMPTY:
        cell = lowest(cells)
        loss = own.losses[depth, cell]
        worth = (1000 - own.distances[depth, cell]) * (1 << 20) + own.history[frame.mover, cell]
        if loss < least or (loss == least and worth > order):
            second = least
            chosen, order, least = cell, worth, loss
        elif loss < second:
            second = loss
        most = max(most, own.wins[depth, cell])
        count += 1
        cells &= cells - ONE
    frame.least, frame.second, frame.total = least, second, most + count - 1
    frame.chosen, frame.open_musts = chosen, count


@inlined
def _descend(own: Search, depth: int) -> None:
    """Go to the position after the must that was chosen."""
    frame, after = own.frames[depth], own.frames[depth + 1]
    frame.played = ONE << word(frame.chosen)
    own.counts[0].tried += 1
    after.ours = frame.theirs
    after.theirs = frame.ours | frame.played
    _open(own, depth + 1, 1 - frame.mover, min(NEVER, frame.loss_limit - (frame.open_musts - 1)),
          min(frame.win_limit, frame.second + frame.second // 4 + 1))


@inlined
def _reward(own: Search, depth: int) -> None:
    """Note that the move that was searched wins."""
    frame, history = own.frames[depth], own.history[own.frames[depth].mover]
    cell = lowest(frame.played)
    effort = logarithm(own.counts[0].nodes - frame.begun + 1)
    history[cell] += effort * effort + 1
    if history[cell] > _MOST_HISTORY:
        for index in range(MOST_CELLS):
            history[index] >>= 1


@inlined
def _return(winner: int, board: Board, carriers: Carriers, table: Rows, key: Row, own: Search, depth: int) -> int:
    """The position is answered, or left: tell those before, until one goes on; its depth, -1 where the first is."""
    counts, result = own.counts[0], own.result[0]
    while True:
        frame = own.frames[depth]
        least, total = frame.least, frame.total
        if winner < 0:
            _note(frame, word(least), word(total), 0, key, table, counts)
        else:
            _note(frame, result.needed, result.carrier, winner + 1, key, table, counts)
        if depth == 0:
            result.winner = winner
            return -1
        depth -= 1
        frame = own.frames[depth]
        if winner < 0:
            own.wins[depth, lowest(frame.played)] = least
            own.losses[depth, lowest(frame.played)] = total
            return depth
        if winner != frame.mover:
            _rule_out(frame, result.needed, result.carrier, frame.played)
            return depth
        _reward(own, depth)
        if _with_move(frame.played, result) and counts.nodes - frame.begun > 1:
            _keep(FIRST + frame.mover, result, carriers, board, counts)


# ---- what is called


@compiled
def begin(first: Word, second: Word, mover: int, own: Search) -> int:
    """Prepare the question who wins a position, given the players' pieces and who moves."""
    root = own.frames[0]
    root.ours = first if mover == 0 else second
    root.theirs = second if mover == 0 else first
    root.played = EMPTY
    _open(own, 0, mover, NEVER, NEVER)
    own.state[0].depth = 0
    own.state[0].status = GOING
    return 0


@compiled
def search(board: Board, carriers: Carriers, table: Rows, key: Row, own: Search, limit: int) -> int:
    """Go on for up to so many positions; the new status. The winner is then in the result, with S and C.

    `key` has two words to work with.
    """
    state, counts, result = own.state[0], own.counts[0], own.result[0]
    last = counts.nodes + limit
    depth = state.depth
    while True:
        frame = own.frames[depth]
        winner = -1
        if not frame.opened:
            if counts.nodes >= last:
                state.depth = depth
                return GOING
            if board.everything & ~(frame.ours | frame.theirs) == EMPTY:
                state.status = NOBODY
                return NOBODY
            winner = _enter(board, carriers, table, key, own, depth)
        if winner < 0 and frame.musts == EMPTY:
            winner = 1 - frame.mover
            result.needed = frame.needed
            result.carrier = frame.carrier & ~frame.needed
            counts.by_musts += 1
            _keep(SECOND + winner, result, carriers, board, counts)
        if winner < 0:
            _add_up(own, depth)
            if frame.least < frame.win_limit and frame.total < frame.loss_limit:
                _descend(own, depth)
                depth += 1
                continue
        depth = _return(winner, board, carriers, table, key, own, depth)
        if depth < 0:
            state.depth = 0
            state.status = ANSWERED
            return ANSWERED
