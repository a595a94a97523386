"""A table of positions and what is known of them: exact keys, buckets of four entries, no locks.

An entry is a row of words: the words of a packed position, each mixed with the last word, which holds what is known.
Threads write into one table without locks; an entry of which two of them wrote parts fits no key, because every word
is mixed with what is known (Hyatt and Mann, "A lock-less transposition table", 2002).

A bucket is two pairs, one of which a key belongs to when there is no room. A pair has one entry for what took most
work, and one for what came last, or took most work before. Entries of former questions give way first. (With one entry
of four for what came last, a search of 55 million positions in a table of two million took 78 million, and now 63.)
"""

from __future__ import annotations

from typing import Any

from interpreter.kernel.plain import EMPTY, ONE, jit, number, scramble, word

BUCKET = 4
BIAS = 32768
"""Added to bounds, so that they are stored as numbers from 0 on."""


@jit
def digest(key: Any, width: Any) -> Any:
    """A word that is spread evenly over all keys."""
    found = word(width)
    for place in range(width):
        found = scramble(found ^ key[place])
    return found


@jit
def bucket_of(spread: Any, table: Any) -> Any:
    """The first entry of the bucket where a key belongs; the number of entries is a power of two."""
    return number(spread >> word(8) & word(len(table) // BUCKET - 1)) * BUCKET


@jit
def look_up(table: Any, key: Any, width: Any, spread: Any) -> Any:
    """What is known of a position; 0 for nothing."""
    first = bucket_of(spread, table)
    for place in range(first, first + BUCKET):
        known = table[place, width]
        if known == EMPTY:
            continue
        mixed = scramble(known)
        if table[place, 0] ^ mixed != key[0]:
            continue
        same = True
        for part in range(1, width):
            if table[place, part] ^ mixed != key[part]:
                same = False
                break
        if same:
            return known
    return EMPTY


@jit
def put(table: Any, key: Any, width: Any, spread: Any, known: Any, effort: Any, age: Any) -> Any:
    """Note what is known of a position; 0 where something was, 1 where there was room, 2 where another had to go.

    `known` holds effort and age as `effort_of` and `age_of` read them.
    """
    first = bucket_of(spread, table)
    chosen = -1
    room = 2
    for place in range(first, first + BUCKET):
        there = table[place, width]
        if there == EMPTY:
            if chosen < 0:
                chosen, room = place, 1
            continue
        mixed = scramble(there)
        same = True
        for part in range(width):
            if table[place, part] ^ mixed != key[part]:
                same = False
                break
        if same:
            chosen, room = place, 0
            break
    if chosen < 0:
        chosen = first + 2 * number(spread >> word(6) & ONE)
        there = table[chosen, width]
        if effort < effort_of(there) and age == age_of(there):
            chosen += 1
        else:
            for part in range(width + 1):
                table[chosen + 1, part] = table[chosen, part]
    mixed = scramble(known)
    for part in range(width):
        table[chosen, part] = key[part] ^ mixed
    table[chosen, width] = known
    return room


@jit
def effort_of(known: Any) -> Any:
    """The binary logarithm of the positions that were looked at for an entry."""
    return number(known >> word(48) & word(255))


@jit
def age_of(known: Any) -> Any:
    """During which question an entry was written, modulo 256."""
    return number(known >> word(56))


@jit
def logarithm(count: Any) -> Any:
    """The binary logarithm of a positive number, rounded down."""
    found = 0
    while count > 1:
        count >>= 1
        found += 1
    return found


@jit
def bounds(lower: Any, upper: Any, best: Any, effort: Any, age: Any) -> Any:
    """An entry's last word: two bounds of a score, and 16 bits of the best child's key."""
    return (word(lower + BIAS) | word(upper + BIAS) << word(16) | (best & word(0xFFFF)) << word(32)
            | word(effort) << word(48) | word(age) << word(56))


@jit
def lower_of(known: Any) -> Any:
    """The lower bound of an entry."""
    return number(known & word(0xFFFF)) - BIAS


@jit
def upper_of(known: Any) -> Any:
    """The upper bound of an entry."""
    return number(known >> word(16) & word(0xFFFF)) - BIAS


@jit
def best_of(known: Any) -> Any:
    """16 bits of the best child's key."""
    return known >> word(32) & word(0xFFFF)
