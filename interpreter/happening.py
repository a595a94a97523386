"""Random moves of chance, drawn with the probabilities of the rules.

Players, referees, pages and environments call `happened` before they ask who is to move; the moves are the same for the
same state of the generator.
"""

from __future__ import annotations

from math import lcm
from random import Random

from interpreter.game import Position
from interpreter.model.state import Move

MOST = 10_000
"""The most moves of chance in a row."""


def drawn(position: Position, dice: Random) -> Move:
    """A random move of chance, drawn with its probability, in a position where chance decides."""
    outcomes = position.outcomes()
    whole = lcm(*(chance.denominator for _, chance in outcomes))
    at = dice.randrange(whole)
    for move, chance in outcomes:
        at -= int(chance * whole)
        if at < 0:
            return move
    raise ValueError("chance does not decide in this position")


def happened(position: Position, dice: Random) -> Position:
    """Play random moves of chance until a player is to move or the game is over; the position after them.

    Raises RuleError where a rule fails, ValueError after `MOST` moves of chance in a row.
    """
    for _ in range(MOST):
        if position.over or not position.by_chance:
            return position
        position = position.play(drawn(position, dice))
    raise ValueError(f"{MOST:,} moves of chance in a row")
