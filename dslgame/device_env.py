"""Thousands to millions of games at once on a GPU, step by step: `dslgame.env` with its arrays in the GPU's memory.

`dslgame.env.environment(game, count, device="cuda")` makes one. Nothing is copied to the processor unless it is asked
for: actions, legal moves, rewards and ends are device arrays, which PyTorch and CuPy take without a copy by
`__cuda_array_interface__` (JAX through CuPy's DLPack), and whose actions are taken the same way.
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
"""An array of NumPy, of numba-cuda, or of whatever has `__cuda_array_interface__`."""
REMEMBERED = 512
"""The limit of games in which positions are remembered, where none is given."""
_ILLEGAL = -2


@attrs.frozen(eq=False)
class DeviceStep:
    """What a step of all games led to: device arrays, a value or row for each game, which the next step writes over."""

    rewards: Device
    """float32 (games, players): 1 for a win, -1 for a loss (shared by all losers), 0 for a draw or while it goes on."""
    terminated: Device
    """bool: which games ended by the rules."""
    truncated: Device
    """bool: which games were cut off after `limit` moves."""
    mover: Device
    """int64: the player who made the move."""


def why_not_stepped(game: Game) -> str:
    """Why the games of an environment cannot be on a GPU; "" where they can, as far as their rules say."""
    if game.repetition.forbids:
        return "its rule on repetition forbids moves by what the game was like before"
    return ""


@attrs.define(eq=False)
class Recording:
    """Steps of an environment that are queued by one launch, as a CUDA graph: see `DeviceEnvironment.record`."""

    env: DeviceEnvironment
    actions: Device | None
    """Where each step reads its actions; None where they are drawn."""
    steps: int
    _graph: Graph | None = None
    _made_for: tuple[object, ...] = ()

    def play(self) -> DeviceStep:
        """Queue the steps, as `step(actions, checked=False)` does; what the last of them led to."""
        env = self.env
        made_for = env.batch.program.room, env.states, env._seeds, env._chance
        if self._graph is None or any(one is not other for one, other in zip(made_for, self._made_for, strict=True)):
            self._graph, self._made_for = self._recorded(), made_for
        self._graph.launch()
        return env._step

    def _recorded(self) -> Graph:
        """The steps as one graph."""
        self.env._prepare()
        return Graph.of(self.env.batch, self.one_by_one)

    def one_by_one(self) -> None:
        """Queue the same steps by launches of their own."""
        for _ in range(self.steps):
            self.env.step(self.env.sample() if self.actions is None else self.actions, checked=False)


class DeviceEnvironment:
    """Games of one kind, all played at once on a GPU; an action for each at every step.

    game: a game, or the name or path of one.
    count: how many games.
    seed: for `sample`, and for chance, which decides as in `dslgame.env.Environment` with the same seed.
    limit: a game is cut off after so many moves; needed where a rule on repetition counts, since every position of a
        game is remembered (8 bytes each), and 512 where it is not given then.
    auto_reset: a game that has ended begins anew within the same step; without it ended games ignore their actions.
    listed: False for actions that mean the same move in every position, True for numbers in the list of legal moves;
        None for the first, unless moves have no fixed length or there are too many.
    most_actions: how many actions there may be.
    stream: the CUDA stream on which all work is queued, 0 for the default one.

    Raises NoDevice, NotOnDevice, which says what of the rules cannot be, or MemoryError, which says what would fit.
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
        """What actions mean; None where they are numbers in the list of legal moves."""
        if self.numbering is None and listed is False:
            raise ValueError(f"{self.game.title} has moves of no fixed length, or more than "
                             f"{most_actions or MOST_ACTIONS} actions: use listed=True, or give most_actions")
        self.batch = DeviceBatch.of(self.game)
        self.batch.stream = stream
        self._times = self.game.repetition.at - 1 if self.game.rules.repetition else 0
        self.batch.program.listed = self.numbering is None
        self.actions = self.numbering.count if self.numbering else most_actions or MOST_LISTED
        """How many actions there are; those that are legal are marked in `legal`."""
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
        """For each game and each action whether it is legal."""
        self.counts: Device = batch.empty((count,), np.int64)
        """How many legal actions each game has."""
        self.plies: Device = batch.empty((count,), np.int64)
        """How many moves each game has had."""
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
        """How many positions of a game are remembered."""
        return self.limit + 1 if self._times and self.limit else 1

    @property
    def game_bytes(self) -> int:
        """What a game takes in the GPU's memory: its position, actions, rewards, ends, seeds and remembered positions.

        Beginning anew and finding what failed need a position and a number more for a moment, which are counted.
        """
        words = 2 * self.batch.width + self._remembered + 10
        return 8 * words + self.actions + 4 * len(self.players) + 2

    @cached_property
    def planes(self) -> Planes:
        """How positions become observations: `planes.names` says what each plane shows."""
        return Planes.of(Batch.of(self.game))

    def observe(self, viewers: Numbers | Sequence[int] | None = None) -> Device:
        """What the player to move sees in each game, or one of the players `viewers`: a new array of the GPU.

        float32 by game, plane, row and column (or cell), the array of `dslgame.env.Environment.observe`: what the game
        hides from that player is not in it. Where a game hides something, positions are brought to the processor for
        that, and the planes moved to the GPU; else nothing leaves it.
        """
        return self._device_planes.of_states(self.states, viewers)

    @cached_property
    def _device_planes(self) -> DevicePlanes:
        return DevicePlanes.of(self.planes, self.batch)

    def reset(self, seed: int | None = None) -> None:
        """Begin all games anew, with a new seed for `sample` and for chance if given."""
        self.states: Device = self.batch.starts(self.count)
        """The positions: uint64, a row for each word and a column for each game."""
        self.batch.fill(self.plies, np.zeros(self.count, np.int64))
        if seed is not None:
            self._seeds = self.batch.moved(seeds_of(seed, self.count))
            self._chance = self.batch.moved(chance_seeds(seed, self.count))
        if self._times or self.game.rules.has_chance:
            self.batch.run("begin_thread", self.count, self.states, (
                self._chance, self._by_chance, self._history, self._aside, self._times))
        self._mark()

    def sample(self) -> Device:
        """A legal action for each game, each as likely as any other, 0 where there is none; written over next time."""
        self.batch.launch("sample_thread", self.count, self.legal, self.counts, self._seeds, self._sampled)
        return self._sampled

    def step(self, actions: Actions, *, checked: bool = True) -> DeviceStep:
        """Play an action in each game: an array of int64 of NumPy, of the GPU, or of whatever shares its memory.

        Raises ValueError where an action is not legal; such a game stays as it was, the others are played. Unless it is
        `checked` nothing waits for the GPU, illegal actions and failing rules go unnoticed, and a game with more moves
        than threads have room for has no legal actions, and waits, until `check` makes room.
        """
        given = self._given(actions)
        self.batch.fill(self._failures, self._todo)
        self._play(given)
        if checked:
            self._check(given)
        self._mark(checked=checked)
        return self._step

    def record(self, actions: Actions | None = None, steps: int = 1) -> Recording:
        """Steps that are launched together, for small batches: launches from Python take longer than their moves.

        actions: an array of the GPU, int64 (games,): each `play` of the recording plays what it has then. None to draw
            legal ones as `sample` does.
        steps: how many steps one launch makes.

        Nothing is played yet. Steps are those of `step(actions, checked=False)`, and `check` is called now and then.
        """
        if steps < 1:
            raise ValueError(f"steps={steps}, expected at least 1")
        if isinstance(actions, np.ndarray):
            raise ValueError("a recording reads its actions from an array of the GPU, found one of NumPy: "
                             "`env.batch.moved(actions)` moves it")
        return Recording(self, None if actions is None else self._given(actions), steps)

    def check(self) -> None:
        """Find what went unnoticed in steps that were not `checked`: afterwards all games have their legal actions.

        Raises RuleError where a rule fails.
        """
        self._mark()

    @property
    def to_move(self) -> Device:
        """int64: the number of the player to move in each game; a part of `states`, which steps change."""
        return self._part(self.batch.program.kernel.assembled.layout.to_move)

    @property
    def outcomes(self) -> Device:
        """int64: -2 where the game goes on, -1 for a draw, else the number of who won; a part of `states`."""
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
        """Raises ValueError for an illegal action, and RuleError for a failing rule; makes more room where it lacks."""
        while (failures := self.batch.fetched(self._failures)).any():
            illegal = np.flatnonzero(failures == _ILLEGAL)
            if len(illegal):
                self._mark()
                wrong = int(illegal[0])
                raise ValueError(f"action {int(self.batch.fetched(actions)[wrong])} is not legal in game {wrong}")
            self.batch.check(failures)
            self._play(actions)

    def _mark(self, *, checked: bool = True) -> None:
        """Find the legal actions of all games anew."""
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
        """Have all that steps launch compiled, as nothing can be while they are recorded; no game is touched."""
        seeds = self.batch.moved(self.batch.fetched(self._seeds))
        self.sample()
        self.batch.fill(self._seeds, seeds)
        self.batch.fill(self._failures, np.zeros(self.count, np.int64))  # of no game anything is to be done
        self._play(self._sampled)
        self._launch_marking()


__all__ = ["DeviceEnvironment", "DeviceStep", "Recording", "shared"]
