"""Results of steps as files of one machine: arrays are mapped into memory by whoever reads them, and not copied.

A file has the number of its pieces, for each where it is and how long, then a pickle and the arrays that the pickle
refers to, each at a multiple of 64 bytes. Arrays that are mapped from a file are not written again: the result has a
link to that file. Files are read by the same version of dslgame on the same machine, within one run.
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
"""Which file a piece is in, the result's own or a link, where it begins and how long it is."""
_LEAST_LINKED = 1 << 12
"""Bytes from which on a piece is not written again."""
SMALL = 1 << 13
"""Bytes up to which a result goes by itself, and is in no file."""


@attrs.frozen
class Inline:
    """A small result."""

    content: bytes

    def load(self) -> object:
        """The result."""
        return pickle.loads(self.content)


class Mapped(mmap.mmap):
    """A file that is mapped into memory to be read."""

    path: Path

    @classmethod
    def of(cls, path: Path) -> Mapped:
        """Map a file that is not empty. Raises OSError."""
        with open(path, "rb") as stream:
            result = cls(stream.fileno(), 0, access=mmap.ACCESS_READ)
        result.path = path
        return result


@attrs.frozen
class InFile:
    """A result in a file, and links to others that have some of its arrays."""

    path: str
    links: tuple[str, ...] = ()

    def load(self) -> object:
        """The result, whose arrays are read-only and in memory only as far as they are looked at. Raises OSError."""
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
    """What a function makes of a stored result: whoever needs it makes it, since that costs nothing."""

    of: Stored
    step: object
    arguments: tuple[object, ...]

    def load(self) -> object:
        """What is made."""
        return self.step(self.of.load(), *self.arguments)  # type: ignore[operator]  # pickled by its name


def loaded(argument: object) -> object:
    """An argument of a step with the results that are stored, in lists and mappings, too."""
    if isinstance(argument, (Inline, InFile, Part)):
        return argument.load()
    if isinstance(argument, list):
        return [loaded(item) for item in argument]
    if isinstance(argument, dict):
        return {key: loaded(item) for key, item in argument.items()}
    return argument


def store(result: object, path: Path) -> Stored:
    """Store a result, in the file if it is not small. Raises OSError, and leaves no half of a file then."""
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
    """Which of the links of a result has a piece, a new one perhaps, counted from 1, and where; 0 for none.

    A link stays when the file itself goes.
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
        except OSError:  # another file system, or the file has gone
            return 0, 0
        links[mapped.path] = link
    start = _address(piece) - _address(memoryview(mapped))
    return list(links).index(mapped.path) + 1, start


def _address(view: memoryview) -> int:
    return np.frombuffer(view, np.uint8).ctypes.data


def _aligned(at: int) -> int:
    return -(-at // ALIGNED) * ALIGNED
