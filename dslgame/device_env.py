"""A vectorised environment on a GPU: `dslgame.env` for thousands to millions of games, with arrays in GPU memory.

`dslgame.env.environment(game, count, device="cuda")` makes one. Nothing is copied to the CPU unless requested: actions,
legal moves, rewards and ends are device arrays, which PyTorch and CuPy take without a copy through
`__cuda_array_interface__` (JAX through CuPy's DLPack); their arrays of actions are taken the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import attrs
import numpy as np

import dslgame
from dslgame.device_planes import DevicePlanes
from dslgame.planes import Planes
from interpreter.arrays import Numbers
from interpreter.device.batch import Device, DeviceBatch
from interpreter.device.graph import Graph
from interpreter.device.program import NotOnDevice, numba_cuda, shared
from interpreter.game import Game
from interpreter.kernel.many import Batch, chance_seeds, seeds_of, table_of
from interpreter.kernel.numbering import MOST_ACTIONS, MOST_LISTED, Numbering

Stream = Any
"""A CUDA stream of numba-cuda, which has no types; 0 is the default one."""
Actions = Any
"""An array of NumPy, of numba-cuda, or of any library with `__cuda_array_interface__`."""
REMEMBERED = 512
"""The default `limit` for games whose repetition rule needs earlier positions."""
_ILLEGAL = -2


@attrs.frozen(eq=False)
class DeviceStep:
    """The result of a step: device arrays with a value or row for each game, overwritten by the next step."""

    rewards: Device
    """float32 (games, players): 1 for a win, -1 for a loss (shared by all losers), 0 for a draw or while it goes on."""
    terminated: Device
    """bool: which games ended by the rules."""
    truncated: Device
    """bool: which games were cut off after `limit` moves."""
    mover: Device
    """int64: the player who made the move."""


def why_not_stepped(game: Game) -> str:
    """Why a game's rules prevent an environment on a GPU; "" where they do not."""
    if game.repetition.forbids:
        return "its rule on repetition forbids moves by what the game was like before"
    return ""


@attrs.define(eq=False)
class Recording:
    """Steps of an environment that one launch queues, as a CUDA graph: see `DeviceEnvironment.record`."""

    env: DeviceEnvironment
    actions: Device | None
    """The array from which each step reads its actions; None to draw them."""
    steps: int
    _graph: Graph | None = None
    _made_for: tuple[object, ...] = ()

    def play(self) -> DeviceStep:
        """Queue the steps, each like `step(actions, checked=False)`; the result of the last one."""
        env = self.env
        made_for = env.batch.program.room, env.states, env._seeds, env._chance
        if self._graph is None or any(one is not other for one, other in zip(made_for, self._made_for, strict=True)):
            self._graph, self._made_for = self._recorded(), made_for
        self._graph.launch()
        return env._step

    def _recorded(self) -> Graph:
        """Record the steps as one graph."""
        self.env._prepare()
        return Graph.of(self.env.batch, self.one_by_one)

    def one_by_one(self) -> None:
        """Queue the same steps by separate launches, without a graph."""
        for _ in range(self.steps):
            self.env.step(self.env.sample() if self.actions is None else self.actions, checked=False)


