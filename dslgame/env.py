"""A vectorised environment for reinforcement learning: thousands of games stepped at once, with arrays in and out.

>>> from dslgame.env import Environment
>>> env = Environment("nex", 4)
>>> step = env.step(env.sample())
>>> step.rewards.shape, step.terminated.tolist()
((4, 2), [False, False, False, False])

`docs/environments.md` has the rest. Needs NumPy, which `import dslgame` does not load.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import attrs
import numpy as np
from numpy.typing import ArrayLike

import dslgame
from dslgame.planes import Planes
from interpreter.arrays import Floats, Numbers, Truths, Words
from interpreter.compiler.lowering.layout import GOING
from interpreter.errors import RuleError
from interpreter.game import Game
from interpreter.kernel.many import Batch, Listed, chance_seeds, table_of, without_aside
from interpreter.kernel.numbering import MOST_ACTIONS, MOST_LISTED, Numbering
from interpreter.model.state import DRAW, Move, State

if TYPE_CHECKING:
    from dslgame.device_env import DeviceEnvironment

_MANY = 256
"""The number of actions above which drawing a move and numbering it is quicker than searching the marks."""


@attrs.frozen(eq=False)
class Step:
    """The result of a step of all games; arrays with a row for each game."""

    rewards: Floats
    """float32 (games, players): 1 for a win, -1 for a loss (shared by all losers), 0 for a draw or while it goes on."""
    terminated: Truths
    """Which games ended by the rules."""
    truncated: Truths
    """Which games were cut off after `limit` moves."""
    mover: Numbers
    """The player who made the move."""
    states: Words
    """The positions after the moves, including those of ended games, which `Environment.states` already restarts."""


def rewards_of(outcomes: ArrayLike, players: int, sides: Sequence[int] = ()) -> Floats:
    """The rewards of each player for some outcomes: 1 for each winner, minus the same total shared by the others.

    `sides` gives for each player the first player of the team, whose number is the outcome when the team wins.
    """
    outcomes = np.asarray(outcomes)
    rewards = np.zeros((len(outcomes), players), np.float32)
    won = np.flatnonzero(outcomes >= 0)
    of = np.asarray([*sides] or [*range(players)])
    winners = of[None, :] == outcomes[won][:, None]
    count = winners.sum(axis=1, keepdims=True)
    if players > 1:
        rewards[won] = -count / np.maximum(1, players - count)
    rewards[won] = np.where(winners, 1, rewards[won])
    return rewards


def environment(game: Game | str, count: int, *, device: Literal["cpu", "cuda"] = "cpu", seed: int = 0,
                limit: int | None = None, auto_reset: bool = True) -> Environment | DeviceEnvironment:
    """Make an environment on the CPU, or on a GPU (the extra `cuda`); the classes have further options of their own.

    Raises `interpreter.device.batch.NoDevice` where there is no GPU, NotOnDevice where the rules cannot run on one.
    """
    if device == "cpu":
        return Environment(game, count, seed=seed, limit=limit, auto_reset=auto_reset)
    if device != "cuda":
        raise ValueError(f"device={device!r}, expected 'cpu' or 'cuda'")
    from dslgame.device_env import DeviceEnvironment

    return DeviceEnvironment(game, count, seed=seed, limit=limit, auto_reset=auto_reset)


class Environment:
    """Many games of one kind, played in lockstep; each step takes an action for each game.

    game: a game, or the name or path of one.
    count: the number of games.
    seed: for `sample` and for `opening`.
    limit: the number of moves after which a game is cut off.
    auto_reset: whether a game that has ended restarts within the same step; otherwise ended games ignore their actions.
        A game that chance ends before a player moves has no legal action, ends at the next step, and gives no rewards.
    opening: the number of random moves with which games begin.
    listed: False for actions that mean the same move in every position, True for indices into the list of legal moves;
        None chooses False, unless moves have no fixed length or there are too many actions.
    most_actions: the most actions that the environment may have.
    threads: the number of threads that share the games.
    """

    def __init__(self, game: Game | str, count: int, *, seed: int = 0, limit: int | None = None,
                 auto_reset: bool = True, opening: int = 0, listed: bool | None = None,
                 most_actions: int | None = None, threads: int = 1) -> None:
        if count < 1:
            raise ValueError(f"count={count}, expected at least 1 game")
        if limit is not None and limit < 1:
            raise ValueError(f"limit={limit}, expected at least 1 move")
        self.game = game if isinstance(game, Game) else dslgame.load(game)
        self.count, self.limit, self.auto_reset, self.opening = count, limit, auto_reset, opening
        self.batch = Batch.of(self.game, threads=threads)
        self.numbering = None if listed else Numbering.of(self.game, most_actions or MOST_ACTIONS)
        """The meaning of actions; None where they are indices into the list of legal moves."""
        if self.numbering is None and listed is False:
            raise ValueError(f"{self.game.title} has moves of no fixed length, or more than "
                             f"{most_actions or MOST_ACTIONS} actions: use listed=True, or give most_actions")
        self.actions = self.numbering.count if self.numbering else most_actions or MOST_LISTED
        """The number of actions; the legal ones are marked in `legal`."""
        self.players = self.game.players
        self._forbidden = self.game.repetition.forbids
        self._kept: Listed | None = None
        self._moves: Numbers | None = None if self.numbering is None else table_of(self.batch.kernel, self.numbering)
        self.legal: Truths = np.zeros((count, self.actions), np.bool_)
        """bool (games, actions): which actions are legal; none in a game that has ended."""
        self._counts: Numbers = np.zeros(count, np.int64)
        self.reset(seed)

    # ---- observing

    @cached_property
    def planes(self) -> Planes:
        """The conversion of positions into observations: `planes.names` says what each plane shows."""
        return Planes.of(self.batch)

    def observe(self) -> Floats:
        """The observation of the player to move in each game: float32 by game, plane, row and column (or cell)."""
        return self.planes.of_states(self.states)

    @property
    def to_move(self) -> Numbers:
        """The number of the player to move in each game."""
        return self.batch.to_move(self.states)

    @property
    def outcomes(self) -> Numbers:
        """-2 where the game goes on, -1 for a draw, else the number of the player who won."""
        return self.batch.outcomes(self.states)

    def legal_lists(self) -> tuple[Numbers, Numbers]:
        """All legal actions, game by game, and the offsets: where each game's begin, then the end of the last."""
        offsets = np.zeros(self.count + 1, np.int64)
        np.cumsum(self._counts, out=offsets[1:])
        return np.flatnonzero(self.legal) - np.repeat(np.arange(self.count) * self.actions, self._counts), offsets

    def state(self, number: int) -> State:
        """The interpreter's state of one game."""
        return self.batch.kernel.state(self.states[number])

    def drawing(self, number: int) -> str:
        """One game's board as text."""
        return self.game.drawing(self.state(number))

    def move(self, number: int, action: int) -> Move:
        """The move that a legal action stands for in one game."""
        if not (0 <= action < self.actions and self.legal[number, action]):
            raise ValueError(self._illegal(number, action))
        if self.numbering is not None:
            return self.numbering.move(int(action))
        rows = self._kept[number] if self._kept is not None else self.batch.legal(self.states[[number]])[0]
        return self.batch.kernel.move(rows[action])

    def texts(self, number: int) -> dict[int, str]:
        """The legal actions of one game with their moves as texts."""
        state = self.state(number)
        return {int(action): self.game.notation.write(state, self.move(number, int(action)))
                for action in np.flatnonzero(self.legal[number])}

    # ---- playing

    def reset(self, seed: int | None = None, *, states: Words | None = None) -> None:
        """Restart all games, or set them to `states`, which then have no history; reseed if a seed is given."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
            self._chance = chance_seeds(seed, self.count)
        if states is not None:
            states = np.array(states, np.uint64)
            if states.shape != (self.count, self.batch.width):
                raise ValueError(f"states are {states.shape}, expected {(self.count, self.batch.width)}")
        self.states: Words = self._starts(self.count) if states is None else states
        """The positions: uint64, a row for each game."""
        self._happen(self.states, np.arange(self.count))
        self.plies: Numbers = np.zeros(self.count, np.int64)
        """The number of moves made in each game."""
        self._history: Words = np.zeros((self.count, 16), np.uint64)
        if self.game.rules.repetition:
            self._history[:, 0] = self._keys(self.states)
        self._mark(np.arange(self.count))

    def _starts(self, count: int) -> Words:
        if not self.opening:
            return self.batch.starts(count)
        return self.batch.random_positions(count, self.opening, int(self._random.integers(1 << 62)))

    def _happen(self, states: Words, numbers: Numbers) -> None:
        """Make the moves of chance in some games, until players are to move."""
        if self.game.rules.has_chance:
            seeds = self._chance[numbers]
            self.batch.happen(states, seeds)
            self._chance[numbers] = seeds

    def sample(self) -> Numbers:
        """Draw a legal action for each game, uniformly; 0 in a game that has ended."""
        counts = self._counts
        chosen = (self._random.random(self.count) * counts).astype(np.int64)
        if self.numbering is None:
            return chosen
        result = np.zeros(self.count, np.int64)
        going = np.flatnonzero(counts)
        if self.actions > _MANY and not self._forbidden:
            states = self.states if len(going) == self.count else self.states[going]
            result[going] = self._numbers(self.batch.chosen(states, chosen[going]))
            return result
        places = (np.cumsum(counts) - counts + chosen)[going]
        result[going] = np.flatnonzero(self.legal)[places] - going * self.actions
        return result

    def step(self, actions: ArrayLike) -> Step:
        """Play an action in each game. Raises ValueError where one is not legal, and then plays none of them."""
        actions = np.asarray(actions)
        if actions.shape != (self.count,) or actions.dtype.kind not in "iu":
            raise ValueError(f"actions are {actions.dtype} {actions.shape}, expected {self.count} whole numbers")
        going = np.flatnonzero(self._counts)
        chosen = actions[going].astype(np.int64)
        wrong = (chosen < 0) | (chosen >= self.actions)
        wrong |= ~self.legal[going, np.where(wrong, 0, chosen)]
        if wrong.any():
            first = int(np.flatnonzero(wrong)[0])
            raise ValueError(self._illegal(int(going[first]), int(chosen[first])))
        mover = self.to_move
        before = self.outcomes
        if len(going) == self.count:
            self.batch.apply(self.states, self._chosen(going, chosen))
        elif len(going):
            part = self.states[going]
            self.batch.apply(part, self._chosen(going, chosen))
            self.states[going] = part
        self._happen(self.states, np.arange(self.count))
        self.plies[going] += 1
        if self.game.rules.repetition:
            self._remember(going, mover)
        return self._ended(going, mover, before)

    def _chosen(self, going: Numbers, actions: Numbers) -> Numbers:
        """The moves of the actions in some games."""
        result: Numbers
        if self._moves is not None:
            result = self._moves[actions]
        elif self._kept is not None:
            result = self._kept.moves[self._kept.offsets[going] + actions]
        else:
            result = self.batch.chosen(self.states[going], actions)
        return result

    def _numbers(self, moves: Numbers) -> Numbers:
        """The action numbers of moves."""
        assert self.numbering is not None
        lows, strides = (np.array(table, dtype=np.int64) for table in (self.numbering.lows, self.numbering.strides))
        rules, values = moves[:, 0], moves[:, 2 : 2 + lows.shape[1]]
        offsets = np.array(self.numbering.offsets)[rules]
        result: Numbers = offsets + ((values - lows[rules]) * strides[rules]).sum(axis=1)
        return result

    def _illegal(self, number: int, action: int) -> str:
        text = ""
        if self.numbering is not None and 0 <= action < self.actions:
            move = self.numbering.move(action)
            try:
                text = f" ({self.game.notation.write(self.state(number), move)})"
            except (RuleError, LookupError, TypeError):  # a move that has no text
                text = ""
        return (f"action {action}{text} is not legal in game {number}, which has {int(self._counts[number])} legal "
                "actions; see legal")

    def _ended(self, going: Numbers, mover: Numbers, before: Numbers) -> Step:
        """The result of a step; with `auto_reset` the games that ended are restarted."""
        if self._forbidden:
            self._mark(going)
        outcomes = self.outcomes
        now = outcomes.copy()
        now[before != GOING] = GOING
        terminated = outcomes != GOING
        truncated = np.zeros(self.count, np.bool_)
        if self.limit is not None:
            truncated = ~terminated & (self.plies >= self.limit)
        over = terminated | truncated
        states = self.states
        step = Step(rewards_of(now, len(self.players), self.game.sides), terminated, truncated, mover, states)
        fresh = np.flatnonzero(over) if self.auto_reset else np.zeros(0, np.int64)
        if len(fresh):
            self.states = states.copy()
            starts = self._starts(len(fresh))
            self._happen(starts, fresh)
            self.states[fresh] = starts
            self.plies[fresh] = 0
            if self.game.rules.repetition:
                self._history[fresh, 0] = self._keys(self.states[fresh])
        else:
            step = attrs.evolve(step, states=states.copy())
        self._mark(fresh if self._forbidden else going if len(going) == self.count else np.union1d(going, fresh))
        if not self.auto_reset:
            self.legal[over], self._counts[over] = False, 0
        return step

    # ---- repetition

    def _remember(self, going: Numbers, mover: Numbers) -> None:
        """Store the keys of the new positions, and end games by the repetition rule."""
        plies = self.plies[going]
        if plies.max(initial=0) >= self._history.shape[1]:
            self._history = np.concatenate([self._history, np.zeros_like(self._history)], axis=1)
        keys = self._keys(self.states[going])
        repeated = self._seen(going, keys, plies) & (self.outcomes[going] == GOING)
        self._history[going, plies] = keys
        if self._forbidden or not repeated.any():
            return
        lost = self.game.rules.repetition == "loses" and len(self.players) == 2
        result = 1 - mover[going[repeated]] if lost else np.full(int(repeated.sum()), DRAW)
        self.states[going[repeated], self.batch.kernel.assembled.layout.outcome] = result.astype(np.uint64)

    def _keys(self, states: Words) -> Words:
        """The keys of some positions, without the parts that the repetition rule ignores."""
        return self.batch.keys(without_aside(self.batch.kernel, states))

    def _seen(self, numbers: Numbers, keys: Words, plies: Numbers) -> Truths:
        """Which keys occur among the first `plies` positions of their games, often enough for the repetition rule."""
        most = int(plies.max(initial=0))
        places = np.arange(most)[None] < plies[:, None]
        times = ((self._history[numbers, :most] == keys[:, None]) & places).sum(axis=1)
        result: Truths = times >= self.game.repetition.at - 1
        return result

    # ---- legal actions

    def _mark(self, numbers: Numbers) -> None:
        """Update the legal actions of some games."""
        if not len(numbers):
            return
        whole = len(numbers) == self.count
        states = self.states if whole else self.states[numbers]
        if self._forbidden:
            self._mark_new(numbers, states)
        elif self.numbering is None:
            self._counts[numbers] = self.batch.counts(states)
        elif whole:
            _, self._counts = self.batch.marks(states, self.numbering, out=self.legal)
        else:
            self.legal[numbers], self._counts[numbers] = self.batch.marks(states, self.numbering)
        if self.numbering is None:
            most = int(self._counts.max())
            if most > self.actions:
                raise ValueError(f"a position has {most} legal moves, and there are {self.actions} actions: "
                                 f"give most_actions={1 << most.bit_length()}")
            self.legal[:] = np.arange(self.actions)[None] < self._counts[:, None]
        stuck = numbers[(self._counts[numbers] == 0) & (self.outcomes[numbers] == GOING)]
        if len(stuck):
            raise RuleError("G407", f"game {stuck[0]} has no legal move, and no rule says what happens then",
                            self.game.rules.moves[-1].span)

    def _mark_new(self, numbers: Numbers, states: Words) -> None:
        """Update the legal actions where repetition is forbidden: only moves to new positions; a game without one may
        end."""
        result = self.batch.legal(states)
        places = np.repeat(np.arange(len(numbers)), result.counts)
        after = states[places]
        self.batch.apply(after, result.moves)
        new = ~self._seen(numbers[places], self._keys(after), self.plies[numbers][places] + 1)
        counts = np.bincount(places[new], minlength=len(numbers))
        self._counts[numbers] = counts
        if self.numbering is not None:
            self.legal[numbers] = False
            self.legal[numbers[places[new]], self._numbers(result.moves[new])] = True
        else:
            self._keep(numbers, Listed(result.moves[new], np.concatenate([[0], np.cumsum(counts)])))
        going = self.outcomes[numbers] == GOING
        stuck = numbers[(counts == 0) & going]
        if len(stuck) and self.game.rules.no_moves in ("loses", "wins", "draws"):
            place = self.batch.kernel.assembled.layout.outcome
            for number in stuck:
                outcome = self.game.engine.ends.of_no_moves(int(self.to_move[number]))
                self.states[number, place] = np.int64(outcome).astype(np.uint64)

    def _keep(self, numbers: Numbers, result: Listed) -> None:
        """Replace the lists of legal moves of some games, keeping those of the others."""
        parts = [self._kept[number] for number in range(self.count)] if self._kept is not None else [
            result.moves[:0]] * self.count
        for index, number in enumerate(numbers):
            parts[number] = result[index]
        offsets = np.concatenate([[0], np.cumsum([len(part) for part in parts])])
        self._kept = Listed(np.concatenate(parts), offsets)


__all__ = ["Environment", "Step", "environment", "rewards_of", "table_of"]
