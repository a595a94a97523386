"""Compiles a function of a search with Numba, for the types of its signature.

Importing this module needs Numba; `solver.native.runtime` imports it only when it has something to compile.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, ModuleType
from typing import ForwardRef, Protocol, cast

import attrs
import numba
from numba import types
from numba.core.types import Type

from interpreter.kernel import numba_guard, signatures
from solver.native.records import dtype_of

_named_tuple = cast(Callable[..., Type], types.NamedTuple)
_TYPES: dict[str, Type] = {
    "int": signatures.NUMBER, "float": types.float64, "Word": signatures.WORD, "Row": signatures.ROW,
    "Rows": signatures.ROWS, "Line": signatures.LINE, "Lines": signatures.LINES, "Bytes": types.uint8[::1],
    "Shorts": types.uint16[::1], "Indices": types.uint32[::1], "Links": types.int32[::1], "Reals": types.float64[::1],
    "Planes": types.int64[:, :, ::1], "Expand": signatures.EXPAND, "Offer": signatures.OFFER,
    "Candidates": signatures.CANDIDATES, "Pack": signatures.PACK, "PackLeast": signatures.PACK_LEAST,
    "Step": signatures.STEP, "ValueOf": signatures.VALUE_OF, "RandomGame": signatures.RANDOM_GAME,
    "Weigh": signatures.WEIGH, "PayoffOf": signatures.PAYOFF_OF,
}
"""The Numba types of the annotations of `solver.native.functions`."""


class Compiled(Protocol):
    """A function compiled by Numba."""

    def __call__(self, *arguments: object) -> int:
        """Call the machine code."""


def part(function: FunctionType, *, inlined: bool) -> object:
    """Prepare a function that is compiled together with the entries that call it."""
    result: object = numba_guard.part(function, inlined=inlined)
    return result


def entry(function: FunctionType, folder: Path, stamp: str, *, handed_in: bool = False) -> Compiled:
    """Compile a function for the types of its signature, or load it from a folder.

    Argument types are not checked, as it takes Numba half a millisecond to determine those of named tuples and records
    at each call, longer than many a search. With `handed_in`, the result is the dispatcher, which Numba accepts in
    place of a kernel's entry.
    """
    module = sys.modules[function.__module__]
    kinds = [_type_of(_text(kind), module) for name, kind in function.__annotations__.items() if name != "return"]
    dispatcher = numba_guard.entry(function, folder, stamp)
    signature = signatures.NUMBER(*kinds)
    dispatcher.compile(signature)
    dispatcher.disable_compile()
    result: Compiled = dispatcher if handed_in else dispatcher.get_overload(signature)
    return result


def _type_of(annotation: str, module: ModuleType) -> Type:
    """The Numba type of an argument or a field, by its annotation in a module."""
    if annotation in _TYPES:
        return _TYPES[annotation]
    if annotation.startswith("Records["):
        record = getattr(module, annotation.removeprefix("Records[").removesuffix("]"))
        assert attrs.has(record)
        return types.Array(numba.from_dtype(dtype_of(record)), 1, "C")
    group = getattr(module, annotation)  # a named tuple
    home = sys.modules[group.__module__]
    result: Type = _named_tuple([_type_of(_text(kind), home) for kind in group.__annotations__.values()], group)
    return result


def _text(annotation: object) -> str:
    """The source text of an annotation; named tuples keep theirs as `ForwardRef` objects."""
    return annotation.__forward_arg__ if isinstance(annotation, ForwardRef) else str(annotation)
