"""Append-only columns with the data of a tier's positions, which can be written to disk at any time.

A length and a checksum say what is on disk: a file that was written further is truncated to that length when an
interrupted run resumes.
"""

from __future__ import annotations

import os
import zlib
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from solver.native import position_set, runtime

_LEAST_KEYS = 1 << 8
_PART = 1 << 24
"""Bytes that are written, or read for a checksum, at once."""


class Damaged(Exception):
    """A file is not what was written to it; the text says which and how."""


@attrs.define
class Saved:
    """How much of a column is on disk: entries, and the checksum (CRC-32) of their bytes."""

    entries: int = 0
    checksum: int = 0


@attrs.define(eq=False)
class Column:
    """An append-only array of entries, each `width` wide: those in a file, then parts in memory."""

    dtype: Any
    width: int = 1
    parts: list[Any] = attrs.field(factory=list)
    saved: Saved = attrs.field(factory=Saved)
    held: int = 0
    """Entries in memory that are not on disk."""

    @property
    def entries(self) -> int:
        """How many entries there are."""
        return self.saved.entries + self.held

    @property
    def size(self) -> int:
        """Bytes in memory."""
        return sum(part.nbytes for part in self.parts)

    def append(self, part: Any) -> None:
        """Append entries; the column takes ownership of the array."""
        self.parts.append(part)
        self.held += len(part)

    def save(self, file: Path) -> None:
        """Append the parts in memory to the file, and free them. Raises OSError; nothing is lost then."""
        if self.held:
            write_on(file, self.parts, self.saved, np.dtype(self.dtype).itemsize * self.width)
        self.parts, self.held = [], 0

    def whole(self, file: Path | None) -> Any:
        """All entries as one array; those on disk are memory-mapped."""
        result = list(self.parts)
        if self.saved.entries:
            assert file is not None
            shape = (self.saved.entries, self.width) if self.width > 1 else (self.saved.entries,)
            result.insert(0, np.memmap(file, self.dtype, "r", 0, shape))
        if len(result) == 1:
            return result[0]
        if not result:
            return np.zeros(0, self.dtype)
        joined = np.concatenate(result)
        if not self.saved.entries:
            self.parts = [joined]
        return joined


def write_on(file: Path, parts: list[Any], saved: Saved, entry: int) -> None:
    """Write arrays after the saved entries of a file, and update `saved` once all are written. Raises OSError."""
    checksum, entries = saved.checksum, saved.entries
    with open(file, "r+b" if file.exists() else "w+b") as stream:
        stream.seek(saved.entries * entry)
        for part in parts:
            whole: Any = np.ascontiguousarray(part)
            view = memoryview(whole).cast("B")
            for start in range(0, len(view), _PART):
                piece = view[start : start + _PART]
                stream.write(piece)
                checksum = zlib.crc32(piece, checksum)
            entries += len(part)
        stream.truncate()
        stream.flush()
        os.fsync(stream.fileno())
    saved.entries, saved.checksum = entries, checksum


def check(file: Path, saved: Saved, entry: int) -> None:
    """Verify the saved entries of a file, and truncate what was written after them. Raises Damaged or OSError."""
    length = saved.entries * entry
    if not length:
        return
    if not file.exists() or file.stat().st_size < length:
        raise Damaged(f"{file} is missing or has fewer than the {length:,} bytes that were written")
    checksum = 0
    with open(file, "r+b") as stream:
        left = length
        while left:
            piece = stream.read(min(_PART, left))
            checksum = zlib.crc32(piece, checksum)
            left -= len(piece)
        if checksum != saved.checksum:
            raise Damaged(f"{file} is not what was written to it: its first {length:,} bytes have another checksum")
        stream.truncate(length)


_LARGE = 1 << 30
"""The size of `keys` in bytes above which the hash table is freed while they are copied, and then rebuilt."""
NAMES = ("keys", "sames", "counts", "kids", "which", "values")
"""The columns of a tier; also the names of their files."""


