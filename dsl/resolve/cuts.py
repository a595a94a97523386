"""Resolves steps between cells on a board that is cut: `board square(9, 9) cut by wall`.

No step leads across a border where the variable holds: `c.north` is none there, and words that lead from a cell to
neighbouring cells do not cross it. All of it is expressed by existing terms: `c.north` is `c.north` of the whole board
where the border between is open, `ray` and `reach` are closures of such steps, networks are `S cut by wall`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from dsl import hir
from dsl.boards.borders import BORDER
from dsl.diagnostics import error
from dsl.resolve.scope import World
from dsl.resolve.sorts import BOOLEAN, CELL, CELLS, DIRECTION, Integer, SetOf
from dsl.syntax import rules
from dsl.syntax.source import Span
from dsl.words import Across, Word

if TYPE_CHECKING:
    from dsl.resolve.declarations import DeclarationResolver
    from dsl.resolve.expressions import ExprResolver


def declare_cut(resolver: DeclarationResolver) -> None:
    """Cut the world's board from now on, where the file says so; declarations resolved before are not cut."""
    for item in resolver.all(rules.Board):
        if item.cut is not None:
            resolver.world.cut = condition_of_borders(resolver.world, item.cut)


def condition_of_borders(world: World, name: rules.Name) -> int | None:
    """The number of a variable that can cut cells from each other; None, with an error, for any other name."""
    number = world.variables.get(name.text)
    kind = None if number is None else world.variable_kinds[number]
    if kind is None or kind.index != BORDER or kind.sort != BOOLEAN or kind.or_none:
        world.report(error("G285", f"'{name.text}' is no condition of borders, expected the name of one", name.span,
                           help=f"it is declared by: var {name.text}[border] in boolean"))
        return None
    world.used.add(name.text)
    return number


def step(terms: ExprResolver, cell: hir.Expr, direction: hir.Expr, span: Span) -> hir.Expr:
    """`c.d`: none where the border between is closed. Steps in diagonal directions cross no border."""
    board, number = terms.world.board, terms.world.cut
    straight = board.direction_sets[board.neighbouring]
    corner = isinstance(direction, hir.Literal) and board.directions[direction.value or 0] not in straight
    if number is None or corner:
        return hir.Apply("step", (cell, direction), sort=CELL, span=span)

    def found(cell: hir.Expr, direction: hir.Expr) -> hir.Expr:
        sort = terms.world.enumerations[BORDER]
        border = hir.Apply("border", (cell, direction), sort=sort, span=span)
        there = hir.Comparison("!=", border, hir.Literal(None, sort=sort, span=span), sort=BOOLEAN, span=span)
        shut = hir.All((there, hir.Variable(number, border, sort=BOOLEAN, span=span)), sort=BOOLEAN, span=span)
        onward = hir.Apply("step", (cell, direction), sort=CELL, span=span)
        return hir.IfElse(shut, hir.Literal(None, sort=CELL, span=span), onward, sort=CELL, span=span)

    return _once(terms, (cell, direction), found, span)


def _once(terms: ExprResolver, values: Sequence[hir.Expr], body: Callable[..., hir.Expr], span: Span) -> hir.Expr:
    """Apply a function to terms, each of which is evaluated once."""
    named: list[hir.Expr] = []
    lets: list[tuple[int, hir.Expr]] = []
    for value in values:
        if isinstance(value, (hir.Local, hir.Literal, hir.CellsOf, hir.Owned, hir.Region)):
            named.append(value)
            continue
        lets.append((terms.scope.fresh(), value))
        named.append(hir.Local(lets[-1][0], "", sort=value.sort, span=span))
    result = body(*named)
    for slot, value in reversed(lets):
        result = hir.Let(slot, value, result, sort=result.sort, span=span)
    return result


def across(terms: ExprResolver, word: Word, arguments: tuple[hir.Expr, ...], span: Span) -> hir.Expr | None:
    """Resolve a call on a board that is cut; None where the board is not cut, or the word ignores borders."""
    if terms.world.cut is None or word.across is None:
        return None
    return _READ[word.across](terms, arguments, span)


