"""Values of a tier whose moves lead to each other, where memory is too short to turn these moves round.

`solver.tables.valuation` finds such values by retrograde analysis, which follows moves back: some 30 bytes for each
position and 9 for each move must be in memory. Here all moves are gone through from the first to the last, again and
again, and are mapped from disk; in memory are two bytes for each position and two for how many moves it has. A pass
gives a value to all positions that have a remoteness, so that there are about as many passes as the longest win has
plies. What was found is kept on disk every few minutes.

Most positions are valued by the first passes. Where half of those that a pass looked at are, the open ones are listed
with their moves, in memory as soon as there is room, and later passes go through these alone.
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
"""Seconds after which what was found is put on disk."""
_PARTS = 8
"""Parts of a pass for each thread: some have more open positions than others."""

_POSITION, _MOVE = 4 + 1 + 2, 4 + 1
"""Bytes of an open position that is listed, and of one of its moves."""
ALL_LISTED = retrograde.Listed(np.empty(0, np.uint32), np.empty(0, np.uint8))
"""All positions from a start on."""

Found = TypeVar("Found")
Entry = TypeVar("Entry", bound=np.generic)
Told = Callable[[str], None]
"""Told after each pass how far the work is; may raise an exception to stop it."""


class _Part(NamedTuple):
    """Positions that a thread goes through in a pass."""

    moves: retrograde.Tier
    """The tier, with the moves of these positions alone."""
    listed: retrograde.Listed
    start: int
    """The first, where they are not listed."""
    size: int


@attrs.define(eq=False)
class Passes:
    """Values a tier by passes over its moves."""

    tier: retrograde.Tier
    """With keys, counts and moves that may be mapped. `values` is the part of `later` for the tier itself: passes see
    what the passes before found."""
    own: int
    """What `which` has for the tier itself."""
    threads: int
    kept: Path
    """The file in which what was found so far is kept."""
    tell: Told
    room: float = math.inf
    """Bytes of memory for lists of open positions and their moves."""
    level: int = 0
    """The remoteness that the next pass finds."""
    drawing: bool = False
    """Whether wins and losses are all found, and passes find the ways to drawn ends."""
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
        """Value all positions; whether that can be done: False where a game is longer than can be told.

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
        """How many positions got a value, and the least greater remoteness that one may get."""
        value_pass = runtime.compiled_entry(retrograde.value_pass)

        def of_part(number: int) -> tuple[int, int]:
            pending = np.full(1, _FAR, np.int64)
            part = self._parts[number]
            return value_pass(*part, self.level, int(self.drawing), pending), int(pending[0])

        result = self._in_threads(of_part)
        return sum(valued for valued, _ in result), min(pending for _, pending in result)

    def _whole_part(self, number: int) -> _Part:
        """A part with all its positions."""
        first, last = self._borders[number : number + 2]
        start, end = self._edges[number : number + 2]
        moves = self.tier._replace(counts=self.tier.counts[first:last], kids=self.tier.kids[start:end],
                                   which=self.tier.which[start:end])
        return _Part(moves, ALL_LISTED, first, last - first)

    def _list_open(self, open_ones: int) -> None:
        """List the open positions, where they are half of those that were gone through, and there is room."""
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
        """Whether a position comes back in some line of play; all positions have values.

        It does where a draw has no end. Else positions are marked from which only marked ones can be reached, until no
        more are.
        """
        if bool((self.tier.values == NEVER * 4 + DRAWN).any()):
            return True
        mark_pass = runtime.compiled_entry(retrograde.mark_pass)
        self._parts = []  # their memory is free
        marks = np.zeros(len(self.tier.values), np.uint8)

        def of_part(number: int) -> int:
            part = self._whole_part(number)
            return mark_pass(part.moves, self.own, marks, part.start, part.size)

        while sum(self._in_threads(of_part)):
            self.tell("looking for positions that come back")
        return not bool(marks.all())

    # ---- what is kept

    def _write(self) -> None:
        """Put what was found on disk. Raises OSError; what was there before is still there then."""
        with whole_file(self.kept, alone=True) as stream:
            np.savez(stream, values=self.tier.values, at=np.array([self.level, self.drawing], np.int64))

    def _read(self) -> None:
        """Go on with what was kept, if it is whole."""
        with contextlib.suppress(OSError, ValueError, KeyError, zipfile.BadZipFile), np.load(self.kept) as result:
            values, at = result["values"], result["at"]
            if values.dtype == np.uint16 and values.shape == self.tier.values.shape and at.shape == (2,):
                self.tier.values[:] = values
                self.level, self.drawing = int(at[0]), bool(at[1])


def mapped(array: NDArray[Entry]) -> NDArray[Entry]:
    """A mapped array as one that compiled functions take: they ask for one that could be written, and do not."""
    if isinstance(array, np.memmap) and array.filename is not None:
        return np.asarray(np.memmap(array.filename, array.dtype, "c", array.offset, array.shape))
    return np.ascontiguousarray(array)

