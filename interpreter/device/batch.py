"""Batches of thousands to millions of games on a GPU: the counterpart of `interpreter.kernel.many` on device arrays.

`DeviceBatch.of(game)` makes one. Its `states` are device arrays of uint64 with a row for each word of a position and a
column for each game, so that the threads of a warp read adjacent words; `rows` and `columns` convert between them and
the states of `Batch`. Device arrays are those of numba-cuda: PyTorch, CuPy and JAX accept them without a copy by
`__cuda_array_interface__`, and their arrays are accepted in the same way.

With the same seeds the games are the same as on a CPU, bit for bit.
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
"""An array in device memory: a `DeviceNDArray` of numba-cuda, which has no types."""
NO_LIMIT = 1 << 30
"""The default limit of moves of a random game."""
_MOST_THREADS = 1 << 22
"""The most threads of a launch whose threads loop over more items: more than a GPU can run at once."""
_WANTED = 1 << 16
"""The approximate number of positions from which threads count move sequences."""


@attrs.define(eq=False)
class DeviceBatch:
    """A game's kernel on a GPU.

    Methods take `states`; those that change them in place say so. They raise RuleError where a rule fails in a
    position, and MemoryError, which says how many games would fit.
    """

    program: Program
    stream: Any = 0
    """The CUDA stream that all work is queued on; 0 for the default one."""
    game_bytes: int = 0
    """The device memory of a game with all its arrays, in bytes, for messages about memory; 0 for twice that of its
    position."""

    @classmethod
    def of(cls, game: Game) -> DeviceBatch:
        """The batch of a game. Raises NoDevice, or NotLowered where the compiler does not support a rule."""
        check_device()
        return cls(Program.of(Kernel.of(game, native=False)))

    @property
    def game(self) -> Game:
        """The game."""
        return self.program.kernel.game

    @property
    def width(self) -> int:
        """The number of words of a position."""
        return self.program.kernel.assembled.layout.width

    # ---- states

    def starts(self, count: int) -> Device:
        """The initial position, repeated `count` times."""
        return self.columns(np.repeat(self._start(), count, axis=0))

    def _start(self) -> Words:
        row = [value % (1 << 64) for value in self.program.kernel.start()]
        return np.array([row], np.uint64)

    def columns(self, rows: Words) -> Device:
        """Copy positions in the layout of `Batch`, a row for each, to the GPU, transposed."""
        return self.moved(np.ascontiguousarray(rows.T))

    def rows(self, states: Device) -> Words:
        """Copy positions from the GPU, a row for each as in `Batch`."""
        return np.ascontiguousarray(self.fetched(states).T)

    def outcomes(self, states: Device) -> Numbers:
        """The outcome of each game: -2 while it goes on, -1 for a draw, else the number of the player who won."""
        result: Numbers = self.fetched(states[self.program.kernel.assembled.layout.outcome]).view(np.int64)
        return result

    def moved(self, values: Words | Numbers | Truths | Floats) -> Device:
        """Copy a NumPy array to the GPU. Raises MemoryError, which says how many games would fit."""
        with self._fitting(f"{values.nbytes / 2**30:.1f} GiB are needed"):
            return numba_cuda().to_device(values, stream=self.stream)

    def fetched(self, array: Device) -> Numbers:
        """Copy a device array to the host, after all work queued before."""
        result: Numbers = array.copy_to_host(stream=self.stream)
        if self.stream:
            self.stream.synchronize()
        return result

    def fill(self, array: Device, values: Words | Numbers | Device) -> None:
        """Overwrite a device array with the values of a host or device array."""
        array.copy_to_device(values, stream=self.stream)

    def empty(self, shape: tuple[int, ...], kind: type) -> Device:
        """A new device array, filled with 0 or False."""
        return self.moved(np.zeros(shape, kind))

    def show(self, states: Device, viewers: Device, entries: Device, shown: Device) -> Device:
        """Feature planes of positions, a new array, float32 (n, places); `dslgame.device_planes` makes the tables.

        viewers: int64 (n,), the player whose view it is, -1 for the player to move.
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
            except Exception:  # not even enough for numba-cuda itself
                raise MemoryError(f"the GPU has no memory left for this process, and {needed}: other programs use it"
                                  ) from problem
            size = self.game_bytes or self.width * 16
            raise MemoryError(f"the GPU has {free / 2**30:.1f} GiB left, and {needed}; about {free // size:,} more "
                              f"games of {self.game.title} would fit, {size:,} bytes each") from problem

    # ---- play

    def play_out(self, states: Device, seeds: int | Words = 0, *, limit: int = NO_LIMIT) -> Device:
        """Play random moves until each game is over or `limit` were made, changing `states`; the moves made by each.

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
        """Play a move in each position, changing `states`; `moves` has a row for each, as in `Batch.apply`.

        The moves must be legal.
        """
        given = self.moved(np.ascontiguousarray(moves, np.int64)) if isinstance(moves, np.ndarray) else moves
        self.run("apply_thread", states.shape[1], states, (given,))

    def marks(self, states: Device, numbering: Numbering) -> tuple[Device, Device]:
        """The mask of legal actions of each position, bool (n, actions), and the numbers of legal moves, int64 (n,)."""
        count = states.shape[1]
        marks, counts = self.empty((count, numbering.count), np.bool_), self.empty((count,), np.int64)
        self.mark(states, self.tables(numbering), marks, counts)
        return marks, counts

    def tables(self, numbering: Numbering) -> tuple[Device, ...]:
        """The tables of a numbering that `mark` takes, on the GPU."""
        return tuple(self.moved(np.array(values, np.int64))
                     for values in (numbering.offsets, numbering.lows, numbering.strides))

    def mark(self, states: Device, tables: tuple[Device, ...], marks: Device, counts: Device) -> None:
        """The same as `marks`, into existing arrays."""
        self.run("mark_thread", states.shape[1], states, (*tables, marks, counts))

    def counts(self, states: Device) -> Device:
        """The number of legal moves of each position."""
        counts = self.empty((states.shape[1],), np.int64)
        self.run("count_thread", states.shape[1], states, (counts,))
        return counts

    def perft(self, depth: int) -> list[int]:
        """The numbers of move sequences of length 1 to `depth` from the start; games that ended have none.

        The positions after the first moves are enumerated on the CPU, and each thread continues from one of them.
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
        """Launch a function for all positions, and repeat it with more room where there was too little."""
        failures = self.moved(np.ones(count, np.int64))
        while True:
            self.launch(name, count, states, *arguments, failures)
            result = self.fetched(failures)
            if not result.any():
                return
            self.check(result)

    def launch(self, name: str, count: int, *arguments: object) -> None:
        """Launch a function with at least `count` threads on this batch's stream. Raises MemoryError."""
        with self._fitting(f"threads need {self.program.thread_bytes(name) / 1024:.0f} KiB each to work in"):
            self.program.launch(name, count, *arguments, stream=self.stream)

    def check(self, failures: Numbers) -> None:
        """Handle the first failure: enlarge the room for moves where that was too small, else raise the error.

        Raises RuleError where a rule failed, NotOnDevice where there is no more room, ValueError where there are more
        legal moves than actions.
        """
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
