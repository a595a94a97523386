"""Games whose rules take long to interpret are played by their kernels, where programs play many of them."""

from __future__ import annotations

import random
import time
from contextlib import suppress

from interpreter.errors import RuleError
from interpreter.game import Game

SLOW = 0.01
"""Seconds of processor time for a move by the interpreter from which on a game is compiled."""
_TRIED = 12
"""Moves that are timed."""
_TRYING = 0.5


def quick_enough(game: Game) -> Game:
    """The game, by its kernel where its rules take long to interpret and can be compiled."""
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
    """Processor time of a move, by the first ones of a random game."""
    chance, position, plies = random.Random(0), game.start(), 0
    start = time.process_time()
    with suppress(RuleError):  # it is told when it happens in a game
        while not position.over and plies < _TRIED and time.process_time() - start < _TRYING:
            position = position.play(chance.choice(position.legal()))
            plies += 1
    return (time.process_time() - start) / max(1, plies)
