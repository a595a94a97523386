"""A union-find for hooks: which cells make a chain, and what marks the chain has, such as the sides that it touches.

A row keeps a word for each cell from `parent` on (`@keep`). A word has a cell of the same chain, its own for the first
of the chain, above 16 bits of marks; those of a chain are at its first cell. Words of cells that are in no chain do not
count. Hooks import what they call: these are parts, and become part of the kernel's text.
"""

from __future__ import annotations

from interpreter.compiler.runtime.types import Int, Row
from interpreter.hooks import number, part, word


@part
def chain(state: Row, parent: Int, cell: Int) -> Int:
    """The first cell of a cell's chain; the way there is shortened."""
    above = number(state[parent + cell]) >> 16
    while above != cell:
        further = state[parent + above]
        state[parent + cell] = further
        cell = above
        above = number(further) >> 16
    return cell


@part
def marks(state: Row, parent: Int, first: Int) -> Int:
    """The marks of the chain with this first cell."""
    return number(state[parent + first]) & 0xFFFF


@part
def join(state: Row, parent: Int, cell: Int, first: Int, result: Int) -> None:
    """Put a cell, or the chain of which it is the first, into the chain with this first cell; with these marks."""
    state[parent + cell] = word((first << 16) | result)
