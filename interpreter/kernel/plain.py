"""The primitives that a kernel's text imports, in plain Python, with the same names as in `interpreter.kernel.native`.

A word is 64 cells, a row the words of a position: here plain ints in a list. A kernel's text imports either module, so
that it also runs in a debugger, and without Numba.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from interpreter.kernel.wide_plain import both, count, either, equal, minus, of_words, read, shift, single, some, write

__all__ = ["both", "count", "either", "equal", "minus", "of_words", "read", "shift", "single", "some", "write"]

Function = TypeVar("Function", bound=Callable[..., Any])

COMPILED = False

abreast = range
"""A range whose iterations are independent, so that a compiler may vectorize the loop."""


def jit(function: Function) -> Function:
    """Return a function called within a kernel unchanged."""
    return function


def called(function: Function) -> Function:
    """Return a function called within a kernel unchanged."""
    return function


def entry(function: Function) -> Function:
    """Return a kernel function called from outside unchanged."""
    return function


def solver(*signature: str) -> Callable[[Function], Function]:
    """Return a solver's entry unchanged; its arguments have the types of `interpreter.kernel.signatures`."""
    return lambda function: function


def word(number: int) -> int:
    """A number as a word of a row; negative ones stay as they are."""
    return number


def number(word: int) -> int:
    """A word of a row as a number."""
    return word


ONE, EMPTY, FULL = 1, 0, (1 << 64) - 1


def popcount(cells: int) -> int:
    """The number of cells in a word."""
    return cells.bit_count()


def lowest(cells: int) -> int:
    """The lowest cell of a word, which must not be empty."""
    return (cells & -cells).bit_length() - 1


def highest(cells: int) -> int:
    """The highest cell of a word, which must not be empty."""
    return cells.bit_length() - 1


def nth(cells: int, place: int) -> int:
    """The cell of a word that has `place` lower cells before it."""
    for _ in range(place):
        cells &= cells - 1
    return lowest(cells)


def extract(cells: int, mask: int) -> int:
    """Extract the bits of a word selected by a mask into the low bits."""
    result = place = 0
    while mask:
        result |= (cells >> lowest(mask) & 1) << place
        mask &= mask - 1
        place += 1
    return result


def deposit(bits: int, mask: int) -> int:
    """Deposit the low bits of a word at the places selected by a mask."""
    result = 0
    while mask:
        result |= (bits & 1) << lowest(mask)
        mask &= mask - 1
        bits >>= 1
    return result


_ALL = (1 << 64) - 1
STEP, FIRST_FACTOR, SECOND_FACTOR = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
"""The constants of SplitMix64 (Steele, Lea and Flood, 2014)."""


def scramble(seed: int) -> int:
    """The random word that SplitMix64 outputs for a state (the caller advances the state with `stir`)."""
    seed = (seed ^ (seed >> 30)) * FIRST_FACTOR & _ALL
    seed = (seed ^ (seed >> 27)) * SECOND_FACTOR & _ALL
    return seed ^ (seed >> 31)


def stir(seed: int) -> int:
    """The state of a random sequence after one step."""
    return (seed + STEP) & _ALL


def below(random: int, limit: int) -> int:
    """A number from 0 to limit - 1 from a random word; limit is below 2**32."""
    return (random >> 32) * limit >> 32


class Grid(list[list[int]]):
    """Rows of numbers, indexed as `grid[row, place]`."""

    def __getitem__(self, place: Any) -> Any:
        """Return a row, a slice of rows, or a number in a row."""
        if isinstance(place, tuple):
            return list.__getitem__(self, place[0])[place[1]]
        result = list.__getitem__(self, place)
        return Grid(result) if isinstance(place, slice) else result

    def __setitem__(self, place: Any, value: Any) -> None:
        """Set a row, or a number in a row."""
        if isinstance(place, tuple):
            list.__getitem__(self, place[0])[place[1]] = value
        else:
            list.__setitem__(self, place, value)


def lists(count: int, width: int) -> list[list[int]]:
    """Allocate `count` zeroed rows of words or numbers, indexed as `lists[row][place]`, for plain functions."""
    return [[0] * width for _ in range(count)]


def rows(count: int, width: int) -> Grid:
    """Allocate `count` zeroed rows of words."""
    return Grid([0] * width for _ in range(count))


def numbers(count: int, width: int) -> Grid:
    """Allocate `count` zeroed rows of numbers."""
    return Grid([0] * width for _ in range(count))


def row(width: int) -> list[int]:
    """Allocate a zeroed row of words."""
    return [0] * width


def line(width: int) -> list[int]:
    """Allocate a zeroed row of numbers."""
    return [0] * width


def as_table(values: list[int], *, words: bool) -> list[int]:
    """A constant table of a kernel."""
    return values
