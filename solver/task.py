"""What is to be solved: a space or game, within which limits, and what is wanted besides the value."""

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
"""Why a method was taken, in the words that are printed after an answer."""


@attrs.frozen(eq=False)
class Task:
    """What is to be solved, within which limits, and what is wanted besides the value."""

    space: Space[Any, Any]
    budget: Budget
    method: str = AUTO
    """The method that was asked for."""
    game_space: GameSpace | None = None
    """The same space where it is a game's."""
    engine: Engine = "auto"
    save: Path | None = None
    """Where the values of all positions are kept."""
    threads: int = 1
    remoteness: bool | None = None
    """Whether plies are wanted: always, never, or (None) where they are cheap."""
    report: bool = False
    value_only: bool = False
    patterns: Book | None = None
    said: Said | None = None
    """Told once before long work begins."""
    anyway: bool = True
    """Whether hopeless work is begun where it was asked for."""
    exploitability: float | None = None
    """How much a best answer may gain against strategies that are learned; None for the usual."""
    rival: float = math.inf
    """The least cost of the methods that `auto` may take instead; infinite where there is none."""

    @property
    def game(self) -> Game | None:
        """The game; None for a space that is no game's."""
        return None if self.game_space is None else self.game_space.game

    @property
    def asked(self) -> bool:
        """Whether a method was asked for by name."""
        return self.method != AUTO

    @property
    def by_chance(self) -> bool:
        """Whether some moves are of chance."""
        return self.game is not None and self.game.rules.has_chance

    @property
    def hides(self) -> bool:
        """Whether players do not see everything, so that a position by itself has no value."""
        return self.game is not None and not self.game.observer.sees_all

    @property
    def history_rule(self) -> str:
        """The repetition rule by which values depend on the moves before; '' where they do not."""
        if self.game is None:
            return ""
        rule = self.game.looks_back
        return rule if rule in ("loses", "forbidden") or self.game.repetition.aside else ""
