"""Sets of packed positions by open addressing: a position is found, or gets the next number.

A slot is a word: 0 while it is empty, else the upper half of the position's hash and below it its number + 1. Equal
halves are compared with the position itself, so that nothing is left to chance. As memory is far away, slots and
positions are fetched a few positions ahead.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from interpreter.kernel.plain import FIRST_FACTOR, SECOND_FACTOR, STEP
from interpreter.kernel.signatures import LINE, NUMBER, ROWS
from solver.native.compiling import compiled, inlined, prefetch

_AHEAD = 16
"""How many positions ahead slots are fetched; positions half as many."""
_HALF, _NUMBER = np.uint64(32), np.uint64(0xFFFFFFFF)
_ONE, _NONE = np.uint64(1), np.uint64(0)
_WORDS: Any = types.uint64[::1]
_BYTES: Any = types.uint8[::1]
_SMALL: Any = types.uint32[::1]


@inlined
def hash_of(keys: Any, place: Any) -> Any:
    """A hash of a packed position whose bits all depend on all of the position's."""
    found = np.uint64(STEP)
    for k in range(keys.shape[1]):
        found = (found ^ keys[place, k]) * np.uint64(FIRST_FACTOR)
        found = found ^ (found >> np.uint64(29))
    found = found * np.uint64(SECOND_FACTOR)
    return found ^ (found >> np.uint64(32))


@inlined
def _same(keys: Any, one: Any, others: Any, other: Any) -> Any:
    same = True
    for k in range(keys.shape[1]):
        same &= keys[one, k] == others[other, k]
    return same


@compiled(NUMBER(ROWS, LINE, LINE, NUMBER, NUMBER, _WORDS, _WORDS, ROWS, _BYTES, NUMBER, _SMALL, _BYTES, NUMBER))
def absorb(found: Any, same: Any, ranks: Any, many: Any, wanted: Any, hashes: Any, slots: Any, keys: Any, sames: Any,
           count: Any, kids: Any, which: Any, number: Any) -> Any:
    """Number the first `many` of some positions that are of the tier `wanted`; how many the tier then has.

    New ones go to the end of `keys`, their `same` to `sames`; every position's number goes to `kids`, and `number` to
    `which`. There is room for all of them.
    """
    mask = np.uint64(slots.shape[0] - 1)
    for i in range(many):
        hashes[i] = hash_of(found, i)
    for i in range(min(_AHEAD, many)):
        prefetch(slots, np.int64(hashes[i] & mask))
    for i in range(many):
        if i + _AHEAD < many:
            prefetch(slots, np.int64(hashes[i + _AHEAD] & mask))
        if i + _AHEAD // 2 < many:
            later = hashes[i + _AHEAD // 2]
            slot = slots[np.int64(later & mask)]
            if slot != _NONE and (slot >> _HALF) == (later >> _HALF):
                prefetch(keys, np.int64(slot & _NUMBER) - 1)
        if ranks[i] != wanted:
            continue
        half = hashes[i] >> _HALF
        place = hashes[i] & mask
        while True:
            slot = slots[np.int64(place)]
            if slot == _NONE:
                slots[np.int64(place)] = (half << _HALF) | np.uint64(count + 1)
                for k in range(keys.shape[1]):
                    keys[count, k] = found[i, k]
                sames[count] = np.uint8(same[i])
                kids[i] = np.uint32(count)
                count += 1
                break
            if (slot >> _HALF) == half and _same(found, i, keys, np.int64(slot & _NUMBER) - 1):
                kids[i] = np.uint32(np.int64(slot & _NUMBER) - 1)
                break
            place = (place + _ONE) & mask
        which[i] = np.uint8(number)
    return count


@compiled(NUMBER(ROWS, NUMBER, _WORDS))
def refill(keys: Any, count: Any, slots: Any) -> Any:
    """Put the first `count` of some different positions into slots that are all empty."""
    mask = np.uint64(slots.shape[0] - 1)
    for i in range(count):
        if i + _AHEAD < count:
            prefetch(slots, np.int64(hash_of(keys, i + _AHEAD) & mask))
        word = hash_of(keys, i)
        place = word & mask
        while slots[np.int64(place)] != _NONE:
            place = (place + _ONE) & mask
        slots[np.int64(place)] = ((word >> _HALF) << _HALF) | np.uint64(i + 1)
    return count


@compiled(NUMBER(LINE, NUMBER, LINE, LINE))
def tiers_in(ranks: Any, many: Any, found: Any, numbers: Any) -> Any:
    """Write the different tiers of some positions into `found`, and how many each has into `numbers`; how many there
    are, or -1 where there is no room for them."""
    different = 0
    last = 0
    for i in range(many):
        if different == 0 or ranks[i] != found[last]:
            last = 0
            while last < different and found[last] != ranks[i]:
                last += 1
            if last == different:
                if different == found.shape[0]:
                    return -1
                found[different] = ranks[i]
                numbers[different] = 0
                different += 1
        numbers[last] += 1
    return different
