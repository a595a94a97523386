"""Values of the positions of a tier, from those of the positions that moves lead to.

A value is a number of 16 bits: four times the remoteness, and 0 while it is open, 1 for a draw, 2 and more for the
winner; a draw without an end has `NEVER` for remoteness. Where positions are merged with those of the other player
(`Fields.relative`), 2 is a win for the player to move, and 3 for the other: every move passes the turn, so that a
value changes sides with each.

Arrays: `keys` uint64[positions, width], `values` uint16[positions], `sames` uint8[positions], `marks` uint8[positions
of the tier], `totals` int64[4], `pending` int64[1], `before` and `queue` int32[positions of the tier]; those of the
named tuples as they say.
"""

from __future__ import annotations

from typing import NamedTuple

import attrs

from interpreter.kernel.plain import number, word
from solver.native.functions import Bytes, Indices, Line, Links, Records, Rows, Shorts, compiled, inlined
from solver.tables.codes import DRAWN, LONGEST, NEVER

_FAR = 1 << 20
"""More than any remoteness."""
_TOO_LONG = -1
"""A game is longer than can be told."""


@attrs.define(eq=False)
class Fields:
    """Where packed positions have their outcome and the player to move."""

    outcome_word: int = 0
    outcome_shift: int = 0
    mover_word: int = 0
    mover_shift: int = 0
    mover_mask: int = 0
    relative: int = 0
    """1 where values say who wins from the view of the player to move."""


class Tier(NamedTuple):
    """Positions whose moves lead to each other and to later tiers.

    `keys` [positions, width], `counts` and `values` [positions], `kids` and `which` [moves], `offsets` [tiers], `later`
    [positions of later tiers].
    """

    keys: Rows
    """The packed positions."""
    fields: Records[Fields]
    """One."""
    counts: Shorts
    """How many moves each has."""
    kids: Indices
    which: Bytes
    """For each move which position of which tier it leads to; `offsets` and `later` have the values of these."""
    offsets: Line
    later: Shorts
    values: Shorts
    """To be found."""


class Moves(NamedTuple):
    """The moves within a tier, both ways round: `first` and `ends` [positions + 1], `parents` [moves]."""

    own: int
    """What `which` has for the tier itself."""
    first: Line
    """Where each position's moves begin."""
    ends: Line
    """Where the moves within the tier begin that lead to each position."""
    parents: Indices
    """The positions that these come from."""


class Waiting(NamedTuple):
    """What retrograde analysis works with: for each position, and lists of positions for each remoteness.

    The heads have [LONGEST + 1] items, the others [positions].
    """

    moves: Links
    """How many moves of a position may yet turn out not to lose."""
    queue: Links
    """Positions in the order in which they got their values."""
    wins: Links
    losses: Links
    """The next position of a list; while a position is in no list of losses, how slow its slowest loss is so far."""
    win_heads: Links
    loss_heads: Links
    """The first position that may get a value with a remoteness: by a move to a later tier, or as all moves lose."""


# ---- values


@inlined
def outcome_of(keys: Rows, i: int, fields: Records[Fields]) -> int:
    """The kind of a finished position's value, 0 for one that goes on."""
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
    """The kind of a value that the player to move wins."""
    return 2 if fields[0].relative != 0 else _to_move(keys, i, fields) + 2


@inlined
def before_move(code: int, fields: Records[Fields]) -> int:
    """A value, or its kind, as it counts for the position before a move: the winner changes where values are relative.
    """
    return code ^ (code >> 1 & fields[0].relative)


@inlined
def _later(tier: Tier, edge: int) -> int:
    """The value of the position that a move to a later tier leads to."""
    return before_move(number(tier.later[tier.offsets[tier.which[edge]] + number(tier.kids[edge])]), tier.fields)


@inlined
def _best(mover: int, tier: Tier, edge: int, count: int) -> int:
    """The value of a position by its moves, which all lead to later tiers; LONGEST may be exceeded."""
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
    """Value the positions from `first` to `last`, whose moves begin at `edge` and all lead to later tiers; 0, or -1
    where a game is longer than can be told."""
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
    """Where each position's moves begin, and the moves within the tier that lead to each, added up; how many."""
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
    """The moves within the tier the other way round: afterwards those that lead to a position begin at its `ends`."""
    for i in range(count):
        for edge in range(moves.first[i], moves.first[i + 1]):
            if tier.which[edge] == moves.own:
                kid = number(tier.kids[edge])
                moves.ends[kid] -= 1
                moves.parents[moves.ends[kid]] = i
    return 0


