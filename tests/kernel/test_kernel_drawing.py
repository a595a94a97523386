"""Random moves that kernels draw choice by choice, and sights from a cell, compared with definitions and counts."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dslgame
from interpreter.boards import mask_of, members
from interpreter.compiler.lowering.layout import split
from interpreter.compiler.lowering.module_builder import Passes
from interpreter.game import Game
from interpreter.kernel.kernel import Kernel
from interpreter.kernel.plain import line, rows

SHOOTING = """game "Shooting"

players White, Black
board {board}
pieces white of White, black of Black, arrow

start:
    {first} := white
    {last} := black

define reach(c) = union(ray(c, d, empty) for d in {directions})

move queen(a in mine, b in {first_way}(a)):
    carry a to b
    then t in reach(b):
        t := arrow

no moves loses
"""
BOARDS = {
    "two words": SHOOTING.format(board="square(9, 11)", directions="directions", first='{"a1", "e5", "b2"}',
                                 last='{"c3", "k9", "h6"}', first_way="reach"),
    "three words": SHOOTING.format(board="square(11, 13)", directions="orthogonals", first='{"a1", "e5", "b2"}',
                                   last='{"c3", "m11", "h6"}', first_way="reach"),
    "hexagons": SHOOTING.format(board="hexagon(6)", directions="directions", first="{cell(0, 5), cell(3, 4)}",
                                last="{cell(8, 5), cell(5, 4)}", first_way="reach"),
    "a triangle": SHOOTING.format(board="triangle(12)", directions="directions", first="{cell(0, 0), cell(6, 3)}",
                                  last="{cell(11, 11), cell(8, 2)}", first_way="reach"),
    "one word": SHOOTING.format(board="square(4, 5)", directions="directions", first='{"a1", "b2"}',
                                last='{"e4", "d4"}',
                                first_way="neighbours").replace("in neighbours(a)", "in neighbours(a) and empty"),
    "another effect": SHOOTING.format(board="square(4, 4)", directions="directions", first='{"a1", "b2"}',
                                      last='{"d4", "c4"}', first_way="reach",
                                      ).replace("    carry a to b\n", "    b := own\n"),
    "a set that grows": SHOOTING.format(board="square(4, 5)", directions="directions", first='{"a1", "b2"}',
                                        last='{"e4", "d4"}', first_way="reach",
                                        ).replace("reach(b)", "reach(b) + {a} where t != b"),
}
DRAWN = 6_000
"""The number of moves drawn from a position."""


@cache
def game(name: str) -> Game:
    """The game on a board."""
    return dslgame.loads(BOARDS[name])


@cache
def kernel(name: str, *, sights: bool = True) -> Kernel:
    """The kernel of that game, in plain Python."""
    return Kernel.of(game(name), native=False, passes=Passes(sliding_attacks=sights))


@pytest.mark.parametrize("name", ["two words", "three words", "hexagons"])
@given(data=st.data())
def test_what_is_seen_is_all_rays_together(name: str, data: st.DataObject) -> None:
    board = game(name).board
    cell = data.draw(st.integers(0, board.size - 1))
    chance = data.draw(st.randoms(use_true_random=False))
    share = data.draw(st.sampled_from([0.3, 0.7, 0.95, 1.0]))
    within = mask_of([other for other in range(board.size) if chance.random() < share])
    ways = range(0, len(board.directions), 2 if name == "three words" else 1)
    expected = 0
    for way in ways:
        for other in board.ray(cell, way):
            if not within >> other & 1:
                break
            expected |= 1 << other
    functions = kernel(name).functions
    (function,) = (functions[key] for key in functions if key.startswith("sight_"))
    found = function(cell, split(within, len(split(board.everything, 2 if name != "three words" else 3))))
    assert sum(part << 64 * place for place, part in enumerate(found)) == expected, [members(within)]


@pytest.mark.parametrize("name", list(BOARDS))
def test_kernels_with_sights_play_as_the_interpreter(name: str) -> None:
    chance = random.Random(name)
    for _ in range(1 if name.endswith("words") else 3):
        position = game(name).start()
        while not position.over:
            for sights in (True, False):
                of_game = kernel(name, sights=sights)
                assert sorted(of_game.legal(position.state)) == sorted(position.legal())
            position = position.play(chance.choice(position.legal()))


@pytest.mark.parametrize("name", list(BOARDS))
def test_each_move_is_drawn_as_often(name: str) -> None:
    """A chi-square test in positions late in a game, within 6 standard deviations."""
    chance = random.Random(3)
    position = game(name).start()
    while True:
        moves = position.legal()
        if len(moves) < 150:
            break
        position = position.play(chance.choice(moves))
    assert len(moves) > 10
    of_game = kernel(name)
    functions, seed = of_game.functions, 12345
    row, entries = of_game.row(position.state), of_game._entries()
    work, move = rows(functions["SCRATCH"], functions["WIDTH"]), line(functions["MOVE_WIDTH"])
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(DRAWN):
        seed, drawn = functions["draw"](row, seed, entries, work, move)
        if drawn:
            counts[tuple(move[2:2 + move[1]])] += 1
    assert {of.values for of in moves} >= set(counts)
    total = sum(counts.values())
    assert total > DRAWN / 2
    mean = total / len(moves)
    square = sum((counts[of.values] - mean) ** 2 / mean for of in moves)
    freedom = len(moves) - 1
    assert square < freedom + 6 * sqrt(2 * freedom), (square, freedom)
