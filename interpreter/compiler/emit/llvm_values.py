"""How IR values are represented in LLVM: their types, and the LLVM values that they consist of.

A number or word is an `i64`, a condition an `i1`, a set of cells that is a vector `<N x i64>`. Tuples are always split:
each item is a value of its own, as a local, a parameter and an argument. An array is a pointer to its first element and
its sizes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

import attrs

from interpreter.compiler import ir

ALL: Final = (1 << 64) - 1
_SIGN: Final = 1 << 63


@attrs.frozen
class ArrayValue:
    """An array: a pointer to its first element, and its sizes."""

    pointer: str
    sizes: tuple[str, ...]


Value: TypeAlias = "str | ArrayValue | tuple[Value, ...]"
"""The text of a value in LLVM IR; for a tuple, the values of its items."""


class Unsupported(Exception):
    """A part of a module cannot be written as LLVM IR; the message names it."""


def types_of(sort: ir.Sort) -> list[str]:
    """The LLVM types of the values that represent a sort, in order."""
    match sort:
        case ir.Array(dimensions=dimensions):
            return ["ptr", *["i64"] * dimensions]
        case ir.Product(items=items):
            return [kind for item in items for kind in types_of(item)]
        case ir.Vector(words=words):
            return [f"<{words} x i64>"]
    return [] if sort == ir.NOTHING else ["i1" if sort == ir.BOOL else "i64"]


def stored_type(element: ir.Scalar) -> str:
    """The type of an array's elements in memory."""
    return "i8" if element == ir.BOOL else "i64"


def parts_of(value: Value) -> list[str]:
    """Flatten a value to its LLVM values, in the order of `types_of`."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, ArrayValue):
        return [value.pointer, *value.sizes]
    return [part for item in value for part in parts_of(item)]


def value_of(sort: ir.Sort, parts: Iterator[str]) -> Value:
    """Rebuild a value of a sort from its LLVM values."""
    match sort:
        case ir.Array(dimensions=dimensions):
            return ArrayValue(next(parts), tuple([next(parts) for _ in range(dimensions)]))
        case ir.Product(items=items):
            return tuple([value_of(item, parts) for item in items])
    return "" if sort == ir.NOTHING else next(parts)


def result_type(sort: ir.Sort) -> str:
    """The LLVM type of a function's result."""
    kinds = types_of(sort)
    if not kinds:
        return "void"
    return kinds[0] if len(kinds) == 1 else f"{{{', '.join(kinds)}}}"


def constant(values: tuple[int, ...] | int, sort: ir.Sort) -> Value:
    """A constant; a set of cells is given by its words, or by all of them as one number."""
    if isinstance(sort, (ir.Vector, ir.Product)):
        count = sort.words if isinstance(sort, ir.Vector) else len(sort.items)
        words = [values >> 64 * index & ALL for index in range(count)] if isinstance(values, int) else values
        texts = [str(_signed(word)) for word in words]
        return f"<{', '.join(f'i64 {text}' for text in texts)}>" if isinstance(sort, ir.Vector) else tuple(texts)
    number = values if isinstance(values, int) else values[0]
    if sort == ir.BOOL:
        return "true" if number else "false"
    return str(_signed(number))


def _signed(word: int) -> int:
    """A word as the signed number with the same bits: shorter, and what LLVM itself writes."""
    word &= ALL
    return word - (1 << 64) if word & _SIGN else word
