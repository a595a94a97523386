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
"""

from __future__ import annotations

from typing import Any

from interpreter.kernel.plain import EMPTY, FULL, ONE, jit, lowest, number, popcount, scramble, solver, word
from solver.searches.compiled.table import logarithm

# Places in `state`.
DEPTH, STATUS = 0, 1
STATE = 2
GOING, ANSWERED, NOBODY = 0, 1, 2
"""NOBODY: the board is full, and nobody is joined."""
# Places in a frame of words.
OURS, THEIRS, MUSTS, NEEDED, CARRIER, PLAYED = 0, 1, 2, 3, 4, 5
WORDS = 6
"""OURS and THEIRS are the mover's pieces and the other's; NEEDED and CARRIER the unions of the other's carriers."""
# Places in a frame of numbers.
PHASE, MOVER, BEGUN, WIN_LIMIT, LOSS_LIMIT = 0, 1, 2, 3, 4
FRAME = 5
"""The search leaves a position, for a while, when its win or its loss number reaches its limit."""
# Places in a line of `orders`, each for as many cells as there can be: how far a cell is from joining regions, and the
# win and the loss number of the position after a move there.
WINS, LOSSES = 64, 128
ORDERS = 192
NEVER = 1 << 40
"""More than any win or loss number."""
# Places in `counts`.
NODES, WON_AT_ONCE, LOST_AT_ONCE, BY_TABLE, BY_CARRIER, BY_MUSTS, LEFT_OUT, TRIED, KEPT, PROBES, STORED, DEEPEST = (
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
COUNTS = 12
"""Positions, again each time that the search comes back to one; those won by one move, lost to two threats, known from
the table, won or lost by a carrier, lost for lack of a must; moves that were none; moves tried; carriers kept; look-ups
in the table; entries written; greatest depth."""
# Kinds of lists of carriers, for each player: those of a second player, and of a first.
SECOND, FIRST = 0, 2
LISTS = 4
# The result of a position, in `result`.
WINNER, RESULT = 0, 1
ENTRY = 5
"""Words of an entry: the two players' pieces; S and C, or where nobody was shown to win the win and the loss number;
the winner + 1, or 0, with the effort."""


@jit
def _near(cells: Any, near: Any) -> Any:
    """All neighbours of some cells."""
    found = EMPTY
    while cells != EMPTY:
        found |= near[lowest(cells)]
        cells &= cells - ONE
    return found


@jit
def _reach(region: Any, pieces: Any, near: Any) -> Any:
    """The pieces that are joined to a region."""
    reached = region & pieces
    rim = reached
    while rim != EMPTY:
        rim = _near(rim, near) & pieces & ~reached
        reached |= rim
    return reached


@jit
def _winning(player: Any, pieces: Any, empty: Any, regions: Any, near: Any) -> Any:
    """The empty cells of which each joins a player's regions."""
    found = empty
    for number_ in range(len(regions[0])):
        region = regions[player, number_]
        if region == EMPTY and number_ > 1:
            continue
        found &= region | _near(_reach(region, pieces, near), near)
        if found == EMPTY:
            break
    return found


@jit
def _path(cell: Any, region: Any, pieces: Any, near: Any, levels: Any) -> Any:
    """Pieces that join a cell to a region, the fewest that do; none where the cell is in it."""
    start = ONE << word(cell)
    if start & region != EMPTY:
        return EMPTY
    level = 0
    levels[0] = start
    seen = start
    while levels[level] & region == EMPTY:
        rim = _near(levels[level], near) & pieces & ~seen
        if rim == EMPTY:
            return FULL  # it is not joined
        level += 1
        levels[level] = rim
        seen |= rim
    last = levels[level] & region
    found = last & ~(last - ONE)
    step = found
    while level > 1:
        level -= 1
        rim = near[lowest(step)] & levels[level]
        step = rim & ~(rim - ONE)
        found |= step
    return found


@jit
def _paths(cell: Any, player: Any, pieces: Any, regions: Any, near: Any, levels: Any) -> Any:
    """Pieces that join a cell to all of a player's regions."""
    found = EMPTY
    for number_ in range(len(regions[0])):
        region = regions[player, number_]
        if region == EMPTY and number_ > 1:
            continue
        found |= _path(cell, region, pieces, near, levels)
    return found


@jit
def _linked(player: Any, start: Any, pieces: Any, empty: Any, regions: Any, near: Any, groups: Any, result: Any) -> Any:
    """Whether a player's regions are joined already, if each pair of cells by which groups of his touch is his for one.

    A group is joined to those already joined where two empty cells that nothing else needs touch both: whichever of the
    two is taken, the other remains. It begins with a region, or, where there are three to join, with a group. Then
    `result` has S and C; else result[1] the empty cells that touch what is joined to the region and nothing needs.

    `groups` has in a row the pieces of a group, the empty cells that touch it, the groups by which it is joined, the
    cells that this needs; and in order of joining their numbers.
    """
    many_regions = len(regions[0])
    if many_regions > 2 and regions[player, 2] == EMPTY:
        many_regions = 2
    count = 1
    rest = pieces
    groups[0, 0] = EMPTY
    groups[0, 1] = regions[player, start] & empty
    groups[0, 2] = EMPTY
    groups[0, 3] = EMPTY
    while rest != EMPTY and count < 63:
        group = _reach(rest & ~(rest - ONE), rest, near)
        rest &= ~group
        groups[count, 0] = group
        groups[count, 1] = _near(group, near) & empty
        count += 1
    seed = 0 if many_regions == 2 else 1
    last_seed = 1 if many_regions == 2 else count
    while seed < last_seed:
        joined = ONE << word(seed)
        groups[0, 4] = word(seed)
        groups[seed, 2] = EMPTY
        groups[seed, 3] = EMPTY
        many = 1
        used = EMPTY
        touching = groups[seed, 1]
        if seed == 0:
            for group_ in range(1, count):
                if groups[group_, 0] & regions[player, start] != EMPTY:
                    joined |= ONE << word(group_)
                    groups[group_, 2] = ONE
                    groups[group_, 3] = EMPTY
                    groups[many, 4] = word(group_)
                    many += 1
                    touching |= groups[group_, 1]
        grown = True
        while grown:
            grown = False
            for group_ in range(1, count):
                if joined >> word(group_) & ONE != EMPTY:
                    continue
                common = groups[group_, 1] & touching & ~used
                rest = common & (common - ONE)
                if common == EMPTY or rest == EMPTY:
                    continue
                one = common & ~rest
                two = rest & ~(rest - ONE)
                groups[group_, 2] = _owners(one, joined, count, groups) | _owners(two, joined, count, groups)
                groups[group_, 3] = one | two
                used |= one | two
                joined |= ONE << word(group_)
                groups[many, 4] = word(group_)
                many += 1
                touching |= groups[group_, 1]
                grown = True
        needed = EMPTY
        spent = EMPTY
        whole = True
        for number_ in range(many_regions):
            if seed == 0 and number_ == start:
                continue
            region = regions[player, number_]
            direct = EMPTY
            for group_ in range(1, count):
                if joined >> word(group_) & ONE != EMPTY and groups[group_, 0] & region != EMPTY:
                    direct = ONE << word(group_)
                    break
            if direct != EMPTY:
                needed |= direct
                continue
            common = touching & region & ~used
            rest = common & (common - ONE)
            if common == EMPTY or rest == EMPTY:
                whole = False
                break
            one = common & ~rest
            two = rest & ~(rest - ONE)
            needed |= _owners(one, joined, count, groups) | _owners(two, joined, count, groups)
            used |= one | two
            spent |= one | two
        if whole:
            result[0] = EMPTY
            result[1] = spent
            while many > 0:
                many -= 1
                group_ = number(groups[many, 4])
                if needed >> word(group_) & ONE != EMPTY:
                    result[0] |= groups[group_, 0]
                    result[1] |= groups[group_, 3]
                    needed |= groups[group_, 2]
            return True
        result[1] = touching & ~used
        seed += 1
    return False


@jit
def _owners(cell: Any, joined: Any, count: Any, groups: Any) -> Any:
    """The first group among those joined that a cell touches."""
    for group_ in range(count):
        if joined >> word(group_) & ONE != EMPTY and groups[group_, 1] & cell != EMPTY:
            return ONE << word(group_)
    return EMPTY


@jit
def _promising(player: Any, pieces: Any, empty: Any, regions: Any, near: Any, groups: Any, result: Any) -> Any:
    """Cells of which each may join a player's two regions by pairs of cells; with three regions all."""
    if len(regions[0]) > 2 and regions[player, 2] != EMPTY:
        return empty
    found = empty
    for start in range(2):
        _linked(player, start, pieces, empty, regions, near, groups, result)
        touching = result[1]
        rest = found & ~touching
        while rest != EMPTY:
            cell = rest & ~(rest - ONE)
            common = near[lowest(cell)] & touching
            if common & (common - ONE) == EMPTY:
                found &= ~cell
            rest &= ~cell
    return found


@jit
def _holds(kind: Any, pieces: Any, others: Any, carriers: Any, sizes: Any, result: Any, room: Any) -> Any:
    """Whether a carrier of a list holds, which is then in `result`; it goes further to the front of the list."""
    base = kind * room
    for place in range(base, base + sizes[kind]):
        if carriers[place, 0] & ~pieces | carriers[place, 1] & others == EMPTY:
            result[0], result[1] = carriers[place, 0], carriers[place, 1]
            ahead = base + (place - base) // 2
            carriers[place, 0], carriers[place, 1] = carriers[ahead, 0], carriers[ahead, 1]
            carriers[ahead, 0], carriers[ahead, 1] = result[0], result[1]
            return True
    return False


@jit
def _with_move(cell: Any, result: Any) -> Any:
    """Make of a second player's carrier after his move the carrier before it; whether that is only a first player's."""
    if result[0] & cell == EMPTY:
        return False
    result[0] &= ~cell
    result[1] |= cell
    return True


@jit
def _rule_out(words: Any, needed: Any, carrier: Any, lost: Any) -> None:
    """Leave the musts that are in a carrier of the other's, without a move that is lost by it."""
    left = words[MUSTS] & carrier & ~lost
    if left != words[MUSTS]:
        words[MUSTS] = left
        words[NEEDED] |= needed
        words[CARRIER] |= carrier


@jit
def _musts(kind: Any, pieces: Any, others: Any, carriers: Any, sizes: Any, room: Any, words: Any) -> Any:
    """Leave the musts that every carrier of a list that holds has in it, and add the carriers that leave fewer."""
    base = kind * room
    for place in range(base, base + sizes[kind]):
        if carriers[place, 0] & ~pieces | carriers[place, 1] & others == EMPTY:
            _rule_out(words, carriers[place, 0], carriers[place, 1], EMPTY)
            if words[MUSTS] == EMPTY:
                return


@jit
def _image(cells: Any, images: Any, element: Any) -> Any:
    """The image of a set of cells."""
    found = EMPTY
    while cells != EMPTY:
        found |= ONE << word(images[element, lowest(cells)])
        cells &= cells - ONE
    return found


@jit
def _keep(kind: Any, needed: Any, carrier: Any, carriers: Any, sizes: Any, nexts: Any, room: Any, images: Any) -> Any:
    """Put a carrier and its images into the lists; the last place of `images` says whether players are swapped."""
    for element in range(len(images)):
        listed = kind ^ images[element, 64]
        base = listed * room
        if sizes[listed] < room:
            place = base + sizes[listed]
            sizes[listed] += 1
        else:  # in place of one in the latter half
            nexts[listed] = (nexts[listed] + 1) % (room - room // 2)
            place = base + room // 2 + nexts[listed]
        carriers[place, 0] = _image(needed, images, element)
        carriers[place, 1] = _image(carrier, images, element)


@jit
def _spread(player: Any, pieces: Any, empty: Any, regions: Any, near: Any, orders: Any, depth: Any) -> Any:
    """Add to each empty cell's number how many pieces it lacks, itself included, to be joined to a player's regions."""
    for number_ in range(len(regions[0])):
        region = regions[player, number_]
        if region == EMPTY and number_ > 1:
            continue
        held = _reach(region, pieces, near)
        ring = empty & (region | _near(held, near))
        rest = empty
        level = 1
        while ring != EMPTY:
            rest &= ~ring
            cells = ring
            around = EMPTY
            while cells != EMPTY:
                cell = lowest(cells)
                orders[depth, cell] += level
                around |= near[cell]
                cells &= cells - ONE
            fresh = _reach(around, pieces & ~held, near)
            held |= fresh
            ring = rest & (around | _near(fresh, near))
            level += 1
        while rest != EMPTY:
            orders[depth, lowest(rest)] += 30
            rest &= rest - ONE


@jit
def _open(depth: Any, mover: Any, win: Any, loss: Any, frames: Any) -> None:
    """Begin with a position, to be left when its win and loss numbers reach these."""
    frames[depth, PHASE] = 0
    frames[depth, MOVER] = mover
    frames[depth, WIN_LIMIT] = win
    frames[depth, LOSS_LIMIT] = loss


@solver("WORD", "WORD", "NUMBER", "ROWS", "LINES", "LINE")
def begin(first: Any, second: Any, mover: Any, W: Any, frames: Any, state: Any) -> Any:
    """Prepare the question who wins a position, given the players' pieces and who moves."""
    W[0, OURS] = first if mover == 0 else second
    W[0, THEIRS] = second if mover == 0 else first
    W[0, PLAYED] = EMPTY
    _open(0, mover, NEVER, NEVER, frames)
    state[DEPTH] = 0
    state[STATUS] = GOING
    return 0


@jit
def _place(one: Any, two: Any, table: Any) -> Any:
    """Where the table may have a position."""
    return number(scramble(one ^ scramble(two)) >> word(8) & word(len(table) - 1))


@jit
def _known(place: Any, one: Any, two: Any, table: Any) -> Any:
    """What the table's entry says of a position; 0 where it is another's."""
    known = table[place, 4]
    if known == EMPTY:
        return known
    mixed = scramble(known ^ scramble(table[place, 2] ^ scramble(table[place, 3])))
    return known if table[place, 0] ^ mixed == one and table[place, 1] ^ mixed == two else EMPTY


@jit
def _note(one: Any, two: Any, first: Any, second: Any, code: Any, effort: Any, table: Any, counts: Any) -> None:
    """Write an entry, where none stands that took much more."""
    place = _place(one, two, table)
    if number(table[place, 4] >> word(2)) <= effort + 2:
        known = word(code) | word(effort) << word(2)
        mixed = scramble(known ^ scramble(first ^ scramble(second)))
        table[place, 0] = one ^ mixed
        table[place, 1] = two ^ mixed
        table[place, 2] = first
        table[place, 3] = second
        table[place, 4] = known
        counts[STORED] += 1


@jit
def _static(depth: Any, near: Any, regions: Any, everything: Any, carriers: Any, sizes: Any, nexts: Any, room: Any,
            images: Any, W: Any, mover: Any, levels: Any, result: Any, groups: Any, counts: Any) -> Any:
    """Who wins a position, as far as single moves, pairs of cells and carriers tell, with the carrier in `result`.

    Else -1, with the musts and what rules out the other moves in the position's words.
    """
    words = W[depth]
    other = 1 - mover
    ours, theirs = words[OURS], words[THEIRS]
    empty = everything & ~(ours | theirs)
    winning = _winning(mover, ours, empty, regions, near)
    if winning != EMPTY:
        counts[WON_AT_ONCE] += 1
        cell = lowest(winning)
        words[PLAYED] = ONE << word(cell)
        result[0] = _paths(cell, mover, ours, regions, near, levels)
        result[1] = ONE << word(cell)
        return mover
    losing = _winning(other, theirs, empty, regions, near)
    words[MUSTS] = empty
    words[NEEDED] = EMPTY
    words[CARRIER] = EMPTY
    if losing != EMPTY:
        cell = lowest(losing)
        words[NEEDED] = _paths(cell, other, theirs, regions, near, levels)
        words[CARRIER] = ONE << word(cell)
        words[MUSTS] = words[CARRIER]
        rest = losing & (losing - ONE)
        if rest != EMPTY:
            counts[LOST_AT_ONCE] += 1
            cell = lowest(rest)
            result[0] = words[NEEDED] | _paths(cell, other, theirs, regions, near, levels)
            result[1] = words[CARRIER] | ONE << word(cell)
            keep = room > 0
            for place in range(other * room, other * room + sizes[other]):
                if carriers[place, 0] == result[0] and carriers[place, 1] == result[1]:
                    keep = False
                    break
            if keep:
                counts[KEPT] += 1
                _keep(SECOND + other, result[0], result[1], carriers, sizes, nexts, room, images)
            return other
    if _linked(other, 0, theirs, empty, regions, near, groups, result):
        counts[LOST_AT_ONCE] += 1
        return other
    if losing == EMPTY:
        cells = _promising(mover, ours, empty, regions, near, groups, result)
        while cells != EMPTY:
            cell = cells & ~(cells - ONE)
            cells &= ~cell
            if _linked(mover, 0, ours | cell, empty & ~cell, regions, near, groups, result):
                counts[WON_AT_ONCE] += 1
                words[PLAYED] = cell
                _with_move(cell, result)
                return mover
    cells = _promising(other, theirs, empty, regions, near, groups, result)
    while cells != EMPTY:
        cell = cells & ~(cells - ONE)
        cells &= ~cell
        if _linked(other, 0, theirs | cell, empty & ~cell, regions, near, groups, result):
            _rule_out(words, result[0] & ~cell, result[1] | cell, EMPTY)
            if words[MUSTS] == EMPTY:
                break
    winner = -1
    if _holds(SECOND + other, theirs, ours, carriers, sizes, result, room):
        winner = other
    elif depth > 0 and (_holds(SECOND + mover, ours, theirs, carriers, sizes, result, room) or _holds(
            FIRST + mover, ours, theirs, carriers, sizes, result, room)):  # at first, by which move is asked, too
        winner = mover
    if winner >= 0:
        counts[BY_CARRIER] += 1
        return winner
    _musts(FIRST + other, theirs, ours, carriers, sizes, room, words)
    _musts(SECOND + other, theirs, ours, carriers, sizes, room, words)
    counts[LEFT_OUT] += popcount(empty & ~words[MUSTS])
    return -1


@jit
def _look_up(mover: Any, words: Any, table: Any, order: Any, result: Any, counts: Any) -> Any:
    """Note what the table knows of the positions after a position's musts; the winner, where one tells, or -1."""
    ours, theirs = words[OURS], words[THEIRS]
    cells = words[MUSTS]
    while cells != EMPTY:
        cell = cells & ~(cells - ONE)
        cells &= ~cell
        at = lowest(cell)
        order[WINS + at] = 1
        order[LOSSES + at] = 1
        counts[PROBES] += 1
        one, two = (ours | cell, theirs) if mover == 0 else (theirs, ours | cell)
        place = _place(one, two, table)
        known = _known(place, one, two, table)
        if known == EMPTY:
            continue
        counts[BY_TABLE] += 1
        won = number(known & word(3)) - 1
        if won < 0:
            order[WINS + at] = number(table[place, 2])
            order[LOSSES + at] = number(table[place, 3])
        elif won == mover:
            words[PLAYED] = cell
            result[0], result[1] = table[place, 2], table[place, 3]
            _with_move(cell, result)
            return mover
        else:
            _rule_out(words, table[place, 2], table[place, 3], cell)
            cells &= words[MUSTS]
    return -1


@solver("ROW", "ROWS", "WORD", "ROWS", "ROWS", "LINE", "LINE", "NUMBER", "LINES", "ROWS", "LINES", "LINES", "LINES",
        "ROW", "ROW", "ROWS", "LINE", "LINES", "LINE", "NUMBER")
def search(near: Any, regions: Any, everything: Any, table: Any, carriers: Any, sizes: Any, nexts: Any, room: Any,
           images: Any, W: Any, frames: Any, orders: Any, history: Any, levels: Any, result: Any, groups: Any,
           counts: Any, plies: Any, state: Any, limit: Any) -> Any:
    """Go on for up to so many positions; the new status. The winner is then in result[2], with S and C before it."""
    last = counts[NODES] + limit
    depth = state[DEPTH]
    while True:
        words, frame = W[depth], frames[depth]
        mover = frame[MOVER]
        other = 1 - mover
        ours, theirs = words[OURS], words[THEIRS]
        empty = everything & ~(ours | theirs)
        winner = -1
        if frame[PHASE] == 0:
            if counts[NODES] >= last:
                state[DEPTH] = depth
                return GOING
            if empty == EMPTY:
                state[STATUS] = NOBODY
                return NOBODY
            counts[NODES] += 1
            counts[DEEPEST] = max(counts[DEEPEST], depth)
            plies[depth, 0] += 1
            frame[PHASE] = 1
            frame[BEGUN] = counts[NODES]
            winner = _static(depth, near, regions, everything, carriers, sizes, nexts, room, images, W, mover, levels,
                             result, groups, counts)
            if winner < 0 and words[MUSTS] != EMPTY:
                cells = empty
                while cells != EMPTY:
                    orders[depth, lowest(cells)] = 0
                    cells &= cells - ONE
                _spread(mover, ours, empty, regions, near, orders, depth)
                _spread(other, theirs, empty, regions, near, orders, depth)
                winner = _look_up(mover, words, table, orders[depth], result, counts)
        least, second, total = NEVER, NEVER, 0
        if winner < 0:
            musts = words[MUSTS]
            if musts == EMPTY:
                winner = other
                result[0] = words[NEEDED]
                result[1] = words[CARRIER] & ~words[NEEDED]
                counts[BY_MUSTS] += 1
                if room > 0:
                    counts[KEPT] += 1
                    _keep(SECOND + other, result[0], result[1], carriers, sizes, nexts, room, images)
            else:
                chosen, order, most, many = -1, 0, 0, 0
                cells = musts
                while cells != EMPTY:
                    cell = lowest(cells)
                    loss = orders[depth, LOSSES + cell]
                    worth = (1000 - orders[depth, cell]) * (1 << 20) + history[mover, cell]
                    if loss < least or (loss == least and worth > order):
                        second = least
                        chosen, order, least = cell, worth, loss
                    elif loss < second:
                        second = loss
                    most = max(most, orders[depth, WINS + cell])
                    many += 1
                    cells &= cells - ONE
                total = most + many - 1
                if least < frame[WIN_LIMIT] and total < frame[LOSS_LIMIT]:
                    words[PLAYED] = ONE << word(chosen)
                    counts[TRIED] += 1
                    depth += 1
                    W[depth, OURS] = theirs
                    W[depth, THEIRS] = ours | words[PLAYED]
                    _open(depth, other, min(NEVER, frame[LOSS_LIMIT] - (many - 1)),
                          min(frame[WIN_LIMIT], second + second // 4 + 1), frames)
                    continue
        # the position is answered, or left
        while True:
            words, frame = W[depth], frames[depth]
            mover = frame[MOVER]
            effort = logarithm(counts[NODES] - frame[BEGUN] + 1)
            one, two = (words[OURS], words[THEIRS]) if mover == 0 else (words[THEIRS], words[OURS])
            if winner < 0:
                _note(one, two, word(least), word(total), 0, effort, table, counts)
            else:
                _note(one, two, result[0], result[1], winner + 1, effort, table, counts)
            if depth == 0:
                result[2] = word(winner)
                state[DEPTH] = 0
                state[STATUS] = ANSWERED
                return ANSWERED
            depth -= 1
            words, frame = W[depth], frames[depth]
            mover = frame[MOVER]
            played = words[PLAYED]
            if winner < 0:
                orders[depth, WINS + lowest(played)] = least
                orders[depth, LOSSES + lowest(played)] = total
                break
            if winner != mover:
                _rule_out(words, result[0], result[1], played)
                break
            effort = logarithm(counts[NODES] - frame[BEGUN] + 1)
            history[mover, lowest(played)] += effort * effort + 1
            if history[mover, lowest(played)] > 1 << 19:
                for place in range(64):
                    history[mover, place] >>= 1
            if _with_move(played, result) and room > 0 and counts[NODES] - frame[BEGUN] > 1:
                counts[KEPT] += 1
                _keep(FIRST + mover, result[0], result[1], carriers, sizes, nexts, room, images)
