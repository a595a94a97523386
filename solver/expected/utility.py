"""The first player's payoff at the end of a game with chance: its `payoff`, else 1, 1/2 or 0 by the outcome."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs

from solver.errors import Refused
from solver.space import DRAW

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.model.state import State


@attrs.frozen(eq=False)
class Utility:
    """The payoffs of ends to the first player, which a second player, if there is one, minimises."""

    game: Game
    low: float
    """A lower bound of the payoffs, at most 0."""
    high: float
    """An upper bound of the payoffs, at least 0."""

    @classmethod
    def of(cls, game: Game) -> Utility:
        """The utility of a game. Raises Refused where there are more than two players."""
        if len(game.players) > 2:
            raise Refused(f"expected results are found for one or two players, and {game.title} has "
                          f"{len(game.players)}")
        if not game.payoffs.declared:
            return cls(game, 0.0, 1.0)
        low, high = game.payoffs.limits_of(0)
        return cls(game, float(min(low, 0)), float(max(high, 0)))

    @property
    def declared(self) -> bool:
        """Whether the file declares payoffs."""
        return self.game.payoffs.declared

    def end(self, state: State) -> float:
        """The payoff of a finished game. Raises Refused where the payoffs of two players do not add up to 0."""
        if not self.declared:
            assert state.outcome is not None  # the game is over
            return of_outcome(state.outcome, len(self.game.players))
        result = self.game.payoffs.of(state)
        if len(result) > 1 and sum(result) != 0:
            raise unequal(self.game, result)
        return float(result[0])

    def share(self, value: float) -> float:
        """Scale a value to a number from 0, for `low`, to 1, for `high`."""
        return (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5


def of_outcome(outcome: int, players: int) -> float:
    """The first player's payoff: 1 for a win, 0 for a loss, 1/2 for a draw; a single player gets 0 for a draw."""
    if outcome == DRAW:
        return 0.5 if players == 2 else 0.0
    return 1.0 if outcome == 0 else 0.0


def unequal(game: Game, worth: Sequence[float]) -> Refused:
    """Make the Refused error for a game that is not zero-sum."""
    return Refused("what one player wins must be what the other loses, and an end is worth "
                   f"{worth[0]} to {game.players[0]} and {worth[1]} to {game.players[1]}")
