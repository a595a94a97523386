"""Compiling solver code once for a machine: the signature is given, and what Numba makes of it is kept on disk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from interpreter.kernel.keeping import keep

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "boundscheck": False, "_nrt": False}
_compile: Any = numba.njit
_intrinsic: Any = intrinsic


def compiled(signature: Any) -> Callable[[Any], Any]:
    """A function of solver code that is called from outside, with the types of its arguments; it allocates nothing."""

    def make(function: Any) -> Any:
        dispatcher = keep(_compile(**_OPTIONS)(function))
        dispatcher.compile(signature)
        dispatcher.disable_compile()
        return dispatcher

    return make


def inlined(function: Any) -> Any:
    """A part of such functions."""
    return _compile(forceinline=True, **_OPTIONS)(function)


@_intrinsic
def prefetch(context: Any, array: Any, place: Any) -> Any:
    """Have the memory at a place of a one-dimensional array, or a row of a two-dimensional one, fetched."""

    def make(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = signature.args[0]
        there = context.make_array(kind)(context, builder, arguments[0])
        indices = [arguments[1]] + [ir.Constant(ir.IntType(64), 0)] * (kind.ndim - 1)
        pointer = cgutils.get_item_pointer(context, builder, kind, there, indices)
        byte = ir.IntType(8).as_pointer()
        number = ir.IntType(32)
        name = "llvm.prefetch.p0i8"
        fetch = builder.module.globals.get(name) or ir.Function(
            builder.module, ir.FunctionType(ir.VoidType(), [byte, number, number, number]), name)
        builder.call(fetch, [builder.bitcast(pointer, byte), number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.none(array, place), make
