"""Batched evaluation of leaves for tree searches, on the CPU or on a GPU.

`Leaves` evaluates positions by random games, by a network of the caller, or by both, and provides the rules that a
search over many trees needs: legal actions, and the positions that they lead to. The same code works with both devices:
positions go in as rows of NumPy, values come out as arrays of NumPy, and the intermediate data of random games and
networks stays on the device. `docs/gpu.md` has the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import attrs
import numpy as np
from numpy.typing import ArrayLike

import dslgame
from dslgame.env import rewards_of
from dslgame.planes import Planes
from interpreter.arrays import Floats, Numbers, Truths, Words
from interpreter.compiler.lowering.layout import GOING
from interpreter.game import Game
from interpreter.kernel.many import Batch, seeds_of, table_of
from interpreter.kernel.numbering import MOST_ACTIONS, Numbering
from interpreter.kernel.plain import STEP

if TYPE_CHECKING:
    from dslgame.device_planes import DevicePlanes
    from interpreter.device.batch import DeviceBatch

Array = Any
"""An array of NumPy, or of any library that shares memory by DLPack or `__cuda_array_interface__`."""
Network = Callable[[Array], "tuple[Array, Array | None]"]
"""A network: maps float32 observations (positions, planes, ...) on the device to values and logits.

The value of a position is for the player to move, from -1 to 1, or a row with a value for each player. Logits are for
all actions, or None.
"""
_CPU = 1
"""DLPack's device type of the CPU."""


@attrs.frozen(eq=False)
class Evaluated:
    """The evaluation of leaves: arrays of NumPy with a row for each position."""

    values: Floats
    """float32 (n, players): the expected reward of each player, from -1 to 1; the actual one where the game is over."""
    priors: Floats | None
    """float32 (n, actions): the network's policy, 0 for illegal actions; None where it gave no logits."""


