"""Resolved expressions: one class for each kind, with its sort. Those of effects and rules are in `dsl.hir`."""

from __future__ import annotations

import attrs

from dsl.by_fields import ByFields
from dsl.resolve.sorts import Sort
from dsl.syntax.source import Span


@attrs.frozen(eq=False, repr=False)
class Expr(ByFields):
    """An expression with its sort."""

    sort: Sort = attrs.field(kw_only=True)
    span: Span = attrs.field(kw_only=True, eq=False, repr=False)
    used: Use | None = attrs.field(default=None, kw_only=True, eq=False, repr=False)
    """The use of a definition that the term is the expansion of, if any."""


@attrs.frozen(eq=False)
class Use:
    """A use of a definition: its name and the arguments, or the index that chooses the case."""

    name: str
    arguments: tuple[Expr, ...]


@attrs.frozen(eq=False, repr=False)
class Literal(Expr):
    """A constant; `value` is an index, a number, a truth value or None."""

    value: int | None


@attrs.frozen(eq=False, repr=False)
class NamedCell(Expr):
    """A cell by its coordinate, found when the board is built."""

    name: str


@attrs.frozen(eq=False, repr=False)
class Local(Expr):
    """The value of a bound name."""

    slot: int
    name: str


@attrs.frozen(eq=False, repr=False)
class Role(Expr):
    """`mover` or `opponent`."""

    name: str


@attrs.frozen(eq=False, repr=False)
class OwnPiece(Expr):
    """The piece of a kind that a player owns: `pieces[player]` is its index."""

    player: Expr
    pieces: tuple[int, ...]


@attrs.frozen(eq=False, repr=False)
class Variable(Expr):
    """The value of a variable, at an index where it has one."""

    number: int
    index: Expr | None


@attrs.frozen(eq=False, repr=False)
class Pair(Expr):
    """The place of two indices among all pairs of them, -1 where one of them is none."""

    first: Expr
    second: Expr
    count: int
    """The number of values of the second index."""


@attrs.frozen(eq=False, repr=False)
class CellsOf(Expr):
    """The cells that hold one of the given pieces (0: empty)."""

    pieces: tuple[int, ...]


@attrs.frozen(eq=False, repr=False)
class CellsHolding(Expr):
    """The cells that hold the piece a term stands for."""

    piece: Expr


@attrs.frozen(eq=False, repr=False)
class Owned(Expr):
    """The cells with a piece of the mover (`mine`), or of the players on other sides than his (`theirs`)."""

    mine: bool


@attrs.frozen(eq=False, repr=False)
class Region(Expr):
    """A named set of cells of the board."""

    name: str


@attrs.frozen(eq=False, repr=False)
class Apply(Expr):
    """A function of the language on its arguments; the interpreter has a table of them by name."""

    function: str
    arguments: tuple[Expr, ...]


@attrs.frozen(eq=False, repr=False)
class Listing(Expr):
    """Fixed elements to choose from: directions, players, words of a `values` declaration."""

    values: tuple[int, ...]


@attrs.frozen(eq=False, repr=False)
class Listed(Expr):
    """Values in braces of which some depend on the position. No rule has one: the resolver makes conditions of it."""

    items: tuple[Expr, ...]


@attrs.frozen(eq=False, repr=False)
class Numbers(Expr):
    """The numbers from `low` to `high`, both included."""

    low: Expr
    high: Expr


@attrs.frozen(eq=False, repr=False)
class CellSet(Expr):
    """The cells given one by one or as smaller sets."""

    items: tuple[Expr, ...]


@attrs.frozen(eq=False, repr=False)
class Linked(Expr):
    """Cells as a network: joined by the links of a layer."""

    cells: Expr
    layer: int


@attrs.frozen(eq=False, repr=False)
class Cut(Expr):
    """Cells as a network: joined to their neighbours, but where a condition of borders holds between them."""

    cells: Expr
    variable: int


@attrs.frozen(eq=False, repr=False)
class Track(Expr):
    """The network of the tiles' tracks that belong to a player."""

    player: Expr


@attrs.frozen(eq=False, repr=False)
class Binding(ByFields):
    """A bound name: its slot, where its values come from, and which of them count."""

    slot: int
    name: str
    domain: Expr
    guard: Expr | None


@attrs.frozen(eq=False, repr=False)
class Comprehension(Expr):
    """`{c in S where P}`"""

    binding: Binding


@attrs.frozen(eq=False, repr=False)
class Quantified(Expr):
    """`some`, `every`, `no`, `exactly`, `at least`, `at most` elements that fulfil the body."""

    kind: str
    number: int
    binding: Binding
    body: Expr | None


@attrs.frozen(eq=False, repr=False)
class Only(Expr):
    """The single element that fulfils the body."""

    binding: Binding
    body: Expr | None


@attrs.frozen(eq=False, repr=False)
class Aggregate(Expr):
    """`sum`, `min`, `max`, `union` of a body over elements, or `count` of them (no body)."""

    kind: str
    binding: Binding
    body: Expr | None


@attrs.frozen(eq=False, repr=False)
class Closure(Expr):
    """`reached(body for x from start where guard)`: the start, and what the body of each cell there leads to.

    The binding ranges over all cells, since any can be reached; the body is evaluated for those that fulfil its guard.
    """

    start: Expr
    binding: Binding
    body: Expr


@attrs.frozen(eq=False, repr=False)
class Cheapest(Expr):
    """`cheapest(cost for x to y in A where P from start to goal)`: the least cost of a way from one set to another.

    `origin` binds the last cell of a way so far, any of the board; `step` binds the cells it can go to next, from a set
    that may depend on the first; the cost of that step may depend on both.
    """

    start: Expr
    goal: Expr
    origin: Binding
    step: Binding
    cost: Expr


@attrs.frozen(eq=False, repr=False)
class Let(Expr):
    """A body in which a slot stands for a value: how a definition with parameters is used."""

    slot: int
    value: Expr
    body: Expr


@attrs.frozen(eq=False, repr=False)
class Arithmetic(Expr):
    """`+ - * div mod` of numbers."""

    operator: str
    left: Expr
    right: Expr


@attrs.frozen(eq=False, repr=False)
class SetArithmetic(Expr):
    """`+` (union), `-` (difference) or `and` (what is in both) of sets of cells."""

    operator: str
    left: Expr
    right: Expr


@attrs.frozen(eq=False, repr=False)
class Comparison(Expr):
    """`= != < <= > >=`"""

    operator: str
    left: Expr
    right: Expr


@attrs.frozen(eq=False, repr=False)
class Contains(Expr):
    """Whether an element is in a set; nothing is in no set."""

    element: Expr
    collection: Expr


@attrs.frozen(eq=False, repr=False)
class Exists(Expr):
    """Whether a set has an element."""

    collection: Expr


@attrs.frozen(eq=False, repr=False)
class Not(Expr):
    """Negation of a condition."""

    operand: Expr


@attrs.frozen(eq=False, repr=False)
class All(Expr):
    """Every condition holds."""

    operands: tuple[Expr, ...]


@attrs.frozen(eq=False, repr=False)
class Any(Expr):
    """Some condition holds."""

    operands: tuple[Expr, ...]


@attrs.frozen(eq=False, repr=False)
class IfElse(Expr):
    """One value or another."""

    condition: Expr
    yes: Expr
    no: Expr


@attrs.frozen(eq=False, repr=False)
class NoMoves(Expr):
    """The player to move (or no player at all) has no legal move."""

    anyone: bool
