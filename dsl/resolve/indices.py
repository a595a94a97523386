"""What variables are indexed by: cells, players, ..., or pairs of these."""

from __future__ import annotations

from dsl import hir
from dsl.resolve.scope import World
from dsl.resolve.sorts import CELL, DIRECTION, PIECE, PLAYER, UNKNOWN, Integer, Sort
from dsl.syntax.source import Span


def pair(first: hir.Expr, second: hir.Expr, kind: hir.VariableKind, world: World, span: Span) -> hir.Pair:
    """The place of two indices of a variable."""
    one, other = (index_count(index, world) for index in kind.indices)
    return hir.Pair(first, second, other, sort=Integer(0, max(0, one * other - 1)), span=span)


def index_count(index: str, world: World) -> int:
    """How many values an index has."""
    plain = {"cell": world.cell_count, "player": len(world.players), "piece": len(world.pieces),
             "direction": len(world.board.directions), "row": world.row_count, "column": world.column_count}
    return plain[index] if index in plain else len(world.enumerations[index].values)


def index_sort(index: str, world: World) -> Sort:
    """The sort of a variable's index by the word in its brackets."""
    plain: dict[str, Sort] = {
        "cell": CELL, "player": PLAYER, "piece": PIECE, "direction": DIRECTION,
        "row": Integer(0, world.row_count - 1, "row"), "column": Integer(0, world.column_count - 1, "column"),
    }
    if index in plain:
        return plain[index]
    return world.enumerations.get(index, UNKNOWN)
