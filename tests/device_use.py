"""GPU features beyond playing games: `python -m tests.device_use`, with NUMBA_ENABLE_CUDASIM=1, checks and prints them.

Recorded steps equal single steps; every launch and copy uses the caller's stream; observations hide what the rules
hide; arrays are shared; games that chance ends at once, and games that wait where they ended, agree with the
processor.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any
from unittest import mock

import numpy as np

import dslgame
from dslgame.device_env import DeviceEnvironment, DeviceStep, shared
from dslgame.env import Environment
from interpreter.arrays import Words
from interpreter.compiler.lowering.layout import GOING
from interpreter.model.state import State
from tests.app.test_env import LUCK
from tests.device import hold_moves


class Recorded:
    """A stream that counts how often it was synchronised."""

    waits = 0

    def synchronize(self) -> None:
        """Count the call; no work is ever pending."""
        self.waits += 1


@contextmanager
def recording() -> Iterator[list[tuple[str, object]]]:
    """Record the launches and copies made meanwhile, each with its stream; new arrays keep theirs, as on a GPU."""
    found: list[tuple[str, object]] = []
    cuda: Any = import_module("numba.cuda")
    array: Any = import_module("numba.cuda.simulator.cudadrv.devicearray").FakeCUDAArray
    kernel: Any = import_module("numba.cuda.simulator.kernel").FakeCUDAKernel
    moved, fetch, fill, configure = cuda.to_device, array.copy_to_host, array.copy_to_device, kernel.__getitem__

    def to_device(values: Any, stream: object = 0, **more: object) -> Any:
        found.append(("to_device", stream))
        return moved(values, stream=stream, **more)

    def copy_to_host(self: Any, ary: Any = None, stream: object = 0) -> Any:
        found.append(("copy_to_host", stream))
        return fetch(self, ary, stream)

    def copy_to_device(self: Any, ary: Any, stream: object = 0) -> Any:
        found.append(("copy_to_device", stream))
        return fill(self, ary, stream)

    def configured(self: Any, configuration: tuple[object, ...]) -> Any:
        found.append((f"launch of {self.fn.__name__}", configuration[2] if len(configuration) > 2 else 0))
        return configure(self, configuration)

    with (mock.patch.object(cuda, "to_device", to_device), mock.patch.object(array, "copy_to_host", copy_to_host),
          mock.patch.object(array, "copy_to_device", copy_to_device),
          mock.patch.object(kernel, "__getitem__", configured)):
        yield found


def hold_streams() -> None:
    """Every operation uses the caller's stream, and waits for what it fetches."""
    for name, options in (("tic_tac_toe", {}), ("pig", {}), ("tic_tac_toe", {"listed": True})):
        stream = Recorded()
        with recording() as found:
            env = DeviceEnvironment(name, 2, seed=1, limit=9, stream=stream, **options)
            env.step(env.sample())
            env.step(env.sample(), checked=False)
            env.observe()
            env.reset(2)
            env.batch.play_out(env.states, 3, limit=2)
            env.batch.counts(env.states)
            env.batch.outcomes(env.states)
            if env.numbering is not None:
                env.batch.marks(env.states, env.numbering)
            if name == "tic_tac_toe":
                env.batch.perft(2)
            try:
                env.step(np.full(2, -1))
            except ValueError:
                found.append(("refused", stream))
        others = sorted({what for what, used in found if used is not stream})
        assert not others, f"{name}: not on the caller's stream: {', '.join(others)}"
        made = {what for what, _ in found}
        assert {"to_device", "copy_to_host", "copy_to_device", "launch of step_thread", "refused"} <= made, made
        assert stream.waits == sum(what == "copy_to_host" for what, _ in found)


def seen(env: DeviceEnvironment, state: State, viewer: int) -> bytes:
    """The observation of a player in a position that is written to the device."""
    row = [value % (1 << 64) for value in env.batch.program.kernel.row(state)]
    rows: Words = np.array([row] * env.count, np.uint64)
    env.batch.fill(env.states, np.ascontiguousarray(rows.T))
    found = env.observe([viewer] * env.count).copy_to_host()
    assert (found == found[:1]).all()
    return bytes(found.tobytes())


def hold_hidden() -> None:
    """Exchanging cards or stones that a player has not seen changes only the other player's view.

    The exchanges follow the text of the rules, not what the rules declare as hidden.
    """
    cards = DeviceEnvironment("kuhn_poker", 2, seed=1)
    for row in cards.batch.rows(cards.states):
        dealt = cards.batch.program.kernel.state(row)
        held = [int(card) for card in dealt.values[:2] if card is not None]
        for viewer in range(2):
            values = [*held, *dealt.values[2:]]
            values[1 - viewer] = 6 - sum(held)  # of three cards, 1 to 3, the one that nobody has
            hold_unseen(cards, dealt, dealt._replace(values=tuple(values)), viewer)
    stones = DeviceEnvironment("phantom_tic_tac_toe", 2)
    begun = stones.batch.program.kernel.state(stones.batch.rows(stones.states)[0])
    one = begun._replace(pieces=(0b111111100, 0b01, 0b10))
    hold_unseen(stones, one, one._replace(pieces=(0b111101110, 0b01, 0b10000)), 0)
    hold_unseen(stones, one, one._replace(pieces=(0b111101101, 0b10000, 0b10)), 1)


