"""Retrograde analysis: values the positions of a tier from the values of the positions that their moves lead to.

A value is a 16-bit number: four times the remoteness plus a kind, 0 while the value is open, 1 for a draw, 2 and more
for the winner; an endless draw has the remoteness `NEVER`. Where positions are merged with those of the other player
(`Fields.relative`), 2 is a win for the player to move and 3 a win for the other: every move passes the turn, so that
the winner's kind is swapped at each move.

Arrays: `keys` uint64[positions, width], `values` uint16[positions], `sames` uint8[positions], `marks` uint8[positions
of the tier], `totals` int64[4], `pending` int64[1], `before` and `queue` int32[positions of the tier]; for those of
the named tuples, see their fields.
"""

from __future__ import annotations

from typing import NamedTuple

import attrs

from interpreter.kernel.plain import number, word
from solver.native.functions import Bytes, Indices, Line, Links, Records, Rows, Shorts, compiled, inlined
from solver.tables.codes import DRAWN, LONGEST, NEVER

_FAR = 1 << 20
"""Greater than any remoteness."""
_TOO_LONG = -1
"""A remoteness exceeds `LONGEST`."""


@attrs.define(eq=False)
class Fields:
    """Where a packed position stores its outcome and the player to move."""

    outcome_word: int = 0
    outcome_shift: int = 0
    mover_word: int = 0
    mover_shift: int = 0
    mover_mask: int = 0
    relative: int = 0
    """1 where values name the winner from the view of the player to move, else 0."""


class Tier(NamedTuple):
    """Positions whose moves lead to each other and to later tiers.

    `keys` [positions, width], `counts` and `values` [positions], `kids` and `which` [moves], `offsets` [tiers], `later`
    [positions of later tiers].
    """

    keys: Rows
    """The packed positions."""
    fields: Records[Fields]
    """A single record."""
    counts: Shorts
    """The number of moves of each position."""
    kids: Indices
    which: Bytes
    """For each move, the tier that it leads to (`which`) and the index of the position there (`kids`).

    The value of a position of a later tier is `later[offsets[which] + kids]`.
    """
    offsets: Line
    later: Shorts
    values: Shorts
    """The values to compute."""


class Moves(NamedTuple):
    """The moves within a tier, forwards and backwards: `first` and `ends` [positions + 1], `parents` [moves]."""

    own: int
    """The number of the tier itself in `Tier.which`."""
    first: Line
    """Where the moves of each position begin."""
    ends: Line
    """Where the parents of each position begin in `parents`."""
    parents: Indices
    """The positions of the tier from which a move leads to each position."""


class Waiting(NamedTuple):
    """Work arrays of retrograde analysis: one item for each position, and linked lists for each remoteness.

    The heads have [LONGEST + 1] items, the others [positions].
    """

    moves: Links
    """The number of moves of each position that are not yet known to lose."""
    queue: Links
    """Positions in the order in which they got their values."""
    wins: Links
    losses: Links
    """The next position of a list (-1 - next in `losses`); before a position is in a list of losses, the remoteness of
    its slowest loss so far."""
    win_heads: Links
    loss_heads: Links
    """The first position of the list for each remoteness.

    Positions in the lists of `win_heads` get their value from the end of the game or from later tiers, those in the
    lists of `loss_heads` because all their moves lose, the slowest by a move to a later tier.
    """


# ---- values


@inlined
def outcome_of(keys: Rows, i: int, fields: Records[Fields]) -> int:
    """The kind of a finished position's value; 0 while the game goes on."""
    over = number((keys[i, fields[0].outcome_word] >> word(fields[0].outcome_shift)) & word(3))
    if fields[0].relative != 0 and over > DRAWN:
        return over ^ _to_move(keys, i, fields)
    return over


@inlined
def _to_move(keys: Rows, i: int, fields: Records[Fields]) -> int:
    """The player to move."""
    return number((keys[i, fields[0].mover_word] >> word(fields[0].mover_shift)) & word(fields[0].mover_mask))


@inlined
def mover_of(keys: Rows, i: int, fields: Records[Fields]) -> int:
    """The kind of value that is a win for the player to move."""
    return 2 if fields[0].relative != 0 else _to_move(keys, i, fields) + 2


@inlined
def before_move(code: int, fields: Records[Fields]) -> int:
    """A value, or its kind, as seen from the position before the move: the winner is swapped where values are relative.
    """
    return code ^ (code >> 1 & fields[0].relative)


