"""International draughts, on a board of any size.

Played on the dark cells, a1 being one. White's men fill `filled` rows at the bottom, Black's as many at the top; White
moves first. A man steps one cell diagonally ahead, a king any number of empty cells along a diagonal. A man captures a
piece of the other side diagonally beside it, ahead or backward, by jumping onto the empty cell behind it; a king
captures the first piece on a diagonal, from any distance, and lands on any of the empty cells behind it. A player who
can capture must, and takes as many pieces as can be taken in one move. Captured pieces stay on the board until the move
is over, and are not jumped twice. A man that ends its move on the far row is a king from then on. A player who cannot
move loses. A repeated position is a draw in the end, which is left to the caller. Cells are named by column letter from
the left and row number from the bottom; `c3-d4` moves, `c3xe5xg7` captures.
"""

from __future__ import annotations

from tests.reference.flying_draughts import FlyingDraughts, Pieces
from tests.reference.squares import Place

CASES: list[dict[str, int]] = [{}, {"size": 6, "filled": 2}, {"size": 4, "filled": 1}, {"size": 8, "filled": 3}]


class Reference(FlyingDraughts):
    """International draughts."""

    def __init__(self, *, size: int = 10, filled: int = 4) -> None:
        super().__init__(size=size, filled=filled)

    def landings(self, pieces: Pieces, king: tuple[str, str], behind: list[Place], taken: frozenset[Place]
                 ) -> list[Place]:
        return behind

    def passing(self, piece: tuple[str, str], at: Place) -> tuple[str, str]:
        return piece

    def best(self, captures: list[list[Place]]) -> list[list[Place]]:
        longest = max(map(len, captures))
        return [chain for chain in captures if len(chain) == longest]