def hold_unseen(env: DeviceEnvironment, one: State, other: State, viewer: int) -> None:
    """Check that only the opponent of `viewer` can distinguish two positions."""
    assert seen(env, one, viewer) == seen(env, other, viewer)
    assert seen(env, one, 1 - viewer) != seen(env, other, 1 - viewer)


def hold_shared() -> None:
    """Arrays share their memory by DLPack and describe themselves; NumPy arrays simulate those of a GPU."""
    env = DeviceEnvironment("tic_tac_toe", 2)
    arrays = env.legal, env.plies, env.step(np.array([0, 4])).rewards
    legal, plies, rewards = (np.asarray(np.from_dlpack(shared(array))) for array in arrays)
    assert [found.dtype.name for found in (legal, plies, rewards)] == ["bool", "int64", "float32"]
    assert [found.shape for found in (legal, plies, rewards)] == [(2, 9), (2,), (2, 2)]
    assert plies.tolist() == [1, 1]
    assert np.argwhere(legal == 0).tolist() == [[0, 0], [1, 4]]
    env.step(np.array([1, 1]))
    assert plies.tolist() == [2, 2]
    assert np.argwhere(legal == 0).tolist() == [[0, 0], [0, 1], [1, 1], [1, 4]]


def hold_ended() -> None:
    """Games that chance ends before a player moves, with and without limits, restarting or waiting."""
    game = dslgame.loads(LUCK)
    for auto_reset, limit in ((True, None), (True, 2), (False, 2), (False, None)):
        there = DeviceEnvironment(game, 8, seed=3, limit=limit, auto_reset=auto_reset)
        here = Environment(game, 8, seed=3, limit=limit, auto_reset=auto_reset)
        ended = here.outcomes != GOING
        assert ended.any()
        assert not ended.all()
        hold_moves(there, here, 12)
        assert (there.counts.copy_to_host() == here.legal.sum(axis=1)).all()
        assert (there.batch.outcomes(there.states) == here.outcomes).all()


def hold_unchecked() -> None:
    """A game with more moves than there is room for waits without legal actions until it is checked.

    With chance, and with moves of variable length, the move itself needs that room too, and is not made.
    """
    for name, most, made in (("connect_four", None, 1), ("pig", None, 0), ("russian_draughts", 64, 0)):
        there = DeviceEnvironment(name, 3, limit=9, most_actions=most)
        here = Environment(name, 3, limit=9, most_actions=most)
        there.batch.program.room = 1
        actions = np.ascontiguousarray(there.sample().copy_to_host())
        there.step(actions, checked=False)
        there.step(there.sample(), checked=False)
        assert not there.legal.copy_to_host().any()
        assert not there.counts.copy_to_host().any()
        there.check()
        assert (there.plies.copy_to_host() == made).all()
        if made:
            here.step(actions)
        assert (there.legal.copy_to_host() == here.legal).all()
        assert (there.to_move.copy_to_host() == here.to_move).all()
        assert (there.outcomes.copy_to_host() == here.outcomes).all()


def hold_recorded() -> None:
    """Steps that are launched together equal single steps, also after a reset and with more room."""
    for name, options in (("connect_four", {}), ("pig", {}), ("tic_tac_toe", {"auto_reset": False})):
        one, other = (DeviceEnvironment(name, 3, seed=2, limit=9, **options) for _ in range(2))
        drawn, given = other.record(steps=2), other.record(one.sample())
        step = given.play()
        one.step(one._sampled)
        other.sample()  # as the first one did
        hold_alike(one, other, step)
        for _ in range(8):
            for _ in range(2):
                one.step(one.sample(), checked=False)
            hold_alike(one, other, drawn.play())
        for env in (one, other):
            env.reset(5)
        one.step(one.sample())
        one.step(one.sample())
        hold_alike(one, other, drawn.play())
    tight = DeviceEnvironment("connect_four", 3, limit=9)
    recorded = tight.record(steps=1)
    recorded.play()
    tight.batch.program.room = 1
    recorded.play()
    assert not tight.legal.copy_to_host().any()
    tight.check()
    before = tight.plies.copy_to_host()
    recorded.play()
    assert (tight.plies.copy_to_host() == before + 1).all()


def hold_alike(one: DeviceEnvironment, other: DeviceEnvironment, step: DeviceStep) -> None:
    """Check that two environments have the same games and that their last steps had the same results."""
    assert one.batch.rows(one.states).tobytes() == other.batch.rows(other.states).tobytes()
    for name in ("legal", "counts", "plies"):
        assert (getattr(one, name).copy_to_host() == getattr(other, name).copy_to_host()).all(), name
    for name in ("rewards", "terminated", "truncated", "mover"):
        assert (getattr(one._step, name).copy_to_host() == getattr(step, name).copy_to_host()).all(), name


if __name__ == "__main__":
    hold_recorded()
    hold_streams()
    hold_hidden()
    hold_shared()
    hold_ended()
    hold_unchecked()
    print("recordings, streams, hidden things, sharing, ends: as they should be")
