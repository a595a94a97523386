"""Where a solution lies: a folder, or a URL of any file system that fsspec knows.

Files appear whole: a local one is written beside its place and renamed; stores of objects put a file at once.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs

from dsl.whole_file import HALF, whole_file
from solver.cluster.containers import Arrays, Container, Damaged, Object, packed
from solver.errors import Refused

MISSING = "solving on a cluster needs Dask and fsspec: pip install 'dslgame[cluster]'"


def is_url(text: str) -> bool:
    """Whether a text names a place of some file system by its protocol."""
    return "://" in text


@attrs.frozen(eq=False)
class Store:
    """A folder of a file system."""

    url: str
    _system: Any
    _root: str

    @classmethod
    def at(cls, url: str) -> Store:
        """The folder with this URL or path. Raises Refused where the file system is not known or cannot be used."""
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
        """Whether it is a folder of this machine."""
        protocols = self._system.protocol
        return "file" in ((protocols,) if isinstance(protocols, str) else protocols)

    @property
    def of_process(self) -> bool:
        """Whether it lies in the memory of this process, so that no other one sees it."""
        return "memory" in self._system.protocol

    def path(self, name: str) -> str:
        """The path of a file in its file system."""
        return f"{self._root}/{name}"

    def exists(self, name: str) -> bool:
        """Whether there is such a file."""
        return bool(self._system.exists(self.path(name)))

    def names(self, folder: str = "") -> list[str]:
        """The files in a folder, with the folder's name before them; none where there is no folder."""
        try:
            result = self._system.ls(self.path(folder) if folder else self._root, detail=False)
        except (FileNotFoundError, NotADirectoryError):
            return []
        before = f"{folder}/" if folder else ""
        return sorted(before + str(path).rstrip("/").rsplit("/", 1)[-1] for path in result)

    def all_names(self) -> list[str]:
        """All files, those in folders too."""
        return sorted(str(path)[len(self._root) + 1 :] for path in self._system.find(self._root))

    def size(self, name: str) -> int:
        """Bytes of a file. Raises OSError."""
        return int(self._system.size(self.path(name)))

    def total_size(self) -> int:
        """Bytes of all files."""
        return int(self._system.du(self._root))

    def read(self, name: str, first: int | None = None, last: int | None = None) -> bytes:
        """A file's content, or some bytes of it. Raises OSError."""
        return bytes(self._system.cat_file(self.path(name), start=first, end=last))

    def write(self, name: str, pieces: Sequence[bytes | memoryview]) -> int:
        """Write a file, so that there is never half of it; its bytes. Raises OSError."""
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
        """Remove what those who were stopped while they wrote left behind."""
        for name in self.all_names() if self.local else ():
            if name.endswith(HALF):
                self.remove(name)

    def remove(self, name: str) -> None:
        """Remove a file or a folder; one that is not there is no mistake."""
        try:
            self._system.rm(self.path(name), recursive=True)
        except FileNotFoundError:
            return

    # ---- what is in the files

    def write_object(self, name: str, value: object) -> None:
        """Write a JSON file. Raises OSError."""
        self.write(name, [json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1).encode()])

    def read_object(self, name: str) -> Any:
        """Read a JSON file. Raises Refused where it is damaged, OSError."""
        try:
            return json.loads(self.read(name))
        except ValueError:
            raise Refused(f"{self.url}: {name} is damaged: it is no JSON object") from None

    def write_arrays(self, name: str, arrays: Arrays, about: Object) -> int:
        """Write a file of arrays; its bytes. Raises OSError."""
        return self.write(name, packed(arrays, about))

    def open_arrays(self, name: str) -> Container:
        """A file of arrays, of which parts are read when they are asked for. Raises Refused, OSError."""
        try:
            return Container.open(lambda first, last: self.read(name, first, last), self.size(name))
        except Damaged as problem:
            raise self.damaged(name, problem) from None

    def read_arrays(self, name: str) -> Container:
        """A file of arrays, read at once. Raises Refused, OSError."""
        try:
            return Container.of(self.read(name))
        except Damaged as problem:
            raise self.damaged(name, problem) from None

    def damaged(self, name: str, problem: Damaged) -> Refused:
        """What is said of a file that is not what was written."""
        return Refused(f"{self.url}: {name} is damaged: {problem}; remove it, and run the same again to make it anew")
