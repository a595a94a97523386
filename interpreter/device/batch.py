"""Thousands to millions of games on a GPU: what `interpreter.kernel.many` does on processors, over device arrays.

`DeviceBatch.of(game)` makes one. Its `states` are device arrays of uint64 with a row for each word of a position and a
column for each game, so that the threads of a warp read neighbouring words; `rows` and `columns` go between them and
the states of `Batch`. Device arrays are those of numba-cuda: PyTorch, CuPy and JAX take them without a copy by
`__cuda_array_interface__`, and their arrays are taken the same way.

The same seeds play the same games as on a processor, bit for bit.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np

from interpreter.compiler.lowering.layout import GOING
from interpreter.device.program import LEVELS, NoDevice, NotOnDevice, Program, check_device, numba_cuda, simulated
from interpreter.errors import RuleError
from interpreter.game import Game
from interpreter.kernel.kernel import Kernel
from interpreter.kernel.many import Batch, seeds_of
from interpreter.kernel.numbering import Numbering

if TYPE_CHECKING:
    from interpreter.arrays import Floats, Numbers, Truths, Words

Device = Any
"""An array of a GPU's memory: a `DeviceNDArray` of numba-cuda, which has no types."""
NO_LIMIT = 1 << 30
"""Moves of a random game for which no limit is given."""
_MOST_THREADS = 1 << 22
"""Threads of a launch that share more than they are: more than a GPU can run at once."""
_WANTED = 1 << 16
"""Positions among which the counting of move sequences is shared out, about."""


