"""Enumerates all reachable positions, tier by tier, with a game's kernel.

Positions are packed, and represented by the least of their images under the symmetries that merge positions. Threads
expand the positions of a tier in blocks; one thread numbers the successors, in the order of the blocks, so that the
result is always the same. For each move the number of its successor is kept.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import groupby
from math import prod
from pathlib import Path
from typing import NamedTuple

import attrs
import numpy as np
from numpy.typing import NDArray

from interpreter.arrays import Bytes, Integers, Numbers, Words
from interpreter.errors import RuleError
from interpreter.kernel.kernel import Kernel
from interpreter.model.state import State
from solver.native import decisive, position_set, runtime
from solver.native.functions import Records
from solver.native.retrograde import Fields
from solver.tables.columns import Tier

BLOCK = 1 << 13
"""The number of positions that a thread expands at once."""
_ROOM, _MOST_ROOM = 1 << 16, 1 << 24
"""The capacity of an array of successors: the usual maximum, and that for a single position."""
_FIRST_MOVES, _MOST_MOVES = 512, 1 << 20
_ALL = np.empty(0, np.uint32)
"""Stands for all positions of a piece, in place of a list of them."""
_EXPECT = 1 << 16
"""The size of a tier, in positions, from which on its final size is extrapolated when its arrays grow."""
_MOST_LATER = 255
_MOST_OF_ONE = (1 << 16) - 1
MOST_POSITIONS = (1 << 32) - 2
"""The most positions of one tier."""


class OutOfOrder(Exception):
    """A move leads to an earlier tier, or a tier's moves to too many: game and symmetries have no usable tiers."""


class TooLarge(Exception):
    """A game exceeds what tables can hold; the text says why."""


class Piece(NamedTuple):
    """Successors in arrays, of which the first `many` entries are used."""

    found: position_set.Found
    many: int


class Block(NamedTuple):
    """All successors of consecutive positions, and how many each of these has."""

    counts: Integers
    pieces: list[Piece]


@attrs.define(eq=False)
class Worker:
    """Expands positions in one thread, with scratch arrays of its own."""

    kernel: Kernel
    elements: Numbers
    """Numbers of the symmetries, the identity first."""
    flat: bool
    """Whether all positions are in one tier."""
    decisive: Records[Fields] | None = None
    """The record for `decisive.take_wins`, which leaves out all other moves where one wins at once, and merges finished
    positions; None to keep all moves."""
    _room: int = _FIRST_MOVES
    _arrays: tuple[Words | Numbers, ...] = ()
    _branching: float = 8.0

    def _make_arrays(self) -> None:
        parts = self.kernel.assembled
        width = parts.layout.width
        self._arrays = (
            np.zeros(width, np.uint64), np.zeros((self._room, width), np.uint64),
            np.zeros((self._room, parts.move_width), np.int64), np.zeros((self._room, parts.entry_width), np.int64),
            np.zeros((parts.scratch, width), np.uint64), np.zeros((3, width), np.uint64))

    def expand(self, keys: Words, first: int, last: int) -> Block:
        """Return all successors of the packed positions from `first` to `last`.

        Raises RuleError where a rule fails, and TooLarge.
        """
        if not self._arrays:
            self._make_arrays()
        parts, expand = self.kernel.assembled, self.kernel.functions["expand_tiers"]
        counts, failed = np.zeros(last - first, np.int64), np.zeros(1, np.int64)
        pieces: list[Piece] = []
        at, least = first, 64
        while at < last:
            room = max(least, min(_ROOM, int((last - at) * self._branching * 1.25) + 16))
            result = np.empty((room, parts.packing.width), np.uint64)
            same, ranks = np.empty(room, np.int64), np.empty(room, np.int64)
            stop = int(expand(keys, at, last, self.elements, result, same, ranks, counts[at - first :], failed,
                              *self._arrays))
            if self.decisive is None:
                count = int(counts[at - first : stop - first].sum())
            else:
                count = int(runtime.compiled_entry(decisive.take_wins)(
                    keys, at, stop, self.decisive, result, same, ranks, counts[at - first :]))
            if self.flat:
                ranks[:count] = 0
            if count:
                pieces.append(Piece(position_set.Found(result, same, ranks), count))
            if failed[0]:
                self._failed(int(failed[0]), keys[stop])
                failed[0] = 0
            elif stop < last and stop == at:
                least = room * 2
                if least > _MOST_ROOM:
                    raise TooLarge(f"a position has more than {_MOST_ROOM} moves")
            at = stop
        self._branching = max(1.0, float(counts.sum()) / len(counts))
        if len(counts) and int(counts.max()) > _MOST_OF_ONE:
            raise TooLarge(f"a position has more than {_MOST_OF_ONE:,} moves")
        return Block(counts.astype(np.uint16), pieces)

    def _failed(self, code: int, key: Words) -> None:
        """Enlarge the arrays of moves where they were too small; else raise the rule's error."""
        if code == 1:
            self._room *= 4
            if self._room > _MOST_MOVES:
                raise TooLarge(f"a position has more than {_MOST_MOVES} moves")
            self._make_arrays()
            return
        game = self.kernel.game
        problem = RuleError(self.kernel.assembled.failures[code], "a rule fails", game.rules.moves[0].span)
        try:
            game.engine.successors(self.state(key))  # raises a more detailed error
        except RuleError as better:
            problem = better
        problem.source = problem.source or game.rules.source
        problem.position = problem.position or game.drawing(self.state(key))
        raise problem

    def state(self, key: Words) -> State:
        """The state of a packed position."""
        row = self.kernel.start()
        self.kernel.functions["unpack_row"](np.ascontiguousarray(key), row)
        return self.kernel.state(row)


