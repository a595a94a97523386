"""Decorators that mark the functions of searches for compilation, and the types of their arguments.

The other modules of this package are written in terms of words and numbers, with the functions of
`interpreter.kernel.plain`: imported as they are, they run as plain Python, and a debugger steps through them.
`solver.native.runtime` provides the same modules compiled by Numba. A mark changes nothing in a function; it says how
the function is compiled. A `compiled` function is compiled for the types of its signature, which may only be those
named here, records, and named tuples of these.
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
"""An unsigned 64-bit integer."""
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
"""int32[n]: indices, negative for none."""
Planes: TypeAlias = "NDArray[np.int64]"
"""int64[n, m, width]: lines for each ply."""
Records: TypeAlias = Sequence[Record]
"""record[n]: a structured array, whose items have the fields of an attrs class; see `records` for their dtypes."""

Expand: TypeAlias = Callable[[Row, Rows, Lines, Lines, Rows], int]
"""expand(position, positions after, moves, entries, scratch) -> number of moves; see `interpreter.kernel.signatures`.
"""
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
    """How a function is compiled."""

    entry: bool
    """Whether it is called from Python; else it is compiled as a part of its callers."""
    at_once: bool = False
    """Whether an entry is compiled when its module is loaded, because it is passed in place of a kernel's entry."""
    inlined: bool = False
    """Whether a part is always inlined; else LLVM decides."""


def mark_of(value: object) -> Mark | None:
    """The mark of a function; None for anything unmarked."""
    result = getattr(value, "solver_mark", None)
    return result if isinstance(result, Mark) else None


def _marking(mark: Mark) -> Callable[[Function], Function]:
    def put(function: Function) -> Function:
        vars(function)["solver_mark"] = mark
        return function

    return put


def inlined(function: Function) -> Function:
    """Mark a step of a search, separate only for readability, that is always inlined into its callers."""
    return _marking(Mark(entry=False, inlined=True))(function)


def part(function: Function) -> Function:
    """Mark a function that others of this package call in several places; LLVM decides whether to inline it."""
    return _marking(Mark(entry=False))(function)


def compiled(function: Function) -> Function:
    """Mark a function that Python calls; it is compiled, or loaded from disk, on its first call.

    It must return a number and allocate nothing; it runs without the interpreter's lock.
    """
    return _marking(Mark(entry=True))(function)


def handed_in(function: Function) -> Function:
    """Mark a function that is passed in place of a kernel's entry."""
    return _marking(Mark(entry=True, at_once=True))(function)


def add_to(numbers: Line, index: int, amount: int) -> int:
    """Atomically add to an item of `numbers` (int64[n]), which threads share; return its value before."""
    before: int = numbers[index]
    numbers[index] = before + amount
    return before


def exchange(numbers: Line, index: int, expected: int, wanted: int) -> bool:
    """Compare and swap: atomically set an item of `numbers` (int64[n]) to `wanted` if it is `expected`; whether it was.

    Threads that see the new number see everything that this thread wrote before, and this thread what they wrote.
    """
    if numbers[index] != expected:
        return False
    numbers[index] = wanted
    return True


def prefetch(array: Rows, index: int) -> None:
    """Prefetch a word or row of `array` (uint64[n] or [n, width]) that will soon be needed."""
