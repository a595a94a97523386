"""Xiangqi on nearly empty boards, since perft from the start rarely meets soldiers' checks and facing generals."""

from __future__ import annotations

import random

import pytest

import dslgame
from tests.reference.xiangqi import Reference, State, in_danger

FEW = ["R", "C", "H", "S", "CS", "HS", "RC", "", "HE", "SS"]


def placed(chance: random.Random) -> State | None:
    """Place two generals and up to four other pieces at random; None if Black's general could be captured."""
    grid = [["."] * 9 for _ in range(10)]
    grid[chance.randrange(7, 10)][chance.randrange(3, 6)] = "G"
    grid[chance.randrange(3)][chance.randrange(3, 6)] = "g"
    for letter in chance.choice(FEW) + chance.choice(FEW).lower():
        row, column = chance.randrange(10), chance.randrange(9)
        if grid[row][column] == ".":
            grid[row][column] = letter
    rows = tuple("".join(row) for row in grid)
    return None if in_danger(rows, False) else State(rows, True)


@pytest.mark.parametrize("boards", [80, pytest.param(2000, marks=pytest.mark.slow)])
def test_moves_on_nearly_empty_boards(boards: int) -> None:
    """The legal moves equal the reference's."""
    game, reference, chance = dslgame.load("xiangqi"), Reference(), random.Random(1)
    compared = 0
    while compared < boards:
        state = placed(chance)
        if state is not None:
            compared += 1
            found = game.read_position("/".join(state.rows) + " Red").moves()
            assert set(found) == set(reference.moves(state)), state.rows
