"""Type aliases for the arguments of Numba intrinsics, as Numba has no annotations for mypy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from llvmlite import ir
from numba.core import types
from numba.core.base import BaseContext
from numba.core.typing.context import BaseContext as BaseTypingContext
from numba.core.typing.templates import Signature

TypingContext: TypeAlias = BaseTypingContext
"""Numba's context of the types of values and functions."""
TargetContext: TypeAlias = BaseContext
"""Numba's context of how types and functions are lowered."""
Builder: TypeAlias = ir.IRBuilder
Value: TypeAlias = ir.Value
Arguments: TypeAlias = Sequence[ir.Value]
Kind: TypeAlias = types.Type
"""The type of a value of a kernel."""
Lower: TypeAlias = Callable[[TargetContext, Builder, Signature, Arguments], Value]
"""Emits LLVM IR for a call."""
Intrinsic: TypeAlias = tuple[Signature, Lower]
"""The signature of a call, and the function that emits it."""

__all__ = ["Arguments", "Builder", "Intrinsic", "Kind", "Lower", "Signature", "TargetContext", "TypingContext", "Value"]
