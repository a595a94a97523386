"""When to leave an engine that enumerates positions for a faster one: by predicted times, none of them guessed.

The interpreter begins, as it needs nothing. From some positions on the game's kernel goes on as plain Python. Compiling
the kernel takes seconds, or nothing where it lies on disk; then it is 30 to 60 times as fast. `Pace` measures how fast
the plain kernel is here and now, foretells how many positions are left, and raises `Slow` where compiling takes less.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import attrs

from solver.forecast import RandomGames, forecast
from solver.strong import Strong

if TYPE_CHECKING:
    from interpreter.kernel.kernel import Kernel
    from solver.packed_space import PackedSpace

_FIRST = 0.1
"""Seconds of processor time before the first look; between two looks the time doubles."""
_GAMES = 0.1
"""The share of it that random games, and samples of layers, may take."""
_SURE = 4
"""Layers that must be known for a forecast to be relied on. With fewer, or where the forecast is far off, no more time
is lost than this share of what compiling takes:"""
_PATIENCE = 0.15
_BEYOND_DOUBT = 1e13
"""Expected positions that leave no doubt, however few layers are known."""
_VALUING = 1.15
"""How many times as long enumerating and valuing takes as enumerating alone."""
FASTER = 40.0
"""How many times as fast a compiled kernel is as a plain one."""
_SAID, _SAYING = 1e6, 0.4
"""Expected positions from which on a last forecast is made with more care, and processor seconds for it."""
_EVERY = 16
"""Positions between two looks at the clock."""


class Slow(Exception):
    """Another engine is expected to take less time from the start than this one for the rest."""

    def __init__(self, positions: float, rate: float, games: RandomGames) -> None:
        super().__init__(f"{positions:.3g} positions expected, {rate:.3g} a second")
        self.positions = positions
        """How many there are expected to be."""
        self.rate = rate
        """How many were enumerated in a second."""
        self.games = games


@attrs.define(eq=False)
class Pace:
    """Watches an enumeration by a plain kernel."""

    space: PackedSpace
    compiling: float
    """Seconds that another engine takes before it begins."""
    most: float | None = None
    """Positions from which on enumerating is not wanted at all."""
    limit: int | None = None
    """Positions after which the work ends in any case."""
    expected: float | None = None
    """How many positions there are, by the last forecast."""
    games: RandomGames | None = None
    _started: float = 0.0
    _next: float = 0.0
    _calls: int = 0
    _apart: float = 0.0
    """Seconds that random games took."""

    def look(self, strong: Strong[Any, Any]) -> None:
        """Be called before each position is expanded. Raises Slow."""
        self._calls += 1
        if self._calls % _EVERY:
            return
        now = time.thread_time()
        if not self._started:
            self._started, self._next = now, now + _FIRST
        if now < self._next:
            return
        spent = now - self._started - self._apart
        if self.games is None:
            self.games = RandomGames(self.space)
        self.games.play(spent * _GAMES / 2)
        done = len(strong.children)
        self.expected = forecast(strong, self.games, spent * _GAMES / 2)
        end = time.thread_time()
        self._apart += end - now
        self._next = end + spent
        rate = done / spent
        all_of_them = self.expected if self.limit is None else min(self.expected, self.limit)
        left = max(0.0, all_of_them - done) / rate * _VALUING
        other = self.compiling + all_of_them / (rate * FASTER)
        sure = (len(strong.moves_from) >= _SURE or spent > _PATIENCE * self.compiling
                or self.expected > _BEYOND_DOUBT)
        if sure and (left > other or (self.most is not None and self.expected > self.most)):
            if self.expected > _SAID:  # it is said to people, who wait for what is compiled in any case
                self.games.play(_SAYING / 4)
                self.expected = forecast(strong, self.games, _SAYING)
            raise Slow(self.expected, rate, self.games)


def seconds_of_compiling(kernel: Kernel) -> float:
    """About how many seconds the compiled form of a plain kernel takes before it begins: little where it is on disk."""
    from interpreter.kernel.loading import is_kept

    if is_kept(kernel.assembled, "expand_tiers"):
        return _IMPORTING * speed()
    return (_IMPORTING + _SOLVER + _CHARACTER * len(kernel.text)) * speed()


_IMPORTING, _SOLVER, _CHARACTER = 0.5, 1.6, 80e-6
"""Seconds that Numba takes to begin, the solver's own functions to be compiled, and a kernel for each character."""


def speed() -> float:
    """How many times slower this machine runs Python than the one on which the times of compiling were measured."""
    best = 1.0
    for _ in range(3):
        start, number = time.thread_time(), 0
        for step in range(20_000):
            number = (number * 5 + step) & 0xFFFF
        best = min(best, time.thread_time() - start)
    return best / _REFERENCE


_REFERENCE = 0.0012
"""Seconds that the loop above took there."""
