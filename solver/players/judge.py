"""What moves lead to, and which of them is best as far as that is known."""

from __future__ import annotations

from typing import NamedTuple

from interpreter.state import Move


class Judged(NamedTuple):
    """A legal move and what it leads to under best play."""

    move: Move
    text: str
    winner: int | None
    """A player's number, -1 for a draw, None when not known."""
    remoteness: int | None
    """Plies to the end, this move included."""


def standing(winner: int | None, remoteness: int | None, mover: int) -> tuple[int, int]:
    """How good a move is for its mover, least first: a fast win, a short draw, one not known, a slow loss."""
    plies = remoteness or 0
    if winner is None:
        return 2, 0
    if winner == mover:
        return 0, plies
    return (1, plies) if winner < 0 else (3, -plies)
