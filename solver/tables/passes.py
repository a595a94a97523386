"""Values a tier whose moves lead to each other, where memory is too short to reverse these moves.

`solver.tables.valuation` values such a tier by retrograde analysis, which follows moves backwards and needs some 30
bytes of memory for each position and 9 for each move. Here passes scan all moves, mapped from disk, from the first to
the last; memory holds two bytes for each position and two for the number of its moves. A pass values all positions of
one remoteness, so that there are about as many passes as the longest win has plies. Every few minutes a checkpoint is
written.

The first passes value most positions. Once half of those that a pass scans are valued, and there is room, the open ones
are listed in memory with their moves, and later passes scan only these.
"""

from __future__ import annotations

import contextlib
import math
import time
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, TypeVar

import attrs
import numpy as np
from numpy.typing import NDArray

from dsl.whole_file import whole_file
from solver.native import retrograde, runtime
from solver.tables.codes import DRAWN, LONGEST, NEVER

_FAR = 1 << 60
"""More than any remoteness."""
_CHECKPOINT = 240.0
"""Seconds between two checkpoints."""
_PARTS = 8
"""Parts of a pass per thread, to balance the load: some have more open positions than others."""

_POSITION, _MOVE = 4 + 1 + 2, 4 + 1
"""Bytes of a listed open position, and of one of its moves."""
ALL_LISTED = retrograde.Listed(np.empty(0, np.uint32), np.empty(0, np.uint8))
"""The empty list, which stands for all positions from a start on."""

Found = TypeVar("Found")
Entry = TypeVar("Entry", bound=np.generic)
Told = Callable[[str], None]
"""Called after each pass with a progress message; may raise an exception to stop the work."""


class _Part(NamedTuple):
    """The positions that one task of a pass scans."""

    moves: retrograde.Tier
    """The tier, with only the moves of these positions."""
    listed: retrograde.Listed
    start: int
    """The first position, where they are not listed."""
    size: int