@inlined
def _later(tier: Tier, edge: int) -> int:
    """The value of a move to a later tier, as seen from the position before the move."""
    return before_move(number(tier.later[tier.offsets[tier.which[edge]] + number(tier.kids[edge])]), tier.fields)


@inlined
def _best(mover: int, tier: Tier, edge: int, count: int) -> int:
    """The value of a position all of whose moves lead to later tiers; its remoteness may exceed LONGEST."""
    win = _FAR
    draw = _FAR
    loss = -1
    loser = DRAWN
    for index in range(edge, edge + count):
        code = _later(tier, index)
        kind = code & 3
        plies = code >> 2
        if kind == mover:
            win = min(win, plies)
        elif kind == DRAWN:
            draw = min(draw, plies)
        elif plies > loss:
            loss, loser = plies, kind
    if win < _FAR:
        return win * 4 + 4 + mover
    if draw < _FAR:
        return NEVER * 4 + DRAWN if draw >= NEVER else draw * 4 + 4 + DRAWN
    return loss * 4 + 4 + loser


@compiled
def value_from_later(tier: Tier, first: int, last: int, edge: int) -> int:
    """Value the positions from `first` to `last`, all of whose moves lead to later tiers.

    Their moves begin at `edge`. Returns 0, or -1 if a remoteness exceeds LONGEST.
    """
    result = 0
    for i in range(first, last):
        over = outcome_of(tier.keys, i, tier.fields)
        if over != 0:
            tier.values[i] = over
        else:
            found = _best(mover_of(tier.keys, i, tier.fields), tier, edge, number(tier.counts[i]))
            if (found >> 2) > LONGEST and found != NEVER * 4 + DRAWN:
                result = _TOO_LONG
            tier.values[i] = found
        edge += number(tier.counts[i])
    return result


# ---- moves within a tier


@compiled
def first_edges(tier: Tier, moves: Moves, count: int) -> int:
    """Fill `first`, and `ends` with running totals of the moves within the tier to each position; return the total."""
    edge = 0
    for i in range(count):
        moves.first[i] = edge
        for _ in range(number(tier.counts[i])):
            if tier.which[edge] == moves.own:
                moves.ends[number(tier.kids[edge])] += 1
            edge += 1
    moves.first[count] = edge
    total = 0
    for i in range(count + 1):
        total += moves.ends[i]
        moves.ends[i] = total
    return total


@compiled
def turn_round(tier: Tier, moves: Moves, count: int) -> int:
    """Fill `parents` by reversing the moves within the tier; the parents of a position then begin at its `ends`."""
    for i in range(count):
        for edge in range(moves.first[i], moves.first[i + 1]):
            if tier.which[edge] == moves.own:
                kid = number(tier.kids[edge])
                moves.ends[kid] -= 1
                moves.parents[moves.ends[kid]] = i
    return 0


@compiled
def peel(tier: Tier, moves: Moves, before: Links, queue: Links, count: int) -> int:
    """The number of positions left after repeatedly removing those without parents in the tier; 0 without cycles."""
    tail = 0
    for i in range(count):
        before[i] = moves.ends[i + 1] - moves.ends[i]
        if before[i] == 0:
            queue[tail] = i
            tail += 1
    head = 0
    while head < tail:
        taken = number(queue[head])
        head += 1
        for edge in range(moves.first[taken], moves.first[taken + 1]):
            if tier.which[edge] == moves.own:
                kid = number(tier.kids[edge])
                before[kid] -= 1
                if before[kid] == 0:
                    queue[tail] = kid
                    tail += 1
    return count - tail


# ---- retrograde analysis


@inlined
def _put(heads: Links, following: Links, level: int, i: int) -> None:
    """Push a position onto the list of a remoteness."""
    following[i] = heads[level]
    heads[level] = i


@inlined
def _look_at_later(tier: Tier, moves: Moves, waiting: Waiting, i: int) -> int:
    """Enter a position's moves to later tiers in `waiting`; the remoteness of the win or loss they give, else `_FAR`.
    """
    mover = mover_of(tier.keys, i, tier.fields)
    win, loss = _FAR, 0
    for edge in range(moves.first[i], moves.first[i + 1]):
        if tier.which[edge] == moves.own:
            continue
        code = _later(tier, edge)
        kind = code & 3
        if kind == mover:
            win = min(win, (code >> 2) + 1)
        elif kind != DRAWN:
            waiting.moves[i] -= 1
            loss = max(loss, (code >> 2) + 1)
    waiting.losses[i] = loss
    return loss if waiting.moves[i] == 0 else win


