"""Loads the functions of a kernel, as plain Python or as compiled code that is cached on disk.

LLVM compiles the kernel's IR (`interpreter.kernel.machine_code`). Where some of a kernel is not IR, as a hook may be,
or this Python, NumPy or llvmlite are not supported there, Numba compiles the kernel's Python text, which takes three to
ten times as long; DSLGAME_COMPILER=numba makes it do so always.

Compiled kernels are stored in the user's cache folder, a folder for each: its machine code, a file for each entry, or
its text as a module with Numba's cache files. The folder's name is a hash of the text, its tables and the versions of
everything involved, so its contents never change; a module is written under a temporary name and renamed, so that
processes never see an incomplete one. A folder whose files differ from what was written is rebuilt; damaged machine
code counts as missing, and so do damaged files of Numba's (`interpreter.kernel.numba_cache`).
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import itertools
import json
import os
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from dsl.syntax.grammar import cache_folder
from interpreter.compiler import ir
from interpreter.compiler.lowering.kernel_compiler import Assembled
from interpreter.kernel.plain_functions import PlainFunctions
from interpreter.remembered import remembered

if TYPE_CHECKING:
    from interpreter.kernel.machine_code import MachineCode

_HERE = Path(__file__).parent
_EMITTER = _HERE.parent / "compiler"
COMPILER = "DSLGAME_COMPILER"
"""The environment variable that selects the compiler of kernels: `llvm`, where possible, or `numba`."""
_UNKEPT = itertools.count(1)
"""Serial numbers of kernels that are not cached."""
_KNOWN: dict[str, MachineCode] = {}
"""The kernels of this process that are cached on disk, by the names of their folders."""
_UNREAD: list[str] = []
"""The reasons why hooks were left to Numba in this process: what the compiler cannot read of them."""
_HALF = ".making-"
"""The prefix of the names of unfinished folders."""
_LONG_AGO = 24 * 3600
"""The seconds after which an unfinished folder counts as abandoned."""


@remembered
def as_plain(kernel: Assembled) -> Mapping[str, Any]:
    """The kernel's functions in plain Python, each made on first access."""
    return PlainFunctions(kernel.module)


def deposits() -> bool:
    """Whether native kernels can use instructions that extract and deposit bits by a mask."""
    from interpreter.kernel import machine_code  # not at the top, as kernels in plain Python do not need it

    return machine_code.deposits()


def _tables_text(kernel: Assembled) -> str:
    tables = kernel.module.tables
    return json.dumps([{table.name: table.values for table in tables},
                       {table.name: table.sort == ir.ROW for table in tables}], separators=(",", ":"))


def key_of(kernel: Assembled, tables: str) -> str:
    """The name of a kernel's folder, a hash."""
    files = [*(_HERE / f"{name}.py" for name in ("machine_code", "native", "numba_guard", "numba_pipeline", "wide")),
             _EMITTER / "signs.py", *sorted((_EMITTER / "emit").glob("llvm*.py"))]
    support = [path.read_text(encoding="utf-8") for path in files]
    # as installed, not as imported: a process that only checks the cache need not import them
    versions = [installed_version(name) for name in ("numba", "numpy", "llvmlite")]
    parts = [kernel.text, tables, *support, sys.version, *versions, platform.machine()]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def installed_version(package: str) -> str:
    """The version of an installed package, from the name of its `.dist-info` folder.

    Where that is ambiguous, the package's metadata are read, which takes 20 ms. Raises PackageNotFoundError.
    """
    spec = importlib.util.find_spec(package)
    if spec is not None and spec.origin is not None:
        ending = ".dist-info"
        result = list(Path(spec.origin).parent.parent.glob(f"{package}-*{ending}"))
        if len(result) == 1:
            return result[0].name[len(package) + 1 : -len(ending)]
    from importlib import metadata

    return metadata.version(package)


def is_kept(kernel: Assembled, name: str) -> bool:
    """Whether an entry of a kernel is compiled and cached on disk. No compiler is imported."""
    folder = cache_folder() / key_of(kernel, _tables_text(kernel))
    return any(folder.glob(f"{name}-*.machine")) or any(folder.rglob(f"*.{name}-*.nbi"))


def as_native(kernel: Assembled, *, kept: bool = True) -> Mapping[str, Any]:
    """The kernel's compiled entries, each compiled on its first call, or loaded from disk where it is cached.

    Unless `kept`, they are compiled for this process alone, and nothing is written.
    """
    tables = _tables_text(kernel)
    key = key_of(kernel, tables)
    result = _as_machine_code(kernel, key, kept=kept)
    if result is not None:
        return result
    if kernel.not_ir:
        _UNREAD.append(" ".join(kernel.not_ir.split()))
    if not kept:
        return _unkept(kernel)
    if (name := _module_name(key)) in sys.modules:
        return vars(sys.modules[name])
    files = {"tables.json": tables, "kernel.py": _module_text(kernel)}
    try:
        folder = cache_folder() / key
        write_folder(folder, files)
        return vars(_module(folder, key))
    except (OSError, RuntimeError):  # not cacheable: the disk is full, or the folder not writable
        return _unkept(kernel)


