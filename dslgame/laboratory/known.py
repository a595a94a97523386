"""What is known of the value of a game: the outcomes that are still possible, or the first player's expected value."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import attrs

from solver.expected.utility import of_outcome
from solver.space import DRAW as DRAW


@attrs.frozen
class Worth:
    """The first player's expected value under best play, in games with chance or hidden information."""

    value: float
    error: float
    """A bound of the error of `value`; the exploitability where strategies were learned."""
    exact: str | None
    """The value as a fraction, where it is proven to be one."""
    both: int
    """The sum of both players' values: 1 where a win counts 1 and a draw 1/2, 0 with payoffs."""

    @classmethod
    def of_winner(cls, winner: int, players: int) -> Worth:
        """The value of a game for one or two players, without chance and hidden information, from its winner or DRAW.
        """
        value = of_outcome(winner, players)
        return cls(value, 0.0, str(Fraction(value)), 1)

    def within(self, player: int) -> tuple[Fraction, Fraction]:
        """The lower and the upper bound of a player's expected value."""
        if self.exact is not None:
            low = high = Fraction(self.exact)
        else:
            low, high = Fraction(self.value - self.error), Fraction(self.value + self.error)
        return (low, high) if player == 0 else (self.both - high, self.both - low)


@attrs.frozen
class Known:
    """The outcomes that best play can still have."""

    possible: frozenset[int]
    """Players' numbers and DRAW; a single one where the value is known."""

    @classmethod
    def all(cls, players: int) -> Known:
        """All outcomes: nothing is known of the game."""
        return cls(frozenset((DRAW, *range(players))))

    @classmethod
    def of_moves(cls, players: int, mover: int, winner: int | None, moves: Iterable[int | None]) -> Known:
        """What follows from the values of the root and of its moves, each None where it is unknown.

        A move known to draw is a lower bound of the root's value for its mover; the mover cannot win where all moves
        are known not to win.
        """
        if winner is not None:
            return cls(frozenset((winner,)))
        values = list(moves)
        possible = set(cls.all(players).possible)
        if DRAW in values:
            possible = {DRAW, mover}
        if values and None not in values and mover not in values:
            possible.discard(mover)
        return cls(frozenset(possible))

    @property
    def winner(self) -> int | None:
        """The value if it is known, else None."""
        return next(iter(self.possible)) if len(self.possible) == 1 else None
