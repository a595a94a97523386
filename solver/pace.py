"""Deciding when to switch an enumeration from the plain kernel to the compiled one, by predicted times.

The interpreter begins, as it needs no preparation. After some positions the game's kernel goes on as plain Python.
Compiling the kernel takes seconds, or hardly any time where it is on disk; it is then 30 to 60 times as fast. `Pace`
measures the speed of the plain kernel, forecasts how many positions are left, and raises `Slow` where the compiled
kernel would finish sooner.
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
"""The processor seconds before the first look; the time spent doubles from one look to the next."""
_GAMES = 0.1
"""The share of this time that random games and layer sampling may take."""
_SURE = 4
"""The number of known layers from which on a forecast is trusted. With fewer, any forecast is trusted once this share
of the time of compiling has been spent:"""
_PATIENCE = 0.15
_BEYOND_DOUBT = 1e13
"""The forecast above which it is trusted however few layers are known."""
_VALUING = 1.15
"""The ratio of the time of enumerating and valuing to that of enumerating alone."""
FASTER = 40.0
"""The speed of a compiled kernel relative to a plain one."""
_SAID, _SAYING = 1e6, 0.4
"""The forecast above which a last, more careful forecast is made, and the processor seconds for it."""
_EVERY = 16
"""The number of positions between two looks at the clock."""


class Slow(Exception):
    """Raised where another engine is expected to take less time for all positions than this one for the rest."""

    def __init__(self, positions: float, rate: float, games: RandomGames) -> None:
        super().__init__(f"{positions:.3g} positions expected, {rate:.3g} a second")
        self.positions = positions
        """The expected number of positions."""
        self.rate = rate
        """The number of positions enumerated per second."""
        self.games = games


@attrs.define(eq=False)
class Pace:
    """Monitors an enumeration by a plain kernel."""

    space: PackedSpace
    compiling: float
    """The seconds that the other engine takes before it begins."""
    most: float | None = None
    """The number of expected positions above which enumerating them is not wanted at all."""
    limit: int | None = None
    """The number of positions at which the budget ends the work."""
    expected: float | None = None
    """The number of positions by the last forecast."""
    games: RandomGames | None = None
    _started: float = 0.0
    _next: float = 0.0
    _calls: int = 0
    _apart: float = 0.0
    """The processor seconds that random games and forecasts took."""

    def look(self, strong: Strong[Any, Any]) -> None:
        """Check the pace; called before each position is expanded. Raises Slow where the enumeration should stop."""
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
            if self.expected > _SAID:  # users are told this forecast, and wait for the compiler in any case
                self.games.play(_SAYING / 4)
                self.expected = forecast(strong, self.games, _SAYING)
            raise Slow(self.expected, rate, self.games)


def seconds_of_compiling(kernel: Kernel) -> float:
    """Estimate the seconds before the compiled form of a plain kernel can begin: few where it is on disk."""
    from interpreter.kernel.loading import is_kept

    if is_kept(kernel.assembled, "expand_tiers"):
        return _IMPORTING * speed()
    return (_IMPORTING + _SOLVER + _CHARACTER * len(kernel.text)) * speed()


_IMPORTING, _SOLVER, _CHARACTER = 0.5, 1.6, 80e-6
"""The seconds to import Numba, to compile the solver's own functions, and to compile each character of a kernel."""


def speed() -> float:
    """How many times slower this machine runs Python than the one on which the compile times were measured."""
    best = 1.0
    for _ in range(3):
        start, number = time.thread_time(), 0
        for step in range(20_000):
            number = (number * 5 + step) & 0xFFFF
        best = min(best, time.thread_time() - start)
    return best / _REFERENCE


_REFERENCE = 0.0012
"""The seconds that the loop above took there."""
