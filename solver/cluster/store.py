"""The store of a solution: a folder, or a URL of any file system that fsspec supports.

Files appear complete or not at all: a local file is written under a temporary name and renamed; an object store puts a
file in one operation.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from dsl.whole_file import HALF, whole_file
from solver.cluster.containers import Arrays, Container, Damaged, Object, packed
from solver.errors import Refused

CHECKSUM = "checksum"
"""The key of the CRC-32 of an object's other keys and values, as they are written."""
_REMEDY = "remove the whole folder, and solve the game again"
MISSING = "solving on a cluster needs Dask and fsspec: pip install 'dslgame[cluster]'"


def is_url(text: str) -> bool:
    """Whether a text is a URL, which names the protocol of a file system."""
    return "://" in text


@attrs.frozen(eq=False)
class Store:
    """Reads and writes the files in a folder of any file system."""

    url: str
    _system: Any
    _root: str

    @classmethod
    def at(cls, url: str) -> Store:
        """Open the folder at a URL or path. Raises Refused where the file system is unknown or cannot be used."""
        try:
            import fsspec
        except ModuleNotFoundError:
            raise Refused(MISSING) from None
        try:
            system, root = fsspec.core.url_to_fs(url)
        except (ImportError, ValueError) as problem:
            raise Refused(f"{url}: {problem}") from None
        return cls(url, system, str(root).rstrip("/"))

    @property
    def local(self) -> bool:
        """Whether the folder is in this machine's file system."""
        protocols = self._system.protocol
        return "file" in ((protocols,) if isinstance(protocols, str) else protocols)

    @property
    def of_process(self) -> bool:
        """Whether the folder is in the memory of this process, where no other process sees it."""
        return "memory" in self._system.protocol

    def path(self, name: str) -> str:
        """The path of a file in its file system."""
        return f"{self._root}/{name}"

    def exists(self, name: str) -> bool:
        """Whether a file or folder exists."""
        return bool(self._system.exists(self.path(name)))

    def names(self, folder: str = "") -> list[str]:
        """The names of the files and folders in a folder, prefixed with its name; none where it does not exist."""
        try:
            result = self._system.ls(self.path(folder) if folder else self._root, detail=False)
        except (FileNotFoundError, NotADirectoryError):
            return []
        before = f"{folder}/" if folder else ""
        return sorted(before + str(path).rstrip("/").rsplit("/", 1)[-1] for path in result)

    def all_names(self) -> list[str]:
        """The names of all files, those in subfolders included."""
        return sorted(str(path)[len(self._root) + 1 :] for path in self._system.find(self._root))

    def size(self, name: str) -> int:
        """The size of a file in bytes. Raises OSError."""
        return int(self._system.size(self.path(name)))

    def total_size(self) -> int:
        """The size of all files in bytes."""
        return int(self._system.du(self._root))

    def read(self, name: str, first: int | None = None, last: int | None = None) -> bytes:
        """Read a file, or its bytes from offset `first` to `last`. Raises OSError."""
        return bytes(self._system.cat_file(self.path(name), start=first, end=last))

    def write(self, name: str, pieces: Sequence[bytes | memoryview]) -> int:
        """Write a file, which appears complete or not at all; return its size in bytes. Raises OSError."""
        path = self.path(name)
        if not self.local:
            content = b"".join(pieces)
            self._system.pipe_file(path, content)
            return len(content)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with whole_file(Path(path), lasting=True) as stream:
            for piece in pieces:
                stream.write(piece)
            return stream.tell()

    def remove_halves(self) -> None:
        """Remove the partial files that interrupted writers left in a local folder."""
        for name in self.all_names() if self.local else ():
            if name.endswith(HALF):
                self.remove(name)

    def remove(self, name: str) -> None:
        """Remove a file or a folder with its contents; do nothing where it does not exist."""
        try:
            self._system.rm(self.path(name), recursive=True)
        except FileNotFoundError:
            return

    # ---- contents of files

    def write_object(self, name: str, value: Mapping[str, object]) -> None:
        """Write an object as JSON, with a checksum as one more key. Raises OSError."""
        self.write(name, [_written({**value, CHECKSUM: zlib.crc32(_written(value))})])

    def read_object(self, name: str) -> Any:
        """Read an object that `write_object` wrote. Raises Refused where it is damaged, OSError."""
        try:
            result = json.loads(self._read(name))
        except ValueError:
            result = None
        if not isinstance(result, dict):
            raise self.damaged(name, Damaged("it is no JSON object"))
        if result.pop(CHECKSUM, None) != zlib.crc32(_written(result)):
            raise self.damaged(name, Damaged("its checksum does not fit, or another version of dslgame wrote it"))
        return result

    def _read(self, name: str) -> bytes:
        try:
            return self.read(name)
        except FileNotFoundError:
            raise self._missing(name) from None

    def write_arrays(self, name: str, arrays: Arrays, about: Object) -> int:
        """Write a file of arrays; return its size in bytes. Raises OSError."""
        return self.write(name, packed(arrays, about))

    def open_arrays(self, name: str) -> Container:
        """Open a file of arrays, which are read on demand. Raises Refused, OSError."""
        try:
            return Container.open(lambda first, last: self.read(name, first, last), self.size(name))
        except FileNotFoundError:
            raise self._missing(name) from None
        except Damaged as problem:
            raise self.damaged(name, problem) from None

    def read_arrays(self, name: str) -> Container:
        """Read a whole file of arrays. Raises Refused, OSError."""
        try:
            return Container.of(self._read(name))
        except Damaged as problem:
            raise self.damaged(name, problem) from None

    def damaged(self, name: str, problem: Damaged) -> Refused:
        """The exception to raise for a damaged file."""
        return Refused(f"{self.url}: {name} is damaged: {problem}; {_REMEDY}")

    def _missing(self, name: str) -> Refused:
        return Refused(f"{self.url}: {name} is missing; {_REMEDY}")


def _written(value: Mapping[str, object]) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1).encode()
