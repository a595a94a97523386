"""Sorted packed positions: sorting by digits, blocks of differences, and looking up one sorted list in another.

A block has a column for each word of a position: a byte that says how many bytes an entry takes, 8 bytes of what is
added to each, then the entries, little-endian. Entries of the first column are differences to the position before,
those of the others are what remains after the least is taken away.

Arrays: `keys`, `known`, `run` and `some` uint64[n, width], packed positions; `words` and `sorted_words` uint64[n], what
they are sorted by; `order`, `sorted_order` uint32[n]; `starts` int64[1 << DIGIT]; `values` and the `found` of `look_up`
and `parts_of` uint16[n], that of `find` uint32[n]; `marks` uint8[n]; `payload` uint8[bytes].
"""

from __future__ import annotations

from interpreter.kernel.plain import EMPTY, number, word
from solver.native.functions import Bytes, Indices, Line, Row, Rows, Shorts, Word, compiled, inlined
from solver.native.position_set import hash_of, same_position

DIGIT = 11
"""Bits of a digit by which positions are sorted."""
_PART_SHIFT = 40
"""The bits of a hash from which on they say the part: sets of positions use the lower ones."""


@inlined
def places_of_digits(words: Row, shift: int, starts: Line) -> int:
    """Where the words with each value of the digit that begins at a bit belong among the sorted ones; how many words.

    `starts` has room for a number for each value.
    """
    mask = word(len(starts) - 1)
    for digit in range(len(starts)):
        starts[digit] = 0
    for i in range(len(words)):
        starts[number((words[i] >> word(shift)) & mask)] += 1
    total = 0
    for digit in range(len(starts)):
        count = starts[digit]
        starts[digit] = total
        total += count
    return total


@compiled
def sort_by_digit(words: Row, order: Indices, sorted_words: Row, sorted_order: Indices, shift: int,
                  starts: Line) -> int:
    """Sort words, and the numbers that go with them, by the digit that begins at a bit; equal ones keep their order.

    `starts` has room for a number for each value of a digit.
    """
    total = places_of_digits(words, shift, starts)
    mask = word(len(starts) - 1)
    for i in range(len(words)):
        digit = number((words[i] >> word(shift)) & mask)
        place = starts[digit]
        starts[digit] = place + 1
        sorted_words[place] = words[i]
        sorted_order[place] = order[i]
    return total


@compiled
def sort_words_by_digit(words: Row, sorted_words: Row, shift: int, starts: Line) -> int:
    """The same for words alone."""
    total = places_of_digits(words, shift, starts)
    mask = word(len(starts) - 1)
    for i in range(len(words)):
        digit = number((words[i] >> word(shift)) & mask)
        place = starts[digit]
        starts[digit] = place + 1
        sorted_words[place] = words[i]
    return total


@compiled
def parts_of(keys: Rows, count: int, parts: int, found: Shorts) -> int:
    """The parts, of a power of two, to which positions belong by their hash."""
    mask = word(parts - 1)
    for i in range(count):
        found[i] = number((hash_of(keys, i) >> word(_PART_SHIFT)) & mask)
    return count


@inlined
def _less(keys: Rows, i: int, others: Rows, j: int) -> bool:
    for k in range(len(keys[0])):
        if keys[i, k] != others[j, k]:
            return bool(keys[i, k] < others[j, k])
    return False


@compiled
def look_up(keys: Rows, values: Shorts, run: Rows, found: Shorts) -> int:
    """Write the values of the positions of a sorted run that are among some sorted positions; how many are not.

    Those that are not keep what `found` has.
    """
    i, count, missing = 0, len(keys), 0
    for j in range(len(run)):
        while i < count and _less(keys, i, run, j):
            i += 1
        if i < count and same_position(keys, i, run, j):
            found[j] = values[i]
        else:
            missing += 1
    return missing


