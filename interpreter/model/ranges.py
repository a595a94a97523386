"""The values that things of a sort can have."""

from __future__ import annotations

from dsl import hir
from dsl.resolve.sorts import BOOLEAN, CELL, COURSE, DIRECTION, PIECE, PLAYER, Covered, Enumerated, Integer, Sort
from interpreter.boards import Board


def values_of(sort: Sort | None, rules: hir.Rules, board: Board) -> range | None:
    """The numbers that stand for the values of a sort, none left out; None for sets and what has no numbers."""
    match sort:
        case Integer(low=low, high=high):
            return range(low, high + 1)
        case Enumerated(values=values):
            return range(len(values))
        case Covered(bits=bits, digits=digits):
            return range(1 << bits * digits)
    sizes: dict[Sort | None, int] = {
        CELL: board.size, PIECE: len(rules.pieces), PLAYER: len(rules.players), DIRECTION: len(board.directions),
        COURSE: len(board.courses),
        BOOLEAN: 2,
    }
    return range(sizes[sort]) if sort in sizes else None
