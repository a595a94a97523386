"""Names for what Numba and LLVM pass to functions that are compiled; Numba says nothing of types to mypy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from llvmlite import ir
from numba.core import types
from numba.core.base import BaseContext
from numba.core.typing.context import BaseContext as BaseTypingContext
from numba.core.typing.templates import Signature

TypingContext: TypeAlias = BaseTypingContext
"""Numba's knowledge of the types of values and functions."""
TargetContext: TypeAlias = BaseContext
"""Numba's knowledge of how types and functions are lowered."""
Builder: TypeAlias = ir.IRBuilder
Value: TypeAlias = ir.Value
Arguments: TypeAlias = Sequence[ir.Value]
Kind: TypeAlias = types.Type
"""The type of a value of a kernel."""
Lower: TypeAlias = Callable[[TargetContext, Builder, Signature, Arguments], Value]
"""Writes a call as LLVM."""
Intrinsic: TypeAlias = tuple[Signature, Lower]
"""What a call takes and gives, and how it is written."""

__all__ = ["Arguments", "Builder", "Intrinsic", "Kind", "Lower", "Signature", "TargetContext", "TypingContext", "Value"]
