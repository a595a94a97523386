"""Conversions of sets of cells for tests of runtime functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, get_type_hints

from hypothesis import strategies as st

from interpreter.boards import Board

WORD = (1 << 64) - 1


def words_of(mask: int, words: int) -> tuple[int, ...]:
    """A bitmask as words."""
    return tuple(mask >> 64 * part & WORD for part in range(words))


def mask_of(words: Iterable[int]) -> int:
    """The inverse of `words_of`."""
    return sum(part << 64 * place for place, part in enumerate(words))


def table_of(masks: Iterable[int], words: int) -> list[int]:
    """Concatenate the words of some sets."""
    return [part for mask in masks for part in words_of(mask, words)]


def cells_of(mask: int) -> set[int]:
    """The cells of a set."""
    return {cell for cell in range(mask.bit_length()) if mask >> cell & 1}


def steps_of(board: Board) -> list[int]:
    """The table of steps: those from no cell, then those of each cell."""
    return [-1] * len(board.directions) + [step for steps in board.steps for step in steps]


def starts_of(rows: Sequence[Sequence[object]]) -> list[int]:
    """The start of each row in their concatenation, and the total length."""
    return [sum(map(len, rows[:place])) for place in range(len(rows) + 1)]


def masks(cells: int) -> st.SearchStrategy[int]:
    """Random subsets of `cells` cells: full, empty and in between."""
    some = st.integers(0, (1 << cells) - 1)
    return st.one_of(some, st.builds(lambda one, other: one & other, some, some), st.just(0), st.just((1 << cells) - 1))


def records_of(function: Callable[..., object], known: Mapping[str, Any]) -> dict[str, Any]:
    """The keyword arguments of a runtime function, by its parameters' names. Records get the known fields, and 0 for
    the others."""
    found: dict[str, Any] = {}
    for name, annotation in get_type_hints(function).items():
        if fields := getattr(annotation, "_fields", None):
            found[name] = annotation(**{field: known.get(field, 0) for field in fields})
        elif name in known:
            found[name] = known[name]
    return found
