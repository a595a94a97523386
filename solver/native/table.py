"""A transposition table: what searches found of positions, by their packed words.

`keys` has a row of packed words for each place, `data` a score, what is known of it, and the best move's number. Keys
are compared whole, so that no position is taken for another. Places come in pairs: the first keeps what took the most
work in this search, the second what came last.
"""

from __future__ import annotations

import numpy as np

from interpreter.kernel.native import scramble, stir
from solver.native.compiling import inlined

LOWER, UPPER, EXACT = 1, 2, 3
"""What a score is: at most the value, at least the value, the value."""
SCORE, INFO, MOVE = 0, 1, 2
"""The numbers of an entry."""
DATA = 3
_BOUND, _COMPLETE, _AGE, _DEPTH = 0, 2, 8, 16


@inlined
def place_of(P, places):
    """The first of the two places that a position may have; the number of places is a power of 2."""
    found = np.uint64(0)
    for k in range(len(P)):
        found = scramble(stir(found ^ P[k]))
    return np.int64(found & np.uint64(places - 1)) & ~1


@inlined
def same(one, other):
    """Whether two packed positions are equal."""
    for k in range(len(one)):  # noqa: SIM110  # Numba has no generators
        if one[k] != other[k]:
            return False
    return True


@inlined
def find(keys, data, P):
    """Where a position stands, -1 where it does not."""
    place = place_of(P, len(keys))
    for at in range(place, place + 2):
        if data[at, INFO] != 0 and same(keys[at], P):
            return at
    return -1


@inlined
def bound_of(info):
    """What the score of an entry is."""
    return info & 3


@inlined
def is_complete(info):
    """Whether a score holds at any depth: play was followed to its end."""
    return info >> _COMPLETE & 1 == 1


@inlined
def depth_of(info):
    """How many plies deep was searched."""
    return info >> _DEPTH


@inlined
def put(keys, data, P, score, bound, depth, complete, move, age):
    """Note what was found of a position; -1 where another one had to go, 1 where it is new, else 0."""
    place = place_of(P, len(keys))
    for at in range(place, place + 2):
        if data[at, INFO] != 0 and same(keys[at], P):
            if move == 0:
                move = data[at, MOVE]
            _write(keys, data, at, P, score, bound, depth, complete, move, age)
            return 0
    at = place
    lost = data[place, INFO]
    if lost != 0:
        if (lost >> _AGE & 0xFF) == age and depth < depth_of(lost):
            at = place + 1
        lost = data[place + 1, INFO]
        if at == place:  # what stood there goes to the second place
            for k in range(len(P)):
                keys[place + 1, k] = keys[place, k]
            for k in range(DATA):
                data[place + 1, k] = data[place, k]
    _write(keys, data, at, P, score, bound, depth, complete, move, age)
    return 1 if lost == 0 else -1


@inlined
def _write(keys, data, at, P, score, bound, depth, complete, move, age):
    for k in range(len(P)):
        keys[at, k] = P[k]
    data[at, SCORE] = score
    data[at, INFO] = bound | (np.int64(complete) << _COMPLETE) | (age << _AGE) | (depth << _DEPTH)
    data[at, MOVE] = move
