"""Conditions on cells, asked of all cells at once: sets instead of loops, on boards where steps are shifts.

`{c in occupied where c.south is empty}` is what is occupied and one step from empty: a mask and a shift. `Whole` turns
the condition on one bound cell into the set of all cells that fulfil it, where it is made of membership of the cell, or
of cells some steps away, in sets that do not depend on it, of `and`, `or`, `not`, of quantifiers over directions and of
what a ray meets. Everything else is left to a loop. First it is found out whether all of a condition is so, which gives
a plan; only then the plan is carried out, which makes statements. Measured: 1.5 times as fast where pieces fall, 7
times where they turn those of a ray.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from typing import TYPE_CHECKING

from dsl import hir
from dsl.resolve.sorts import CELL, CELLS, DIRECTION
from interpreter.analysis.dependence import free_slots
from interpreter.compiler import ir
from interpreter.compiler.build import binary, compared, negated, plus
from interpreter.compiler.lowering.bound import Bound
from interpreter.compiler.lowering.conditions import RELATIONS
from interpreter.compiler.lowering.failing import compared_in, may_fail

if TYPE_CHECKING:
    from interpreter.compiler.lowering.expressions import ExprLowering

MOST_WORDS = 4
"""Sets of more words are gone through: they have few cells for their size."""


Plan = Callable[[], ir.Expr]
"""Makes a set, with the statements that must stand before it."""
Way = int | Plan
"""A direction: its number, or what gives it."""


class _Refused(Exception):
    """A condition that is left to a loop."""


class Whole:
    """Turns conditions on one bound cell into sets."""

    def __init__(self, terms: ExprLowering, slot: int) -> None:
        self.terms = terms
        self.sets = terms.sets
        self.program = terms.program
        self.slot = slot
        self.names: dict[int, hir.Expr] = {}
        """Definitions' parameters that stand for other terms."""
        self.directions: dict[int, int] = {}
        """Bound directions with the one they stand for at the moment."""

    @classmethod
    def of(cls, terms: ExprLowering, binding: hir.Binding, body: hir.Expr | None = None) -> ir.Expr | None:
        """The set of what a binding ranges over and a body holds for; None where that is left to a loop."""
        if (not terms.program.passes.whole_sets or not terms.sets.by_shifts or terms.sets.words > MOST_WORDS
                or binding.domain.sort != CELLS):
            return None
        conditions = [part for part in (binding.guard, body) if part is not None]
        whole = cls(terms, binding.slot)
        if not all(whole._promising(part) for part in conditions):
            return None
        if any(may_fail(terms, part, compared=compared_in(part)) for part in conditions):
            return None  # rules ask it of the cells alone that come to it, perhaps of none
        try:
            plans = [whole.condition(part) for part in conditions]
        except _Refused:
            return None
        cells = terms.cells(binding.domain)
        for plan in plans:
            found = plan()
            cells = found if cells == terms.sets.everything else terms.sets.both(cells, found)
        return cells

    # ---- what a condition depends on

    def _depends(self, node: object) -> bool:
        """Whether a term's value differs from cell to cell."""
        for slot in free_slots(node, self.program.free):
            if slot == self.slot:
                return True
            if slot in self.names and self._depends(self.names[slot]):
                return True
        return False

    def _promising(self, node: object) -> bool:
        """Whether there is nothing in a condition that is always refused, so that trying is worth its time."""
        return not any(isinstance(part, (hir.Only, hir.NoMoves)) for part in hir.walk(node))

    def _alias(self, term: hir.Expr) -> hir.Expr:
        while isinstance(term, hir.Local) and term.slot in self.names:
            term = self.names[term.slot]
        return term

    @contextmanager
    def _let(self, term: hir.Let) -> Iterator[Callable[[Plan], Plan]]:
        """A parameter while a plan for its body is made; what binds it when that plan is carried out."""
        terms = self.terms
        if term.slot in self.names or term.slot in terms.bound:
            raise _Refused
        value = self._alias(term.value)
        if self._depends(value) or isinstance(value, (hir.Local, hir.Literal, hir.Role)):
            self.names[term.slot] = value
            yield lambda plan: plan
            del self.names[term.slot]
            return

        def binding(plan: Plan) -> Plan:
            def made() -> ir.Expr:
                terms.let(term)
                found = plan()
                del terms.bound[term.slot]
                return found

            return made

        terms.bound[term.slot] = Bound(None, term.value.sort != CELLS and terms.may_be_none(term.value))
        try:
            yield binding
        finally:
            del terms.bound[term.slot]

    # ---- conditions

    def condition(self, term: hir.Expr) -> Plan:
        """The cells that a condition holds for. Raises _Refused."""
        sets, terms = self.sets, self.terms
        match term:
            case hir.Literal(value=value):
                return lambda: sets.everything if value else sets.nothing
            case hir.All(operands=operands):
                return self._joined([self.condition(part) for part in operands], sets.both)
            case hir.Any(operands=operands):
                return self._joined([self.condition(part) for part in operands], sets.either)
            case hir.Not(operand=operand):
                return self._others(self.condition(operand))
            case hir.Let():
                with self._let(term) as bound:
                    return bound(self.condition(term.body))
            case hir.Contains(element=element, collection=collection) if collection.sort == CELLS:
                return self._arriving(element, self._set(collection))
            case hir.Exists(collection=collection):
                return self._exists(collection)
            case hir.Quantified(kind="some" | "every" | "no"):
                return self._quantified(term)
            case hir.IfElse(condition=condition, yes=yes, no=no):
                return self._either(self.condition(condition), self.condition(yes), self.condition(no))
        if self._depends(term) or self.names or self.directions:
            raise _Refused
        return lambda: terms.writer.let("where", ir.Conditional(terms.test(term), sets.everything, sets.nothing))

    def _joined(self, plans: Sequence[Plan], join: Callable[[ir.Expr, ir.Expr], ir.Expr]) -> Plan:
        return lambda: reduce(join, [plan() for plan in plans])

    def _others(self, plan: Plan) -> Plan:
        """All cells but those of a set."""
        return lambda: self.sets.minus(self.sets.everything, plan())

    def _either(self, condition: Plan, yes: Plan, no: Plan) -> Plan:
        """Of one set the cells for which a condition holds, of another those for which it does not."""
        sets = self.sets

        def made() -> ir.Expr:
            test = self.terms.name(condition(), "where")
            return sets.either(sets.both(test, yes()), sets.minus(no(), test))

        return made

    def _set(self, term: hir.Expr) -> Plan:
        """A set that is the same for all cells."""
        term = self._alias(term)
        if self._depends(term):
            raise _Refused
        if isinstance(term, hir.Let):
            with self._let(term) as bound:
                return bound(self._set(term.body))
        if any(slot in self.names or slot in self.directions for slot in free_slots(term, self.program.free)):
            raise _Refused
        return lambda: self.terms.name(self.terms.cells(term), "cells")

    def _came(self, goal: Plan, way: Way) -> Plan:
        """The cells from which a step leads into a set."""
        if isinstance(way, int):
            return lambda: self.sets.came_from(goal(), way)
        if self.sets.words > 1:
            raise _Refused
        return lambda: self.sets.came_from_any(goal(), way())

    def _direction(self, term: hir.Expr) -> Way:
        """A direction: its number, where that is known when a kernel is made, else what gives it then."""
        term = self._alias(term)
        if isinstance(term, hir.Literal) and isinstance(term.value, int):
            return term.value
        if isinstance(term, hir.Local) and term.slot in self.directions:
            return self.directions[term.slot]
        if isinstance(term, hir.Apply) and term.function == "opposite":
            count = len(self.terms.board.directions)
            way = self._direction(term.arguments[0])
            if isinstance(way, int):
                return (way + count // 2) % count
            return lambda: binary("%", plus(way(), count // 2), count)
        if isinstance(term, hir.Local) and term.slot in self.terms.bound and (
                not self.terms.bound[term.slot].may_be_none):
            slot = term.slot
            return lambda: self.terms.bound_value(slot)
        raise _Refused

    def _arriving(self, element: hir.Expr, goal: Plan) -> Plan:
        """The cells from which the steps of a term lead into a set."""
        element = self._alias(element)
        match element:
            case hir.Local(slot=slot) if slot == self.slot:
                return goal
            case hir.Apply(function="step", arguments=(cell, direction)):
                came = self._came(lambda: self.terms.name(goal(), "goal"), self._direction(direction))
                return self._arriving(cell, came)
        raise _Refused

    def _exists(self, collection: hir.Expr) -> Plan:
        """The cells for which a set has an element."""
        collection = self._alias(collection)
        sets = self.sets
        match collection:
            case hir.Let():
                with self._let(collection) as bound:
                    return bound(self._exists(collection.body))
            case hir.CellSet(items=()):
                return lambda: sets.nothing
            case hir.CellSet(items=items):
                return self._joined([self._arriving(item, self._anywhere) if item.sort == CELL else self._exists(item)
                                     for item in items], sets.either)
            case hir.IfElse(condition=condition, yes=yes, no=no):
                return self._either(self.condition(condition), self._exists(yes), self._exists(no))
            case hir.Apply(function="ray", arguments=(cell, direction, *rest)):
                within = self._set(rest[0]) if rest else self._anywhere
                return self._arriving(cell, self._came(within, self._direction(direction)))
            case hir.Comprehension(binding=binding):
                return self._met(binding, None)
        raise _Refused

    def _anywhere(self) -> ir.Expr:
        return self.sets.everything

    def _quantified(self, term: hir.Quantified) -> Plan:
        binding = term.binding
        domain = self._alias(binding.domain)
        if isinstance(domain, hir.Listing) and getattr(binding.domain.sort, "element", None) == DIRECTION:
            found = [self._at(binding, term, value) for value in domain.values]
            if term.kind == "every":
                return self._joined(found, self.sets.both)
            some = self._joined(found, self.sets.either)
            return some if term.kind == "some" else self._others(some)
        if binding.domain.sort == CELLS and term.kind in ("some", "no"):
            some = self._met(binding, term.body)
            return some if term.kind == "some" else self._others(some)
        raise _Refused

    def _at(self, binding: hir.Binding, term: hir.Quantified, value: int) -> Plan:
        """What holds with a bound direction known."""
        if binding.slot in self.directions or binding.slot in self.terms.bound:
            raise _Refused
        self.directions[binding.slot] = value
        guard = None if binding.guard is None else self.condition(binding.guard)
        body = None if term.body is None else self.condition(term.body)
        del self.directions[binding.slot]
        if guard is None:
            return body or self._anywhere
        sets, terms, given = self.sets, self.terms, guard

        def made() -> ir.Expr:
            where = terms.name(given(), "where")
            if body is None:
                return sets.everything if term.kind == "every" else where
            held = body()
            return sets.either(sets.minus(sets.everything, where), held) if term.kind == "every" else (
                sets.both(where, held))

        return made

    def _met(self, binding: hir.Binding, body: hir.Expr | None) -> Plan:
        """The cells for which a ray meets a cell that conditions hold for."""
        domain = binding.domain
        lets: list[hir.Let] = []
        while True:
            domain = self._alias(domain)
            if not isinstance(domain, hir.Let):
                break
            lets.append(domain)
            domain = domain.body
        if not (isinstance(domain, hir.Apply) and domain.function == "ray"):
            raise _Refused
        for let in lets:
            if let.slot in self.names:
                raise _Refused
            self.names[let.slot] = self._alias(let.value)
        cell, direction, *rest = domain.arguments
        way = self._direction(direction)
        within = self._set(rest[0]) if rest else self._anywhere
        conditions = [part for part in (binding.guard, body) if part is not None]
        if not isinstance(way, int) or any(map(self._depends, conditions)):
            raise _Refused
        inner = Whole(self.terms, binding.slot)
        inner.directions = self.directions
        inner.names = self.names
        goals = [inner.condition(part) for part in conditions]
        seen = self._seeing(way, within, self._joined(goals, self.sets.both) if goals else None)
        found = self._arriving(cell, self._came(seen, way))
        for let in lets:
            del self.names[let.slot]
        return found

    def _seeing(self, way: int, within: Plan, goals: Plan | None) -> Plan:
        """The cells of a set from which one comes, going a way inside the set, to a goal in it."""
        def made() -> ir.Expr:
            inside = within()
            return self.sets.seeing(way, inside, inside if goals is None else goals())

        return made


def condition(term: hir.Expr, terms: ExprLowering) -> ir.Expr | None:
    """Whether some cell, no cell, or so many cells fulfil a condition, asked of all at once; None where that is left to
    a loop."""
    if not isinstance(term, hir.Quantified) or term.kind == "every":
        return None
    cells = Whole.of(terms, term.binding, term.body)
    if cells is None:
        return None
    if term.kind in ("some", "no"):
        found = terms.sets.some(cells)
        return found if term.kind == "some" else negated(found)
    return compared(terms.sets.count(cells), RELATIONS[term.kind], term.number)


def cells(term: hir.Expr, terms: ExprLowering) -> ir.Expr | None:
    """The cells that fulfil a condition, asked of all at once; None where that is left to a loop."""
    if not isinstance(term, hir.Comprehension) or term.binding.guard is None:
        return None
    return Whole.of(terms, term.binding)
