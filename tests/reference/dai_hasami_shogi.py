"""Dai Hasami Shogi: two rows of men each; five in a line win.

Black sits at the bottom and begins. Men go any number of empty cells along rows and columns, or leap along these over
one man, of either player, onto the cell behind it. Enemies in an unbroken line from the man that moved to another own
man are captured. Five own men side by side along a row, a column or a diagonal, outside the own two rows of the start,
win; so does leaving the other player fewer than five men. A player who cannot move loses. Repetition is left to the
caller.
"""

from __future__ import annotations

from tests.reference.hasami import Hasami, State
from tests.reference.squares import Place, beside

CASES: list[dict[str, int]] = [{"size": 6}, {"size": 9}]


class Reference(Hasami):
    """Dai Hasami Shogi."""

    rows_of_men = 2

    def ends(self, state: State, start: Place) -> list[Place]:
        taken = state.men[0] | state.men[1]
        leaps = [(start[0] + 2 * x, start[1] + 2 * y) for x, y in beside((0, 0))
                 if (start[0] + x, start[1] + y) in taken]
        return super().ends(state, start) + [end for end in leaps if self.on_board(end) and end not in taken]

    def won(self, state: State, player: int) -> bool:
        home = {y for _, y in self.start().men[player]}
        men = {place for place in state.men[player] if place[1] not in home}
        lines = any(all((x + k * right, y + k * up) in men for k in range(5))
                    for x, y in men for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)))
        return lines or len(state.men[1 - player]) < 5
