"""Results of steps as files on one machine, whose arrays are mapped into memory by their readers, and not copied.

A file has the number of its pieces; for each the file that has it, its offset and its length; then the pieces: a pickle
and the arrays that it refers to, each at a multiple of 64 bytes. Arrays that are mapped from another file are not
written again: the result has a hard link to that file. Files are read only by the same version of dslgame, on the same
machine and within one run.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import pickle
import struct
from pathlib import Path

import attrs
import numpy as np

ALIGNED = 64
_NUMBER = struct.Struct("<Q")
_PIECE = struct.Struct("<3Q")
"""Where a piece is: the file (0 for the result's own, else the number of a link), the offset, the length."""
_LEAST_LINKED = 1 << 12
"""Pieces with at least this many bytes are linked, not written again."""
SMALL = 1 << 13
"""Results with at most this many bytes are sent directly, and not written to a file."""


@attrs.frozen
class Inline:
    """A small result, as the bytes of its pickle."""

    content: bytes

    def load(self) -> object:
        """Unpickle the result."""
        return pickle.loads(self.content)


class Mapped(mmap.mmap):
    """A file that is mapped into memory for reading."""

    path: Path

    @classmethod
    def of(cls, path: Path) -> Mapped:
        """Map a file, which must not be empty. Raises OSError."""
        with open(path, "rb") as stream:
            result = cls(stream.fileno(), 0, access=mmap.ACCESS_READ)
        result.path = path
        return result


@attrs.frozen
class InFile:
    """A result in a file, with hard links to other files that have some of its arrays."""

    path: str
    links: tuple[str, ...] = ()

    def load(self) -> object:
        """Map the files and unpickle the result; its arrays are read-only, and loaded page by page when they are read.

        Raises OSError.
        """
        files = [memoryview(Mapped.of(Path(path))) for path in (self.path, *self.links)]
        count = _NUMBER.unpack_from(files[0])[0]
        pieces = [files[file][start : start + length]
                  for file, start, length in _PIECE.iter_unpack(files[0][_NUMBER.size :][: count * _PIECE.size])]
        return pickle.loads(pieces[0], buffers=pieces[1:])

    def remove(self) -> None:
        """Remove the file and the links."""
        for path in (self.path, *self.links):
            with contextlib.suppress(OSError):
                os.unlink(path)


Stored = Inline | InFile


@attrs.frozen
class Part:
    """A cheap function to be applied to a stored result by each process that needs it."""

    of: Stored
    step: object
    arguments: tuple[object, ...]

    def load(self) -> object:
        """Load the result, and apply the function to it."""
        return self.step(self.of.load(), *self.arguments)  # type: ignore[operator]  # pickled by its name


def loaded(argument: object) -> object:
    """Load the stored results in an argument of a step, also in lists and mappings."""
    if isinstance(argument, (Inline, InFile, Part)):
        return argument.load()
    if isinstance(argument, list):
        return [loaded(item) for item in argument]
    if isinstance(argument, dict):
        return {key: loaded(item) for key, item in argument.items()}
    return argument


def store(result: object, path: Path) -> Stored:
    """Store a result, in the file if it is not small. Raises OSError, and leaves no partial file then."""
    buffers: list[pickle.PickleBuffer] = []
    content = pickle.dumps(result, 5, buffer_callback=buffers.append)
    pieces = [memoryview(content), *(buffer.raw() for buffer in buffers)]
    if sum(len(piece) for piece in pieces) <= SMALL:
        return Inline(content if not buffers else pickle.dumps(result, 5))
    links: dict[Path, str] = {}
    written, places, end = [], [], _NUMBER.size + len(pieces) * _PIECE.size
    for piece in pieces:
        file, start = _linked(piece, path, links)
        if file == 0:
            start = _aligned(end)
            end = start + len(piece)
            written.append((start, piece))
        places.append(_PIECE.pack(file, start, len(piece)))
    found = InFile(str(path), tuple(links.values()))
    try:
        with open(path, "wb") as stream:
            stream.write(_NUMBER.pack(len(pieces)) + b"".join(places))
            for start, piece in written:
                stream.seek(start)
                stream.write(piece)
    except OSError:
        found.remove()
        raise
    return found


def _linked(piece: memoryview, path: Path, links: dict[Path, str]) -> tuple[int, int]:
    """The number of the link that has a piece, counted from 1, and the offset in it; (0, 0) if it must be written.

    A link is created where a result has none to that file yet; it remains when the file's original name is removed.
    """
    mapped: object = piece
    while isinstance(mapped, (memoryview, np.ndarray)):
        mapped = mapped.obj if isinstance(mapped, memoryview) else mapped.base
    if not isinstance(mapped, Mapped) or len(piece) < _LEAST_LINKED:
        return 0, 0
    if mapped.path not in links:
        link = f"{path}.{len(links) + 1}"
        try:
            os.link(mapped.path, link)
        except OSError:  # on another file system, or the file was removed
            return 0, 0
        links[mapped.path] = link
    start = _address(piece) - _address(memoryview(mapped))
    return list(links).index(mapped.path) + 1, start


def _address(view: memoryview) -> int:
    return np.frombuffer(view, np.uint8).ctypes.data


def _aligned(at: int) -> int:
    return -(-at // ALIGNED) * ALIGNED
