"""Resolves calls of the functions of the language.

The words are declared in `dsl.words`, where `dsl.resolve.expressions` looks a call up; `resolved` gives its term.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import attrs

from dsl import hir
from dsl.boards.borders import BORDER, VERTEX, has_sites, sites
from dsl.resolve import cuts
from dsl.resolve.indices import all_of_index, pair
from dsl.resolve.scope import Scope, World
from dsl.resolve.sorts import (
    ANY_INTEGER,
    CELL,
    CELLS,
    COURSE,
    DIRECTION,
    LAYER,
    UNKNOWN,
    Enumerated,
    Integer,
    Kind,
    SetOf,
    Sort,
    Unknown,
)
from dsl.syntax import rules
from dsl.syntax.source import Span
from dsl.words import WORDS, Form, Word

if TYPE_CHECKING:
    from dsl.resolve.expressions import ExprResolver

MOST_OF_WAYS = 10**9
"""The maximum cost of a way: the number of cells times the maximum cost of a step."""


def as_choice(argument: rules.Argument) -> rules.Choice | None:
    """Read `c in S where P` or `c in S and T where P` as a choice; None for other arguments."""
    value = argument.value
    first, *rest = value.operands if isinstance(value, rules.AllOf) else (value,)
    if not isinstance(first, rules.IsIn) or not isinstance(first.element, rules.Name) or first.negated:
        return None
    collection = rules.AllOf((first.collection, *rest), span=value.span) if rest else first.collection
    return rules.Choice((first.element,), collection, argument.guard, span=argument.span)


def means_something(word: Word, world: World) -> bool:
    """Whether a word can be called in a game, given its board, tiles, links and the like."""
    return not (
        (word.needs_rows and not world.board.rows_and_columns)
        or (word.needs_right_angles and not world.board.right_angles)
        or (word.needs_tiles and not world.tiles)
        or (word.needs_piles and not world.piles)
        or (LAYER in word.arguments and not world.layers)
        or (word.needs_tracks and not world.courses)
        or (DIRECTION in word.arguments and not world.board.directions and not (word.on_track and world.courses))
        or (word.needs_shapes and not any(kind.shapes for kind in world.enumerations.values()))
    )


def resolved(terms: ExprResolver, node: rules.Call, word: Word) -> hir.Expr:
    """Resolve a call of a word; mistakes are reported."""
    return _RESOLVE[word.form](terms, node, word)


def _simple(terms: ExprResolver, node: rules.Call, word: Word) -> hir.Expr:
    plain = terms.arity(node, word.least, len(word.arguments), word.example)
    if plain is None:
        return terms.unknown(node.span)
    arguments: list[hir.Expr] = []
    for number, item in enumerate(plain):
        term = terms.resolve(item, word.arguments[number])
        if term.sort == COURSE and word.arguments[number] == DIRECTION and word.on_track:
            word = WORDS[word.on_track]
        if word.arguments[number] == UNKNOWN and not _is_site(terms, term):
            return terms.unknown(node.span)
        if word.of_vertex and term.sort == terms.world.enumerations.get(VERTEX):
            word = WORDS[word.of_vertex]
        arguments.append(terms.converted(term, word.arguments[number]))
        if arguments[-1].sort == UNKNOWN:
            return terms.unknown(node.span)
    if word.or_empty and len(arguments) < len(word.arguments):
        arguments.append(_free(arguments[0], word, node.span))
    led = cuts.across(terms, word, tuple(arguments), node.span)
    if led is not None:
        return led
    sort = _place_sort(terms.world, word.gives) if word.gives else word.sort_in(
        terms.world.cell_count, terms.world.piles)
    return _of_numbers(hir.Apply(word.name, tuple(arguments), sort=sort, span=node.span), word)


def _place_sort(world: World, what: str) -> Sort:
    """The sort of borders or vertices, also for a condition on a game whose file does not use them."""
    if what not in world.enumerations:
        result = world.shape and has_sites(world.board, what)
        world.enumerations[what] = Enumerated(what, sites(world.board, world.shape, what).names if result else ())
    return world.enumerations[what]


def _is_site(terms: ExprResolver, term: hir.Expr) -> bool:
    """Whether a term is a border or a vertex; other terms are reported."""
    known = [sort for name, sort in terms.world.enumerations.items() if name in (BORDER, VERTEX)]
    if isinstance(term.sort, Unknown):
        return term.sort != UNKNOWN  # a parameter's sort is open until a call gives it
    if term.sort not in known:
        terms.report("G206", f"found a {term.sort}, expected a border or a vertex", term.span,
                     "the border of a cell is 'border(c, north)'")
    return term.sort in known


def _free(origin: hir.Expr, word: Word, span: Span) -> hir.Expr:
    """The cells that a piece can move along where a call does not say: the empty ones.

    A track may come back to its origin, which counts as empty, since the piece there moves away.
    """
    empty = hir.CellsOf((0,), sort=CELLS, span=span)
    if not word.needs_tracks:
        return empty
    return hir.SetArithmetic("+", empty, hir.CellSet((origin,), sort=CELLS, span=span), sort=CELLS, span=span)


def _of_shape(terms: ExprResolver, node: rules.Call, word: Word) -> hir.Expr:
    """`laid(k, c, d, e)`, `area(k)`: functions of a value with a shape."""
    plain = terms.arity(node, word.least, len(word.arguments), word.example)
    if plain is None:
        return terms.unknown(node.span)
    kind, *others = (terms.value(item, sort) for item, sort in zip(plain, word.arguments, strict=False))
    shapes = kind.sort.shapes if isinstance(kind.sort, Enumerated) else ()
    if not isinstance(kind.sort, Unknown) and not shapes:
        terms.report("G206", f"found a {kind.sort}, expected a value with a shape", kind.span,
                     'shapes are drawn where values are declared: values tile = ell as "x./xx", bar as "xx"')
        return terms.unknown(node.span)
    if any(term.sort == UNKNOWN for term in (kind, *others)):
        return terms.unknown(node.span)
    sort = word.sort_in(terms.world.cell_count, terms.world.piles)
    if sort == UNKNOWN:
        sort = Integer(0, max(map(len, shapes), default=0))
    return hir.Apply(word.name, (kind, *others), sort=sort, span=node.span)


def _count(terms: ExprResolver, node: rules.Call, word: Word) -> hir.Expr:
    if len(node.arguments) == 1:
        argument = node.arguments[0]
        choice = as_choice(argument)
        if argument.guard is None and choice is not None and choice.names[0].text in terms.scope.names:
            choice = None
        if choice is not None and argument.loop is None:
            return _aggregate_over(terms, node, word, choice, None)
        if argument.guard is None and argument.loop is None:
            cells = terms.cells(argument.value)
            return hir.Apply(word.name, (cells,), sort=Integer(0, terms.world.cell_count), span=node.span)
    terms.report("G216", "count(...) takes one set, expected count(S) or count(c in S where P)", node.span,
                 "a number to compare with comes behind it: count(mine) = 3")
    return terms.unknown(node.span)


def _aggregate(terms: ExprResolver, node: rules.Call, word: Word) -> hir.Expr:
    """`sum(x for c in S where P)`, `sum(count)` for a variable with an index, `max(a, b)`."""
    name = node.name.text
    if len(node.arguments) == 1:
        argument = node.arguments[0]
        if isinstance(argument.loop, rules.Choice) and not argument.loop.begins:
            return _aggregate_over(terms, node, word, argument.loop, argument.value)
        value = argument.value
        if argument.guard is None and isinstance(value, rules.Name) and value.text in terms.world.variables:
            return _sum_of_variable(terms, node, word, value)
        if isinstance(value, rules.Name) and terms.world.doubtful(value.text):
            return terms.unknown(node.span)
    elif len(node.arguments) == len(word.arguments) == 2:
        plain = terms.plain(node)
        if plain is not None:
            arguments = tuple(terms.value(item, ANY_INTEGER) for item in plain)
            return _of_numbers(hir.Apply(name, arguments, sort=UNKNOWN, span=node.span), word)
    terms.report("G216", f"{name}(...) does not take this, expected {word.example}", node.span)
    return terms.unknown(node.span)


def _of_numbers(term: hir.Apply, word: Word) -> hir.Apply:
    """A call with the sort that its arguments give it, where it is a function of numbers; unknown where one of them is.
    """
    if word.of_numbers is None:
        return term
    sorts = [argument.sort for argument in term.arguments]
    known = all(isinstance(sort, Integer) for sort in sorts)
    return attrs.evolve(term, sort=word.of_numbers(*sorts) if known else UNKNOWN)


def _aggregate_over(terms: ExprResolver, node: rules.Call, word: Word, choice: rules.Choice,
                    body: rules.Expression | None) -> hir.Expr:
    inner = terms.inner()
    binding = inner.binding(choice)
    term = None
    if body is not None:
        term = inner.value(body, word.combines)
    sort = _aggregate_sort(word, term, _size(binding.domain, terms.world))
    return hir.Aggregate(word.name, binding, term, sort=sort, span=node.span)


def _aggregate_sort(word: Word, body: hir.Expr | None, size: int | None) -> Sort:
    """The sort of an aggregate over so many values; unknown where nothing is known of their number or their range."""
    if body is not None and not isinstance(word.combines, Integer):
        return word.combines
    if size is None:
        return UNKNOWN
    if body is None:
        return Integer(0, size)
    return word.over(body.sort, size) if isinstance(body.sort, Integer) else UNKNOWN


def _closure(terms: ExprResolver, node: rules.Call, word: Word) -> hir.Expr:
    """`reached(S for x from T where P)`: the closure of T under adding S for each cell x in it that fulfils P."""
    argument = node.arguments[0] if len(node.arguments) == 1 else None
    if argument is None or not isinstance(argument.loop, rules.Choice) or not argument.loop.begins:
        terms.report("G216", f"{word.name}(...) does not take this, expected {word.example}", node.span,
                     "'x' is each cell that is come to, the first ones stand behind 'from'")
        return terms.unknown(node.span)
    start, world = terms.cells(argument.loop.domain), terms.world
    inner = terms.inner()
    local = inner.scope.bind(argument.loop.names[0], CELL, world)
    guard = None if argument.loop.guard is None else inner.condition(argument.loop.guard)
    binding = hir.Binding(local.slot, local.name, _everywhere(world, node.span), guard)
    return hir.Closure(start, binding, inner.value(argument.value, CELLS), sort=CELLS, span=node.span)


def _everywhere(world: World, span: Span) -> hir.Expr:
    """All cells; on an unbounded board those of the window."""
    if not world.board.bounded:
        return hir.CellsOf(tuple(range(len(world.pieces))), sort=CELLS, span=span)
    return hir.Region("cells", sort=CELLS, span=span)


def _way(terms: ExprResolver, node: rules.Call, word: Word) -> hir.Expr:
    """`cheapest(E for x to y in A where P from S to T)`: the minimum total cost of steps that lead from S to T."""
    argument = node.arguments[0] if len(node.arguments) == 1 else None
    if argument is None or not isinstance(argument.loop, rules.Way):
        terms.report("G216", f"{word.name}(...) does not take this, expected {word.example}", node.span,
                     "first what a step costs, then 'for x to y in S': from a cell x to the cells y of a set, and then "
                     "'from S to T': between which sets")
        return terms.unknown(node.span)
    way, world = argument.loop, terms.world
    start, goal = terms.cells(way.start), terms.cells(way.goal)
    inner = terms.inner()
    origin = inner.scope.bind(way.origin, CELL, world)
    domain = inner.cells(way.domain)
    step = inner.scope.bind(way.step, CELL, world)
    guard = None if way.guard is None else inner.condition(way.guard)
    cost = inner.value(argument.value, ANY_INTEGER)
    if not isinstance(cost.sort, Integer):
        return terms.unknown(node.span)
    if cost.sort.low < 0:
        terms.report("G299", f"a step may cost {cost.sort.low}, expected 0 or more", argument.value.span,
                     "write max(0, ...) where it never is less, or add a number to the cost of every step")
        return terms.unknown(node.span)
    most = world.cell_count * max(1, cost.sort.high)
    if most > MOST_OF_WAYS:
        terms.report("G299", f"a step may cost {cost.sort.high}, expected at most {MOST_OF_WAYS // world.cell_count} "
                     f"on {world.cell_count} cells", argument.value.span, "write min(..., 100) with the greatest cost")
        return terms.unknown(node.span)
    return hir.Cheapest(
        start, goal, hir.Binding(origin.slot, origin.name, _everywhere(world, node.span), None),
        hir.Binding(step.slot, step.name, domain, guard), cost, sort=Integer(0, most), span=node.span)


def _size(domain: hir.Expr, world: World) -> int | None:
    """The maximum number of elements of a domain; None for the parameter of a definition or effect by itself."""
    match domain:
        case hir.Listing(values=values):
            return len(values)
        case hir.Expr(sort=SetOf(element=element)):
            return world.value_count(element)
    return None


def _sum_of_variable(terms: ExprResolver, node: rules.Call, word: Word, name: rules.Name) -> hir.Expr:
    world = terms.world
    number = world.variables[name.text]
    world.used.add(name.text)
    kind = world.variable_kinds[number]
    if not kind.index or not isinstance(kind.sort, Integer):
        terms.report("G216", f"{node.name.text}({name.text}) needs numbers, one for each cell, row, ...", node.span)
        return terms.unknown(node.span)
    bindings, locals_ = list[hir.Binding](), list[hir.Expr]()
    for index in kind.indices:
        domain = index_domain(index, terms, node.span)
        assert isinstance(domain.sort, SetOf)
        slot = terms.scope.fresh()
        bindings.append(hir.Binding(slot, index, domain, None))
        locals_.append(hir.Local(slot, index, sort=domain.sort.element, span=node.span))
    at = locals_[0] if len(locals_) == 1 else pair(locals_[0], locals_[1], kind, world, node.span)
    result: hir.Expr = hir.Variable(number, at, sort=kind.sort, span=node.span)
    for binding in reversed(bindings):
        sort = _aggregate_sort(word, result, _size(binding.domain, world))
        result = hir.Aggregate(word.name, binding, result, sort=sort, span=node.span)
    return result


def index_domain(index: str, terms: ExprResolver, span: Span) -> hir.Expr:
    """The set of all values of a variable's index."""
    return type(terms)(terms.world, Scope()).domain(rules.Name(all_of_index(index), span=span))[0]


def _kind(terms: ExprResolver, node: rules.Call, word: Word) -> hir.Expr:
    plain = terms.arity(node, word.least, len(word.arguments), word.example)
    piece = terms.unknown(node.span) if plain is None else terms.value(plain[0], word.arguments[0])
    if piece.sort == UNKNOWN:
        return piece
    return hir.Apply(node.name.text, (piece,), sort=Kind("kind", hir.kinds_of(terms.world.pieces)), span=node.span)


_RESOLVE: dict[Form, Callable[[ExprResolver, rules.Call, Word], hir.Expr]] = {
    Form.PLAIN: _simple, Form.COUNT: _count, Form.AGGREGATE: _aggregate, Form.CLOSURE: _closure,
    Form.WAY: _way, Form.KIND: _kind, Form.SHAPE: _of_shape}