@inlined
def _begin(tier: Tier, moves: Moves, waiting: Waiting, count: int) -> int:
    """Put the positions won or lost by the end of the game or by later tiers into the lists of their remoteness.

    Returns the greatest of these, -1 for none, -2 if one exceeds LONGEST.
    """
    levels = len(waiting.win_heads)
    top = -1
    for level in range(levels):
        waiting.win_heads[level] = -1
        waiting.loss_heads[level] = -1
    for i in range(count):
        tier.values[i] = 0
        over = outcome_of(tier.keys, i, tier.fields)
        waiting.moves[i] = moves.first[i + 1] - moves.first[i]
        waiting.losses[i] = 0
        if over != 0:
            if over != DRAWN:
                _put(waiting.win_heads, waiting.wins, 0, i)
                top = max(top, 0)
            continue
        level = _look_at_later(tier, moves, waiting, i)
        if level < _FAR:
            if level >= levels:
                return -2
            _put(waiting.win_heads, waiting.wins, level, i)
            top = max(top, level)
    return top


@inlined
def _take_from_lists(tier: Tier, waiting: Waiting, level: int, end: int) -> int:
    """Value the positions in the lists of a remoteness that have no value yet; return the new end of the queue."""
    for turn in range(2):
        index = number(waiting.win_heads[level]) if turn == 0 else number(waiting.loss_heads[level])
        while index >= 0:
            i = index
            index = number(waiting.wins[i]) if turn == 0 else -1 - number(waiting.losses[i])
            if tier.values[i] != 0:
                continue
            over = outcome_of(tier.keys, i, tier.fields)
            mover = mover_of(tier.keys, i, tier.fields)
            kind = over if over != 0 else 5 - mover if waiting.moves[i] == 0 else mover
            tier.values[i] = level * 4 + kind
            waiting.queue[end] = i
            end += 1
    return end


@inlined
def _spread(tier: Tier, moves: Moves, waiting: Waiting, level: int, i: int, tail: int, top: int) -> tuple[int, int]:
    """Propagate the value of a position to its parents.

    Returns the new end of the queue, and the greatest remoteness of a list, -2 if one exceeds LONGEST.
    """
    kind = before_move(number(tier.values[i]) & 3, tier.fields)
    for link in range(moves.ends[i], moves.ends[i + 1]):
        parent = number(moves.parents[link])
        if tier.values[parent] != 0:
            continue
        if mover_of(tier.keys, parent, tier.fields) == kind:
            tier.values[parent] = (level + 1) * 4 + kind
            waiting.queue[tail] = parent
            tail += 1
            continue
        waiting.moves[parent] -= 1
        if waiting.moves[parent] != 0:
            continue
        slowest = number(waiting.losses[parent])
        if slowest <= level + 1:
            tier.values[parent] = (level + 1) * 4 + kind
            waiting.queue[tail] = parent
            tail += 1
        else:  # a move to a later tier loses later
            if slowest >= len(waiting.win_heads):
                return tail, -2
            waiting.losses[parent] = -1 - waiting.loss_heads[slowest]
            waiting.loss_heads[slowest] = parent
            top = max(top, slowest)
    return tail, top


@inlined
def _value_wins(tier: Tier, moves: Moves, waiting: Waiting, count: int) -> bool:
    """Value the won and lost positions, remoteness by remoteness; False if a remoteness exceeds LONGEST."""
    top = _begin(tier, moves, waiting, count)
    if top == -2:
        return False
    tail = 0
    level = 0
    start = 0
    while level <= top or start < tail:
        tail = _take_from_lists(tier, waiting, level, tail)  # appended to those decided within the tier
        end = tail
        if level + 1 >= len(waiting.win_heads) and start < end:
            return False
        for index in range(start, end):
            tail, top = _spread(tier, moves, waiting, level, number(waiting.queue[index]), tail, top)
            if top == -2:
                return False
        start = end
        level += 1
    return True


