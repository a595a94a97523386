"""What a search finds in a position, whichever way it searches."""

from __future__ import annotations

import attrs

from interpreter.model.state import Move
from solver.report import Report


@attrs.frozen
class Found:
    """What a search found in a position."""

    move: Move
    score: int
    """For the player to move: the game's `value` at the end of the principal variation, or `WIN` minus the plies to a
    forced win, negated for a forced loss."""
    winner: int | None
    """Who wins by force, -1 for a draw; None where the search found no forced result."""
    remoteness: int | None
    """Plies to that result."""
    report: Report


def interrupted(found: Found) -> Found:
    """Return a copy of `found` whose report says that the search was interrupted."""
    return attrs.evolve(found, report=attrs.evolve(found.report, interrupted=True))
