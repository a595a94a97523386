"""How Numba compiles a kernel's functions: all that an entry calls as one piece, and only once.

Numba by itself optimises every function together with all that it calls, makes machine code of it and wrappers for
Python, and then does the same for what calls it. A kernel's functions are deeply nested and called only from each
other, so nearly all of that is thrown away. Here a part is only typed and lowered; an entry is linked with all the
parts that it reaches, and the whole is optimised and made machine code.
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
    """In the place of Numba's code generator: a part has no machine code, so it has no addresses to be filled in."""

    def set_env(self, name: str, env: Any) -> None:
        """Nothing to do."""


class _Part(_Library):  # type: ignore[misc]  # Numba has no types
    """A function that is compiled with the entries that reach it."""

    @property
    def codegen(self) -> Any:
        """What is asked to fill in the addresses of machine code."""
        return _Nowhere()

    def finalize(self) -> None:
        """It is ready to be linked: what it calls is linked with what calls it."""
        self._raise_if_finalized()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """There is no machine code."""
        self._ensure_finalized()
        return 0


class _Whole(_Library):  # type: ignore[misc]
    """An entry with all the parts that it reaches."""

    _linking_libraries: list[Any]
    """What it calls."""

    def finalize(self) -> None:
        """Link, optimise and make machine code."""
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
        # After the parts: LLVM leaves out what nothing before it needs.
        self._linking_libraries = list(others)
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Once: Numba does it twice, so as to remove what counts references, and kernels have nearly nothing of it."""
        passes, builder = self._codegen._module_pass_manager()
        with self._recorded_timings.record("Module passes", builder):
            passes.run(self._final_module, builder)


class _Context:
    """Numba's knowledge of types, and what operators gave before: Numba tries ten ways to add two numbers each time."""

    _quick: ClassVar[dict[Any, Any]] = {}

    def __init__(self, context: Any) -> None:
        self._context = context

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def resolve_value_type(self, value: Any) -> Any:
        """The type of a value; operators are functions that remember."""
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
    """Numba's steps for a function that is compiled with the entries that reach it."""

    library: Any = _Part

    def define_pipelines(self) -> list[Any]:
        """The steps: Numba's own, into a library of this module."""
        state = self.state
        state.typingctx = state.targetctx.typing_context = _Context(state.typingctx)
        if state.library is None:
            state.library = self.library(state.targetctx.codegen(), state.func_id.func_qualname)
            if self.library is _Whole:
                state.library.enable_object_caching()
        return [_Steps.define_nopython_pipeline(state)]


class EntryCompiler(PartCompiler):
    """Numba's steps for an entry."""

    library = _Whole


def general(dispatcher: Any) -> Any:
    """A part that is compiled once for all numbers; Numba would compile it again for each constant that it is given."""
    compiler_of = dispatcher._compiler
    fold = compiler_of.fold_argument_types

    def fold_argument_types(arguments: Any, named: Any) -> Any:
        signature, result = fold(arguments, named)
        return signature, tuple(map(types.unliteral, result))

    compiler_of.fold_argument_types = fold_argument_types
    return dispatcher
