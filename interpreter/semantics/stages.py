"""Compiled rules: conditions, and the stages of a move with their choices and effects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import attrs

from dsl import hir
from interpreter.effects import Action
from interpreter.errors import RuleError
from interpreter.model.state import WorkingState
from interpreter.semantics.functions import Bound, Function
from interpreter.semantics.limits import TooMuchWork

if TYPE_CHECKING:
    from interpreter.semantics.effects import Effects
    from interpreter.semantics.evaluate import Evaluator

MOST_STEPS = 200
"""The most steps for which a move may continue by rules."""


@attrs.frozen(eq=False)
class Stage:
    """Choices of a move and the effects after them, up to the next further choice."""

    choices: tuple[hir.Choice, ...]
    slots: tuple[int, ...]
    chosen: object  # as Evaluator.chosen gives it
    action: Action
    further: Stage | None
    proceed: hir.Proceed | None
    onward: Function | None = None
    """Whether the move continues with `further` or `proceed`; None where it always does."""


@attrs.frozen(eq=False)
class Given:
    """A choice of a further step whose value is given by the step before: tests the value."""

    slot: int
    elements: Callable[[WorkingState, Bound], Iterable[int]]
    guard: Function | None

    def accepts(self, table: WorkingState, bound: Bound, value: int) -> bool:
        """Bind the value, and return whether it could be chosen."""
        bound[self.slot] = value
        return value in self.elements(table, bound) and (self.guard is None or bool(self.guard(table, bound)))


@attrs.frozen(eq=False)
class Condition:
    """A compiled condition of the game file, or a compiled number in its place."""

    function: Function
    slots: int
    what: str
    """The name of the rule that it belongs to, for messages."""

    def holds(self, table: WorkingState) -> bool:
        """Whether the condition holds in a position. Raises RuleError."""
        try:
            return bool(self.function(table, [None] * self.slots))
        except TooMuchWork as problem:
            problem.within(self.what)
            raise

    def number(self, table: WorkingState) -> int:
        """The value of a compiled number in a position. Raises RuleError."""
        try:
            return int(self.function(table, [None] * self.slots))
        except TooMuchWork as problem:
            problem.within(self.what)
            raise


def name_of(rule: hir.Move | hir.Forced) -> str:
    """The name of a rule with its kind, for messages."""
    return f"the {'move' if isinstance(rule, hir.Move) else 'forced rule'} '{rule.name}'"


class Stages:
    """Compiles the stages of a game's moves, enumerates their choices and carries out their effects."""

    def __init__(self, rules: hir.Rules, evaluator: Evaluator, effects: Effects) -> None:
        self._rules, self._evaluator, self._effects = rules, evaluator, effects
        self._onward_stages: dict[tuple[int, int], tuple[list[Given], Stage]] = {}

    def stage(self, choices: tuple[hir.Choice, ...], body: tuple[hir.Effect, ...]) -> Stage:
        """Compile the choices and effects of a move into its first stage, which holds the further ones."""
        last = body[-1] if body else None
        chosen, action = self._evaluator.chosen(choices), self._effects.block(body)
        further = self.stage(last.choices, last.body) if isinstance(last, hir.Then) else None
        proceed = last if isinstance(last, hir.Proceed) else None
        slots = tuple(slot for choice in choices for slot in choice.slots)
        onward = self._evaluator.optional(last.condition) if isinstance(last, (hir.Then, hir.Proceed)) else None
        return Stage(choices, slots, chosen, action, further, proceed, onward)

    def _onward_stage(self, proceed: hir.Proceed) -> tuple[list[Given], Stage]:
        """The tests of the values that a further step is given, and the stage of its other choices."""
        key = proceed.rule, len(proceed.given)
        if key not in self._onward_stages:
            rule, evaluator = self._rules.moves[proceed.rule], self._evaluator
            firsts, rest = rule.choices[: len(proceed.given)], rule.choices[len(proceed.given) :]
            given = [Given(choice.slots[0], evaluator.elements(choice.domain), evaluator.optional(choice.guard))
                     for choice in firsts]
            self._onward_stages[key] = given, self.stage(rest, rule.body)
        return self._onward_stages[key]

    def ways(self, stage: Stage, table: WorkingState, bound: Bound, step: int = 0, *,
             asking: bool = False) -> Iterator[tuple[int, ...]]:
        """Yield the values of every way to make the choices of a stage and of those after it.

        With `asking`, where only the existence of one matters, a move that continues by another rule is cut off there.
        """
        slots = stage.slots
        for _ in stage.chosen(table, bound):  # type: ignore[operator]  # a generator function
            values = tuple([bound[slot] for slot in slots])
            if stage.further is None and (stage.proceed is None or asking):
                yield values
                continue
            tried, further_bound = table.copy(), list(bound)
            stage.action(tried, further_bound)
            if stage.onward is not None and not stage.onward(tried, further_bound):
                yield values
            elif stage.further is not None:
                for rest in self.ways(stage.further, tried, further_bound, step, asking=asking):
                    yield values + rest
            elif stage.proceed is not None:
                alone = True
                for rest in self._onward(stage.proceed, tried, further_bound, step + 1):
                    alone = False
                    yield values + rest
                if alone or stage.proceed.may_stop:
                    yield values

    def _onward(self, proceed: hir.Proceed, table: WorkingState, bound: Bound, step: int) -> Iterator[tuple[int, ...]]:
        """Yield the values of every way to continue a move by a rule; none where that rule offers no step.

        Raises RuleError where the move has more than MOST_STEPS steps.
        """
        rule = self._rules.moves[proceed.rule]
        if step > MOST_STEPS:
            raise RuleError("G408", f"the move '{rule.name}' goes on for more than {MOST_STEPS} steps", proceed.span)
        given, stage = self._onward_stage(proceed)
        onward_bound: Bound = [None] * rule.slots
        if all(test.accepts(table, onward_bound, bound[local.slot])
               for test, local in zip(given, proceed.given, strict=True)):
            yield from self.ways(stage, table, onward_bound, step)

    def carry_out(self, stage: Stage, values: tuple[int, ...], table: WorkingState, bound: Bound) -> None:
        """Carry out the effects of a move with given values of its choices."""
        for slot, value in zip(stage.slots, values, strict=False):
            bound[slot] = value
        stage.action(table, bound)
        rest = values[len(stage.slots) :]
        if stage.further is not None:
            if rest or stage.onward is None:
                self.carry_out(stage.further, rest, table, bound)
        elif stage.proceed is not None and rest:
            given, onward = self._onward_stage(stage.proceed)
            onward_bound: Bound = [None] * self._rules.moves[stage.proceed.rule].slots
            for test, local in zip(given, stage.proceed.given, strict=True):
                onward_bound[test.slot] = bound[local.slot]
            self.carry_out(onward, rest, table, onward_bound)
