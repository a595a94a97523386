"""Indices of variables: cells, players, ..., or pairs of these."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import attrs

from dsl import hir
from dsl.diagnostics import did_you_mean
from dsl.resolve.scope import MAX_CELLS, World
from dsl.resolve.sorts import CELL, DIRECTION, PIECE, PLAYER, UNKNOWN, Integer, Sort
from dsl.syntax import rules
from dsl.syntax.source import Span

if TYPE_CHECKING:
    from dsl.boards.kind import Kind
    from dsl.resolve.declarations import DeclarationResolver



@attrs.frozen
class _Index:
    """An index that a variable can have, with a value for each element."""

    every: str
    """The name in rules of the set of all elements."""
    example: str
    """An example of an element, for messages."""
    count: Callable[[World], int]
    sort: Callable[[World], Sort]
    needs: str = ""
    """What a board must have for it, as in `rows and columns`; '' for nothing."""
    fits: Callable[[Kind], bool] = lambda board: True
    """Whether a board has it."""


_ROWS = "rows and columns", lambda board: board.rows_and_columns
INDICES = {
    "cell": _Index("cells", "c", lambda world: world.cell_count, lambda world: CELL),
    "row": _Index("rows", "r", lambda world: world.row_count,
                  lambda world: Integer(0, world.row_count - 1, "row"), *_ROWS),
    "column": _Index("columns", "k", lambda world: world.column_count,
                     lambda world: Integer(0, world.column_count - 1, "column"), *_ROWS),
    "player": _Index("players", "mover", lambda world: len(world.players), lambda world: PLAYER),
    "direction": _Index("directions", "north", lambda world: len(world.board.directions), lambda world: DIRECTION,
                        "directions", lambda board: bool(board.directions)),
    "piece": _Index("pieces", "...", lambda world: len(world.pieces), lambda world: PIECE),
}
"""Indices by the word in a declaration's brackets; the name of an enumeration is an index as well."""


def pair(first: hir.Expr, second: hir.Expr, kind: hir.VariableKind, world: World, span: Span) -> hir.Pair:
    """The position of a pair of indices among the values of a variable."""
    one, other = (index_count(index, world) for index in kind.indices)
    return hir.Pair(first, second, other, sort=Integer(0, max(0, one * other - 1)), span=span)


def index_count(index: str, world: World) -> int:
    """The number of values of an index."""
    return INDICES[index].count(world) if index in INDICES else len(world.enumerations[index].values)


def index_sort(index: str, world: World) -> Sort:
    """The sort of a variable's index, by the word in its brackets."""
    return INDICES[index].sort(world) if index in INDICES else world.enumerations.get(index, UNKNOWN)


def index_example(index: str) -> str:
    """An example of a value of an index, as it is written."""
    return INDICES[index].example if index in INDICES else "..."


def all_of_index(index: str) -> str:
    """The name in rules of the set of all values of an index; an enumeration's own name."""
    return INDICES[index].every if index in INDICES else index


def declared_indices(resolver: DeclarationResolver, item: rules.Variable) -> tuple[str, ...]:
    """The indices of a variable; unknown ones are reported and left out."""
    world, result = resolver.world, list[str]()
    known = (*INDICES, *world.enumerations)
    for name in (item.index, item.second):
        if name is None:
            continue
        if name.text not in known:
            resolver.choose(name, known, "index")
            meant = [word for word, index in INDICES.items() if index.every == name.text]
            result += meant or list(filter(None, [did_you_mean(name.text, known)[1]]))
            continue
        if name.text in INDICES and not INDICES[name.text].fits(world.board):
            resolver.error("G215", f"'[{name.text}]' needs a board with {INDICES[name.text].needs}, found "
                       f"{world.board.title}", name.span)
        result.append(name.text)
    if len(result) == 2:
        count = index_count(result[0], world) * index_count(result[1], world)
        if count > MAX_CELLS:
            resolver.error("G286", f"'{item.name.text}' has {count} values, one for each {result[0]} and {result[1]}, "
                       f"expected at most {MAX_CELLS}", item.span,
                       "a smaller board, or one value for each of them alone")
    return tuple(result)
