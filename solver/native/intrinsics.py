"""Processor intrinsics of searches, besides those of `interpreter.kernel.native`; needs Numba."""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


def _pointer(context, builder, kind, array, index):
    """A pointer to an item of a one-dimensional array."""
    return cgutils.get_item_pointer(context, builder, kind, context.make_array(kind)(context, builder, array), [index])


@intrinsic
def add_to(context, numbers, index, amount):
    """Atomically add to an item of an array that threads share; return its value before."""

    def make(context, builder, signature, arguments):
        there = _pointer(context, builder, signature.args[0], *arguments[:2])
        return builder.atomic_rmw("add", there, arguments[2], "seq_cst")

    made: Callable[..., object] = make
    return types.int64(numbers, types.int64, types.int64), made


@intrinsic
def exchange(context, numbers, index, expected, wanted):
    """Compare and swap: atomically set an item of an array to `wanted` if it is `expected`; whether it was."""

    def make(context, builder, signature, arguments):
        there = _pointer(context, builder, signature.args[0], *arguments[:2])
        return builder.extract_value(builder.cmpxchg(there, *arguments[2:], "seq_cst", "seq_cst"), 1)

    made: Callable[..., object] = make
    return types.boolean(numbers, types.int64, types.int64, types.int64), made


@intrinsic
def prefetch(context, array, index):
    """Prefetch an item of a one-dimensional array, or a row of a two-dimensional one."""

    def make(context, builder, signature, arguments):
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

    made: Callable[..., object] = make
    return types.none(array, index), made
