"""Forecasts of a game's number of positions, to choose an engine that enumerates them, or to see that none can.

An enumeration knows the first layers: the positions first reached after each number of plies. Where no position can
repeat, the following layers are sampled from the last complete one: see `solver.layer_sampling`. The samples are first
compared with known layers. Where they overestimate these, because positions are reached again after more plies or moves
can be undone in ways that were not seen, the growth of each later layer is corrected by the same factor.

Where positions repeat, and beyond the layers that there was time to sample, the size of the next layer is the number of
moves of the last one divided by the arrivals of its positions, that is by the number of moves that lead to each. Random
games give the average number of moves at each ply; the arrivals are extrapolated linearly.

With half a second of processor time and at most 1,500 known positions, the forecasts for eleven games whose numbers of
positions are known are within a factor of ten (a test names them): where stones are only placed within 5%, where they
fall into four or five columns within a factor of three, and for seven columns of six 4*10^11 to 6*10^12 instead of
4.5*10^12. In 0.05 s, as at a first look, the latter may come out as 10^11, as small samples of long games find too few.
Where positions repeat, some thousand must be known (6,000 of 108,786); from some hundred a forecast may be too large by
a factor of 1,000. Forecasts serve to choose among engines whose times differ by more, and to report hopeless tasks.
"""

from __future__ import annotations

import contextlib
import math
import random
import time
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.errors import RuleError
from solver.layer_sampling import FEWEST, Arrivals, LayerSampling
from solver.strong import Strong

if TYPE_CHECKING:
    from solver.packed_space import Key, PackedSpace

_LONGEST = 400
"""The number of plies after which a random game is broken off."""
_FEWEST = 2
"""The number of random games that are played regardless of the time."""
_HELD, _HOLDING = 3, 0.25
"""The number of known layers that samples are compared with, and the share of the time for it."""
_MOST_VISITED, _FEW_MET = 20_000, 20
"""The most positions of random games that are kept, and the fewest that an estimate from them needs."""
_ARRANGED, _COVERED = 2_000, 0.8
"""The approximate number of positions of random games whose piece counts are compared, and the coverage of the piece
counts that an estimate needs."""
_SURE = 2.0
"""The half-width of the confidence interval of the recaptures, in standard errors."""
_LAYERS = 5
"""The number of newest layers whose arrivals the trend is fitted to."""
_SLOPES = (0.1, 3.0)
"""The bounds on the growth of the arrivals per ply."""
_UNKNOWN_SLOPE = 0.5
"""The growth that is assumed where fewer than three layers are known: that of games in which pieces are only placed."""
MOST = 1e300


@attrs.define(eq=False)
class RandomGames:
    """Random games, which count the moves of positions at each ply, and the layer sampling that learns from them."""

    space: PackedSpace
    chance: random.Random = attrs.field(factory=lambda: random.Random(0))
    games: int = 0
    moves: list[int] = attrs.field(factory=list)
    """For each ply the total number of moves of the positions met."""
    met: list[int] = attrs.field(factory=list)
    visited: list[tuple[int, Key]] = attrs.field(factory=list)
    """Where positions can repeat, the positions of the games, each with the number of plies after which it was met."""
    layers: LayerSampling = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.layers = LayerSampling(Arrivals(self.space), self.chance)

    def play(self, seconds: float) -> None:
        """Play games for some processor time, at least `_FEWEST` of them. A game in which a rule fails ends there."""
        end, least = time.thread_time() + seconds, self.games + _FEWEST
        while self.games < least or time.thread_time() < end:
            with contextlib.suppress(RuleError):
                self._play()
            self.games += 1

    def _play(self) -> None:
        """Play a random game. Raises RuleError where a rule fails."""
        space = self.space
        row = space.row(space.start())
        for ply in range(_LONGEST):
            result, mover = space.moves_from(row), space.mover(row)
            if ply == len(self.met):
                self.met.append(0)
                self.moves.append(0)
            self.met[ply] += 1
            self.moves[ply] += len(result)
            if not result:
                return
            left = result[self.chance.randrange(len(result))][1]
            if space.acyclic:
                self.layers.arrivals.learn(row, mover, result)
            elif len(self.visited) < _MOST_VISITED:
                self.visited.append((ply + 1, space.canonical_after(left, mover)))
            row = space.judged(left, mover)

    def branching(self, ply: int) -> float:
        """The average number of moves of a position at a ply; 0 where no game lasted that long."""
        return self.moves[ply] / self.met[ply] if ply < len(self.met) else 0.0

    @property
    def average(self) -> float:
        """The average number of moves of a position."""
        return sum(self.moves) / max(1, sum(self.met))


