"""Random ways through a game's tree, for estimates of its size.

Knuth's estimator: on a random way on which each move is as likely as any other, the product of the numbers of moves is
the number of ways so long, on average. Where the ways to a position are counted too, the same gives the number of
positions: see `solver.complexity`.
"""

from __future__ import annotations

from typing import NamedTuple

import attrs

from interpreter.kernel.plain import EMPTY, below, number, scramble, stir, word
from solver.native.functions import (
    Line,
    Lines,
    Offer,
    Pack,
    Records,
    Row,
    Rows,
    Step,
    compiled,
    inlined,
)
from solver.native.transposition import same_key
from solver.native.workspace import copy_row


@attrs.define(eq=False)
class Settings:
    """Where a row has what is looked at, and what is asked."""

    to_move: int = 0
    outcome: int = 0
    first_piece: int = 0
    last_piece: int = 0
    merged: int = 0
    """Whether the ways to a position are counted, too."""


@attrs.define(eq=False)
class State:
    """What goes on from way to way."""

    chance: int = 0
    """The state of a random sequence."""


class Rules(NamedTuple):
    """A game's kernel."""

    offer: Offer
    step: Step
    pack: Pack


class Search(NamedTuple):
    """What random ways are gone with."""

    root: Row
    rows: Rows
    """Three: the position that was reached, and two to work with."""
    entries: Lines
    scratch: Rows
    offered: Lines
    """To work with: entries of moves, rows, and moves."""
    played: Lines
    movers: Line
    """The moves of the way, and who made each."""
    order: Line
    """In which order the moves of the way are made again."""
    choices: Line
    """The number of legal moves of each position on the way."""
    parents: Line
    """For each position but the root from how many positions a move leads to it that the way's own moves reach, made
    in another order."""
    packed: Rows
    """The packed position before the last of the way, the last, and others that lead to the last."""
    before: Row
    after: Row
    """The packed positions before and after the last move, when moves are made again."""
    state: Records[State]
    """One."""
    settings: Records[Settings]
    """One."""


@inlined
def _is_over(own: Search, row: Row) -> bool:
    """Whether the game has ended."""
    return bool(row[own.settings[0].outcome] != own.root[own.settings[0].outcome])


@inlined
def _mover(own: Search, row: Row) -> int:
    """Who is to move."""
    return number(row[own.settings[0].to_move])


@inlined
def _replay(rules: Rules, own: Search, count: int) -> bool:
    """Play moves in some order from the root; whether that is legal. The last two positions are packed."""
    row = own.rows[2]
    copy_row(own.root, row)
    for k in range(count):
        if k > 0 and _is_over(own, row):
            return False
        if k == count - 1:
            rules.pack(row, own.before)
        if rules.step(row, own.played[own.order[k]], own.entries, own.scratch) != 0:
            return False
    rules.pack(row, own.after)
    return True


@inlined
def _first_that_fits(rules: Rules, own: Search, count: int) -> int:
    """The first move of the way that was not made again and puts nothing where the goal has something else, or -1."""
    goal, after, row = own.rows[0], own.rows[1], own.rows[2]
    settings = own.settings[0]
    for j in range(count):
        if own.order[j] != 0 or own.movers[j] != _mover(own, row):
            continue
        copy_row(row, after)
        if rules.step(after, own.played[j], own.entries, own.scratch) != 0:
            continue
        fits = True
        for k in range(settings.first_piece, settings.last_piece):
            fits = fits and after[k] & ~goal[k] == EMPTY
        if fits:
            return j
    return -1


@inlined
def _rebuild(rules: Rules, own: Search, count: int, without: int) -> bool:
    """Play the moves of a way in an order that puts nothing where the goal has something else, one of them last.

    Whether that can be done by always taking the first move of the way that fits.
    """
    after, row = own.rows[1], own.rows[2]
    copy_row(own.root, row)
    for j in range(count):
        own.order[j] = 0
    own.order[without] = 1
    for _ in range(count - 1):
        if _is_over(own, row):
            return False
        chosen = _first_that_fits(rules, own, count)
        if chosen < 0:
            return False
        own.order[chosen] = 1
        copy_row(after, row)
    if _is_over(own, row) or own.movers[without] != _mover(own, row):
        return False
    rules.pack(row, own.before)
    if rules.step(row, own.played[without], own.entries, own.scratch) != 0:
        return False
    rules.pack(row, own.after)
    return True


@inlined
def _reorder(own: Search, count: int, k: int, exchanged: bool) -> None:
    """Have a move come last: the two change places, or the player's moves between come earlier."""
    last = count - 1
    for j in range(count):
        own.order[j] = j
    if exchanged:
        own.order[k] = last
    else:
        index = k
        for j in range(k + 1, count):
            if own.movers[j] == own.movers[last]:
                own.order[index] = j
                index = j
    own.order[last] = k


@inlined
def _count_parents(rules: Rules, own: Search, count: int) -> int:
    """How many positions lead to the last of the way by one of its moves."""
    result = 1
    last = count - 1
    before = own.before
    for k in range(last - 1, -1, -1):
        if own.movers[k] != own.movers[last] or result + 1 >= len(own.packed):
            continue
        for way in range(3):
            if way == 2:
                legal = _rebuild(rules, own, count, k)
            else:
                _reorder(own, count, k, way == 0)
                legal = _replay(rules, own, count)
            if legal and same_key(own.after, own.packed[1]):
                known = same_key(before, own.packed[0])
                for j in range(1, result):
                    known = known or same_key(before, own.packed[1 + j])
                if not known:
                    copy_row(before, own.packed[1 + result])
                    result += 1
                break
    return result


@inlined
def _legal_moves(rules: Rules, own: Search) -> int:
    """List the legal moves of the position that was reached; how many there are, -1 where a rule fails."""
    row, after = own.rows[0], own.rows[1]
    count = rules.offer(row, own.offered, own.entries, own.scratch)
    if count < 0:
        return -1
    legal = 0
    for k in range(count):
        copy_row(row, after)
        code = rules.step(after, own.offered[k], own.entries, own.scratch)
        if code < 0:
            copy_row(after, row)
            return -1
        if code == 0:
            copy_row(own.offered[k], own.offered[legal])
            legal += 1
    return legal


@compiled
def walk(offer: Offer, step: Step, pack: Pack, own: Search) -> int:
    """Go a random way through a game's tree; its length, or -1 where a rule fails (the first of `rows` says which)."""
    rules = Rules(offer, step, pack)
    row, state, settings = own.rows[0], own.state[0], own.settings[0]
    copy_row(own.root, row)
    length = 0
    while not _is_over(own, row) and length < len(own.choices):
        legal = _legal_moves(rules, own)
        if legal < 0:
            return -1
        if legal == 0:
            break
        own.choices[length] = legal
        chance = stir(word(state.chance))
        state.chance = number(chance)
        k = below(scramble(chance), legal)
        own.movers[length] = _mover(own, row)
        copy_row(own.offered[k], own.played[length])
        if settings.merged != 0:
            pack(row, own.packed[0])
        step(row, own.offered[k], own.entries, own.scratch)
        if settings.merged != 0:
            pack(row, own.packed[1])
            own.parents[length] = _count_parents(rules, own, length + 1)
        length += 1
    return length
