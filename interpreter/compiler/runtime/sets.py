"""Operations on sets of cells that are tuples of words (see `interpreter.compiler.operations`)."""

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
    highest,
    lowest,
    nth,
    popcount,
    unrolled,
)


def both(one: Cells, other: Cells) -> Cells:
    """The intersection of two sets."""
    return tuple(one[k] & other[k] for k in range(len(one)))


def either(one: Cells, other: Cells) -> Cells:
    """The union of two sets."""
    return tuple(one[k] | other[k] for k in range(len(one)))


def minus(one: Cells, other: Cells) -> Cells:
    """The difference of two sets: the cells of the first that are not in the other."""
    return tuple(one[k] & ~other[k] for k in range(len(one)))


def some(cells: Cells) -> Bool:
    """Whether a set is not empty."""
    found = cells[0]
    for k in unrolled(range(1, len(cells))):
        found |= cells[k]
    return found != EMPTY


def equal(one: Cells, other: Cells) -> Bool:
    """Whether two sets are equal."""
    return all(one[k] == other[k] for k in range(len(one)))


def count(cells: Cells) -> Int:
    """The number of cells of a set."""
    return sum(popcount(cells[k]) for k in range(len(cells)))


def has(cells: Cells, cell: Int) -> Bool:
    """Whether a cell is in a set."""
    return (cells[cell >> 6] >> (cell & 63)) & ONE != EMPTY


def first(cells: Cells) -> Int:
    """The first cell of a set, which must not be empty."""
    if len(cells) > 12:
        part = 0
        while cells[part] == EMPTY:
            part += 1
        return (part << 6) + lowest(cells[part])
    for k in unrolled(range(len(cells) - 1)):
        if cells[k] != EMPTY:
            return 64 * k + lowest(cells[k])
    return 64 * (len(cells) - 1) + lowest(cells[len(cells) - 1])


def last(cells: Cells) -> Int:
    """The last cell of a set, which must not be empty."""
    part = len(cells) - 1
    while cells[part] == EMPTY:
        part -= 1
    return (part << 6) + highest(cells[part])


def pick(cells: Cells, k: Int) -> Int:
    """The cell number k of a set, counted from 0 in board order."""
    if len(cells) > 8:
        part = 0
        size = popcount(cells[0])
        while k >= size:
            k -= size
            part += 1
            size = popcount(cells[part])
        return (part << 6) + nth(cells[part], k)
    # Without branches, which would be unpredictable.
    found = cells[0]
    base = 0
    before = 0
    size = 0
    for part in unrolled(range(1, len(cells))):
        size += popcount(cells[part - 1])
        beyond = k >= size
        found = cells[part] if beyond else found
        base = 64 * part if beyond else base
        before = size if beyond else before
    return base + nth(found, k - before)


def single(cell: Int, words: Static) -> Cells:
    """The set of one cell."""
    return tuple((ONE << (cell & 63)) if cell >> 6 == k else EMPTY for k in range(words))


def nothing(words: Static) -> Cells:
    """The empty set."""
    return tuple(EMPTY for k in range(words))


def at(row: Row, place: Int, words: Static) -> Cells:
    """The set that begins at an index of a row or table."""
    return tuple(row[place + k] for k in range(words))


def store(row: Row, place: Int, cells: Cells) -> None:
    """Store a set in a row, beginning at an index."""
    for k in unrolled(range(len(cells))):
        row[place + k] = cells[k]


def holds(row: Row, place: Int, cell: Int) -> Bool:
    """Whether a cell is in the set that begins at an index of a row or table."""
    return (row[place + (cell >> 6)] >> (cell & 63)) & ONE != EMPTY


def of_table(table: WordTable, index: Int, words: Static) -> Cells:
    """The set number `index` of a table of sets."""
    return tuple(table[index * words + k] for k in range(words))


def first_taken(cells: Cells, stripes: WordTable, words: Static) -> Int:
    """The index of the first stripe that has a cell of a set; there must be one."""
    index = 0
    while not some(both(cells, of_table(stripes, index, words))):
        index += 1
    return index


def last_taken(cells: Cells, stripes: WordTable, many: Static, words: Static) -> Int:
    """The index of the last of `many` stripes that has a cell of a set; there must be one."""
    index = many - 1
    while not some(both(cells, of_table(stripes, index, words))):
        index -= 1
    return index


def up(cells: Cells, by: Static) -> Cells:
    """A set shifted forward in board order."""
    return tuple(
        ((cells[k - by // 64] << by % 64) & FULL if k >= by // 64 else EMPTY)  # masked, as ints of Python would grow
        | (cells[k - by // 64 - 1] >> 64 - by % 64 if by % 64 > 0 and k > by // 64 else EMPTY)
        for k in range(len(cells)))


def down(cells: Cells, by: Static) -> Cells:
    """A set shifted backward in board order."""
    return tuple(
        (cells[k + by // 64] >> by % 64 if k + by // 64 < len(cells) else EMPTY)
        | ((cells[k + by // 64 + 1] << 64 - by % 64) & FULL if by % 64 > 0 and k + by // 64 + 1 < len(cells) else EMPTY)
        for k in range(len(cells)))


def moved(cells: Cells, by: Static) -> Cells:
    """A set shifted forward in board order, or backward by a negative number; no cell may leave the board."""
    return up(cells, by) if by >= 0 else down(cells, -by)


def word_of(cells: Cells, k: Int) -> Word:
    """A word of a set."""
    return cells[k]


def set_at(state: Row, place: Int, words: Static) -> Cells:
    """The set that begins at an index of a row."""
    return at(state, place, words)
