"""Values of the positions of a tier, from those of the positions that moves lead to.

A value is a number of 16 bits: four times the remoteness, and 0 while it is open, 1 for a draw, 2 and more for the
winner; a draw without an end has `NEVER` for remoteness. What stands in a packed position is told by four numbers: the
word and the shift of the outcome, and of the player to move.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from interpreter.kernel.signatures import LINE, NUMBER, ROWS
from solver.native.compiling import compiled, inlined
from solver.tables.codes import DRAWN, LONGEST, NEVER

_BYTES: Any = types.uint8[::1]
_SHORTS: Any = types.uint16[::1]
_SMALL: Any = types.uint32[::1]
_INTS: Any = types.int32[::1]


@inlined
def _outcome(keys: Any, i: Any, fields: Any) -> Any:
    """The kind of a finished position's value, 0 for one that goes on."""
    return np.int64((keys[i, fields[0]] >> np.uint64(fields[1])) & np.uint64(3))


@inlined
def _mover(keys: Any, i: Any, fields: Any) -> Any:
    """The kind of a value that the player to move wins."""
    return np.int64((keys[i, fields[2]] >> np.uint64(fields[3])) & np.uint64(fields[4])) + 2


@compiled(NUMBER(ROWS, LINE, _SHORTS, _SMALL, _BYTES, LINE, _SHORTS, _SHORTS, NUMBER, NUMBER, NUMBER))
def value_from_later(keys: Any, fields: Any, counts: Any, kids: Any, which: Any, offsets: Any, later: Any, values: Any,
                     first: Any, last: Any, edge: Any) -> Any:
    """Value the positions from `first` to `last`, whose moves begin at `edge` and all lead to later tiers; 0, or -1
    where a game is longer than can be told."""
    result = 0
    for i in range(first, last):
        over = _outcome(keys, i, fields)
        if over != 0:
            values[i] = np.uint16(over)
            edge += counts[i]
            continue
        mover = _mover(keys, i, fields)
        win: Any = 1 << 20
        draw: Any = 1 << 20
        loss: Any = -1
        loser: Any = DRAWN
        for _ in range(np.int64(counts[i])):
            code = np.int64(later[offsets[which[edge]] + np.int64(kids[edge])])
            edge += 1
            kind = code & 3
            plies = code >> 2
            if kind == mover:
                win = min(win, plies)
            elif kind == DRAWN:
                draw = min(draw, plies)
            elif plies > loss:
                loss, loser = plies, kind
        if win < 1 << 20:
            found = win * 4 + 4 + mover
        elif draw < 1 << 20:
            found = NEVER * 4 + DRAWN if draw >= NEVER else draw * 4 + 4 + DRAWN
            if draw == LONGEST:
                result = -1
        else:
            found = loss * 4 + 4 + loser
        if (found >> 2) > LONGEST and found != NEVER * 4 + DRAWN:
            result = -1
        values[i] = np.uint16(found)
    return result


@compiled(NUMBER(_SHORTS, _SMALL, _BYTES, NUMBER, NUMBER, LINE, LINE))
def first_edges(counts: Any, kids: Any, which: Any, own: Any, count: Any, first: Any, ends: Any) -> Any:
    """Where each position's moves begin, and the moves within the tier that lead to each, added up; how many."""
    edge: Any = 0
    for i in range(count):
        first[i] = edge
        for _ in range(np.int64(counts[i])):
            if which[edge] == own:
                ends[np.int64(kids[edge])] += 1
            edge += 1
    first[count] = edge
    total: Any = 0
    for i in range(count + 1):
        total += ends[i]
        ends[i] = total
    return total


@compiled(NUMBER(_SMALL, _BYTES, NUMBER, NUMBER, LINE, LINE, _SMALL))
def turn_round(kids: Any, which: Any, own: Any, count: Any, first: Any, ends: Any, parents: Any) -> Any:
    """The moves within the tier the other way round: afterwards those that lead to a position begin at its `ends`."""
    for i in range(count):
        for edge in range(first[i], first[i + 1]):
            if which[edge] == own:
                kid = np.int64(kids[edge])
                ends[kid] -= 1
                parents[ends[kid]] = np.uint32(i)
    return 0


