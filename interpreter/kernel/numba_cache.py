"""What Numba made of a kernel, kept on disk so that a damaged file is noticed.

Numba trusts its files: one that is cut short raises an error, one with wrong bytes in its machine code ends the
process. Here each file begins with a digest of what follows. A file that does not fit counts as missing, so that the
function is compiled again and the file replaced; where nothing can be written, what was compiled is used and not kept.
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
    """Numba's files for one function: an index, and one for each signature."""

    def load(self, key: Any) -> Any:
        """What was kept for a signature, None where there is nothing of use."""
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
    """What Numba asks for a function before it compiles, and tells when it has."""

    def __init__(self, function: Any, folder: Path | None, stamp: str) -> None:
        super().__init__(function)
        self._cache_file = _SealedFiles(self._cache_path if folder is None else str(folder), self._impl.filename_base,
                                        stamp or self._impl.locator.get_source_stamp())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What was kept for a signature, None where there is nothing of use.

        Numba first reads all that it knows of Python and NumPy, which takes longer than the rest of a warm start. Who
        compiles needs it and reads it then; machine code that is kept needs no more than memory management, unless it
        is given functions, which have to be made those of its signature.
        """
        arguments, _ = normalize_signature(sig)
        if any(isinstance(kind, types.FunctionType) for kind in arguments):
            return super().load_overload(sig, target_context)
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled, where that is possible."""
        with contextlib.suppress(OSError):
            super().save_overload(sig, data)


def keep(dispatcher: Any, folder: Path | None = None, stamp: str = "") -> Any:
    """A compiled function that is kept on disk: beside its source, if it has one, or in a folder.

    What was kept counts as long as its source is the same, or the stamp, which then stands for everything that has a
    part in the function.
    """
    if not dispatcher.py_func.__code__.co_filename.startswith("<"):
        with contextlib.suppress(RuntimeError, OSError):  # no place to keep it
            if folder is not None:
                folder.mkdir(parents=True, exist_ok=True)
            dispatcher._cache = _SealedCache(dispatcher.py_func, folder, stamp)
    return dispatcher
