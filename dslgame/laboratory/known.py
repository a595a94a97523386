"""What is known of the value of a game: the results that are still possible, or what the first player expects."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import attrs

from solver.space import DRAW as DRAW


@attrs.frozen
class Worth:
    """What the first player expects under best play, where chance or what players do not see has a part in it."""

    value: float
    error: float
    """How far it may be from the truth; what a best answer gains, where strategies were learned."""
    exact: str | None
    """The value as a fraction, where it was shown to be one."""
    both: int
    """What the two players have together: 1 where a win counts 1 and a draw 1/2, 0 by payoffs."""

    @classmethod
    def of_winner(cls, winner: int) -> Worth:
        """Of a game in which all is decided by the players."""
        value = Fraction(1, 2) if winner == DRAW else Fraction(int(winner == 0))
        return cls(float(value), 0.0, str(value), 1)

    def within(self, player: int) -> tuple[Fraction, Fraction]:
        """The least and the most that a player can expect."""
        if self.exact is not None:
            low = high = Fraction(self.exact)
        else:
            low, high = Fraction(self.value - self.error), Fraction(self.value + self.error)
        return (low, high) if player == 0 else (self.both - high, self.both - low)


@attrs.frozen
class Known:
    """The results that best play can still have."""

    possible: frozenset[int]
    """Players' numbers, and DRAW: one where the value is known."""

    @classmethod
    def all(cls, players: int) -> Known:
        """Nothing is known of a game."""
        return cls(frozenset((DRAW, *range(players))))

    @classmethod
    def of_moves(cls, players: int, mover: int, winner: int | None, moves: Iterable[int | None]) -> Known:
        """What the value of the root and of its moves say; None where one is not known.

        A move that is known to win, or to draw, is a lower bound of the root's value for its mover.
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
        """The value where it is known."""
        return next(iter(self.possible)) if len(self.possible) == 1 else None
