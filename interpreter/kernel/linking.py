"""How Numba compiles a kernel's functions: all that an entry calls as one piece, and only once.

Numba by itself optimises every function together with all that it calls, makes machine code of it and wrappers for
Python, and then does the same for what calls it. A kernel's functions are deeply nested and called only from each
other, so nearly all of that is thrown away. Here a part is only typed and lowered; an entry is linked with all the
parts that it reaches, and the whole is optimised and made machine code.
"""

from __future__ import annotations

from typing import Any

from llvmlite import binding
from numba.core import codegen, compiler

_Compiler: Any = compiler.CompilerBase
_Library: Any = codegen.JITCodeLibrary


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

    def finalize(self) -> None:
        """Link, optimise and make machine code."""
        parts: dict[Any, None] = {}
        others: dict[Any, None] = {}
        waiting = list(self._linking_libraries)
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


class PartCompiler(_Compiler):  # type: ignore[misc]
    """Numba's steps for a function that is compiled with the entries that reach it."""

    library: Any = _Part

    def define_pipelines(self) -> list[Any]:
        """The steps: Numba's own, into a library of this module."""
        state = self.state
        if state.library is None:
            state.library = self.library(state.targetctx.codegen(), state.func_id.func_qualname)
            if self.library is _Whole:
                state.library.enable_object_caching()
        return [compiler.DefaultPassBuilder.define_nopython_pipeline(state)]


class EntryCompiler(PartCompiler):
    """Numba's steps for an entry."""

    library = _Whole
