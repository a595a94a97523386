"""Files of arrays: a footer at the end has the type, offset and checksum of each, so that one can be read alone.

The format, numbers little-endian: the 8 bytes `DSLARRAY`; the arrays; the footer, a JSON object; then the offset of the
footer (8 bytes), its length and CRC-32 (4 bytes each), and `DSLARRAY` again.
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
"""The number of bytes that are read first from the end of a file: they include the footer nearly always."""
Array: TypeAlias = "NDArray[Any]"
"""A NumPy array."""
Arrays: TypeAlias = Mapping[str, Array]
Check: TypeAlias = "Callable[[bytes | memoryview], int]"
"""Computes a checksum."""
Read: TypeAlias = "Callable[[int, int], bytes | memoryview]"
Object: TypeAlias = Mapping[str, Any]
"""A JSON object."""


class Damaged(Exception):
    """A file is not what was written; the text says why."""


def crc_of(content: bytes | memoryview) -> int:
    """The CRC-32 of some bytes."""
    return zlib.crc32(content)


def sum_of(content: bytes | memoryview) -> int:
    """The sum of some bytes as 8-byte words: an eighth of the time of a CRC-32, for files that are soon read again."""
    whole = len(content) // 8 * 8
    words, rest = np.frombuffer(content[:whole], "<u8"), np.frombuffer(content[whole:], np.uint8)
    return (int(words.sum(dtype=np.uint64)) + int(rest.sum(dtype=np.uint64)) + len(content)) & (1 << 64) - 1


def packed(arrays: Arrays, about: Object, check: Check = crc_of, aligned: int = 1) -> list[bytes | memoryview]:
    """The contents of a file of arrays, in pieces; arrays begin at multiples of `aligned`."""
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
    """A file of arrays, of which single arrays are read on demand."""

    read: Read
    """Reads the bytes of the file from one offset to another."""
    about: Object
    listed: Object
    check: Check = crc_of
    """Computes the checksums of arrays."""

    @classmethod
    def open(cls, read: Read, size: int, check: Check = crc_of) -> Container:
        """Open a file of `size` bytes, and read its footer. Raises Damaged."""
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
        """Open a file that is mapped into memory; its arrays are not copied. Raises Damaged."""
        return cls.open(lambda first, last: content[first:last], len(content), check)

    @classmethod
    def of(cls, content: bytes | memoryview) -> Container:
        """Open a file that was read as a whole. Raises Damaged."""
        return cls.open(lambda first, last: bytes(content[first:last]), len(content))

    def has(self, name: str) -> bool:
        """Whether the file has an array with this name."""
        return name in self.listed

    def array(self, name: str) -> Array:
        """Read a whole array, and verify its checksum. Raises Damaged."""
        dtype, shape, at, checksum = self.listed[name]
        size = int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize
        result = self.read(at, at + size)
        if len(result) != size or self.check(result) != checksum:
            raise Damaged(f"its column '{name}' at offset {at:,} has another checksum")
        return np.frombuffer(result, dtype).reshape(shape)

    def bytes_of(self, name: str, first: int, last: int) -> bytes:
        """Read some bytes of an array, without verifying the array's checksum."""
        at = int(self.listed[name][2])
        return bytes(self.read(at + first, at + last))
