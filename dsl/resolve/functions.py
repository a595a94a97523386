"""The functions of the language: how each call is resolved.

`FUNCTIONS` is the table; `dsl.resolve.expressions` looks a call up in it, the interpreter has a table of the same
names, and the language book shows each with its example.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import attrs

from dsl import hir
from dsl.resolve.scope import Scope, World
from dsl.resolve.sorts import (
    ANY_INTEGER,
    BOOLEAN,
    CELL,
    CELLS,
    DIRECTION,
    LAYER,
    NETWORK,
    PIECE,
    PLAYER,
    UNKNOWN,
    Integer,
    SetOf,
    Sort,
    join,
)
from dsl.syntax import rules
from dsl.syntax.source import Span

if TYPE_CHECKING:
    from dsl.resolve.expressions import ExprResolver


def as_choice(argument: rules.Argument) -> rules.Choice | None:
    """`c in S where P`, `c in S and T where P` read as a choice, where an argument can be read so."""
    value = argument.value
    first, *rest = value.operands if isinstance(value, rules.AllOf) else (value,)
    if not isinstance(first, rules.IsIn) or not isinstance(first.element, rules.Name) or first.negated:
        return None
    collection = rules.AllOf((first.collection, *rest), span=value.span) if rest else first.collection
    return rules.Choice((first.element,), collection, argument.guard, span=argument.span)



@attrs.frozen
class Function:
    """A function of the language: how its call is resolved, and an example for messages and the docs."""

    resolve: Callable[[ExprResolver, rules.Call, Function], hir.Expr]
    example: str
    arguments: tuple[Sort, ...] = ()
    """Sorts of the arguments; those past `least` may be left out."""
    least: int = 0
    result: Callable[[World], Sort] = lambda world: UNKNOWN
    needs_rows: bool = False
    boards: tuple[str, ...] = ()
    """The kinds of board it means something on; () for all."""
    needs_tiles: bool = False

    def means_something(self, world: World) -> bool:
        """Whether it can be called in a game: on its board, with its tiles and links."""
        return not (
            (self.needs_rows and not world.words_of_board.rows_and_columns)
            or (self.boards and world.board not in self.boards)
            or (self.needs_tiles and not world.tiles)
            or (LAYER in self.arguments and not world.layers)
        )


def _simple(terms: ExprResolver, node: rules.Call, function: Function) -> hir.Expr:
    plain = terms.arity(node, function.least, len(function.arguments), function.example)
    if plain is None:
        return terms.unknown(node.span)
    arguments: list[hir.Expr] = []
    for item, sort in zip(plain, function.arguments, strict=False):
        arguments.append(terms.value(item, sort))
        if arguments[-1].sort == UNKNOWN:
            return terms.unknown(node.span)
    return hir.Apply(node.name.text, tuple(arguments), sort=function.result(terms.world), span=node.span)


def _count(terms: ExprResolver, node: rules.Call, function: Function) -> hir.Expr:
    if len(node.arguments) == 1:
        argument = node.arguments[0]
        choice = as_choice(argument)
        if argument.guard is None and choice is not None and choice.names[0].text in terms.scope.names:
            choice = None
        if choice is not None and argument.loop is None:
            return _aggregate_over(terms, node, choice, None)
        if argument.guard is None and argument.loop is None:
            cells = terms.cells(argument.value)
            return hir.Apply("count", (cells,), sort=Integer(0, terms.world.cell_count), span=node.span)
    terms.report("G216", "count(...) takes one set, expected count(S) or count(c in S where P)", node.span,
                 "a number to compare with comes behind it: count(mine) = 3")
    return terms.unknown(node.span)


def _aggregate(terms: ExprResolver, node: rules.Call, function: Function) -> hir.Expr:
    """`sum(x for c in S where P)`, `sum(count)` for a variable with an index, `max(a, b)`."""
    name = node.name.text
    if len(node.arguments) == 1:
        argument = node.arguments[0]
        if argument.loop is not None:
            return _aggregate_over(terms, node, argument.loop, argument.value)
        value = argument.value
        if argument.guard is None and isinstance(value, rules.Name) and value.text in terms.world.variables:
            return _sum_of_variable(terms, node, value)
    elif len(node.arguments) == 2 and name in ("min", "max"):
        plain = terms.plain(node)
        if plain is not None:
            left, right = (terms.value(item, ANY_INTEGER) for item in plain)
            return hir.Apply(name, (left, right), sort=join(left.sort, right.sort), span=node.span)
    terms.report("G216", f"{name}(...) does not take this, expected {function.example}", node.span)
    return terms.unknown(node.span)


def _aggregate_over(terms: ExprResolver, node: rules.Call, choice: rules.Choice,
                    body: rules.Expression | None) -> hir.Expr:
    kind = node.name.text
    inner = terms.inner()
    binding = inner.binding(choice)
    term = None
    if body is not None:
        term = inner.value(body, CELLS if kind == "union" else ANY_INTEGER)
    sort = _aggregate_sort(kind, term, _size(binding.domain, terms.world))
    return hir.Aggregate(kind, binding, term, sort=sort, span=node.span)


def _aggregate_sort(kind: str, body: hir.Expr | None, size: int) -> Sort:
    if kind == "union":
        return CELLS
    if kind == "count" or body is None:
        return Integer(0, size)
    if not isinstance(body.sort, Integer):
        return UNKNOWN
    if kind == "sum":
        return Integer(min(0, body.sort.low * size), max(0, body.sort.high * size))
    return Integer(min(0, body.sort.low), max(0, body.sort.high))  # 0 for the smallest and largest of nothing


def _size(domain: hir.Expr, world: World) -> int:
    """How many elements a domain can have at most."""
    match domain:
        case hir.Listing(values=values):
            return len(values)
        case hir.Numbers(sort=SetOf(element=Integer(low=low, high=high))):
            return high - low + 1
    return world.cell_count


def _sum_of_variable(terms: ExprResolver, node: rules.Call, name: rules.Name) -> hir.Expr:
    world = terms.world
    number = world.variables[name.text]
    world.used.add(name.text)
    kind = world.variable_kinds[number]
    if not kind.index or not isinstance(kind.sort, Integer):
        terms.report("G216", f"{node.name.text}({name.text}) needs numbers, one for each cell, row, ...", node.span)
        return terms.unknown(node.span)
    domain = index_domain(kind.index, terms, node.span)
    assert isinstance(domain.sort, SetOf)
    slot = terms.scope.fresh()
    local = hir.Local(slot, kind.index, sort=domain.sort.element, span=node.span)
    body = hir.Variable(number, local, sort=kind.sort, span=node.span)
    sort = _aggregate_sort(node.name.text, body, _size(domain, world))
    return hir.Aggregate(node.name.text, hir.Binding(slot, kind.index, domain, None), body, sort=sort,
                             span=node.span)


def index_domain(index: str, terms: ExprResolver, span: Span) -> hir.Expr:
    """All values of a variable's index."""
    world = terms.world
    names = {"cell": "cells", "row": "rows", "column": "columns", "player": "players", "direction": "directions",
             "piece": "pieces"}
    return type(terms)(world, Scope()).domain(rules.Name(names.get(index, index), span=span))[0]


