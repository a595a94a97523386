"""What is known of the value of a game: the results that are still possible, and why there are not fewer."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from solver.space import DRAW as DRAW


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
