"""Terms that depend on nothing but the board and one or two bound values: tables, filled by the interpreter."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import TYPE_CHECKING

from dsl import hir
from dsl.resolve.sorts import CELLS, Integer
from dsl.words import WORDS, Cost
from interpreter.analysis.dependence import MOVER, depends_on
from interpreter.compiler import ir
from interpreter.compiler.build import binary, element, expr, plus, times
from interpreter.compiler.lowering.naming import wish_of
from interpreter.errors import RuleError
from interpreter.model.ranges import values_of

if TYPE_CHECKING:
    from interpreter.compiler.lowering.expressions import ExprLowering


_MOST_COMPUTED = 20_000
"""Tables are filled for so many combinations of bound values at most."""
_MUCH = 9
"""Numbers and conditions of so many parts are looked up as well."""
_MOST_TABLE = 120_000
"""Tables have so many words at most: Numba does not keep what uses larger ones (a million bytes) on disk."""


def _values_of(terms: ExprLowering, slot: int) -> range | None:
    """The values that a bound name can have, none left out; None where that is not known or there are too many."""
    if slot == MOVER:
        return range(len(terms.rules.players))
    bound = terms.bound.get(slot)
    found = None if bound is None else values_of(bound.sort, terms.rules, terms.board)
    return None if found is None or len(found) > _MOST_COMPUTED else found


def _computed(terms: ExprLowering, term: hir.Expr, most: int) -> tuple[list[int], list[range], list[object]] | None:
    """The slots of a fixed term, their values, and the term's value for each combination."""
    if isinstance(term, (hir.Local, hir.Role, hir.Literal)) or not terms.program.passes.tables:
        return None
    slots = depends_on(term, terms.program.dependence)
    if slots is None or len(slots) > 2:
        return None
    order = sorted(slots)
    ranges, nones = [], set()
    for slot in order:
        found = _values_of(terms, slot)
        if found is None or not found:
            return None
        if slot in terms.bound and terms.bound[slot].may_be_none:
            if isinstance(terms.bound[slot].sort, Integer):
                return None
            nones.add(slot)
            found = range(-1, found.stop)
        ranges.append(found)
    many = 1
    for values in ranges:
        many *= len(values)
    if many > most:
        return None
    key = id(term), tuple(ranges)
    if key not in terms.program.computed:
        terms.program.computed[key] = (term, _evaluated(terms, term, order, ranges, nones))
    results = terms.program.computed[key][1]
    return None if results is None else (order, ranges, results)


def _evaluated(terms: ExprLowering, term: hir.Expr, order: list[int], ranges: list[range],
               nones: set[int]) -> list[object] | None:
    slots = hir.slots_of(term) + 1 + max(order, default=0)
    function = terms.program.evaluator.compile(term)
    table = terms.program.bare_table()
    values = []
    try:
        for combination in product(*ranges):
            bound: list[int | None] = [None] * slots
            table.mover = 0
            for slot, value in zip(order, combination, strict=True):
                if slot == MOVER:
                    table.mover = value
                else:
                    bound[slot] = None if value == -1 and slot in nones else value
            values.append(function(table, bound))
    except (RuleError, IndexError, TypeError, ValueError):
        return None
    return values


def _index(terms: ExprLowering, order: list[int], ranges: list[range]) -> ir.Expr:
    index: ir.Expr | None = None
    for slot, values in zip(order, ranges, strict=True):
        own = terms.mover if slot == MOVER else terms.bound_value(slot)
        if values.start:
            own = binary("-" if values.start > 0 else "+", own, abs(values.start))
        index = own if index is None else plus(times(index, len(values)), own)
    return expr(0) if index is None else index


def tabled(terms: ExprLowering, term: hir.Expr, number: Callable[[object], int]) -> ir.Expr | None:
    """A fixed number or condition as a table's entry; None where the term is simpler or not fixed."""
    if isinstance(term, hir.Apply) and WORDS[term.function].cost is Cost.ENTRY:
        return None
    found = _computed(terms, term, _MOST_COMPUTED)
    if found is None:
        return None
    order, ranges, values = found
    numbers = [number(value) for value in values]
    if all(value == numbers[0] for value in numbers):
        return expr(numbers[0])
    if ranges and not _takes_long(term) and sum(1 for _ in hir.walk(term)) < _MUCH:
        return None
    return element(terms.program.tables.numbers(wish_of(term), numbers), _index(terms, order, ranges))


def fixed_cells(terms: ExprLowering, term: hir.Expr) -> ir.Expr | None:
    """A fixed set; None where the term is not fixed."""
    place = fixed_place(terms, term)
    if place is None:
        return None
    if isinstance(place, int):
        return terms.sets.constant(place, wish_of(term)) if place else terms.sets.nothing
    return terms.given_name(term, wish_of(term), lambda: terms.sets.of_table(*place))


def fixed_place(terms: ExprLowering, term: hir.Expr) -> int | tuple[str, ir.Expr] | None:
    """A constant set, or the table of sets and the index in it; None where a term is not fixed."""
    if isinstance(term, hir.Region):
        return terms.board.regions[term.name]
    found = _computed(terms, term, min(_MOST_COMPUTED, _MOST_TABLE // terms.sets.words))
    if found is None:
        return None
    order, ranges, values = found
    sets = [value if isinstance(value, int) else 0 for value in values]
    if all(cells == sets[0] for cells in sets):
        return sets[0]
    return terms.sets.table(wish_of(term), sets), _index(terms, order, ranges)


def _takes_long(term: hir.Expr) -> bool:
    """Whether a number or condition is better looked up than computed."""
    return any(isinstance(part, hir.Binding) or (isinstance(part, hir.Expr) and part.sort == CELLS)
               for part in hir.walk(term))
