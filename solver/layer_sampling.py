"""How many positions the layers of a game have, from samples of them.

A sample of layer d leads to one of layer d + 1: each of its positions makes a random move. A position that is reached
so is met in proportion to 1 / b, for the b moves there were, and to the number a of positions that lead to it. With the
weight b / a each position of the layer counts alike, so that the mean of b / a is how many times as large the layer is
as the one before (Knuth's estimate of a tree's size, 1975, made one of a graph's, with the samples drawn anew by their
weights after each layer).

How many positions lead to a position, its arrivals, is counted by undoing moves. What a move changes in a row, and what
stands there after it, is kept for each move that was seen. Where a position has what stands there after the move, the
move is undone, and made again: that must be legal, and lead to the position. The position before must be one that can
occur itself: some move of another change leads to it, which does not end the game.
"""

from __future__ import annotations

import math
import random
import time
from array import array
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import attrs

from interpreter.errors import RuleError

if TYPE_CHECKING:
    from solver.packed_space import Key, PackedSpace

Code = tuple[int, ...]
"""A move as a kernel has it."""
_MOST_CHANGES = 4_096
"""Changes by moves that are kept for each player."""
_WORD = (1 << 64) - 1
FEWEST, _MOST = 8, 256
"""Positions of a layer that a sample has at least and at most."""
_HELD = 4_096
"""Positions by which the growth of a known layer is measured at most."""
_SPREAD = 0.5
"""The least deviation that weights are taken to have, relative to their mean: a few say little of it."""
_SURE, _SLIGHT = 2.0, 0.05
"""Standard errors, and besides them the natural logarithm, from which on samples differ from known layers."""
_LAYERS = 8
"""Layers that are taken to follow, where that is not known."""
_OVERTIME = 2.0
"""How many times as long as it may take a sample takes at most."""


@attrs.define(eq=False)
class Arrivals:
    """Counts from how many positions a move leads to a position, by the changes of moves that were seen."""

    space: PackedSpace
    changes: dict[int, dict[tuple[int, int], Code]] = attrs.field(factory=dict)
    """For each player: the bits of a row, as one number, that a move changes; what they are after it; a move that does
    so."""
    _root: int = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._root = _number(self.space.row(self.space.start()))

    def learn(self, row: Sequence[int], mover: int, result: Sequence[tuple[Code, list[int]]]) -> None:
        """Note what the moves of a player change, given the rows that they leave."""
        known = self.changes.setdefault(mover, {})
        if len(known) >= _MOST_CHANGES:
            return
        before = _number(row)
        for move, left in result:
            after = _number(left)
            mask = before ^ after
            known.setdefault((mask, after & mask), move)

    def of(self, left: list[int], mover: int) -> int:
        """From how many positions a move of a player leads to a row, as far as that is seen; at least one."""
        number, width, space = _number(left), len(left), self.space
        result = set[int]()
        for (mask, after), move in self.changes[mover].items():
            if number & mask == after and number ^ mask not in result:
                before = _row(number ^ mask, width)
                if space.leads(before, move, left) and self._occurs(before):
                    result.add(number ^ mask)
        return max(1, len(result))

    def _occurs(self, row: list[int]) -> bool:
        """Whether a row is the root, or what a move leaves that does not end the game."""
        number, space = _number(row), self.space
        if number == self._root:
            return True
        for player, known in self.changes.items():
            for (mask, after), move in known.items():
                if number & mask == after:
                    before = _row(number ^ mask, len(row))
                    if space.mover(before) == player and space.leads(before, move, row):
                        return space.goes_on(row, player)
        return False


@attrs.define
class Mean:
    """The mean of numbers."""

    count: int = 0
    sum: float = 0.0
    squares: float = 0.0

    def add(self, number: float) -> None:
        """Take in a number."""
        self.count += 1
        self.sum += number
        self.squares += number * number

    @property
    def value(self) -> float:
        """The mean; 0 without any."""
        return self.sum / self.count if self.count else 0.0

    @property
    def error(self) -> float:
        """Its standard error, relative to it; infinite where it is not known."""
        if self.count < 2 or self.sum <= 0:
            return math.inf
        variance = max(0.0, self.squares / self.count - self.value**2)
        return math.sqrt(variance / (self.count - 1)) / self.value


