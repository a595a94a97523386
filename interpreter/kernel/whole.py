"""Conditions on cells, asked of all cells at once: sets instead of loops, on boards where steps are shifts.

`{c in occupied where c.south is empty}` is what is occupied and one step from empty: a mask and a shift. `Whole` turns
the condition on one bound cell into the set of all cells that fulfil it, where it is made of membership of the cell, or
of cells some steps away, in sets that do not depend on it, of `and`, `or`, `not`, of quantifiers over directions and of
what a ray meets. Everything else is left to a loop. Measured: 1.5 times as fast where
pieces fall, 7 times where they turn those of a ray.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from dsl import hir
from dsl.resolve.sorts import CELL, CELLS, DIRECTION
from interpreter.analysis.dependence import free_slots

if TYPE_CHECKING:
    from interpreter.kernel.terms import Terms

MOST_WORDS = 4
"""Sets of more words are gone through: they have few cells for their size."""


class _Refused(Exception):
    """A condition that is left to a loop."""


class Whole:
    """Turns conditions on one bound cell into sets."""

    def __init__(self, terms: Terms, slot: int) -> None:
        self.terms = terms
        self.sets = terms.sets
        self.program = terms.program
        self.slot = slot
        self.names: dict[int, hir.Expr] = {}
        """Definitions' parameters that stand for other terms."""
        self.directions: dict[int, int] = {}
        """Bound directions with the one they stand for at the moment."""

    @classmethod
    def of(cls, terms: Terms, binding: hir.Binding, body: hir.Expr | None = None) -> str | None:
        """The set of what a binding ranges over and a body holds for; None where that is left to a loop."""
        if (not terms.program.passes.whole_sets or not terms.sets.by_shifts or terms.sets.words > MOST_WORDS
                or binding.domain.sort != CELLS):
            return None
        conditions = [part for part in (binding.guard, body) if part is not None]
        whole = cls(terms, binding.slot)
        if not all(whole._promising(part) for part in conditions):
            return None
        saved = terms.saved()
        depth = terms.writer.depth
        try:
            text = terms.cells(binding.domain)
            for part in conditions:
                found = whole.condition(part)
                text = terms.sets.both(text, found) if text != terms.sets.constant(terms.board.everything) else found
        except _Refused:
            assert terms.writer.depth == depth
            terms.restore(saved)
            return None
        return text

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
    def _let(self, term: hir.Let) -> Iterator[None]:
        """A parameter while its body is turned into a set."""
        if term.slot in self.names or term.slot in self.terms.bound:
            raise _Refused
        value = self._alias(term.value)
        if self._depends(value) or isinstance(value, (hir.Local, hir.Literal, hir.Role)):
            self.names[term.slot] = value
            yield
            del self.names[term.slot]
            return
        self.terms.let(term)
        yield
        del self.terms.bound[term.slot]

    # ---- conditions

    def condition(self, term: hir.Expr) -> str:
        """The cells that a condition holds for."""
        sets, terms = self.sets, self.terms
        everything = sets.constant(terms.board.everything)
        match term:
            case hir.Literal(value=value):
                return everything if value else sets.nothing
            case hir.All(operands=operands):
                return self._joined([self.condition(part) for part in operands], "and")
            case hir.Any(operands=operands):
                return self._joined([self.condition(part) for part in operands], "or")
            case hir.Not(operand=operand):
                return sets.minus(everything, self.condition(operand))
            case hir.Let():
                with self._let(term):
                    return self.condition(term.body)
            case hir.Contains(element=element, collection=collection) if collection.sort == CELLS:
                return self._arriving(element, self._set(collection))
            case hir.Exists(collection=collection):
                return self._exists(collection)
            case hir.Quantified(kind="some" | "every" | "no"):
                return self._quantified(term)
            case hir.IfElse(condition=condition, yes=yes, no=no):
                test = terms.name(self.condition(condition), "where")
                return sets.either(sets.both(test, self.condition(yes)), sets.minus(self.condition(no), test))
        if self._depends(term) or self.names or self.directions:
            raise _Refused
        result = terms.writer.fresh("where")
        terms.writer.line(f"{result} = {everything} if {terms.test(term)} else {sets.nothing}")
        return result

    def _joined(self, parts: list[str], word: str) -> str:
        text = parts[0]
        for part in parts[1:]:
            text = self.sets.both(text, part) if word == "and" else self.sets.either(text, part)
        return text

    def _set(self, term: hir.Expr) -> str:
        """A set that is the same for all cells."""
        term = self._alias(term)
        if self._depends(term):
            raise _Refused
        if isinstance(term, hir.Let):
            with self._let(term):
                return self._set(term.body)
        if any(slot in self.names or slot in self.directions for slot in free_slots(term, self.program.free)):
            raise _Refused
        return self.terms.name(self.terms.cells(term), "cells")

    def _came(self, goal: str, way: int | str) -> str:
        """The cells from which a step leads into a set."""
        if isinstance(way, int):
            return self.sets.came_from(goal, way)
        if self.sets.words > 1:
            raise _Refused
        return self.sets.came_from_any(goal, way)

    def _direction(self, term: hir.Expr) -> int | str:
        """A direction: its number, where that is known while the text is written, else a name in the text."""
        term = self._alias(term)
        if isinstance(term, hir.Literal) and isinstance(term.value, int):
            return term.value
        if isinstance(term, hir.Local) and term.slot in self.directions:
            return self.directions[term.slot]
        if isinstance(term, hir.Apply) and term.function == "opposite":
            count = len(self.terms.board.directions)
            way = self._direction(term.arguments[0])
            return (way + count // 2) % count if isinstance(way, int) else f"({way} + {count // 2}) % {count}"
        if isinstance(term, hir.Local) and term.slot in self.terms.bound and (
                not self.terms.bound[term.slot].may_be_none):
            return self.terms.bound[term.slot].name
        raise _Refused

    def _arriving(self, element: hir.Expr, goal: str) -> str:
        """The cells from which the steps of a term lead into a set."""
        element = self._alias(element)
        match element:
            case hir.Local(slot=slot) if slot == self.slot:
                return goal
            case hir.Apply(function="step", arguments=(cell, direction)):
                came = self._came(self.terms.name(goal, "goal"), self._direction(direction))
                return self._arriving(cell, came)
        raise _Refused

    def _exists(self, collection: hir.Expr) -> str:
        """The cells for which a set has an element."""
        collection = self._alias(collection)
        sets = self.sets
        match collection:
            case hir.Let():
                with self._let(collection):
                    return self._exists(collection.body)
            case hir.CellSet(items=()):
                return sets.nothing
            case hir.CellSet(items=items):
                everything = sets.constant(self.terms.board.everything)
                return self._joined([self._arriving(item, everything) if item.sort == CELL else self._exists(item)
                                     for item in items], "or")
            case hir.IfElse(condition=condition, yes=yes, no=no):
                test = self.terms.name(self.condition(condition), "where")
                return sets.either(sets.both(test, self._exists(yes)), sets.minus(self._exists(no), test))
            case hir.Apply(function="ray", arguments=(cell, direction, *rest)):
                within = self._set(rest[0]) if rest else sets.constant(self.terms.board.everything)
                return self._arriving(cell, self._came(within, self._direction(direction)))
            case hir.Comprehension(binding=binding):
                return self._met(binding, None)
        raise _Refused

    def _quantified(self, term: hir.Quantified) -> str:
        binding = term.binding
        everything = self.sets.constant(self.terms.board.everything)
        domain = self._alias(binding.domain)
        if isinstance(domain, hir.Listing) and getattr(binding.domain.sort, "element", None) == DIRECTION:
            found = [self._at(binding, term, value) for value in domain.values]
            if term.kind == "every":
                return self._joined(found, "and")
            some = self._joined(found, "or")
            return some if term.kind == "some" else self.sets.minus(everything, some)
        if binding.domain.sort == CELLS and term.kind in ("some", "no"):
            some = self._met(binding, term.body)
            return some if term.kind == "some" else self.sets.minus(everything, some)
        raise _Refused

    def _at(self, binding: hir.Binding, term: hir.Quantified, value: int) -> str:
        """What holds with a bound direction known."""
        if binding.slot in self.directions or binding.slot in self.terms.bound:
            raise _Refused
        self.directions[binding.slot] = value
        guard = None if binding.guard is None else self.terms.name(self.condition(binding.guard), "where")
        body = None if term.body is None else self.condition(term.body)
        del self.directions[binding.slot]
        if term.kind == "every":
            if guard is None or body is None:
                return body or self.sets.constant(self.terms.board.everything)
            return self.sets.either(self.sets.minus(self.sets.constant(self.terms.board.everything), guard), body)
        if guard is None or body is None:
            return guard or body or self.sets.constant(self.terms.board.everything)
        return self.sets.both(guard, body)

    def _met(self, binding: hir.Binding, body: hir.Expr | None) -> str:
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
        within = self._set(rest[0]) if rest else self.sets.constant(self.terms.board.everything)
        if any(self._depends(part) for part in (binding.guard, body) if part is not None):
            raise _Refused
        inner = Whole(self.terms, binding.slot)
        inner.directions = self.directions
        inner.names = self.names
        goals = [inner.condition(part) for part in (binding.guard, body) if part is not None]
        goal = self._joined(goals, "and") if goals else within
        if isinstance(way, str):
            raise _Refused
        found = self._arriving(cell, self._came(self.sets.seeing(way, within, goal), way))
        for let in lets:
            del self.names[let.slot]
        return found
