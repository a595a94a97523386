"""A game that plays by its kernel has the same moves, positions and ends as by the interpreter."""

from __future__ import annotations

import random

import pytest

import dslgame
from dslgame import bundled
from interpreter.errors import RuleError
from interpreter.game import Game
from interpreter.kernel.engine import quickened
from interpreter.kernel.kernel import Kernel

STUCK = """
game "Stuck"
players X, O
board square(1, 3)
pieces x of X, o of O
move place(c in empty where count(empty) > 1):
    c := own
win mover when line(mine, 3)
"""
"""No rule says what happens to a player without moves."""


def check(game: Game, native: bool, seeds: range, plies: int) -> None:
    """Compare random games with the interpreter, including move texts."""
    hooks = bundled.hooks_of(game) if native else None
    quick = quickened(game, Kernel.of(game, native=native, hooks=hooks))
    for seed in seeds:
        chance, one, other = random.Random(seed), game.start(), quick.start()
        for _ in range(plies):
            assert one.state == other.state
            assert one.outcome == other.outcome
            if one.over:
                break
            moves = one.moves()
            assert moves == other.moves()
            assert game.engine.successors(one.state) == quick.engine.successors(other.state)
            text = chance.choice(moves)
            one, other = one.play(text), other.play(text)
        assert one.played == other.played


def test_game_that_plays_by_its_kernel_is_the_game() -> None:
    check(dslgame.load("tic_tac_toe"), False, range(3), 9)
    check(dslgame.load("nex", rows=2, columns=3), False, range(2), 9)


def test_what_nobody_said_is_told_as_by_the_rules() -> None:
    game = dslgame.loads(STUCK)
    quick = quickened(game, Kernel.of(game, native=False))
    for found in (game, quick):
        position = found.start().play(found.start().moves()[0])
        with pytest.raises(RuleError, match="no rule says what happens then"):
            position.play(position.moves()[0]).moves()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "params"), [
    ("trax", {}), ("twixt", {"rows": 8, "columns": 8, "swap": 2}), ("reversi", {}), ("go", {}), ("hexplode", {}),
    ("english_draughts", {}), ("pie_hex", {}), ("shift_tac_toe", {}),
])
def test_games_of_all_kinds_play_by_their_kernels(name: str, params: dict[str, int]) -> None:
    """Passes, swaps, forced rules, repetitions, unbounded boards."""
    check(dslgame.load(name, **params), True, range(2), 40)
