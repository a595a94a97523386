"""OpenSpiel adapter: after `register`, `pyspiel.load_game` loads a game by its short name, with its params.

>>> import pyspiel
>>> from dslgame.adapters.openspiel import register
>>> register("nex")
'dslgame_nex'
>>> state = pyspiel.load_game("dslgame_nex(rows=2,columns=2)").new_initial_state()
>>> state.current_player(), state.action_to_string(state.legal_actions()[0])
(0, 'Ba1?a2')

`pip install 'dslgame[openspiel]'` installs the dependencies.
"""

from __future__ import annotations

import os
import re
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import attrs

import dslgame
from interpreter.game import Game

try:
    import numpy as np
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame
except ImportError as problem:
    raise ImportError("dslgame.adapters.openspiel needs OpenSpiel: pip install 'dslgame[openspiel]'",
                      name=problem.name) from problem

from dslgame.env import rewards_of, table_of
from dslgame.planes import Planes
from interpreter.arrays import Numbers, Words
from interpreter.compiler.lowering.layout import GOING
from interpreter.kernel.kernel import Kernel
from interpreter.kernel.many import Batch, without_aside
from interpreter.kernel.numbering import MOST_LISTED, Numbering
from interpreter.model.state import DRAW, Move
from interpreter.semantics.hidden import Digested

LENGTH = 1000
"""The number of moves after which a game is drawn, unless the parameter `max_game_length` overrides it."""
_TYPE = pyspiel.GameType


_REGISTERED: dict[str, str] = {}
"""The games that were registered: for each short name the file, or the name of a bundled game."""


def register(game: str | Path, name: str | None = None) -> str:
    """Register a bundled game or a game file with OpenSpiel, and return the short name that loads it.

    The name is `dslgame_` plus the file's name, or the given name. The params of the game become OpenSpiel parameters,
    and so do `max_game_length` and `most_actions`. The latter limits the actions that mean the same move in every
    position; where that numbering is not possible, actions are indices into the list of legal moves, and it is their
    number. A game that is registered under the name already is not registered again. Raises ValueError where the name
    is that of another game.
    """
    first = dslgame.load(game)
    place = str(Path(game).resolve()) if os.path.isfile(game) else str(game)
    short = name or "dslgame_" + re.sub(r"\W", "_", Path(game).stem.lower())
    if short in pyspiel.registered_names():
        if _REGISTERED.get(short) != place:
            raise ValueError(f"OpenSpiel has a game '{short}' already, from {_REGISTERED.get(short, 'elsewhere')}: "
                             "register this one with another name, as in register(game, name='mine')")
        return short
    defaults = {**first.params, "max_game_length": LENGTH, "most_actions": 0}
    players = len(first.players)
    kind = _TYPE(
        short_name=short, long_name=first.title, dynamics=_TYPE.Dynamics.SEQUENTIAL,
        chance_mode=_TYPE.ChanceMode.EXPLICIT_STOCHASTIC if first.rules.has_chance else (
            _TYPE.ChanceMode.DETERMINISTIC), information=(
            _TYPE.Information.PERFECT_INFORMATION if first.observer.sees_all
            else _TYPE.Information.IMPERFECT_INFORMATION),
        utility=_TYPE.Utility.ZERO_SUM if first.payoffs.cancel else _TYPE.Utility.GENERAL_SUM,
        reward_model=_TYPE.RewardModel.TERMINAL, max_num_players=players, min_num_players=players,
        provides_information_state_string=True, provides_information_state_tensor=False,
        provides_observation_string=True, provides_observation_tensor=True, parameter_specification=defaults)

    class Registered(SpielGame):
        """A class, as OpenSpiel releases what it registered after Python has shut down: any other object fails then."""

        def __init__(self, params: dict[str, int] | None = None) -> None:
            super().__init__(kind, place, defaults, params)

    pyspiel.register_game(kind, Registered)
    _REGISTERED[short] = place
    return short


