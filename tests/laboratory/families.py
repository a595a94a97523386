"""Game files that several laboratory tests use."""

from __future__ import annotations

import dslgame
from interpreter.game import Game

MNK = """\
game "m,n,k"
param rows = 3 in 1..9
param columns = 3 in 1..9
param k = 3 in 1..9

players X, O
board square(rows, columns)
pieces x of X, o of O

move place(c in empty):
    c := own

win mover when line(mine, k)
draw when no empty
"""
"""Lines of k on a rectangular board."""
SUBTRACTION = """\
game "Subtraction"
param stones = 10 in 0..60

players First, Second
board square(1, 1)
pieces chip
var heap in 0..60 = stones

move take(n in 1..3 where n <= heap):
    heap -= n

no moves loses
"""
"""One heap from which a move takes one, two or three: lost exactly if the heap is a multiple of four."""


def mnk(rows: int, columns: int, k: int) -> Game:
    """An instance of the first family."""
    return dslgame.loads(MNK, rows=rows, columns=columns, k=k)
