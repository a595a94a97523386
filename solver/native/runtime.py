"""Compiles the modules of this package with Numba, and caches them on disk beside the kernels.

`module(name, native=True)` is a module whose marked functions are compiled; its constants and classes are those of the
plain module. A function is compiled from the same code object, so that tracebacks and profiles name the source file.
Machine code is kept in the cache folder of kernels, under a hash of the text of all modules here and of the versions of
what compiles them: any change invalidates it, and nothing is written to the package's own folder.
"""

from __future__ import annotations

import hashlib
import importlib
import platform
import sys
from collections.abc import Callable
from functools import cache, wraps
from pathlib import Path
from threading import Lock
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, TypeVar, cast

from dsl.syntax.grammar import cache_folder
from solver.interruptions import deferred
from solver.native.functions import Mark, mark_of

if TYPE_CHECKING:
    from solver.native.numba_types import Compiled

_PACKAGE = __package__ or "solver.native"
_NOT_TRANSLATED = {"__builtins__", "__file__", "__loader__", "__spec__", "__cached__", "__path__"}
_ONE_AT_A_TIME = Lock()
Entry = TypeVar("Entry", bound=Callable[..., object])


def module(name: str, *, native: bool) -> ModuleType:
    """A module of this package as plain Python, or compiled."""
    return _native_module(f"{_PACKAGE}.{name}") if native else importlib.import_module(f"{_PACKAGE}.{name}")


def compiled_entry(entry: Entry) -> Entry:
    """The compiled version of a plain module's function that is marked as `compiled`; its types are the same."""
    return cast(Entry, getattr(_native_module(entry.__module__), entry.__name__))


def make_ready(*entries: Callable[..., object]) -> None:
    """Compile or load functions of plain modules that are marked as `compiled`, before they are called.

    For functions that a search does not call at once, so that nothing is compiled while a clock runs.
    """
    for entry in entries:
        ready = getattr(compiled_entry(entry), "make_ready", None)
        if ready is not None:
            ready()


@cache
def stamp() -> str:
    """A hash of everything that the machine code depends on: sources, versions and the machine's architecture."""
    import llvmlite
    import numba
    import numpy

    from interpreter.kernel import native, numba_guard, numba_pipeline, signatures

    support = [Path(str(module.__file__)) for module in (numba_pipeline, native, numba_guard, signatures)]
    files = [*sorted(Path(__file__).parent.glob("*.py")), *support]
    parts = [path.read_text(encoding="utf-8") for path in files]
    parts += [sys.version, numba.__version__, numpy.__version__, llvmlite.__version__, platform.machine()]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


@cache
def _native_words() -> dict[int, tuple[object, object]]:
    """For each plain function on words, by its id, the plain and the compiled version."""
    from interpreter.kernel import native, plain
    from solver.native import functions, intrinsics

    result: dict[int, tuple[object, object]] = {}
    for name in ("word", "number", "scramble", "stir", "below", "popcount", "lowest"):
        result[id(vars(plain)[name])] = vars(plain)[name], vars(native)[name]
    for name in ("prefetch", "add_to", "exchange"):
        result[id(vars(functions)[name])] = vars(functions)[name], vars(intrinsics)[name]
    return result


_CONSTANTS = ("ONE", "EMPTY", "FULL")
"""Constant words that modules import by these names."""


@cache
def _native_module(name: str) -> ModuleType:
    """A module whose functions are compiled, including those that it imports from other modules of the package."""
    from interpreter.kernel import native
    from interpreter.kernel import plain as words_of_plain

    plain = importlib.import_module(name)
    result = ModuleType(name, plain.__doc__)
    words, namespace = _native_words(), vars(result)
    own: dict[str, Mark] = {}
    for key, value in vars(plain).items():
        mark = mark_of(value)
        if key in _NOT_TRANSLATED:
            continue
        if mark is not None and value.__module__ != name:
            namespace[key] = getattr(_native_module(value.__module__), key)
        elif mark is not None:
            own[key] = mark
        elif id(value) in words and words[id(value)][0] is value:
            namespace[key] = words[id(value)][1]
        else:
            namespace[key] = vars(native)[key] if key in _CONSTANTS and value == vars(words_of_plain)[key] else value
    for key, mark in own.items():
        namespace[key] = _compiled(_with_names_of(vars(plain)[key], namespace), mark)
    return result


def _with_names_of(function: FunctionType, namespace: dict[str, object]) -> FunctionType:
    """A copy of a function with other globals."""
    result = FunctionType(function.__code__, namespace, function.__name__, function.__defaults__)
    result.__annotations__, result.__doc__ = function.__annotations__, function.__doc__
    result.__module__, result.__qualname__ = function.__module__, function.__qualname__
    return result


def _compiled(function: FunctionType, mark: Mark) -> object:
    from solver.native import numba_types

    if not mark.entry:
        return numba_types.part(function, inlined=mark.inlined)

    def ready() -> Compiled:
        return numba_types.entry(function, cache_folder() / f"solver-{stamp()}", stamp(), handed_in=mark.at_once)

    return ready() if mark.at_once else _when_called(function, ready)


def _when_called(function: FunctionType, ready: Callable[[], Compiled]) -> Callable[..., int]:
    """A function that is compiled, or loaded from disk, on its first call."""
    result: list[Compiled] = []

    def make() -> None:
        with _ONE_AT_A_TIME:
            if not result:
                result.append(ready())

    @wraps(function)
    def call(*arguments: object) -> int:
        if not result:
            make()
        with deferred():
            return int(result[0](*arguments))

    vars(call)["make_ready"] = make
    return call
