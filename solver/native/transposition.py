"""The transposition table of all searches: positions and what is known of them, without locks.

An entry is a row of words: the words of a packed position, or of its fingerprint, each mixed with the word after them,
which says what is known; then the words that a search keeps besides. What is known has at the same place in all tables
the effort (which search says what it counts) and the age: during which question or search it was written.

Threads may write into one table: an entry of which two of them wrote parts fits no key, because every word of the key
is mixed with what is known (Hyatt and Mann, "A lock-less transposition table", 2002). What a search keeps besides may
then be another entry's, so that only hints stand there, such as the move to try first.

Entries stand in buckets, of one, two or four. A pair has one entry for what took most effort in this question, and one
for what came last, or took most before. A bucket of four is two such pairs, of which a key belongs to one when there is
no room. (With one entry of four for what came last, a search of 55 million positions in a table of two million took 78
million, and now 63.) A bucket of one keeps what took much more effort.

Arrays: `table` and `larger` uint64[entries, width + 1 + what a search keeps besides], `key`, `one` and `other`
uint64[width], the words of a packed position or a fingerprint; `packed` uint64[words], a packed position.
"""

from __future__ import annotations

from interpreter.kernel.plain import EMPTY, FULL, ONE, number, scramble, stir, word
from solver.native.functions import Line, Row, Rows, Word, compiled, inlined, part

BUCKET = 4
"""Entries of a bucket where nothing is kept besides what is known."""
PAIR, SINGLE = 2, 1
UPDATED, FILLED, REPLACED = 0, 1, 2
"""What became of an entry that was written: it was there before, there was room for it, another one had to go."""
BIAS = 32768
"""Added to bounds, so that they are stored as numbers from 0 on."""
_MUCH = 2
"""So many more powers of two of effort keep an entry where there is only one."""
_EFFORT, _AGE = 48, 56
"""Bits of what is known from which on it has these; both have eight."""


# ---- where an entry stands


@part
def digest(key: Row, width: int) -> Word:
    """A hash of a packed position, spread evenly over all keys."""
    result = word(width)
    for index in range(width):
        result = scramble(result ^ key[index])
    return result


@part
def pair_digest(key: Row) -> Word:
    """The same for tables of pairs, whose searches count what they always counted only where entries stand alike."""
    result: Word = EMPTY
    for index in range(len(key)):
        result = scramble(stir(result ^ key[index]))
    spread: Word = result << word(7) & FULL
    return spread


@part
def fingerprint(packed: Row, key: Row) -> None:
    """Write 128 bits into `key` (uint64[2]) that stand for a long packed position.

    Among n positions two share a fingerprint with a probability of n * n / 2**129: 1.5e-19 for ten thousand million.
    """
    one: Word = EMPTY
    other: Word = EMPTY
    place: Word = ONE
    for index in range(len(packed)):
        place = stir(place)
        one ^= scramble(packed[index] ^ place)
        other ^= scramble(packed[index] ^ scramble(place))
    key[0] = one
    key[1] = other