@lru_cache(maxsize=16)
def _compiled(path: str, params: tuple[tuple[str, int], ...], most: int) -> Played:
    game = dslgame.load(path, **dict(params))
    batch = Batch.of(game)
    numbering = Numbering.of(game, most) if most else Numbering.of(game)
    rules = _Rules(game, batch.kernel, numbering, Planes.of(batch),
                   numbering.count if numbering else most or MOST_LISTED, (path, params, most),
                   None if numbering is None or game.rules.repetition == "forbidden"
                   else table_of(batch.kernel, numbering))
    return Played(rules, rules.kernel.start(), ())


@attrs.frozen(eq=False)
class _Rules:
    game: Game
    kernel: Kernel
    numbering: Numbering | None
    planes: Planes
    actions: int
    origin: tuple[str, tuple[tuple[str, int], ...], int]
    """The arguments of `_compiled` that made these rules."""
    table: Numbers | None
    """The move of each numbered action; None where there is no numbering, or repetition is forbidden."""


def _loaded(path: str, name: str, text: str) -> Any:
    """Restore a pickled game."""
    register(path, name)
    return pyspiel.load_game(text)


def _restored(origin: tuple[str, tuple[tuple[str, int], ...], int], row: Words, before: tuple[bytes, ...]) -> Played:
    """Restore a pickled position."""
    return Played(_compiled(*origin).rules, row, before)


