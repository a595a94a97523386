"""Russian draughts (shashki), on a board of any size.

Played on the dark cells, a1 being one. White's men fill `filled` rows at the bottom, Black's as many at the top; White
moves first. A man steps one cell diagonally ahead, a king any number of empty cells along a diagonal. A man captures a
piece of the other side diagonally beside it, ahead or backward, by jumping onto the empty cell behind it; a king
captures the first piece on a diagonal, from any distance, and lands on any of the empty cells behind it; of these it
must take one from which it can capture again, if there is one. A player who can capture must, in any way, and goes on
while the same piece can. Captured pieces stay on the board until the move is over, and are not jumped twice. A man that
reaches the far row is a king from then on, also in the middle of a capture. A player who cannot move loses. A repeated
position is a draw, which is left to the caller. Cells are named by column letter from the left and row number from the
bottom; `c3-d4` moves, `c3xe5xg7` captures.
"""

from __future__ import annotations

from tests.reference.flying_draughts import FlyingDraughts, Pieces
from tests.reference.squares import Place

CASES: list[dict[str, int]] = [{}, {"size": 6, "filled": 2}, {"size": 4, "filled": 1}, {"size": 7, "filled": 2}]


class Reference(FlyingDraughts):
    """Russian draughts."""

    def __init__(self, *, size: int = 8, filled: int = 3) -> None:
        super().__init__(size=size, filled=filled)

    def landings(self, pieces: Pieces, king: tuple[str, str], behind: list[Place], taken: frozenset[Place]
                 ) -> list[Place]:
        return [landing for landing in behind if self.captures(pieces, king, landing, taken)] or behind

    def passing(self, piece: tuple[str, str], at: Place) -> tuple[str, str]:
        return self.crowned(piece, at)

    def best(self, captures: list[list[Place]]) -> list[list[Place]]:
        return captures