@attrs.define(eq=False)
class Tier:
    """Positions of one tier, in the order in which they were found."""

    number: int
    width: int
    """Words of a packed position."""
    keys: Any = None
    """The packed positions, with spare room; None while they are only on disk."""
    sames: Any = None
    """For each position how many symmetries fix it; with the same room."""
    slots: Any = None
    """The hash table of the positions (`solver.native.position_set`); None once none is looked up any more."""
    count: int = 0
    expanded: int = 0
    """The number of positions that are expanded."""
    later: list[int] = attrs.field(factory=list)
    """The tiers that moves lead to, possibly this one too; `which` has indices into this list."""
    counts: Column = attrs.field(factory=lambda: Column(np.uint16))
    """For each position how many moves it has."""
    kids: Column = attrs.field(factory=lambda: Column(np.uint32))
    """For each move the number of its successor within the successor's tier."""
    which: Column = attrs.field(factory=lambda: Column(np.uint8))
    """For each move the index in `later` of the tier it leads to."""
    values: Column = attrs.field(factory=lambda: Column(np.uint16))
    keys_saved: Saved = attrs.field(factory=Saved)
    sames_saved: Saved = attrs.field(factory=Saved)

    @property
    def columns(self) -> dict[str, Column]:
        """The columns by name, except `keys` and `sames`, which are arrays because positions are looked up in them."""
        return {"counts": self.counts, "kids": self.kids, "which": self.which, "values": self.values}

    @property
    def size(self) -> int:
        """Bytes in memory; spare room, which no position uses yet, does not count."""
        held = sum(column.size for column in self.columns.values())
        if self.keys is not None:
            held += self.count * (8 * self.width + 1)
        return held + (0 if self.slots is None else int(self.slots.nbytes))

    def make_room(self, count: int, expected: int = 0) -> None:
        """Make room for `count` positions, with at most two thirds of the slots filled.

        Arrays that must grow get room for the `expected` positions at once: repeated moves to larger arrays took a
        fifth of the time.
        """
        have = 0 if self.keys is None else len(self.keys)
        if count > have:
            room = max(_LEAST_KEYS, expected, count if have == 0 else max(count, have + have // 2))
            if self.keys is not None and self.keys.nbytes > _LARGE:
                self.slots = None  # rebuilt below: the slots never coexist with two copies of the keys
            keys, sames = np.empty((room, self.width), np.uint64), np.empty(room, np.uint8)
            if have:
                keys[: self.count], sames[: self.count] = self.keys[: self.count], self.sames[: self.count]
            self.keys, self.sames = keys, sames
        if self.slots is None or count * 3 > len(self.slots) * 2:
            size = 2 * _LEAST_KEYS if self.slots is None else len(self.slots)
            while max(count, expected) * 3 > size * 2:
                size *= 2
            self.slots = None  # freed first: the old and new slots never coexist
            self.slots = np.zeros(size, np.uint64)
            runtime.compiled_entry(position_set.refill)(self.keys, self.count, self.slots)

    def reopen(self, folder: Path) -> None:
        """Load the positions into memory, and rebuild their hash table."""
        room = self.count + self.count // 2
        keys, sames = np.empty((room, self.width), np.uint64), np.empty(room, np.uint8)
        keys[: self.count], sames[: self.count] = self.all_keys(folder), self.all_sames(folder)
        self.keys, self.sames = keys, sames
        self.slots = np.zeros(1 << (max(self.count, _LEAST_KEYS) * 3 // 2).bit_length(), np.uint64)
        runtime.compiled_entry(position_set.refill)(self.keys, self.count, self.slots)

    def place_of(self, tier: int) -> int:
        """Return the index of a tier in `later`, adding it if it is new."""
        if tier not in self.later:
            self.later.append(tier)
        return self.later.index(tier)

    def close(self) -> None:
        """Free the hash table, as no position is looked up any more."""
        self.slots = None

    def forget_moves(self) -> None:
        """Drop the columns of moves, as only values are needed from now on."""
        self.counts, self.kids, self.which = Column(np.uint16), Column(np.uint32), Column(np.uint8)

    def file(self, folder: Path, name: str) -> Path:
        """The file of a column."""
        return folder / f"tier-{self.number}.{name}"

    def save(self, folder: Path, *, drop: bool) -> None:
        """Write what is not on disk; with `drop` free the positions if none is looked up any more. Raises OSError."""
        for name, column in self.columns.items():
            column.save(self.file(folder, name))
        for name, saved, entry in (("keys", self.keys_saved, 8 * self.width), ("sames", self.sames_saved, 1)):
            array = self.keys if name == "keys" else self.sames
            if array is not None and saved.entries < self.count:
                write_on(self.file(folder, name), [array[saved.entries : self.count]], saved, entry)
        if drop and self.slots is None:
            self.keys = self.sames = None

    def all_keys(self, folder: Path | None) -> Any:
        """The packed positions; memory-mapped where they are only on disk."""
        if self.keys is not None:
            return self.keys[: self.count]
        assert folder is not None
        return np.memmap(self.file(folder, "keys"), np.uint64, "r", 0, (self.count, self.width))

    def all_sames(self, folder: Path | None) -> Any:
        """For each position how many symmetries fix it."""
        if self.sames is not None:
            return self.sames[: self.count]
        assert folder is not None
        return np.memmap(self.file(folder, "sames"), np.uint8, "r", 0, (self.count,))

    def column(self, name: str, folder: Path | None) -> Any:
        """A column as one array."""
        column = self.columns[name]
        return column.whole(None if folder is None else self.file(folder, name))