@attrs.frozen(eq=False, slots=False)
class Played:
    """An immutable position reached by play; a copy is the same object."""

    rules: _Rules
    row: Words
    before: tuple[bytes, ...]
    """The keys of the earlier positions, where the game has a repetition rule."""

    def __deepcopy__(self, memory: object) -> Played:
        return self

    def __reduce__(self) -> Any:
        return _restored, (self.rules.origin, self.row, self.before)

    @cached_property
    def outcome(self) -> int:
        """-2 while the game goes on, -1 for a draw, else the number of the player who won."""
        return int(np.int64(self.row[self.rules.kernel.assembled.layout.outcome]))

    @cached_property
    def to_move(self) -> int:
        """The number of the player to move."""
        return int(self.row[self.rules.kernel.assembled.layout.to_move])

    @cached_property
    def chances(self) -> list[tuple[int, float]]:
        """The actions of chance with their probabilities; [] where chance does not decide."""
        game = self.rules.game
        if not game.rules.has_chance:
            return []
        result = dict(game.engine.chance.probabilities(self.rules.kernel.state(self.row)))
        return [(action, float(result[self.move(action)])) for action in self.actions] if result else []

    @cached_property
    def actions(self) -> list[int]:
        """The legal actions, in ascending order."""
        rules = self.rules
        if rules.table is None or rules.numbering is None:
            return sorted(self.moves)
        if self.outcome != GOING:
            return []
        marks, _ = rules.planes.batch.marks(self.row[None], rules.numbering)
        return list(np.flatnonzero(marks).tolist())

    @cached_property
    def moves(self) -> dict[int, Numbers]:
        """The legal moves by action."""
        rules = self.rules
        if rules.table is not None:
            return {action: rules.table[action] for action in self.actions}
        result = list(rules.kernel.moves(self.row).copy()) if self.outcome == GOING else []
        if rules.game.repetition.forbids:
            seen = (*self.before, self._key)
            result = [move for move in result if not self._repeats(self._after(move)[1], seen)]
        if rules.numbering is not None:
            return {rules.numbering.number(rules.kernel.move(move)): move for move in result}
        if len(result) > rules.actions:
            raise ValueError(f"a position has {len(result)} legal moves, and there are {rules.actions} actions: give "
                             f"most_actions={1 << len(result).bit_length()}")
        return dict(enumerate(result))

    def move(self, action: int) -> Move:
        """The move of a legal action or, where moves are numbered, of any action; else raises ValueError."""
        if self.rules.numbering is not None:
            return self.rules.numbering.move(action)
        if action not in self.moves:
            raise ValueError(f"action {action} is not among the {len(self.moves)} legal ones")
        return self.rules.kernel.move(self.moves[action])

    def text(self, action: int) -> str:
        """The text of an action's move in the game's notation, or its number where it cannot be written."""
        try:
            return self.rules.game.notation.write(self.rules.kernel.state(self.row), self.move(action))
        except (LookupError, TypeError, ValueError):
            return f"action {action}"

    @cached_property
    def _key(self) -> bytes:
        """The bytes that identify the position for the repetition rule."""
        return self._key_of(self.row)

    def _key_of(self, row: Words) -> bytes:
        kernel = self.rules.kernel
        return bytes(without_aside(kernel, row)[: kernel.assembled.layout.position].tobytes())

    def _repeats(self, key: bytes, before: tuple[bytes, ...]) -> bool:
        """Whether the repetition rule holds for a position after some others."""
        return before.count(key) >= self.rules.game.repetition.at - 1

    def _after(self, move: Numbers) -> tuple[Words, bytes]:
        row = self.row.copy()
        self.rules.kernel.apply(row, move)
        return row, self._key_of(row)

    def play(self, action: int) -> Played:
        """The position after a legal action. Raises ValueError where it is not legal."""
        if action not in self.actions:
            raise ValueError(f"action {action} ({self.text(action)}) is not legal here")
        rules, repetition = self.rules, self.rules.game.rules.repetition
        row, key = self._after(self.moves[action] if rules.table is None else rules.table[action])
        place = rules.kernel.assembled.layout.outcome
        before = (*self.before, self._key) if repetition else ()
        if repetition in ("draws", "loses") and row[place] == np.int64(GOING).astype(np.uint64) and (
                self._repeats(key, before)):
            lost = repetition == "loses" and len(rules.game.players) == 2
            row[place] = np.int64(1 - self.to_move if lost else DRAW).astype(np.uint64)
        after = Played(rules, row, before)
        stuck = repetition == "forbidden" and rules.game.rules.no_moves in ("loses", "wins", "draws")
        if stuck and after.outcome == GOING and not after.moves:
            row = row.copy()
            row[place] = np.int64(rules.game.engine.ends.of_no_moves(after.to_move)).astype(np.uint64)
            after = Played(rules, row, before)
        return after


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game for OpenSpiel; `register` makes it loadable by name."""

    def __init__(self, kind: Any, path: str, defaults: dict[str, int], params: dict[str, int] | None = None) -> None:
        given = {**defaults, **(params or {})}
        self._path = path
        self.length = int(given.pop("max_game_length"))
        self.first = _compiled(path, tuple(sorted((key, int(value)) for key, value in given.items()
                                                  if key != "most_actions")), int(given["most_actions"]))
        players = len(self.first.rules.game.players)
        sides = self.first.rules.game.sides
        low = min(float(rewards_of([side], players, sides).min()) for side in sides) if players > 1 else 0.0
        least, most = self.first.rules.game.payoffs.limits
        several = {"utility_sum": 0.0} if self.first.rules.game.payoffs.cancel else {}
        super().__init__(kind, pyspiel.GameInfo(
            num_distinct_actions=self.first.rules.actions,
            max_chance_outcomes=self.first.rules.actions if self.first.rules.game.rules.has_chance else 0,
            num_players=players,
            min_utility=min(low, *least), max_utility=max(1.0, *most), max_game_length=self.length, **several),
            params or {})

    def __reduce__(self) -> Any:
        return _loaded, (self._path, self.get_type().short_name, str(self))

    def new_initial_state(self, state: object = None) -> SpielState:
        """The start position. Raises ValueError where `state` is given."""
        if state is not None:
            raise ValueError("a state can only be reached by play: new_initial_state takes nothing")
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: object = None) -> Any:
        """Make an observer of positions as planes and text or, with perfect recall, of what a player remembers."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return SpielObserver(self.first.rules.planes, params)
        if not self.first.rules.game.observer.sees_all:
            return Remembering(params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state for OpenSpiel: a position, the number of moves left, and what each player knows."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.at = game.first
        self._left = game.length
        rules = self.at.rules
        players = range(0 if rules.game.observer.sees_all else len(rules.game.players))
        self.knows = [Digested.begun(rules.game.observer, player, rules.kernel.state(self.at.row))
                      for player in players]
        """What each player knows, where the game hides something; else []."""

    @property
    def _over(self) -> bool:
        return self.at.outcome != GOING or self._left <= 0

    def current_player(self) -> Any:
        """The player to move, or OpenSpiel's id of chance or of a finished game."""
        if self._over:
            return pyspiel.PlayerId.TERMINAL
        return pyspiel.PlayerId.CHANCE if self.at.chances else self.at.to_move

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The actions of chance with their probabilities."""
        return self.at.chances

    def _legal_actions(self, player: int) -> list[int]:
        return self.at.actions

    def _apply_action(self, action: int) -> None:
        kernel, before = self.at.rules.kernel, self.at
        self.at = before.play(action)
        self._left -= 1
        if self.knows:
            state, move, after = kernel.state(before.row), before.move(action), kernel.state(self.at.row)
            self.knows = [known.after(before.rules.game.observer, state, move, after) for known in self.knows]

    def _action_to_string(self, player: int, action: int) -> str:
        return self.at.text(action)

    def is_terminal(self) -> bool:
        """Whether the game has ended, by its rules or at `max_game_length`."""
        return self._over

    def returns(self) -> list[float]:
        """For each player 1 for a win, -1 for a loss (shared by all losers), 0 for a draw and before the end.

        Where the file declares payoffs, these count at the end instead.
        """
        payoffs = self.at.rules.game.payoffs
        if payoffs.declared:
            over = self.at.outcome != GOING
            worth = payoffs.of(self.at.rules.kernel.state(self.at.row)) if over else (0,) * payoffs.players
            return [float(value) for value in worth]
        result = rewards_of([self.at.outcome], len(self.at.rules.game.players), self.at.rules.game.sides)[0]
        return [float(value) for value in result]

    def __str__(self) -> str:
        rules = self.at.rules
        state = rules.kernel.state(self.at.row)
        return f"{rules.game.drawing(state)}\n{rules.game.players[state.to_move]} to move"


class SpielObserver:
    """Observes a position as planes (`tensor`, and by name in `dict`) and as text."""

    def __init__(self, planes: Planes, params: object) -> None:
        if params:
            raise ValueError(f"observations take no parameters, found {params}")
        self._planes = planes
        self.tensor = np.zeros(int(np.prod(planes.shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(planes.shape)}

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill the planes with the position as a player sees it."""
        self.dict["observation"][:] = self._planes.of_states(state.at.row[None], np.array([player]))[0]

    def string_from(self, state: SpielState, player: int) -> str:
        """The position as text, as the player sees it."""
        return drawn(state, player)


class Remembering:
    """Observes all that a player knows: the views and own moves since the game began, as text.

    It is for games that hide something. The text is a digest, equal exactly for histories that the player cannot tell
    apart, followed by the position as the player sees it.
    """

    def __init__(self, params: object) -> None:
        if params:
            raise ValueError(f"observations take no parameters, found {params}")
        self.tensor = None
        self.dict: dict[str, object] = {}

    def set_from(self, state: SpielState, player: int) -> None:
        """Do nothing: there is no tensor of what a player remembers."""

    def string_from(self, state: SpielState, player: int) -> str:
        """The digest of what the player knows, and the position as the player sees it."""
        return f"{state.knows[player].digest}\n{drawn(state, player)}"


def drawn(state: SpielState, player: int) -> str:
    """A position as a player sees it, as text."""
    rules = state.at.rules
    seen = rules.game.observer.view(rules.kernel.state(state.at.row), player)
    return f"{rules.game.drawing(seen)}\n{rules.game.players[seen.to_move]} to move"


__all__ = ["Played", "SpielGame", "SpielObserver", "SpielState", "register"]
