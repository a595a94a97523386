"""What a program is told of a game in which players do not see everything: what its side sees, and its moves.

The referee says each change of what the side sees as a position in one line, and the legal moves before it asks for
one. A player of ours gets that as a `SeenPosition`.
"""

from __future__ import annotations

from typing import NoReturn

import attrs

from interpreter.game import Game, Position
from interpreter.model import position_text
from interpreter.model.state import Move, State


class Unseen(Exception):
    """A player asks what would take what is hidden from it; the message says what there is."""


@attrs.frozen
class SeenPosition(Position):
    """A position as the player to move sees it; `history` has what it saw before, `played` its own moves."""

    offered: tuple[str, ...] = attrs.field(default=(), eq=False)
    """The legal moves, as the referee says them."""

    def moves(self) -> tuple[str, ...]:
        """The legal moves in the game's notation."""
        return self.offered

    def legal(self) -> list[Move]:
        """Raises Unseen: what is seen does not say which moves are legal."""
        _refuse("legal()")

    def find(self, text: str) -> Move:
        """Raises Unseen, as `legal` does."""
        _refuse("find()")

    def play(self, move: Move | str) -> Position:
        """Raises Unseen: what is seen does not say what a move leads to."""
        _refuse("play()")


def _refuse(what: str) -> NoReturn:
    raise Unseen(f"position.{what} would need what is hidden; position.moves() has the legal moves as texts")


class Telling:
    """Says what a side sees of a game whenever that changes: the referee's part."""

    def __init__(self, game: Game, side: int) -> None:
        self.game, self.side = game, side
        self._last: State | None = None

    def news(self, position: Position) -> str | None:
        """What the side sees, as a line; None where it was said before."""
        view = self.game.observer.view(position.state, self.side)
        if view == self._last:
            return None
        self._last = view
        return self.game.position_text(view)


class Following:
    """Keeps what a side is told: the player's part."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._seen: list[State] = []
        self._own: list[str] = []
        self.offered: tuple[str, ...] = ()

    def sees(self, text: str) -> None:
        """Something else is to be seen. Raises ImpossiblePosition."""
        self._seen.append(position_text.read(self.game, text))

    def position(self) -> SeenPosition:
        """What is known now. Raises IndexError where nothing was seen yet."""
        return SeenPosition(self.game, self._seen[-1], tuple(self._seen[:-1]), tuple(self._own), self.offered)

    def moved(self, text: str) -> None:
        """The player makes a move."""
        self._own.append(text)
