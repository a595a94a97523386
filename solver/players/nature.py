"""Chance as a player: where nobody chooses, it does, each move as often as the rules say."""

from __future__ import annotations

from random import Random

from interpreter.game import Position
from interpreter.happening import drawn
from solver.players.choice import Choice


class Nature:
    """Makes the moves of chance; with the same seed the same ones."""

    def __init__(self, dice: Random) -> None:
        self.dice = dice

    def choose(self, position: Position) -> Choice:
        """A move of chance."""
        move = drawn(position, self.dice)
        return Choice(move, position.game.notation.write(position.state, move))