@compiled(NUMBER(_SMALL, _BYTES, NUMBER, NUMBER, LINE, LINE, _INTS, _INTS))
def peel(kids: Any, which: Any, own: Any, count: Any, first: Any, ends: Any, before: Any, queue: Any) -> Any:
    """How many positions of a tier are left when, again and again, one is taken away to which no move leads."""
    i: Any
    tail = 0
    for i in range(count):
        before[i] = np.int32(ends[i + 1] - ends[i])
        if before[i] == 0:
            queue[tail] = np.int32(i)
            tail += 1
    head = 0
    while head < tail:
        i = np.int64(queue[head])
        head += 1
        for edge in range(first[i], first[i + 1]):
            if which[edge] == own:
                kid = np.int64(kids[edge])
                before[kid] -= np.int32(1)
                if before[kid] == 0:
                    queue[tail] = np.int32(kid)
                    tail += 1
    return count - tail


@inlined
def _put(heads: Any, following: Any, level: Any, i: Any) -> Any:
    """Note that a position may get a value with this remoteness."""
    following[i] = heads[level]
    heads[level] = np.int32(i)


@compiled(NUMBER(ROWS, LINE, NUMBER, _SMALL, _BYTES, NUMBER, LINE, LINE, _SMALL, LINE, _SHORTS, _SHORTS, _INTS, _INTS,
                 _INTS, _INTS, _INTS, _INTS))