@attrs.define(eq=False)
class DeviceBatch:
    """A game's kernel on a GPU.

    All functions take `states`; those that change them say so. RuleError tells that a rule failed in a position, and
    MemoryError how many games would fit.
    """

    program: Program
    stream: Any = 0
    """The CUDA stream that all work is queued on; 0 for the default one."""
    game_bytes: int = 0
    """What a game takes in the GPU's memory with all that is kept for it, for errors about memory; 0 for twice its
    position."""

    @classmethod
    def of(cls, game: Game) -> DeviceBatch:
        """A game's batch. Raises NoDevice, or NotLowered where the compiler has no words for a rule."""
        check_device()
        return cls(Program.of(Kernel.of(game, native=False)))

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.program.kernel.game

    @property
    def width(self) -> int:
        """How many words a position has."""
        return self.program.kernel.assembled.layout.width

    # ---- states

    def starts(self, count: int) -> Device:
        """So many times the position in which the game begins."""
        return self.columns(np.repeat(self._start(), count, axis=0))

    def _start(self) -> Words:
        row = [value % (1 << 64) for value in self.program.kernel.start()]
        return np.array([row], np.uint64)

    def columns(self, rows: Words) -> Device:
        """Positions as `Batch` has them, a row for each, moved to the GPU."""
        return self.moved(np.ascontiguousarray(rows.T))

    def rows(self, states: Device) -> Words:
        """Positions brought back, a row for each as `Batch` has them."""
        return np.ascontiguousarray(self.fetched(states).T)

    def outcomes(self, states: Device) -> Numbers:
        """How each game stands: -2 while it goes on, -1 for a draw, else the number of the player who won."""
        result: Numbers = self.fetched(states[self.program.kernel.assembled.layout.outcome]).view(np.int64)
        return result

    def moved(self, values: Words | Numbers | Truths | Floats) -> Device:
        """An array of NumPy moved to the GPU. Raises MemoryError, with what would fit."""
        with self._fitting(f"{values.nbytes / 2**30:.1f} GiB are needed"):
            return numba_cuda().to_device(values, stream=self.stream)

    def fetched(self, array: Device) -> Numbers:
        """An array of the GPU brought to the processor, after all that was queued before."""
        result: Numbers = array.copy_to_host(stream=self.stream)
        if self.stream:
            self.stream.synchronize()
        return result

    def fill(self, array: Device, values: Words | Numbers | Device) -> None:
        """Write the values of an array of either device over one of the GPU."""
        array.copy_to_device(values, stream=self.stream)

    def empty(self, shape: tuple[int, ...], kind: type) -> Device:
        """A new array of the GPU, of 0 and False."""
        return self.moved(np.zeros(shape, kind))

    def show(self, states: Device, viewers: Device, entries: Device, shown: Device) -> Device:
        """Planes of positions, float32 (n, places), a new array: `dslgame.device_planes` makes the tables.

        viewers: int64 (n,), who looks at each position, -1 for the player to move.
        """
        count, places = states.shape[1], shown.shape[1]
        with self._fitting(f"{count * places * 4 / 2**30:.1f} GiB are needed"):
            result = numba_cuda().device_array((count, places), np.float32, stream=self.stream)
        layout = self.program.kernel.assembled.layout
        threads = count if simulated() else min(count * places, _MOST_THREADS)
        self.launch("show_thread", threads, states, viewers, entries, shown, layout.to_move, layout.seats, result)
        return result

    @contextmanager
    def _fitting(self, needed: str) -> Iterator[None]:
        try:
            yield
        except Exception as problem:
            if "OUT_OF_MEMORY" not in str(problem):
                raise
            try:
                free = numba_cuda().current_context().get_memory_info()[0]
            except Exception:  # not even what numba-cuda itself needs
                raise MemoryError(f"the GPU has no memory left for this process, and {needed}: other programs use it"
                                  ) from problem
            size = self.game_bytes or self.width * 16
            raise MemoryError(f"the GPU has {free / 2**30:.1f} GiB left, and {needed}; about {free // size:,} more "
                              f"games of {self.game.title} would fit, {size:,} bytes each") from problem

    # ---- play

    def play_out(self, states: Device, seeds: int | Words = 0, *, limit: int = NO_LIMIT) -> Device:
        """Play random moves from positions, which change, until each game is over or has had so many; how many each.

        They are the games of `Batch.play_out` with the same seeds, a number for all or an array with one for each.
        """
        count = states.shape[1]
        words = seeds_of(int(seeds), count) if np.ndim(seeds) == 0 else np.ascontiguousarray(seeds, np.uint64)
        given = self.moved(words)
        plies = self.empty((count,), np.int64)
        limits = self.moved(np.full(count, limit, np.int64))
        self.run("play_thread", count, states, (given, limits, plies))
        return plies

    def apply(self, states: Device, moves: Numbers | Device) -> None:
        """Carry out a move in each position, which changes; a row for each as `Batch.apply` has them.

        The moves must be legal.
        """
        given = self.moved(np.ascontiguousarray(moves, np.int64)) if isinstance(moves, np.ndarray) else moves
        self.run("apply_thread", states.shape[1], states, (given,))

    def marks(self, states: Device, numbering: Numbering) -> tuple[Device, Device]:
        """For each position and each action of a numbering whether it is legal, and how many legal moves there are."""
        count = states.shape[1]
        marks, counts = self.empty((count, numbering.count), np.bool_), self.empty((count,), np.int64)
        self.mark(states, self.tables(numbering), marks, counts)
        return marks, counts

    def tables(self, numbering: Numbering) -> tuple[Device, ...]:
        """What `mark` must know of a numbering."""
        return tuple(self.moved(np.array(values, np.int64))
                     for values in (numbering.offsets, numbering.lows, numbering.strides))

    def mark(self, states: Device, tables: tuple[Device, ...], marks: Device, counts: Device) -> None:
        """The same, into arrays that are there."""
        self.run("mark_thread", states.shape[1], states, (*tables, marks, counts))

    def counts(self, states: Device) -> Device:
        """How many legal moves each position has."""
        counts = self.empty((states.shape[1],), np.int64)
        self.run("count_thread", states.shape[1], states, (counts,))
        return counts

    def perft(self, depth: int) -> list[int]:
        """How many sequences of 1, 2, ... so many moves there are from the start; games that ended have none.

        The positions after a few moves are found on the processor, and each thread counts on from one of them.
        """
        batch = Batch(Kernel.of(self.game))
        states = batch.starts(1)
        result: list[int] = []
        while len(result) < depth and (len(states) < _WANTED or depth - len(result) > LEVELS):
            listed = batch.legal(states[batch.outcomes(states) == GOING])
            result.append(len(listed.moves))
            if len(result) < depth:
                states = np.repeat(states[batch.outcomes(states) == GOING], listed.counts, axis=0)
                batch.apply(states, listed.moves)
        before = len(result)
        if before < depth:
            columns = self.columns(states)
            counts = self.empty((len(states),), np.int64)
            for level in range(1, depth - before + 1):
                self.run("perft_thread", len(states), columns, (level, counts))
                result.append(int(self.fetched(counts).sum()))
        return result

    def run(self, name: str, count: int, states: Device, arguments: tuple[object, ...]) -> None:
        """Launch a function for all positions, again with more room where there was too little."""
        failures = self.moved(np.ones(count, np.int64))
        while True:
            self.launch(name, count, states, *arguments, failures)
            result = self.fetched(failures)
            if not result.any():
                return
            self.check(result)

    def launch(self, name: str, count: int, *arguments: object) -> None:
        """Run a function with a thread for each game, on this batch's stream. Raises MemoryError."""
        with self._fitting(f"threads need {self.program.thread_bytes(name) / 1024:.0f} KiB each to work in"):
            self.program.launch(name, count, *arguments, stream=self.stream)

    def check(self, failures: Numbers) -> None:
        """See what failed; where it was room for moves, there is more next time. Raises RuleError, or NotOnDevice."""
        wrong = int(np.flatnonzero(failures)[0])
        code = int(failures[wrong])
        kernel = self.program.kernel
        if code == 1:
            if not self.program.grow():
                raise NotOnDevice(f"{self.game.title} has more moves in a position than a thread of a GPU has room for")
            return
        if code == -3:
            raise ValueError(f"position {wrong} has more legal moves than there are actions: give more, most_actions=")
        if code < 0:
            raise AssertionError(f"position {wrong} has a move outside of the numbering")
        problem = kernel.assembled.problem(code, f"a rule fails in position {wrong}", self.game.rules.moves[0].span)
        if isinstance(problem, RuleError):
            problem.source = self.game.rules.source
        raise problem


__all__ = ["DeviceBatch", "NoDevice", "NotOnDevice"]
