"""Proof-number search with carriers for connection games: each proof names the cells it needs, ruling out other moves.

For the games that `interpreter.analysis.connections` recognises. Sets of cells are words, so boards have at most 64
cells.

A *carrier* consists of two sets of cells: S, held by the winner's pieces, and C, free of the opponent's pieces. It
*holds* in every position in which S has only pieces of its player and C none of the opponent's. Its player then wins
even if the opponent moves first (a *second* player's carrier), or if the player moves first (a *first* player's). The
other cells do not matter: further pieces of the opponent change nothing outside of S and C, further pieces of one's own
never hurt, and the opponent cannot win meanwhile, because the strategy would still join the winner's regions, and both
players' regions cannot be joined.

For the player to move:

- A cell that joins the player's regions wins: S is a path of pieces from the cell to each region, C the cell.
- If a second player's carrier (S, C) of the player holds after a move, S without the moved cell and C with it form a
  first player's carrier before the move; if the cell is not in S, it is still a second player's carrier.
- If a first player's carrier (S, C) of the opponent holds, every move outside of C loses to it. The moves in C are
  *musts*. If every must loses, each with a carrier of the opponent, or there is none, the opponent wins as second
  player: S and C are the unions of these carriers, C without S. Every move is outside the C of one of them, by which
  the opponent wins, and all the cells that this needs are in the unions.

Carriers that were found are kept in lists, the useful ones first, together with their images under the game's
symmetries, and are tried on other positions. The transposition table has exact positions.

Proof numbers select the move to search next (df-pn: Nagai, "Df-pn algorithm for searching AND/OR trees and its
applications", 2002). A position's *win number* estimates how much is left to show to prove that the player to move
wins: the least loss number of the positions after its musts. Its *loss number* estimates the same for a loss: the
greatest win number of these positions, plus one for each other must; sums would count positions that are reached in
several ways many times (Ueda and others, "Weak Proof-Number Search", 2008). Measured on rhombuses: with sums, five
first moves on 36 cells were still unsolved after 80 times as many positions; without proof numbers, searching each must
to its end, 25 cells took three times as long, and a first move on 36 cells that takes 2 s was not solved in 280 s.

Arrays: `table` uint64[entries, ENTRY], `key` uint64[KEY]; for those of the named tuples, see their fields.
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
"""The status of a search. NOBODY: the board is full, and neither player's regions are joined."""
NEVER = 1 << 40
"""Greater than any win or loss number."""
SECOND, FIRST = 0, 2
"""Where the lists of second and of first player's carriers begin, with a list for each player."""
LISTS = 4
KEY, KNOWN, NEEDED, CARRIER, ENTRY = 2, 2, 3, 4, 5
"""Words of a table entry: the two players' pieces; the winner + 1, or 0, with the effort; S and C, or the win and loss
number where no winner is proven."""
_BLOCK = 64
"""The number of carriers that are tested without an early exit."""
_FAR = 30
"""The distance that counts for a cell that cannot be joined to a region."""
_MOST_HISTORY = 1 << 19


# ---- carriers


@part
def _next_that_holds(needed: Row, carrier: Row, index: int, size: int, pieces: Word, others: Word) -> int:
    """The first place in a list, from `index` on, of a carrier that holds; -1 for none.

    Blocks are tested without an early exit, so that the processor compares several carriers at once: searches on 36
    cells are twice as fast as with one test at a time.
    """
    while index < size:
        last = min(size, index + _BLOCK)
        holding = 0
        for offset in range(last - index):
            place = word(index + offset)  # unsigned: cannot count from the end
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
    """Whether a carrier of a list holds; it is then written to the result and moved halfway to the front of the list.
    """
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
    """Turn a second player's carrier after a move into a carrier before it; whether it is then only a first player's.
    """
    if result.needed & cell == EMPTY:
        return False
    result.needed &= ~cell
    result.carrier |= cell
    return True


@inlined
def _rule_out(frame: Frame, needed: Word, carrier: Word, lost: Word) -> None:
    """Restrict the musts to a carrier of the opponent, less the `lost` move; add the carrier if this removes any."""
    left = frame.musts & carrier & ~lost
    if left != frame.musts:
        frame.musts = left
        frame.needed |= needed
        frame.carrier |= carrier


@part
def _leave_musts(kind: int, pieces: Word, others: Word, carriers: Carriers, frame: Frame) -> None:
    """Restrict the musts to every carrier of a list that holds, and add the carriers that remove any."""
    needed, carrier, size = carriers.needed[kind], carriers.carrier[kind], carriers.sizes[kind]
    index = _next_that_holds(needed, carrier, 0, size, pieces, others)
    while index >= 0:
        _rule_out(frame, needed[index], carrier[index], EMPTY)
        if frame.musts == EMPTY:
            return
        index = _next_that_holds(needed, carrier, index + 1, size, pieces, others)


@part
def _image(cells: Word, images: Lines, element: int) -> Word:
    """The image of a set of cells under a symmetry."""
    result = EMPTY
    while cells != EMPTY:
        result |= ONE << word(images[element, lowest(cells)])
        cells &= cells - ONE
    return result


