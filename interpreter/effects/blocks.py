"""Effects that contain others: for each element, by a condition, by a named rule of effects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dsl import hir
from dsl.resolve.sorts import CELLS, Integer
from interpreter.analysis.change import Change
from interpreter.compiler import ir
from interpreter.compiler.build import NO_BITS, all_of, any_of, binary, bit, compared, has_bit, minus
from interpreter.compiler.lowering.bound import Bound as BoundName
from interpreter.compiler.lowering.errors import NotLowered
from interpreter.effects.meaning import Action, EffectMeaning
from interpreter.model.state import WorkingState
from interpreter.semantics.functions import Bound

if TYPE_CHECKING:
    from interpreter.analysis.movement import Look
    from interpreter.analysis.symmetry_proof import Key, Renaming
    from interpreter.analysis.termination import Watch
    from interpreter.compiler.lowering.effects import Effects as EffectsLowering
    from interpreter.compiler.lowering.expressions import ExprLowering
    from interpreter.semantics.effects import Effects

_MOST_CHOSEN = 4096
"""The most numbers over which a lowered `each` may have a condition; the ones that meet it are marked in words of 64.
"""


class _Each(EffectMeaning[hir.Each]):
    """`each c in S where P:`; all elements are collected before the first effect."""

    def action(self, effects: Effects, effect: hir.Each) -> Action:
        values, slot = effects.evaluator.bound_values(effect.binding), effect.binding.slot
        body = effects.block(effect.body)

        def each(table: WorkingState, bound: Bound) -> None:
            for value in list(values(table, bound)):
                bound[slot] = value
                body(table, bound)

        return each

    def write(self, effects: EffectsLowering, effect: hir.Each) -> None:
        terms, binding = effects.terms, effect.binding
        if binding.guard is not None and binding.domain.sort == CELLS:
            comprehension = hir.Comprehension(binding, sort=CELLS, span=effect.span)
            result = terms.name(terms.cells(comprehension), "found")
            slot = _free_slot(terms)
            domain: hir.Expr = hir.Local(slot, "found", sort=CELLS, span=effect.span)
            bare = hir.Binding(binding.slot, binding.name, domain, None)
            with terms.scope(slot, binding.slot):
                terms.bound[slot] = BoundName(result)
                self._write(effects, bare, effect.body)
        elif binding.guard is not None:
            self._write_listed(effects, effect)
        else:
            self._write(effects, binding, effect.body)

    def _write(self, effects: EffectsLowering, binding: hir.Binding, body: Sequence[hir.Effect]) -> None:
        terms = effects.terms
        if binding.domain.sort == CELLS:
            cells = terms.name(terms.cells(binding.domain), "cells")
            slot = _free_slot(terms)
            terms.bound[slot] = BoundName(cells)
            domain: hir.Expr = hir.Local(slot, "cells", sort=CELLS, span=binding.domain.span)
            binding = hir.Binding(binding.slot, binding.name, domain, None)
        with terms.each(binding):
            effects.block(body)

    def _write_listed(self, effects: EffectsLowering, effect: hir.Each) -> None:
        """Write `each` over numbers with a condition: first mark the numbers that meet it in words, then loop."""
        terms, writer, binding = effects.terms, effects.writer, effect.binding
        low, count = 0, 0
        match binding.domain:
            case hir.Listing(values=values):
                low, count = min(values), max(values) - min(values) + 1
            case hir.Numbers(low=first, high=last):
                assert isinstance(first.sort, Integer)
                assert isinstance(last.sort, Integer)
                low, count = first.sort.low, last.sort.high - first.sort.low + 1
        if count > _MOST_CHOSEN:
            raise NotLowered(f"'each' with a condition over more than {_MOST_CHOSEN} numbers")
        chosen = [writer.let("chosen", NO_BITS) for _ in range(0, count, 64)]

        def place_of(value: ir.Expr) -> tuple[ir.Expr, ir.Expr, ir.Expr]:
            place = terms.name(minus(value, low) if low else value, "place")
            return place, binary(">>", place, 6), binary("&", place, 63)

        with terms.each(binding) as value:
            _, part, within = place_of(value)
            for number, name in enumerate(chosen):
                noted = ir.Update(name, "|", bit(within))
                writer.add(noted if len(chosen) == 1 else ir.If(compared(part, "==", number), (noted,)))
        bare = hir.Binding(binding.slot, binding.name, binding.domain, None)
        with terms.each(bare) as value:
            _, part, within = place_of(value)
            tests = [has_bit(name, within) for name in chosen]
            terms.guard(tests[0] if len(chosen) == 1 else any_of([
                all_of([compared(part, "==", number), test]) for number, test in enumerate(tests)]))
            effects.block(effect.body)

    def image(self, renaming: Renaming, effect: hir.Each) -> Key:
        return ("each", renaming.binding(effect.binding), renaming.effects(effect.body))

    def change(self, watch: Watch, effect: hir.Each) -> Change:
        return watch.repeated(effect.body)

    def move(self, look: Look, effect: hir.Each, certain: bool) -> None:
        known, binding = look.known, effect.binding
        values = [value for value, _ in known.elements(binding.domain)]
        known.forget()
        for value in values:
            known.bound[binding.slot] = value
            if known.truth(binding.guard) is not False:
                look.block(effect.body, certain=False)
                known.forget()


class _Perform(EffectMeaning[hir.Perform]):
    """`capture(c)`: the effects of a named rule of effects, with its parameters bound to values."""

    def action(self, effects: Effects, effect: hir.Perform) -> Action:
        compiled = map(effects.evaluator.bound_to, effect.slots, effect.values)
        values = list(zip(effect.slots, compiled, strict=True))
        body = effects.block(effect.body)

        def perform(table: WorkingState, bound: Bound) -> None:
            for slot, value in values:
                bound[slot] = value(table, bound)
            body(table, bound)

        return perform

    def write(self, effects: EffectsLowering, effect: hir.Perform) -> None:
        terms = effects.terms
        given = []
        for value in effect.values:
            result = terms.cells(value) if value.sort == CELLS else terms.value(value)
            none = value.sort != CELLS and terms.may_be_none(value)
            given.append(BoundName(terms.name(result, effect.name), none, value.sort))
        with terms.scope(*effect.slots):
            terms.bound.update(zip(effect.slots, given, strict=True))
            effects.block(effect.body)

    def image(self, renaming: Renaming, effect: hir.Perform) -> Key:
        return ("perform", effect.slots, tuple(map(renaming.term, effect.values)), renaming.effects(effect.body))

    def change(self, watch: Watch, effect: hir.Perform) -> Change:
        watch.contents.known.clear()
        change = watch.afresh().block(effect.body)
        watch.contents.known.clear()
        return change

    def move(self, look: Look, effect: hir.Perform, certain: bool) -> None:
        for slot, value in zip(effect.slots, effect.values, strict=True):
            look.known.bound[slot] = look.known.of(value)
        look.block(effect.body, certain=certain)


class _If(EffectMeaning[hir.If]):
    """`if P:`, `else:`."""

    def action(self, effects: Effects, effect: hir.If) -> Action:
        condition = effects.evaluator.compile(effect.condition)
        yes, no = effects.block(effect.yes), effects.block(effect.no)

        def by_condition(table: WorkingState, bound: Bound) -> None:
            if condition(table, bound):
                yes(table, bound)
            else:
                no(table, bound)

        return by_condition

    def write(self, effects: EffectsLowering, effect: hir.If) -> None:
        writer = effects.writer
        condition = effects.terms.test(effect.condition)
        if isinstance(condition, ir.Literal):
            effects.block(effect.yes if condition.value else effect.no)
            return
        writer.open_if(condition)
        effects.block(effect.yes)
        if effect.no:
            writer.otherwise()
            # Whatever the first branch changed, the condition's values are still those from before it.
            effects.block(effect.no)
        writer.close()

    def image(self, renaming: Renaming, effect: hir.If) -> Key:
        return ("if", renaming.term(effect.condition), renaming.effects(effect.yes), renaming.effects(effect.no))

    def change(self, watch: Watch, effect: hir.If) -> Change:
        one, other = (watch.branch(branch) for branch in (effect.yes, effect.no))
        watch.contents.known.clear()
        return one.hull(other)

    def touched(self, watch: Watch, effect: hir.If) -> int:
        return watch.touched((*effect.yes, *effect.no))

    def move(self, look: Look, effect: hir.If, certain: bool) -> None:
        look.either(look.known.truth(effect.condition), effect.yes, effect.no, certain)


def _free_slot(terms: ExprLowering) -> int:
    """A slot that no rule uses, for a set that the compiler introduces."""
    slot = 10_000
    while slot in terms.bound:
        slot += 1
    return slot


EFFECTS = {hir.Each: _Each(), hir.Perform: _Perform(), hir.If: _If()}
