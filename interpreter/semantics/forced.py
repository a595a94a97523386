"""Applies forced rules: after a move's effects, repeatedly the first applicable rule at its first place."""

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
"""The most applications of forced rules in one move, for each cell of the board; more is an error."""
_WATCH_FROM = 100
"""The number of applications after which positions are compared, to detect a cascade that cycles at once."""


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
    """The forced rules of a game, in order, on a board of `size` cells."""

    def __init__(self, rules: Sequence[Forced], size: int) -> None:
        self.rules, self.size = rules, size
        self.chance: random.Random | None = None
        """A generator that picks rules and their places at random, to test whether the order matters; None: in order.
        """

    def close(self, table: WorkingState, applied: list[Applied] | None = None) -> None:
        """Apply forced rules until none applies, and append each application to `applied`, if given. Raises RuleError.
        """
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
        """Apply the first applicable forced rule at its first place, or a random one at a random place with `chance`.

        Returns the rule, None where none applies.
        """
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