@part
def _keep(kind: int, result: Result, carriers: Carriers, board: Board, counts: Counts) -> None:
    """Add a carrier and its images to the lists; where a list is full, replace one in its latter half."""
    room = len(carriers.needed[0])
    if room == 0:
        return
    counts.kept += 1
    for element in range(len(board.images)):
        listed = kind ^ board.images[element, MOST_CELLS]
        if carriers.sizes[listed] < room:
            index = carriers.sizes[listed]
            carriers.sizes[listed] += 1
        else:  # full: replace those of the latter half in turn
            carriers.nexts[listed] = (carriers.nexts[listed] + 1) % (room - room // 2)
            index = room // 2 + carriers.nexts[listed]
        carriers.needed[listed, index] = _image(result.needed, board.images, element)
        carriers.carrier[listed, index] = _image(result.carrier, board.images, element)


@inlined
def _is_kept(kind: int, result: Result, carriers: Carriers) -> bool:
    """Whether a list already contains a carrier."""
    for index in range(carriers.sizes[kind]):
        if carriers.needed[kind, index] == result.needed and carriers.carrier[kind, index] == result.carrier:
            return True
    return False


# ---- the table


@inlined
def _write_key(frame: Frame, cell: Word, key: Row) -> Word:
    """Write the key of the position after a move of the player to move (EMPTY for none); return its hash."""
    key[frame.mover] = frame.ours | cell
    key[1 - frame.mover] = frame.theirs
    return scramble(key[0] ^ scramble(key[1]))


@inlined
def _note(frame: Frame, first: Word, second: Word, code: int, key: Row, table: Rows, counts: Counts) -> None:
    """Write a table entry, unless the one there took much more effort; `code` is the winner + 1, or 0."""
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
    """Look up the positions after the musts in the table; the winner if the mover wins by one of them, else -1.

    All their entries are prefetched first, which is 1.2 times as fast on 36 cells.
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
    """Set up a position's frame, with the win and loss numbers at which the search leaves it."""
    frame = own.frames[depth]
    frame.opened = 0
    frame.mover = mover
    frame.win_limit = win
    frame.loss_limit = loss


@inlined
def _threatened(board: Board, carriers: Carriers, own: Search, depth: int, empty: Word) -> Word:
    """The cells with which the opponent would win at once; a single one becomes the only must.

    If there are several, the position is lost, and the result has the carrier.
    """
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
    """Whether a move joins the regions of the player to move by pairs of cells."""
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
    """Restrict the musts to those that block every move that joins the opponent's regions by pairs of cells."""
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
    """The winner of a position if single moves, pairs of cells or known carriers decide it, with the carrier in result.

    Else -1; the frame then has the musts, and the unions of the carriers that rule out the other moves.
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
        winner = mover  # not at the root, which needs the winning move, too
    if winner >= 0:
        counts.by_carrier += 1
        return winner
    _leave_musts(FIRST + other, theirs, ours, carriers, frame)
    _leave_musts(SECOND + other, theirs, ours, carriers, frame)
    counts.left_out += popcount(empty & ~frame.musts)
    return -1


@part
def _add_distances(player: int, pieces: Word, empty: Word, board: Board, distances: Line) -> None:
    """Add to each empty cell's distance how many pieces join it to each of a player's regions, its own included."""
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
    """Evaluate a position that the search has descended to, statically and by the table; the winner, or -1."""
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
    """Compute the win and loss numbers of a position, and choose the must to search next."""
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
    """Set up the position after the chosen must, with its limits."""
    frame, after = own.frames[depth], own.frames[depth + 1]
    frame.played = ONE << word(frame.chosen)
    own.counts[0].tried += 1
    after.ours = frame.theirs
    after.theirs = frame.ours | frame.played
    _open(own, depth + 1, 1 - frame.mover, min(NEVER, frame.loss_limit - (frame.open_musts - 1)),
          min(frame.win_limit, frame.second + frame.second // 4 + 1))


@inlined
def _reward(own: Search, depth: int) -> None:
    """Raise the history score of the move that was searched, which wins."""
    frame, history = own.frames[depth], own.history[own.frames[depth].mover]
    cell = lowest(frame.played)
    effort = logarithm(own.counts[0].nodes - frame.begun + 1)
    history[cell] += effort * effort + 1
    if history[cell] > _MOST_HISTORY:
        for index in range(MOST_CELLS):
            history[index] >>= 1


@inlined
def _return(winner: int, board: Board, carriers: Carriers, table: Rows, key: Row, own: Search, depth: int) -> int:
    """Back up an answer, or the numbers of a position that is left, to the first position that goes on.

    Returns the depth of that position, -1 if the root itself is answered.
    """
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


# ---- entry points


@compiled
def begin(first: Word, second: Word, mover: int, own: Search) -> int:
    """Prepare a search for the winner of a position, given the pieces of both players and the player to move."""
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
    """Continue the search for up to `limit` positions; return the new status.

    Once it is ANSWERED, the result has the winner, with S and C. `key` is a work array of two words.
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
