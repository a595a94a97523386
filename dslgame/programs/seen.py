"""Tells a program a game with hidden information: what its side sees, and its legal moves.

The referee sends each change of what the side sees as a position in one line, and the legal moves before it asks for a
move. Our players get these as a `SeenPosition`.
"""

from __future__ import annotations

from typing import NoReturn

import attrs

from interpreter.game import Game, Position
from interpreter.model import position_text
from interpreter.model.state import Move, State


class Unseen(Exception):
    """A player uses a method that would need hidden information; the message names the alternative."""


@attrs.frozen
class SeenPosition(Position):
    """A position as the player to move sees it; `history` has what it saw before, `played` only its own moves."""

    offered: tuple[str, ...] = attrs.field(default=(), eq=False)
    """The legal moves, as the referee sent them."""

    def moves(self) -> tuple[str, ...]:
        """The legal moves in the game's notation."""
        return self.offered

    def legal(self) -> list[Move]:
        """Raise Unseen: what the player sees does not determine which moves are legal."""
        _refuse("legal()")

    def candidates(self) -> tuple[str, ...]:
        """Raise Unseen, as `legal` does."""
        _refuse("candidates()")

    def find(self, text: str) -> Move:
        """Raise Unseen, as `legal` does."""
        _refuse("find()")

    def play(self, move: Move | str) -> Position:
        """Raise Unseen: what the player sees does not determine the position after a move."""
        _refuse("play()")


def _refuse(what: str) -> NoReturn:
    raise Unseen(f"position.{what} would need what is hidden; position.moves() has the legal moves as texts")


class Telling:
    """The referee's part: tells what a side sees of a game whenever that changes."""

    def __init__(self, game: Game, side: int) -> None:
        self.game, self.side = game, side
        self._last: State | None = None

    def news(self, position: Position) -> str | None:
        """What the side sees, as a line; None where it has not changed since the last call."""
        view = self.game.observer.view(position.state, self.side)
        if view == self._last:
            return None
        self._last = view
        return self.game.position_text(view)


class Following:
    """The player's part: records what its side is told."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._seen: list[State] = []
        self._own: list[str] = []
        self.offered: tuple[str, ...] = ()

    def sees(self, text: str) -> None:
        """Record what the side now sees, a position as text. Raises ImpossiblePosition."""
        self._seen.append(position_text.read(self.game, text))

    def position(self) -> SeenPosition:
        """The position as the side sees it now. Raises IndexError where nothing was seen yet."""
        return SeenPosition(self.game, self._seen[-1], tuple(self._seen[:-1]), tuple(self._own), self.offered)

    def moved(self, text: str) -> None:
        """Record a move of the player."""
        self._own.append(text)
