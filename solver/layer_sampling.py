"""Estimates of the sizes of a game's layers by sampling.

A random move from each position of a sample of layer d gives a sample of layer d + 1. A position is reached with a
probability proportional to 1 / b for each parent with b moves, summed over its a parents. The weight b / a makes all
positions of the layer count alike, so the mean of b / a estimates the ratio of the sizes of layers d + 1 and d. This is
Knuth's estimate of the size of a tree (1975), extended to graphs, with the sample redrawn by weight after each layer.

The parents of a position, its arrivals, are counted by undoing moves. For each move seen, the bits of a row that it
changes and their values afterwards are recorded. Where a row has these values, the move is undone and made again: it
must be legal and lead to the same row. The parent must itself be reachable: it is the root, or some recorded move that
does not end the game leads to it.
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
"""A move in the kernel's encoding."""
_MOST_CHANGES = 4_096
"""About the most changes that are recorded for each player: no more are added from there on."""
_WORD = (1 << 64) - 1
FEWEST, _MOST = 8, 256
"""The smallest and the largest sample of a layer."""
_HELD = 4_096
"""The most positions that the growth of a known layer is measured with."""
_SPREAD = 0.5
"""The least relative standard deviation that is assumed of weights: a few weights may show too little."""
_SURE, _SLIGHT = 2.0, 0.05
"""Samples differ from known layers where the natural logarithm of the ratio exceeds `_SLIGHT` and this many standard
errors together."""
_LAYERS = 8
"""The least number of following layers that the time of a sample is divided by."""
_OVERTIME = 2.0
"""A sample is broken off after this multiple of its time."""


@attrs.define(eq=False)
class Arrivals:
    """Counts the parents of positions, by undoing the changes of the moves seen so far."""

    space: PackedSpace
    changes: dict[int, dict[tuple[int, int], Code]] = attrs.field(factory=dict)
    """For each player the known changes: maps the mask of the changed bits of a row, as one integer, and their values
    after the move to a move that makes this change."""
    _root: int = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._root = _number(self.space.row(self.space.start()))

    def learn(self, row: Sequence[int], mover: int, result: Sequence[tuple[Code, list[int]]]) -> None:
        """Record the changes of a player's moves from a row, given each move with the row after it."""
        known = self.changes.setdefault(mover, {})
        if len(known) >= _MOST_CHANGES:
            return
        before = _number(row)
        for move, left in result:
            after = _number(left)
            mask = before ^ after
            known.setdefault((mask, after & mask), move)

    def of(self, left: list[int], mover: int) -> int:
        """Count the positions from which a known change by a player leads to a row; at least one."""
        number, width, space = _number(left), len(left), self.space
        result = set[int]()
        for (mask, after), move in self.changes[mover].items():
            if number & mask == after and number ^ mask not in result:
                before = _row(number ^ mask, width)
                if space.leads(before, move, left) and self._occurs(before):
                    result.add(number ^ mask)
        return max(1, len(result))

    def _occurs(self, row: list[int]) -> bool:
        """Whether a row is the root, or a known change that does not end the game leads to it."""
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
    """A running mean with its standard error."""

    count: int = 0
    sum: float = 0.0
    squares: float = 0.0

    def add(self, number: float) -> None:
        """Add a number."""
        self.count += 1
        self.sum += number
        self.squares += number * number

    @property
    def value(self) -> float:
        """The mean; 0 without any numbers."""
        return self.sum / self.count if self.count else 0.0

    @property
    def error(self) -> float:
        """The relative standard error of the mean; infinite where it is unknown."""
        if self.count < 2 or self.sum <= 0:
            return math.inf
        variance = max(0.0, self.squares / self.count - self.value**2)
        return math.sqrt(variance / (self.count - 1)) / self.value


@attrs.define(eq=False)
class LayerSampling:
    """Samples the layers of a game in which no position can repeat, with a plain kernel."""

    arrivals: Arrivals
    chance: random.Random
    growth: dict[int, Mean] = attrs.field(factory=dict)
    """For each layer the ratio of the next layer's size to its own."""
    arriving: dict[int, Mean] = attrs.field(factory=dict)
    """For each layer the mean arrivals of the positions that sampled moves led to."""
    known: Mapping[Key, int] = attrs.field(factory=dict)
    """The numbers of known positions, where a position can be reached after different numbers of plies."""
    bounds: Sequence[int] = ()
    """The first of these numbers in each layer, then the end of the last layer."""
    _pace: float = 0.0
    """The processor seconds per sampled position."""

    @property
    def space(self) -> PackedSpace:
        """The space that is sampled."""
        return self.arrivals.space

    def sample(self, layer: int, positions: Sequence[Key], last: int, seconds: float | None) -> None:
        """Sample repeatedly from a layer, given by its positions, up to layer `last`, for some processor time.

        The first sample is always made, but each is broken off when twice the time is over. Without `seconds` one
        complete sample is made.
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
        """Sample the growth of one layer for some processor time, and until it has at least `least` positions."""
        until = time.thread_time() + seconds
        mean = self.growth.setdefault(layer, Mean())
        weights = [float(self.space.orbit_size(key)) for key in positions]
        while mean.count < least or (time.thread_time() < until and mean.count < _HELD):
            key, = self.chance.choices(positions, weights)
            mean.add(self.step(self.space.row(key), layer)[0])

    def excess(self, known: Mapping[int, float]) -> float:
        """The factor by which samples overestimate the growth of a layer, given the true growth of some layers.

        A weighted mean in which later layers count more; 1 where the deviation is not significant.
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
        """Follow a sample of `size` positions of a layer until all its games are over; return whether that happened.

        Stops at layer `last`, and before a new layer when the time `until` has come or `most_tried` moves were tried.
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
        """Resample `size` rows systematically, each in proportion to its weight."""
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
        """Make a random move from a row; return the weight b / a of the row after it, and that row.

        Returns 0 and None where the game is over, a rule fails, or the position after the move is in no new layer.
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
        """Whether the row after a move made in `layer` is a known position of that layer or an earlier one."""
        number = self.known.get(self.space.canonical_after(left, mover))
        return number is not None and number < self.bounds[min(layer + 1, len(self.bounds) - 1)]


def _number(row: Sequence[int]) -> int:
    """The words of a row as one integer."""
    return int.from_bytes(array("Q", [word & _WORD for word in row]).tobytes(), "little")


def _row(number: int, width: int) -> list[int]:
    """The words of a row that is given as one integer."""
    words = array("Q")
    words.frombytes(number.to_bytes(8 * width, "little"))
    return words.tolist()
