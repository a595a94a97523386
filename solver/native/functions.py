"""Marks for the functions of searches, and the types of what they are given.

The modules beside this one are written in words and numbers, with the names of `interpreter.kernel.plain`: imported as
they are, they run as plain Python, and a debugger steps through them. `solver.native.runtime` gives the same modules
compiled by Numba. A mark changes nothing in a function; it says what becomes of it when it is compiled. The types in a
`compiled` function's signature are its types when it is compiled, so they are only those that are named here, records
and named tuples of these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import attrs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Function = TypeVar("Function", bound=Callable[..., object])
Record = TypeVar("Record")

Word: TypeAlias = int
"""64 bits without a sign."""
Row: TypeAlias = "NDArray[np.uint64]"
"""uint64[n]: words, such as a position's."""
Rows: TypeAlias = "NDArray[np.uint64]"
"""uint64[n, width]: a row for each position."""
Line: TypeAlias = "NDArray[np.int64]"
"""int64[n]: numbers, such as a move's."""
Lines: TypeAlias = "NDArray[np.int64]"
"""int64[n, width]"""
Bytes: TypeAlias = "NDArray[np.uint8]"
"""uint8[n]"""
Shorts: TypeAlias = "NDArray[np.uint16]"
"""uint16[n]"""
Indices: TypeAlias = "NDArray[np.uint32]"
"""uint32[n]"""
Reals: TypeAlias = "NDArray[np.float64]"
"""float64[n]"""
Links: TypeAlias = "NDArray[np.int32]"
"""int32[n]: indices, and less than 0 for none."""
Planes: TypeAlias = "NDArray[np.int64]"
"""int64[n, m, width]: lines for each ply."""
Records: TypeAlias = Sequence[Record]
"""record[n]: a structured array, whose items have the fields of an attrs class as int64."""

Expand: TypeAlias = Callable[[Row, Rows, Lines, Lines, Rows], int]
"""expand(position, positions after, moves, entries, scratch) -> how many; see `interpreter.kernel.signatures`."""
Offer: TypeAlias = Callable[[Row, Lines, Lines, Rows], int]
Candidates: TypeAlias = Callable[[Row, Row, Lines, Lines, Rows], int]
Pack: TypeAlias = Callable[[Row, Row], int]
PackLeast: TypeAlias = Callable[[Row, Row, Line, Rows], int]
Step: TypeAlias = Callable[[Row, Line, Lines, Rows], int]
ValueOf: TypeAlias = Callable[[Row], int]
RandomGame: TypeAlias = Callable[[Row, Word, int, Lines, Rows, Line], int]
Weigh: TypeAlias = Callable[[Row, Lines, int, Line], int]
PayoffOf: TypeAlias = Callable[[Row, int], int]


@attrs.frozen
class Mark:
    """What becomes of a function when it is compiled."""

    entry: bool
    """Whether it is called from Python; else it is a part of what calls it."""
    at_once: bool = False
    """Whether an entry is compiled when its module is loaded, as it is handed in where a kernel's entry is expected."""
    inlined: bool = False
    """Whether a part is put into its callers whatever LLVM thinks of it."""


def mark_of(value: object) -> Mark | None:
    """How a function is marked; None for anything else."""
    result = getattr(value, "solver_mark", None)
    return result if isinstance(result, Mark) else None


def _marking(mark: Mark) -> Callable[[Function], Function]:
    def put(function: Function) -> Function:
        vars(function)["solver_mark"] = mark
        return function

    return put


def inlined(function: Function) -> Function:
    """A step of a search, written apart to be read apart: it becomes part of its callers."""
    return _marking(Mark(entry=False, inlined=True))(function)


def part(function: Function) -> Function:
    """A function that others here call, in several places; LLVM decides whether it becomes part of them."""
    return _marking(Mark(entry=False))(function)


def compiled(function: Function) -> Function:
    """A function that Python calls; compiled, or loaded from disk, when it is first called.

    It gives a number, allocates nothing and frees the interpreter.
    """
    return _marking(Mark(entry=True))(function)


def handed_in(function: Function) -> Function:
    """A function that stands in for an entry of a kernel."""
    return _marking(Mark(entry=True, at_once=True))(function)


def add_to(numbers: Line, index: int, amount: int) -> int:
    """Add to one of some `numbers` (int64[n]) that threads share, in one step; what it was before."""
    before: int = numbers[index]
    numbers[index] = before + amount
    return before


def exchange(numbers: Line, index: int, expected: int, wanted: int) -> bool:
    """Make one of some `numbers` (int64[n]) that threads share another, if it is as expected; whether it was.

    Whoever sees the new one sees everything that this thread wrote before, and this one what others did.
    """
    if numbers[index] != expected:
        return False
    numbers[index] = wanted
    return True


def prefetch(array: Rows, index: int) -> None:
    """Have memory fetched that will soon be needed: a word or row of `array` (uint64[n] or [n, width])."""
