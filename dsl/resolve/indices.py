"""What variables are indexed by: cells, players, ..., or pairs of these."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl import hir
from dsl.resolve.scope import MAX_CELLS, World
from dsl.resolve.sorts import CELL, DIRECTION, PIECE, PLAYER, UNKNOWN, Integer, Sort
from dsl.syntax import rules
from dsl.syntax.source import Span

if TYPE_CHECKING:
    from dsl.resolve.declarations import DeclarationResolver

_INDEXES = ("cell", "row", "column", "player", "direction", "piece")


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


def declared_indices(resolver: DeclarationResolver, item: rules.Variable) -> tuple[str, ...]:
    """What a variable is indexed by; without those that are mistakes."""
    world, found = resolver.world, list[str]()
    known = (*_INDEXES, *world.enumerations)
    for name in (item.index, item.second):
        if name is None:
            continue
        if name.text not in known:
            resolver.choose(name, known, "index")
            continue
        if not world.board.rows_and_columns and name.text in ("row", "column", "direction"):
            resolver.error("G215", f"'[{name.text}]' needs a board with rows and columns, found {world.board.title}",
                       name.span)
        found.append(name.text)
    if len(found) == 2:
        many = index_count(found[0], world) * index_count(found[1], world)
        if many > MAX_CELLS:
            resolver.error("G286", f"'{item.name.text}' has {many} values, one for each {found[0]} and {found[1]}, "
                       f"expected at most {MAX_CELLS}", item.span,
                       "a smaller board, or one value for each of them alone")
    return tuple(found)