@attrs.define(eq=False)
class LayerSampling:
    """Samples of the layers of a game, by a plain kernel. Positions come back in no line of play."""

    arrivals: Arrivals
    chance: random.Random
    growth: dict[int, Mean] = attrs.field(factory=dict)
    """For each layer how many times as many positions the next one has."""
    arriving: dict[int, Mean] = attrs.field(factory=dict)
    """For each layer from how many positions a move leads to those of the next, by the moves that were made."""
    known: Mapping[Key, int] = attrs.field(factory=dict)
    """The numbers of known positions, where positions are reached after different numbers of plies."""
    bounds: Sequence[int] = ()
    """With which of these numbers each layer begins."""
    _pace: float = 0.0
    """Processor seconds that a position of a layer took."""

    @property
    def space(self) -> PackedSpace:
        """The positions."""
        return self.arrivals.space

    def sample(self, layer: int, positions: Sequence[Key], last: int, seconds: float | None) -> None:
        """Sample from a layer, whose positions are given, up to the last one: for so much processor time.

        A first sample is made in any case, and left where it takes twice that; without `seconds` it is made whole, and
        no other.
        """
        began = time.thread_time()
        while True:
            size, until = FEWEST, math.inf
            if seconds is not None:
                layers = max(_LAYERS, max(self.growth, default=0) - layer)
                left = began + seconds - time.thread_time()
                size = int(left / (layers * self._pace)) if self._pace else FEWEST
                until = began + _OVERTIME * seconds
            self.follow(layer, positions, last, min(max(size, FEWEST), _MOST), until)
            if seconds is None or time.thread_time() >= began + seconds:
                return

    def measure(self, layer: int, positions: Sequence[Key], seconds: float, least: int = FEWEST) -> None:
        """Sample the growth of a layer alone, for so much processor time, and so many positions in any case."""
        until = time.thread_time() + seconds
        mean = self.growth.setdefault(layer, Mean())
        weights = [float(self.space.orbit_size(key)) for key in positions]
        while mean.count < least or (time.thread_time() < until and mean.count < _HELD):
            key, = self.chance.choices(positions, weights)
            mean.add(self.step(self.space.row(key), layer)[0])

    def excess(self, known: Mapping[int, float]) -> float:
        """How many times too large samples found the growth of a layer, given that of some; 1 where that is not sure.

        The later of these layers count more.
        """
        parts, total, variance = 0.0, 0.0, 0.0
        for index, layer in enumerate(sorted(known), 1):
            mean = self.growth.get(layer)
            if mean is None or mean.value <= 0 or known[layer] <= 0:
                continue
            parts += index
            total += index * math.log(mean.value / known[layer])
            variance += (index * max(min(mean.error, 1e6), _SPREAD / math.sqrt(mean.count))) ** 2
        result = total / parts if parts else 0.0
        return math.exp(result) if abs(result) > _SLIGHT + _SURE * math.sqrt(variance) / max(1.0, parts) else 1.0

    def follow(self, layer: int, positions: Sequence[Key], last: int, size: int, until: float = math.inf,
               most_tried: float = math.inf) -> bool:
        """Follow a sample of a layer, of so many positions, to the last one; whether that was done whole.

        It is left when it is too late for another layer, or so many moves were tried.
        """
        most_tried += self.space.tried
        began, done = time.thread_time(), 0
        weights = [float(self.space.orbit_size(key)) for key in positions]
        rows = [self.space.row(key) for key in self.chance.choices(positions, weights, k=size)]
        while layer < last and rows and (not done or time.thread_time() < until) and self.space.tried < most_tried:
            weights, after = list[float](), list[list[int]]()
            mean = self.growth.setdefault(layer, Mean())
            for row in rows:
                weight, then = self.step(row, layer)
                mean.add(weight)
                if then is not None:
                    weights.append(weight)
                    after.append(then)
            done += len(rows)
            rows = self._spread(after, weights, size)
            layer += 1
        self._pace = (time.thread_time() - began) / max(1, done)
        return not rows

    def _spread(self, rows: list[list[int]], weights: list[float], size: int) -> list[list[int]]:
        """So many rows, each as often as its weight says."""
        each = sum(weights) / size
        at, reached = self.chance.random() * each, 0.0
        result = list[list[int]]()
        for row, weight in zip(rows, weights, strict=True):
            reached += weight
            while at < reached:
                result.append(row)
                at += each
        return result

    def step(self, row: list[int], layer: int) -> tuple[float, list[int] | None]:
        """A random move from a row: the weight of the row after it, and that row; 0 and None where the game is over.

        A game in which a rule fails ends there.
        """
        space = self.space
        try:
            result = space.moves_from(row)
            if not result:
                return 0.0, None
            mover = space.mover(row)
            self.arrivals.learn(row, mover, result)
            distinct = [list(left) for left in dict.fromkeys(tuple(left) for _, left in result)]
            left = distinct[self.chance.randrange(len(distinct))]
            if self.known and self._old(left, mover, layer):
                return 0.0, None
            arrivals = self.arrivals.of(left, mover)
            self.arriving.setdefault(layer, Mean()).add(arrivals)
            return len(distinct) / arrivals, space.judged(left, mover)
        except RuleError:
            return 0.0, None

    def _old(self, left: list[int], mover: int, layer: int) -> bool:
        """Whether the row that a move left is in the layer that it was made in, or in one before."""
        number = self.known.get(self.space.canonical_after(left, mover))
        return number is not None and number < self.bounds[min(layer + 1, len(self.bounds) - 1)]


def _number(row: Sequence[int]) -> int:
    """A row's words as one number."""
    return int.from_bytes(array("Q", [word & _WORD for word in row]).tobytes(), "little")


def _row(number: int, width: int) -> list[int]:
    """The words that such a number has."""
    words = array("Q")
    words.frombytes(number.to_bytes(8 * width, "little"))
    return words.tolist()
