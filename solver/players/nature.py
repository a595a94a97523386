"""Chance as a player, which draws the moves that no player chooses by the probabilities of the rules."""

from __future__ import annotations

from random import Random

from interpreter.game import Position
from interpreter.happening import drawn
from solver.players.choice import Choice


class Nature:
    """Draws the moves of chance; the same seed gives the same moves."""

    def __init__(self, dice: Random) -> None:
        self.dice = dice

    def choose(self, position: Position) -> Choice:
        """Draw a move of chance by its probability."""
        move = drawn(position, self.dice)
        return Choice(move, position.game.notation.write(position.state, move))
