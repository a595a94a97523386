"""Compares games on a GPU with games on the processor: `python -m tests.device NAME ...` prints the differences.

With NUMBA_ENABLE_CUDASIM=1 in the environment the GPU is simulated, which takes about a second for a small batch.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

import numpy as np
import pytest

import dslgame
from dslgame.device_env import DeviceEnvironment, why_not_stepped
from dslgame.env import Environment, environment
from dslgame.leaves import Leaves
from interpreter.device import batch as device
from interpreter.device.batch import DeviceBatch, NotOnDevice
from interpreter.game import Game
from interpreter.kernel.kernel import Kernel
from interpreter.kernel.many import Batch
from interpreter.kernel.numbering import Numbering

GAMES, PLIES, STEPS = 3, 12, 14
ACTIONS = 1 << 12
"""Games with more actions are not marked, as a simulated thread loops over all of them."""


def hold(game: Game, games: int = GAMES, plies: int = PLIES) -> None:
    """Compare random games, legal moves and counts. Raises AssertionError where the GPU differs."""
    there, here = DeviceBatch.of(game), Batch.of(game)
    position = here.kernel.assembled.layout.position
    ours, theirs = here.starts(games), there.starts(games)
    for seed in (1, 2):  # from the start, and from where the first games came to
        expected = here.play_out(ours, seed, limit=plies)
        assert there.play_out(theirs, seed, limit=plies).copy_to_host().tolist() == expected.tolist()
        assert (there.rows(theirs)[:, :position] == ours[:, :position]).all()
        assert there.outcomes(theirs).tolist() == here.outcomes(ours).tolist()
    going = here.starts(games)
    here.play_out(going, 3, limit=4)
    moved = there.columns(going)
    assert there.counts(moved).copy_to_host().tolist() == here.counts(going).tolist()
    numbering = Numbering.of(game, ACTIONS)
    if numbering is not None:
        for mine, other in zip(here.marks(going, numbering), there.marks(moved, numbering), strict=True):
            assert (other.copy_to_host() == mine).all()


def hold_steps(game: Game, games: int = GAMES, steps: int = STEPS) -> None:
    """Take the same actions in environments on both. Raises AssertionError where the GPU's steps differ."""
    most: int | None = None
    try:
        there = environment(game, games, device="cuda", limit=12)
        if isinstance(there, DeviceEnvironment) and there.numbering is None:
            most = ACTIONS  # some have more moves than lists have room for
            there = DeviceEnvironment(game, games, limit=12, most_actions=most, listed=True)
    except NotOnDevice:
        assert why_not_stepped(game)
        return
    except ValueError:  # too many actions, on both
        with pytest.raises(ValueError, match="most_actions"):
            Environment(game, games, limit=12)
        most = ACTIONS
        there = DeviceEnvironment(game, games, limit=12, most_actions=most)
    assert isinstance(there, DeviceEnvironment)
    hold_moves(there, Environment(game, games, limit=12, most_actions=most, listed=there.numbering is None), steps)


def hold_moves(there: DeviceEnvironment, here: Environment, steps: int) -> None:
    """Take the same actions in both environments. Raises AssertionError where observations or results differ."""
    games = np.arange(here.count)
    for _ in range(steps):
        assert (there.observe().copy_to_host() == here.observe()).all()
        assert (there.legal.copy_to_host() == here.legal).all()
        actions = np.ascontiguousarray(there.sample().copy_to_host())
        assert (here.legal[games, actions] | ~here.legal.any(axis=1)).all()
        mine, other = here.step(actions), there.step(actions)
        assert (other.rewards.copy_to_host() == mine.rewards).all()
        for name in ("terminated", "truncated", "mover"):
            assert (getattr(other, name).copy_to_host() == getattr(mine, name)).all(), name
    viewers = games % len(here.players)
    assert (there.observe(viewers).copy_to_host() == here.planes.of_states(here.states, viewers)).all()


def hold_leaves(game: Game, count: int = 2) -> None:
    """Compare random games from leaves, and the moves of actions. Raises AssertionError where the GPU differs."""
    there, here = (Leaves(game, playouts=2, limit=12, seed=4, device=device) for device in ("cuda", "cpu"))
    if here.numbering is None:
        return
    states = here.starts(count)
    for _ in range(3):
        legal = here.legal(states)
        assert (there.legal(states) == legal).all()
        assert (there.evaluate(states, legal).values == here.evaluate(states, legal).values).all()
        if not legal.any(axis=1).all():
            return
        states, other = here.after(states, legal.argmax(axis=1)), there.after(states, legal.argmax(axis=1))
        assert (states == other).all()


def hold_counts(game: Game, depth: int) -> None:
    """Compare perft counts; sequences are distributed over threads after the first moves."""
    device._WANTED = 10
    there = DeviceBatch.of(game).perft(depth)
    counts, _ = Batch.of(game).kernel.perft(depth)
    assert there == list(counts)


@contextmanager
def compiled_once() -> Iterator[None]:
    """Reuse one kernel per game, which each comparison would otherwise compile again."""
    made: dict[int, Kernel] = {}
    compiled = Kernel.of

    def kernel_of(game: Game, *, native: bool = True) -> Kernel:
        if id(game) not in made:
            made[id(game)] = compiled(game)
        return made[id(game)] if native else made[id(game)].as_plain()

    with mock.patch.object(Kernel, "of", kernel_of):
        yield


def main(names: list[str]) -> None:
    """Compare some games; print the reason for those that cannot be compiled."""
    for name in names:
        game = dslgame.load(name)
        try:
            with compiled_once():
                hold(game)
                hold_steps(game)
                hold_leaves(game)
        except NotOnDevice as problem:
            print(f"{name}: {problem}")
            continue
        print(f"{name}: the same")
    if names[0] == "tic_tac_toe":
        hold_counts(dslgame.load("tic_tac_toe"), 5)
        hold_counts(dslgame.load("dodgem"), 3)
        print("counts: the same")


if __name__ == "__main__":
    main(sys.argv[1:])
