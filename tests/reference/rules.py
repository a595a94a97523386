"""What every reference game offers, and the two operations that follow from the others.

Not an interpreter: a game says itself what its moves are. The tests, `counting` and `solving` call it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from typing import Generic, TypeVar

StateT = TypeVar("StateT", bound=Hashable)

DRAW = "draw"


class Rules(ABC, Generic[StateT]):
    """A game for two players over immutable states, moves given as text."""

    @abstractmethod
    def start(self) -> StateT:
        """The state before the first move."""

    @abstractmethod
    def to_move(self, state: StateT) -> str:
        """The name of the player whose turn it is (in a state that is over: whose turn it would be)."""

    @abstractmethod
    def outcome(self, state: StateT) -> str | None:
        """None while the game runs, else "draw" or the winner's name."""

    @abstractmethod
    def options(self, state: StateT) -> list[str]:
        """The moves of the player to move, in canonical text, were the game not over."""

    @abstractmethod
    def after(self, state: StateT, move: str) -> StateT:
        """The state after one of `options`, unchecked."""

    @abstractmethod
    def board(self, state: StateT) -> dict[str, str] | None:
        """Cell name to piece name, occupied cells only; None where it cannot be told."""

    def variables(self, state: StateT) -> dict[str, object] | None:
        """What a state holds besides pieces and the turn: name to value, or to a list of one for each index.

        None where it cannot be told.
        """
        return {}

    def canonical_text(self, text: str) -> str:
        """The canonical text of a move written in any accepted way; other text is returned as it is."""
        return text

    def moves(self, state: StateT) -> list[str]:
        """The legal moves; none when the game is over."""
        return [] if self.outcome(state) is not None else self.options(state)

    def play(self, state: StateT, text: str) -> StateT:
        """The state after a move.

        Raises ValueError if the move is not legal.
        """
        move = self.canonical_text(text)
        if move not in self.moves(state):
            raise ValueError(f"illegal move {text!r} of {self.to_move(state)} in {state!r}")
        return self.after(state, move)
