"""Lowers terms: each becomes an IR expression, with the statements that must precede it.

`ExprLowering.value` gives numbers (cells, players, ...; none is -1), `ExprLowering.test` conditions,
`ExprLowering.cells` sets. `interpreter.semantics.evaluate` defines what they mean. What the board alone decides is a
constant; the forms of terms are in `numbers`, `conditions` and `cell_sets`. Sets, values that take a loop, and what the
board and bound names decide are statements of their own (`ir.Let`) each time they are used: `passes.tables` looks some
up, and `passes.sharing` computes equal ones once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from dsl import hir
from dsl.resolve.sorts import BOOLEAN, CELLS, NETWORK, NOTHING, Integer, Sort
from dsl.words import WORDS, Cost
from interpreter.analysis.dependence import MOVER
from interpreter.compiler import ir
from interpreter.compiler.build import NO_BITS, all_of, as_word, call, compared, element, expr, negated, truth
from interpreter.compiler.lowering import cell_sets, conditions, layout, numbers
from interpreter.compiler.lowering.bound import Bound
from interpreter.compiler.lowering.loops import Looping
from interpreter.compiler.lowering.module_builder import ModuleBuilder
from interpreter.compiler.lowering.names import FAILED, MOVER_NAME, NO_NUMBER, POSITION
from interpreter.compiler.lowering.naming import gives_of, wish_of
from interpreter.compiler.lowering.writer import Writer
from interpreter.words import MEANINGS

_PLAIN = (hir.Local, hir.Role, hir.Literal, hir.Only)
"""Terms whose values have names, or need none."""


def is_worth_a_name(term: hir.Expr) -> bool:
    """Whether a value is a set, or takes a loop."""
    if isinstance(term, _PLAIN):
        return False
    if term.sort == CELLS:
        return not isinstance(term, hir.CellSet) or len(term.items) > 1
    return any(isinstance(part, (hir.Quantified, hir.Aggregate, hir.Closure, hir.Cheapest)) or (
        isinstance(part, hir.Apply) and part.sort != CELLS and WORDS[part.function].cost >= Cost.SET)
        for part in hir.walk(term))


class ExprLowering:
    """Lowers the terms of one function of a kernel."""

    def __init__(self, program: ModuleBuilder, writer: Writer, *, mover: ir.Expr = MOVER_NAME) -> None:
        self.program = program
        self.writer = writer
        self.sets = program.sets
        self.rules, self.board, self.layout = program.rules, program.board, program.layout
        self.row: ir.Name = POSITION
        """The row that holds the position."""
        self.mover = mover
        """The player who moves: a name, or a player's number."""
        self.failing: ir.Name = POSITION
        """The row in which a failure is noted; the function's own, also where it works on a copy."""
        self.filled: set[ir.Expr] = set()
        """Chosen cells that were not empty when they were chosen."""
        self.bound: dict[int, Bound] = {}
        self.networks: dict[int, hir.Expr] = {}
        """The networks that parameters of definitions stand for."""
        self.empty: ir.Expr | None = None
        """The empty cells, where the row does not tell them."""

    # ---- used by other modules

    def name(self, value: ir.Expr, wish: str) -> ir.Expr:
        """A name for a value: the value itself where it is a name or a number."""
        return value if isinstance(value, (ir.Name, ir.Literal)) else self.writer.let(wish, value)

    def fail(self, code: str, condition: ir.Expr | None = None) -> None:
        """Write code that notes the failure of a rule, if a condition holds; the interpreter then says how it failed.

        The interpreter stops at the first failure, while a kernel goes on: later failures are not noted.
        """
        place = element(self.failing, FAILED)
        first = compared(place, "==", NO_BITS)
        noted = ir.Assign(place, as_word(self.program.failure(code)))
        self.writer.add(ir.If(first if condition is None else all_of([condition, first]), (noted,)))


    def none_of(self, sort: Sort) -> ir.Expr:
        """The value that stands for none of a sort."""
        return NO_NUMBER if isinstance(sort, Integer) else expr(-1)

    def may_be_none(self, term: hir.Expr) -> bool:
        """Whether a value may be none."""
        match term:
            case hir.Local(slot=slot):
                return slot in self.bound and self.bound[slot].may_be_none
            case hir.Literal(value=value):
                return value is None
            case hir.Variable(number=number):
                return self.rules.variables[number].or_none
            case hir.IfElse(yes=yes, no=no):
                return self.may_be_none(yes) or self.may_be_none(no)
            case hir.Let(slot=slot, value=value, body=body):
                with self.scope(slot):
                    self.bound[slot] = Bound(None, self.may_be_none(value))
                    return self.may_be_none(body)
            case hir.Apply(function=function):
                return MEANINGS[function].may_be_none(self, term)
        return False

    def below(self, term: hir.Expr, limit: int) -> bool:
        """Whether a number is certainly at least 0 and below a limit, and not none."""
        sort = term.sort
        if isinstance(term, hir.Local) and term.slot in self.bound:
            sort = self.bound[term.slot].sort or sort
        return isinstance(sort, Integer) and sort.low >= 0 and sort.high < limit and not self.may_be_none(term)

    def known(self, term: hir.Expr) -> ir.Expr:
        """A value that must not be none; a failure is noted when it is."""
        value = self.value(term)
        if not self.may_be_none(term) or term.sort == BOOLEAN:
            return value
        value = self.name(value, "value")
        self.fail("G406", compared(value, "==", self.none_of(term.sort)))
        return value

    def place(self, variable: int, index: hir.Expr | None) -> ir.Expr:
        """The place of a variable's value in a row."""
        return numbers.place(self, variable, index)

    def some_cell(self, term: hir.Expr) -> ir.Expr:
        """A cell that must not be none; a failure is noted when it is."""
        cell = self.value(term)
        if not self.may_be_none(term):
            return cell
        cell = self.name(cell, "cell")
        self.fail("G403", compared(cell, "<", 0))
        return cell

    def where(self, wish: str, condition: ir.Expr, make: Callable[[], ir.Expr]) -> ir.Expr:
        """A set where a condition holds, the empty set where it does not."""
        result = self.writer.let(wish, self.sets.nothing, self.sets.cells)
        with self.writer.when(condition):
            self.writer.assign(result, make())
        return result

    def _hooked(self, term: hir.Expr) -> ir.Expr | None:
        """The call of the hook that replaces a definition; None where there is none."""
        if term.used is None or term.used.name not in self.program.defined:
            return None
        arguments = [self.cells(part) if part.sort == CELLS else self.value(part) for part in term.used.arguments]
        return call(self.program.defined[term.used.name], self.row, self.mover, *arguments,
                    gives=gives_of(term.sort, self.sets.cells))

    def value(self, term: hir.Expr, sort: Sort | None = None) -> ir.Expr:
        """A term as a number; `sort` is the sort whose none stands for a bare `none`."""
        if term.used is not None and (hooked := self._hooked(term)) is not None:
            return hooked
        if term.sort == BOOLEAN and not isinstance(term, (hir.Local, hir.Variable, hir.Literal)):
            return ir.Conditional(self.test(term), expr(1), expr(0))
        if isinstance(term, hir.Literal):
            if term.value is None:
                return self.none_of(sort or term.sort)
            return expr(int(term.value))
        none = layout.NO_NUMBER if isinstance(sort or term.sort, Integer) else -1
        return self._found(term, none, "x", expr, lambda: numbers.number_of(term, self, sort))

    def test(self, term: hir.Expr) -> ir.Expr:
        """A term as a condition."""
        if term.used is not None and (hooked := self._hooked(term)) is not None:
            return hooked
        match term:
            case hir.Literal(value=value):
                return truth(bool(value))
            case hir.Local() | hir.Variable():
                return compared(self.value(term), ">", 0)
        return self._found(term, 0, "test", lambda value: truth(bool(value)),
                           lambda: conditions.condition_of(term, self))

    def made_cells(self, term: hir.Expr) -> ir.Expr:
        """A set of cells, lowered by its form: neither a constant nor named for reuse."""
        return cell_sets.set_of(term, self)

    def _called(self, term: hir.Expr) -> str:
        """The name to give a set."""
        match term:
            case hir.CellsOf(pieces=(piece,)):
                name = self.rules.pieces[piece].name if piece else "empty"
                return name if name.isidentifier() else "held"
            case hir.CellsOf(pieces=pieces) if len(pieces) == len(self.rules.pieces) - 1 and 0 not in pieces:
                return "occupied"
            case hir.Owned(mine=mine):
                return "mine" if mine else "theirs"
        return "cells"

    def cells(self, term: hir.Expr) -> ir.Expr:
        """A term as a set of cells."""
        if term.used is not None and (hooked := self._hooked(term)) is not None:
            return hooked
        if isinstance(term, hir.Local):
            return self.bound_value(term.slot)
        if self.empty is not None and isinstance(term, hir.CellsOf) and term.pieces == (0,):
            return self.empty
        return self._found(term, 0, self._called(term), lambda value: self.sets.constant(
            value, wish_of(term) if value else "nothing"), lambda: self.made_cells(term))

    def _found(self, term: hir.Expr, none: int, wish: str, constant: Callable[[int], ir.Expr],
               make: Callable[[], ir.Expr]) -> ir.Expr:
        """The value of a term that `make` lowers.

        It is a constant where the board alone decides it, and is named in statements of its own where that pays, or
        bound names and the board decide it.
        """
        values, fixed = self.program.values, self.fixed(term, none)
        result = values.constant(fixed)
        if result is not None:
            return constant(result)
        slots = values.terms[fixed].slots if fixed >= 0 else ()
        if not slots and not is_worth_a_name(term):
            return make()
        with self.writer.apart() as apart:
            value = make()
        if isinstance(value, ir.Name) and (value.name.isupper() or not apart.needed):
            apart.put()
            return value
        name = self.writer.fresh(wish, value.sort)
        given = tuple([self.mover if slot == MOVER else self.bound_value(slot) for slot in slots])
        self.writer.add(ir.Let(name, (*apart.statements, ir.Assign(name, value)), fixed if slots else -1, given))
        return name

    def fixed(self, term: hir.Expr, none: int = 0) -> int:
        """The number of a term that the board and bound names decide; -1 for others."""
        return self.program.values.number(term, self._sort_of, none)

    def constant_cells(self, term: hir.Expr) -> int | None:
        """The cells of a set that the board alone decides; None for others."""
        return self.program.values.constant(self.fixed(term))

    def _sort_of(self, slot: int) -> tuple[Sort | None, bool]:
        bound = self.bound.get(slot)
        return (None, False) if bound is None else (bound.sort, bound.may_be_none)

    # ---- bound names

    @contextmanager
    def scope(self, *slots: int) -> Iterator[None]:
        """Restore the bindings of some names when the block ends."""
        before = {slot: self.bound.get(slot) for slot in slots}
        yield
        for slot, bound in before.items():
            if bound is None:
                self.bound.pop(slot, None)
            else:
                self.bound[slot] = bound

    def keep(self, slot: int, term: hir.Expr, wish: str) -> None:
        """Bind a local name to the value of a term at this point."""
        none = term.sort != CELLS and self.may_be_none(term)
        value = self.writer.let(wish, self.cells(term) if term.sort == CELLS else self.value(term))
        sort = term.sort
        if isinstance(term, hir.Local) and self.bound[term.slot].sort is not None:
            sort = self.bound[term.slot].sort or sort
        self.bound[slot] = Bound(value, none, sort)

    def let(self, term: hir.Let) -> None:
        """Bind the name of a definition's parameter."""
        value: ir.Expr | None
        if term.value.sort == CELLS:
            value, none = self.name(self.cells(term.value), "cells"), False
        elif term.value.sort == NETWORK:
            self.networks[term.slot] = term.value
            value, none = None, False
        else:
            value, none = self.name(self.value(term.value), "x"), self.may_be_none(term.value)
        sort = term.value.sort
        if isinstance(term.value, hir.Local) and self.bound[term.value.slot].sort is not None:
            sort = self.bound[term.value.slot].sort or sort
        self.bound[term.slot] = Bound(value, none, None if isinstance(sort, type(NOTHING)) else sort)

    def bound_value(self, slot: int) -> ir.Expr:
        """The expression that gives the value of a bound name."""
        value = self.bound[slot].value
        assert value is not None
        return value

    def branches(self, term: hir.IfElse, wish: str, lower: Callable[[hir.Expr], ir.Expr], sort: ir.Sort) -> ir.Expr:
        """The value of one of two branches; each is computed only where it is taken."""
        condition = self.test(term.condition)
        if isinstance(condition, ir.Literal):
            return lower(term.yes if condition.value else term.no)
        result = self.writer.fresh(wish, sort)
        self.writer.open_if(condition)
        self.writer.assign(result, lower(term.yes))
        self.writer.otherwise()
        self.writer.assign(result, lower(term.no))
        self.writer.close()
        return result

    def guard(self, condition: ir.Expr) -> None:
        """Continue with the loop's next iteration unless a condition holds."""
        if condition != ir.TRUE:
            self.writer.add(ir.If(negated(condition), (ir.Continue(),)))

    def guard_all(self, term: hir.Expr | None) -> None:
        """Continue with the loop's next iteration unless a condition holds, testing its parts one after another."""
        if term is None:
            return
        parts = term.operands if isinstance(term, hir.All) else (term,)
        for part in parts:
            self.guard(self.test(part))

    def each(self, binding: hir.Binding, *, without: ir.Expr | None = None) -> Looping:
        """A loop over what a name ranges over, without some cells; an iteration goes on only where the guard holds."""
        return Looping(self, (binding.slot,), (binding.name,), binding.domain, binding.guard, without)

    def choosing(self, choice: hir.Choice) -> Looping:
        """A loop over the ways to make a choice."""
        return Looping(self, choice.slots, choice.names, choice.domain, choice.guard)
