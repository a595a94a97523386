"""The nested loops that list the moves of one rule, as entries; see `interpreter.compiler.lowering.moves`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

from dsl import hir
from dsl.resolve.sorts import CELLS
from interpreter.compiler import ir
from interpreter.compiler.build import (
    NO_BITS,
    as_number,
    as_word,
    bit,
    call,
    compared,
    element,
    expr,
    known,
    minus,
    plus,
    popcount,
    times,
)
from interpreter.compiler.lowering.effects import Effects
from interpreter.compiler.lowering.expressions import ExprLowering
from interpreter.compiler.lowering.move_forms import FORM, LENGTH, MANY, VALUES, Form
from interpreter.compiler.lowering.names import (
    CHOICE,
    COUNT,
    ENTRIES,
    FAILED,
    LENGTH_SO_FAR,
    MOVER_NAME,
    POSITION,
    VALUES_SO_FAR,
    WORK,
)
from interpreter.compiler.lowering.suppositions import suppose

if TYPE_CHECKING:
    from interpreter.compiler.lowering.moves import Moves


class Lister:
    """Writes the nested loops that list the moves of one rule."""

    def __init__(self, moves: Moves, terms: ExprLowering, rule: int, asking: bool, *, chain: bool = False,
                 heads: bool = False) -> None:
        self.heads = heads
        self.moves, self.terms, self.rule, self.asking, self.chain = moves, terms, rule, asking, chain
        self.writer, self.sets = terms.writer, terms.sets

    def stage(self, choices: Sequence[hir.Choice], body: Sequence[hir.Effect], values: list[ir.Expr],
              depth: ir.Expr) -> None:
        """Write the loops over the choices of a stage, then those of the stages after it."""
        last = body[-1] if body else None
        if isinstance(last, hir.Then):
            self._further(choices, body, last, values, depth)
        elif isinstance(last, hir.Proceed):
            self._going_on(choices, body, last, values, depth)
        else:
            self.final(choices, values)

    def _looped(self, stack: ExitStack, choices: Sequence[hir.Choice], values: list[ir.Expr]) -> list[ir.Expr]:
        """Open the loops over some choices; return `values` with theirs added."""
        values = list(values)
        for choice in choices:
            stack.enter_context(self.terms.choosing(choice))
            names = [self.terms.bound_value(slot) for slot in choice.slots]
            suppose(self.terms, names, choice)
            values += names
        return values

    def copied(self, depth: ir.Expr, body: Sequence[hir.Effect]) -> ir.Name:
        """Carry out a stage's effects on a copy of the position; return the copy's name."""
        row = self.writer.let("after", element(WORK, depth))
        place = self.writer.fresh("k")
        with self.writer.count(place, 0, self.moves.program.layout.position + 1):
            self.writer.assign(element(row, place), element(self.terms.row, place))
        self.terms.row = row
        Effects(self.terms).block(body)
        return row

    def _further(self, choices: Sequence[hir.Choice], body: Sequence[hir.Effect], then: hir.Then,
                 values: list[ir.Expr], depth: ir.Expr) -> None:
        with ExitStack() as stack:
            values = self._looped(stack, choices, values)
            before = self.terms.row
            self.copied(depth, body)
            level = known(depth)
            deeper = plus(depth, 1) if level is None else expr(level + 1)
            self.moves.scratch = max(self.moves.scratch, known(deeper) or 0)
            test = ir.TRUE if then.condition is None else self.terms.test(then.condition)
            self._where(test, lambda: self.stage(then.choices, then.body, values, deeper), values)
            self.terms.row = before

    def _where(self, test: ir.Expr, going_on: Callable[[], None], values: list[ir.Expr]) -> None:
        """Write how a move goes on where a condition holds; elsewhere the move ends."""
        writer = self.writer
        if test == ir.TRUE:
            going_on()
            return
        if test != ir.FALSE:
            writer.open_if(test)
            going_on()
            writer.otherwise()
        if self.asking:
            writer.give(ir.TRUE)
        else:
            self._push(values, Form(self.rule))
        if test != ir.FALSE:
            writer.close()

    def _going_on(self, choices: Sequence[hir.Choice], body: Sequence[hir.Effect],
                  proceed: hir.Proceed, values: list[ir.Expr], depth: ir.Expr) -> None:
        writer, moves = self.writer, self.moves
        moves.scratch = max(moves.scratch, 2 + moves.most_chain)
        moves.prefix = moves.most_chain
        with ExitStack() as stack:
            values = self._looped(stack, choices, values)
            if self.asking:
                writer.give(ir.TRUE)
                return
            before = self.terms.row
            base = LENGTH_SO_FAR if self.chain else expr(0)
            for index, value in enumerate(values):
                at = plus(base, index) if self.chain else expr(index)
                writer.assign(element(VALUES_SO_FAR, at), value)
            row = self.copied(depth, body)
            given = [self.terms.bound_value(local.slot) for local in proceed.given]
            size = plus(LENGTH_SO_FAR, len(values)) if self.chain else expr(len(values))
            name = moves.onward(proceed, False, self.rule)
            condition = ir.TRUE if proceed.condition is None else self.terms.test(proceed.condition)
            earlier = writer.let("earlier", COUNT)
            # No constants: Numba would make a function of its own for them, which its cache cannot link.
            places = as_number(plus(depth, 1)), as_number(size)
            if condition != ir.TRUE:
                writer.open_if(condition)
            writer.assign(COUNT, call(name, row, MOVER_NAME, ENTRIES, COUNT, WORK, VALUES_SO_FAR, *places, *given,
                                      gives=ir.INT))
            if condition != ir.TRUE:
                writer.close()
            with writer.when(compared(element(row, FAILED), "!=", NO_BITS)):
                writer.assign(element(self.terms.failing, FAILED), element(row, FAILED))
                writer.give(COUNT)
            if not proceed.may_stop:
                writer.open_if(compared(COUNT, "==", earlier))
            self._push(values, Form(self.rule))
            if not proceed.may_stop:
                writer.close()
            self.terms.row = before

    def final(self, choices: Sequence[hir.Choice], values: list[ir.Expr]) -> None:
        """Write the last choices of a move: some as loops, the last as a set."""
        plan = self.moves.divided(choices)
        writer, terms = self.writer, self.terms
        with ExitStack() as stack:
            values = self._looped(stack, plan.loops, values)
            if plan.last is None:
                if self.asking:
                    writer.give(ir.TRUE)
                else:
                    self._push(values, Form(self.rule, lists=plan.lists, is_head=self.heads))
                return
            choice = plan.last
            slot, name = choice.slots[0], choice.names[0]
            if choice.domain.sort == CELLS:
                binding = hir.Binding(slot, name, choice.domain, choice.guard)
                if self.asking and choice.guard is not None:
                    stack.enter_context(terms.each(binding))
                    writer.give(ir.TRUE)
                    return
                whole = hir.Comprehension(binding, sort=CELLS, span=choice.span)
                cells = terms.name(terms.cells(whole if choice.guard is not None else choice.domain), "cells")
                if self.asking:
                    writer.add(ir.If(self.sets.some(cells), (ir.Return(ir.TRUE),)))
                    return
                self._push(values, Form(self.rule, True, 0, plan.lists, self.heads), cells)
                return
            if self.asking:
                stack.enter_context(terms.choosing(choice))
                writer.give(ir.TRUE)
                return
            result = chosen_numbers(terms, choice, plan.low)
            self._push(values, Form(self.rule, True, plan.low, plan.lists, self.heads), result, numbers=True)

    def _push_set(self, result: ir.Expr) -> None:
        """Store a set of several words in an entry."""
        if self.sets.wide:
            self.writer.evaluate(call("write", element(ENTRIES, COUNT), CHOICE, result, gives=ir.NOTHING))
            return
        for part in range(self.sets.words):
            self.writer.assign(element(ENTRIES, COUNT, plus(CHOICE, part)), as_number(element(result, part)))

    def _push(self, values: list[ir.Expr], form: Form, result: ir.Expr | None = None, *, numbers: bool = False) -> None:
        """Add an entry."""
        writer, moves = self.writer, self.moves
        of_form = moves.form(form)
        if not self.chain:
            moves.prefix = max(moves.prefix, len(values))
        many: ir.Expr = expr(form.listed)
        if result is not None:
            count = writer.let("many", popcount(result) if numbers else self.sets.count(result))
            writer.open_if(compared(count, ">", 0))
            many = count if form.listed == 1 else times(count, form.listed)
        with writer.when(compared(COUNT, ">=", minus(call("len", ENTRIES, gives=ir.INT), 3))):
            writer.assign(element(POSITION, FAILED), as_word(1))
            writer.give(COUNT)
        writer.assign(element(ENTRIES, COUNT, FORM), of_form)
        writer.assign(element(ENTRIES, COUNT, MANY), many)
        length = expr(len(values))
        writer.assign(element(ENTRIES, COUNT, LENGTH), plus(LENGTH_SO_FAR, length) if self.chain else length)
        if self.chain:
            before = writer.fresh("k")
            with writer.count(before, 0, LENGTH_SO_FAR):
                writer.assign(element(ENTRIES, COUNT, plus(VALUES, before)), element(VALUES_SO_FAR, before))
        for index, value in enumerate(values, start=VALUES):
            at = plus(index, LENGTH_SO_FAR) if self.chain else expr(index)
            writer.assign(element(ENTRIES, COUNT, at), value)
        if result is not None:
            if numbers or self.sets.words == 1:
                writer.assign(element(ENTRIES, COUNT, CHOICE), as_number(result))
                if self.sets.words > 1:
                    other = writer.fresh("other")
                    with writer.count(other, 1, self.sets.words):
                        writer.assign(element(ENTRIES, COUNT, plus(CHOICE, other)), 0)
            else:
                self._push_set(result)
        writer.update(COUNT, "+", 1)
        if result is not None:
            writer.close()


def chosen_numbers(terms: ExprLowering, choice: hir.Choice, low: int) -> ir.Name:
    """A word with a bit for each number that can be chosen, the lowest bit for `low`."""
    result = terms.writer.let("values", NO_BITS)
    with terms.choosing(choice) as value:
        terms.writer.update(result, "|", bit(minus(value, low) if low else value))
    return result
