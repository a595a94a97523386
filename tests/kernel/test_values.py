"""The `value` of games: kernels and hooks agree with the interpreter, and both players are valued symmetrically."""

from __future__ import annotations

import random

import pytest

import dslgame
from dslgame import bundled
from interpreter.kernel.kernel import Kernel
from tests.discovery import found_games, one_in

SMALL = {"twixt": {"rows": 7, "columns": 8}, "hex": {"size": 5}, "nex": {"rows": 3, "columns": 4},
         "hexplode": {"side": 3}}
"""Boards on which the interpreter computes a value quickly."""
PLIES = 24
VALUED = sorted({path.stem for path in found_games() if "\nvalue " in path.read_text(encoding="utf-8")})


@pytest.mark.parametrize("name", one_in(6, VALUED, 0, rest=2))
def test_kernel_values_positions_as_the_interpreter(name: str) -> None:
    """For positions read from text and positions reached by play, with and without hooks."""
    game = dslgame.load(name, **SMALL.get(name, {}))
    hooks = bundled.hooks_of(game)
    kernels = [Kernel.of(game, native=False)] + ([Kernel.of(game, native=False, hooks=hooks)] if hooks else [])
    chance = random.Random(3)
    position, rows = game.start(), [kernel.start() for kernel in kernels]
    for _ in range(PLIES):
        move = chance.choice(position.legal())
        position = position.play(move)
        for kernel, row in zip(kernels, rows, strict=True):
            kernel.apply(row, kernel.coded(move))
            assert kernel.value(position.state) == position.value()
            assert kernel.functions["value_of"](row) == position.value()
        if position.over:
            break


@pytest.mark.parametrize("name", [name for name in VALUED if name in SMALL])
def test_values_are_the_opposite_for_the_opponent(name: str) -> None:
    """The values for the two players in the same position are opposite: `value` has no bonus for the turn."""
    game = dslgame.load(name, **SMALL[name])
    chance = random.Random(4)
    position = game.start()
    for _ in range(8):
        position = position.play(chance.choice(position.legal()))
        if position.over:
            break
        other = position.state._replace(to_move=1 - position.state.to_move)
        assert game.heuristic(position.state) == -game.heuristic(other)
