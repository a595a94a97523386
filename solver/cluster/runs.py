"""Sorted positions as they go between workers and lie on disk: blocks of differences, and a directory of them.

A `Run` has positions of one part of one tier in ascending order, each once. `sames` are the exceptions: positions that
symmetries other than the identity leave as they are.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import attrs
import numpy as np

from interpreter.arrays import Bytes, Words
from solver.native import runtime, sorted_keys
from solver.native.functions import Indices

BLOCK = 1 << 13
"""Positions of a block."""
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

    @classmethod
    def of(cls, keys: Words, sames: Bytes) -> Run:
        """The run of sorted positions, with how many symmetries leave each as it is: uint64[n, words], uint8[n]."""
        at = np.flatnonzero(sames != 1).astype(np.uint32)
        return cls.with_exceptions(keys, at, sames[at])

    @classmethod
    def with_exceptions(cls, keys: Words, same_at: Indices, same: Bytes) -> Run:
        """The same where the exceptions are known."""
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


def merged(runs: Sequence[Run], words: int) -> Run:
    """The positions of some runs, each once."""
    runs = [run for run in runs if run.count]
    if not runs:
        return empty_run(words)
    if len(runs) == 1:
        return runs[0]
    keys = sort_each_once(np.concatenate([run.keys() for run in runs]))
    exceptions = np.concatenate([run.exceptions() for run in runs])
    same = np.concatenate([run.same for run in runs])
    return Run.with_exceptions(keys, *_placed(keys, exceptions, same))


def _placed(keys: Words, exceptions: Words, same: Bytes) -> tuple[Indices, Bytes]:
    """Where exceptions stand among sorted positions, each once, and their numbers."""
    if not len(exceptions):
        return np.zeros(0, np.uint32), np.zeros(0, np.uint8)
    order = order_of(exceptions)
    exceptions, same = np.ascontiguousarray(exceptions[order]), same[order]
    first = np.ones(len(exceptions), bool)
    first[1:] = (exceptions[1:] != exceptions[:-1]).any(axis=1)
    exceptions, same = np.ascontiguousarray(exceptions[first]), same[first]
    return places_in(keys, exceptions), same


def places_in(keys: Words, some: Words) -> Indices:
    """Where sorted positions stand among sorted positions that have them all: uint32[n]."""
    if keys.shape[1] == 1:
        return np.searchsorted(keys[:, 0], some[:, 0]).astype(np.uint32)
    known = {tuple(key): place for place, key in enumerate(map(tuple, some.tolist()))}
    found = np.zeros(len(some), np.uint32)
    low = np.searchsorted(keys[:, 0], some[:, 0])
    high = np.searchsorted(keys[:, 0], some[:, 0], side="right")
    for place, key in enumerate(some):
        here = keys[low[place] : high[place]]
        found[known[tuple(key.tolist())]] = low[place] + int(np.flatnonzero((here == key).all(axis=1))[0])
    return found
