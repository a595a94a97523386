"""Conjectures about a family, such as `first wins when columns >= rows`: confirmed, refuted or open for each instance.

In games with chance or hidden information, conjectures are about a player's expected value: `first expects more than
1/2`.

`Formula` is a condition or number over params, in the expression grammar of game files; `Claim.of(text)` parses a
conjecture; `Claim.judge` compares it with what is known of the value of one instance.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Literal

import attrs

from dsl.diagnostics import Diagnostic, did_you_mean
from dsl.dispatch import dispatched
from dsl.syntax import rules
from dsl.syntax.parser import parse_expression
from dsl.syntax.source import NOWHERE
from dslgame.laboratory.known import DRAW, Known, Worth
from interpreter.model.outcomes import result_of

Verdict = Literal["confirmed", "refuted", "open", "not concerned"]
Value = int | bool

_VERBS: Mapping[str, tuple[str, bool]] = {
    "wins": ("win", True), "loses": ("lose", True), "draws": ("draw", True),
    "does not win": ("win", False), "does not lose": ("lose", False), "does not draw": ("draw", False),
}
"""For each verb the result for the player, and whether it is claimed or denied."""
_CLAIM = re.compile(r"\s*(?P<who>[A-Za-z_][A-Za-z_0-9]*)\s+(?P<verb>" + "|".join(
    verb.replace(" ", r"\s+") for verb in _VERBS) + r")(?:\s+(?P<exactly>exactly\s+)?when\s+(?P<condition>.+))?\s*",
    re.DOTALL)
_EXPECTED: Mapping[str, Callable[[Fraction, Fraction], bool]] = {
    "more than": operator.gt, "less than": operator.lt, "at least": operator.ge, "at most": operator.le}
_EXPECTS = re.compile(r"\s*(?P<who>[A-Za-z_][A-Za-z_0-9]*)\s+expects\s+(?P<relation>" + "|".join(
    words.replace(" ", r"\s+") for words in _EXPECTED) + r")\s+(?P<than>-?[0-9]+(?:\.[0-9]+|/[1-9][0-9]*)?)"
    r"(?:\s+(?P<exactly>exactly\s+)?when\s+(?P<condition>.+))?\s*", re.DOTALL)
FORM = "'first wins when columns >= rows'"
EXPECTS = "'first expects more than 1/2'"
_ARITHMETIC: Mapping[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "div": operator.floordiv, "mod": operator.mod}
_COMPARED: Mapping[str, Callable[[int, int], bool]] = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
_CALLED: Mapping[str, Callable[..., int]] = {"min": min, "max": max, "abs": abs}


class ClaimError(ValueError):
    """A conjecture, or its condition, cannot be parsed or evaluated; the message says what was expected."""


# ---- formulas


@attrs.frozen
class Formula:
    """An expression over params."""

    text: str
    expression: rules.Expression

    @classmethod
    def of(cls, text: str) -> Formula:
        """Parse an expression. Raises ClaimError."""
        result = parse_expression(text, NOWHERE) if text.strip() else None
        if result is None or isinstance(result, Diagnostic):
            reason = f": {result.phrase}" if result is not None else ""
            raise ClaimError(f"'{text}' is no condition of params{reason}; expected one such as 'columns >= rows'")
        return cls(text.strip(), result)

    def value(self, params: Mapping[str, int]) -> Value:
        """The value of the formula at some params. Raises ClaimError."""
        return _Calculation(self.text, params).value(self.expression)

    def holds(self, params: Mapping[str, int]) -> bool:
        """Whether the formula holds at some params. Raises ClaimError, also where it is a number."""
        result = self.value(params)
        if not isinstance(result, bool):
            raise ClaimError(f"'{self.text}' is the number {result}, expected a condition such as 'columns >= rows'")
        return result


@attrs.frozen
class _Calculation:
    """Evaluates an expression at some params."""

    text: str
    params: Mapping[str, int]

    @dispatched
    def value(self, term: rules.Expression) -> Value:
        """The value of an expression. Raises ClaimError."""
        raise ClaimError(f"'{self.text}' asks for something that params do not say; a condition of params has numbers, "
                         "params, + - * div mod, comparisons, and, or, not, in a..b, if else, min, max, abs")

    def number(self, term: rules.Expression) -> int:
        result = self.value(term)
        if isinstance(result, bool):
            raise ClaimError(f"in '{self.text}' a condition stands where a number is expected")
        return result

    def condition(self, term: rules.Expression) -> bool:
        result = self.value(term)
        if not isinstance(result, bool):
            raise ClaimError(f"in '{self.text}' the number {result} stands where a condition is expected")
        return result

    @value.register
    def _number(self, term: rules.Number) -> Value:
        return term.value

    @value.register
    def _name(self, term: rules.Name) -> Value:
        if term.text not in self.params:
            hint = did_you_mean(term.text, self.params)[0] or (
                f"the params are {', '.join(self.params)}" if self.params else "there are no params")
            raise ClaimError(f"in '{self.text}' there is no param '{term.text}'; {hint}")
        return self.params[term.text]

    @value.register
    def _constant(self, term: rules.Constant) -> Value:
        if term.value is None:
            raise ClaimError(f"in '{self.text}' found 'none', expected a number or a condition")
        return term.value

    @value.register
    def _negation(self, term: rules.Negation) -> Value:
        return not self.condition(term.operand)

    @value.register
    def _negative(self, term: rules.Negative) -> Value:
        return -self.number(term.operand)

    @value.register
    def _arithmetic(self, term: rules.Arithmetic) -> Value:
        left, right = self.number(term.left), self.number(term.right)
        if term.operator in ("div", "mod") and right == 0:
            raise ClaimError(f"'{self.text}' divides by 0 at {shown(self.params)}; say where it holds with "
                             "'if ... else', or leave these params out")
        return _ARITHMETIC[term.operator](left, right)

    @value.register
    def _compare(self, term: rules.Compare) -> Value:
        return _COMPARED[term.operator](self.number(term.left), self.number(term.right))

    @value.register
    def _is_in(self, term: rules.IsIn) -> Value:
        element, collection = self.number(term.element), term.collection
        if isinstance(collection, rules.Range) and collection.high is not None:
            result = self.number(collection.low) <= element <= self.number(collection.high)
        elif isinstance(collection, rules.Braces) and not any(item.guard or item.loop for item in collection.items):
            result = element in [self.number(item.value) for item in collection.items]
        else:
            raise ClaimError(f"in '{self.text}' expected a range such as 2..4, or numbers such as {{1, 3}}, after 'in'")
        return result != term.negated

    @value.register
    def _all_of(self, term: rules.AllOf) -> Value:
        return all(self.condition(operand) for operand in term.operands)

    @value.register
    def _any_of(self, term: rules.AnyOf) -> Value:
        return any(self.condition(operand) for operand in term.operands)

    @value.register
    def _conditional(self, term: rules.Conditional) -> Value:
        return self.value(term.yes if self.condition(term.condition) else term.no)

    @value.register
    def _call(self, term: rules.Call) -> Value:
        wanted = _CALLED.get(term.name.text)
        plain = not any(item.guard or item.loop for item in term.arguments)
        if wanted is None or not plain or not term.arguments or (wanted is abs and len(term.arguments) != 1):
            raise ClaimError(f"in '{self.text}' found '{term.name.text}(...)', expected min, max or abs of numbers")
        values = [self.number(item.value) for item in term.arguments]
        return abs(values[0]) if wanted is abs else wanted(values)


def shown(params: Mapping[str, int]) -> str:
    """Return params as text, such as `rows=3 columns=2`."""
    return " ".join(f"{name}={value}" for name, value in params.items())


# ---- conjectures


@attrs.frozen
class Claim:
    """A conjecture of who wins, loses or draws, or what a player expects, and under which condition."""

    text: str
    who: str
    """`first`, `second` or a player's name."""
    result: str
    """`win`, `lose` or `draw`; where `than` is set, a relation such as `more than`."""
    holds: bool
    """Whether the result is claimed rather than denied."""
    condition: Formula | None
    exactly: bool
    """Whether the opposite is claimed where the condition does not hold."""
    than: Fraction | None = None
    """The value that the player's expected value is compared with; None where a result is claimed."""

    @classmethod
    def of(cls, text: str) -> Claim:
        """Parse a conjecture. Raises ClaimError."""
        found = _CLAIM.fullmatch(text) or _EXPECTS.fullmatch(text)
        if found is None:
            raise ClaimError(f"'{text}' is no claim; expected {FORM}, or with 'second' or a player's name, "
                             f"{', '.join(list(_VERBS)[1:])}, and 'exactly when' where it holds then only; or "
                             f"{EXPECTS}, or {', '.join(list(_EXPECTED)[1:])}")
        condition = None if found["condition"] is None else Formula.of(found["condition"])
        exactly = found["exactly"] is not None
        if found.re is _EXPECTS:
            return cls(text.strip(), found["who"], " ".join(found["relation"].split()), True, condition, exactly,
                       Fraction(found["than"]))
        result, holds = _VERBS[" ".join(found["verb"].split())]
        return cls(text.strip(), found["who"], result, holds, condition, exactly)

    def player(self, players: Sequence[str], first: int) -> int:
        """The number of the player that the claim is about; `first` is the player to move first. Raises ClaimError."""
        if self.who in ("first", "second"):
            if self.who == "second" and len(players) < 2:
                raise ClaimError(f"'{self.text}' is about the second player, and there is one only")
            return first if self.who == "first" else 1 - first
        names = [name.casefold() for name in players]
        if self.who.casefold() not in names:
            raise ClaimError(f"'{self.text}' is about '{self.who}', expected first, second, {' or '.join(players)}")
        return names.index(self.who.casefold())

    def judge(self, params: Mapping[str, int], players: Sequence[str], first: int, known: Known,
              worth: Worth | None = None) -> Verdict:
        """Judge the claim by what is known of an instance's value. Raises ClaimError where it cannot be evaluated."""
        player = self.player(players, first)
        claimed = self.holds
        if self.condition is not None and not self.condition.holds(params):
            if not self.exactly:
                return "not concerned"
            claimed = not claimed
        if self.than is not None:
            compare = _EXPECTED[self.result]
            holding = set() if worth is None else {compare(bound, self.than) for bound in worth.within(player)}
            return "open" if len(holding) != 1 else "confirmed" if holding == {claimed} else "refuted"
        wanted = {outcome for outcome in (DRAW, *range(len(players)))
                  if result_of(outcome, player, len(players)) == self.result}
        possible = known.possible
        if possible <= wanted:
            return "confirmed" if claimed else "refuted"
        if not possible & wanted:
            return "refuted" if claimed else "confirmed"
        return "open"
