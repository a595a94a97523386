"""Bitsets of many words in kernels compiled by Numba: each is one LLVM vector, a single value for every operation.

A tuple of twenty words would be twenty values to Numba and LLVM wherever a set occurs, which would take most of a
kernel's compile time. `interpreter.kernel.wide_plain` has the same functions for tuples.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from llvmlite import ir
from numba import extending as untyped_extending
from numba import types
from numba.core import cgutils as untyped_cgutils
from numba.core import imputils as untyped_imputils
from numba.core import typing as untyped_typing
from numba.np import arrayobj as untyped_arrayobj

if TYPE_CHECKING:
    from numba.core.datamodel.manager import DataModelManager

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

# Numba has no types.
extending: Any = untyped_extending
cgutils: Any = untyped_cgutils
imputils: Any = untyped_imputils
typing: Any = untyped_typing
arrayobj: Any = untyped_arrayobj
_intrinsic: Any = extending.intrinsic
_Type: Any = types.Type
_Model: Any = extending.models.PrimitiveModel
_Template: Any = typing.templates.AbstractTemplate
_WORD = ir.IntType(64)


class _WideType(_Type):  # type: ignore[misc]  # Numba has no types
    """The Numba type of bitsets of a number of words."""

    def __init__(self, words: int) -> None:
        self.words = words
        super().__init__(name=f"Cells({words})")

    @property
    def vector(self) -> ir.VectorType:
        """The corresponding LLVM type."""
        return ir.VectorType(_WORD, self.words)


@extending.register_model(_WideType)
class _WideModel(_Model):  # type: ignore[misc]
    """Represents bitsets as LLVM vectors everywhere."""

    def __init__(self, manager: DataModelManager, kind: _WideType) -> None:
        super().__init__(manager, kind, kind.vector)


class _Constant(tuple[int, ...]):
    """A constant bitset, a tuple of its words."""

    __slots__ = ()


def of_words(words: tuple[int, ...]) -> _Constant:
    """A set from its words; outside of compiled functions a constant."""
    return _Constant(map(int, words))


@extending.typeof_impl.register(_Constant)
def _type_of(words: _Constant, context: TypingContext) -> Kind:
    return _WideType(len(words))


def _constant(context: TargetContext, builder: Builder, kind: _WideType, words: _Constant) -> Value:
    return ir.Constant(kind.vector, list(words))


def _register() -> None:
    """Register with Numba constant sets, `of_words`, and indexing of a set by word."""
    imputils.lower_constant(_WideType)(_constant)

    @typing.templates.infer_global(of_words)
    class _Of(_Template):  # type: ignore[misc]
        def generic(self, args: Sequence[types.UniTuple], kws: Mapping[str, Kind]) -> Signature | None:
            words: Any = types.UniTuple
            count = args[0].count
            result: Signature = typing.signature(_WideType(count), words(types.uint64, count))
            return result

    @extending.lower_builtin(of_words, types.UniTuple)
    def _of(context: TargetContext, builder: Builder, signature: Signature, arguments: Arguments) -> Value:
        result = _zero(signature.return_type.vector)
        for index in range(signature.return_type.words):
            word = builder.extract_value(arguments[0], index)
            result = builder.insert_element(result, word, ir.Constant(ir.IntType(32), index))
        return result

    @typing.templates.infer_global(operator.getitem)
    class _Item(_Template):  # type: ignore[misc]
        def generic(self, args: Sequence[Kind], kws: Mapping[str, Kind]) -> Signature | None:
            if isinstance(args[0], _WideType) and isinstance(args[1], types.Integer):
                result: Signature = typing.signature(types.uint64, args[0], types.int64)
                return result
            return None

    @extending.lower_builtin(operator.getitem, _WideType, types.int64)
    def _item(context: TargetContext, builder: Builder, signature: Signature, arguments: Arguments) -> Value:
        return builder.extract_element(*arguments)


_register()


def _reduced(builder: Builder, name: str, value: Value) -> Value:
    """The reduction of a vector's words by an operation."""
    kind = ir.FunctionType(_WORD, [value.type])
    full = f"llvm.vector.reduce.{name}.v{value.type.count}i64"
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, full), [value])


def _zero(kind: ir.VectorType) -> Value:
    return ir.Constant(kind, [0] * kind.count)


def _everywhere(builder: Builder, kind: ir.VectorType, word: Value) -> Value:
    """A vector with a word in every element."""
    number = ir.IntType(32)
    one = builder.insert_element(ir.Constant(kind, ir.Undefined), word, ir.Constant(number, 0))
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(number, kind.count), [0] * kind.count))


def _place(context: TargetContext, builder: Builder, array: Kind, row: Value, at: Value,
           vector: ir.VectorType) -> Value:
    """The address of the set that begins at index `at` of a row."""
    data = arrayobj.make_array(array)(context, builder, value=row).data
    return builder.bitcast(builder.gep(data, [at]), vector.as_pointer())


@_intrinsic
def either(context: TypingContext, a: _WideType, b: _WideType) -> Intrinsic:
    """The union of two sets."""
    return a(a, b), lambda context, builder, signature, arguments: builder.or_(*arguments)


