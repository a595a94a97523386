"""Sorted packed positions: merging lists, delta-coded blocks, and looking up one sorted list in another.

A block has a column for each word of a position: a byte with the number of bytes of an entry, 8 bytes with the base,
then the entries, little-endian. Entries of the first column are differences from the position before, those of the
other columns are differences from the base, the column's least word.

Arrays: `keys`, `others`, `joined`, `known`, `run` and `some` uint64[n, width], packed positions; `values` and the
`result` of `look_up` uint16[n], that of `find` uint32[n]; `marks` uint8[n]; `payload` uint8[bytes]; `directory`
uint64[blocks, width + 2], for each block its first position, where it begins, its checksum.
"""

from __future__ import annotations

from interpreter.kernel.plain import EMPTY, number, word
from solver.native.functions import Bytes, Indices, Rows, Shorts, Word, compiled, inlined
from solver.native.position_set import same_position


@inlined
def _less(keys: Rows, i: int, others: Rows, j: int) -> bool:
    for k in range(len(keys[0])):
        if keys[i, k] != others[j, k]:
            return bool(keys[i, k] < others[j, k])
    return False


@compiled
def look_up(keys: Rows, values: Shorts, run: Rows, result: Shorts) -> int:
    """Write the value of each position of the sorted `run` that is in the sorted `keys`; return how many are not.

    `result` is unchanged for those that are not. Neither list has duplicates. Which list advances is unpredictable, so
    positions of one word are compared without branches.
    """
    i, j, count, size = 0, 0, len(keys), len(run)
    met = 0
    if len(keys[0]) == 1:
        while i < count and j < size:
            key, wanted = keys[i, 0], run[j, 0]
            result[j] = values[i] if key == wanted else result[j]
            met += 1 if key == wanted else 0
            i += 1 if key <= wanted else 0
            j += 1 if wanted <= key else 0
    else:
        while i < count and j < size:
            if same_position(keys, i, run, j):
                result[j] = values[i]
                met += 1
                i += 1
                j += 1
            elif _less(keys, i, run, j):
                i += 1
            else:
                j += 1
    return size - met


@compiled
def mark_new(keys: Rows, known: Rows, marks: Bytes) -> int:
    """Mark the positions of the sorted `keys` that are not in the sorted `known`; return how many there are."""
    i, count, new = 0, len(known), 0
    for j in range(len(keys)):
        while i < count and _less(known, i, keys, j):
            i += 1
        marks[j] = 0 if i < count and same_position(known, i, keys, j) else 1
        new += number(marks[j])
    return new


@compiled
def find(keys: Rows, first: int, some: Rows, at: int, result: Indices) -> int:
    """Write the number of each position of the sorted `some`, from index `at` on, in the sorted `keys`.

    The first of `keys` has the number `first`. Stops at a position that comes after all of `keys` or is not among them;
    returns its index.
    """
    i = 0
    while at < len(some):
        while i < len(keys) and _less(keys, i, some, at):
            i += 1
        if i == len(keys) or not same_position(keys, i, some, at):
            break
        result[at] = first + i
        at += 1
    return at


@inlined
def _take(keys: Rows, i: int, joined: Rows, at: int) -> None:
    for k in range(len(joined[0])):
        joined[at, k] = keys[i, k]


@compiled
def merge(keys: Rows, others: Rows, joined: Rows) -> int:
    """Merge two sorted lists without duplicates into a sorted list without duplicates; return its length."""
    i, j, count, size = 0, 0, len(keys), len(others)
    at = 0
    if len(joined[0]) == 1:
        while i < count and j < size:
            key, other = keys[i, 0], others[j, 0]
            joined[at, 0] = min(key, other)
            i += 1 if key <= other else 0
            j += 1 if other <= key else 0
            at += 1
    else:
        while i < count and j < size:
            if _less(keys, i, others, j):
                _take(keys, i, joined, at)
                i += 1
            else:
                _take(others, j, joined, at)
                i += 1 if same_position(keys, i, others, j) else 0
                j += 1
            at += 1
    while i < count:
        _take(keys, i, joined, at)
        i += 1
        at += 1
    while j < size:
        _take(others, j, joined, at)
        j += 1
        at += 1
    return at


