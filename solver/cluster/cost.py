"""Forecasts the cost of solving a game on a cluster from a sample: positions, bytes, worker hours."""

from __future__ import annotations

import contextlib
import time

import attrs

from interpreter.errors import RuleError
from interpreter.kernel.kernel import Kernel
from solver.budget import Budget
from solver.forecast import RandomGames, bytes_in_words, forecast, in_words, seconds_in_words
from solver.game_space import GameSpace
from solver.pace import FASTER
from solver.packed_space import PackedSpace
from solver.strong import Strong

_KNOWN = 1_500
"""The number of positions that are enumerated before sampling, which continues from them."""
_SAMPLING = 0.5
"""Processor time for samples, in seconds."""
_KEY, _VALUE = 5.0, 0.6
"""Measured bytes on disk per word of a position (sorted neighbours share most of it), and per value."""
_POSITION, _MOVE = 3.0, 8.0
"""Bytes on the workers' own disks per position, and per move."""
_LONGER = 1.3
"""The measured ratio of the processor time of the steps to that of the solver of one process."""
_SMALL = 1e6
"""The number of positions below which no cost is reported."""
_HOPELESS = 30 * 86_400.0
"""The elapsed time, in seconds, above which solving counts as hopeless."""


@attrs.frozen
class Cost:
    """The expected cost of solving a game."""

    positions: float
    """The number of positions up to symmetry."""
    size: float
    """The size of the solution in bytes."""
    scratch: float
    """Bytes on the workers' own disks, summed over all workers."""
    seconds: float
    """Processor time in seconds, summed over all workers."""
    workers: int

    @classmethod
    def of(cls, space: GameSpace, workers: int, kernel: Kernel) -> Cost | None:
        """Estimate the cost of solving a space; None where a rule fails in the sample."""
        with contextlib.suppress(RuleError):
            packed = PackedSpace(space, kernel.as_plain())
            strong, games = Strong(packed, Budget()), RandomGames(packed)
            started = time.thread_time()
            while not strong.enumerated and len(strong.states) < _KNOWN:
                strong.enumerate_until(int(len(strong.states) * max(2.0, strong.growth() + 1)))
            rate = len(strong.children) / max(1e-4, time.thread_time() - started)
            games.play(_SAMPLING / 5)
            positions = float(len(strong.states)) if strong.enumerated else forecast(strong, games, _SAMPLING)
            width = packed.kernel.assembled.packing.width
            return cls(positions, positions * (_KEY * width + _VALUE),
                       positions * (_POSITION + (_MOVE + _KEY * width) * games.average),
                       positions / (rate * FASTER) * _LONGER, workers)
        return None

    @property
    def small(self) -> bool:
        """Whether solving would be done before the forecast is read."""
        return self.positions < _SMALL

    @property
    def hopeless(self) -> bool:
        """Whether solving takes longer than anybody would wait."""
        return self.seconds / self.workers > _HOPELESS

    def text(self) -> str:
        """The forecast as text for the user."""
        hours = self.seconds / 3600
        much = f"{hours:.2f}" if hours < 1 else in_words(hours).removeprefix("about ")
        return (f"{in_words(self.positions)} positions up to symmetry are expected: about {much} worker hours, "
                f"{seconds_in_words(self.seconds / self.workers)} with {self.workers} workers; "
                f"{bytes_in_words(self.size)} for the solution, and up to {bytes_in_words(self.scratch)} for a while "
                "on the workers' own disks")