def forecast(strong: Strong[Any, Any], games: RandomGames, seconds: float | None = None) -> float:
    """Forecast the number of positions from the layers enumerated so far; merged by symmetry as the enumeration is.

    Layer sampling takes `seconds` of processor time, with at least one small sample; None takes that sample alone. The
    samples made earlier with the same `games` count too. The forecast is bounded by what the cells, links and variables
    can hold, and, where positions can repeat, by the arrangements of the pieces seen in random games.
    """
    if games.space.acyclic:
        return min(_sampled(strong, games, seconds), games.space.most)
    known = float(len(strong.states))
    return min(_extrapolated(strong, games), games.space.most, max(known, _arrangements(games)))


def _sampled(strong: Strong[Any, Any], games: RandomGames, seconds: float | None) -> float:
    """Forecast by layer sampling, for games in which no position can repeat."""
    space, samples = games.space, games.layers
    bounds = [*strong.layers, strong.whole]
    ply = len(strong.layers) - 1
    newest = strong.states[bounds[-2] : bounds[-1]]
    sizes = {layer: sum(map(space.orbit_size, strong.states[bounds[layer] : bounds[layer + 1]]))
             for layer in range(max(0, ply - _HELD), ply + 1)}
    if ply and any(min(kids, default=bounds[-2]) < bounds[-2] for kids in strong.children[bounds[-3] : bounds[-2]]):
        samples.known, samples.bounds = strong.number, bounds
    for layer in range(max(0, ply - _HELD), ply):
        samples.measure(layer, strong.states[bounds[layer] : bounds[layer + 1]], (seconds or 0.0) * _HOLDING / _HELD)
    samples.sample(ply, newest, _LONGEST, None if seconds is None else seconds * (1 - _HOLDING))
    excess = samples.excess({layer: sizes[layer + 1] / sizes[layer] for layer in sizes if layer < ply})
    size, total = float(sizes[ply]), float(strong.whole)
    arriving = _line({layer: mean.value for layer, mean in samples.arriving.items()})
    while size >= 1 and ply < _LONGEST and total < MOST:
        known = samples.growth.get(ply)
        if known is not None and known.count >= FEWEST:
            size *= known.value / excess
        else:
            size *= games.branching(ply) / max(1.0, arriving(ply))
        ply += 1
        total += size / space.symmetries
    return total


def _line(points: Mapping[int, float]) -> Callable[[int], float]:
    """Fit a straight line to points by least squares."""
    mean, middle = sum(points.values()) / max(1, len(points)), sum(points) / max(1, len(points))
    spread = sum((place - middle) ** 2 for place in points)
    slope = sum((place - middle) * (value - mean) for place, value in points.items()) / spread if spread else 0.0
    return lambda place: mean + slope * (place - middle)


def _extrapolated(strong: Strong[Any, Any], games: RandomGames) -> float:
    """Forecast by extrapolating the arrivals of known layers, for games in which positions can repeat."""
    sizes = [end - start for start, end in pairwise([*strong.layers, strong.whole])]
    arrivals = [moves / max(1, size) for moves, size in zip(strong.moves_from, sizes[1:], strict=True)]
    slope = _slope(arrivals)
    ply = len(sizes) - 1
    newest, total = float(sizes[-1]), float(sum(sizes))
    arriving = sum(arrivals[-2:]) / max(1, len(arrivals[-2:])) if arrivals else 1.0
    arriving -= slope / 2 if len(arrivals) > 1 else 0.0
    while newest >= 1 and ply < _LONGEST and total < MOST:
        arriving += slope
        newest *= games.branching(ply) / max(1.0, arriving + slope / 2)
        ply += 1
        total += newest
    least, most = _by_recapture(strong, games)
    return max(total, least) if total <= most else math.sqrt(total * max(least, most))


