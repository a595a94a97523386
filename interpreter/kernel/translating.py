"""Solvers' functions compiled by Numba: once for all games, and kept on disk.

A package such as `solver.searches.compiled` is written like a kernel's text: in words and numbers, with the names of
`interpreter.kernel.plain`. Imported, it runs as plain Python; `native_module` gives the same module compiled. What is
kept lies in the user's cache folder under a hash of all the package's files and of what compiles them, so that a change
in one of them is never met by what was made of another.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import platform
import sys
from pathlib import Path
from types import ModuleType

from dsl.syntax.grammar import cache_folder
from interpreter.kernel.loading import write_folder

_HERE = Path(__file__).parent
_SUPPORT = ("native.py", "linking.py", "signatures.py", "layout.py")
"""Files on which what is compiled depends, besides the package's own."""


def native_module(package: str, name: str) -> ModuleType:
    """A module of a package, its functions compiled; from disk where they have been compiled before."""
    texts = _texts(package)
    key = _key(texts)
    module = f"dslgame_{package.replace('.', '_')}_{key}_{name}"
    if module in sys.modules:
        return sys.modules[module]
    prefix = module[: -len(name)]
    files = {f"{prefix}{stem}.py": _translated(text, package, prefix) for stem, text in texts.items()}
    try:
        folder = cache_folder() / f"{package}-{key}"
        write_folder(folder, files)
        return _imported(module, folder)
    except (OSError, RuntimeError):  # no place to keep it
        return _unkept(module, files)


def _texts(package: str) -> dict[str, str]:
    folder = Path(str(importlib.import_module(package).__file__)).parent
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py"))
            if path.stem != "__init__"}


def _key(texts: dict[str, str]) -> str:
    import llvmlite
    import numba
    import numpy

    parts = [*texts, *texts.values(), *((_HERE / name).read_text(encoding="utf-8") for name in _SUPPORT), sys.version,
             numba.__version__, numpy.__version__, llvmlite.__version__, platform.machine()]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def _translated(text: str, package: str, prefix: str) -> str:
    text = text.replace("from interpreter.kernel.plain import", "from interpreter.kernel.native import")
    return text.replace(f"from {package}.", f"from {prefix}")


def _imported(module: str, folder: Path) -> ModuleType:
    """Import a module from a folder, with those of the folder that it needs."""
    sys.path.insert(0, str(folder))
    try:
        return importlib.import_module(module)
    finally:
        sys.path.remove(str(folder))


def _unkept(module: str, files: dict[str, str]) -> ModuleType:
    """The module compiled for this process alone, and those of its package that it needs."""
    found = ModuleType(module)
    text = files[f"{module}.py"]
    for name in files:
        stem = name.removesuffix(".py")
        if f"from {stem} import" in text and stem not in sys.modules:
            _unkept(stem, files)
    sys.modules[module] = found
    exec(compile(text, "<solver>", "exec"), vars(found))
    return found
