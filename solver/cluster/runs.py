"""Sorted positions as they go between workers and lie on disk: blocks of differences, and a directory of them.

A `Run` has positions of one part of one tier in ascending order, each once. `sames` are the exceptions: positions that
symmetries other than the identity leave as they are.
"""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import attrs
import numpy as np

from interpreter.arrays import Bytes, Words
from solver.native import runtime, sorted_keys, sorting
from solver.native.functions import Indices

BLOCK = 1 << 13
"""Positions of a block."""
MERGED = 1 << 23
"""Positions that are sorted at once in memory, about."""
_FEW = 1 << 11
"""Positions up to which NumPy sorts faster."""


@attrs.frozen(eq=False)
class Run:
    """Positions in ascending order."""

    count: int
    directory: Words
    """uint64[blocks, words + 2]: for each block its first position, where it begins in the payload, its CRC-32."""
    payload: Bytes
    """uint8[n]: the blocks."""
    same_at: Indices
    """uint32[m]: which positions are left as they are by more symmetries than one."""
    same: Bytes
    """uint8[m]: by how many."""

    @property
    def words(self) -> int:
        """Words of a position."""
        return int(self.directory.shape[1]) - 2

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        arrays = (self.directory, self.payload, self.same_at, self.same)
        return sum(int(array.nbytes) for array in arrays)

    def __sizeof__(self) -> int:
        """What Dask counts, so that it knows when to put results on disk."""
        return self.nbytes

    @classmethod
    def of(cls, keys: Words, sames: Bytes) -> Run:
        """The run of sorted positions, with how many symmetries leave each as it is: uint64[n, words], uint8[n]."""
        same_at = np.flatnonzero(sames != 1).astype(np.uint32)
        return cls.with_exceptions(keys, same_at, sames[same_at])

    @classmethod
    def with_exceptions(cls, keys: Words, same_at: Indices, same: Bytes) -> Run:
        """The run of sorted positions with its exceptions."""
        keys = np.ascontiguousarray(keys)
        count, words = keys.shape
        directory = np.zeros((-(-count // BLOCK), words + 2), np.uint64)
        payload = np.empty(count * 8 * words + len(directory) * 9 * words, np.uint8)
        end = runtime.compiled_entry(sorted_keys.encode)(keys, BLOCK, payload, directory)
        payload = payload[:end].copy()
        for number, (first, last) in enumerate(pairwise([*directory[:, words].tolist(), end])):
            directory[number, words + 1] = zlib.crc32(payload[first:last].data)
        return cls(count, directory, payload, same_at, same)

    def keys(self, first_block: int = 0, last_block: int | None = None) -> Words:
        """The positions of some blocks: uint64[n, words]."""
        last_block = len(self.directory) if last_block is None else last_block
        start, end = first_block * BLOCK, min(self.count, last_block * BLOCK)
        keys = np.empty((max(0, end - start), self.words), np.uint64)
        runtime.compiled_entry(sorted_keys.decode)(self.payload, self.directory, first_block, last_block, BLOCK, keys)
        return keys

    def sames(self, first: int = 0, last: int | None = None) -> Bytes:
        """For each position, or some of them, how many symmetries leave it as it is: uint8[n]."""
        last = self.count if last is None else last
        result = np.ones(last - first, np.uint8)
        here = (self.same_at >= first) & (self.same_at < last)
        result[self.same_at[here] - first] = self.same[here]
        return result


def empty_run(words: int) -> Run:
    """No positions."""
    return Run(0, np.zeros((0, words + 2), np.uint64), np.zeros(0, np.uint8), np.zeros(0, np.uint32),
               np.zeros(0, np.uint8))


def order_of(keys: Words) -> Indices:
    """The order of packed positions, by their first word, then by the next: uint32[n]."""
    numbers: Indices = np.arange(len(keys), dtype=np.uint32)
    return sort_with_numbers(keys.copy(), numbers)[1]


def sort_with_numbers(keys: Words, numbers: Indices) -> tuple[Words, Indices]:
    """Packed positions in ascending order, with the numbers that go with them. The arrays given are used up."""
    count, words = keys.shape
    if count <= _FEW:
        few = np.lexsort(tuple(keys[:, place] for place in reversed(range(words))))
        return np.ascontiguousarray(keys[few]), numbers[few]
    sort = runtime.compiled_entry(sorting.sort_with_numbers)
    other, other_numbers = np.empty(count, np.uint64), np.empty(count, np.uint32)
    places, borders = np.empty(1 << sorting.DIGIT, np.int64), np.empty(1 << sorting.DIGIT, np.int64)
    if words == 1:
        sort(keys.reshape(-1), numbers, other, other_numbers, count, places, borders)
        return keys, numbers
    order: Indices = np.arange(count, dtype=np.uint32)
    for place in reversed(range(words)):
        sort(keys[order, place], order, other, other_numbers, count, places, borders)
    return np.ascontiguousarray(keys[order]), numbers[order]


def joined(lists: Sequence[Words], words: int) -> Words:
    """The positions of some sorted lists, sorted and each once; each list has it once."""
    merge = runtime.compiled_entry(sorted_keys.merge)
    left = deque(lists)
    while len(left) > 1:  # neighbours first, so that lists of the same size meet
        one, other = left.popleft(), left.popleft()
        both = np.empty((len(one) + len(other), words), np.uint64)
        left.append(both[: merge(one, other, both)])
    return left[0] if left else np.empty((0, words), np.uint64)


def merged(runs: Sequence[Run], words: int, most: int = MERGED) -> Run:
    """The positions of some runs, each once.

    Where there are more than `most`, they are sorted by ranges: of each run only the blocks of a range are read, so
    that memory holds about so many positions that are not packed in blocks, however many there are.
    """
    runs = [run for run in runs if run.count]
    if not runs:
        return empty_run(words)
    if len(runs) == 1:
        return runs[0]
    pieces: list[Run] = []
    rest, waiting = np.empty((0, words), np.uint64), _Exceptions.none(words)
    found_at, found_same, done = [], [], 0
    borders = _borders(runs, most)
    for number, (low, high) in enumerate(pairwise(borders)):
        some = [_between(run, low, high) for run in runs]
        result = joined([rest, *(keys for keys, _ in some)], words)
        last = number == len(borders) - 2
        whole = len(result) if last else len(result) // BLOCK * BLOCK
        waiting = _Exceptions.joined([waiting, *(exceptions for _, exceptions in some)])
        places, same, waiting = waiting.found_in(result[:whole], done)
        found_at.append(places)
        found_same.append(same)
        if whole:
            pieces.append(Run.with_exceptions(result[:whole], places[:0], same[:0]))
        rest, done = result[whole:].copy(), done + whole
    assert not len(waiting.keys)
    return _one_after_another(pieces, words, np.concatenate(found_at), np.concatenate(found_same))


class _Exceptions(NamedTuple):
    """Positions that more symmetries than one leave as they are, and how many do."""

    keys: Words
    same: Bytes

    @classmethod
    def none(cls, words: int) -> _Exceptions:
        """No such positions."""
        return cls(np.empty((0, words), np.uint64), np.empty(0, np.uint8))

    @classmethod
    def joined(cls, some: Sequence[_Exceptions]) -> _Exceptions:
        """Those of several lists, sorted and each once."""
        keys, same = np.concatenate([one.keys for one in some]), np.concatenate([one.same for one in some])
        order = order_of(keys)
        keys, same = keys[order], same[order]
        first = np.ones(len(keys), bool)
        first[1:] = (keys[1:] != keys[:-1]).any(axis=1)
        return cls(np.ascontiguousarray(keys[first]), same[first])

    def found_in(self, keys: Words, start: int) -> tuple[Indices, Bytes, _Exceptions]:
        """Where they stand among sorted positions, the first of which is number `start`, and what goes with them; and
        those that come after."""
        places = np.empty(len(self.keys), np.uint32)
        end = runtime.compiled_entry(sorted_keys.find)(keys, start, self.keys, 0, places)
        return places[:end], self.same[:end], _Exceptions(self.keys[end:], self.same[end:])


def _borders(runs: Sequence[Run], most: int) -> list[int]:
    """First words between which there are about `most` positions of all runs at most."""
    total = sum(run.count for run in runs)
    if total <= most:
        return [0, 1 << 64]
    firsts = np.sort(np.concatenate([run.directory[:, 0] for run in runs]))
    step = max(1, most // BLOCK - len(runs))
    return [0, *sorted({int(word) for word in firsts[step::step]} - {0}), 1 << 64]


def _between(run: Run, low: int, high: int) -> tuple[Words, _Exceptions]:
    """The positions of a run whose first word is at least `low` and less than `high`, and the exceptions among them."""
    firsts = run.directory[:, 0]
    first, last = 0, len(firsts)
    if low != 0 or high <= int(firsts[-1]):
        first = max(0, int(np.searchsorted(firsts, np.uint64(low))) - 1)
        last = len(firsts) if high >> 64 else int(np.searchsorted(firsts, np.uint64(high)))
    keys = run.keys(first, last)
    start = int(np.searchsorted(keys[:, 0], np.uint64(low)))
    end = len(keys) if high >> 64 else int(np.searchsorted(keys[:, 0], np.uint64(high)))
    places = run.same_at.astype(np.int64) - first * BLOCK
    here = (places >= start) & (places < end)
    return keys[start:end], _Exceptions(keys[places[here]], run.same[here])


def _one_after_another(pieces: Sequence[Run], words: int, same_at: Indices, same: Bytes) -> Run:
    """Runs one after another, of which all but the last have whole blocks, with the exceptions of all."""
    directories, at = [], 0
    for piece in pieces:
        directory = piece.directory.copy()
        directory[:, words] += np.uint64(at)
        directories.append(directory)
        at += len(piece.payload)
    payload = pieces[0].payload if len(pieces) == 1 else np.concatenate([piece.payload for piece in pieces])
    return Run(sum(piece.count for piece in pieces), np.concatenate(directories), payload, same_at, same)
