"""Sorted positions as they go between workers and lie on disk: blocks of differences, and a directory of them.

A `Run` has positions of one part of one tier in ascending order, each once. `sames` are the exceptions: positions that
symmetries other than the identity leave as they are.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from itertools import pairwise

import attrs
import numpy as np

from interpreter.arrays import Bytes, Words
from solver.native import runtime, sorted_keys
from solver.native.functions import Indices

BLOCK = 1 << 13
"""Positions of a block."""
MERGED = 1 << 23
"""Positions that are sorted at once in memory, about."""
_BLOCKS = 1 << 7
"""Blocks that are read at once."""
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
        same = sames[same_at]
        keys = np.ascontiguousarray(keys)
        count, words = keys.shape
        starts = range(0, count, BLOCK)
        directory = np.zeros((len(starts), words + 2), np.uint64)
        payload = np.empty(count * 8 * words + len(starts) * 9 * words, np.uint8)
        encode = runtime.compiled_entry(sorted_keys.encode_block)
        end = 0
        for number, start in enumerate(starts):
            first, end = end, int(encode(keys, start, min(count, start + BLOCK), payload, end))
            directory[number, :words] = keys[start]
            directory[number, words], directory[number, words + 1] = first, zlib.crc32(payload[first:end].data)
        return cls(count, directory, payload[:end].copy(), same_at, same)

    def keys(self, first_block: int = 0, last_block: int | None = None) -> Words:
        """The positions of some blocks: uint64[n, words]."""
        last_block = len(self.directory) if last_block is None else last_block
        start, end = first_block * BLOCK, min(self.count, last_block * BLOCK)
        keys = np.empty((max(0, end - start), self.words), np.uint64)
        decode = runtime.compiled_entry(sorted_keys.decode_block)
        for number in range(first_block, last_block):
            first = (number - first_block) * BLOCK
            decode(self.payload, int(self.directory[number, self.words]), keys, first, min(len(keys), first + BLOCK))
        return keys

    def sames(self, first: int = 0, last: int | None = None) -> Bytes:
        """For each position, or some of them, how many symmetries leave it as it is: uint8[n]."""
        last = self.count if last is None else last
        found = np.ones(last - first, np.uint8)
        here = (self.same_at >= first) & (self.same_at < last)
        found[self.same_at[here] - first] = self.same[here]
        return found

    def exceptions(self) -> Words:
        """The positions that `same` is about."""
        blocks = np.unique(self.same_at // BLOCK)
        found = np.empty((len(self.same_at), self.words), np.uint64)
        for block in blocks.tolist():
            here = self.same_at // BLOCK == block
            found[here] = self.keys(block, block + 1)[self.same_at[here] - block * BLOCK]
        return found


def empty_run(words: int) -> Run:
    """No positions."""
    return Run(0, np.zeros((0, words + 2), np.uint64), np.zeros(0, np.uint8), np.zeros(0, np.uint32),
               np.zeros(0, np.uint8))


def order_of(keys: Words) -> Indices:
    """The order of packed positions, by their first word, then by the next: uint32[n]."""
    count, words = keys.shape
    if count <= _FEW:
        return np.lexsort(tuple(keys[:, word] for word in reversed(range(words)))).astype(np.uint32)
    by_digit = runtime.compiled_entry(sorted_keys.sort_by_digit)
    order, other_order = np.arange(count, dtype=np.uint32), np.empty(count, np.uint32)
    starts = np.empty(1 << sorted_keys.DIGIT, np.int64)
    for place in reversed(range(words)):
        word = keys[:, place].copy() if place == words - 1 else keys[order, place]
        other = np.empty_like(word)
        for shift in _digits(word):
            by_digit(word, order, other, other_order, shift, starts)
            word, other, order, other_order = other, word, other_order, order
    return order


def _digits(word: Words) -> list[int]:
    """Where digits begin in which some words differ."""
    varying = int(np.bitwise_or.reduce(word ^ word[0])) if len(word) else 0
    found, shift = [], 0
    while varying >> shift:
        if varying >> shift & 1:
            found.append(shift)
            shift += sorted_keys.DIGIT
        else:
            shift += 1
    return found


def sort_each_once(keys: Words) -> Words:
    """Packed positions in ascending order, each once. The array given is used up."""
    count, words = keys.shape
    if words > 1 or count <= _FEW:
        keys = np.ascontiguousarray(keys[order_of(keys)])
    else:
        by_digit = runtime.compiled_entry(sorted_keys.sort_words_by_digit)
        word, other, starts = keys.reshape(-1), np.empty(count, np.uint64), np.empty(1 << sorted_keys.DIGIT, np.int64)
        for shift in _digits(word):
            by_digit(word, other, shift, starts)
            word, other = other, word
        keys = word.reshape(-1, 1)
    return keys[: runtime.compiled_entry(sorted_keys.different)(keys, count)]


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
    rest = np.empty((0, words), np.uint64)
    borders = _borders(runs, most)
    for number, (low, high) in enumerate(pairwise(borders)):
        found = sort_each_once(np.concatenate([rest, *(_between(run, low, high) for run in runs)]))
        last = number == len(borders) - 2
        whole = len(found) if last else len(found) // BLOCK * BLOCK
        if whole:
            pieces.append(Run.of(found[:whole], np.ones(whole, np.uint8)))
        rest = found[whole:].copy()
    exceptions = np.concatenate([run.exceptions() for run in runs])
    return _with_sames(_joined(pieces, words), exceptions, np.concatenate([run.same for run in runs]))


def _borders(runs: Sequence[Run], most: int) -> list[int]:
    """First words between which there are about `most` positions of all runs at most."""
    total = sum(run.count for run in runs)
    if total <= most:
        return [0, 1 << 64]
    firsts = np.sort(np.concatenate([run.directory[:, 0] for run in runs]))
    step = max(1, most // BLOCK - len(runs))
    return [0, *sorted({int(word) for word in firsts[step::step]} - {0}), 1 << 64]


def _between(run: Run, low: int, high: int) -> Words:
    """The positions of a run whose first word is at least `low` and less than `high`."""
    firsts = run.directory[:, 0]
    if low == 0 and high > int(firsts[-1]):
        keys = run.keys()
    else:
        first = max(0, int(np.searchsorted(firsts, np.uint64(low))) - 1)
        last = len(firsts) if high >> 64 else int(np.searchsorted(firsts, np.uint64(high)))
        keys = run.keys(first, last)
    start = int(np.searchsorted(keys[:, 0], np.uint64(low)))
    end = len(keys) if high >> 64 else int(np.searchsorted(keys[:, 0], np.uint64(high)))
    return keys[start:end]


def _joined(pieces: Sequence[Run], words: int) -> Run:
    """Runs one after another, of which all but the last have whole blocks."""
    if len(pieces) == 1:
        return pieces[0]
    directories, at = [], 0
    for piece in pieces:
        directory = piece.directory.copy()
        directory[:, words] += np.uint64(at)
        directories.append(directory)
        at += len(piece.payload)
    nothing = empty_run(words)
    return Run(sum(piece.count for piece in pieces), np.concatenate(directories),
               np.concatenate([piece.payload for piece in pieces]), nothing.same_at, nothing.same)


def _with_sames(run: Run, exceptions: Words, same: Bytes) -> Run:
    """The run with its exceptions, which are found block by block."""
    if not len(exceptions):
        return run
    order = order_of(exceptions)
    exceptions, same = np.ascontiguousarray(exceptions[order]), same[order]
    first = np.ones(len(exceptions), bool)
    first[1:] = (exceptions[1:] != exceptions[:-1]).any(axis=1)
    exceptions, same = np.ascontiguousarray(exceptions[first]), same[first]
    return Run(run.count, run.directory, run.payload, places_in(run, exceptions), same)


def places_in(run: Run, some: Words) -> Indices:
    """Where sorted positions stand in a run that has them all: uint32[n]."""
    find = runtime.compiled_entry(sorted_keys.find)
    found = np.empty(len(some), np.uint32)
    at = 0
    for start in range(0, len(run.directory), _BLOCKS):
        keys = run.keys(start, min(len(run.directory), start + _BLOCKS))
        at = int(find(keys, start * BLOCK, some, at, found))
    assert at == len(some)
    return found
