"""Short constructors for IR expressions: numbers, comparisons, conditions, elements and calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias
from typing import Literal as One

from interpreter.compiler import ir

Given: TypeAlias = ir.Expr | int
"""An expression, or a number for a literal."""
ONE: Final = ir.Name("ONE", ir.WORD)
"""The word whose lowest bit alone is set."""
NO_BITS: Final = ir.Name("EMPTY", ir.WORD)
"""The word without bits: the empty set of cells where sets are one word."""


def expr(value: Given) -> ir.Expr:
    """Return an expression as it is, a number as a literal."""
    return ir.Literal(value, ir.INT) if isinstance(value, int) else value


def truth(value: bool) -> ir.Literal:
    """The literal of a truth value."""
    return ir.TRUE if value else ir.FALSE


def known(value: ir.Expr) -> int | None:
    """The value of a literal; None for other expressions."""
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
    """A binary operation, with the sort of its first operand."""
    one = expr(left)
    return ir.Binary(operator, one, expr(right), one.sort)


def inverted(word: ir.Expr) -> ir.Expr:
    """The bitwise complement of a word."""
    return ir.Unary("~", word, ir.WORD)


def bit(place: Given) -> ir.Expr:
    """The word with a single bit set."""
    return binary("<<", ONE, place)


def compared(left: Given, relation: ir.Relation, right: Given) -> ir.Expr:
    """The comparison of two values by a relation."""
    return ir.Comparison((relation,), (expr(left), expr(right)))


def place_among(numbers: Sequence[ir.Expr], ranges: Sequence[range]) -> ir.Expr:
    """The row-major index of numbers in a table with an entry for each combination of values of some ranges."""
    result: ir.Expr | None = None
    for own, values in zip(numbers, ranges, strict=True):
        if values.start:
            own = binary("-" if values.start > 0 else "+", own, abs(values.start))
        result = own if result is None else plus(times(result, len(values)), own)
    assert result is not None, "what hangs on no number is a constant"
    return result


def between(low: Given, value: Given, high: Given, below: ir.Relation = "<") -> ir.Expr:
    """The condition `low <= value < high`, or with "<=" as `below`, `low <= value <= high`."""
    return ir.Comparison(("<=", below), (expr(low), expr(value), expr(high)))


def has_bit(word: ir.Expr, place: Given) -> ir.Expr:
    """The condition that a bit of a word is set."""
    return compared(binary("&", binary(">>", word, place), ONE), "!=", NO_BITS)


def negated(condition: ir.Expr) -> ir.Expr:
    """The negation of a condition."""
    if isinstance(condition, ir.Literal):
        return truth(not condition.value)
    return ir.Unary("not", condition, ir.BOOL)


def all_of(conditions: Sequence[ir.Expr]) -> ir.Expr:
    """The short-circuit conjunction of conditions."""
    return conditions[0] if len(conditions) == 1 else ir.Logical("and", tuple(conditions)) if conditions else ir.TRUE


def parts_of(word: One["and", "or"], condition: ir.Expr) -> tuple[ir.Expr, ...]:
    """The operands of an `and` or `or`, as `word` says; the condition alone where it is another expression."""
    return condition.operands if isinstance(condition, ir.Logical) and condition.operator == word else (condition,)


def any_of(conditions: Sequence[ir.Expr]) -> ir.Expr:
    """The short-circuit disjunction of conditions."""
    return conditions[0] if len(conditions) == 1 else ir.Logical("or", tuple(conditions)) if conditions else ir.FALSE


def element(array: ir.Expr, *indices: Given) -> ir.Element:
    """An element of an array, vector or tuple whose items have the same sort; a subarray with fewer indices."""
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
    """A call of a function whose result has the sort `gives`."""
    return ir.Call(function, tuple(map(expr, arguments)), gives)


def as_number(value: Given) -> ir.Expr:
    """The conversion of a word to a number."""
    return call("number", value, gives=ir.INT)


def as_word(value: Given) -> ir.Expr:
    """The conversion of a number to a word."""
    if isinstance(result := expr(value), ir.Literal) and result.value >= 0:
        return ir.Literal(result.value, ir.WORD)
    return call("word", value, gives=ir.WORD)


def popcount(value: ir.Expr) -> ir.Expr:
    """The number of set bits of a word."""
    return call("popcount", value, gives=ir.INT)


def lowest(value: ir.Expr) -> ir.Expr:
    """The index of the lowest set bit of a word."""
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
