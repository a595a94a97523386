"""How many positions a game has, foretold from those that are known: which engine is to find them, and whether one can.

Positions are known in layers, by the plies that lead to them. Where no position comes back, the layers that follow are
sampled from the last one that is known whole: see `solver.layer_sampling`. The samples are held to the known layers
first. Where they come out too large there, because positions come again after more plies or moves are undone in ways
that were not seen, later layers are taken to be too large by as much, each.

Where positions come back, and beyond the layers that there was time to sample, the next layer has as many positions as
the last one has moves, divided by the arrivals of its positions: how many moves lead to each. How many moves positions
have is seen in random games, ply by ply; the arrivals are taken to grow as evenly as they did.

With half a second of processor time, from 1,500 positions or fewer, eleven games whose numbers of positions are known
are foretold within a factor of ten (a test names them): where stones are only placed within 5%, where they fall into
four or five columns within a factor of three, into seven columns of six as 4*10^11 to 6*10^12 of the 4.5*10^12. In
0.05 s, as at a first look, those may come out as 10^11: small samples of long games find too few. Where positions come
back, some thousand must be known (6,000 of 108,786); from some hundred a forecast may be too large by a factor of
1,000. It is for choosing among engines whose times differ by more, and for saying what is hopeless.
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
"""Plies after which a random game is left."""
_FEWEST = 2
"""Random games that are played in any case."""
_HELD, _HOLDING = 3, 0.25
"""Known layers that samples are held to, and the share of the time for it."""
_MOST_VISITED, _FEW_MET = 20_000, 20
"""Positions of random games that are kept; and how many tell nothing yet of how many others there are."""
_ARRANGED, _COVERED = 2_000, 0.8
"""Positions of random games whose pieces are counted; and the share of them that others must have the pieces of."""
_SURE = 2.0
"""Standard errors of what is counted."""
_LAYERS = 5
"""Layers whose arrivals are taken to go on as they did."""
_SLOPES = (0.1, 3.0)
"""By how much arrivals grow with a ply, at least and at most."""
_UNKNOWN_SLOPE = 0.5
"""The same where two layers are all that is known: where pieces are only placed."""
MOST = 1e300


@attrs.define(eq=False)
class RandomGames:
    """How many moves positions have, ply by ply, in random games; and samples of layers, which go on from them."""

    space: PackedSpace
    chance: random.Random = attrs.field(factory=lambda: random.Random(0))
    games: int = 0
    moves: list[int] = attrs.field(factory=list)
    """After each ply the moves of all positions that were met."""
    met: list[int] = attrs.field(factory=list)
    visited: list[tuple[int, Key]] = attrs.field(factory=list)
    """The positions of the games, and after how many plies they were met, where positions come back."""
    layers: LayerSampling = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.layers = LayerSampling(Arrivals(self.space), self.chance)

    def play(self, seconds: float) -> None:
        """Play for so much processor time, and some games in any case. A game in which a rule fails ends there."""
        end, least = time.thread_time() + seconds, self.games + _FEWEST
        while self.games < least or time.thread_time() < end:
            with contextlib.suppress(RuleError):
                self._play()
            self.games += 1

    def _play(self) -> None:
        """Play a game. Raises RuleError."""
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
        """The moves of a position after so many plies, 0 where no game is so long."""
        return self.moves[ply] / self.met[ply] if ply < len(self.met) else 0.0

    @property
    def average(self) -> float:
        """The moves of a position, on average."""
        return sum(self.moves) / max(1, sum(self.met))


def forecast(strong: Strong[Any, Any], games: RandomGames, seconds: float | None = None) -> float:
    """How many positions there are, of which some layers are known; merged by symmetry as they are.

    Samples of layers take so much processor time, and a small one at least; that alone is made without `seconds`. All
    that were made of the same `games` count. There are never more than the cells, links and variables can hold, or than
    the pieces can be arranged that random games had together.
    """
    if games.space.acyclic:
        return min(_sampled(strong, games, seconds), games.space.most)
    known = float(len(strong.states))
    return min(_extrapolated(strong, games), games.space.most, max(known, _arrangements(games)))


def _sampled(strong: Strong[Any, Any], games: RandomGames, seconds: float | None) -> float:
    """The same by samples of layers, for games in which no position comes back."""
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
    """The straight line that numbers lie nearest to, by least squares."""
    mean, middle = sum(points.values()) / max(1, len(points)), sum(points) / max(1, len(points))
    spread = sum((place - middle) ** 2 for place in points)
    slope = sum((place - middle) * (value - mean) for place, value in points.items()) / spread if spread else 0.0
    return lambda place: mean + slope * (place - middle)


def _extrapolated(strong: Strong[Any, Any], games: RandomGames) -> float:
    """The same by the arrivals of known layers, for games in which positions come back."""
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
    """In about how many ways the pieces can stand that random games had together; `MOST` where games say too little.

    How many of each there were, with the variables and the player to move, is counted as often as it comes. The share
    of what came once says how much more there is (I. J. Good, "The population frequencies of species", 1953).
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
    """How many positions there are at least and at most, by how many of those that random games met are known.

    Only those count that were met after more plies than those that lead to the known ones. Random games come more often
    to positions near the start, so that there may be more than it seems: `most` is no bound that can be relied on.
    """
    known = len(strong.states)
    met = [key in strong.number for ply, key in games.visited if ply > len(strong.layers)]
    if len(met) < _FEW_MET:
        return float(known), MOST
    again, spread = sum(met), _SURE * math.sqrt(sum(met) + 1)
    least, most = (again - spread) / len(met), (again + spread) / len(met)
    return known / min(1.0, most), known / least if least > 0 else MOST


def _slope(arrivals: list[float]) -> float:
    """By how much the arrivals of a layer grow with each ply, by least squares."""
    known = arrivals[-_LAYERS:]
    if len(known) < 3:
        return _UNKNOWN_SLOPE
    middle, mean = (len(known) - 1) / 2, sum(known) / len(known)
    slope = sum((index - middle) * (value - mean) for index, value in enumerate(known))
    slope /= sum((index - middle) ** 2 for index in range(len(known)))
    return min(max(slope, _SLOPES[0]), _SLOPES[1])


def in_words(number: float) -> str:
    """A number that is foretold, as people say it: `about 40,000`, `about 10^12`."""
    if number < 1_000_000:
        places = 10 ** max(0, math.floor(math.log10(max(1.0, number))))
        return f"about {round(number / places) * places:,}"
    if number >= MOST:
        return "more than 10^300"
    return f"about 10^{round(math.log10(number))}" if number >= 1e9 else f"about {number / 1e6:,.0f} million"


def seconds_in_words(seconds: float) -> str:
    """A time that is foretold, as people say it."""
    for unit, long in (("years", 365 * 86_400.0), ("days", 86_400.0), ("hours", 3_600.0), ("minutes", 60.0)):
        if seconds >= 2 * long:
            count = seconds / long
            return f"{in_words(count)} {unit}" if count >= 1000 else f"about {count:,.0f} {unit}"
    return f"about {max(1.0, seconds):,.0f} s"


def bytes_in_words(size: float) -> str:
    """An amount of memory that is foretold, as people say it."""
    for unit, large in (("TB", 1e12), ("GB", 1e9)):
        if size >= large:
            return f"{in_words(size / large)} {unit}" if size / large >= 1000 else f"about {size / large:,.0f} {unit}"
    return f"about {max(1.0, size / 1e6):,.0f} MB"


Said = Callable[[str], None]
"""Told once, before long work, what it is and how long it will be."""
