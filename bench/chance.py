"""Random play of games of chance against OpenSpiel: `python -m bench.chance [SECONDS]`.

Plays Pig, Backgammon and Leduc Poker to the end: with the game's kernel on one core, and with OpenSpiel's C++ game
through its Python binding (`chance_outcomes` and uniform actions). Both count moves, including throws and deals; in
Backgammon a move plays both dice on either side. Times are processor time.
"""

from __future__ import annotations

import random
import sys
import time

import dslgame
from interpreter.kernel.kernel import Kernel

GAMES = {"pig": "pig", "backgammon": "backgammon", "leduc_poker": "leduc_poker"}
"""Our names of the games, and OpenSpiel's."""


def ours(name: str, seconds: float) -> float:
    """Moves per second of our kernel."""
    kernel = Kernel.of(dslgame.load(name))
    kernel.play_outs(10)
    plies, games, started = 0, 200, time.process_time()
    while time.process_time() - started < seconds:
        plies += kernel.play_outs(games, seed=plies)[0]
    return plies / (time.process_time() - started)


def theirs(name: str, seconds: float) -> float:
    """Moves per second of OpenSpiel's game."""
    import pyspiel

    game, dice = pyspiel.load_game(name), random.Random(1)
    plies, started = 0, time.process_time()
    while time.process_time() - started < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(dice.choices(actions, weights)[0])
            else:
                state.apply_action(dice.choice(state.legal_actions()))
            plies += 1
    return plies / (time.process_time() - started)


if __name__ == "__main__":
    given = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    print(f"{'moves a second':<14}{'kernel':>14}{'OpenSpiel':>14}{'ratio':>8}")
    for name, other in GAMES.items():
        mine, others = ours(name, given), theirs(other, given)
        print(f"{name:<14}{mine:>14,.0f}{others:>14,.0f}{mine / others:>8.1f}")
