"""The file format of a solution: the value of every reachable position, in blocks.

The format, all numbers little-endian:

- the 8 bytes `DSLSOLVE`, the version (4 bytes), 4 bytes of 0;
- blocks of up to 4096 positions of one tier. A block has the packed positions (`words` times 8 bytes each) in ascending
  order, by their first word, then the next, and after them their values in the same order. A value has 1 or 2 bytes:
  four times the remoteness, plus 1 for a draw or 2 + a player's number for a win (`solver.tables.codes`); the largest
  remoteness that fits stands for a draw without an end. Tiers follow each other in ascending order;
- the index: for each block its first packed position, and the CRC-32 of its bytes (4 bytes, then 4 of 0);
- the footer, a JSON object: what was solved, how positions are packed, how large the parts are, and the totals;
- 40 bytes: where the footer begins, its length, where the index begins (8 bytes each), the CRC-32 of the index and of
  the footer (4 bytes each), and `DSLSOLVE` again.

A file is written under a temporary name and renamed once it is complete, so an interrupted run leaves no truncated one.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
import zlib
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO

import attrs

from dsl.whole_file import whole_file
from interpreter.arrays import Words
from solver.errors import Refused
from solver.native.functions import Line, Shorts
from solver.strong import Value
from solver.tables.codes import DRAWN, NEVER

MAGIC = b"DSLSOLVE"
VERSION = 1
BLOCK = 4096
"""The most positions of a block."""
KEPT = 1024
"""Blocks that stay in memory after they were read and checked: up to 100 MiB where positions have two words."""
SORTED = 1 << 26
"""About how many positions are sorted at once: some three gigabytes where they have two words."""
_SAMPLE = 1 << 16
"""About how many positions are sampled to choose the ranges of first words."""
_HEAD = struct.Struct("<8sII")
_TAIL = struct.Struct("<QQQII8s")
_NEVER_SHORT = (1 << 6) - 1
"""The remoteness, in values of one byte, of a draw without an end."""


# ---- writing


def write(path: Path, tiers: list[tuple[int, Callable[[], tuple[Any, Any]]]], words: int, longest: int,
          about: Mapping[str, Any], tell: Callable[[int], None] = lambda written: None) -> int:
    """Write a solution, and return its size in bytes.

    `tiers` has for each tier its number, and a function that returns its packed positions and their values, in any
    order. Raises OSError, and leaves no file then.
    """
    import numpy as np

    width = 1 if longest < _NEVER_SHORT else 2
    index: list[bytes] = []
    listed: list[dict[str, int]] = []
    with whole_file(path, lasting=True, alone=True) as stream:
        stream.write(_HEAD.pack(MAGIC, VERSION, 0))
        for number, get in sorted(tiers, key=lambda item: item[0]):
            all_keys, all_values = get()
            listed.append({"number": number, "positions": len(all_keys), "offset": stream.tell()})
            for keys, values in _blocks(in_order(all_keys, all_values)):
                packed = values if width == 2 else np.where(
                    values == NEVER * 4 + DRAWN, _NEVER_SHORT * 4 + DRAWN, values).astype(np.uint8)
                block = keys.astype("<u8").tobytes() + packed.astype(f"<u{width}").tobytes()
                stream.write(block)
                index.append(block[: 8 * words] + struct.pack("<II", zlib.crc32(block), 0))
            tell(len(all_keys))
        _finish(stream, b"".join(index), {
            **about, "words": words, "value_bytes": width, "block": BLOCK, "tiers": listed})
        return stream.tell()


def in_order(keys: Words, values: Shorts) -> Iterator[tuple[Words, Shorts]]:
    """Yield packed positions with their values, sorted, in parts.

    More than `SORTED` positions are sorted one range of first words at a time: the keys and values may be memory-mapped
    and larger than memory.
    """
    import numpy as np

    ranges = -(-len(keys) // SORTED)
    sample = np.sort(keys[:: max(1, len(keys) // _SAMPLE), 0]) if ranges > 1 else keys[:0, 0]
    borders = np.unique(sample[[len(sample) * number // ranges for number in range(1, ranges)]])
    for low, high in pairwise([None, *borders.tolist(), None]):
        taken = []
        for start in range(0, len(keys), SORTED):
            part, result = keys[start : start + SORTED], values[start : start + SORTED]
            if ranges > 1:
                chosen = np.ones(len(part), bool) if low is None else part[:, 0] >= np.uint64(low)
                if high is not None:
                    chosen &= part[:, 0] < np.uint64(high)
                part, result = part[chosen], result[chosen]
            taken.append((part, result))
        part, result = taken[0] if len(taken) == 1 else map(np.concatenate, zip(*taken, strict=True))
        order = sorted_order(part)
        yield part[order], result[order]


def _blocks(parts: Iterable[tuple[Words, Shorts]]) -> Iterator[tuple[Words, Shorts]]:
    """Regroup sorted parts into blocks of `BLOCK` positions; the last block has the rest, if there is one."""
    import numpy as np

    left: tuple[Words, Shorts] | None = None
    for keys, values in parts:
        if left is not None:
            keys, values = np.concatenate([left[0], keys]), np.concatenate([left[1], values])
        whole = len(keys) // BLOCK * BLOCK
        for start in range(0, whole, BLOCK):
            yield keys[start : start + BLOCK], values[start : start + BLOCK]
        left = keys[whole:].copy(), values[whole:].copy()
    if left is not None and len(left[0]):
        yield left


def sorted_order(keys: Words) -> Line:
    """The permutation that sorts packed positions by their first word, then by the next."""
    import numpy as np

    if keys.shape[1] == 1:
        return np.argsort(keys[:, 0])
    return np.lexsort(tuple(keys[:, word] for word in reversed(range(keys.shape[1]))))


def _finish(stream: BinaryIO, index: bytes, about: Mapping[str, Any]) -> None:
    index_at = stream.tell()
    stream.write(index)
    footer_at = stream.tell()
    footer = json.dumps(about, ensure_ascii=False, sort_keys=True).encode()
    stream.write(footer)
    stream.write(_TAIL.pack(footer_at, len(footer), index_at, zlib.crc32(index), zlib.crc32(footer), MAGIC))


# ---- reading


@attrs.define(eq=False)
class SolutionFile:
    """A solution opened for queries: memory-mapped, with each block's checksum verified when it is first read."""

    path: Path
    about: Mapping[str, Any]
    """The footer."""
    _data: mmap.mmap
    _keys: list[tuple[int, ...]]
    """The first packed position of each block."""
    _checksums: list[int]
    _tiers: dict[int, tuple[int, int, int]]
    """For each tier the number of its positions, its offset, and the number of its first block."""
    _blocks: dict[int, bytes] = attrs.field(factory=dict)

    @classmethod
    def open(cls, path: Path) -> SolutionFile:
        """Open a file. Raises Refused, which says what is wrong with it and where, and OSError."""
        with open(path, "rb") as stream:
            size = os.fstat(stream.fileno()).st_size
            head = stream.read(_HEAD.size)
            if head[:8] != MAGIC[: len(head)] or not head:
                raise Refused(f"{path} is not a solution that dslgame saved: it does not begin with {MAGIC.decode()}")
            if len(head) == _HEAD.size and _HEAD.unpack(head)[1] != VERSION:
                raise Refused(f"{path} has version {_HEAD.unpack(head)[1]} of the format at offset 8, and this dslgame "
                              f"reads version {VERSION}: solve the game again")
            if size < _HEAD.size + _TAIL.size:
                raise Refused(f"{path} is truncated: it has {size:,} bytes")
            data = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        return cls._opened(path, data, size)

    @classmethod
    def _opened(cls, path: Path, data: mmap.mmap, size: int) -> SolutionFile:
        footer_at, length, index_at, index_sum, footer_sum, magic = _TAIL.unpack(data[size - _TAIL.size :])
        if magic != MAGIC or footer_at + length + _TAIL.size != size or not _HEAD.size <= index_at <= footer_at:
            raise Refused(f"{path} is truncated or damaged: it does not end as a solution does, at offset "
                          f"{size - _TAIL.size:,}")
        footer, index = data[footer_at : footer_at + length], data[index_at:footer_at]
        for part, checksum, name, offset in ((footer, footer_sum, "footer", footer_at),
                                             (index, index_sum, "index", index_at)):
            if zlib.crc32(part) != checksum:
                raise Refused(f"{path} is damaged: the {name} at offset {offset:,} has another checksum")
        about = json.loads(footer)
        words = about["words"]
        entry = struct.Struct(f"<{words}QII")
        parts = list(entry.iter_unpack(index))
        tiers, block = {}, 0
        for tier in about["tiers"]:
            tiers[tier["number"]] = (tier["positions"], tier["offset"], block)
            block += -(-tier["positions"] // about["block"])
        return cls(path, about, data, [part[:words] for part in parts], [part[words] for part in parts], tiers)

    def value(self, tier: int, key: tuple[int, ...]) -> Value | None:
        """The value of a packed position of a tier; None where it is not there. Raises Refused for a damaged block."""
        if tier not in self._tiers:
            return None
        count, _, first = self._tiers[tier]
        size, words = self.about["block"], self.about["words"]
        last = first + -(-count // size)
        block = bisect_right(self._keys, key, first, last) - 1
        if block < first:
            return None
        here = self._block(tier, block - first)
        entries = min(size, count - (block - first) * size)
        low, high = 0, entries
        entry = struct.Struct(f"<{words}Q")
        while low < high:
            middle = (low + high) // 2
            if entry.unpack_from(here, middle * entry.size) < key:
                low = middle + 1
            else:
                high = middle
        if low == entries or entry.unpack_from(here, low * entry.size) != key:
            return None
        width = self.about["value_bytes"]
        code = int.from_bytes(here[entries * entry.size + low * width :][:width], "little")
        never = _NEVER_SHORT if width == 1 else NEVER
        return Value((code & 3) - 2, None if code >> 2 == never else code >> 2)

    def _block(self, tier: int, place: int) -> bytes:
        """The bytes of a tier's block. Raises Refused where their checksum is wrong."""
        count, offset, first = self._tiers[tier]
        number = first + place
        if number not in self._blocks:
            size, entry = self.about["block"], 8 * self.about["words"] + self.about["value_bytes"]
            start = offset + place * size * entry
            block = self._data[start : start + min(size, count - place * size) * entry]
            if zlib.crc32(block) != self._checksums[number]:
                raise Refused(f"{self.path} is damaged: the block of {len(block):,} bytes at offset {start:,} has "
                              "another checksum")
            if len(self._blocks) == KEPT:
                self._blocks.pop(next(iter(self._blocks)))
            self._blocks[number] = block
        return self._blocks[number]

    def check(self) -> int:
        """Verify all blocks, and return the number of positions. Raises Refused at the first damaged block."""
        total = 0
        for tier, (count, _, _) in self._tiers.items():
            for index in range(-(-count // self.about["block"])):
                self._block(tier, index)
                self._blocks.clear()
            total += count
        return total
