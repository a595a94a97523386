"""The values of a sort, as numbers."""

from __future__ import annotations

from dsl import hir
from dsl.resolve.sorts import BOOLEAN, CELL, COURSE, DIRECTION, PIECE, PLAYER, Covered, Enumerated, Integer, Sort
from interpreter.boards import Board


def values_of(sort: Sort | None, rules: hir.Rules, board: Board) -> range | None:
    """The range of numbers that encode the values of a sort; None for sets and other sorts without numbers."""
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
