"""How many positions a game has, foretold from those that are known: which engine is to find them, and whether one can.

Positions are known in layers, by the plies that lead to them. The next layer has as many positions as the last one has
moves, divided by how many moves lead to each: its arrivals. How many moves positions have is seen in random games, ply
by ply; the arrivals of the known layers grow nearly evenly (where pieces are only placed, by one every other ply), and
are taken to go on so. The error grows with every ply that is not known: where stones fall into 4 columns of 4, 94 % of
the 80,541 positions are foretold from the first 4,700; into 7 columns of 6, a hundredth of 10^12 from the first 11,000.
It is for choosing among engines whose times differ by more, and for saying what is hopeless.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import attrs

from solver.strong import Strong

if TYPE_CHECKING:
    from solver.packed_space import PackedSpace

_LONGEST = 400
"""Plies after which a random game is left."""
_FEWEST = 2
"""Random games that are played in any case."""
_LAYERS = 5
"""Layers whose arrivals are taken to go on as they did."""
_SLOPES = (0.1, 3.0)
"""By how much arrivals grow with a ply, at least and at most."""
_UNKNOWN_SLOPE = 0.5
"""The same where two layers are all that is known: where pieces are only placed."""
MOST = 1e300


@attrs.define(eq=False)
class RandomGames:
    """How many moves positions have, ply by ply, in random games."""

    space: PackedSpace
    chance: random.Random = attrs.field(factory=lambda: random.Random(0))
    games: int = 0
    moves: list[int] = attrs.field(factory=list)
    """After each ply the moves of all positions that were met."""
    met: list[int] = attrs.field(factory=list)

    def play(self, seconds: float) -> None:
        """Play for so much processor time, and some games in any case. Raises RuleError where a rule fails."""
        end, least = time.thread_time() + seconds, self.games + _FEWEST
        while self.games < least or time.thread_time() < end:
            for ply, moves in enumerate(self.space.random_game(self.chance, _LONGEST)):
                if ply == len(self.met):
                    self.met.append(0)
                    self.moves.append(0)
                self.met[ply] += 1
                self.moves[ply] += moves
            self.games += 1

    def branching(self, ply: int) -> float:
        """The moves of a position after so many plies, 0 where no game is so long."""
        return self.moves[ply] / self.met[ply] if ply < len(self.met) else 0.0

    @property
    def average(self) -> float:
        """The moves of a position, on average."""
        return sum(self.moves) / max(1, sum(self.met))


def forecast(strong: Strong[Any, Any], games: RandomGames) -> float:
    """How many positions there are, of which some layers are known; merged by symmetry as they are."""
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
    return total


def _slope(arrivals: list[float]) -> float:
    """By how much the arrivals of a layer grow with each ply, by least squares."""
    known = arrivals[-_LAYERS:]
    if len(known) < 3:
        return _UNKNOWN_SLOPE
    middle, mean = (len(known) - 1) / 2, sum(known) / len(known)
    slope = sum((place - middle) * (value - mean) for place, value in enumerate(known))
    slope /= sum((place - middle) ** 2 for place in range(len(known)))
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
            many = seconds / long
            return f"{in_words(many)} {unit}" if many >= 1000 else f"about {many:,.0f} {unit}"
    return f"about {max(1.0, seconds):,.0f} s"


def bytes_in_words(size: float) -> str:
    """An amount of memory that is foretold, as people say it."""
    for unit, large in (("TB", 1e12), ("GB", 1e9)):
        if size >= large:
            return f"{in_words(size / large)} {unit}" if size / large >= 1000 else f"about {size / large:,.0f} {unit}"
    return f"about {max(1.0, size / 1e6):,.0f} MB"


Said = Callable[[str], None]
"""Told once, before long work, what it is and how long it will be."""
