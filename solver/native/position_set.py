"""Sets of packed positions as hash tables with open addressing: a new position gets the next number.

A slot is a word: 0 while it is empty, else the upper half of the position's hash and, below it, its number + 1. Where
the halves of two hashes are equal, the positions themselves are compared, so that results are exact. Slots and
positions are prefetched a few positions ahead, to hide the latency of memory.

Arrays: `keys` uint64[room, width], the positions, `slots` uint64[a power of two]; for each position that is looked up
`hashes` uint64[n], `wanted` and `kids` uint32[n], `which` uint8[n]; for each that is in the set `sames` uint8[room]. In
`tiers_in` `ranks` is int64[n], `result` and `numbers` are int64[tiers].
"""

from __future__ import annotations

from typing import NamedTuple

from interpreter.kernel.plain import EMPTY, FIRST_FACTOR, FULL, SECOND_FACTOR, STEP, number, word
from solver.native.functions import Bytes, Indices, Line, Row, Rows, Word, compiled, inlined, part, prefetch

_AHEAD = 16
"""How many positions ahead slots are prefetched; keys are prefetched half as far ahead."""


class Found(NamedTuple):
    """Positions to look up: `keys` [n, width], `same` and `ranks` [n]."""

    keys: Rows
    same: Line
    """The number of symmetries that leave each position unchanged."""
    ranks: Line
    """The tier of each position."""


@part
def hash_of(keys: Rows, index: int) -> Word:
    """A hash of a packed position, in which all bits depend on all bits of the position."""
    result = word(STEP)
    for k in range(len(keys[0])):
        result = (result ^ keys[index, k]) * word(FIRST_FACTOR) & FULL
        result = result ^ (result >> word(29))
    result = result * word(SECOND_FACTOR) & FULL
    return result ^ (result >> word(32))


@inlined
def _upper(result: Word) -> Word:
    """The half of a hash that a slot stores."""
    return result >> word(32)


@inlined
def _number(slot: Word) -> int:
    """The number of the position in a slot; -1 for none."""
    return number(slot & word(0xFFFFFFFF)) - 1


@inlined
def _slot(result: Word, index: int) -> Word:
    """The slot of a position with a hash and a number."""
    return _upper(result) << word(32) | word(index + 1)


@inlined
def same_position(keys: Rows, one: int, others: Rows, other: int) -> bool:
    """Whether packed positions of two lists are equal: `keys` and `others` are uint64[n, width]."""
    same = True
    for k in range(len(keys[0])):
        same &= keys[one, k] == others[other, k]
    return bool(same)


@inlined
def _fetch(index: int, count: int, hashes: Row, slots: Row, keys: Rows) -> None:
    """Prefetch the slot, and the key that it names, of positions a few ahead."""
    mask = word(len(slots) - 1)
    if index + _AHEAD < count:
        prefetch(slots, number(hashes[index + _AHEAD] & mask))
    if index + _AHEAD // 2 < count:
        later = hashes[index + _AHEAD // 2]
        slot = slots[number(later & mask)]
        if slot != EMPTY and _upper(slot) == _upper(later):
            prefetch(keys, _number(slot))


@inlined
def _list_wanted(result: Found, many: int, tier: int, wanted: Indices, hashes: Row) -> int:
    """List the positions of a tier among the first `many`, with their hashes; return how many there are."""
    count = 0
    for i in range(many):
        if result.ranks[i] == tier:
            wanted[count] = i
            hashes[count] = hash_of(result.keys, i)
            count += 1
    return count


@compiled
def absorb(result: Found, many: int, tier: int, wanted: Indices, hashes: Row, slots: Row, keys: Rows, sames: Bytes,
           count: int, kids: Indices, which: Bytes, place: int) -> int:
    """Look up or insert those of the first `many` positions that belong to a tier; return the tier's new size.

    New positions are appended to `keys`, their `same` to `sames`; the number of each position goes to `kids`, and
    `place` to `which`. The arrays must have room for all. The positions of the tier are listed in `wanted` first, with
    their hashes in `hashes`: where moves lead to two tiers, every prefetched line of memory is then used, which saves a
    fifth of the time. If `wanted` is empty, all positions belong to the tier.
    """
    mask = word(len(slots) - 1)
    every = len(wanted) == 0
    if every:
        several = many
        for i in range(many):
            hashes[i] = hash_of(result.keys, i)
    else:
        several = _list_wanted(result, many, tier, wanted, hashes)
    for k in range(min(_AHEAD, several)):
        prefetch(slots, number(hashes[k] & mask))
    for k in range(several):
        _fetch(k, several, hashes, slots, keys)
        i = k if every else number(wanted[k])
        spot = hashes[k] & mask
        while True:
            slot = slots[number(spot)]
            if slot == EMPTY:
                slots[number(spot)] = _slot(hashes[k], count)
                for w in range(len(keys[0])):
                    keys[count, w] = result.keys[i, w]
                sames[count] = result.same[i]
                kids[i] = count
                count += 1
                break
            if _upper(slot) == _upper(hashes[k]) and same_position(result.keys, i, keys, _number(slot)):
                kids[i] = _number(slot)
                break
            spot = (spot + word(1)) & mask
        which[i] = place
    return count


@compiled
def refill(keys: Rows, count: int, slots: Row) -> int:
    """Insert the first `count` of `keys`, which are distinct, into empty `slots`."""
    mask = word(len(slots) - 1)
    for i in range(count):
        if i + _AHEAD < count:
            prefetch(slots, number(hash_of(keys, i + _AHEAD) & mask))
        result = hash_of(keys, i)
        spot = result & mask
        while slots[number(spot)] != EMPTY:
            spot = (spot + word(1)) & mask
        slots[number(spot)] = _slot(result, i)
    return count


@compiled
def tiers_in(ranks: Line, count: int, result: Line, numbers: Line) -> int:
    """Write the distinct tiers of positions to `result`, and the number of positions of each to `numbers`.

    Returns the number of tiers, or -1 if `result` has no room for them.
    """
    different = 0
    last = 0
    for i in range(count):
        if different == 0 or ranks[i] != result[last]:
            last = 0
            while last < different and result[last] != ranks[i]:
                last += 1
            if last == different:
                if different == len(result):
                    return -1
                result[different] = ranks[i]
                numbers[different] = 0
                different += 1
        numbers[last] += 1
    return different
