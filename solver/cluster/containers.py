"""Arrays in a file: each with its type and checksum, found by a footer at the end, so that one can be read alone.

The format, numbers little-endian: the 8 bytes `DSLARRAY`; the arrays; the footer, a JSON object; then where the footer
begins (8 bytes), its length and CRC-32 (4 bytes each), and `DSLARRAY` again.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAGIC = b"DSLARRAY"
_TAIL = struct.Struct("<QII8s")
_GUESS = 1 << 16
"""Bytes at the end of a file that are read at first: the footer is among them nearly always."""
Array: TypeAlias = "NDArray[Any]"
"""An array of NumPy."""
Arrays: TypeAlias = Mapping[str, Array]
Check: TypeAlias = "Callable[[bytes | memoryview], int]"
"""Makes a checksum."""
Read: TypeAlias = "Callable[[int, int], bytes | memoryview]"
Object: TypeAlias = Mapping[str, Any]
"""An object of JSON."""


class Damaged(Exception):
    """A file is not what was written; the text says why."""


def crc_of(content: bytes | memoryview) -> int:
    """The CRC-32 of some bytes."""
    return zlib.crc32(content)


def sum_of(content: bytes | memoryview) -> int:
    """The sum of some bytes, eight taken together: an eighth of the time of a CRC-32, for what is soon read again."""
    whole = len(content) // 8 * 8
    words, rest = np.frombuffer(content[:whole], "<u8"), np.frombuffer(content[whole:], np.uint8)
    return (int(words.sum(dtype=np.uint64)) + int(rest.sum(dtype=np.uint64)) + len(content)) & (1 << 64) - 1


def packed(arrays: Arrays, about: Object, check: Check = crc_of, aligned: int = 1) -> list[bytes | memoryview]:
    """The bytes of a file, in pieces; arrays begin at multiples of `aligned`."""
    pieces: list[bytes | memoryview] = [MAGIC]
    at, listed = len(MAGIC), {}
    for name, array in arrays.items():
        whole = np.ascontiguousarray(array)
        view = whole.reshape(-1).view(np.uint8).data
        gap = -at % aligned
        listed[name] = [whole.dtype.str, list(whole.shape), at + gap, check(view)]
        pieces += [bytes(gap), view] if gap else [view]
        at += gap + len(view)
    footer = json.dumps({"about": dict(about), "arrays": listed}, sort_keys=True).encode()
    return [*pieces, footer, _TAIL.pack(at, len(footer), zlib.crc32(footer), MAGIC)]


@attrs.frozen(eq=False)
class Container:
    """A file of arrays, of which some bytes can be read."""

    read: Read
    """Bytes of the file from one offset to another."""
    about: Object
    listed: Object
    check: Check = crc_of
    """Makes the checksums of arrays."""

    @classmethod
    def open(cls, read: Read, size: int, check: Check = crc_of) -> Container:
        """Read the footer of a file of so many bytes. Raises Damaged."""
        start = max(0, size - _GUESS)
        end = read(start, size)
        if len(end) < _TAIL.size or end[-8:] != MAGIC:
            raise Damaged("it does not end as it should: it is truncated, or another file")
        at, length, checksum, _ = _TAIL.unpack(end[-_TAIL.size :])
        if at + length + _TAIL.size != size:
            raise Damaged("its footer is not where it should be: it is truncated")
        footer = end[at - start : at - start + length] if at >= start else read(at, at + length)
        if zlib.crc32(footer) != checksum:
            raise Damaged(f"its footer at offset {at:,} has another checksum")
        result = json.loads(bytes(footer))
        return cls(read, result["about"], result["arrays"], check)

    @classmethod
    def mapped(cls, content: memoryview, check: Check) -> Container:
        """The arrays of a file that is mapped into memory, which are not copied. Raises Damaged."""
        return cls.open(lambda first, last: content[first:last], len(content), check)

    @classmethod
    def of(cls, content: bytes | memoryview) -> Container:
        """The arrays of a file's whole content. Raises Damaged."""
        return cls.open(lambda first, last: bytes(content[first:last]), len(content))

    def has(self, name: str) -> bool:
        """Whether there is such an array."""
        return name in self.listed

    def array(self, name: str) -> Array:
        """A whole array. Raises Damaged."""
        dtype, shape, at, checksum = self.listed[name]
        size = int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize
        result = self.read(at, at + size)
        if len(result) != size or self.check(result) != checksum:
            raise Damaged(f"its column '{name}' at offset {at:,} has another checksum")
        return np.frombuffer(result, dtype).reshape(shape)

    def bytes_of(self, name: str, first: int, last: int) -> bytes:
        """Some bytes of an array, which are not held to the whole's checksum."""
        at = int(self.listed[name][2])
        return bytes(self.read(at + first, at + last))
