"""The interface of reference games.

A game implements its own rules; only `moves` and `play` are derived here from the other methods. The tests, `counting`
and `solving` call it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from typing import Generic, TypeVar

StateT = TypeVar("StateT", bound=Hashable)

DRAW = "draw"


class Rules(ABC, Generic[StateT]):
    """A game over immutable states, with moves as text."""

    @abstractmethod
    def start(self) -> StateT:
        """The state before the first move."""

    @abstractmethod
    def to_move(self, state: StateT) -> str:
        """The name of the player to move (in a finished state, the player whose turn it would be)."""

    @abstractmethod
    def outcome(self, state: StateT) -> str | None:
        """None while the game goes on, else the winner's name or "draw", also where a player alone has lost."""

    @abstractmethod
    def options(self, state: StateT) -> list[str]:
        """The moves of the player to move, in canonical text, without checking whether the game is over."""

    @abstractmethod
    def after(self, state: StateT, move: str) -> StateT:
        """The state after one of `options`; does not check that the move is legal."""

    @abstractmethod
    def board(self, state: StateT) -> dict[str, str] | None:
        """Map the names of occupied cells to the names of their pieces; None if the board is not to be compared."""

    def variables(self, state: StateT) -> dict[str, object] | None:
        """Map names of the state's variables, besides pieces and turn, to values, or to a list with one per index.

        None if the variables are not to be compared.
        """
        return {}

    def canonical_text(self, text: str) -> str:
        """Return the canonical text of a move written in any accepted way; return other text unchanged."""
        return text

    def moves(self, state: StateT) -> list[str]:
        """The legal moves; none if the game is over."""
        return [] if self.outcome(state) is not None else self.options(state)

    def play(self, state: StateT, text: str) -> StateT:
        """Return the state after a move.

        Raises ValueError if the move is not legal.
        """
        move = self.canonical_text(text)
        if move not in self.moves(state):
            raise ValueError(f"illegal move {text!r} of {self.to_move(state)} in {state!r}")
        return self.after(state, move)
