"""Sets of many words in plain Python: tuples, with the functions of `interpreter.kernel.wide`."""

from __future__ import annotations

from collections.abc import Sequence
from operator import and_, or_

Cells = tuple[int, ...]

_ALL = (1 << 64) - 1


def of_words(words: Cells) -> Cells:
    """A constant set of its words."""
    return words


def either(one: Cells, other: Cells) -> Cells:
    """What is in one of two sets."""
    return tuple(map(or_, one, other))


def both(one: Cells, other: Cells) -> Cells:
    """What is in both of two sets."""
    return tuple(map(and_, one, other))


def minus(a: Cells, b: Cells) -> Cells:
    """What is in the first set and not in the other."""
    return tuple([one & ~other for one, other in zip(a, b, strict=True)])


def some(cells: Cells) -> bool:
    """Whether a set has a cell."""
    return any(cells)


def equal(one: Cells, other: Cells) -> bool:
    """Whether two sets are the same."""
    return one == other


def count(cells: Cells) -> int:
    """How many cells a set has."""
    return sum([part.bit_count() for part in cells])


def single(cell: int, like: Cells) -> Cells:
    """The set of one cell, with as many words as another set."""
    return tuple([1 << (cell & 63) if part == cell >> 6 else 0 for part in range(len(like))])


def shift(cells: Cells, by: int) -> Cells:
    """A set shifted by so many cells in board order."""
    whole = 0
    for part in reversed(cells):
        whole = whole << 64 | part
    whole = whole << by if by > 0 else whole >> -by
    return tuple([whole >> 64 * index & _ALL for index in range(len(cells))])


def read(row: Sequence[int], at: int, like: Cells) -> Cells:
    """The set that begins at a place of a row or table, with as many words as another set."""
    return tuple(row[at : at + len(like)])


def write(row: list[int], at: int, cells: Cells) -> None:
    """Put a set into a row, from a place on."""
    row[at : at + len(cells)] = cells
