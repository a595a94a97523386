"""Forced rules at work: after a move's effects the first one that can applies at its first place, again and again."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import islice

import attrs

from dsl import hir
from interpreter.errors import RuleError
from interpreter.model.state import State, WorkingState
from interpreter.semantics.functions import Bound
from interpreter.semantics.limits import TooMuchWork
from interpreter.semantics.stages import Condition, Stage, name_of

CASCADE_BOUND = 1000
"""Forced rules may apply this many times for each cell of the board in one move; more is an error."""
_WATCH_FROM = 100
"""After this many applications positions are compared, so that a cascade that goes in a circle is found at once."""


@attrs.frozen(eq=False)
class Applied:
    """One application of a forced rule: its chosen values, and the states before and after it, without outcome."""

    rule: hir.Forced
    bound: Bound
    origin: State
    result: State

    @property
    def before(self) -> tuple[int, ...]:
        """The pieces before it."""
        return self.origin.pieces

    @property
    def after(self) -> tuple[int, ...]:
        """The pieces after it."""
        return self.result.pieces


@attrs.frozen(eq=False)
class Forced:
    """A forced rule with its conditions and its only stage."""

    rule: hir.Forced
    when: Condition | None
    until: Condition | None
    stage: Stage


class ForcedRules:
    """The forced rules of a game, in their order, on a board of so many cells."""

    def __init__(self, rules: Sequence[Forced], size: int) -> None:
        self.rules, self.size = rules, size
        self.chance: random.Random | None = None
        """Dice by which rules and their places are taken, to see whether the order matters; None: in order."""

    def close(self, table: WorkingState, applied: list[Applied] | None = None) -> None:
        """Apply forced rules until none applies; those that did are added to `applied`, where it is given."""
        bound_on_cascade = CASCADE_BOUND * self.size
        seen: set[tuple[tuple[int | None, ...], ...]] = set()
        for count in range(bound_on_cascade + 1):
            rule = self.apply_first(table, applied)
            if rule is None:
                return
            if count >= _WATCH_FROM:
                content = (tuple(table.pieces), tuple(table.values), tuple(table.links))
                if content in seen:
                    phrase = f"the forced rule '{rule.name}' never ends: it comes back to the same position"
                    raise RuleError("G408", phrase, rule.span)
                seen.add(content)
        raise RuleError("G408", f"forced rules applied more than {bound_on_cascade} times in one move",
                        self.rules[0].rule.span)

    def apply_first(self, table: WorkingState, applied: list[Applied] | None = None) -> hir.Forced | None:
        """Apply the first forced rule that can be, at its first place; with dice, any of them anywhere."""
        chance = self.chance
        for forced in chance.sample(self.rules, len(self.rules)) if chance else self.rules:
            rule, when, until, stage = forced.rule, forced.when, forced.until, forced.stage
            try:
                if (until is not None and until.holds(table)) or (when is not None and not when.holds(table)):
                    continue
                bound: Bound = [None] * rule.slots
                places = stage.chosen(table, bound)  # type: ignore[operator]  # a generator function
                if chance is not None:
                    number = len(list(stage.chosen(table, list(bound))))  # type: ignore[operator]
                    places = islice(places, chance.randrange(number) if number else 0, None)
                for _ in places:
                    if applied is None:
                        stage.action(table, bound)
                        return rule
                    origin, values = table.state(None), list(bound)
                    stage.action(table, bound)
                    applied.append(Applied(rule, values, origin, table.state(None)))
                    return rule
            except TooMuchWork as problem:
                problem.within(name_of(rule))
                raise
        return None
