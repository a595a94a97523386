"""The base of questions about who wins a position of a connection game, whichever search answers them.

They have the interface of those in `solver.drivers.null_window`.
"""

from __future__ import annotations

from typing import Generic, TypeVar

import attrs

from interpreter.model.state import State
from solver.drivers.null_window import WIN

SharedT = TypeVar("SharedT")


class NobodyJoined(Exception):
    """The search found a full board on which no player's regions are joined: it does not suit the game."""


@attrs.define(eq=False)
class ConnectionQuestion(Generic[SharedT]):
    """Asks who wins a position; call `go_on` until it is answered."""

    shared: SharedT
    """The working data of the thread that searches the question."""
    state: State
    lower: int = -WIN
    upper: int = WIN
    answered: bool = False
    answer: int | None = None
    """A cell with which the player to move wins; None where he does not win, or no cell is known."""

    def open(self, asked: int) -> bool:
        """Whether it is not known yet who wins."""
        return self.lower <= 0 <= self.upper

    def settle(self, *, won: bool) -> None:
        """Store the answer, whether the player to move wins, as bounds of the score."""
        self.answered = True
        self.lower, self.upper = (1, self.upper) if won else (self.lower, -1)

    @property
    def filled(self) -> int:
        """Always 0: the question writes nothing into a table of bounds."""
        return 0


__all__ = ["ConnectionQuestion", "NobodyJoined"]
