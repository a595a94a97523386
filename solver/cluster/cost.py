"""What solving a game on a cluster will take, from a sample: positions, bytes, worker hours."""

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
"""Positions that are enumerated as a sample goes on from them."""
_SAMPLING = 0.5
"""Seconds of processor time for samples."""
_KEY, _VALUE = 5.0, 0.6
"""Bytes on disk for each word of a position, of which sorted ones share most, and for its value; as measured."""
_POSITION, _MOVE = 3.0, 8.0
"""Bytes on the workers' own disks for a position of the tier at hand, and for each of its moves."""
_LONGER = 1.3
"""How many times the processor time of one process's solver the steps take; as measured."""
_SMALL = 1e6
"""Positions up to which there is nothing to say."""
_HOPELESS = 30 * 86_400.0
"""Seconds after which nobody waits for an answer."""


@attrs.frozen
class Cost:
    """What is expected."""

    positions: float
    """Up to symmetry."""
    size: float
    """Bytes of the solution."""
    scratch: float
    """Bytes on the workers' own disks, of all together."""
    seconds: float
    """Of processor time, of all workers together."""
    workers: int

    @classmethod
    def of(cls, space: GameSpace, workers: int, kernel: Kernel) -> Cost | None:
        """The cost of a space's positions; None where nothing can be foretold, or a rule fails in the sample."""
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
        """Whether it is done before it is read."""
        return self.positions < _SMALL

    @property
    def hopeless(self) -> bool:
        """Whether it takes longer than anybody waits."""
        return self.seconds / self.workers > _HOPELESS

    def text(self) -> str:
        """It in a sentence."""
        hours = self.seconds / 3600
        much = f"{hours:.2f}" if hours < 1 else in_words(hours).removeprefix("about ")
        return (f"{in_words(self.positions)} positions up to symmetry are expected: about {much} worker hours, "
                f"{seconds_in_words(self.seconds / self.workers)} with {self.workers} workers; "
                f"{bytes_in_words(self.size)} for the solution, and up to {bytes_in_words(self.scratch)} for a while "
                "on the workers' own disks")
