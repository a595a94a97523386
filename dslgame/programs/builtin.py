"""Levels of play as contestants: they think in the process that plays the game."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import attrs

from dslgame.programs.channels import Deadline
from dslgame.programs.failures import Failed
from dslgame.programs.referee import Clock, Contestant
from interpreter.game import Game, Position

if TYPE_CHECKING:
    from solver.players.levels import Level, Player


class Builtin(Contestant):
    """A level."""

    def __init__(self, name: str, game: Game, level: Level) -> None:
        """Raises ValueError or NotLowered where the level cannot play the game."""
        super().__init__(name)
        self.game, self.level = game, level
        self._player: Player | None = None
        self._player = self._made(0)
        if level.kind not in ("random", "solver"):
            self._warm_up()

    def _made(self, seed: int) -> Player:
        """A player with a seed; what takes long to make is kept from game to game."""
        from dslgame import bundled
        from solver.players.levels import SearchingPlayer, SolvingPlayer

        before = self._player
        if isinstance(before, SearchingPlayer):
            before.seed = seed
            return before
        hooks = bundled.hooks_of(self.game) if self.level.kind not in ("random", "solver") else None
        player = self.level.player(self.game, seed=seed, hooks=hooks, patterns=bundled.patterns_of)
        if isinstance(player, SolvingPlayer) and isinstance(before, SolvingPlayer):
            player.judge = before.judge
        return player

    def _warm_up(self) -> None:
        """Search for a moment, so that nothing is compiled while a clock runs."""
        from dslgame import bundled

        quick = attrs.evolve(self.level, plies=None, nodes=1, seconds=None)
        with suppress(ValueError):
            quick.player(self.game, hooks=bundled.hooks_of(self.game),
                         patterns=bundled.patterns_of).choose(self.game.start())

    def begin(self, position: Position, side: int, clock: Clock, seed: int) -> None:
        """Take another seed."""
        self._player = self._made(seed)

    def choose(self, position: Position, deadline: Deadline) -> str:
        """The level's move, however long that takes."""
        assert self._player is not None
        try:
            return self._player.choose(position).text
        except MemoryError:
            raise Failed("crash", "out of memory") from None
