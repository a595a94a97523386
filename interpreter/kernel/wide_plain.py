"""Bitsets of many words in plain Python: tuples, with the functions of `interpreter.kernel.wide`."""

from __future__ import annotations

from collections.abc import Sequence
from operator import and_, or_

Cells = tuple[int, ...]

_ALL = (1 << 64) - 1


def of_words(words: Cells) -> Cells:
    """A constant set from its words."""
    return words


def either(one: Cells, other: Cells) -> Cells:
    """The union of two sets."""
    return tuple(map(or_, one, other))


def both(one: Cells, other: Cells) -> Cells:
    """The intersection of two sets."""
    return tuple(map(and_, one, other))


def minus(a: Cells, b: Cells) -> Cells:
    """The difference of two sets: a without b."""
    return tuple([one & ~other for one, other in zip(a, b, strict=True)])


def some(cells: Cells) -> bool:
    """Whether a set is not empty."""
    return any(cells)


def equal(one: Cells, other: Cells) -> bool:
    """Whether two sets are equal."""
    return one == other


def count(cells: Cells) -> int:
    """The number of cells of a set."""
    return sum([part.bit_count() for part in cells])


def single(cell: int, like: Cells) -> Cells:
    """The set of one cell, with as many words as `like`."""
    return tuple([1 << (cell & 63) if part == cell >> 6 else 0 for part in range(len(like))])


def shift(cells: Cells, by: int) -> Cells:
    """A set shifted by a number of cells in board order."""
    whole = 0
    for part in reversed(cells):
        whole = whole << 64 | part
    whole = whole << by if by > 0 else whole >> -by
    return tuple([whole >> 64 * index & _ALL for index in range(len(cells))])


def read(row: Sequence[int], at: int, like: Cells) -> Cells:
    """Load the set that begins at index `at` of a row or table, with as many words as `like`."""
    return tuple(row[at : at + len(like)])


def write(row: list[int], at: int, cells: Cells) -> None:
    """Store a set in a row, from index `at` on."""
    row[at : at + len(cells)] = cells