@attrs.define(eq=False)
class Passes:
    """Values a tier by passes over its moves."""

    tier: retrograde.Tier
    """The tier; its keys, counts and moves may be memory-mapped. `values` is its own part of `later`, so that passes
    see the values that earlier ones found."""
    own: int
    """The index in `which` that stands for the tier itself."""
    threads: int
    kept: Path
    """The checkpoint file."""
    tell: Told
    room: float = math.inf
    """Bytes of memory for lists of open positions and their moves."""
    level: int = 0
    """The remoteness that the next pass values."""
    drawing: bool = False
    """Whether all wins and losses are found, and passes value draws by their distance to a drawn end."""
    _borders: list[int] = attrs.field(init=False)
    _edges: list[int] = attrs.field(init=False)
    _written: float = 0.0
    _parts: list[_Part] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        count, parts = len(self.tier.values), _PARTS * self.threads
        self._borders = [count * number // parts for number in range(parts + 1)]
        self._edges = [0, *np.cumsum([int(self.tier.counts[first:last].sum(dtype=np.int64))
                                      for first, last in pairwise(self._borders)]).tolist()]
        self._parts = [self._whole_part(number) for number in range(parts)]

    def run(self) -> bool:
        """Value all positions; return False where a remoteness would exceed `LONGEST`.

        Raises what `tell` raises, and OSError.
        """
        self._read()
        self._written = time.monotonic()
        number, open_ones = 0, int((self.tier.values == 0).sum())
        while True:
            number += 1
            self._list_open(open_ones)
            valued, pending = self._pass()
            open_ones -= valued
            if valued:
                self.level += 1
            elif pending < _FAR:
                self.level = pending
            elif self.drawing:
                break
            else:
                self.level, self.drawing = 0, True
            if self.level > LONGEST:
                return False
            try:
                self.tell(f"valuing positions by passes, {number} so far, remoteness {self.level:,}, "
                          f"{open_ones:,} positions are open")
            except BaseException:
                self._write()
                raise
            if time.monotonic() - self._written > _CHECKPOINT:
                self._write()
                self._written = time.monotonic()
        self.tier.values[self.tier.values == 0] = NEVER * 4 + DRAWN
        return True

    def _pass(self) -> tuple[int, int]:
        """Run a pass; return how many positions it valued, and the least greater remoteness that one may get."""
        value_pass = runtime.compiled_entry(retrograde.value_pass)

        def of_part(number: int) -> tuple[int, int]:
            pending = np.full(1, _FAR, np.int64)
            part = self._parts[number]
            return value_pass(*part, self.level, int(self.drawing), pending), int(pending[0])

        result = self._in_threads(of_part)
        return sum(valued for valued, _ in result), min(pending for _, pending in result)

    def _whole_part(self, number: int) -> _Part:
        """A part that scans all its positions."""
        first, last = self._borders[number : number + 2]
        start, end = self._edges[number : number + 2]
        moves = self.tier._replace(counts=self.tier.counts[first:last], kids=self.tier.kids[start:end],
                                   which=self.tier.which[start:end])
        return _Part(moves, ALL_LISTED, first, last - first)

    def _list_open(self, open_ones: int) -> None:
        """List the open positions, if they are at most half of those that a pass scans, and there is room."""
        listed = sum(part.size for part in self._parts)
        if not listed or 2 * open_ones > listed:
            return
        moves_of_open = runtime.compiled_entry(retrograde.moves_of_open)
        list_open = runtime.compiled_entry(retrograde.list_open)

        def counted(number: int) -> tuple[int, int]:
            totals = np.zeros(2, np.int64)
            moves_of_open(*self._parts[number], totals)
            return int(totals[0]), int(totals[1])

        totals = self._in_threads(counted)
        if sum(positions * _POSITION + moves * _MOVE for positions, moves in totals) > self.room:
            return

        def shortened(number: int) -> None:
            positions, moves = totals[number]
            part = self._parts[number]
            listed = retrograde.Listed(np.empty(positions, np.uint32), np.empty(positions, np.uint8))
            only = part.moves._replace(counts=np.empty(positions, np.uint16), kids=np.empty(moves, np.uint32),
                                       which=np.empty(moves, np.uint8))
            list_open(*part, listed, only)
            self._parts[number] = _Part(only, listed, 0, positions)

        self._in_threads(shortened)

    def _in_threads(self, work: Callable[[int], Found]) -> list[Found]:
        with ThreadPoolExecutor(self.threads) as pool:
            return list(pool.map(work, range(len(self._borders) - 1)))

    def cyclic(self) -> bool:
        """Whether some line of play repeats a position; called once all positions are valued.

        One does where a draw has no end. Otherwise passes mark the positions whose moves within the tier all lead to
        marked ones, until none is added: positions that stay unmarked lead to a cycle.
        """
        if bool((self.tier.values == NEVER * 4 + DRAWN).any()):
            return True
        mark_pass = runtime.compiled_entry(retrograde.mark_pass)
        self._parts = []  # frees their memory
        marks = np.zeros(len(self.tier.values), np.uint8)

        def of_part(number: int) -> int:
            part = self._whole_part(number)
            return mark_pass(part.moves, self.own, marks, part.start, part.size)

        while sum(self._in_threads(of_part)):
            self.tell("looking for positions that come back")
        return not bool(marks.all())

    # ---- checkpoint

    def _write(self) -> None:
        """Write a checkpoint. Raises OSError; the one before is intact then."""
        with whole_file(self.kept, alone=True) as stream:
            np.savez(stream, values=self.tier.values, at=np.array([self.level, self.drawing], np.int64))

    def _read(self) -> None:
        """Resume from the checkpoint, if there is an intact one."""
        with contextlib.suppress(OSError, ValueError, KeyError, zipfile.BadZipFile), np.load(self.kept) as result:
            values, at = result["values"], result["at"]
            if values.dtype == np.uint16 and values.shape == self.tier.values.shape and at.shape == (2,):
                self.tier.values[:] = values
                self.level, self.drawing = int(at[0]), bool(at[1])


def mapped(array: NDArray[Entry]) -> NDArray[Entry]:
    """Map an array copy-on-write: compiled functions require writable arrays, though they do not write to these."""
    if isinstance(array, np.memmap) and array.filename is not None:
        return np.asarray(np.memmap(array.filename, array.dtype, "c", array.offset, array.shape))
    return np.ascontiguousarray(array)

