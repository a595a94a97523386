"""Operations on sets of cells, as tuples of words: see `interpreter.compiler.operations`."""

from __future__ import annotations

from interpreter.compiler.runtime.types import (
    EMPTY,
    FULL,
    ONE,
    Bool,
    Cells,
    Int,
    Row,
    Static,
    Word,
    WordTable,
    lowest,
    nth,
    popcount,
    unrolled,
)


def both(a: Cells, b: Cells) -> Cells:
    """What is in both of two sets."""
    return tuple(a[k] & b[k] for k in range(len(a)))


def either(a: Cells, b: Cells) -> Cells:
    """What is in one of two sets."""
    return tuple(a[k] | b[k] for k in range(len(a)))


def minus(a: Cells, b: Cells) -> Cells:
    """What is in a and not in b."""
    return tuple(a[k] & ~b[k] for k in range(len(a)))


def some(a: Cells) -> Bool:
    """Whether a set has a cell."""
    found = a[0]
    for k in unrolled(range(1, len(a))):
        found |= a[k]
    return found != EMPTY


def equal(a: Cells, b: Cells) -> Bool:
    """Whether two sets are the same."""
    return all(a[k] == b[k] for k in range(len(a)))


def count(a: Cells) -> Int:
    """How many cells a set has."""
    return sum(popcount(a[k]) for k in range(len(a)))


def has(a: Cells, c: Int) -> Bool:
    """Whether a cell is in a set."""
    return (a[c >> 6] >> (c & 63)) & ONE != EMPTY


def first(a: Cells) -> Int:
    """The first cell of a set, which has one."""
    if len(a) > 12:
        part = 0
        while a[part] == EMPTY:
            part += 1
        return (part << 6) + lowest(a[part])
    for k in unrolled(range(len(a) - 1)):
        if a[k] != EMPTY:
            return 64 * k + lowest(a[k])
    return 64 * (len(a) - 1) + lowest(a[len(a) - 1])


def pick(a: Cells, k: Int) -> Int:
    """The cell of a set with so many before it."""
    if len(a) > 8:
        part = 0
        size = popcount(a[0])
        while k >= size:
            k -= size
            part += 1
            size = popcount(a[part])
        return (part << 6) + nth(a[part], k)
    # Without a jump that nobody can foresee.
    found = a[0]
    base = 0
    before = 0
    size = 0
    for part in unrolled(range(1, len(a))):
        size += popcount(a[part - 1])
        beyond = k >= size
        found = a[part] if beyond else found
        base = 64 * part if beyond else base
        before = size if beyond else before
    return base + nth(found, k - before)


def single(c: Int, words: Static) -> Cells:
    """The set of one cell."""
    return tuple((ONE << (c & 63)) if c >> 6 == k else EMPTY for k in range(words))


def nothing(words: Static) -> Cells:
    """The empty set."""
    return tuple(EMPTY for k in range(words))


def at(row: Row, place: Int, words: Static) -> Cells:
    """The set that begins at a place of a row or table."""
    return tuple(row[place + k] for k in range(words))


def store(row: Row, place: Int, cells: Cells) -> None:
    """Put a set into a row, from a place on."""
    for k in unrolled(range(len(cells))):
        row[place + k] = cells[k]


def holds(row: Row, place: Int, c: Int) -> Bool:
    """Whether a cell is in the set that begins at a place of a row or table."""
    return (row[place + (c >> 6)] >> (c & 63)) & ONE != EMPTY


def of_table(table: WordTable, index: Int, words: Static) -> Cells:
    """The set with a number in a table of sets."""
    return tuple(table[index * words + k] for k in range(words))


def up(a: Cells, by: Static) -> Cells:
    """A set shifted so far on in board order."""
    return tuple(
        ((a[k - by // 64] << by % 64) & FULL if k >= by // 64 else EMPTY)  # in plain Python words would grow
        | (a[k - by // 64 - 1] >> 64 - by % 64 if by % 64 > 0 and k > by // 64 else EMPTY)
        for k in range(len(a)))


def down(a: Cells, by: Static) -> Cells:
    """A set shifted so far back in board order."""
    return tuple(
        (a[k + by // 64] >> by % 64 if k + by // 64 < len(a) else EMPTY)
        | ((a[k + by // 64 + 1] << 64 - by % 64) & FULL if by % 64 > 0 and k + by // 64 + 1 < len(a) else EMPTY)
        for k in range(len(a)))


def moved(a: Cells, by: Static) -> Cells:
    """A set shifted so far on in board order, or back where the number is negative; nothing may leave the board."""
    return up(a, by) if by >= 0 else down(a, -by)


def word_of(cells: Cells, k: Int) -> Word:
    """A word of a set."""
    return cells[k]


def set_at(S: Row, place: Int, words: Static) -> Cells:
    """The set that begins at a place of a row."""
    return at(S, place, words)
