"""Which way Numba compiles: by classes of its own that are no part of what it documents, or as it does by itself.

`linking` and `keeping` build upon private classes of Numba. They are used with versions of Numba with which they were
tried; with others, and with DSLGAME_NUMBA=public in the environment, functions are compiled by `numba.njit` as its
documentation has it. Then machine code takes longer to make, and what is compiled for solvers is not kept
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
"""The versions of Numba whose private classes `linking` and `keeping` know."""
PUBLIC = "DSLGAME_NUMBA"
"""The variable of the environment that has Numba compile by itself where it is `public`."""
_COMMON: dict[str, Any] = {"nogil": True, "error_model": "numpy", "boundscheck": False}
_compile: Callable[..., Any] = numba.njit


def version(text: str) -> tuple[int, ...]:
    """The first two numbers of a version."""
    return tuple(int(part) for part in text.split(".")[:2] if part.isdigit())


@cache
def knows_numba() -> bool:
    """Whether this Numba's private classes are used."""
    return os.environ.get(PUBLIC) != "public" and version(numba.__version__) in KNOWN


def part(function: Callable[..., object], *, inlined: bool = False) -> Any:
    """A function that is compiled with the entries that reach it, and put into what calls it where it is `inlined`."""
    if not knows_numba():
        return _compile(**_COMMON)(function)
    from interpreter.kernel.numba_pipeline import PartCompiler, general

    more = {"forceinline": True} if inlined else {}
    return general(_compile(**_COMMON, **more, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True,
                            pipeline_class=PartCompiler)(function))


def entry(function: Callable[..., object], folder: Path | None = None, stamp: str = "", *, allocates: bool = False
          ) -> Any:
    """A function that is called from outside and kept on disk: beside its source, if it has one, or in a folder.

    What was kept counts as long as its source is the same, or the stamp. `allocates`: whether it makes arrays.
    """
    if not knows_numba():
        return _compile(**_COMMON)(function)
    from interpreter.kernel.numba_cache import keep
    from interpreter.kernel.numba_pipeline import EntryCompiler

    return keep(_compile(**_COMMON, _nrt=allocates, pipeline_class=EntryCompiler)(function), folder, stamp)
