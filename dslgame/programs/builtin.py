"""Levels of play as contestants: they think in the process that plays the game."""

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
    from solver.players.levels import Level, Player
    from solver.players.pacing import GameClock, Pace


SHARE = 1 / 25
"""The part of the time that is left for a game which a level without limits takes for a move, where it cannot tell how
long games last."""
MOST = 0.75
"""The part of the time for a move that it takes at most."""
LEAST = 0.01


class Builtin(Contestant):
    """A level."""

    def __init__(self, name: str, game: Game, level: Level) -> None:
        """Raises ValueError or NotLowered where the level cannot play the game."""
        super().__init__(name)
        self.game, self.level = game, level
        self._clock: GameClock | None = None
        """The match's time for a game; None where there is none, or the level has limits of its own."""
        self._cut: list[str] = []
        """Where searches of this game were cut off by the ceiling on their time."""
        self._player: Player | None = None
        self._player = self._made(0)
        self._warm_up()

    def _made(self, seed: int) -> Player:
        """A player with a seed; what takes long to make is kept from game to game."""
        from dslgame import bundled
        from solver.players.levels import SearchingPlayer, SolvingPlayer

        before = self._player
        if isinstance(before, SearchingPlayer | SolvingPlayer):
            before.seed = seed
            return before
        return bundled.player(self.game, self.level, seed=seed)

    def _warm_up(self) -> None:
        """Search for a moment, so that nothing is compiled while a clock runs."""
        from dslgame import bundled
        from solver.players.levels import SolvingPlayer

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
        """Take another seed, and a new clock."""
        from solver.players.levels import SearchingPlayer
        from solver.players.pacing import GameClock

        self.stop()
        self._player = player = self._made(seed)
        if isinstance(player, SearchingPlayer) and player.clock is not None:
            player.clock.wind()
        self._clock = GameClock(clock.game) if clock.game is not None and self._unlimited else None
        self._cut = []
        if self._clock is not None and self._pace is not None:
            self._pace.learn()

    def choose(self, position: Position, deadline: Deadline) -> str:
        """The level's move: within the limits of the level, however long that takes; without any, in time."""
        from solver.players.information_sets import InformationSetPlayer
        from solver.players.levels import SearchingPlayer, SolvingPlayer

        player = self._player
        assert player is not None
        if isinstance(player, SearchingPlayer | SolvingPlayer | InformationSetPlayer) and self._unlimited:
            player.limit = attrs.evolve(player.limit, seconds=self._seconds(position, deadline.seconds))
        start = time.monotonic()
        try:
            choice = player.choose(position)
            if choice.report is not None and choice.report.cut:
                self._cut.append(choice.report.cut)
            return choice.text
        except MemoryError:
            raise Failed("crash", "out of memory") from None
        finally:
            if self._clock is not None:
                self._clock.spend(position, time.monotonic() - start)

    def end(self, position: Position, side: int, winner: int | None, reason: str) -> None:
        """Nothing is to be thought of any more."""
        self.stop()

    def stop(self) -> None:
        """End what goes on while others think."""
        from solver.players.levels import SearchingPlayer

        if isinstance(self._player, SearchingPlayer):
            self._player.rest()

    def remarks(self) -> list[str]:
        """That searches were cut off, so that the same game may be played otherwise by another machine."""
        if not self._cut:
            return []
        count = "a search was" if len(self._cut) == 1 else f"{len(self._cut)} searches were"
        return [f"{count} cut off, the first {self._cut[0]}; seconds=N sets another time, seconds=none lifts it"]

    @property
    def _unlimited(self) -> bool:
        level = self.level
        return all(limit is None for limit in (level.plies, level.nodes, level.seconds, level.cpu, level.clock))

    @property
    def _pace(self) -> Pace | None:
        """How its search divides the time for a game; None where it cannot tell."""
        from solver.players.levels import SearchingPlayer

        return self._player.pace if isinstance(self._player, SearchingPlayer) else None

    def _seconds(self, position: Position, allowed: float | None) -> float:
        """Seconds to think about a move: a part of what is left for the game, and well below what the move may take."""
        from solver.players.levels import SECONDS

        seconds = SECONDS
        if self._clock is not None:
            seconds = self._clock.left(position) * (SHARE if self._pace is None else self._pace.share(position))
        return max(LEAST, min(seconds, seconds if allowed is None else allowed * MOST))
