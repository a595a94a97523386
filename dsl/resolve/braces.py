"""Resolves braces: sets of cells, or lists of values of any other sort.

`{a, b, S}` of cells is a set of cells. Braces around directions, players, pieces, words, numbers or conditions list
values to choose from and to test with `in`. Where all are constants other than numbers, they become a `hir.Listing`;
else a `hir.Listed`, which `wider` and `contains` resolve: a name ranges over all possible values, with the condition
that it is one of those listed, and a membership test compares with each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from dsl import hir
from dsl.resolve.functions import as_choice
from dsl.resolve.scope import World
from dsl.resolve.sorts import (
    BOOLEAN,
    CELL,
    CELLS,
    PIECE,
    Boolean,
    Direction,
    Enumerated,
    Integer,
    Player,
    SetOf,
    Sort,
    Unknown,
    fits,
    join,
)
from dsl.syntax import rules
from dsl.syntax.source import Span
from dsl.words import WORDS

if TYPE_CHECKING:
    from dsl.resolve.expressions import ExprResolver

_LISTED = (Player, Direction, Enumerated, Integer, Boolean)
"""Sorts whose values cannot mean cells, as in `{north, east}`."""
_PLAIN = (hir.Local, hir.Literal, hir.Role)
"""Terms that may be evaluated repeatedly, without a slot for their value."""


def braces(resolver: ExprResolver, node: rules.Braces, wanted: Sort | None) -> hir.Expr:
    """`{c in S where P}`, `{a, b, S}` or `{north, opposite(d)}`."""
    if any(item.loop is not None for item in node.items):
        resolver.report("G212", "found 'for' inside braces, expected {c in S where P} or {a, b}", node.span)
        return resolver.unknown(node.span)
    if len(node.items) == 1 and (choice := as_choice(node.items[0])) is not None:
        return _comprehension(resolver, node, choice)
    for item in node.items:
        if item.guard is not None:
            resolver.report("G212", "found 'where' in a list, expected {c in S where P} or {a, b}", item.span)
    element = wanted.element if isinstance(wanted, SetOf) else None
    items = [_item(resolver, item.value, element) for item in node.items]
    listed: Sort | None = next((sort for item in items if isinstance(sort := _one(item.sort), _LISTED)), None)
    if listed is None and element != CELL and items and all(_one(item.sort) == PIECE for item in items):
        listed = PIECE
    if listed is None and element is not None and element != CELL and not isinstance(element, Unknown) and items:
        listed = element
    if listed is None:
        return hir.CellSet(tuple(resolver.converted(item, CELLS) for item in items), sort=CELLS, span=node.span)
    return _listing(resolver, listed, items, node)


def _comprehension(resolver: ExprResolver, node: rules.Braces, choice: rules.Choice) -> hir.Expr:
    inner = resolver.inner()
    binding = inner.binding(choice)
    if fits(inner.scope.names[binding.name].sort, CELL):
        return hir.Comprehension(binding, sort=CELLS, span=node.span)
    resolver.report("G206", "found a set of other things in braces, expected cells", node.span,
                    "choose with the condition itself: 'd in directions where P'")
    return resolver.unknown(node.span)


def _item(resolver: ExprResolver, node: rules.Expression, element: Sort | None) -> hir.Expr:
    """Resolve an item of braces whose elements have the given sort; of any sort where that is None."""
    if element == PIECE:
        return resolver.either(node) or resolver.resolve(node, PIECE)
    return resolver.resolve(node, CELLS if element == CELL else element)


def _one(sort: Sort) -> Sort:
    """The sort of a value, or of the elements of a set other than of cells."""
    return sort.element if isinstance(sort, SetOf) and sort != CELLS else sort


def _listing(resolver: ExprResolver, sort: Sort, items: Sequence[hir.Expr], node: rules.Braces) -> hir.Expr:
    """A list of values of the given sort."""
    fixed: set[int] = set()
    result: list[hir.Expr] = []
    for item in items:
        if isinstance(item, hir.Listing) and item.sort == SetOf(sort):
            fixed.update(item.values)
            result += [hir.Literal(value, sort=sort, span=item.span) for value in item.values]
            continue
        if isinstance(item, hir.Listed) and fits(item.sort, SetOf(sort)):
            result += item.items
            continue
        if isinstance(item.sort, SetOf) and item.sort != CELLS and fits(item.sort.element, sort):
            resolver.report("G250", f"found a {item.sort} in braces, expected values one by one", item.span,
                            "a range of numbers is chosen from as it is: 'n in 1..3'")
            return resolver.unknown(node.span)
        term = resolver.converted(item, sort)
        if isinstance(term.sort, Unknown):
            return resolver.unknown(node.span)
        if isinstance(term, hir.Literal) and term.value is not None:
            fixed.add(term.value)
        result.append(term)
    if isinstance(sort, Integer):
        for term in result:
            sort = join(sort, term.sort)
    elif all(isinstance(term, hir.Literal) and term.value is not None for term in result):
        return hir.Listing(tuple(sorted(fixed)), sort=SetOf(sort), span=node.span)
    return hir.Listed(tuple(result), sort=SetOf(sort), span=node.span)


def as_cells(resolver: ExprResolver, term: hir.Expr) -> hir.Expr:
    """The cells that hold one of the pieces in braces; any other set is unchanged."""
    match term:
        case hir.Listing(values=values, sort=SetOf(element=element)) if element == PIECE:
            return hir.CellsOf(values, sort=CELLS, span=term.span)
        case hir.Listed(items=items, sort=SetOf(element=element)) if element == PIECE:
            return hir.CellSet(tuple(resolver.converted(item, CELLS) for item in items), sort=CELLS, span=term.span)
        case hir.IfElse(condition=condition, yes=yes, no=no) if term.sort == SetOf(PIECE):
            return hir.IfElse(condition, as_cells(resolver, yes), as_cells(resolver, no), sort=CELLS, span=term.span)
    return term


# ---- choosing and testing


def leaves(term: hir.Expr) -> Iterator[hir.Expr]:
    """The sets that a conditional set chooses from."""
    match term:
        case hir.IfElse(yes=yes, no=no):
            yield from leaves(yes)
            yield from leaves(no)
        case hir.Let(body=body):
            yield from leaves(body)
        case _:
            yield term


def wider(resolver: ExprResolver, domain: hir.Expr) -> hir.Expr | None:
    """All possible elements of a set whose elements depend on the position; None for other sets."""
    result = list(leaves(domain))
    if not all(isinstance(leaf, (hir.Listing, hir.Listed, hir.Numbers)) for leaf in result) or (
            len(result) == 1 and not isinstance(result[0], hir.Listed)):
        return None
    assert isinstance(domain.sort, SetOf)
    element = domain.sort.element
    if isinstance(element, Integer):
        bounds = [leaf.sort.element for leaf in result if isinstance(leaf.sort, SetOf)]
        low = min((sort.low for sort in bounds if isinstance(sort, Integer)), default=0)
        high = max((sort.high for sort in bounds if isinstance(sort, Integer)), default=0)
        ends = (hir.Literal(value, sort=Integer(value, value), span=domain.span) for value in (low, high))
        return hir.Numbers(*ends, sort=SetOf(Integer(low, high, element.role)), span=domain.span)
    values: set[int] = set()
    for leaf in result:
        if isinstance(leaf, hir.Listing):
            values.update(leaf.values)
        elif isinstance(leaf, hir.Listed):
            for item in leaf.items:
                values.update(_possible(item, resolver.world))
    return hir.Listing(tuple(sorted(values)), sort=domain.sort, span=domain.span)


def _possible(term: hir.Expr, world: World) -> Iterator[int]:
    """The possible values of a term that is not a number."""
    match term:
        case hir.Literal(value=value):
            yield from () if value is None else (value,)
        case hir.OwnPiece(pieces=pieces):
            yield from pieces
        case hir.IfElse(yes=yes, no=no):
            yield from _possible(yes, world)
            yield from _possible(no, world)
        case hir.Let(body=body):
            yield from _possible(body, world)
        case _:
            yield from range(world.value_count(term.sort) or 0)


def contains(element: hir.Expr, collection: hir.Expr, span: Span, world: World,
             fresh: Callable[[], int]) -> hir.Expr:
    """A membership test; for a conditional set, one for each branch."""
    if collection.sort != CELLS:
        match collection:
            case hir.IfElse(condition=condition, yes=yes, no=no):
                yes, no = (contains(element, part, span, world, fresh) for part in (yes, no))
                return hir.IfElse(condition, yes, no, sort=BOOLEAN, span=span)
            case hir.Let(slot=slot, value=value, body=body):
                test = contains(element, body, span, world, fresh)
                return hir.Let(slot, value, test, sort=BOOLEAN, span=span)
            case hir.Listed():
                return _is_listed(element, collection, span, world, fresh)
    return hir.Contains(element, collection, sort=BOOLEAN, span=span)


def _is_listed(element: hir.Expr, collection: hir.Listed, span: Span, world: World,
               fresh: Callable[[], int]) -> hir.Expr:
    """A test whether a value is one of those listed; none is in no set."""
    if not isinstance(element, _PLAIN) and len(collection.items) > 1:
        slot = fresh()
        local = hir.Local(slot, "value", sort=element.sort, span=element.span)
        test = _any_of(local, collection, span, world, doubtful=_perhaps_none(element, world))
        return hir.Let(slot, element, test, sort=BOOLEAN, span=span)
    return _any_of(element, collection, span, world, doubtful=_perhaps_none(element, world))


def _any_of(element: hir.Expr, collection: hir.Listed, span: Span, world: World, *, doubtful: bool) -> hir.Expr:
    nothing = hir.Literal(None, sort=element.sort, span=span)
    some = hir.Comparison("!=", element, nothing, sort=BOOLEAN, span=span)
    fixed = [item.value for item in collection.items if isinstance(item, hir.Literal) and item.value is not None]
    tests: list[hir.Expr] = []
    if fixed and not isinstance(element.sort, Integer):
        listing = hir.Listing(tuple(sorted(set(fixed))), sort=collection.sort, span=collection.span)
        tests.append(hir.Contains(element, listing, sort=BOOLEAN, span=span))
        fixed.clear()
    for item in collection.items:
        if isinstance(item, hir.Literal) and (item.value is None or not isinstance(element.sort, Integer)):
            continue
        test: hir.Expr = hir.Comparison("=", element, item, sort=BOOLEAN, span=item.span)
        if doubtful and _perhaps_none(item, world):
            test = hir.All((some, test), sort=BOOLEAN, span=item.span)
        tests.append(test)
    if len(tests) == 1:
        return tests[0]
    return hir.Any(tuple(tests), sort=BOOLEAN, span=span) if tests else hir.Literal(0, sort=BOOLEAN, span=span)


def _perhaps_none(term: hir.Expr, world: World) -> bool:
    """Whether a part of a term may be none, so that the term may be."""
    for part in hir.walk(term):
        match part:
            case hir.Local() | hir.Literal(value=None):
                return True
            case hir.Apply(sort=sort) if sort == PIECE:
                return True
            case hir.Variable(number=number) if world.variable_kinds[number].or_none:
                return True
            case hir.Apply(function=function) if WORDS[function].may_be_none:
                return True
    return False