@inlined
def _nearest_draw(tier: Tier, moves: Moves, i: int) -> int:
    """The distance to a drawn end: 0 for a drawn end itself, else by moves to later tiers; `_FAR` for none."""
    if outcome_of(tier.keys, i, tier.fields) == DRAWN:
        return 0
    nearest = _FAR
    for edge in range(moves.first[i], moves.first[i + 1]):
        if tier.which[edge] != moves.own:
            code = _later(tier, edge)
            if (code & 3) == DRAWN and (code >> 2) < NEVER:
                nearest = min(nearest, (code >> 2) + 1)
    return nearest


@inlined
def _list_draws(tier: Tier, moves: Moves, waiting: Waiting, count: int) -> int:
    """Put drawn ends, and open positions with a move to a draw in a later tier, into the lists of their remoteness.

    Returns the greatest of these, -1 for none, -2 if one exceeds LONGEST.
    """
    levels = len(waiting.win_heads)
    top = -1
    for level in range(levels):
        waiting.win_heads[level] = -1
    for i in range(count):
        if tier.values[i] != 0:
            continue
        nearest = _nearest_draw(tier, moves, i)
        if nearest < _FAR:
            if nearest >= levels:
                return -2
            _put(waiting.win_heads, waiting.wins, nearest, i)
            top = max(top, nearest)
    return top


@inlined
def _value_draws(tier: Tier, moves: Moves, waiting: Waiting, count: int) -> bool:
    """Value the open positions that can reach a drawn end, in order of distance; False if one exceeds LONGEST."""
    top = _list_draws(tier, moves, waiting, count)
    if top == -2:
        return False
    tail = 0
    level = 0
    start = 0
    while level <= top or start < tail:
        i = number(waiting.win_heads[level])
        while i >= 0:
            if tier.values[i] == 0:
                tier.values[i] = level * 4 + DRAWN
                waiting.queue[tail] = i
                tail += 1
            i = number(waiting.wins[i])
        end = tail
        if level + 1 >= len(waiting.win_heads) and start < end:
            return False
        for index in range(start, end):
            i = number(waiting.queue[index])
            for link in range(moves.ends[i], moves.ends[i + 1]):
                parent = number(moves.parents[link])
                if tier.values[parent] == 0:
                    tier.values[parent] = (level + 1) * 4 + DRAWN
                    waiting.queue[tail] = parent
                    tail += 1
        start = end
        level += 1
    return True


@compiled
def value_within(tier: Tier, moves: Moves, waiting: Waiting, count: int) -> int:
    """Value the positions of a tier whose moves may lead to each other, by retrograde analysis.

    Proceeds by increasing remoteness: a position is won when one of its moves wins, and lost when all of them lose; the
    slowest loss sets its remoteness. All other positions are draws; the distance to a drawn end propagates backwards in
    the same way, and is `NEVER` where none can be reached. Returns 0, or -1 if a remoteness exceeds LONGEST.
    """
    if not _value_wins(tier, moves, waiting, count) or not _value_draws(tier, moves, waiting, count):
        return _TOO_LONG
    for i in range(count):
        if tier.values[i] == 0:
            tier.values[i] = NEVER * 4 + DRAWN
    return 0


# ---- passes over all moves


class Listed(NamedTuple):
    """The positions of a pass: their numbers and marks [positions]; both empty for consecutive positions."""

    numbers: Indices
    marks: Bytes
    """For each position, in the two low bits the kind of its value if it is finished, above them the kind of value that
    is a win for its player to move."""


@inlined
def _mark(tier: Tier, i: int) -> int:
    """The mark of a position, as in `Listed.marks`."""
    return outcome_of(tier.keys, i, tier.fields) | mover_of(tier.keys, i, tier.fields) << 2


@inlined
def _by_passes(tier: Tier, first: int, last: int, mover: int) -> int:
    """The win or loss that follows from the values of a position's moves known so far; 0 for neither."""
    win, loss = _FAR, 0
    losing = True
    for edge in range(first, last):
        code = _later(tier, edge)
        kind = code & 3
        if kind == mover:
            win = min(win, (code >> 2) + 1)
        elif kind == 0 or kind == DRAWN:
            losing = False
        else:
            loss = max(loss, (code >> 2) + 1)
    if win < _FAR:
        return win * 4 + mover
    return loss * 4 + 5 - mover if losing else 0