@attrs.define(eq=False)
class Enumeration:
    """The positions found so far; `run` finds all."""

    kernel: Kernel
    elements: Numbers
    flat: bool = False
    """Whether all positions are in one tier."""
    decisive: Records[Fields] | None = None
    """See `Worker`."""
    threads: int = attrs.field(factory=lambda: min(4, os.cpu_count() or 1))
    tiers: dict[int, Tier] = attrs.field(factory=dict)
    positions: int = 0
    edges: int = 0
    cyclic: bool = False
    """Whether some position can recur; final once all positions are valued."""
    _wanted: NDArray[np.uint32] = attrs.field(factory=lambda: np.empty(_ROOM, np.uint32))
    _hashes: Words = attrs.field(factory=lambda: np.empty(_ROOM, np.uint64))
    _found: Numbers = attrs.field(factory=lambda: np.zeros(_MOST_LATER, np.int64))
    _numbers: Numbers = attrs.field(factory=lambda: np.zeros(_MOST_LATER, np.int64))

    def begin(self, root: State) -> None:
        """Add a root."""
        key, same, rank = self.represent(root)
        tier = self.tier(rank)
        tier.make_room(tier.count + 1)
        self._absorb(tier, Piece(position_set.Found(key[None], np.array([same]), np.array([rank])), 1),
                     np.zeros(1, np.uint32), np.zeros(1, np.uint8), 0, several=False)

    def represent(self, state: State) -> tuple[Words, int, int]:
        """The packed representative of a state, how many symmetries fix it, and its tier."""
        key, same, rank = self.kernel.pack_least(state, self.elements)
        return np.array(key, np.uint64), same, 0 if self.flat else rank

    def tier(self, number: int) -> Tier:
        """Return the tier with this number, created if it is new."""
        result = self.tiers.get(number)
        if result is None:
            result = self.tiers[number] = Tier(number, self.kernel.assembled.packing.width)
        return result

    @property
    def expanded(self) -> int:
        """The number of positions that are expanded."""
        return sum(tier.expanded for tier in self.tiers.values())

    def growth(self) -> float:
        """The growth factor: how many times larger the last fully expanded tier is than the one before.

        Where moves may stay within a tier, or there is only one, tiers with the same value of the first quantity form a
        group. The factor is then that of the first group that is not fully expanded, with the positions known so far,
        which is a lower bound; for the first group of all it is the number of known positions per expanded one.
        """
        if len(self.tiers) == 1 or not self.kernel.assembled.tiers.strict:
            return self._growth_by_first()
        sizes = [tier.count for _, tier in sorted(self.tiers.items()) if tier.expanded == tier.count]
        return sizes[-1] / sizes[-2] if len(sizes) > 1 else 1.0

    def _growth_by_first(self) -> float:
        """The growth factor from one value of the first quantity to the next; 1 where all positions are expanded."""
        below = prod(self.kernel.assembled.tiers.sizes[1:])
        before: int = 0
        for _, group in groupby(sorted(self.tiers.items()), key=lambda item: item[0] // below):
            tiers = [tier for _, tier in group]
            count: int = sum(tier.count for tier in tiers)
            expanded: int = sum(tier.expanded for tier in tiers)
            growth = count / (before or max(1, expanded))
            if expanded < count:
                return growth
            before = count
        return 1.0

    def amounts_left(self) -> int:
        """How many values of the first quantity may follow its first one; 0 once the positions of that are expanded."""
        tiers = self.kernel.assembled.tiers
        if tiers.strict or not tiers.sizes:
            return 0
        below = prod(tiers.sizes[1:])
        first = min(self.tiers) // below
        done = all(tier.expanded == tier.count for number, tier in self.tiers.items() if number // below == first)
        return 0 if done else tiers.sizes[0] - 1 - first % tiers.sizes[0]

    def reopen(self, folder: Path) -> None:
        """Resume from tiers on disk: load those into memory in which positions will be looked up."""
        waiting = self.open
        self.positions = sum(tier.count for tier in self.tiers.values())
        self.edges = sum(tier.kids.entries for tier in self.tiers.values())
        for tier in self.tiers.values():
            if waiting and tier.number >= waiting[0].number:
                tier.reopen(folder)

    @property
    def open(self) -> list[Tier]:
        """The tiers with positions that are not expanded, in ascending order."""
        return [tier for _, tier in sorted(self.tiers.items()) if tier.expanded < tier.count]

    def run(self, after: Callable[[Tier], None]) -> None:
        """Find all positions; `after` is called after each block, and may raise an exception to stop the work.

        The state is then consistent, and `run` can be called again. Raises RuleError where a rule fails, OutOfOrder
        where the game has no usable tiers, TooLarge, MemoryError.
        """
        with ThreadPoolExecutor(max(1, self.threads - 1) if self.threads > 1 else 1) as pool:
            workers = [Worker(self.kernel, self.elements, self.flat, self.decisive) for _ in range(self.threads)]
            while waiting := self.open:
                tier = waiting[0]
                while tier.expanded < tier.count:
                    for block in self._blocks(tier, pool, workers):
                        self.take(tier, block)
                        after(tier)
                tier.close()

    def _blocks(self, tier: Tier, pool: ThreadPoolExecutor, workers: list[Worker]) -> Iterator[Block]:
        """Expand the remaining positions of a tier, and yield their successors block by block, in order."""
        starts = range(tier.expanded, tier.count, BLOCK)
        end = tier.count
        if len(starts) <= 2 or self.threads == 1:
            for start in starts:
                yield workers[0].expand(tier.keys, start, min(end, start + BLOCK))
            return
        free = deque(workers)
        running: deque[tuple[Worker, Future[Block]]] = deque()
        try:
            for start in starts:
                if not free:
                    worker, future = running.popleft()
                    block = future.result()
                    free.append(worker)
                    running.append((free[0], pool.submit(free.popleft().expand, tier.keys, start,
                                                         min(end, start + BLOCK))))
                    yield block
                else:
                    worker = free.popleft()
                    running.append((worker, pool.submit(worker.expand, tier.keys, start, min(end, start + BLOCK))))
            while running:
                yield running.popleft()[1].result()
        finally:
            for _, future in running:
                future.cancel()

    def take(self, tier: Tier, block: Block) -> None:
        """Number the successors of the next positions of a tier, and add the moves to its columns."""
        tiers_in = runtime.compiled_entry(position_set.tiers_in)
        kids, which = [], []
        for piece in block.pieces:
            different = int(tiers_in(piece.found.ranks, piece.many, self._found, self._numbers))
            if different < 0 or (self._found[:different] < tier.number).any():
                raise OutOfOrder
            numbers, places = np.empty(piece.many, np.uint32), np.empty(piece.many, np.uint8)
            for rank, count in zip(self._found[:different].tolist(), self._numbers[:different].tolist(), strict=True):
                place = tier.place_of(rank)
                if place > _MOST_LATER:
                    raise OutOfOrder
                later = self.tier(rank)
                share = (tier.expanded + len(block.counts)) / tier.count
                expected = 0 if rank == tier.number or later.count < _EXPECT else int(later.count / share)
                later.make_room(later.count + count, expected)
                self._absorb(later, piece, numbers, places, place, several=different > 1)
            kids.append(numbers)
            which.append(places)
            self.edges += piece.many
        for numbers, places in zip(kids, which, strict=True):
            tier.kids.append(numbers)
            tier.which.append(places)
        tier.counts.append(block.counts)
        tier.expanded += len(block.counts)

    def _absorb(self, tier: Tier, piece: Piece, kids: NDArray[np.uint32], which: Bytes, place: int, *,
                several: bool) -> None:
        """Number the positions of a piece that belong to a tier; `several` says that others belong to other tiers."""
        absorb = runtime.compiled_entry(position_set.absorb)
        if len(self._hashes) < piece.many:
            self._wanted, self._hashes = np.empty(piece.many, np.uint32), np.empty(piece.many, np.uint64)
        before = tier.count
        wanted = self._wanted if several else _ALL
        tier.count = int(absorb(piece.found, piece.many, tier.number, wanted, self._hashes, tier.slots, tier.keys,
                                tier.sames, tier.count, kids, which, place))
        self.positions += tier.count - before
        if tier.count > MOST_POSITIONS:
            raise TooLarge(f"a tier has more than {MOST_POSITIONS:,} positions")
