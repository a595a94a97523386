"""What a player is: it chooses moves, each with its known result and how that was found."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import attrs

from interpreter.game import Position
from interpreter.model.state import Move
from solver.players.limits import Limit
from solver.report import Report


@attrs.frozen
class Choice:
    """The move that a player chose, with its known result and how it was found."""

    move: Move
    text: str
    """The move in the game's notation."""
    winner: int | None = None
    """The player who wins by force after it, -1 for a draw; None where that is not known."""
    remoteness: int | None = None
    """Plies to that end, this move included."""
    reason: str = ""
    """Why more is not known: the limit that a solver met, or where a search was cut off."""
    report: Report | None = None
    """The report of the search."""
    basis: str = ""
    """How the answer is known: proven, searched to a depth, sampled from random games."""

    def check_interrupted(self) -> None:
        """Raise KeyboardInterrupt if an interruption ended the search, for callers that would play on."""
        if self.report is not None:
            self.report.check_interrupted()


class Player(Protocol):
    """Chooses moves in one game."""

    def choose(self, position: Position) -> Choice:
        """A move in a position that is not over."""


@runtime_checkable
class Limited(Player, Protocol):
    """A player with a limit for each move, which may be changed between moves."""

    limit: Limit


def check_going_on(position: Position) -> None:
    """Raise ValueError where the game is over, so that there is no move to choose."""
    if position.over:
        raise ValueError("the game is over: there is no move to choose")
