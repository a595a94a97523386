"""Compiles a game for matches if its rules are slow to interpret."""

from __future__ import annotations

import random
import time
from contextlib import suppress

from interpreter.errors import RuleError
from interpreter.game import Game

SLOW = 0.01
"""The processor time in seconds for a move by the interpreter from which on a game is compiled."""
_TRIED = 12
"""The most moves that are timed."""
_TRYING = 0.5


def quick_enough(game: Game) -> Game:
    """Return the game, played by its kernel if its rules are slow to interpret and can be compiled."""
    if _seconds_for_a_move(game) < SLOW:
        return game
    from dslgame import bundled
    from interpreter.compiler.lowering.errors import NotLowered
    from interpreter.kernel.engine import quickened
    from interpreter.kernel.kernel import Kernel

    try:
        return quickened(game, Kernel.of(game, hooks=bundled.hooks_of(game)))
    except NotLowered:
        return game


def _seconds_for_a_move(game: Game) -> float:
    """The mean processor time of a move, measured on the first moves of a random game."""
    chance, position, plies = random.Random(0), game.start(), 0
    start = time.process_time()
    with suppress(RuleError):  # raised again when it happens in a game
        while not position.over and plies < _TRIED and time.process_time() - start < _TRYING:
            position = position.play(chance.choice(position.legal()))
            plies += 1
    return (time.process_time() - start) / max(1, plies)