# ---- blocks


@inlined
def _bytes_for(most: Word) -> int:
    """The number of bytes that a number takes."""
    result = 0
    while most != EMPTY:
        most = most >> word(8)
        result += 1
    return result


@inlined
def _put_word(payload: Bytes, at: int, value: Word, size: int) -> int:
    for b in range(size):
        payload[at + b] = number((value >> word(8 * b)) & word(255))
    return at + size


@inlined
def _entry(keys: Rows, i: int, first: int, k: int, base: Word) -> Word:
    """The entry that stores word `k` of a position."""
    before = base if k > 0 else keys[first, 0] if i == first else keys[i - 1, 0]
    left: Word = keys[i, k] - before
    return left


@inlined
def _put_column(keys: Rows, first: int, last: int, k: int, base: Word, payload: Bytes, at: int, size: int) -> int:
    """Write the entries of a column, `size` bytes each; return the offset of their end."""
    for i in range(first, last):
        at = _put_word(payload, at, _entry(keys, i, first, k, base), size)
    return at


@inlined
def _put_block(keys: Rows, first: int, last: int, payload: Bytes, at: int) -> int:
    """Write the block of the sorted positions from `first` to `last`; return the offset of its end."""
    for k in range(len(keys[0])):
        base = keys[first, k]
        if k > 0:
            for i in range(first, last):
                base = min(base, keys[i, k])
        most = word(0)
        for i in range(first, last):
            most = most | _entry(keys, i, first, k, base)
        size = _bytes_for(most)
        payload[at] = size
        at = _put_word(payload, at + 1, base, 8)
        # Constant sizes make the compiled loops several times as fast.
        if size == 2:
            at = _put_column(keys, first, last, k, base, payload, at, 2)
        elif size == 3:
            at = _put_column(keys, first, last, k, base, payload, at, 3)
        elif size == 4:
            at = _put_column(keys, first, last, k, base, payload, at, 4)
        else:
            at = _put_column(keys, first, last, k, base, payload, at, size)
    return at


@compiled
def encode(keys: Rows, block: int, payload: Bytes, directory: Rows) -> int:
    """Write sorted positions in blocks of `block` positions; return the offset of their end.

    `directory` gets the first position and the offset of each block.
    """
    at, width = 0, len(keys[0])
    for index in range(len(directory)):
        first = index * block
        for k in range(width):
            directory[index, k] = keys[first, k]
        directory[index, width] = word(at)
        at = _put_block(keys, first, min(len(keys), first + block), payload, at)
    return at


@inlined
def _get_word(payload: Bytes, at: int, size: int) -> Word:
    result = word(0)
    for b in range(size):
        result = result | (word(payload[at + b]) << word(8 * b))
    return result


@inlined
def _column(payload: Bytes, at: int, keys: Rows, k: int, first: int, last: int, base: Word, size: int) -> int:
    """Read the entries of a column, `size` bytes each; return the offset of their end."""
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


@inlined
def _get_block(payload: Bytes, at: int, keys: Rows, first: int, last: int) -> int:
    """Read a block into the positions from `first` to `last`; return the offset of its end."""
    for k in range(len(keys[0])):
        size = number(payload[at])
        base = _get_word(payload, at + 1, 8)
        at += 9
        # Constant sizes make the compiled loops four times as fast.
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


@compiled
def decode(payload: Bytes, directory: Rows, start: int, end: int, block: int, keys: Rows) -> int:
    """Read the blocks from `start` to `end` into `keys`; return the number of positions."""
    width = len(keys[0])
    for index in range(start, end):
        first = (index - start) * block
        _get_block(payload, number(directory[index, width]), keys, first, min(len(keys), first + block))
    return len(keys)
