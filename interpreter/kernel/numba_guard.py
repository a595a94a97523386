"""Chooses between a pipeline built on Numba's private classes and Numba's documented interface.

`interpreter.kernel.numba_pipeline` and `numba_cache` build upon private classes of Numba. They are used with the
versions of Numba that they were tested with; with others, and with DSLGAME_NUMBA=public in the environment, functions
are compiled by `numba.njit` as documented. Compilation then takes longer, and code compiled for solvers is not cached
on disk.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba

KNOWN = ((0, 68),)
"""The versions of Numba whose private classes `numba_pipeline` and `numba_cache` support."""
PUBLIC = "DSLGAME_NUMBA"
"""The environment variable that selects Numba's documented interface where it is `public`."""
_COMMON: dict[str, Any] = {"nogil": True, "error_model": "numpy", "boundscheck": False}
_compile: Callable[..., Any] = numba.njit


def version(text: str) -> tuple[int, ...]:
    """The first two numbers of a version text."""
    return tuple(int(part) for part in text.split(".")[:2] if part.isdigit())


@cache
def knows_numba() -> bool:
    """Whether the private classes of the installed Numba are used."""
    return os.environ.get(PUBLIC) != "public" and version(numba.__version__) in KNOWN


def part(function: Callable[..., object], *, inlined: bool = False) -> Any:
    """Compile a function together with the entries that reach it, inlined in its callers with `inlined`."""
    if not knows_numba():
        return _compile(**_COMMON)(function)
    from interpreter.kernel.numba_pipeline import PartCompiler, general

    more = {"forceinline": True} if inlined else {}
    return general(_compile(**_COMMON, **more, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True,
                            pipeline_class=PartCompiler)(function))


def entry(function: Callable[..., object], folder: Path | None = None, stamp: str = "", *, allocates: bool = False
          ) -> Any:
    """Compile a function that is called from outside, cached beside its source file, if it has one, or in a folder.

    The cache is valid while the source, or the stamp if given, is the same. `allocates`: whether it allocates arrays.
    """
    if not knows_numba():
        return _compile(**_COMMON)(function)
    from interpreter.kernel.numba_cache import keep
    from interpreter.kernel.numba_pipeline import EntryCompiler

    return keep(_compile(**_COMMON, _nrt=allocates, pipeline_class=EntryCompiler)(function), folder, stamp)
