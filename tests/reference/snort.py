"""Snort: a player puts a piece on an empty cell that has no neighbour of the opponent's colour.

A player who cannot move loses. A move is the name of the cell. Everything but the forbidding colour is as in Col.
"""

from __future__ import annotations

from tests.reference import col
from tests.reference.squares import Place

CASES = col.CASES


class Reference(col.Reference):
    """Snort on a board of rows x columns cells."""

    def forbidding(self, state: col.State) -> frozenset[Place]:
        """The pieces next to which the player to move may not place: the other player's."""
        return state.red if state.mover == "Blue" else state.blue
