"""Random walks through a game tree, for estimates of its size.

Knuth's estimator: on a walk that chooses each move with equal probability, the product of the numbers of legal moves is
an unbiased estimate of the number of paths of that length. If the ways to reach a position are counted too, it also
estimates the number of positions: see `solver.complexity`.
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

GOING, ENDED, FAILED = range(3)
"""What `walk` returns."""


@attrs.define(eq=False)
class Settings:
    """Where a row has the words that a walk reads, and what to count."""

    to_move: int = 0
    outcome: int = 0
    first_piece: int = 0
    last_piece: int = 0
    failure: int = 0
    most_tried: int = 0
    """The most moves of a walk's replays, which find the parents of its positions; 0 to look for none."""


@attrs.define(eq=False)
class State:
    """The state kept from walk to walk."""

    chance: int = 0
    """The state of the random number generator."""
    length: int = 0
    """The number of moves of the walk so far."""
    left: int = 0
    """The number of moves that its replays may still try."""


class Rules(NamedTuple):
    """The functions of a game's kernel."""

    offer: Offer
    step: Step
    pack: Pack


class Search(NamedTuple):
    """The arrays of random walks."""

    root: Row
    rows: Rows
    """Three rows: the current position, and two to work with."""
    entries: Lines
    scratch: Rows
    offered: Lines
    """Work arrays: entries of moves, rows, and moves."""
    played: Lines
    movers: Line
    """The moves of the path, and the player who made each."""
    order: Line
    """The order in which the moves of the path are replayed; in `_rebuild`, whether each has been played."""
    choices: Line
    """The number of legal moves in each position of the path."""
    parents: Line
    """For each position after the root, the number of its parents that are found by reordering the path's moves,
    including the parent on the path."""
    packed: Rows
    """The packed positions before and after the last move of the path, then other parents of the latter."""
    before: Row
    after: Row
    """The packed positions before and after the last move of a replay."""
    state: Records[State]
    """A single record."""
    settings: Records[Settings]
    """A single record."""


@inlined
def _is_over(own: Search, row: Row) -> bool:
    """Whether the game has ended."""
    return bool(row[own.settings[0].outcome] != own.root[own.settings[0].outcome])


@inlined
def _mover(own: Search, row: Row) -> int:
    """The player to move."""
    return number(row[own.settings[0].to_move])


@inlined
def _try(rules: Rules, own: Search, row: Row, k: int) -> int:
    """Make move `k` of the path in another position; return the result of the kernel's `step`.

    Where there was too little room for moves, the current position gets this failure.
    """
    own.state[0].left -= 1
    failure = own.settings[0].failure
    code = rules.step(row, own.played[k], own.entries, own.scratch)
    if number(row[failure]) == 1:
        own.rows[0][failure] = row[failure]
    return code


@inlined
def _replay(rules: Rules, own: Search, count: int) -> bool:
    """Replay the moves in `order` from the root, and pack the positions around the last; whether all moves are legal.
    """
    row = own.rows[2]
    copy_row(own.root, row)
    for k in range(count):
        if k > 0 and _is_over(own, row):
            return False
        if k == count - 1:
            rules.pack(row, own.before)
        if _try(rules, own, row, own.order[k]) != 0:
            return False
    rules.pack(row, own.after)
    return True


@inlined
def _first_that_fits(rules: Rules, own: Search, count: int) -> int:
    """The first unplayed move of the path that is legal and puts nothing where the goal has something else, or -1."""
    goal, after, row = own.rows[0], own.rows[1], own.rows[2]
    settings = own.settings[0]
    for j in range(count):
        if own.order[j] != 0 or own.movers[j] != _mover(own, row):
            continue
        copy_row(row, after)
        if _try(rules, own, after, j) != 0:
            continue
        fits = True
        for k in range(settings.first_piece, settings.last_piece):
            fits = fits and after[k] & ~goal[k] == EMPTY
        if fits:
            return j
    return -1


@inlined
def _rebuild(rules: Rules, own: Search, count: int, without: int) -> bool:
    """Replay the path's moves with the move `without` last, always taking the first that `_first_that_fits` finds.

    Returns whether all moves could be played.
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
    if _try(rules, own, row, without) != 0:
        return False
    rules.pack(row, own.after)
    return True


@inlined
def _reorder(own: Search, count: int, k: int, exchanged: bool) -> None:
    """Put move `k` last: swap it with the last move, or move each later move of the same player up to the one before.
    """
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
    """The number of positions found from which a move of the path leads to its last position; 0 where too many moves
    were tried to find them."""
    result = 1
    last = count - 1
    before = own.before
    for k in range(last - 1, -1, -1):
        if own.movers[k] != own.movers[last] or result + 1 >= len(own.packed):
            continue
        for way in range(3):
            if own.state[0].left <= 0:
                return 0
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
    """List the legal moves of the current position; return their number, -1 if a rule fails."""
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
def walk(offer: Offer, step: Step, pack: Pack, own: Search, moves: int) -> int:
    """Walk a random path through the game tree from where the last call stopped, for at most `moves` moves.

    Returns GOING, ENDED, or FAILED if a rule fails (the first of `rows` has why). After the latter two, the next call
    begins another path when `State.length` is 0.
    """
    rules = Rules(offer, step, pack)
    row, state, settings = own.rows[0], own.state[0], own.settings[0]
    if state.length == 0:
        copy_row(own.root, row)
        state.left = settings.most_tried
    for _ in range(moves):
        if _is_over(own, row) or state.length >= len(own.choices):
            return ENDED
        legal = _legal_moves(rules, own)
        if legal < 0:
            return FAILED
        if legal == 0:
            return ENDED
        length = state.length
        own.choices[length] = legal
        chance = stir(word(state.chance))
        state.chance = number(chance)
        k = below(scramble(chance), legal)
        own.movers[length] = _mover(own, row)
        copy_row(own.offered[k], own.played[length])
        if settings.most_tried != 0:
            pack(row, own.packed[0])
        step(row, own.offered[k], own.entries, own.scratch)
        if settings.most_tried != 0:
            pack(row, own.packed[1])
            own.parents[length] = _count_parents(rules, own, length + 1)
            if number(row[settings.failure]) != 0:
                return FAILED
        state.length += 1
    return GOING
