"""A sample position that shows a game in play, for the gallery and for the pictures in lists of games.

It is the same in every process and needs only the game's rules: a random game from a fixed seed, stopped when about a
third of the board may be full.
"""

from __future__ import annotations

import random

from interpreter.game import Game, Position

SEED = 7
SHARE = 0.35
"""The moves made, as a share of the board's cells."""
MOST_PLIES = 30
"""The most moves made."""
MOST_MOVES = 9000
"""The most legal moves listed on the way, as listing them takes time."""
KEPT = 0.6
"""The share of its moves that is kept of a game that ends earlier."""


def sample_position(game: Game) -> Position:
    """A position in the middle of a random game, always the same one."""
    chance = random.Random(SEED)
    wanted = max(4, min(MOST_PLIES, round(SHARE * game.board.size)))
    positions, listed = [game.start()], 0
    while not positions[-1].over and len(positions) <= wanted and listed < MOST_MOVES:
        legal = positions[-1].legal()
        listed += len(legal)
        positions.append(positions[-1].play(chance.choice(legal)))
    return positions[int(KEPT * (len(positions) - 1))] if positions[-1].over else positions[-1]
