"""Scores of depth-limited searches, and their conversion between distance from the root and from a position."""

from __future__ import annotations

from solver.native.functions import inlined

WIN = 1 << 40
MOST = WIN - (1 << 20)
"""Scores above this are wins that were seen; a `value` is clamped to it."""
INFINITE = 1 << 41


@inlined
def ended(outcome: int, mover: int, players: int, ply: int) -> int:
    """The score of an ended game for a player, at a ply below the root."""
    if outcome == mover:
        return WIN - ply
    if outcome >= 0 or players == 1:
        return ply - WIN
    return 0


@inlined
def to_table(score: int, ply: int) -> int:
    """A score in the table for a score in the search: plies to a win or loss count from the position, not the root."""
    if score > MOST:
        return score + ply
    return score - ply if score < -MOST else score


@inlined
def from_table(score: int, ply: int) -> int:
    """A score in the search for a score in the table: plies to a win or loss count from the root, not the position."""
    if score > MOST:
        return score - ply
    return score + ply if score < -MOST else score
