"""The lock-free transposition table of all searches.

An entry is a row of words: the key, which is a packed position or its fingerprint, with each word XORed with a hash of
the data word; the data word (`known`); and further words of the search. The data word has the effort and the age at the
same bits in all tables. What the effort counts depends on the search; the age tells during which question or search the
entry was written.

Threads may write to the same table: an entry that two of them wrote at once matches no key, because every word of the
key is XORed with a hash of the data word (Hyatt and Mann, "A lock-less transposition table", 2002). The further words
of an entry may still belong to another position, so that they hold only hints, such as the move to try first.

Buckets have one, two or four entries. A pair has one entry for the position that took most effort in this question, and
one for the latest, or the one that took most before. A bucket of four is two such pairs; when it is full, the hash
chooses the pair. (With one entry of four for the latest position, a search of 55 million positions in a table of two
million entries took 78 million, and now 63.) The entry of a bucket of one is kept if it took much more effort.

Arrays: `table` and `larger` uint64[entries, width + 1 + further words], `key`, `one` and `other` uint64[width], the
words of a packed position or a fingerprint; `packed` uint64[words], a packed position.
"""

from __future__ import annotations

from interpreter.kernel.plain import EMPTY, FULL, ONE, number, scramble, stir, word
from solver.native.functions import Line, Row, Rows, Word, compiled, inlined, part

BUCKET = 4
"""Entries of a bucket in tables without further words."""
PAIR, SINGLE = 2, 1
UPDATED, FILLED, REPLACED = 0, 1, 2
"""The effect of a write: it updated the position's entry, filled free room, or replaced another position."""
BIAS = 32768
"""Added to bounds, so that the stored numbers are not negative."""
_MUCH = 2
"""In a bucket of one, an entry is kept if its effort is larger by more than this, in powers of two."""
_EFFORT, _AGE = 48, 56
"""The first bits of the effort and the age in the data word; each has eight bits."""


# ---- where an entry stands


@part
def digest(key: Row, width: int) -> Word:
    """A hash of a packed position."""
    result = word(width)
    for index in range(width):
        result = scramble(result ^ key[index])
    return result


@part
def pair_digest(key: Row) -> Word:
    """A hash of a key for tables of pairs; changing it moves entries, and so changes the node counts of searches."""
    result: Word = EMPTY
    for index in range(len(key)):
        result = scramble(stir(result ^ key[index]))
    spread: Word = result << word(7) & FULL
    return spread


@part
def fingerprint(packed: Row, key: Row) -> None:
    """Write a 128-bit fingerprint of a long packed position into `key` (uint64[2]).

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
    """The first entry of the bucket of a key; the number of entries of the table is a power of two."""
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
    """Whether an entry with the data word `known` has a key."""
    mixed = scramble(known)
    for k in range(width):  # noqa: SIM110
        if table[index, k] ^ mixed != key[k]:
            return False
    return True


@inlined
def find(table: Rows, key: Row, width: int, hashed: Word, size: int) -> tuple[int, Word]:
    """The index and the data word of a position's entry, in buckets of `size` entries; -1 and 0 where it has none."""
    first = bucket_of(hashed, table, size)
    for index in range(first, first + size):
        known: Word = table[index, width]
        if known != EMPTY and _is_of(table, index, key, width, known):
            return index, known
    return -1, EMPTY


@inlined
def look_up(table: Rows, key: Row, width: int, hashed: Word) -> Word:
    """The data word of a position's entry, in buckets of four; 0 where it has none."""
    _, known = find(table, key, width, hashed, BUCKET)
    return known


# ---- writing


@inlined
def claim(table: Rows, key: Row, width: int, hashed: Word, effort: int, age: int, size: int) -> tuple[int, int]:
    """The index of the entry to write for a position in a bucket of two or four, and UPDATED, FILLED or REPLACED.

    Before another position's first entry of a pair is overwritten, it is moved to the second.
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
    """The index of the entry to write for a position in a bucket of one; -1 where its content took much more effort."""
    index = bucket_of(hashed, table, SINGLE)
    return index if effort_of(table[index, width]) <= effort + _MUCH else -1


@inlined
def seal(table: Rows, index: int, key: Row, width: int, known: Word) -> None:
    """Write a key and a data word into an entry."""
    mixed = scramble(known)
    for k in range(width):
        table[index, k] = key[k] ^ mixed
    table[index, width] = known


@part
def put(table: Rows, key: Row, width: int, hashed: Word, known: Word) -> int:
    """Write a position's data word into a table with buckets of four; return UPDATED, FILLED or REPLACED."""
    index, became = claim(table, key, width, hashed, effort_of(known), age_of(known), BUCKET)
    seal(table, index, key, width, known)
    return became


# ---- data words


@inlined
def work_of(effort: int, age: int) -> Word:
    """The part of a data word that has the effort and the age."""
    return word(effort) << word(_EFFORT) | word(age) << word(_AGE)


@inlined
def effort_of(known: Word) -> int:
    """The effort of a data word; below 256."""
    return number(known >> word(_EFFORT) & word(255))


@inlined
def age_of(known: Word) -> int:
    """The age of a data word: the question during which it was written, modulo 256."""
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
    """The data word for two bounds of a position's score, with 16 bits of the best child's hash."""
    return (word(lower + BIAS) | word(upper + BIAS) << word(16) | (best & word(0xFFFF)) << word(32)
            | work_of(effort, age))


@inlined
def lower_of(known: Word) -> int:
    """The lower bound of a data word."""
    return number(known & word(0xFFFF)) - BIAS


@inlined
def upper_of(known: Word) -> int:
    """The upper bound of a data word."""
    return number(known >> word(16) & word(0xFFFF)) - BIAS


@inlined
def best_of(known: Word) -> Word:
    """The 16 bits of the best child's hash of a data word."""
    return known >> word(32) & word(0xFFFF)


# ---- entry points for Python


@compiled
def ask(table: Rows, key: Row, result: Line) -> int:
    """Write the bounds of a packed position into `result` (int64[2]); 1 where it is in the table, else 0."""
    width = len(table[0]) - 1
    known = look_up(table, key, width, digest(key, width))
    if known == EMPTY:
        return 0
    result[0] = lower_of(known)
    result[1] = upper_of(known)
    return 1


@compiled
def move_entries(table: Rows, larger: Rows) -> int:
    """Copy the entries of a table into an empty one; how many were replaced by others. Destroys the first table."""
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