def _neighbours(terms: ExprResolver, arguments: tuple[hir.Expr, ...], span: Span) -> hir.Expr:
    """The neighbours of each cell, except those across a closed border."""
    (cells,), world = arguments, terms.world
    number = world.cut
    assert number is not None
    straight = tuple(map(world.board.directions.index, world.board.direction_sets[world.board.neighbouring]))
    at = hir.Local(terms.scope.fresh(), "", sort=CELL, span=span)
    way = hir.Local(terms.scope.fresh(), "", sort=DIRECTION, span=span)
    border = hir.Apply("border", (at, way), sort=world.enumerations[BORDER], span=span)
    ways = hir.Binding(way.slot, "", hir.Listing(straight, sort=SetOf(DIRECTION), span=span),
                       hir.Variable(number, border, sort=BOOLEAN, span=span))
    beyond = hir.Aggregate("union", ways, _one(hir.Apply("step", (at, way), sort=CELL, span=span)), sort=CELLS,
                           span=span)
    near = hir.Apply("neighbours", (_one(at),), sort=CELLS, span=span)
    around = hir.SetArithmetic("-", near, beyond, sort=CELLS, span=span)
    return hir.Aggregate("union", hir.Binding(at.slot, "", cells, None), around, sort=CELLS, span=span)


def _degree(terms: ExprResolver, arguments: tuple[hir.Expr, ...], span: Span) -> hir.Expr:
    near = _neighbours(terms, (_one(arguments[0]),), span)
    return hir.Apply("count", (near,), sort=Integer(0, terms.world.cell_count), span=span)


def _ray(terms: ExprResolver, arguments: tuple[hir.Expr, ...], span: Span) -> hir.Expr:
    """The cells from the next one on, as long as there is one and it is in the set."""
    def found(cell: hir.Expr, direction: hir.Expr, *within: hir.Expr) -> hir.Expr:
        def onward(origin: hir.Expr) -> hir.Expr:
            ahead: hir.Expr = _one(step(terms, origin, direction, span))
            for cells in within:
                ahead = hir.SetArithmetic("and", ahead, cells, sort=CELLS, span=span)
            return ahead

        at = hir.Local(terms.scope.fresh(), "", sort=CELL, span=span)
        return hir.Closure(onward(cell), _from_anywhere(at), onward(at), sort=CELLS, span=span)

    return _once(terms, arguments, found, span)


def _next(terms: ExprResolver, arguments: tuple[hir.Expr, ...], span: Span) -> hir.Expr:
    """The cell a number of steps away, where the cut board has a way there: it is on a ray, or no step is made."""
    if len(arguments) == 2:
        return step(terms, *arguments, span)

    def found(cell: hir.Expr, direction: hir.Expr, number: hir.Expr) -> hir.Expr:
        back = hir.Apply("opposite", (direction,), sort=DIRECTION, span=span)
        near: hir.Expr = _one(cell)
        for way in (direction, back):
            near = hir.SetArithmetic("+", near, _ray(terms, (cell, way), span), sort=CELLS, span=span)

        def there(target: hir.Expr) -> hir.Expr:
            led = hir.Contains(target, near, sort=BOOLEAN, span=span)
            return hir.IfElse(led, target, hir.Literal(None, sort=CELL, span=span), sort=CELL, span=span)

        return _once(terms, (hir.Apply("next", (cell, direction, number), sort=CELL, span=span),), there, span)

    return _once(terms, arguments, found, span)


def _reach(terms: ExprResolver, arguments: tuple[hir.Expr, ...], span: Span) -> hir.Expr:
    """The cells from the next one on as long as they are in the set, and the first that is not."""
    def found(cell: hir.Expr, direction: hir.Expr, through: hir.Expr) -> hir.Expr:
        at = hir.Local(terms.scope.fresh(), "", sort=CELL, span=span)
        free = hir.Contains(at, through, sort=BOOLEAN, span=span)
        return hir.Closure(_one(step(terms, cell, direction, span)), _from_anywhere(at, free),
                           _one(step(terms, at, direction, span)), sort=CELLS, span=span)

    return _once(terms, arguments, found, span)


def _sight(terms: ExprResolver, arguments: tuple[hir.Expr, ...], span: Span) -> hir.Expr:
    """The one cell in reach that is not empty."""
    empty = hir.CellsOf((0,), sort=CELLS, span=span)
    occupied = hir.CellsOf(tuple(range(1, len(terms.world.pieces))), sort=CELLS, span=span)
    seen = hir.SetArithmetic("and", _reach(terms, (*arguments, empty), span), occupied, sort=CELLS, span=span)
    return hir.Apply("the", (seen,), sort=CELL, span=span)


def _one(cell: hir.Expr) -> hir.CellSet:
    return hir.CellSet((cell,), sort=CELLS, span=cell.span)


def _from_anywhere(at: hir.Local, guard: hir.Expr | None = None) -> hir.Binding:
    return hir.Binding(at.slot, "", hir.Region("cells", sort=CELLS, span=at.span), guard)


_READ: dict[Across, Callable[[ExprResolver, tuple[hir.Expr, ...], Span], hir.Expr]] = {
    Across.NEAR: _neighbours, Across.NUMBER: _degree, Across.AHEAD: _next, Across.ONWARD: _ray, Across.PAST: _reach,
    Across.SEEN: _sight}
