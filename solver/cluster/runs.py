"""Sorted positions as they are sent between workers and stored: delta-encoded blocks, and a directory of the blocks.

A `Run` has positions of one part of one tier in ascending order, each once. Its exceptions are the positions that
symmetries other than the identity fix.
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
"""The number of positions per block."""
MERGED = 1 << 23
"""The approximate number of decoded positions that are merged in memory at once."""
_FEW = 1 << 11
"""The number of positions up to which NumPy sorts faster."""


@attrs.frozen(eq=False)
class Run:
    """Positions in ascending order, encoded in blocks."""

    count: int
    directory: Words
    """uint64[blocks, words + 2]: for each block its first position, its offset in the payload, its CRC-32."""
    payload: Bytes
    """uint8[n]: the blocks."""
    same_at: Indices
    """uint32[m]: the indices of the exceptions, the positions that more than one symmetry fixes."""
    same: Bytes
    """uint8[m]: how many symmetries fix each exception."""

    @property
    def words(self) -> int:
        """The number of words of a position."""
        return int(self.directory.shape[1]) - 2

    @property
    def nbytes(self) -> int:
        """The size of all arrays in bytes."""
        arrays = (self.directory, self.payload, self.same_at, self.same)
        return sum(int(array.nbytes) for array in arrays)

    def __sizeof__(self) -> int:
        """The size in bytes, by which Dask decides when to spill results to disk."""
        return self.nbytes

    @classmethod
    def of(cls, keys: Words, sames: Bytes) -> Run:
        """Encode sorted positions (uint64[n, words]), with how many symmetries fix each (uint8[n])."""
        same_at = np.flatnonzero(sames != 1).astype(np.uint32)
        return cls.with_exceptions(keys, same_at, sames[same_at])

    @classmethod
    def with_exceptions(cls, keys: Words, same_at: Indices, same: Bytes) -> Run:
        """Encode sorted positions, with the exceptions among them."""
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
        """Decode the positions of some blocks: uint64[n, words]."""
        last_block = len(self.directory) if last_block is None else last_block
        start, end = first_block * BLOCK, min(self.count, last_block * BLOCK)
        keys = np.empty((max(0, end - start), self.words), np.uint64)
        runtime.compiled_entry(sorted_keys.decode)(self.payload, self.directory, first_block, last_block, BLOCK, keys)
        return keys

    def sames(self, first: int = 0, last: int | None = None) -> Bytes:
        """For each position with an index from `first` to `last`, how many symmetries fix it: uint8[n]."""
        last = self.count if last is None else last
        result = np.ones(last - first, np.uint8)
        here = (self.same_at >= first) & (self.same_at < last)
        result[self.same_at[here] - first] = self.same[here]
        return result


def empty_run(words: int) -> Run:
    """A run without positions."""
    return Run(0, np.zeros((0, words + 2), np.uint64), np.zeros(0, np.uint8), np.zeros(0, np.uint32),
               np.zeros(0, np.uint8))


def order_of(keys: Words) -> Indices:
    """The permutation that sorts packed positions by their first word, then by the next: uint32[n]."""
    numbers: Indices = np.arange(len(keys), dtype=np.uint32)
    return sort_with_numbers(keys.copy(), numbers)[1]


def sort_with_numbers(keys: Words, numbers: Indices) -> tuple[Words, Indices]:
    """Sort packed positions, and permute their numbers in the same way; the arrays given may be overwritten."""
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
    """Merge sorted lists without duplicates into one sorted list without duplicates."""
    merge = runtime.compiled_entry(sorted_keys.merge)
    left = deque(lists)
    while len(left) > 1:  # in the order of a queue, so that lists of similar size are merged
        one, other = left.popleft(), left.popleft()
        both = np.empty((len(one) + len(other), words), np.uint64)
        left.append(both[: merge(one, other, both)])
    return left[0] if left else np.empty((0, words), np.uint64)


def merged(runs: Sequence[Run], words: int, most: int = MERGED) -> Run:
    """Merge runs into one without duplicates.

    More than `most` positions are merged range by range: only the blocks of a range are decoded from each run, so that
    memory holds about `most` decoded positions, however many there are.
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
    """Positions that more than one symmetry fixes, and how many symmetries fix each."""

    keys: Words
    same: Bytes

    @classmethod
    def none(cls, words: int) -> _Exceptions:
        """An empty list of exceptions."""
        return cls(np.empty((0, words), np.uint64), np.empty(0, np.uint8))

    @classmethod
    def joined(cls, some: Sequence[_Exceptions]) -> _Exceptions:
        """Join several lists into one, sorted and without duplicates."""
        keys, same = np.concatenate([one.keys for one in some]), np.concatenate([one.same for one in some])
        order = order_of(keys)
        keys, same = keys[order], same[order]
        first = np.ones(len(keys), bool)
        first[1:] = (keys[1:] != keys[:-1]).any(axis=1)
        return cls(np.ascontiguousarray(keys[first]), same[first])

    def found_in(self, keys: Words, start: int) -> tuple[Indices, Bytes, _Exceptions]:
        """Find the exceptions in a sorted list of positions whose first index is `start`: return their indices, how
        many symmetries fix each, and the exceptions that come after the list."""
        places = np.empty(len(self.keys), np.uint32)
        end = runtime.compiled_entry(sorted_keys.find)(keys, start, self.keys, 0, places)
        return places[:end], self.same[:end], _Exceptions(self.keys[end:], self.same[end:])


def _borders(runs: Sequence[Run], most: int) -> list[int]:
    """First words that divide the positions into ranges with at most about `most` positions of all runs."""
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
    """Concatenate runs, of which all but the last have whole blocks only; the exceptions of all are given."""
    directories, at = [], 0
    for piece in pieces:
        directory = piece.directory.copy()
        directory[:, words] += np.uint64(at)
        directories.append(directory)
        at += len(piece.payload)
    payload = pieces[0].payload if len(pieces) == 1 else np.concatenate([piece.payload for piece in pieces])
    return Run(sum(piece.count for piece in pieces), np.concatenate(directories), payload, same_at, same)
