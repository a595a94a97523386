"""Hasami Shogi: a row of men each, which capture by enclosing lines of enemies, and men in corners.

Black sits at the bottom and begins. Men go any number of empty cells along rows and columns. After a move, enemies in
an unbroken line from the man that moved to another own man are captured, in all four directions. So is an enemy in a
corner, when both cells beside it hold own men and one of them has just moved there. A player who has fewer than two men
left loses, and so does a player who cannot move. Repetition is left to the caller. Moves are written `a1a5`.
"""

from __future__ import annotations

from tests.reference.hasami import Hasami, State
from tests.reference.squares import Place, beside

CASES: list[dict[str, int]] = [{"size": 3}, {"size": 4}, {"size": 9}]


class Reference(Hasami):
    """Hasami Shogi."""

    def cornered(self, own: frozenset[Place], other: frozenset[Place], end: Place) -> set[Place]:
        last = self.size - 1
        corners = [(x, y) for x in (0, last) for y in (0, last)]
        return {corner for corner in corners if corner in other and end in beside(corner)
                and all(place in own for place in beside(corner) if self.on_board(place))}

    def won(self, state: State, player: int) -> bool:
        return len(state.men[1 - player]) < 2
