"""Numba's cache of compiled functions with checksums, so that damaged files are detected.

Numba trusts its files: a truncated one raises an error, and one with wrong bytes in its machine code crashes the
process. Here each file begins with a digest of its contents. A file that does not match counts as missing, so that the
function is compiled again and the file replaced; where nothing can be written, the compiled function is used but not
cached.
"""

from __future__ import annotations

import contextlib
import pickle
from pathlib import Path
from typing import Any

from numba.core import caching, sigutils, types
from numba.core.runtime.nrt import rtsys as untyped_rtsys

from interpreter.kernel.sealed import sealed, unsealed

_Files: Any = caching.IndexDataCacheFile
_Cache: Any = caching.FunctionCache
rtsys: Any = untyped_rtsys
normalize_signature: Any = sigutils.normalize_signature


class _SealedFiles(_Files):  # type: ignore[misc]  # Numba has no types
    """Numba's cache files for one function: an index, and a file for each signature."""

    def load(self, key: Any) -> Any:
        """Load the cached data of a signature; None where there are none that are valid."""
        try:
            return super().load(key)
        except OSError:
            return None

    def _load_index(self) -> dict[Any, str]:
        try:
            version, stamp, names = pickle.loads(unsealed(Path(self._index_path)))
        except OSError:
            return {}
        return dict(names) if (version, stamp) == (self._version, self._source_stamp) else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._write(self._index_path, (self._version, self._source_stamp, overloads))

    def _load_data(self, name: str) -> Any:
        return pickle.loads(unsealed(Path(self._data_path(name))))

    def _save_data(self, name: str, data: Any) -> None:
        self._write(self._data_path(name), data)

    def _write(self, path: str, data: Any) -> None:
        content = self._dump(data)
        with self._open_for_write(path) as file:
            file.write(sealed(content))


class _SealedCache(_Cache):  # type: ignore[misc]  # Numba has no types
    """The cache of one function that Numba queries before compiling, and updates afterwards."""

    def __init__(self, function: Any, folder: Path | None, stamp: str) -> None:
        super().__init__(function)
        self._cache_file = _SealedFiles(self._cache_path if folder is None else str(folder), self._impl.filename_base,
                                        stamp or self._impl.locator.get_source_stamp())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load the compiled code of a signature; None where there is none that is valid.

        Numba would first load its registries for Python and NumPy, which takes longer than the rest of a warm start.
        They are needed, and loaded then, only for compiling; cached machine code needs only the memory management,
        unless it takes functions as arguments, which have to be converted to the types of its signature.
        """
        arguments, _ = normalize_signature(sig)
        if any(isinstance(kind, types.FunctionType) for kind in arguments):
            return super().load_overload(sig, target_context)
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Cache compiled code, where the files can be written."""
        with contextlib.suppress(OSError):
            super().save_overload(sig, data)


def keep(dispatcher: Any, folder: Path | None = None, stamp: str = "") -> Any:
    """Cache a compiled function on disk: beside its source file, if it has one, or in a folder.

    The cache is valid while the source is unchanged, or while the stamp, if given, is the same; the stamp then stands
    for everything that the function depends on.
    """
    if not dispatcher.py_func.__code__.co_filename.startswith("<"):
        with contextlib.suppress(RuntimeError, OSError):  # the folder is not writable
            if folder is not None:
                folder.mkdir(parents=True, exist_ok=True)
            dispatcher._cache = _SealedCache(dispatcher.py_func, folder, stamp)
    return dispatcher
