"""Numba's compiler pipeline for kernels: an entry and all functions that it calls are optimised once, as one module.

By default Numba optimises every function together with all that it calls, generates machine code and Python wrappers
for it, and then does the same for its callers. A kernel's functions are deeply nested and called only from each other,
so nearly all of that work is discarded. Here a part is only typed and lowered; an entry is linked with all the parts
that it reaches, and then optimised and compiled as a whole.
"""

from __future__ import annotations

import copy
from typing import Any, ClassVar

from llvmlite import binding
from numba import types
from numba.core import codegen, compiler

_Compiler: Any = compiler.CompilerBase
_Library: Any = codegen.JITCodeLibrary
_Steps: Any = compiler.DefaultPassBuilder


class _Nowhere:
    """Stands in for Numba's code generator: a part has no machine code, and so no addresses to fill in."""

    def set_env(self, name: str, env: Any) -> None:
        """Do nothing."""


class _Part(_Library):  # type: ignore[misc]  # Numba has no types
    """The library of a function that is compiled together with the entries that reach it."""

    @property
    def codegen(self) -> Any:
        """The code generator that fills in addresses: none here."""
        return _Nowhere()

    def finalize(self) -> None:
        """Mark the library as ready for linking; the functions that it calls are linked later, with its callers."""
        self._raise_if_finalized()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0, as there is no machine code."""
        self._ensure_finalized()
        return 0


class _Whole(_Library):  # type: ignore[misc]
    """The library of an entry with all the parts that it reaches."""

    _linking_libraries: list[Any]
    """The libraries that it calls."""

    def finalize(self) -> None:
        """Link the parts into the entry, optimise, and generate machine code."""
        parts: dict[Any, None] = {}
        others: dict[Any, None] = {}
        waiting: list[Any] = list(self._linking_libraries)
        while waiting:
            library = waiting.pop()
            if not isinstance(library, _Part):
                others[library] = None
            elif library not in parts:
                parts[library] = None
                waiting += library._linking_libraries
        own = {function.name for function in self._final_module.functions if not function.is_declaration}
        for part in parts:
            self._final_module.link_in(part._final_module, preserve=True)
        for function in self._final_module.functions:
            if not function.is_declaration and function.name not in own:
                function.linkage = binding.Linkage.internal
        # After the parts: LLVM drops functions that nothing linked before needs.
        self._linking_libraries = list(others)
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Optimise once; Numba does it twice to remove reference counting, of which kernels have next to none."""
        passes, builder = self._codegen._module_pass_manager()
        with self._recorded_timings.record("Module passes", builder):
            passes.run(self._final_module, builder)


class _Context:
    """Numba's typing context with a cache of operator types: Numba tries ten ways to add two numbers each time."""

    _quick: ClassVar[dict[Any, Any]] = {}

    def __init__(self, context: Any) -> None:
        self._context = context

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def resolve_value_type(self, value: Any) -> Any:
        """The type of a value; types of operators cache their results."""
        plain = getattr(value, "__module__", "") == "_operator" or value is bool or value is len or value is range
        if not plain:
            return self._context.resolve_value_type(value)
        if value not in self._quick:
            self._quick[value] = self._remembering(self._context.resolve_value_type(value))
        return self._quick[value]

    def _remembering(self, function: Any) -> Any:
        function = copy.copy(function)
        ask, result = function.get_call_type, {}

        def get_call_type(context: Any, arguments: Any, named: Any) -> Any:
            key = tuple(map(types.unliteral, arguments))
            if key not in result:
                result[key] = ask(self._context, key, named)
            return result[key]

        function.get_call_type = get_call_type
        return function


class PartCompiler(_Compiler):  # type: ignore[misc]
    """Numba's pipeline for a function that is compiled together with the entries that reach it."""

    library: Any = _Part

    def define_pipelines(self) -> list[Any]:
        """Numba's own passes, with a library of this module as output."""
        state = self.state
        state.typingctx = state.targetctx.typing_context = _Context(state.typingctx)
        if state.library is None:
            state.library = self.library(state.targetctx.codegen(), state.func_id.func_qualname)
            if self.library is _Whole:
                state.library.enable_object_caching()
        return [_Steps.define_nopython_pipeline(state)]


class EntryCompiler(PartCompiler):
    """Numba's pipeline for an entry."""

    library = _Whole


def general(dispatcher: Any) -> Any:
    """Make a part compile once for all numbers; Numba would compile it again for each literal argument."""
    compiler_of = dispatcher._compiler
    fold = compiler_of.fold_argument_types

    def fold_argument_types(arguments: Any, named: Any) -> Any:
        signature, result = fold(arguments, named)
        return signature, tuple(map(types.unliteral, result))

    compiler_of.fold_argument_types = fold_argument_types
    return dispatcher
