"""Variables that go through phases: transitions between values that are never reversed.

A rule is analysed for each value that a variable may have before it, with what its conditions then imply. The values
are ordered by the transitions between them, as `interpreter.analysis.movement` orders places: a value that can lead to
another, but not back, is higher than that one. So a move from `phase = bidding` to `phase := playing` is irreversible,
and so is one that assigns a value to a variable that was `none` until then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import attrs

from dsl import hir
from dsl.checks.bounds import Interval, combined, compared
from dsl.resolve.sorts import Integer
from interpreter.analysis.movement import circles
from interpreter.boards import Board
from interpreter.model.ranges import values_of

_MOST_VALUES = 64
"""The most values of a variable that is analysed."""
Values = frozenset[int | None]


@attrs.frozen
class Variable:
    """A variable without index that may go through phases."""

    number: int
    values: tuple[int | None, ...]
    """All its possible values, `None` first where it may be none."""


def variables(rules: hir.Rules, board: Board) -> list[Variable]:
    """The variables of a game without index and with at most `_MOST_VALUES` values."""
    result = []
    for number, kind in enumerate(hir.said_variables(rules)):
        values = values_of(kind.sort, rules, board)
        if not kind.index and values is not None and len(values) <= _MOST_VALUES:
            result.append(Variable(number, (*((None,) if kind.or_none else ()), *values)))
    return result


def ways(variable: Variable, rule: hir.Move | hir.Forced, mover: int) -> Mapping[int | None, Values]:
    """The possible values of a variable after a rule is applied, for each value that it may have before."""
    result: dict[int | None, Values] = {}
    for value in variable.values:
        look = _Look(variable, value, mover)
        conditions = [rule.when, *(choice.guard for choice in rule.choices)]
        if all(condition is None or look.truth(condition) is not False for condition in conditions):
            result[value] = look.block(rule.body, rule.choices, frozenset((value,)))
    return result


def heights(variable: Variable, found: Iterable[Mapping[int | None, Values]]) -> dict[int | None, int]:
    """A height for each value, such that no transition leads up."""
    after: dict[int | None, set[int | None]] = {value: set() for value in variable.values}
    for way in found:
        for value, others in way.items():
            after[value] |= others
    place = {value: number for number, value in enumerate(variable.values)}
    result: dict[int | None, int] = {}
    for circle in circles({place[value]: [place[other] for other in others] for value, others in after.items()}):
        inside = {variable.values[number] for number in circle}
        least = max((result[other] + 1 for value in inside for other in after[value] - inside), default=0)
        result.update(dict.fromkeys(inside, least))
    return result


def lowers(way: Mapping[int | None, Values], height: Mapping[int | None, int]) -> bool:
    """Whether a rule certainly lowers the height of the variable's value."""
    return all(height[value] > max(height[other] for other in others) for value, others in way.items())


@attrs.frozen
class _Look:
    """Analyses a rule in positions in which the variable has a given value."""

    variable: Variable
    value: int | None
    mover: int

    def block(self, effects: Sequence[hir.Effect], choices: Sequence[hir.Choice], before: Values) -> Values:
        """The possible values of the variable after effects."""
        for effect in effects:
            if isinstance(effect, hir.SetVariable):
                if effect.number == self.variable.number:
                    given = self._given(effect.value, choices)
                    before = given if effect.guard is None else before | given
                continue
            for part in hir.walk((effect,)):  # it may apply several times, or not at all
                if isinstance(part, hir.SetVariable) and part.number == self.variable.number:
                    before = before | frozenset(self.variable.values)
                if isinstance(part, hir.Proceed):
                    return frozenset(self.variable.values)
        return before

    def _given(self, term: hir.Expr, choices: Sequence[hir.Choice]) -> Values:
        """The possible values of a term."""
        every = frozenset(self.variable.values)
        match term:
            case hir.Literal(value=value):
                return frozenset((value,)) & every
            case hir.Role(name="mover"):
                return frozenset((self.mover,))
            case hir.IfElse(yes=yes, no=no):
                return self._given(yes, choices) | self._given(no, choices)
            case hir.Local(slot=slot):
                for choice in choices:
                    if slot in choice.slots and isinstance(choice.domain, hir.Listing):
                        return frozenset(choice.domain.values) & every
        return every

    def truth(self, condition: hir.Expr) -> bool | None:
        """Whether a condition holds while the variable has the value; None where that depends on more."""
        if isinstance(condition, hir.Comparison):
            sides = [self._known(side) for side in (condition.left, condition.right)]
            if None not in sides:
                (left,), (right,) = (side for side in sides if side is not None)
                return self._compare(condition, left, right)
        return combined(condition, self.truth)

    def _known(self, term: hir.Expr) -> tuple[int | None] | None:
        """The value of a term, in a tuple, where it is certain; else None."""
        match term:
            case hir.Literal(value=value):
                return (value,)
            case hir.Variable(number=self.variable.number, index=None):
                return (self.value,)
            case hir.Role(name="mover"):
                return (self.mover,)
        return None

    def _compare(self, condition: hir.Comparison, left: int | None, right: int | None) -> bool | None:
        if condition.operator in ("=", "!="):
            return (left == right) == (condition.operator == "=")
        if left is None or right is None or not isinstance(condition.left.sort, Integer):
            return None
        return compared(condition.operator, Interval(left, left), Interval(right, right))
