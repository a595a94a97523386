"""The packed numbers of certificates, unpacked while they are read: a small file may hold more than the memory."""

from __future__ import annotations

import lzma
from array import array
from collections.abc import Iterator, Sequence

import attrs

_PIECE = 1 << 16
_MEMORY = 1 << 26
"""The most memory that unpacking takes, in bytes; files by the writer need 9 MB."""


def columns_of(packed: bytes, sizes: Sequence[tuple[int, str]]) -> list[Column]:
    """The columns of a file, each given by how many numbers it has and by their type code (of `array`).

    Raises ValueError where there are more or fewer numbers, or more follows, lzma.LZMAError and EOFError.
    """
    result, size, there = list[Column](), 0, 0
    for count, code in sizes:
        result.append(Column(packed, size, code, count))
        size += count * array(code).itemsize
    for place, piece in _unpacked(packed):
        there = place + len(piece)
        if there > size:
            break
    if there != size or any(column.count < 0 for column in result):
        raise ValueError("there are more or fewer packed numbers than the certificate says")
    return result


@attrs.frozen
class Column:
    """Numbers of a file, unpacked anew whenever they are read."""

    packed: bytes
    begin: int
    """The place of the first one among the bytes that are packed."""
    code: str
    count: int

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[int]:
        size = array(self.code).itemsize
        begin, end, rest = self.begin, self.begin + self.count * size, b""
        for place, piece in _unpacked(self.packed):
            if place >= end:
                return
            rest += piece[max(0, begin - place) : max(0, end - place)]
            whole = len(rest) // size * size
            yield from array(self.code, rest[:whole])
            rest = rest[whole:]


def _unpacked(packed: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield what is packed in pieces, each with its place. Raises ValueError, lzma.LZMAError and EOFError."""
    unpacker, place = lzma.LZMADecompressor(memlimit=_MEMORY), 0
    piece = unpacker.decompress(packed, _PIECE)
    yield place, piece
    while not unpacker.eof:
        if unpacker.needs_input:
            raise EOFError("the packed numbers are truncated")
        place += len(piece)
        piece = unpacker.decompress(b"", _PIECE)
        yield place, piece
    if unpacker.unused_data:
        raise ValueError("more follows the packed numbers")
