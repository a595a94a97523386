"""Compiling the solvers' own functions, and keeping them on disk beside the kernels.

They are kept in the cache folder of kernels under a name made of the text of all modules here and the versions of what
compiles them, so that a change of any of them is noticed, and so that nothing is written where the package lies.
"""

from __future__ import annotations

import hashlib
import platform
import sys
from collections.abc import Callable
from functools import cache, partial, wraps
from pathlib import Path
from threading import Lock
from typing import Any

import llvmlite
import numba
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from dsl.syntax.grammar import cache_folder
from interpreter.kernel import linking, native, signatures
from interpreter.kernel.keeping import keep
from interpreter.kernel.linking import EntryCompiler, PartCompiler, general

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "boundscheck": False, "_nrt": False}
_ONE_AT_A_TIME = Lock()
_PART: dict[str, Any] = {**_OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True,
                         "pipeline_class": PartCompiler}
_compile: Any = numba.njit
_intrinsic: Any = intrinsic
_pointer: Any = cgutils.get_item_pointer


@cache
def stamp() -> str:
    """A name for everything that has a part in what is compiled here."""
    support = [Path(str(module.__file__)) for module in (linking, native, signatures)]
    files = [*sorted(Path(__file__).parent.glob("*.py")), *support]
    parts = [path.read_text(encoding="utf-8") for path in files]
    parts += [sys.version, numba.__version__, llvmlite.__version__, platform.machine()]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def inlined(function: Any) -> Any:
    """A function that others here call; it becomes part of them."""
    return general(_compile(forceinline=True, **_PART)(function))


def _ready(function: Any, signature: Any) -> Any:
    """A function compiled for one signature, or loaded from disk."""
    dispatcher = keep(_compile(pipeline_class=EntryCompiler, **_OPTIONS)(function),
                      cache_folder() / f"solver-{stamp()}", stamp())
    dispatcher.compile(signature)
    dispatcher.disable_compile()
    return dispatcher


def compiled(signature: Any) -> Callable[[Any], Any]:
    """Have a function compiled for one signature, or loaded from disk, when it is first called.

    It allocates nothing and frees the interpreter.
    """

    def make(function: Any) -> Any:
        ready: list[Any] = []

        @wraps(function)
        def call(*arguments: Any) -> Any:
            if not ready:
                with _ONE_AT_A_TIME:
                    if not ready:
                        ready.append(_ready(function, signature))
            return ready[0](*arguments)

        return call

    return make


def handed_in(signature: Any) -> Callable[[Any], Any]:
    """Compile a function that others here are given in the place of a kernel's entry: at once."""
    return partial(_ready, signature=signature)


@_intrinsic
def prefetch(context: Any, array: Any, place: Any) -> Any:
    """Have the memory at a place of a one-dimensional array, or a row of a two-dimensional one, fetched."""

    def make(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = signature.args[0]
        there = context.make_array(kind)(context, builder, arguments[0])
        indices = [arguments[1]] + [ir.Constant(ir.IntType(64), 0)] * (kind.ndim - 1)
        pointer = _pointer(context, builder, kind, there, indices)
        byte = ir.IntType(8).as_pointer()
        number = ir.IntType(32)
        name = "llvm.prefetch.p0i8"
        fetch = builder.module.globals.get(name) or ir.Function(
            builder.module, ir.FunctionType(ir.VoidType(), [byte, number, number, number]), name)
        builder.call(fetch, [builder.bitcast(pointer, byte), number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.none(array, place), make
