"""The interface of a game to the solvers: states, moves, the player to move, and the outcome.

Solvers know nothing else. `solver.game_space` makes a space from a game; tests make spaces from numbers and graphs.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Protocol, TypeVar

DRAW = -1
"""The outcome of a drawn game, or of a puzzle that is lost."""

StateT = TypeVar("StateT", bound=Hashable)
MoveT = TypeVar("MoveT", bound=Hashable)


class Space(Protocol[StateT, MoveT]):
    """The positions of a game from a root on."""

    @property
    def players(self) -> int:
        """The number of players."""

    @property
    def acyclic(self) -> bool:
        """Whether it is known that no position can repeat."""

    def start(self) -> StateT:
        """The root."""

    def successors(self, state: StateT) -> list[tuple[MoveT, StateT]]:
        """The legal moves and the states they lead to; none exactly when the game is over."""

    def outcome(self, state: StateT) -> int | None:
        """None while the game goes on, else the winner's number, or DRAW."""

    def to_move(self, state: StateT) -> int:
        """The number of the player to move; the same player may move again after a move."""

    def canonical(self, state: StateT) -> StateT:
        """The representative of all states that are equivalent by a symmetry that fixes the root."""

    def orbit_size(self, state: StateT) -> int:
        """The number of states that are equivalent by these symmetries, this one included."""


def sides_of(space: Space[StateT, MoveT]) -> tuple[int, ...]:
    """For each player the player that stands for the team, by whose number it wins; without teams each player alone."""
    sides: tuple[int, ...] | None = getattr(space, "sides", None)
    return tuple(range(space.players)) if sides is None else sides
