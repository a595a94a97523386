"""A position that shows what a game looks like in play: for the gallery, and for the pictures that games are chosen by.

It is the same in every process and needs nothing but the game's rules: a random game from a fixed seed, stopped where
about a third of the board can be full.
"""

from __future__ import annotations

import random

from interpreter.game import Game, Position

SEED = 7
SHARE = 0.35
"""Moves made, for each cell of the board,"""
MOST_PLIES = 30
"""but no more than these,"""
MOST_MOVES = 9000
"""nor so many that this many legal moves were listed on the way, which would take long."""
KEPT = 0.6
"""The share of its moves that is made of a game that is over before."""


def sample_position(game: Game) -> Position:
    """A position in the middle of a random game, which is always the same one."""
    chance = random.Random(SEED)
    wanted = max(4, min(MOST_PLIES, round(SHARE * game.board.size)))
    positions, listed = [game.start()], 0
    while not positions[-1].over and len(positions) <= wanted and listed < MOST_MOVES:
        legal = positions[-1].legal()
        listed += len(legal)
        positions.append(positions[-1].play(chance.choice(legal)))
    return positions[int(KEPT * (len(positions) - 1))] if positions[-1].over else positions[-1]
