"""Pieces that fall by a forced rule: kernels move them all the way at once, with the same result as step by step."""

from __future__ import annotations

import random

import pytest

import dslgame
from interpreter.analysis.gravity import direction_of_fall
from interpreter.compiler.lowering.module_builder import Passes
from interpreter.kernel.kernel import Kernel
from tests.discovery import one_in

FALLING = """game "Falling"

players A, B
board {board}
pieces a of A, b of B

start:
    {{c in cells where (c.row * 7 + c.column * 3) mod 5 = 1}} := a
    {{c in cells where (c.row * 7 + c.column * 3) mod 5 = 3}} := b

move place(c in empty):
    c := own

forced fall(c in {what} where c.{way} is empty):
    carry c to c.{way}

draw when no moves
"""
BOARDS = ("square(5, 6)", "square(9, 9)", "square(11, 13)", "hexagon(4)", "rhombus(5, 6)", "triangle(8)")
WAYS = (0, 1, 3, 4)
"""Indices of directions."""


FALLS = {f"{what} on {board}, {way}": (what, board, way)
         for what in ("occupied", "a") for board in BOARDS for way in WAYS}


@pytest.mark.parametrize("case", one_in(6, FALLS, 0, rest=2))
def test_pieces_come_to_rest_where_the_rule_carries_them(case: str) -> None:
    what, board, way = FALLS[case]
    name = dslgame.loads(f'game "Board"\nboard {board}\nplayers A, B\npieces a of A, b of B\n\n'
                         "move go(c in empty):\n    c := own\n\nno moves loses\n").board.directions[way]
    game = dslgame.loads(FALLING.format(board=board, way=name, what=what))
    assert direction_of_fall(game.rules, game.board) is not None
    kernels = [Kernel.of(game, native=False, passes=Passes(gravity=gravity)) for gravity in (True, False)]
    assert kernels[0].text != kernels[1].text
    chance, position = random.Random(1), game.start()
    for _ in range(6):
        if position.over:
            break
        move = chance.choice(position.legal())
        after = position.play(move)
        assert [kernel.after(position.state, move) for kernel in kernels] == [after.state] * 2
        position = after


def test_rules_that_do_more_than_let_fall_are_left_alone() -> None:
    text = FALLING.format(board="square(4, 4)", way="south", what="occupied")
    for change in (("carry c to c.south", "carry c to c.east"), ("carry c to c.south", "c := empty"),
                   ("c.south is empty", "c.south is empty and c.north is empty"), ("in occupied", "in cells"),
                   ("draw when", "forced rise(c in a where c.north is b):\n    c := empty\n\ndraw when")):
        game = dslgame.loads(text.replace(*change))
        assert direction_of_fall(game.rules, game.board) is None, change
