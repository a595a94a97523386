"""Sets of many words in compiled kernels: one LLVM vector each, which a step or a union treats as a single value.

A tuple of twenty words would be twenty values to Numba and to LLVM wherever a set is named, and most of the time that
a kernel takes to compile. `interpreter.kernel.wide_plain` has the same functions for tuples.
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
    """The type of sets of so many words."""

    def __init__(self, words: int) -> None:
        self.words = words
        super().__init__(name=f"Cells({words})")

    @property
    def vector(self) -> ir.VectorType:
        """What LLVM calls it."""
        return ir.VectorType(_WORD, self.words)


@extending.register_model(_WideType)
class _WideModel(_Model):  # type: ignore[misc]
    """Sets are vectors wherever they are."""

    def __init__(self, manager: DataModelManager, kind: _WideType) -> None:
        super().__init__(manager, kind, kind.vector)


class _Constant(tuple[int, ...]):
    """A constant set."""

    __slots__ = ()


def of_words(words: tuple[int, ...]) -> _Constant:
    """A set of its words; outside of functions it is a constant."""
    return _Constant(map(int, words))


@extending.typeof_impl.register(_Constant)
def _type_of(words: _Constant, context: TypingContext) -> Kind:
    return _WideType(len(words))


def _constant(context: TargetContext, builder: Builder, kind: _WideType, words: _Constant) -> Value:
    return ir.Constant(kind.vector, list(words))


def _register() -> None:
    """Tell Numba of constants, of the words of sets, and of sets made of words."""
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
    """All words of a vector put together by an operation."""
    kind = ir.FunctionType(_WORD, [value.type])
    full = f"llvm.vector.reduce.{name}.v{value.type.count}i64"
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, full), [value])


def _zero(kind: ir.VectorType) -> Value:
    return ir.Constant(kind, [0] * kind.count)


def _everywhere(builder: Builder, kind: ir.VectorType, word: Value) -> Value:
    """A vector with a word at every place."""
    number = ir.IntType(32)
    one = builder.insert_element(ir.Constant(kind, ir.Undefined), word, ir.Constant(number, 0))
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(number, kind.count), [0] * kind.count))


def _place(context: TargetContext, builder: Builder, array: Kind, row: Value, at: Value,
           vector: ir.VectorType) -> Value:
    """The address of the set that begins at a place of a row."""
    data = arrayobj.make_array(array)(context, builder, value=row).data
    return builder.bitcast(builder.gep(data, [at]), vector.as_pointer())


@_intrinsic
def either(context: TypingContext, a: _WideType, b: _WideType) -> Intrinsic:
    """What is in one of two sets."""
    return a(a, b), lambda context, builder, signature, arguments: builder.or_(*arguments)


@_intrinsic
def both(context: TypingContext, a: _WideType, b: _WideType) -> Intrinsic:
    """What is in both of two sets."""
    return a(a, b), lambda context, builder, signature, arguments: builder.and_(*arguments)


@_intrinsic
def minus(context: TypingContext, a: _WideType, b: _WideType) -> Intrinsic:
    """What is in a and not in b."""

    def make(context: TargetContext, builder: Builder, signature: Signature, arguments: Arguments) -> Value:
        everything = ir.Constant(a.vector, [-1] * a.words)
        return builder.and_(arguments[0], builder.xor(arguments[1], everything))

    return a(a, b), make


@_intrinsic
def some(context: TypingContext, a: _WideType) -> Intrinsic:
    """Whether a set has a cell."""

    def make(context: TargetContext, builder: Builder, signature: Signature, arguments: Arguments) -> Value:
        return builder.icmp_unsigned("!=", _reduced(builder, "or", arguments[0]), ir.Constant(_WORD, 0))

    return types.boolean(a), make


@_intrinsic
def equal(context: TypingContext, a: _WideType, b: _WideType) -> Intrinsic:
    """Whether two sets are the same."""

    def make(context: TargetContext, builder: Builder, signature: Signature, arguments: Arguments) -> Value:
        return builder.icmp_unsigned("==", _reduced(builder, "or", builder.xor(*arguments)), ir.Constant(_WORD, 0))

    return types.boolean(a, b), make


@_intrinsic
def count(context: TypingContext, a: _WideType) -> Intrinsic:
    """How many cells a set has."""

    def make(context: TargetContext, builder: Builder, signature: Signature, arguments: Arguments) -> Value:
        kind = ir.FunctionType(a.vector, [a.vector])
        ones = cgutils.get_or_insert_function(builder.module, kind, f"llvm.ctpop.v{a.words}i64")
        return _reduced(builder, "add", builder.call(ones, arguments))

    return types.int64(a), make


@_intrinsic
def single(context: TypingContext, c: Kind, like: _WideType) -> Intrinsic:
    """The set of one cell, with as many words as another set."""

    def make(context: TargetContext, builder: Builder, signature: Signature, arguments: Arguments) -> Value:
        cell = arguments[0]
        bit = builder.shl(ir.Constant(_WORD, 1), builder.and_(cell, ir.Constant(_WORD, 63)))
        part = builder.lshr(cell, ir.Constant(_WORD, 6))
        # Compared, not inserted, as LLVM would insert at a place it does not know through memory.
        here = builder.icmp_unsigned("==", _everywhere(builder, like.vector, part),
                                     ir.Constant(like.vector, list(range(like.words))))
        return builder.select(here, _everywhere(builder, like.vector, bit), _zero(like.vector))

    return like(types.int64, like), make


@_intrinsic(prefer_literal=True)
def shift(context: TypingContext, a: _WideType, by: types.IntegerLiteral) -> Intrinsic:
    """A set shifted by so many cells in board order, a constant."""
    words, distance = divmod(abs(by.literal_value), 64)
    up = by.literal_value > 0

    def moved(builder: Builder, value: Value, count: int) -> Value:
        """The words of a set so many words further on."""
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
    """The set that begins at a place of a row or table, with as many words as another set."""

    def make(context: TargetContext, builder: Builder, signature: Signature, arguments: Arguments) -> Value:
        return builder.load(_place(context, builder, row, arguments[0], arguments[1], like.vector), align=8)

    return like(row, types.int64, like), make


@_intrinsic
def write(context: TypingContext, row: Kind, at: Kind, a: _WideType) -> Intrinsic:
    """Put a set into a row, from a place on."""

    def make(context: TargetContext, builder: Builder, signature: Signature, arguments: Arguments) -> Value:
        builder.store(arguments[2], _place(context, builder, row, arguments[0], arguments[1], a.vector), align=8)
        nothing: Value = context.get_dummy_value()  # type: ignore[no-untyped-call]
        return nothing

    return types.none(row, types.int64, a), make
