"""Links between cells: for each cell, `starts` is the index in `numbers` and `ends` at which its links begin."""

from __future__ import annotations

from interpreter.compiler.runtime.sets import either, nothing, single
from interpreter.compiler.runtime.types import EMPTY, ONE, Bool, BoolOf, Cells, Int, Row, Static, Table


def link_between(one: Int, other: Int, starts: Table, numbers: Table, ends: Table) -> Int:
    """The number of the link between two cells, -1 where none is possible."""
    for k in range(starts[one], starts[one + 1]):
        if ends[k] == other:
            return numbers[k]
    return -1


def has_link(row: Row, link: Int, begin: Static) -> Bool:
    """Whether a link is set; the set of links begins at index `begin` of the row."""
    return (row[begin + (link >> 6)] >> (link & 63)) & ONE != EMPTY


def crossed(row: Row, link: Int, starts: Table, crossings: Table, there: BoolOf) -> Bool:
    """Whether a link that is set crosses a given one; `starts` has the index in `crossings` of each link's first."""
    for k in range(starts[link], starts[link + 1]):
        if there(row, crossings[k]):
            return True
    return False


def never_crossed(row: Row, link: Int) -> Bool:
    """Stands in for `crossed` where no links cross."""
    return False


def linked_to(row: Row, cell: Int, starts: Table, numbers: Table, ends: Table, there: BoolOf, words: Static) -> Cells:
    """The cells that a cell is linked to."""
    found = nothing(words)
    if cell < 0:
        return found
    for k in range(starts[cell], starts[cell + 1]):
        if there(row, numbers[k]):
            found = either(found, single(ends[k], words))
    return found
