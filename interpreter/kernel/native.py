"""The primitives that a kernel's text imports, compiled by Numba; `interpreter.kernel.plain` has the same in Python.

A word is a uint64 with a cell in each bit, a number an int64, a row a one-dimensional array of words.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from llvmlite import binding, ir
from numba import types
from numba.core import cgutils as untyped_cgutils
from numba.extending import intrinsic
from numba.np import arrayobj as untyped_arrayobj

from interpreter.kernel import numba_guard
from interpreter.kernel.plain import FIRST_FACTOR, SECOND_FACTOR, STEP, abreast
from interpreter.kernel.wide import both, count, either, equal, minus, of_words, read, shift, single, some, write

if TYPE_CHECKING:
    from numba.core.dispatcher import Dispatcher

    from interpreter.arrays import Numbers, Words
    from interpreter.kernel.numba_types import (
        Arguments,
        Builder,
        Intrinsic,
        Kind,
        Signature,
        TargetContext,
        TypingContext,
        Value,
    )

__all__ = ["abreast", "both", "count", "either", "equal", "minus", "of_words", "read", "shift", "single", "some",
           "write"]
COMPILED = True
_intrinsic: Callable[..., Callable[..., Any]] = intrinsic
cgutils: Any = untyped_cgutils
arrayobj: Any = untyped_arrayobj

_MOST_INLINED = 300
"""The most bytes of bytecode of functions that are always inlined, whatever LLVM's own heuristics."""


def jit(function: Callable[..., object]) -> Dispatcher:
    """Compile a function called within a kernel; small ones are inlined."""
    if len(function.__code__.co_code) <= _MOST_INLINED:
        result: Dispatcher = numba_guard.part(function, inlined=True)
        return result
    return called(function)


def called(function: Callable[..., object]) -> Dispatcher:
    """Compile a function called within a kernel, not forced inline: kernels with large sets would grow too long."""
    result: Dispatcher = numba_guard.part(function)
    return result


def entry(function: Callable[..., object]) -> Dispatcher:
    """Compile a kernel function that is called from outside, and cache it on disk."""
    result: Dispatcher = numba_guard.entry(function, allocates=True)
    return result


def solver(*signature: str) -> Callable[[Callable[..., int]], Dispatcher]:
    """Compile a solver's entry; its arguments have the types of `interpreter.kernel.signatures` with the given names.

    It returns a number, allocates nothing, and is compiled immediately for these types, which are the same for all
    games.
    """

    def make(function: Callable[..., int]) -> Dispatcher:
        from interpreter.kernel import signatures

        compiled: Dispatcher = numba_guard.entry(function)
        compiled.compile(types.int64(*[getattr(signatures, name) for name in signature]))
        compiled.disable_compile()  # or it would be compiled again for each kernel
        return compiled

    return make


word: Any = np.uint64
number: Any = np.int64
ONE, EMPTY, FULL = np.uint64(1), np.uint64(0), np.uint64((1 << 64) - 1)


@_intrinsic
def popcount(context: TypingContext, cells: Kind) -> Intrinsic:
    """The number of cells in a word."""
    return types.int64(types.uint64), lambda context, builder, signature, arguments: builder.ctpop(arguments[0])


@_intrinsic
def lowest(context: TypingContext, cells: Kind) -> Intrinsic:
    """The lowest cell of a word, which must not be empty."""

    def make(context: TargetContext, builder: Builder, signature: Signature, arguments: Arguments) -> Value:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), make


@_intrinsic
def highest(context: TypingContext, cells: Kind) -> Intrinsic:
    """The highest cell of a word, which must not be empty."""

    def make(context: TargetContext, builder: Builder, signature: Signature, arguments: Arguments) -> Value:
        zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))
        return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

    return types.int64(types.uint64), make


def _nth_by_halves(cells: np.uint64, place: int) -> int:
    """The cell of a word that has `place` lower cells before it, by bisection, then bit by bit within a byte."""
    base = 0
    count = popcount(cells & np.uint64(0xFFFFFFFF))
    if place >= count:
        place -= count
        cells >>= np.uint64(32)
        base = 32
    count = popcount(cells & np.uint64(0xFFFF))
    if place >= count:
        place -= count
        cells >>= np.uint64(16)
        base += 16
    count = popcount(cells & np.uint64(0xFF))
    if place >= count:
        place -= count
        cells >>= np.uint64(8)
        base += 8
    for _ in range(place):
        cells &= cells - ONE
    result: int = base + lowest(cells)
    return result