@compiled
def peel(tier: Tier, moves: Moves, before: Links, queue: Links, count: int) -> int:
    """How many positions of a tier are left when, again and again, one is taken away to which no move leads."""
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
    """Note that a position may get a value with this remoteness."""
    following[i] = heads[level]
    heads[level] = i


@inlined
def _look_at_later(tier: Tier, moves: Moves, waiting: Waiting, i: int) -> int:
    """Note what the moves of a position to later tiers give; its remoteness by them if they settle it, else `_FAR`."""
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
    """Put the positions that have ended or are settled by later tiers into lists; the greatest remoteness, or -2 where
    a game is too long, -1 for none."""
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
    """Give the positions in the lists of a remoteness their values, where they have none; the end of the queue."""
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
    """Value the positions from which a move leads to one that has just got its value; the new ends of the queue and of
    the lists, the latter -2 where a game is too long."""
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
    """Value the positions that someone wins, remoteness by remoteness; False where a game is too long."""
    top = _begin(tier, moves, waiting, count)
    if top == -2:
        return False
    tail = 0
    level = 0
    start = 0
    while level <= top or start < tail:
        tail = _take_from_lists(tier, waiting, level, tail)  # what is before it got this remoteness within the tier
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
    """How far a position is from a drawn end by a move to a later tier, or as it is one; `_FAR` for neither."""
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
    """Put the positions nearest to drawn ends into lists; the greatest remoteness, -1 for none, -2 if too great."""
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
    """Value the positions that nobody wins, as the way to a drawn end spreads; False where a game is too long."""
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

    Remoteness by remoteness: a position is won when a move reaches a won one, lost when all moves reach lost ones, the
    last of them the slowest. What is neither is drawn, and the way to a drawn end spreads in the same manner. Returns
    0, or -1 where a game is longer than can be told.
    """
    if not _value_wins(tier, moves, waiting, count) or not _value_draws(tier, moves, waiting, count):
        return _TOO_LONG
    for i in range(count):
        if tier.values[i] == 0:
            tier.values[i] = NEVER * 4 + DRAWN
    return 0


# ---- passes over all moves


class Listed(NamedTuple):
    """Positions that a pass looks at: their numbers and marks [positions]; empty for all from a start on, in order."""

    numbers: Indices
    marks: Bytes
    """For each the kind of its value if it is finished, and from the third bit on that of one that its mover wins."""


@inlined
def _mark(tier: Tier, i: int) -> int:
    """The mark of a position."""
    return outcome_of(tier.keys, i, tier.fields) | mover_of(tier.keys, i, tier.fields) << 2


@inlined
def _by_passes(tier: Tier, first: int, last: int, mover: int) -> int:
    """The value of a position for a win or loss by the values of its moves so far, 0 while there is none."""
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
    """The value of a drawn position by the drawn ends that were seen so far, 0 while there is none."""
    nearest = _FAR
    for edge in range(first, last):
        code = _later(tier, edge)
        if (code & 3) == DRAWN and (code >> 2) < NEVER:
            nearest = min(nearest, (code >> 2) + 1)
    return nearest * 4 + DRAWN if nearest < _FAR else 0


@compiled
def value_pass(tier: Tier, listed: Listed, start: int, count: int, level: int, drawing: int, pending: Line) -> int:
    """Value the positions that get this remoteness by the values that are known; how many did.

    `tier` has the moves of `count` positions: of those that are `listed`, or else of those from `start` on. All that
    have a smaller remoteness have values; those of moves within the tier are among `later`, 0 while they are open. The
    passes for wins and losses come first, with `drawing` 0; then those for draws, with 1. `pending[0]` becomes the
    least greater remoteness that a position may get by what is known, or stays as it is.
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
    """How many of these positions are open, and how many moves they have: into `totals` [2]."""
    every = len(listed.numbers) == 0
    for k in range(count):
        i = start + k if every else number(listed.numbers[k])
        if tier.values[i] == 0:
            totals[0] += 1
            totals[1] += number(tier.counts[k])
    return 0


@compiled
def list_open(tier: Tier, listed: Listed, start: int, count: int, result: Listed, only: Tier) -> int:
    """List those of these positions that are open, with their moves into the arrays of `only`; how many."""
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
    """Mark the positions, `start` being the first, whose moves within the tier all lead to marked ones; how many.

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
    """Add to the totals the positions that the player to move wins, loses and draws, and the largest remoteness.

    Positions that are alike are counted each, or one of them where `group` is 0.
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
