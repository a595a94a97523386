"""Levels of play as contestants, which search in the process that plays the game."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING

import attrs

from dslgame.programs.channels import Deadline
from dslgame.programs.failures import Failed
from dslgame.programs.referee import Clock, Contestant
from interpreter.game import Game, Position

if TYPE_CHECKING:
    from solver.players.choice import Player
    from solver.players.levels import Level
    from solver.players.pacing import GameClock, Pace


SHARE = 1 / 25
"""The share of the time left for a game that a level without limits takes for a move, where it has no `Pace`."""
MOST = 0.75
"""The largest share of the time for a move that a level without limits takes."""
LEAST = 0.01


class Builtin(Contestant):
    """A contestant that plays by a level."""

    def __init__(self, name: str, game: Game, level: Level) -> None:
        """Make the player and warm it up. Raises ValueError or NotLowered where the level cannot play the game."""
        super().__init__(name)
        self.game, self.level = game, level
        self._clock: GameClock | None = None
        """The clock for the match's time for a game; None without such a time, or where the level has its own limits.
        """
        self._cut: list[str] = []
        """The points at which searches of this game were cut off by the ceiling on their time."""
        self._player: Player | None = None
        self._player = self._made(0)
        self._warm_up()

    def _made(self, seed: int) -> Player:
        """A player with a seed; players that take long to make are kept from game to game."""
        from dslgame import bundled
        from solver.players.level_players import SearchingPlayer, SolvingPlayer

        before = self._player
        if isinstance(before, SearchingPlayer | SolvingPlayer):
            before.seed = seed
            return before
        return bundled.player(self.game, self.level, seed=seed)

    def _warm_up(self) -> None:
        """Search briefly, so that nothing is compiled while a clock runs."""
        from dslgame import bundled
        from solver.players.level_players import SolvingPlayer

        if isinstance(self._player, SolvingPlayer):
            self._player.analyst.prepare()
        if not self.level.searches:
            return
        if self.level.clock is not None and self._pace is not None:
            self._pace.learn()
        quick = attrs.evolve(self.level, plies=None, nodes=1, seconds=None, cpu=None, clock=None, ponder=None)
        with suppress(ValueError):
            bundled.player(self.game, quick).choose(self.game.start())

    def begin(self, position: Position, side: int, clock: Clock, seed: int) -> None:
        """Begin a game with a new seed and a new clock."""
        from solver.players.level_players import SearchingPlayer
        from solver.players.pacing import GameClock

        self.stop()
        self._player = player = self._made(seed)
        if isinstance(player, SearchingPlayer) and player.clock is not None:
            player.clock.wind()
        self._clock = GameClock(clock.game) if clock.game is not None and self.level.unlimited else None
        self._cut = []
        if self._clock is not None and self._pace is not None:
            self._pace.learn()

    def choose(self, position: Position, deadline: Deadline) -> str:
        """Choose a move: by the limits of the level, however long that takes; without limits, within the time."""
        from solver.players.choice import Limited

        player = self._player
        assert player is not None
        if isinstance(player, Limited) and self.level.unlimited:
            player.limit = attrs.evolve(player.limit, seconds=self._seconds(position, deadline.seconds))
        start = time.monotonic()
        try:
            choice = player.choose(position)
            choice.check_interrupted()
            if choice.report is not None and choice.report.cut:
                self._cut.append(choice.report.cut)
            return choice.text
        except MemoryError:
            raise Failed("crash", "out of memory") from None
        finally:
            if self._clock is not None:
                self._clock.spend(position, time.monotonic() - start)

    def end(self, position: Position, side: int, winner: int | None, reason: str) -> None:
        """Stop pondering."""
        self.stop()

    def stop(self) -> None:
        """Stop pondering."""
        from solver.players.level_players import SearchingPlayer

        if isinstance(self._player, SearchingPlayer):
            self._player.rest()

    def remarks(self) -> list[str]:
        """A remark that searches were cut off, so that another machine may play the same game differently."""
        if not self._cut:
            return []
        from solver.players.allowance import OTHER_TIME

        count = "a search was" if len(self._cut) == 1 else f"{len(self._cut)} searches were"
        return [f"{count} cut off, the first {self._cut[0]}; {OTHER_TIME}"]

    @property
    def _pace(self) -> Pace | None:
        """The time management of its search; None where it has none."""
        from solver.players.level_players import SearchingPlayer

        return self._player.pace if isinstance(self._player, SearchingPlayer) else None

    def _seconds(self, position: Position, allowed: float | None) -> float:
        """The seconds for a move: a share of the time left for the game, and well below the time for the move."""
        from solver.players.kinds import SECONDS

        seconds = SECONDS
        if self._clock is not None:
            seconds = self._clock.left(position) * (SHARE if self._pace is None else self._pace.share(position))
        return max(LEAST, min(seconds, seconds if allowed is None else allowed * MOST))