class DeviceEnvironment:
    """Many games of one kind, played in lockstep on a GPU; each step takes an action for each game.

    game: a game, or the name or path of one.
    count: the number of games.
    seed: for `sample`, and for chance, which decides as in `dslgame.env.Environment` with the same seed.
    limit: the number of moves after which a game is cut off; where the game has a repetition rule, every position is
        stored (8 bytes each), and the default is 512.
    auto_reset: whether a game that has ended restarts within the same step; otherwise ended games ignore their actions.
    listed: False for actions that mean the same move in every position, True for indices into the list of legal moves;
        None chooses False, unless moves have no fixed length or there are too many actions.
    most_actions: the most actions that the environment may have.
    stream: the CUDA stream on which all work is queued, 0 for the default one.

    Raises NoDevice, NotOnDevice, which names what cannot run, or MemoryError, which says how many games would fit.
    """

    def __init__(self, game: Game | str, count: int, *, seed: int = 0, limit: int | None = None,
                 auto_reset: bool = True, listed: bool | None = None, most_actions: int | None = None,
                 stream: Stream = 0) -> None:
        if count < 1:
            raise ValueError(f"count={count}, expected at least 1 game")
        if limit is not None and limit < 1:
            raise ValueError(f"limit={limit}, expected at least 1 move")
        self.game = game if isinstance(game, Game) else dslgame.load(game)
        if limit is None and self.game.rules.repetition:
            limit = REMEMBERED
        self.count, self.limit, self.auto_reset = count, limit, auto_reset
        reason = why_not_stepped(self.game)
        if reason:
            raise NotOnDevice(f"{self.game.title} cannot be stepped on a GPU: {reason}; random games "
                              "(`DeviceBatch.play_out`) can be played")
        self.numbering = None if listed else Numbering.of(self.game, most_actions or MOST_ACTIONS)
        """The meaning of actions; None where they are indices into the list of legal moves."""
        if self.numbering is None and listed is False:
            raise ValueError(f"{self.game.title} has moves of no fixed length, or more than "
                             f"{most_actions or MOST_ACTIONS} actions: use listed=True, or give most_actions")
        self.batch = DeviceBatch.of(self.game)
        self.batch.stream = stream
        self._times = self.game.repetition.at - 1 if self.game.rules.repetition else 0
        self.batch.program.listed = self.numbering is None
        self.actions = self.numbering.count if self.numbering else most_actions or MOST_LISTED
        """The number of actions; the legal ones are marked in `legal`."""
        self.players = self.game.players
        self.batch.game_bytes = self.game_bytes
        batch = self.batch
        kernel = batch.program.kernel
        self._tables = batch.tables(self.numbering) if self.numbering else ()
        self._moves = batch.moved(table_of(kernel, self.numbering) if self.numbering else
                                  np.zeros((1, kernel.assembled.move_width), np.int64))
        self._by_chance = batch.moved(np.array([int(rule.is_chance) for rule in self.game.rules.moves], np.int64))
        self._sides = batch.moved(np.array([*self.game.sides] or [*range(len(self.players))], np.int64))
        self._start = batch.starts(1)
        self.legal: Device = batch.empty((count, self.actions), np.bool_)
        """bool (games, actions): which actions are legal."""
        self.counts: Device = batch.empty((count,), np.int64)
        """int64: the number of legal actions in each game."""
        self.plies: Device = batch.empty((count,), np.int64)
        """int64: the number of moves made in each game."""
        self._step = DeviceStep(batch.empty((count, len(self.players)), np.float32), batch.empty((count,), np.bool_),
                                batch.empty((count,), np.bool_), batch.empty((count,), np.int64))
        self._aside = batch.moved(np.array(sorted(self.game.repetition.aside), np.int64))
        self._history = batch.empty((self._remembered, count), np.uint64)
        self._failures = batch.empty((count,), np.int64)
        self._todo = batch.moved(np.ones(count, np.int64))
        self._sampled = batch.empty((count,), np.int64)
        self.reset(seed)

    @property
    def _remembered(self) -> int:
        """The number of stored positions per game."""
        return self.limit + 1 if self._times and self.limit else 1

    @property
    def game_bytes(self) -> int:
        """Bytes of GPU memory per game: its position, actions, rewards, ends, seeds and stored positions.

        Includes a second position and number, which restarting a game and finding failures need temporarily.
        """
        words = 2 * self.batch.width + self._remembered + 10
        return 8 * words + self.actions + 4 * len(self.players) + 2

    @cached_property
    def planes(self) -> Planes:
        """The conversion of positions into observations: `planes.names` says what each plane shows."""
        return Planes.of(Batch.of(self.game))

    def observe(self, viewers: Numbers | Sequence[int] | None = None) -> Device:
        """The observation in each game of the player to move, or of the players `viewers`, as a new device array.

        float32 by game, plane, row and column (or cell), equal to `dslgame.env.Environment.observe`, without what the
        game hides from that player. For games that hide something, positions are copied to the CPU for that and the
        planes back to the GPU; otherwise nothing leaves it.
        """
        return self._device_planes.of_states(self.states, viewers)

    @cached_property
    def _device_planes(self) -> DevicePlanes:
        return DevicePlanes.of(self.planes, self.batch)

    def reset(self, seed: int | None = None) -> None:
        """Restart all games, with a new seed for `sample` and for chance if given."""
        self.states: Device = self.batch.starts(self.count)
        """The positions: uint64 (words, games)."""
        self.batch.fill(self.plies, np.zeros(self.count, np.int64))
        if seed is not None:
            self._seeds = self.batch.moved(seeds_of(seed, self.count))
            self._chance = self.batch.moved(chance_seeds(seed, self.count))
        if self._times or self.game.rules.has_chance:
            self.batch.run("begin_thread", self.count, self.states, (
                self._chance, self._by_chance, self._history, self._aside, self._times))
        self._mark()

    def sample(self) -> Device:
        """Draw a legal action for each game, uniformly, 0 where there is none; the next call overwrites the array."""
        self.batch.launch("sample_thread", self.count, self.legal, self.counts, self._seeds, self._sampled)
        return self._sampled

    def step(self, actions: Actions, *, checked: bool = True) -> DeviceStep:
        """Play an action in each game; `actions` is an int64 array of NumPy, or of the GPU with
        `__cuda_array_interface__`.

        Raises ValueError where an action is illegal; that game is unchanged, the others are played. With `checked`
        false nothing waits for the GPU, illegal actions and failing rules go unnoticed, and a game with more moves than
        the threads have room for has no legal actions, and waits until `check` makes room.
        """
        given = self._given(actions)
        self.batch.fill(self._failures, self._todo)
        self._play(given)
        if checked:
            self._check(given)
        self._mark(checked=checked)
        return self._step

    def record(self, actions: Actions | None = None, steps: int = 1) -> Recording:
        """Record steps to be launched together, for small batches: launches from Python take longer than their moves.

        actions: a device array, int64 (games,), whose contents at the time each `play` of the recording plays; None to
            draw legal actions as `sample` does.
        steps: the number of steps per launch.

        Nothing is played yet. Steps are like `step(actions, checked=False)`; call `check` now and then.
        """
        if steps < 1:
            raise ValueError(f"steps={steps}, expected at least 1")
        if isinstance(actions, np.ndarray):
            raise ValueError("a recording reads its actions from an array of the GPU, found one of NumPy: "
                             "`env.batch.moved(actions)` moves it")
        return Recording(self, None if actions is None else self._given(actions), steps)

    def check(self) -> None:
        """Catch up on unchecked steps: make room for games with many moves, so that all games have their legal actions.

        Raises RuleError where a rule fails.
        """
        self._mark()

    @property
    def to_move(self) -> Device:
        """int64: the number of the player to move in each game; a view into `states`, which steps change."""
        return self._part(self.batch.program.kernel.assembled.layout.to_move)

    @property
    def outcomes(self) -> Device:
        """int64: -2 where the game goes on, -1 for a draw, else the winner's number; a view into `states`."""
        return self._part(self.batch.program.kernel.assembled.layout.outcome)

    def _part(self, word: int) -> Device:
        return self.states[word].view(np.int64)

    def _play(self, actions: Device) -> None:
        step = self._step
        self.batch.launch("step_thread", self.count, self.states, self._start, self._moves, actions, self.legal,
                          self.plies, self.limit or 0, self.auto_reset, self._history, self._aside, self._times,
                          self.game.rules.repetition == "loses" and len(self.players) == 2, self._chance,
                          self._by_chance, self._sides, step.rewards, step.terminated, step.truncated, step.mover,
                          self._failures)

    def _given(self, actions: Actions) -> Device:
        cuda = numba_cuda()
        if isinstance(actions, np.ndarray):
            result = self.batch.moved(np.ascontiguousarray(actions, np.int64))
        elif hasattr(actions, "copy_to_host"):
            result = actions
        else:
            result = cuda.as_cuda_array(actions)
        if result.shape != (self.count,) or result.dtype != np.int64:
            raise ValueError(f"actions are {result.dtype} {result.shape}, expected int64 ({self.count},)")
        return result

    def _check(self, actions: Device) -> None:
        """Raise ValueError for an illegal action and RuleError for a failing rule; where room lacked, enlarge it and
        replay."""
        while (failures := self.batch.fetched(self._failures)).any():
            illegal = np.flatnonzero(failures == _ILLEGAL)
            if len(illegal):
                self._mark()
                wrong = int(illegal[0])
                raise ValueError(f"action {int(self.batch.fetched(actions)[wrong])} is not legal in game {wrong}")
            self.batch.check(failures)
            self._play(actions)

    def _mark(self, *, checked: bool = True) -> None:
        """Update the legal actions of all games."""
        if checked:
            self.batch.run(self._marking, self.count, self.states, (*self._tables, self.legal, self.counts))
        else:
            self.batch.fill(self._failures, self._todo)
            self._launch_marking()
        if self.limit and not self.auto_reset:
            self.batch.launch("close_thread", self.count, self.plies, self.limit, self.legal, self.counts)

    @property
    def _marking(self) -> str:
        return "list_thread" if self.numbering is None else "mark_thread"

    def _launch_marking(self) -> None:
        self.batch.launch(self._marking, self.count, self.states, *self._tables, self.legal, self.counts,
                          self._failures)

    def _prepare(self) -> None:
        """Compile everything that steps launch, as that is impossible during recording; leaves all games unchanged."""
        seeds = self.batch.moved(self.batch.fetched(self._seeds))
        self.sample()
        self.batch.fill(self._seeds, seeds)
        self.batch.fill(self._failures, np.zeros(self.count, np.int64))  # no game has anything to do
        self._play(self._sampled)
        self._launch_marking()


__all__ = ["DeviceEnvironment", "DeviceStep", "Recording", "shared"]
