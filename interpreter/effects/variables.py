"""Effects on values: set a variable, or bind a name to a value."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from dsl import hir
from dsl.checks.bounds import ANY_NUMBER, Interval
from dsl.resolve.sorts import BOOLEAN, Integer
from interpreter.analysis.change import Change
from interpreter.compiler import ir
from interpreter.compiler.build import all_of, any_of, as_word, compared, element, expr, known
from interpreter.effects.meaning import Action, EffectMeaning
from interpreter.errors import RuleError
from interpreter.model.state import WorkingState
from interpreter.semantics.functions import Bound

if TYPE_CHECKING:
    from interpreter.analysis.movement import Look
    from interpreter.analysis.symmetry_proof import Key, Renaming
    from interpreter.analysis.termination import Watch
    from interpreter.compiler.lowering.effects import Effects as EffectsLowering
    from interpreter.semantics.effects import Effects


class _Keep(EffectMeaning[hir.Keep]):
    """`let p = piece(c)`."""

    changes_position = False

    def action(self, effects: Effects, effect: hir.Keep) -> Action:
        slot, value = effect.slot, effects.evaluator.bound_to(effect.slot, effect.value)

        def keep(table: WorkingState, bound: Bound) -> None:
            bound[slot] = value(table, bound)

        return keep

    def write(self, effects: EffectsLowering, effect: hir.Keep) -> None:
        effects.terms.keep(effect.slot, effect.value, effect.name)

    def image(self, renaming: Renaming, effect: hir.Keep) -> Key:
        return ("keep", effect.slot, renaming.term(effect.value))

    def change(self, watch: Watch, effect: hir.Keep) -> Change:
        watch.contents.bound[effect.slot] = watch.contents.of(effect.value)
        return Change()

    def touched(self, watch: Watch, effect: hir.Keep) -> int:
        return 0

    def move(self, look: Look, effect: hir.Keep, certain: bool) -> None:
        look.known.bound[effect.slot] = look.known.of(effect.value)


class _SetVariable(EffectMeaning[hir.SetVariable]):
    """`count[c] := 3 if P`."""

    def action(self, effects: Effects, effect: hir.SetVariable) -> Action:
        evaluator = effects.evaluator
        kind = evaluator.rules.variables[effect.number]
        place, value, span = evaluator.place(effect.number, effect.index), evaluator.compile(effect.value), effect.span
        index = None if effect.index is None else evaluator.compile(effect.index)
        low, high = (kind.sort.low, kind.sort.high) if isinstance(kind.sort, Integer) else (None, None)

        def set_variable(table: WorkingState, bound: Bound) -> None:
            result = value(table, bound)
            if result is None:
                if not kind.or_none:
                    raise RuleError("G401", f"'{kind.name}' would become none, but is declared without 'or none'", span)
            elif low is not None and high is not None and not low <= result <= high:
                at = ""
                if index is not None and effect.index is not None:
                    with suppress(RuleError):  # the error in the value comes before one in the index
                        at = f"[{evaluator.show(effect.index, index(table, bound))}]"
                raise RuleError("G402", f"{kind.name}{at} would become {result}, outside its range {low}..{high}", span)
            table.values[place(table, bound)] = None if result is None else int(result)

        return effects.guarded(effect.guard, set_variable)

    def write(self, effects: EffectsLowering, effect: hir.SetVariable) -> None:
        terms, writer = effects.terms, effects.writer
        kind = terms.rules.variables[effect.number]
        condition = ir.TRUE if effect.guard is None else terms.test(effect.guard)
        if condition == ir.FALSE:
            return
        if condition != ir.TRUE:
            writer.open_if(condition)
        value = terms.value(effect.value, kind.sort)
        if effect.value.sort == BOOLEAN and isinstance(effect.value, (hir.Comparison,)):
            value = ir.Conditional(terms.test(effect.value), expr(1), expr(0))
        value = terms.name(value, "value")
        none = terms.may_be_none(effect.value)
        fails = 0  # a variable must never get an invalid value: code that reads it would index beyond a table
        if none and not kind.or_none:
            fails += effects.unless("G401", compared(value, "==", terms.none_of(kind.sort)))
        if isinstance(kind.sort, Integer):
            low, high = kind.sort.low, kind.sort.high
            plain = known(value)
            if plain is None and not _fits(effect.value, low, high):
                outside = any_of([compared(value, "<", low), compared(value, ">", high)])
                some = compared(value, "!=", terms.none_of(kind.sort))
                fails += effects.unless("G402", all_of([outside, some]) if none else outside)
            elif plain is not None and not low <= plain <= high:
                fails += effects.unless("G402", ir.TRUE)
        writer.assign(element(terms.row, terms.place(effect.number, effect.index)), as_word(value))
        writer.close(fails)
        if condition != ir.TRUE:
            writer.close()

    def image(self, renaming: Renaming, effect: hir.SetVariable) -> Key:
        renaming.unreversed(effect.number)
        return ("set", effect.number, renaming.optional(effect.index), renaming.term(effect.value),
                renaming.optional(effect.guard))

    def touched(self, watch: Watch, effect: hir.SetVariable) -> int:
        return 0

    def change(self, watch: Watch, effect: hir.SetVariable) -> Change:
        """`count := count + n` changes the sum by a value in the range of n; other assignments have no bounds."""
        change = ANY_NUMBER
        value = effect.value
        kind = watch.rules.variables[effect.number]
        if isinstance(kind.sort, Integer) and isinstance(value, hir.Arithmetic) and value.operator in "+-":
            amount = value.right.sort
            same = value.left == hir.Variable(effect.number, effect.index, sort=kind.sort, span=effect.span)
            if same and isinstance(amount, Integer):
                change = Interval(amount.low, amount.high) if value.operator == "+" else Interval(
                    -amount.high, -amount.low)
        result = Change({-1 - effect.number: change})
        return result if effect.guard is None else result.perhaps()

    def move(self, look: Look, effect: hir.SetVariable, certain: bool) -> None:
        """No piece moves."""


def _fits(term: hir.Expr, low: int, high: int) -> bool:
    """Whether a value is in a range, or none, by the sort of its term, whatever the position."""
    if isinstance(term, hir.IfElse):
        return _fits(term.yes, low, high) and _fits(term.no, low, high)
    return isinstance(term.sort, Integer) and low <= term.sort.low and term.sort.high <= high


EFFECTS = {hir.Keep: _Keep(), hir.SetVariable: _SetVariable()}