def _arrangements(games: RandomGames) -> float:
    """Estimate the number of arrangements of the pieces seen in random games; `MOST` where too few are known.

    Sums the arrangements over all piece counts that occurred, each with its variables and player to move. The share
    that occurred only once estimates how many are missing (I. J. Good, "The population frequencies of species", 1953).
    """
    seen: Counter[tuple[tuple[int, ...], tuple[int | None, ...], int, int]] = Counter()
    for _, key in games.visited[:: -(-len(games.visited) // _ARRANGED) or 1]:
        state = games.space.state(key)
        if any(state.links):
            return MOST
        seen[tuple(map(int.bit_count, state.pieces)), state.values, state.to_move, state.seats] += 1
    covered = 1 - list(seen.values()).count(1) / max(1, seen.total())
    if seen.total() < _FEW_MET or covered < _COVERED:
        return MOST
    ways = sum(math.factorial(sum(pieces)) // math.prod(map(math.factorial, pieces)) for pieces, *_ in seen)
    return float(min(ways, int(MOST))) / covered / games.space.symmetries


def _by_recapture(strong: Strong[Any, Any], games: RandomGames) -> tuple[float, float]:
    """Estimate the least and the greatest number of positions by the share of random games' positions that are known.

    Only positions met at later plies than the known layers count. Random games visit positions near the start more
    often, so there may be more positions than the estimate: the second number is no reliable bound.
    """
    known = len(strong.states)
    met = [key in strong.number for ply, key in games.visited if ply > len(strong.layers)]
    if len(met) < _FEW_MET:
        return float(known), MOST
    again, spread = sum(met), _SURE * math.sqrt(sum(met) + 1)
    least, most = (again - spread) / len(met), (again + spread) / len(met)
    return known / min(1.0, most), known / least if least > 0 else MOST


def _slope(arrivals: list[float]) -> float:
    """The growth of the arrivals per ply, fitted by least squares and kept within `_SLOPES`."""
    known = arrivals[-_LAYERS:]
    if len(known) < 3:
        return _UNKNOWN_SLOPE
    middle, mean = (len(known) - 1) / 2, sum(known) / len(known)
    slope = sum((index - middle) * (value - mean) for index, value in enumerate(known))
    slope /= sum((index - middle) ** 2 for index in range(len(known)))
    return min(max(slope, _SLOPES[0]), _SLOPES[1])


def in_words(number: float) -> str:
    """A forecast number in words: `about 40,000`, `about 10^12`."""
    if number < 1_000_000:
        places = 10 ** max(0, math.floor(math.log10(max(1.0, number))))
        return f"about {round(number / places) * places:,}"
    if number >= MOST:
        return "more than 10^300"
    return f"about 10^{round(math.log10(number))}" if number >= 1e9 else f"about {number / 1e6:,.0f} million"


def seconds_in_words(seconds: float) -> str:
    """A forecast time in words."""
    for unit, long in (("years", 365 * 86_400.0), ("days", 86_400.0), ("hours", 3_600.0), ("minutes", 60.0)):
        if seconds >= 2 * long:
            count = seconds / long
            return f"{in_words(count)} {unit}" if count >= 1000 else f"about {count:,.0f} {unit}"
    return f"about {max(1.0, seconds):,.0f} s"


def bytes_in_words(size: float) -> str:
    """A forecast amount of memory in words."""
    for unit, large in (("TB", 1e12), ("GB", 1e9)):
        if size >= large:
            return f"{in_words(size / large)} {unit}" if size / large >= 1000 else f"about {size / large:,.0f} {unit}"
    return f"about {max(1.0, size / 1e6):,.0f} MB"


Said = Callable[[str], None]
"""A callback that is called once before long work, with a text that says what it is and how long it will take."""