def _instruction(name: str) -> Callable[[np.uint64, np.uint64], np.uint64]:
    """An x86 instruction on two words, as a kernel function."""
    kind = ir.FunctionType(ir.IntType(64), [ir.IntType(64)] * 2)

    def make(context: TargetContext, builder: Builder, signature: Signature, arguments: Arguments) -> Value:
        result = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
        return builder.call(result, arguments)

    return _intrinsic(lambda context, cells, mask: (types.uint64(types.uint64, types.uint64), make))


extract = _instruction("llvm.x86.bmi.pext.64")
"""Extract the bits of a word selected by a mask into the low bits; only where `has_deposit`."""
deposit = _instruction("llvm.x86.bmi.pdep.64")
"""Deposit the low bits of a word at the places selected by a mask; only where `has_deposit`."""


def _nth_at_once(cells: np.uint64, place: int) -> int:
    """The same in three instructions, with `deposit`."""
    result: int = lowest(deposit(ONE << np.uint64(place), cells))
    return result


def has_deposit() -> bool:
    """Whether the processor has instructions that extract and deposit bits by a mask (BMI2)."""
    try:
        return bool(binding.get_host_cpu_features().get("bmi2"))
    except RuntimeError:  # not known for this processor
        return False


nth = jit(_nth_at_once if has_deposit() else _nth_by_halves)


@jit
def scramble(seed: np.uint64) -> np.uint64:
    """The random word that SplitMix64 outputs for a state (the caller advances the state with `stir`)."""
    seed = (seed ^ (seed >> np.uint64(30))) * np.uint64(FIRST_FACTOR)
    seed = (seed ^ (seed >> np.uint64(27))) * np.uint64(SECOND_FACTOR)
    return seed ^ (seed >> np.uint64(31))


@jit
def stir(seed: np.uint64) -> np.uint64:
    """The state of a random sequence after one step."""
    return seed + np.uint64(STEP)


@jit
def below(random: np.uint64, limit: int) -> np.int64:
    """A number from 0 to limit - 1 from a random word; limit is below 2**32."""
    return np.int64((random >> np.uint64(32)) * np.uint64(limit) >> np.uint64(32))


def _zeros(element: Kind, dimensions: int) -> Callable[..., Numbers]:
    """A kernel function that allocates an array of zeros; NumPy's takes Numba half a second to compile."""
    kind = types.Array(element, dimensions, "C")

    def make(context: TargetContext, builder: Builder, signature: Signature, sizes: Arguments) -> Value:
        eight = ir.Constant(ir.IntType(64), 8)
        *_, width = sizes
        many = builder.mul(eight, width if dimensions == 1 else builder.mul(*sizes))
        held = context.nrt.meminfo_alloc_aligned(builder, many, ir.Constant(ir.IntType(32), 32))
        data = context.nrt.meminfo_data(builder, held)
        pointer = context.get_data_type(element).as_pointer()  # type: ignore[no-untyped-call]
        cgutils.memset(builder, data, many, 0)
        array = arrayobj.make_array(kind)(context, builder)
        strides = [eight] if dimensions == 1 else [builder.mul(eight, width), eight]
        arrayobj.populate_array(array, builder.bitcast(data, pointer), list(sizes),
                                strides, eight, held)
        return arrayobj.impl_ret_new_ref(context, builder, kind, array._getvalue())

    if dimensions == 1:
        return _intrinsic(lambda context, width: (kind(types.int64), make))
    return _intrinsic(lambda context, count, width: (kind(types.int64, types.int64), make))


rows, numbers = _zeros(types.uint64, 2), _zeros(types.int64, 2)
"""Allocate zeroed rows of words, uint64[count, width], or of numbers, int64[count, width]."""
row, line = _zeros(types.uint64, 1), _zeros(types.int64, 1)
"""Allocate a zeroed row of words, uint64[width], or of numbers, int64[width]."""


def as_table(values: list[int], *, words: bool) -> Words | Numbers:
    """A constant table of a kernel as an array, of uint64 for `words`, else of int64."""
    return np.array(values, np.uint64) if words else np.array(values, np.int64)