class Leaves:
    """Evaluates leaves of tree searches in batches.

    game: a game, or the name or path of one; without chance for `after`, and whose moves have numbers for `legal`.
    device: "cpu", or "cuda" for a GPU (the extra `cuda`).
    playouts: random games from each leaf; by default 1, or 0 where there is a network.
    limit: the number of moves after which random games are cut off as draws.
    network: see `Network`. It gets an array of NumPy on the CPU, and on a GPU one that PyTorch, CuPy and JAX take
        without a copy; its results are taken the same way.
    share: the weight of random games beside the network's value, from 0 to 1.
    seed: for random games; the same seeds give the same values on both devices, in the same order of calls.
    threads: the number of threads on the CPU.

    Raises ValueError where there is neither a network nor random games, NoDevice where there is no GPU.
    """

    def __init__(self, game: Game | str, *, device: Literal["cpu", "cuda"] = "cpu", playouts: int | None = None,
                 limit: int = 1 << 30, network: Network | None = None, share: float = 0.5, seed: int = 0,
                 threads: int = 1) -> None:
        if device not in ("cpu", "cuda"):
            raise ValueError(f"device={device!r}, expected 'cpu' or 'cuda'")
        playouts = (0 if network else 1) if playouts is None else playouts
        if playouts < 0 or not (playouts or network):
            raise ValueError(f"playouts={playouts}, expected at least 1 random game where there is no network")
        if not 0 <= share <= 1:
            raise ValueError(f"share={share}, expected 0 to 1")
        self.game = game if isinstance(game, Game) else dslgame.load(game)
        self.playouts, self.limit, self.network = playouts, limit, network
        self.share = share if network and playouts else float(not network)
        self.batch = Batch.of(self.game, threads=threads)
        self._there: DeviceBatch | None = None
        self._device_planes: DevicePlanes | None = None
        if device == "cuda":
            from interpreter.device.batch import DeviceBatch

            self._there = DeviceBatch.of(self.game)
        self.numbering = Numbering.of(self.game, MOST_ACTIONS)
        """The meaning of actions; None where moves have no numbers."""
        self._seed = seed

    @cached_property
    def planes(self) -> Planes:
        """The conversion of positions into observations."""
        return Planes.of(self.batch)

    # ---- rules

    def starts(self, count: int) -> Words:
        """The starting position, `count` times: uint64, a row for each."""
        return self.batch.starts(count)

    def legal(self, states: Words) -> Truths:
        """Which actions are legal, bool (n, actions): none where the game is over."""
        numbering = self._numbered()
        if self._there is not None:
            result: Truths = self._there.marks(self._there.columns(states), numbering)[0].copy_to_host()
            return result
        return self.batch.marks(states, numbering)[0]

    def after(self, states: Words, actions: ArrayLike) -> Words:
        """The positions after a legal action in each."""
        moves = self._moves[np.asarray(actions, np.int64)]
        if self._there is not None:
            columns = self._there.columns(states)
            self._there.apply(columns, moves)
            return self._there.rows(columns)
        result = states.copy()
        self.batch.apply(result, moves)
        return result

    @cached_property
    def _moves(self) -> Numbers:
        return table_of(self.batch.kernel, self._numbered())

    def _numbered(self) -> Numbering:
        if self.numbering is None:
            raise ValueError(f"{self.game.title} has moves of no fixed length, or more than {MOST_ACTIONS} actions, "
                             "so that its actions have no numbers")
        return self.numbering

    # ---- values

    def evaluate(self, states: Words, legal: Truths | None = None) -> Evaluated:
        """Evaluate positions; `legal` is `self.legal(states)` for the priors, computed where it is not given."""
        players = len(self.game.players)
        outcomes = self.batch.outcomes(states)
        values = np.zeros((len(states), players), np.float32)
        priors: Floats | None = None
        if self.playouts:
            values += np.float32(self.share) * self._played(states)
        if self.network is not None and len(states):
            result, logits = self.network(self._observed(states))
            given = _taken(result)
            if given.shape == (len(states),):
                given = _for_each(given, self.batch.to_move(states), self.game)
            if given.shape != values.shape:
                raise ValueError(f"the network gave values of shape {given.shape}, expected ({len(states)},) or "
                                 f"{values.shape}")
            values += np.float32(1 - self.share) * given
            if logits is not None:
                priors = _priors(_taken(logits), self.legal(states) if legal is None else legal)
        over = outcomes != GOING
        values[over] = rewards_of(outcomes[over], players, self.game.sides)
        return Evaluated(values, priors)

    def _played(self, states: Words) -> Floats:
        """The mean rewards of random games from each position."""
        seeds = seeds_of(self._seed, len(states) * self.playouts)
        self._seed += len(seeds) * STEP
        count = np.repeat(states, self.playouts, axis=0)
        if self._there is not None:
            columns = self._there.columns(count)
            self._there.play_out(columns, seeds, limit=self.limit)
            outcomes = self._there.outcomes(columns)
        else:
            self.batch.play_out(count, seeds, limit=self.limit)
            outcomes = self.batch.outcomes(count)
        rewards = rewards_of(outcomes, len(self.game.players), self.game.sides)
        result: Floats = rewards.reshape(len(states), self.playouts, -1).mean(axis=1)
        return result

    def _observed(self, states: Words) -> Array:
        """The observations of the players to move, on the device."""
        if self._there is None:
            return self.planes.of_states(states)
        if self._device_planes is None:
            from dslgame.device_planes import DevicePlanes

            self._device_planes = DevicePlanes.of(self.planes, self._there)
        return self._device_planes.of_states(self._there.columns(states))


def _taken(given: Array) -> Floats:
    """Convert a network's array to one of NumPy: float32, on the CPU."""
    if not isinstance(given, np.ndarray):
        if hasattr(given, "copy_to_host"):
            given = given.copy_to_host()
        elif hasattr(given, "__dlpack_device__") and int(given.__dlpack_device__()[0]) == _CPU:
            given = np.from_dlpack(given)
        elif hasattr(given, "__cuda_array_interface__"):
            from interpreter.device.program import numba_cuda

            given = numba_cuda().as_cuda_array(given).copy_to_host()
    return np.asarray(given, np.float32)


def _for_each(values: Floats, movers: Numbers, game: Game) -> Floats:
    """Extend the values of the players to move to all players, the others sharing what makes the sum 0."""
    players = len(game.players)
    result: Floats = np.repeat(-values[:, None] / np.float32(max(1, players - 1)), players, axis=1).astype(np.float32)
    result[np.arange(len(values)), movers] = values
    return result


def _priors(logits: Floats, legal: Truths) -> Floats:
    """The softmax of logits over legal actions; 0 everywhere where none is."""
    if logits.shape != legal.shape:
        raise ValueError(f"the network gave logits of shape {logits.shape}, expected {legal.shape}")
    masked = np.where(legal, logits, -np.inf)
    top = masked.max(axis=1, keepdims=True)
    weights = np.where(legal, np.exp(masked - np.where(np.isfinite(top), top, 0)), 0)
    result: Floats = (weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-30)).astype(np.float32)
    return result


__all__ = ["Evaluated", "Leaves", "Network"]
