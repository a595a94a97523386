"""Scores of searches with a value: wins by how many plies they are away, from the root and from a position."""

from __future__ import annotations

from solver.native.functions import inlined

WIN = 1 << 40
MOST = WIN - (1 << 20)
"""Scores of more than this are wins that were seen; no `value` counts for as much."""
INFINITE = 1 << 41


@inlined
def ended(outcome: int, mover: int, players: int, ply: int) -> int:
    """The score of a game that is over for a player."""
    if outcome == mover:
        return WIN - ply
    if outcome >= 0 or players == 1:
        return ply - WIN
    return 0


@inlined
def to_table(score: int, ply: int) -> int:
    """A score as seen from its position."""
    if score > MOST:
        return score + ply
    return score - ply if score < -MOST else score


@inlined
def from_table(score: int, ply: int) -> int:
    """A score as seen from the root."""
    if score > MOST:
        return score - ply
    return score + ply if score < -MOST else score
