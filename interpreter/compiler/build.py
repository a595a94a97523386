"""IR made in few words, for code that makes much of it: numbers, comparisons, conditions, elements and calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias
from typing import Literal as One

from interpreter.compiler import ir

Given: TypeAlias = ir.Expr | int
"""An expression, or a number that is known."""
ONE: Final = ir.Name("ONE", ir.WORD)
"""The word with the lowest bit."""
NO_BITS: Final = ir.Name("EMPTY", ir.WORD)
"""The word without a bit: an empty set of cells where sets are one word."""


def expr(value: Given) -> ir.Expr:
    """An expression, a number made one."""
    return ir.Literal(value, ir.INT) if isinstance(value, int) else value


def truth(value: bool) -> ir.Literal:
    """A truth value."""
    return ir.TRUE if value else ir.FALSE


def known(value: ir.Expr) -> int | None:
    """The number that an expression plainly is; None where it is not."""
    return value.value if isinstance(value, ir.Literal) else None


def plus(left: Given, right: Given) -> ir.Expr:
    """A sum."""
    return binary("+", left, right)


def minus(left: Given, right: Given) -> ir.Expr:
    """A difference."""
    return binary("-", left, right)


def times(left: Given, right: Given) -> ir.Expr:
    """A product."""
    return binary("*", left, right)


def binary(operator: ir.Operator, left: Given, right: Given) -> ir.Expr:
    """An operator on two values, the result of the sort of the first."""
    one = expr(left)
    return ir.Binary(operator, one, expr(right), one.sort)


def inverted(word: ir.Expr) -> ir.Expr:
    """A word's other bits."""
    return ir.Unary("~", word, ir.WORD)


def bit(place: Given) -> ir.Expr:
    """The word with one bit."""
    return binary("<<", ONE, place)


def compared(left: Given, relation: ir.Relation, right: Given) -> ir.Expr:
    """Whether a relation holds between two values."""
    return ir.Comparison((relation,), (expr(left), expr(right)))


def place_among(numbers: Sequence[ir.Expr], ranges: Sequence[range]) -> ir.Expr:
    """Where in a table with an entry for all combinations of numbers in ranges that of some numbers is."""
    result: ir.Expr | None = None
    for own, values in zip(numbers, ranges, strict=True):
        if values.start:
            own = binary("-" if values.start > 0 else "+", own, abs(values.start))
        result = own if result is None else plus(times(result, len(values)), own)
    assert result is not None, "what hangs on no number is a constant"
    return result


def between(low: Given, value: Given, high: Given, below: ir.Relation = "<") -> ir.Expr:
    """Whether a value is from a number to below another, or with "<=" to the other."""
    return ir.Comparison(("<=", below), (expr(low), expr(value), expr(high)))


def has_bit(word: ir.Expr, place: Given) -> ir.Expr:
    """Whether a word has a bit."""
    return compared(binary("&", binary(">>", word, place), ONE), "!=", NO_BITS)


def negated(condition: ir.Expr) -> ir.Expr:
    """Whether a condition does not hold."""
    if isinstance(condition, ir.Literal):
        return truth(not condition.value)
    return ir.Unary("not", condition, ir.BOOL)


def all_of(conditions: Sequence[ir.Expr]) -> ir.Expr:
    """Whether all conditions hold; each is asked only where those before do."""
    return conditions[0] if len(conditions) == 1 else ir.Logical("and", tuple(conditions)) if conditions else ir.TRUE


def parts_of(word: One["and", "or"], condition: ir.Expr) -> tuple[ir.Expr, ...]:
    """The conditions that a condition joins by a word; itself alone where it does not."""
    return condition.operands if isinstance(condition, ir.Logical) and condition.operator == word else (condition,)


def any_of(conditions: Sequence[ir.Expr]) -> ir.Expr:
    """Whether one of some conditions holds; each is asked only where those before do not."""
    return conditions[0] if len(conditions) == 1 else ir.Logical("or", tuple(conditions)) if conditions else ir.FALSE


def element(array: ir.Expr, *indices: Given) -> ir.Element:
    """An element of an array, or of a tuple of which all items have one sort; a line of several dimensions."""
    sort = array.sort
    if isinstance(sort, ir.Array):
        left = sort.dimensions - len(indices)
        result: ir.Sort = ir.Array(sort.element, left) if left else sort.element
    elif isinstance(sort, ir.Product):
        result = sort.items[0]
    else:
        result = ir.WORD
    return ir.Element(array, tuple(map(expr, indices)), result)


def call(function: str, *arguments: Given, gives: ir.Sort) -> ir.Call:
    """A call of a function."""
    return ir.Call(function, tuple(map(expr, arguments)), gives)


def as_number(value: Given) -> ir.Expr:
    """A word as a number."""
    return call("number", value, gives=ir.INT)


def as_word(value: Given) -> ir.Expr:
    """A number as a word."""
    if isinstance(result := expr(value), ir.Literal) and result.value >= 0:
        return ir.Literal(result.value, ir.WORD)
    return call("word", value, gives=ir.WORD)


def popcount(value: ir.Expr) -> ir.Expr:
    """How many bits a word has."""
    return call("popcount", value, gives=ir.INT)


def lowest(value: ir.Expr) -> ir.Expr:
    """The lowest bit of a word."""
    return call("lowest", value, gives=ir.INT)


def row(name: str) -> ir.Name:
    """A row or table of words, by its name."""
    return ir.Name(name, ir.ROW)


def line(name: str) -> ir.Name:
    """A table of numbers, by its name."""
    return ir.Name(name, ir.LINE)


def named_number(name: str) -> ir.Name:
    """A number, by its name."""
    return ir.Name(name, ir.INT)