def value_within(keys: Any, fields: Any, count: Any, kids: Any, which: Any, own: Any, first: Any, ends: Any,
                 parents: Any, offsets: Any, later: Any, values: Any, waiting: Any, queue: Any, wins: Any, losses: Any,
                 win_heads: Any, loss_heads: Any) -> Any:
    """Value the positions of a tier whose moves may lead to each other, by retrograde analysis.

    Remoteness by remoteness: a position is won when a move reaches a won one, lost when all moves reach lost ones, the
    last of them the slowest. What is neither is drawn, and the way to a drawn end spreads in the same manner. Returns
    0, or -1 where a game is longer than can be told.
    """
    levels = win_heads.shape[0]
    top: Any = -1
    win: Any
    loss: Any
    place: Any
    nearest: Any
    i: Any
    for level in range(levels):
        win_heads[level] = np.int32(-1)
        loss_heads[level] = np.int32(-1)
    for i in range(count):
        values[i] = np.uint16(0)
        over = _outcome(keys, i, fields)
        waiting[i] = np.int32(first[i + 1] - first[i])
        losses[i] = np.int32(0)
        if over != 0:
            if over != DRAWN:
                wins[i] = win_heads[0]
                win_heads[0] = np.int32(i)
                top = max(top, 0)
            continue
        mover = _mover(keys, i, fields)
        win, loss = 1 << 20, 0
        for edge in range(first[i], first[i + 1]):
            if which[edge] == own:
                continue
            code = np.int64(later[offsets[which[edge]] + np.int64(kids[edge])])
            kind = code & 3
            if kind == mover:
                win = min(win, (code >> 2) + 1)
            elif kind != DRAWN:
                waiting[i] -= np.int32(1)
                loss = max(loss, (code >> 2) + 1)
        losses[i] = np.int32(loss)
        level = loss if waiting[i] == 0 else win
        if level < 1 << 20:
            if level >= levels:
                return -1
            _put(win_heads, wins, level, i)
            top = max(top, level)
    tail = 0
    level = 0
    start = 0
    while level <= top or start < tail:
        end = tail  # the queue from start to end got this remoteness by moves within the tier
        for turn in range(2):
            place = np.int64(win_heads[level]) if turn == 0 else np.int64(loss_heads[level])
            while place >= 0:
                i = place
                place = np.int64(wins[i]) if turn == 0 else np.int64(-1 - losses[i])
                if values[i] != 0:
                    continue
                over = _outcome(keys, i, fields)
                mover = _mover(keys, i, fields)
                kind = over if over != 0 else 5 - mover if waiting[i] == 0 else mover
                values[i] = np.uint16(level * 4 + kind)
                queue[end] = np.int32(i)
                end += 1
        tail = end
        if level + 1 >= levels and start < end:
            return -1
        for at in range(start, end):
            i = np.int64(queue[at])
            kind = np.int64(values[i]) & 3
            for link in range(ends[i], ends[i + 1]):
                parent = np.int64(parents[link])
                if values[parent] != 0:
                    continue
                if _mover(keys, parent, fields) == kind:
                    values[parent] = np.uint16((level + 1) * 4 + kind)
                    queue[tail] = np.int32(parent)
                    tail += 1
                    continue
                waiting[parent] -= np.int32(1)
                if waiting[parent] != 0:
                    continue
                slowest = np.int64(losses[parent])
                if slowest <= level + 1:
                    values[parent] = np.uint16((level + 1) * 4 + kind)
                    queue[tail] = np.int32(parent)
                    tail += 1
                else:  # a move to a later tier loses later
                    if slowest >= levels:
                        return -1
                    losses[parent] = np.int32(-1 - loss_heads[slowest])
                    loss_heads[slowest] = np.int32(parent)
                    top = max(top, slowest)
        start = end
        level += 1
    # draws
    top = -1
    for level in range(levels):
        win_heads[level] = np.int32(-1)
    for i in range(count):
        if values[i] != 0:
            continue
        nearest = 1 << 20
        if _outcome(keys, i, fields) == DRAWN:
            nearest = 0
        else:
            for edge in range(first[i], first[i + 1]):
                if which[edge] != own:
                    code = np.int64(later[offsets[which[edge]] + np.int64(kids[edge])])
                    if (code & 3) == DRAWN and (code >> 2) < NEVER:
                        nearest = min(nearest, (code >> 2) + 1)
        if nearest < 1 << 20:
            if nearest >= levels:
                return -1
            _put(win_heads, wins, nearest, i)
            top = max(top, nearest)
    tail = 0
    level = 0
    start = 0
    while level <= top or start < tail:
        end = tail
        i = np.int64(win_heads[level])
        while i >= 0:
            if values[i] == 0:
                values[i] = np.uint16(level * 4 + DRAWN)
                queue[end] = np.int32(i)
                end += 1
            i = np.int64(wins[i])
        tail = end
        if level + 1 >= levels and start < end:
            return -1
        for at in range(start, end):
            i = np.int64(queue[at])
            for link in range(ends[i], ends[i + 1]):
                parent = np.int64(parents[link])
                if values[parent] == 0:
                    values[parent] = np.uint16((level + 1) * 4 + DRAWN)
                    queue[tail] = np.int32(parent)
                    tail += 1
        start = end
        level += 1
    for i in range(count):
        if values[i] == 0:
            values[i] = np.uint16(NEVER * 4 + DRAWN)
    return 0


@compiled(NUMBER(ROWS, LINE, _SHORTS, _BYTES, NUMBER, NUMBER, LINE))
def add_up(keys: Any, fields: Any, values: Any, sames: Any, group: Any, count: Any, totals: Any) -> Any:
    """Add to the totals the positions, symmetric ones counted each: won by the player to move, lost, drawn; the largest
    remoteness."""
    for i in range(count):
        kind = np.int64(values[i]) & 3
        orbit = group // np.int64(sames[i])
        if kind == DRAWN:
            totals[2] += orbit
        elif kind == _mover(keys, i, fields):
            totals[0] += orbit
        else:
            totals[1] += orbit
        plies = np.int64(values[i]) >> 2
        if plies != NEVER and plies > totals[3]:
            totals[3] = plies
    return 0