def refused_by_numba(problem: Exception) -> str | None:
    """The message for an exception of Numba's where a hook was left to it; None for any other exception."""
    if not _UNREAD or not type(problem).__module__.startswith("numba."):
        return None
    said = [line for line in str(problem).splitlines() if line.strip() and not line.startswith("Failed in nopython")]
    reason = said[0].strip().removesuffix(". Raised from None").rstrip(".") if said else type(problem).__name__
    return f"a hook can be compiled neither by LLVM ({_UNREAD[-1]}) nor by Numba ({reason})"


def why_numba(kernel: Assembled) -> str:
    """The reason why Numba compiles a kernel instead of LLVM alone; "" where LLVM does."""
    from interpreter.kernel import machine_code

    if os.environ.get(COMPILER) == "numba":
        return f"{COMPILER}=numba is set"
    if not machine_code.usable():
        return "this Python, NumPy or llvmlite is not as it is known"
    return f"a hook is more than the compiler reads: {kernel.not_ir}" if kernel.not_ir else ""


def _as_machine_code(kernel: Assembled, key: str, *, kept: bool) -> MachineCode | None:
    """The kernel's entries compiled by LLVM from IR; None where that is not possible."""
    from interpreter.compiler.emit.llvm_values import Unsupported
    from interpreter.kernel import machine_code

    if os.environ.get(COMPILER) == "numba" or not machine_code.usable():
        return None
    if kept and key in _KNOWN:
        return _KNOWN[key]
    try:
        folder: Path | None = cache_folder() / key if kept else None
    except (OSError, RuntimeError):  # there is no cache folder
        folder = None
    mark = key if kept else f"{key}-{next(_UNKEPT)}"
    try:
        result = machine_code.MachineCode(kernel.module, mark, folder, inlined=kernel.inlined)
    except Unsupported:
        return None
    if kept:
        _KNOWN[key] = result
    return result


def _is_whole(folder: Path, files: dict[str, str]) -> bool:
    """Whether a folder has the files of a kernel with the given contents."""
    try:
        return all((folder / name).read_text(encoding="utf-8") == text for name, text in files.items())
    except (OSError, UnicodeDecodeError):
        return False


def write_folder(folder: Path, files: dict[str, str]) -> None:
    """Write files to a folder unless it has them with these contents. Raises OSError."""
    if not _is_whole(folder, files):
        _write(folder, files)


def _write(folder: Path, files: dict[str, str]) -> None:
    """Write a kernel's folder atomically; a damaged one in its place is removed. Raises OSError."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    half = Path(tempfile.mkdtemp(prefix=_HALF, dir=folder.parent))
    aside = Path(f"{half}-damaged")
    try:
        for name, text in files.items():
            (half / name).write_text(text, encoding="utf-8")
        with contextlib.suppress(OSError):  # the folder does not exist
            if not _is_whole(folder, files):
                folder.rename(aside)
        with contextlib.suppress(OSError):  # another process was first
            half.rename(folder)
    finally:
        for left in (half, aside, *_abandoned(folder.parent)):
            shutil.rmtree(left, ignore_errors=True)
    if not _is_whole(folder, files):
        raise OSError(f"{folder} could not be written")


def _abandoned(place: Path) -> list[Path]:
    """Unfinished folders left behind long ago by processes that were terminated."""
    result = []
    for path in place.glob(f"{_HALF}*"):
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > _LONG_AGO:
                result.append(path)
    return result


def _module_text(kernel: Assembled) -> str:
    head = ("import json\nfrom pathlib import Path\n\nfrom interpreter.kernel.native import as_table\n\n"
            '_VALUES, _WORDS = json.loads((Path(__file__).parent / "tables.json").read_text(encoding="utf-8"))\n'
            "TABLES = {name: as_table(values, words=_WORDS[name]) for name, values in _VALUES.items()}\n")
    return kernel.text.replace("from SUPPORT import", head + "from interpreter.kernel.native import", 1)


def _module_name(key: str) -> str:
    return f"dslgame_kernel_{key}"


def _module(folder: Path, key: str) -> ModuleType:
    name = _module_name(key)
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


def _unkept(kernel: Assembled) -> dict[str, Any]:
    """The functions compiled by Numba for this process alone."""
    from interpreter.kernel.native import as_table

    tables = {table.name: as_table(list(table.values), words=table.sort == ir.ROW) for table in kernel.module.tables}
    names: dict[str, Any] = {"TABLES": tables, "__name__": "kernel"}
    text = kernel.text.replace("from SUPPORT import", "from interpreter.kernel.native import", 1)
    exec(compile(text, "<kernel>", "exec"), names)
    return names