@_intrinsic
def both(context: TypingContext, a: _WideType, b: _WideType) -> Intrinsic:
    """The intersection of two sets."""
    return a(a, b), lambda context, builder, signature, arguments: builder.and_(*arguments)


@_intrinsic
def minus(context: TypingContext, a: _WideType, b: _WideType) -> Intrinsic:
    """The difference of two sets: a without b."""

    def make(context: TargetContext, builder: Builder, signature: Signature, arguments: Arguments) -> Value:
        everything = ir.Constant(a.vector, [-1] * a.words)
        return builder.and_(arguments[0], builder.xor(arguments[1], everything))

    return a(a, b), make


@_intrinsic
def some(context: TypingContext, a: _WideType) -> Intrinsic:
    """Whether a set is not empty."""

    def make(context: TargetContext, builder: Builder, signature: Signature, arguments: Arguments) -> Value:
        return builder.icmp_unsigned("!=", _reduced(builder, "or", arguments[0]), ir.Constant(_WORD, 0))

    return types.boolean(a), make


@_intrinsic
def equal(context: TypingContext, a: _WideType, b: _WideType) -> Intrinsic:
    """Whether two sets are equal."""

    def make(context: TargetContext, builder: Builder, signature: Signature, arguments: Arguments) -> Value:
        return builder.icmp_unsigned("==", _reduced(builder, "or", builder.xor(*arguments)), ir.Constant(_WORD, 0))

    return types.boolean(a, b), make


@_intrinsic
def count(context: TypingContext, a: _WideType) -> Intrinsic:
    """The number of cells of a set."""

    def make(context: TargetContext, builder: Builder, signature: Signature, arguments: Arguments) -> Value:
        kind = ir.FunctionType(a.vector, [a.vector])
        ones = cgutils.get_or_insert_function(builder.module, kind, f"llvm.ctpop.v{a.words}i64")
        return _reduced(builder, "add", builder.call(ones, arguments))

    return types.int64(a), make


@_intrinsic
def single(context: TypingContext, c: Kind, like: _WideType) -> Intrinsic:
    """The set of one cell, with as many words as `like`."""

    def make(context: TargetContext, builder: Builder, signature: Signature, arguments: Arguments) -> Value:
        cell = arguments[0]
        bit = builder.shl(ir.Constant(_WORD, 1), builder.and_(cell, ir.Constant(_WORD, 63)))
        part = builder.lshr(cell, ir.Constant(_WORD, 6))
        # By comparison, as LLVM would insert an element at a variable index through memory.
        here = builder.icmp_unsigned("==", _everywhere(builder, like.vector, part),
                                     ir.Constant(like.vector, list(range(like.words))))
        return builder.select(here, _everywhere(builder, like.vector, bit), _zero(like.vector))

    return like(types.int64, like), make


@_intrinsic(prefer_literal=True)
def shift(context: TypingContext, a: _WideType, by: types.IntegerLiteral) -> Intrinsic:
    """A set shifted by a constant number of cells in board order."""
    words, distance = divmod(abs(by.literal_value), 64)
    up = by.literal_value > 0

    def moved(builder: Builder, value: Value, count: int) -> Value:
        """The words of a set shifted by `count` words."""
        places = [index - count if up else index + count for index in range(a.words)]
        mask = [place if 0 <= place < a.words else a.words for place in places]
        return builder.shuffle_vector(value, _zero(a.vector), ir.Constant(ir.VectorType(ir.IntType(32), a.words), mask))

    def make(context: TargetContext, builder: Builder, signature: Signature, arguments: Arguments) -> Value:
        near = moved(builder, arguments[0], words)
        if not distance:
            return near
        far = moved(builder, arguments[0], words + 1)
        forth, back = (ir.Constant(a.vector, [by] * a.words) for by in (distance, 64 - distance))
        if up:
            return builder.or_(builder.shl(near, forth), builder.lshr(far, back))
        return builder.or_(builder.lshr(near, forth), builder.shl(far, back))

    return a(a, by), make


@_intrinsic
def read(context: TypingContext, row: Kind, at: Kind, like: _WideType) -> Intrinsic:
    """Load the set that begins at index `at` of a row or table, with as many words as `like`."""

    def make(context: TargetContext, builder: Builder, signature: Signature, arguments: Arguments) -> Value:
        return builder.load(_place(context, builder, row, arguments[0], arguments[1], like.vector), align=8)

    return like(row, types.int64, like), make


@_intrinsic
def write(context: TypingContext, row: Kind, at: Kind, a: _WideType) -> Intrinsic:
    """Store a set in a row, from index `at` on."""

    def make(context: TargetContext, builder: Builder, signature: Signature, arguments: Arguments) -> Value:
        builder.store(arguments[2], _place(context, builder, row, arguments[0], arguments[1], a.vector), align=8)
        nothing: Value = context.get_dummy_value()  # type: ignore[no-untyped-call]
        return nothing

    return types.none(row, types.int64, a), make
