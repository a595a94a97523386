"""What runtime functions work on, as Python has it when they are called as they are."""

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
"""A number with a sign: a cell, a player, a piece, a count; nothing is -1."""
Bool: TypeAlias = bool
Word: TypeAlias = int
"""A word of 64 bits without a sign."""
Cells: TypeAlias = tuple[int, ...]
"""A set of cells, 64 a word."""
Row: TypeAlias = list[int]
"""uint64[WIDTH]: the words of a position."""
Rows: TypeAlias = Any
"""uint64[rows, WIDTH]: rows of words, of which `scratch[0]` is one and `scratch[0, 1]` a word."""
Line: TypeAlias = list[int]
"""int64[n]: numbers that functions change, such as a move, [MOVE_WIDTH]: its rule, how many values, and these."""
Lines: TypeAlias = Any
"""int64[n, width]: rows of numbers, of which `entries[e, 0]` is one (`interpreter.kernel.plain.Grid`)."""
Pages: TypeAlias = Any
"""int64[m, n, width]: several of these."""
Flags: TypeAlias = list[bool]
"""bool[n]: truth values that functions change."""
FlagRows: TypeAlias = Any
"""bool[n, width]: rows of truth values."""
Static: TypeAlias = int
"""A number that is known when a kernel is made."""
StaticBool: TypeAlias = bool
"""A truth value that is."""
Table: TypeAlias = Sequence[int]
"""int64[n]: constant numbers."""
WordTable: TypeAlias = Sequence[int]
"""uint64[n]: constant words; a table of sets has the words of one after another."""
Tables: TypeAlias = Sequence[Table]
"""Several tables; which of them is used must be known when a kernel is made."""
WordTables: TypeAlias = Sequence[WordTable]
"""Several tables of words."""
Sets: TypeAlias = Sequence[Cells]
"""Several sets that are known when a kernel is made; which of them is used must be known, too."""
CellsOf: TypeAlias = Callable[..., Cells]
"""A function of the kernel that gives a set, known when the kernel is made."""
IntOf: TypeAlias = Callable[..., Int]
"""One that gives a number."""
BoolOf: TypeAlias = Callable[..., Bool]
"""One that gives a truth value."""


def entry(function: Function) -> Function:
    """Mark a function that is called from outside of kernels."""
    return function


def unrolled(numbers: range) -> range:
    """Numbers of a loop that a kernel has written out once for each."""
    return numbers


def members(cells: Cells) -> Iterator[Int]:
    """The cells of a set, in board order."""
    for part, rest in enumerate(cells):
        left = rest
        while left != EMPTY:
            yield 64 * part + lowest(left)
            left &= left - ONE
