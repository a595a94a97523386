"""The types and primitives of runtime functions, as they are when these run as plain Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias, TypeVar

from interpreter.kernel.plain import (
    EMPTY,
    FULL,
    ONE,
    below,
    deposit,
    extract,
    highest,
    line,
    lowest,
    nth,
    number,
    numbers,
    popcount,
    row,
    rows,
    scramble,
    stir,
    word,
)

__all__ = [
    "EMPTY", "FULL", "ONE", "Bool", "BoolOf", "Cells", "CellsOf", "FlagRows", "Flags", "Int", "IntOf", "Line", "Lines",
    "Pages", "Row", "Rows", "Sets", "Static", "StaticBool", "Table", "Tables", "Word", "WordTable", "WordTables",
    "below", "deposit", "entry", "extract", "highest", "line", "lowest", "members", "nth", "number", "numbers",
    "popcount", "row", "rows", "scramble", "stir", "unrolled", "word",
]  # fmt: skip

Function = TypeVar("Function", bound=Callable[..., Any])
Int: TypeAlias = int
"""A signed number: a cell, a player, a piece, a count; -1 stands for nothing."""
Bool: TypeAlias = bool
Word: TypeAlias = int
"""An unsigned 64-bit word."""
Cells: TypeAlias = tuple[int, ...]
"""A set of cells as a bitset, 64 cells a word."""
Row: TypeAlias = list[int]
"""uint64[WIDTH]: the words of a position."""
Rows: TypeAlias = Any
"""uint64[rows, WIDTH]: rows of words, of which `scratch[0]` is one and `scratch[0, 1]` a word."""
Line: TypeAlias = list[int]
"""int64[n]: mutable numbers, such as a move, [MOVE_WIDTH]: its rule, the number of its values, and the values."""
Lines: TypeAlias = Any
"""int64[n, width]: rows of numbers, of which `entries[e, 0]` is one (`interpreter.kernel.plain.Grid`)."""
Pages: TypeAlias = Any
"""int64[m, n, width]: several `Lines`."""
Flags: TypeAlias = list[bool]
"""bool[n]: mutable truth values."""
FlagRows: TypeAlias = Any
"""bool[n, width]: rows of truth values."""
Static: TypeAlias = int
"""A number that is known when a kernel is made."""
StaticBool: TypeAlias = bool
"""A truth value that is known when a kernel is made."""
Table: TypeAlias = Sequence[int]
"""int64[n]: constant numbers."""
WordTable: TypeAlias = Sequence[int]
"""uint64[n]: constant words; a table of sets has the words of one set after another."""
Tables: TypeAlias = Sequence[Table]
"""Several tables; the index of the one used must be known when a kernel is made."""
WordTables: TypeAlias = Sequence[WordTable]
"""Several tables of words."""
Sets: TypeAlias = Sequence[Cells]
"""Several sets that are known when a kernel is made; the index of the one used must be known, too."""
CellsOf: TypeAlias = Callable[..., Cells]
"""A function of the kernel that returns a set; which one is known when the kernel is made."""
IntOf: TypeAlias = Callable[..., Int]
"""One that returns a number."""
BoolOf: TypeAlias = Callable[..., Bool]
"""One that returns a truth value."""


def entry(function: Function) -> Function:
    """Mark a function that can be called from outside of kernels."""
    return function


def unrolled(numbers: range) -> range:
    """Mark the range of a loop that is unrolled in kernels."""
    return numbers


def members(cells: Cells) -> Iterator[Int]:
    """The cells of a set, in board order."""
    for part, rest in enumerate(cells):
        left = rest
        while left != EMPTY:
            yield 64 * part + lowest(left)
            left &= left - ONE
