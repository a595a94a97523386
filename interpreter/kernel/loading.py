"""From a kernel's text to functions: run as plain Python, or compiled by Numba and kept on disk.

Compiled kernels live in the user's cache folder, a folder for each text: the text as a module and what Numba made of
it. The folder's name is a hash of the text, its tables and the versions of everything that has a part in it, so nothing
in it ever changes; it is written beside its place and renamed, so that processes do not see half of one.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import os
import platform
import shutil
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

import platformdirs

from interpreter.kernel import plain
from interpreter.kernel.assembly import Assembled

_HERE = Path(__file__).parent


def cache_folder() -> Path:
    """Where compiled kernels are kept: DSLGAME_CACHE, or the user's cache folder."""
    own = os.environ.get("DSLGAME_CACHE")
    return Path(own) if own else Path(platformdirs.user_cache_dir("dslgame")) / "kernels"


def as_plain(kernel: Assembled) -> dict[str, Any]:
    """The kernel's functions as plain Python."""
    tables = {name: plain.as_table(values, words=kernel.words[name]) for name, values in kernel.tables.items()}
    names: dict[str, Any] = {"TABLES": tables}
    text = kernel.text.replace("from SUPPORT import", "from interpreter.kernel.plain import", 1)
    exec(compile(text, "<kernel>", "exec"), names)
    return names


def _tables_text(kernel: Assembled) -> str:
    return json.dumps([kernel.tables, kernel.words], separators=(",", ":"))


def key_of(kernel: Assembled, tables: str) -> str:
    """What names a kernel's folder."""
    import llvmlite
    import numba
    import numpy

    parts = [kernel.text, tables, (_HERE / "native.py").read_text(encoding="utf-8"), sys.version, numba.__version__,
             numpy.__version__, llvmlite.__version__, platform.machine()]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def as_native(kernel: Assembled) -> dict[str, Any]:
    """The kernel's functions compiled by Numba, as they are called; from disk where they have been compiled before."""
    tables = _tables_text(kernel)
    key = key_of(kernel, tables)
    folder = cache_folder() / key
    try:
        if not (folder / "kernel.py").exists():
            _write(kernel, tables, folder)
        return vars(_module(folder, key))
    except OSError:  # no place to keep it: a full disk, a folder that cannot be written
        return _unkept(kernel, tables, key)


def _write(kernel: Assembled, tables: str, folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    half = Path(tempfile.mkdtemp(prefix=".making-", dir=folder.parent))
    try:
        _fill(kernel, tables, half)
        with contextlib.suppress(OSError):  # another process was first
            half.rename(folder)
    finally:
        if half.exists():
            shutil.rmtree(half, ignore_errors=True)
    if not (folder / "kernel.py").exists():
        raise OSError(f"{folder} could not be written")


def _fill(kernel: Assembled, tables: str, folder: Path) -> None:
    (folder / "tables.json").write_text(tables, encoding="utf-8")
    head = ("import json\nfrom pathlib import Path\n\nfrom interpreter.kernel.native import as_table\n\n"
            '_VALUES, _WORDS = json.loads((Path(__file__).parent / "tables.json").read_text(encoding="utf-8"))\n'
            "TABLES = {name: as_table(values, words=_WORDS[name]) for name, values in _VALUES.items()}\n")
    text = kernel.text.replace("from SUPPORT import", head + "from interpreter.kernel.native import", 1)
    (folder / "kernel.py").write_text(text, encoding="utf-8")


def _module(folder: Path, key: str) -> ModuleType:
    name = f"dslgame_kernel_{key}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, folder / "kernel.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _unkept(kernel: Assembled, tables: str, key: str) -> dict[str, Any]:
    """The functions compiled for this process alone."""
    folder = Path(tempfile.mkdtemp(prefix="dslgame-"))
    try:
        _fill(kernel, tables, folder)
        return vars(_module(folder, key))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
