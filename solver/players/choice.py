"""The move that a player chose, and what it knows of it."""

from __future__ import annotations

import attrs

from interpreter.model.state import Move
from solver.report import Report


@attrs.frozen
class Choice:
    """The move that a player chose, and what it knows of it."""

    move: Move
    text: str
    """The move as it is written."""
    winner: int | None = None
    """Who wins by force after it, -1 for a draw; None where that was not seen."""
    remoteness: int | None = None
    """Plies to that end, this move included."""
    reason: str = ""
    """Why more is not known: what a solver met, or where a search was cut off."""
    report: Report | None = None
    """What a search did."""
    basis: str = ""
    """What the answer of a solver is: proven, searched to a depth, sampled from random games."""

    def check_interrupted(self) -> None:
        """Raise KeyboardInterrupt where that ended the search, for whoever would go on with the next move."""
        if self.report is not None:
            self.report.check_interrupted()
