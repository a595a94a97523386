"""The solving task: a space or game, the limits, and the results that are wanted besides the value."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from solver.methods import AUTO

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.patterns.matching import Book
    from solver.budget import Budget
    from solver.forecast import Said
    from solver.game_space import Engine, GameSpace
    from solver.space import Space

ASKED = "as asked for"
"""The reason that is printed after an answer where its method was requested."""


@attrs.frozen(eq=False)
class Task:
    """A space or game to solve, the limits, and the results that are wanted besides the value."""

    space: Space[Any, Any]
    budget: Budget
    method: str = AUTO
    """The name of the requested method, or AUTO."""
    game_space: GameSpace | None = None
    """The same space if it is that of a game, else None."""
    engine: Engine = "auto"
    save: Path | None = None
    """The file to write the values of all positions to."""
    threads: int = 1
    remoteness: bool | None = None
    """Whether remoteness is wanted: always, never, or (None) where it is cheap."""
    report: bool = False
    value_only: bool = False
    patterns: Book | None = None
    said: Said | None = None
    """Called once before long work begins."""
    anyway: bool = True
    """Whether hopeless work is begun where its method was requested."""
    exploitability: float | None = None
    """How much a best response may gain against learned strategies; None for the default."""
    rival: float = math.inf
    """The least cost of the other methods that `auto` may still take; infinite where there are none."""

    @property
    def game(self) -> Game | None:
        """The game; None for a space that is not of a game."""
        return None if self.game_space is None else self.game_space.game

    @property
    def asked(self) -> bool:
        """Whether a method was requested by name."""
        return self.method != AUTO

    @property
    def by_chance(self) -> bool:
        """Whether the game has chance moves."""
        return self.game is not None and self.game.rules.has_chance

    @property
    def hides(self) -> bool:
        """Whether the game has imperfect information, so that a position by itself has no value."""
        return self.game is not None and not self.game.observer.sees_all

    @property
    def history_rule(self) -> str:
        """The repetition rule that makes values depend on the moves before; '' where they do not."""
        return "" if self.game is None else self.game.path_dependent

    @property
    def followed_rule(self) -> str:
        """The repetition rule for which lines of play have to be followed; '' where the values from the root on do not
        depend on it: the shortest way of a player alone never comes back to a position.
        """
        rule, game = self.history_rule, self.game
        if game is None or len(game.players) > 1 or game.repetition.aside:
            return rule
        return rule if game.repetition.forbids and game.rules.no_moves not in ("loses", "draws") else ""
