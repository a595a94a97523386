"""A union-find for hooks: the chains of connected cells, with marks of each chain, such as the sides that it touches.

A row has a word for each cell from `parent` on (`@keep`). The low 16 bits of a word are marks, the bits above the
parent, a cell of the same chain, the cell itself for the root; a chain's marks are those of its root. Words of cells
that are in no chain are ignored. Hooks import the functions that they call; as `@part`s these become part of the
kernel's text.
"""

from __future__ import annotations

from interpreter.compiler.runtime.types import Int, Row
from interpreter.hooks import number, part, word


@part
def chain(state: Row, parent: Int, cell: Int) -> Int:
    """The root of a cell's chain, with path compression."""
    above = number(state[parent + cell]) >> 16
    while above != cell:
        further = state[parent + above]
        state[parent + cell] = further
        cell = above
        above = number(further) >> 16
    return cell


@part
def marks(state: Row, parent: Int, first: Int) -> Int:
    """The marks of the chain with the root `first`."""
    return number(state[parent + first]) & 0xFFFF


@part
def join(state: Row, parent: Int, cell: Int, first: Int, result: Int) -> None:
    """Set the parent of `cell` to the root `first`, and the marks in the word of `cell` to `result`.

    Adds a new cell, or the chain with the root `cell`, to the chain of `first`; with `cell` equal to `first`, makes it
    a root with these marks.
    """
    state[parent + cell] = word((first << 16) | result)
