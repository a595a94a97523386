"""Resolves conditions: comparisons, membership, quantifiers and connectives."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from dsl import hir
from dsl.resolve import cuts, kinds
from dsl.resolve.braces import contains
from dsl.resolve.sort_help import is_in_help
from dsl.resolve.sorts import (
    ANY_INTEGER,
    BOOLEAN,
    CELL,
    CELLS,
    NETWORK,
    NOTHING,
    PIECE,
    PLAYER,
    SETLIKE,
    UNKNOWN,
    Integer,
    Kind,
    SetOf,
    Sort,
    Unknown,
    fits,
)
from dsl.syntax import rules
from dsl.words import WORDS

if TYPE_CHECKING:
    from dsl.resolve.expressions import ExprResolver

_ORDER = ("<", "<=", ">", ">=")


def negation(resolver: ExprResolver, node: rules.Negation, wanted: Sort | None) -> hir.Expr:
    """`not P`."""
    return hir.Not(resolver.condition(node.operand), sort=BOOLEAN, span=node.span)


def comparison(resolver: ExprResolver, node: rules.Compare, wanted: Sort | None) -> hir.Expr:
    """A comparison of two values."""
    left = resolver.resolve(node.left, CELLS if isinstance(node.left, rules.Braces) else None)
    if left.sort == PIECE and (either := resolver.either(node.right)) is not None and node.operator not in _ORDER:
        test: hir.Expr = hir.Contains(left, either, sort=BOOLEAN, span=node.span)
        return test if node.operator == "=" else hir.Not(test, sort=BOOLEAN, span=node.span)
    right = resolver.resolve(node.right, left.sort)
    if left.sort != right.sort and (right.sort == PIECE or isinstance(right.sort, Kind)) and isinstance(
            node.left, rules.Name):
        left = resolver.resolve(node.left, right.sort)
    if left.sort == NETWORK:
        left = resolver.converted(left, CELLS)
    if right.sort == NOTHING and _on_a_chosen_cell(resolver, left):
        resolver.report("G206", "what stands on a chosen cell is never none, expected 'empty'", node.right.span,
                    "that nothing stands there is 'c is empty'", "empty")
        return resolver.unknown(node.span)
    for side in (left, right):
        if isinstance(side.sort, SetOf) and side.sort != CELLS:
            resolver.report("G251", f"a {side.sort} is compared, expected a value", side.span,
                            "a set of values is chosen from, and asked with 'in': 'd in {north, east}'")
            return resolver.unknown(node.span)
    if node.operator in _ORDER:
        left, right = resolver.converted(left, ANY_INTEGER), resolver.converted(right, ANY_INTEGER)
    elif isinstance(left.sort, type(NOTHING)):
        left = resolver.converted(left, right.sort)
    else:
        right = resolver.converted(right, left.sort)
    return hir.Comparison(node.operator, left, right, sort=BOOLEAN, span=node.span)


def _on_a_chosen_cell(resolver: ExprResolver, term: hir.Expr) -> bool:
    """Whether a term is `piece(c)` of a cell that was chosen from a set, which is never none."""
    match term:
        case hir.Apply(function=function, arguments=(hir.Local(name=name, slot=slot),)):
            return WORDS[function].stands and name in resolver.scope.names and slot in resolver.scope.chosen
    return False


def is_in(resolver: ExprResolver, node: rules.IsIn, wanted: Sort | None) -> hir.Expr:
    """`x in y`, `x is y`."""
    element = resolver.resolve(node.element, None)
    if (test := kinds.asked(resolver, element, node)) is not None:
        return _perhaps_negated(test, node)
    if isinstance(element.sort, Unknown):
        collection = resolver.resolve(node.collection, None)
        if element.sort == UNKNOWN and not isinstance(collection.sort, SetOf):
            return resolver.unknown(node.span)  # the sort of the set is not known
        if not isinstance(collection.sort, SetOf):
            collection = resolver.converted(collection, CELLS)
    elif element.sort == CELL:
        collection = resolver.converted(resolver.resolve(node.collection, CELLS), CELLS)
    else:
        collection = resolver.resolve(node.collection, SetOf(element.sort))
        if collection.sort != UNKNOWN and element.sort != UNKNOWN and not (
            isinstance(collection.sort, SetOf) and fits(element.sort, collection.sort.element)
        ):
            phrase = f"found a {element.sort} in a {collection.sort}, expected a cell in a set of cells or a " \
                     "value in a set of its sort"
            if not isinstance(collection.sort, SetOf) and element.sort != PIECE:
                shown = "none" if collection.sort == NOTHING else f"a {collection.sort}"
                phrase = f"found {shown} after 'is' or 'in', expected a set"
            elif element.sort == PIECE:
                phrase = "found a piece before 'is' or 'in', expected a cell"
            none = "that there is nothing is 'c.north = none' of a cell, 'no S' of a set"
            resolver.report("G206", phrase, node.span, none if collection.sort == NOTHING else is_in_help(element.sort))
            return resolver.unknown(node.span)
    return _perhaps_negated(contains(element, collection, node.span, resolver.world, resolver.scope.fresh), node)


def _perhaps_negated(test: hir.Expr, node: rules.IsIn) -> hir.Expr:
    return hir.Not(test, sort=BOOLEAN, span=node.span) if node.negated else test


def all_of(resolver: ExprResolver, node: rules.AllOf, wanted: Sort | None) -> hir.Expr:
    """`P and Q` for conditions, or the intersection of sets."""
    braces = isinstance(node.operands[0], rules.Braces)
    first = resolver.resolve(node.operands[0], CELLS if braces else wanted)
    if isinstance(first.sort, Unknown):  # unknown whether sets or conditions
        for operand in node.operands[1:]:
            resolver.resolve(operand, None)
        return resolver.unknown(node.span)
    if first.sort in SETLIKE and not (first.sort == PIECE and wanted == BOOLEAN):
        result = resolver.converted(first, CELLS)
        for operand in node.operands[1:]:
            result = hir.SetArithmetic("and", result, resolver.cells(operand), sort=CELLS, span=node.span)
        return result
    rest = [_condition_after(resolver, before, operand) for before, operand in pairwise(node.operands)]
    return hir.All((resolver.converted(first, BOOLEAN), *rest), sort=BOOLEAN, span=node.span)


def _condition_after(resolver: ExprResolver, before: rules.Expression, operand: rules.Expression) -> hir.Expr:
    """A condition after `and` or `or`; a value after a condition gets help, as it was probably meant to continue it."""
    inner = operand.operand if isinstance(operand, rules.Negation) else operand
    term = resolver.resolve(inner, BOOLEAN)
    help_text = ""
    if isinstance(before, rules.SetTest) and term.sort in SETLIKE:
        help_text = f"'{before.kind} (S and T)' with brackets tests what is in both sets"
    elif isinstance(before, (rules.IsIn, rules.Compare)) and (
            term.sort in (*SETLIKE, PLAYER) or isinstance(term.sort, Integer)):
        help_text = "'and' and 'or' join whole conditions: 'c is top or c is bottom', 'n = 1 or n = 2'"
    if help_text:
        resolver.report("G206", f"found a {term.sort}, expected a condition", term.span, help_text)
        return resolver.unknown(term.span)
    term = resolver.converted(term, BOOLEAN)
    return hir.Not(term, sort=BOOLEAN, span=operand.span) if inner is not operand else term


def any_of(resolver: ExprResolver, node: rules.AnyOf, wanted: Sort | None) -> hir.Expr:
    """`P or Q`."""
    first = resolver.condition(node.operands[0])
    rest = [_condition_after(resolver, before, operand) for before, operand in pairwise(node.operands)]
    if wanted != BOOLEAN and UNKNOWN in (first.sort, *(term.sort for term in rest)):
        return resolver.unknown(node.span)
    return hir.Any((first, *rest), sort=BOOLEAN, span=node.span)


def quantifier(resolver: ExprResolver, node: rules.Quantifier, wanted: Sort | None) -> hir.Expr:
    """`some`, `every`, `no`, `exactly n` and the like."""
    inner = resolver.inner()
    choice = rules.Choice((node.name,), node.domain, node.guard, span=node.name.span)
    binding = inner.binding(choice)
    body = None if node.body is None else inner.condition(node.body)
    if (node.kind, node.number) == ("exactly", 1):
        element = inner.scope.names[binding.name].sort
        resolver.scope.places[f"that {node.name.text}"] = node.name.span
        resolver.scope.those[node.name.text] = hir.Only(binding, body, sort=element, span=node.span)
    return hir.Quantified(node.kind, node.number, binding, body, sort=BOOLEAN, span=node.span)


def set_test(resolver: ExprResolver, node: rules.SetTest, wanted: Sort | None) -> hir.Expr:
    """`some S`, `no S`."""
    test: hir.Expr = hir.Exists(resolver.cells(node.operand), sort=BOOLEAN, span=node.span)
    return hir.Not(test, sort=BOOLEAN, span=node.span) if node.kind == "no" else test


def linked(resolver: ExprResolver, node: rules.Linked, wanted: Sort | None) -> hir.Expr:
    """`S linked by road`: cells as a network, joined by links of one kind."""
    cells = resolver.cells(node.cells)
    layer = resolver.world.layers.get(node.layer.text)
    if layer is None:
        resolver.world.unknown(node.layer, iter(resolver.world.layers), "kind of link")
        return resolver.unknown(node.span)
    resolver.world.used.add(node.layer.text)
    return hir.Linked(cells, layer, sort=NETWORK, span=node.span)


def cut(resolver: ExprResolver, node: rules.Cut, wanted: Sort | None) -> hir.Expr:
    """`S cut by wall`: cells joined to their neighbours, except across borders where a variable holds."""
    cells = resolver.cells(node.cells)
    number = cuts.condition_of_borders(resolver.world, node.variable)
    if number is None:
        return resolver.unknown(node.span)
    return hir.Cut(cells, number, sort=NETWORK, span=node.span)


def no_moves(resolver: ExprResolver, node: rules.NoMoves, wanted: Sort | None) -> hir.Expr:
    """A test that the player to move, or any player, has no moves."""
    if not resolver.scope.in_end:
        resolver.report("G213", "'no moves' can only stand in 'win', 'lose' and 'draw' rules", node.span,
                     "moves and forced rules cannot depend on which moves there are")
        return resolver.unknown(node.span)
    return hir.NoMoves(node.anyone, sort=BOOLEAN, span=node.span)

