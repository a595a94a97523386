"""Rule objects of expressions. Those of effects and declarations are in `dsl.syntax.rules`."""

from __future__ import annotations

import attrs

from dsl.by_fields import ByFields
from dsl.syntax.source import Span


@attrs.frozen(eq=False, repr=False)
class Node(ByFields):
    """Any part of a file."""

    span: Span = attrs.field(kw_only=True, eq=False, repr=False)


# ---- expressions


@attrs.frozen(eq=False, repr=False)
class Expression(Node):
    """An expression that has a value."""


@attrs.frozen(eq=False, repr=False)
class Number(Expression):
    """`3`"""

    value: int


@attrs.frozen(eq=False, repr=False)
class Text(Expression):
    """`"b2"`: a cell by its coordinate."""

    value: str


@attrs.frozen(eq=False, repr=False)
class Name(Expression):
    """`empty`, `c`, `size`, ..."""

    text: str


@attrs.frozen(eq=False, repr=False)
class Constant(Expression):
    """`true`, `false` or `none`."""

    value: bool | None


@attrs.frozen(eq=False, repr=False)
class That(Expression):
    """`that t`: the one element an `exactly one t in ...` before it found."""

    name: Name


@attrs.frozen(eq=False, repr=False)
class Negation(Expression):
    """`not P`"""

    operand: Expression


@attrs.frozen(eq=False, repr=False)
class Negative(Expression):
    """`-x`"""

    operand: Expression


@attrs.frozen(eq=False, repr=False)
class Arithmetic(Expression):
    """`a + b`, `-`, `*`, `div`, `mod`; `+` and `-` also for sets."""

    operator: str
    left: Expression
    right: Expression


@attrs.frozen(eq=False, repr=False)
class Compare(Expression):
    """`a = b`, `!=`, `<`, `<=`, `>`, `>=`."""

    operator: str
    left: Expression
    right: Expression


@attrs.frozen(eq=False, repr=False)
class IsIn(Expression):
    """`c in S`, `c is empty`, `c is not red`: membership, perhaps negated."""

    element: Expression
    collection: Expression
    negated: bool


@attrs.frozen(eq=False, repr=False)
class AllOf(Expression):
    """`P and Q`; between sets, what is in both."""

    operands: tuple[Expression, ...]


@attrs.frozen(eq=False, repr=False)
class AnyOf(Expression):
    """`P or Q`"""

    operands: tuple[Expression, ...]


@attrs.frozen(eq=False, repr=False)
class Conditional(Expression):
    """`a if P else b`"""

    yes: Expression
    condition: Expression
    no: Expression


@attrs.frozen(eq=False, repr=False)
class Range(Expression):
    """`0..reach`; the high end may be missing in a `param`."""

    low: Expression
    high: Expression | None


@attrs.frozen(eq=False, repr=False)
class Member(Expression):
    """`c.south`, `c.row`; also a direction that is picked or calculated, `c.forward[mover]`, `c.opposite(d)`"""

    base: Expression
    name: Name | Index | Call


@attrs.frozen(eq=False, repr=False)
class Index(Expression):
    """`shift[r]`, `goal[mover]`; with arguments a definition by cases that has parameters, `steps[piece(c)](c)`"""

    name: Name
    index: Expression
    arguments: tuple[Argument, ...] = ()
    second: Expression | None = None
    """The second index, for a variable that has two."""


@attrs.frozen(eq=False, repr=False)
class Choice(Node):
    """`a in S where P`, or `{a, b} in S where P` for an unordered choice of different elements."""

    names: tuple[Name, ...]
    domain: Expression
    guard: Expression | None
    unordered: bool = False
    begins: bool = False
    """Whether it is written `x from S`: the cells to start from."""


@attrs.frozen(eq=False, repr=False)
class Way(Node):
    """`x to y in A where P from S to T`: ways from one set to another by steps from a cell x to a cell y."""

    origin: Name
    step: Name
    domain: Expression
    guard: Expression | None
    start: Expression
    goal: Expression


@attrs.frozen(eq=False, repr=False)
class LetClause(Node):
    """`let e = c.d where P` between the choices of a rule: a name for the choices and effects after it."""

    name: Name
    value: Expression
    guard: Expression | None


@attrs.frozen(eq=False, repr=False)
class Argument(Node):
    """One argument of a call: a value, `x where P`, `x for c in S where P`, or `x` for each step of ways."""

    value: Expression
    guard: Expression | None
    loop: Choice | Way | None


@attrs.frozen(eq=False, repr=False)
class Call(Expression):
    """`joined(red, top, bottom)`, `sum(count[c] for c in mine)`"""

    name: Name
    arguments: tuple[Argument, ...]


@attrs.frozen(eq=False, repr=False)
class Picked(Expression):
    """`kind(p)[mover]`: a player's piece of a kind."""

    base: Call
    index: Expression


@attrs.frozen(eq=False, repr=False)
class Braces(Expression):
    """`{a, b}` or `{c in S where P}`"""

    items: tuple[Argument, ...]


@attrs.frozen(eq=False, repr=False)
class Linked(Expression):
    """`red linked by bridge`: cells as a network, joined by links instead of by being neighbours."""

    cells: Expression
    layer: Name


@attrs.frozen(eq=False, repr=False)
class Cut(Expression):
    """`cells cut by wall`: cells as a network, joined to their neighbours but where a variable holds at the border."""

    cells: Expression
    variable: Name


@attrs.frozen(eq=False, repr=False)
class LetIn(Expression):
    """`let e = c.d: P`: an expression in which a name stands for a value."""

    name: Name
    value: Expression
    body: Expression


@attrs.frozen(eq=False, repr=False)
class Quantifier(Expression):
    """`some c in S where P: Q`; also `every`, `no`, `exactly 2`, `at least 2`, `at most 2`."""

    kind: str
    number: int
    """How many, for the counting kinds; 0 otherwise."""
    name: Name
    domain: Expression
    guard: Expression | None
    body: Expression | None


@attrs.frozen(eq=False, repr=False)
class SetTest(Expression):
    """`some mine`, `no theirs`: whether a set has an element."""

    kind: str
    operand: Expression


@attrs.frozen(eq=False, repr=False)
class NoMoves(Expression):
    """`no moves`, `no moves for anyone`"""

    anyone: bool