@inlined
def bucket_of(hashed: Word, table: Rows, size: int) -> int:
    """The first entry of the bucket where a key belongs; the number of entries is a power of two."""
    return number(hashed >> word(8) & word(len(table) // size - 1)) * size


@inlined
def same_key(one: Row, other: Row) -> bool:
    """Whether two packed positions are equal."""
    for index in range(len(one)):  # noqa: SIM110  # Numba has no generators
        if one[index] != other[index]:
            return False
    return True


@inlined
def _is_of(table: Rows, index: int, key: Row, width: int, known: Word) -> bool:
    """Whether an entry, of which so much is known, is a position's."""
    mixed = scramble(known)
    for k in range(width):  # noqa: SIM110
        if table[index, k] ^ mixed != key[k]:
            return False
    return True


@inlined
def find(table: Rows, key: Row, width: int, hashed: Word, size: int) -> tuple[int, Word]:
    """Where a position stands in buckets of a size, and what is known of it; -1 and 0 where it does not."""
    first = bucket_of(hashed, table, size)
    for index in range(first, first + size):
        known: Word = table[index, width]
        if known != EMPTY and _is_of(table, index, key, width, known):
            return index, known
    return -1, EMPTY


@inlined
def look_up(table: Rows, key: Row, width: int, hashed: Word) -> Word:
    """What is known of a position in buckets of four; 0 for nothing."""
    _, known = find(table, key, width, hashed, BUCKET)
    return known


# ---- writing


@inlined
def claim(table: Rows, key: Row, width: int, hashed: Word, effort: int, age: int, size: int) -> tuple[int, int]:
    """The entry to write for a position into a bucket of two or four, and what becomes of it by that.

    The former occupant of a pair's first entry is moved to its second.
    """
    first = bucket_of(hashed, table, size)
    chosen = -1
    became = FILLED
    for index in range(first, first + size):
        known = table[index, width]
        if known == EMPTY:
            if chosen < 0 and size > PAIR:
                chosen = index
        elif _is_of(table, index, key, width, known):
            chosen, became = index, UPDATED
            break
    if chosen < 0:
        if size > PAIR:
            first += PAIR * number(hashed >> word(6) & ONE)
        chosen, became = first, FILLED
        there = table[first, width]
        if there != EMPTY:
            if table[first + 1, width] != EMPTY:
                became = REPLACED
            if effort < effort_of(there) and age == age_of(there):
                chosen += 1
            else:
                for k in range(len(table[0])):
                    table[first + 1, k] = table[first, k]
    return chosen, became


@inlined
def claim_single(table: Rows, width: int, hashed: Word, effort: int) -> int:
    """The entry to write for a position where there is one for it; -1 where what stands there took much more effort."""
    index = bucket_of(hashed, table, SINGLE)
    return index if effort_of(table[index, width]) <= effort + _MUCH else -1


@inlined
def seal(table: Rows, index: int, key: Row, width: int, known: Word) -> None:
    """Write a key and what is known of it into an entry."""
    mixed = scramble(known)
    for k in range(width):
        table[index, k] = key[k] ^ mixed
    table[index, width] = known


@part
def put(table: Rows, key: Row, width: int, hashed: Word, known: Word) -> int:
    """Note what is known of a position in a table that threads share, and what became of the entry by that."""
    index, became = claim(table, key, width, hashed, effort_of(known), age_of(known), BUCKET)
    seal(table, index, key, width, known)
    return became


# ---- what is known


@inlined
def work_of(effort: int, age: int) -> Word:
    """The part of what is known that has the effort and the age."""
    return word(effort) << word(_EFFORT) | word(age) << word(_AGE)


@inlined
def effort_of(known: Word) -> int:
    """The effort that an entry took; below 256."""
    return number(known >> word(_EFFORT) & word(255))


@inlined
def age_of(known: Word) -> int:
    """During which question an entry was written, modulo 256."""
    return number(known >> word(_AGE))


@inlined
def logarithm(count: int) -> int:
    """The binary logarithm of a positive number, rounded down."""
    result = 0
    while count > 1:
        count >>= 1
        result += 1
    return result


@inlined
def bounds(lower: int, upper: int, best: Word, effort: int, age: int) -> Word:
    """What is known of a position by two bounds of its score, with 16 bits of the best child's hash."""
    return (word(lower + BIAS) | word(upper + BIAS) << word(16) | (best & word(0xFFFF)) << word(32)
            | work_of(effort, age))


@inlined
def lower_of(known: Word) -> int:
    """The lower bound of an entry."""
    return number(known & word(0xFFFF)) - BIAS


@inlined
def upper_of(known: Word) -> int:
    """The upper bound of an entry."""
    return number(known >> word(16) & word(0xFFFF)) - BIAS


@inlined
def best_of(known: Word) -> Word:
    """16 bits of the best child's hash."""
    return known >> word(32) & word(0xFFFF)


# ---- for those who are not compiled


@compiled
def ask(table: Rows, key: Row, result: Line) -> int:
    """Write the bounds of a packed position into `result` (int64[2]); 1 where anything is known of it, else 0."""
    width = len(table[0]) - 1
    known = look_up(table, key, width, digest(key, width))
    if known == EMPTY:
        return 0
    result[0] = lower_of(known)
    result[1] = upper_of(known)
    return 1


@compiled
def move_entries(table: Rows, larger: Rows) -> int:
    """Put what a table has into an empty one; how many entries had to give way. The first table is spoilt."""
    width = len(table[0]) - 1
    lost = 0
    for index in range(len(table)):
        known = table[index, width]
        if known == EMPTY:
            continue
        mixed = scramble(known)
        for k in range(width):
            table[index, k] ^= mixed
        key = table[index]
        if put(larger, key, width, digest(key, width), known) == REPLACED:
            lost += 1
    return lost