@inlined
def _draw_by_passes(tier: Tier, first: int, last: int) -> int:
    """The draw that follows from the values of a position's moves known so far; 0 if none reaches a drawn end."""
    nearest = _FAR
    for edge in range(first, last):
        code = _later(tier, edge)
        if (code & 3) == DRAWN and (code >> 2) < NEVER:
            nearest = min(nearest, (code >> 2) + 1)
    return nearest * 4 + DRAWN if nearest < _FAR else 0


@compiled
def value_pass(tier: Tier, listed: Listed, start: int, count: int, level: int, drawing: int, pending: Line) -> int:
    """Value the positions whose remoteness is `level`, from the values known so far; return how many got a value.

    `tier` has the moves of `count` positions: of the `listed` ones, or else of those from `start` on. All positions
    with a smaller remoteness already have their values; those of moves within the tier are among `later`, 0 while they
    are open. The passes for wins and losses come first, with `drawing` 0; then those for draws, with 1. `pending[0]` is
    lowered to the least greater remoteness that the known values give a position.
    """
    edge = 0
    valued = 0
    every = len(listed.numbers) == 0
    for k in range(count):
        first = edge
        edge += number(tier.counts[k])
        i = start + k if every else number(listed.numbers[k])
        if tier.values[i] != 0:
            continue
        mark = _mark(tier, i) if every else number(listed.marks[k])
        over = mark & 3
        if over != 0:
            result = over if drawing != 0 or over != DRAWN else 0
        elif drawing != 0:
            result = _draw_by_passes(tier, first, edge)
        else:
            result = _by_passes(tier, first, edge, mark >> 2)
        if result == 0:
            continue
        if (result >> 2) > level:
            pending[0] = min(pending[0], result >> 2)
        else:
            tier.values[i] = result
            valued += 1
    return valued


@compiled
def moves_of_open(tier: Tier, listed: Listed, start: int, count: int, totals: Line) -> int:
    """Add the number of open ones among these positions, and the number of their moves, to `totals` [2]."""
    every = len(listed.numbers) == 0
    for k in range(count):
        i = start + k if every else number(listed.numbers[k])
        if tier.values[i] == 0:
            totals[0] += 1
            totals[1] += number(tier.counts[k])
    return 0


@compiled
def list_open(tier: Tier, listed: Listed, start: int, count: int, result: Listed, only: Tier) -> int:
    """Copy the open ones among these positions to `result`, and their moves to `only`; return how many there are."""
    every = len(listed.numbers) == 0
    edge = 0
    place = 0
    goal = 0
    for k in range(count):
        many = number(tier.counts[k])
        i = start + k if every else number(listed.numbers[k])
        if tier.values[i] == 0:
            result.numbers[place] = i
            result.marks[place] = _mark(tier, i) if every else number(listed.marks[k])
            only.counts[place] = many
            for index in range(edge, edge + many):
                only.kids[goal] = tier.kids[index]
                only.which[goal] = tier.which[index]
                goal += 1
            place += 1
        edge += many
    return place


@compiled
def mark_pass(tier: Tier, own: int, marks: Bytes, start: int, count: int) -> int:
    """Mark the positions from `start` on whose moves within the tier all lead to marked ones; return how many are new.

    `marks` has a byte for each position of the tier.
    """
    edge = 0
    marked = 0
    for i in range(count):
        first = edge
        edge += number(tier.counts[i])
        if marks[start + i] != 0:
            continue
        free = True
        for index in range(first, edge):
            if number(tier.which[index]) == own and marks[tier.kids[index]] == 0:
                free = False
                break
        if free:
            marks[start + i] = 1
            marked += 1
    return marked


@compiled
def add_up(keys: Rows, fields: Records[Fields], values: Shorts, sames: Bytes, group: int, count: int,
           totals: Line) -> int:
    """Add up the wins, losses and draws of the player to move in `totals`, with the largest remoteness last.

    Each position counts for all its images under the `group` symmetries, or once where `group` is 0.
    """
    for i in range(count):
        kind = number(values[i]) & 3
        orbit = group // number(sames[i]) if group > 0 else 1
        if kind == DRAWN:
            totals[2] += orbit
        elif kind == mover_of(keys, i, fields):
            totals[0] += orbit
        else:
            totals[1] += orbit
        plies = number(values[i]) >> 2
        if plies != NEVER and plies > totals[3]:
            totals[3] = plies
    return 0
