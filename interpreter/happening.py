"""Chance at a table: the moves that nobody chooses are drawn, each as likely as the rules say.

Players, referees, pages and environments call `happened` before they ask who is to move; with the same generator in the
same state they get the same moves.
"""

from __future__ import annotations

from math import lcm
from random import Random

from interpreter.game import Position
from interpreter.model.state import Move

MOST = 10_000
"""Moves of chance in a row."""


def drawn(position: Position, dice: Random) -> Move:
    """A move of chance in a position in which chance decides, each as likely as its probability says."""
    outcomes = position.outcomes()
    whole = lcm(*(chance.denominator for _, chance in outcomes))
    at = dice.randrange(whole)
    for move, chance in outcomes:
        at -= int(chance * whole)
        if at < 0:
            return move
    raise ValueError("chance does not decide in this position")


def happened(position: Position, dice: Random) -> Position:
    """The position after moves of chance: a player is to move in it, or the game is over.

    Raises RuleError where a rule fails, ValueError where chance goes on without end.
    """
    for _ in range(MOST):
        if position.over or not position.by_chance:
            return position
        position = position.play(drawn(position, dice))
    raise ValueError(f"{MOST:,} moves of chance in a row")