@compiled
def mark_new(keys: Rows, known: Rows, marks: Bytes) -> int:
    """Mark which of some sorted positions are not among others that are sorted; how many."""
    i, count, new = 0, len(known), 0
    for j in range(len(keys)):
        while i < count and _less(known, i, keys, j):
            i += 1
        marks[j] = 0 if i < count and same_position(known, i, keys, j) else 1
        new += number(marks[j])
    return new


@compiled
def find(keys: Rows, first: int, some: Rows, at: int, found: Indices) -> int:
    """Write where sorted positions, from the one with number `at` on, stand among some that are sorted; the first of
    those is number `first`. Ends at one that comes after them all, or is not among them; gives its number."""
    i = 0
    while at < len(some):
        while i < len(keys) and _less(keys, i, some, at):
            i += 1
        if i == len(keys) or not same_position(keys, i, some, at):
            break
        found[at] = first + i
        at += 1
    return at


@compiled
def different(keys: Rows, count: int) -> int:
    """Keep one of equal positions that are sorted; how many there are then."""
    kept = 0
    for i in range(count):
        if i == 0 or not same_position(keys, i, keys, kept - 1):
            for k in range(len(keys[0])):
                keys[kept, k] = keys[i, k]
            kept += 1
    return kept


# ---- blocks


@inlined
def _bytes_for(most: Word) -> int:
    """How many bytes a number takes."""
    found = 0
    while most != EMPTY:
        most = most >> word(8)
        found += 1
    return found


@inlined
def _put_word(payload: Bytes, at: int, value: Word, size: int) -> int:
    for b in range(size):
        payload[at + b] = number((value >> word(8 * b)) & word(255))
    return at + size


@inlined
def _entry(keys: Rows, i: int, first: int, k: int, base: Word) -> Word:
    """What is kept of a word of a position."""
    before = base if k > 0 else keys[first, 0] if i == first else keys[i - 1, 0]
    left: Word = keys[i, k] - before
    return left


@compiled
def encode_block(keys: Rows, first: int, last: int, payload: Bytes, at: int) -> int:
    """Write the block of the sorted positions from `first` to `last`; where it ends."""
    for k in range(len(keys[0])):
        base = keys[first, k]
        if k > 0:
            for i in range(first, last):
                if keys[i, k] < base:
                    base = keys[i, k]
        most = word(0)
        for i in range(first, last):
            most = most | _entry(keys, i, first, k, base)
        size = _bytes_for(most)
        payload[at] = size
        at = _put_word(payload, at + 1, base, 8)
        for i in range(first, last):
            at = _put_word(payload, at, _entry(keys, i, first, k, base), size)
    return at


@inlined
def _get_word(payload: Bytes, at: int, size: int) -> Word:
    found = word(0)
    for b in range(size):
        found = found | (word(payload[at + b]) << word(8 * b))
    return found


@inlined
def _column(payload: Bytes, at: int, keys: Rows, k: int, first: int, last: int, base: Word, size: int) -> int:
    """Read the entries of a column, each of so many bytes; where they end."""
    before = base
    for i in range(first, last):
        entry = _get_word(payload, at, size)
        if k == 0:
            before = before + entry
            keys[i, 0] = before
        else:
            keys[i, k] = base + entry
        at += size
    return at


@compiled
def decode_block(payload: Bytes, at: int, keys: Rows, first: int, last: int) -> int:
    """Read a block into the positions from `first` to `last`; where it ends."""
    for k in range(len(keys[0])):
        size = number(payload[at])
        base = _get_word(payload, at + 1, 8)
        at += 9
        # Sizes that are known to the compiler make loops four times as fast.
        if size == 1:
            at = _column(payload, at, keys, k, first, last, base, 1)
        elif size == 2:
            at = _column(payload, at, keys, k, first, last, base, 2)
        elif size == 3:
            at = _column(payload, at, keys, k, first, last, base, 3)
        elif size == 4:
            at = _column(payload, at, keys, k, first, last, base, 4)
        else:
            at = _column(payload, at, keys, k, first, last, base, size)
    return at
