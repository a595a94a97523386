"""Results of steps as files of one machine: arrays are mapped into memory by whoever reads them, and not copied.

A file has the lengths of its pieces, then a pickle, then the arrays that the pickle refers to, each at a multiple of 64
bytes. Files are read by the same version of dslgame on the same machine, within one run.
"""

from __future__ import annotations

import mmap
import pickle
import struct
from pathlib import Path

import attrs

_ALIGNED = 64
SMALL = 1 << 13
"""Bytes up to which a result goes by itself, and is in no file."""


@attrs.frozen
class Inline:
    """A small result."""

    content: bytes

    def load(self) -> object:
        """The result."""
        return pickle.loads(self.content)


@attrs.frozen
class InFile:
    """A result in a file."""

    path: str

    def load(self) -> object:
        """The result, whose arrays are read-only and in memory only as far as they are looked at. Raises OSError."""
        with open(self.path, "rb") as stream:
            content = memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))
        count = struct.unpack_from("<Q", content)[0]
        ends, pieces = 8 + 8 * count, []
        for length in struct.unpack_from(f"<{count}Q", content, 8):
            start = _aligned(ends)
            ends = start + length
            pieces.append(content[start:ends])
        return pickle.loads(pieces[0], buffers=pieces[1:])


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
    head = struct.pack(f"<{len(pieces) + 1}Q", len(pieces), *map(len, pieces))
    try:
        with open(path, "wb") as stream:
            stream.write(head)
            for piece in pieces:
                stream.seek(_aligned(stream.tell()))
                stream.write(piece)
    except OSError:
        path.unlink(missing_ok=True)
        raise
    return InFile(str(path))


def _aligned(at: int) -> int:
    return -(-at // _ALIGNED) * _ALIGNED
