"""Measures the speed of random games on a GPU in batches of several sizes, for `dslgame bench --device cuda`."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

import attrs

from dslgame.device_env import DeviceEnvironment
from interpreter.device.batch import DeviceBatch
from interpreter.device.program import NotOnDevice, numba_cuda, simulated
from interpreter.game import Game

SIZES = tuple(1 << exponent for exponent in range(10, 23, 2))
"""The sizes of batches; a simulated GPU, whose speed does not matter, has only a batch of 4 games."""

MANY = 1 << 12
"""`most_actions` for games with positions that have more legal moves than an environment's default."""


@attrs.frozen
class DeviceSpeed:
    """The speed of batches of one size."""

    games: int
    """The number of games in a batch."""
    moves_per_second: float
    playouts_per_second: float
    compile_seconds: float
    position_bytes: int
    """The bytes of a position in GPU memory."""


def measured(game: Game, seconds: float, *, seed: int, limit: int) -> Iterator[DeviceSpeed]:
    """Play whole batches of random games from the start for `seconds` in all, an equal share for each size.

    Resetting a batch to its start, within GPU memory, is not timed. Each size has at least one launch; sizes that do
    not fit into memory are left out.

    Raises NoDevice or NotOnDevice.
    """
    batch = DeviceBatch.of(game)
    started = perf_counter()
    batch.play_out(batch.starts(1), seed, limit=limit)
    compiled = perf_counter() - started
    sizes = (4,) if simulated() else SIZES
    for count in sizes:
        try:
            states, starts = batch.starts(count), batch.starts(count)
        except MemoryError:
            return
        games = plies = 0
        spent = 0.0
        while spent < seconds / len(sizes):
            states.copy_to_device(starts)
            numba_cuda().synchronize()
            began = perf_counter()
            made = batch.play_out(states, seed + games, limit=limit)
            numba_cuda().synchronize()
            spent += perf_counter() - began
            plies += int(made.copy_to_host().sum())
            games += count
        yield DeviceSpeed(count, plies / spent, games / spent, compiled, batch.width * 8)


def steps_a_second(game: Game, count: int, seconds: float, *, seed: int, limit: int, recorded: bool = False) -> float:
    """Moves per second of an environment of `count` games, with random legal moves, and games restarted as they end.

    A step includes what a learning program needs: after each, legal actions, rewards and ends are available for all
    games; nothing is copied to the CPU. The first steps, in which everything is compiled and games reach positions with
    many moves, are not counted. With `recorded` one launch makes 64 steps. 0 where the games do not fit into memory.

    Raises NoDevice, or NotOnDevice where the game has no environment on a GPU.
    """
    try:
        env = _environment(game, count, seed=seed, limit=limit)
        together = 1 if simulated() else 64 if recorded else 16
        for _ in range(2 * together):
            env.step(env.sample())
        env.step(env.sample(), checked=False)
        recording = env.record(steps=together)
        advance = recording.play if recorded else recording.one_by_one
        advance()
        numba_cuda().synchronize()
        steps, spent, began = 0, 0.0, perf_counter()
        while steps == 0 or spent < seconds:
            advance()
            env.check()
            steps += together
            spent = perf_counter() - began
    except MemoryError:
        return 0.0
    return steps * count / spent


def _environment(game: Game, count: int, *, seed: int, limit: int) -> DeviceEnvironment:
    """Make an environment, with `MANY` actions where the default does not suffice."""
    try:
        return DeviceEnvironment(game, count, seed=seed, limit=limit)
    except NotOnDevice:
        raise
    except ValueError:
        return DeviceEnvironment(game, count, seed=seed, limit=limit, most_actions=MANY)