_ROW = Integer(-(10**9), 10**9, "row")
_COLUMN = Integer(-(10**9), 10**9, "column")


def _fixed(sort: Sort) -> Callable[[World], Sort]:
    return lambda world: sort


FUNCTIONS: dict[str, Function] = {
    "cell": Function(_simple, "cell(0, k)", (_ROW, _COLUMN), 2, _fixed(CELL), True),
    "row": Function(_simple, "row(r)", (_ROW,), 1, _fixed(CELLS), True),
    "column": Function(_simple, "column(k)", (_COLUMN,), 1, _fixed(CELLS), True),
    "neighbours": Function(_simple, "neighbours(c)", (CELLS,), 1, _fixed(CELLS)),
    "degree": Function(_simple, "degree(c)", (CELL,), 1, lambda world: Integer(0, world.cell_count - 1)),
    "ray": Function(_simple, "ray(c, north) or ray(c, d, empty)", (CELL, DIRECTION, CELLS), 2, _fixed(CELLS)),
    "group": Function(_simple, "group(c, mine) or group(top, mine)", (CELLS, NETWORK), 2, _fixed(CELLS)),
    "leap": Function(_simple, "leap(c, 1, 2)", (CELL, ANY_INTEGER, ANY_INTEGER), 3, _fixed(CELLS),
                     boards=("square", "unbounded square")),
    "opposite": Function(_simple, "opposite(d)", (DIRECTION,), 1, _fixed(DIRECTION)),
    "piece": Function(_simple, "piece(c)", (CELL,), 1, _fixed(PIECE)),
    "joined": Function(_simple, "joined(red, top, bottom)", (NETWORK, *[CELLS] * 6), 3, _fixed(BOOLEAN)),
    "distance": Function(_simple, "distance(red, top, bottom, empty)", (NETWORK, CELLS, CELLS, CELLS), 4,
                         lambda world: Integer(0, world.cell_count)),
    "arrivals": Function(_simple, "arrivals(red, top, bottom, empty)", (NETWORK, CELLS, CELLS, CELLS), 4,
                         _fixed(CELLS)),
    "ways": Function(_simple, "ways(red, top, bottom, empty)", (NETWORK, CELLS, CELLS, CELLS), 4, _fixed(CELLS)),
    "loop": Function(_simple, "loop(red)", (NETWORK,), 1, _fixed(BOOLEAN)),
    "spans": Function(_simple, "spans(red, 8)", (NETWORK, ANY_INTEGER), 2, _fixed(BOOLEAN),
                      boards=("square", "unbounded square")),
    "free": Function(_simple, "free(c, n, bridge)", (CELL, CELL, LAYER), 3, _fixed(BOOLEAN)),
    "linked": Function(_simple, "linked(c, n, bridge)", (CELL, CELL, LAYER), 3, _fixed(BOOLEAN)),
    "linked_to": Function(_simple, "linked_to(c, bridge)", (CELL, LAYER), 2, _fixed(CELLS)),
    "facing": Function(_simple, "facing(c, d)", (CELL, DIRECTION), 2, _fixed(PLAYER), needs_tiles=True),
    "line": Function(_simple, "line(mine, 3)", (CELLS, ANY_INTEGER), 2, _fixed(BOOLEAN)),
    "lines": Function(_simple, "lines(mine, 3)", (CELLS, ANY_INTEGER), 2, _fixed(CELLS)),
    "abs": Function(_simple, "abs(a - b)", (ANY_INTEGER,), 1, _fixed(Integer(0, 10**9))),
    "count": Function(_count, "count(mine) or count(c in mine where P)"),
    "sum": Function(_aggregate, "sum(count[c] for c in mine) or sum(count)"),
    "min": Function(_aggregate, "min(a, b) or min(count[c] for c in mine)"),
    "max": Function(_aggregate, "max(a, b) or max(count[c] for c in mine)"),
    "union": Function(_aggregate, "union(ray(c, d) for d in directions)"),
}
