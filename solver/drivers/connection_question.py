"""What questions who wins a position of a game of connection have in common, by whichever search they are answered.

They have the form of `solver.drivers.null_window`.
"""

from __future__ import annotations

from typing import Generic, TypeVar

import attrs

from interpreter.model.state import State
from solver.drivers.null_window import WIN

SharedT = TypeVar("SharedT")


class NobodyJoined(Exception):
    """A full board was found on which nobody is joined: the search is not for such games."""


@attrs.define(eq=False)
class ConnectionQuestion(Generic[SharedT]):
    """Who wins a position; `go_on` until it is answered."""

    shared: SharedT
    """What the thread works with that has the question."""
    state: State
    lower: int = -WIN
    upper: int = WIN
    answered: bool = False
    answer: int | None = None
    """A cell with which the player to move wins; None where he does not, or it is not known."""

    def open(self, asked: int) -> bool:
        """Whether it is not known yet who wins."""
        return self.lower <= 0 <= self.upper

    def settle(self, *, won: bool) -> None:
        """Note whether the player to move wins."""
        self.answered = True
        self.lower, self.upper = (1, self.upper) if won else (self.lower, -1)

    @property
    def filled(self) -> int:
        """None: no table of bounds has anything of this question."""
        return 0


__all__ = ["ConnectionQuestion", "NobodyJoined"]
