"""The compiler's intermediate representation (IR): typed functions on numbers, words, sets of cells and rows.

A module is what one game's kernel is made of. Every expression has a sort, so that an emitter knows which numbers are
words of 64 bits without a sign and which are numbers with one; every statement and function may say which place of the
rules it comes from. Nodes are frozen: a pass makes new ones (`transformed`). `interpreter.compiler.printer` writes IR
as text that people and tests read, `interpreter.compiler.reader` reads it back, `interpreter.compiler.verify` says what
is wrong with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias
from typing import Literal as One

import attrs

from dsl.source import Span

# ---- sorts


@attrs.frozen
class Scalar:
    """A sort of single values."""

    name: str


@attrs.frozen
class Product:
    """The sort of tuples."""

    items: tuple[Sort, ...]


@attrs.frozen
class Vector:
    """The sort of sets of cells that are one vector of words, which the emitter's target has instructions for."""

    words: int


@attrs.frozen
class Array:
    """The sort of arrays, which functions share and change."""

    element: Scalar
    dimensions: int = 1


Sort: TypeAlias = Scalar | Product | Vector | Array

INT: Final = Scalar("int")
"""Numbers of 64 bits with a sign: cells, players, pieces, directions, counts; nothing is -1."""
BOOL: Final = Scalar("bool")
WORD: Final = Scalar("word")
"""Words of 64 bits without a sign: a cell in each bit, or a number of a row."""
NOTHING: Final = Scalar("nothing")
"""What a function gives that gives nothing."""
ROW: Final = Array(WORD)
ROWS: Final = Array(WORD, 2)
LINE: Final = Array(INT)
LINES: Final = Array(INT, 2)
PAGES: Final = Array(INT, 3)


def cells_sort(words: int, *, vector: bool = False) -> Sort:
    """The sort of sets of cells of a board with so many words of cells."""
    if words == 1:
        return WORD
    return Vector(words) if vector else Product((WORD,) * words)


# ---- expressions

Operator: TypeAlias = One["+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>"]
UnaryOperator: TypeAlias = One["-", "~", "not"]
Relation: TypeAlias = One["==", "!=", "<", "<=", ">", ">="]


@attrs.frozen
class Literal:
    """A number, a truth value, or a word."""

    value: int
    sort: Sort


@attrs.frozen
class Name:
    """A parameter, a local value, a constant or a table."""

    name: str
    sort: Sort


@attrs.frozen
class Unary:
    """An operator on one value."""

    operator: UnaryOperator
    operand: Expr
    sort: Sort


@attrs.frozen
class Binary:
    """An operator on two values."""

    operator: Operator
    left: Expr
    right: Expr
    sort: Sort


@attrs.frozen
class Comparison:
    """Values compared in a chain, as in 0 <= place < limit; each is computed once."""

    relations: tuple[Relation, ...]
    operands: tuple[Expr, ...]

    @property
    def sort(self) -> Sort:
        """A truth value."""
        return BOOL


@attrs.frozen
class Logical:
    """Conditions joined by `and` or `or`; each is asked only where those before leave it open."""

    operator: One["and", "or"]
    operands: tuple[Expr, ...]

    @property
    def sort(self) -> Sort:
        """A truth value."""
        return BOOL


@attrs.frozen
class Conditional:
    """One of two values, of which only that one is computed."""

    test: Expr
    yes: Expr
    no: Expr

    @property
    def sort(self) -> Sort:
        """That of both values."""
        return self.yes.sort


@attrs.frozen
class Element:
    """An element of an array or tuple; with fewer indices than dimensions, an array of those that are left."""

    collection: Expr
    indices: tuple[Expr, ...]
    sort: Sort


@attrs.frozen
class Tail:
    """An array's elements from a place on, shared with it."""

    array: Expr
    start: Expr

    @property
    def sort(self) -> Sort:
        """That of the array."""
        return self.array.sort


@attrs.frozen
class Call:
    """A call of a function of the module, or of a primitive (`interpreter.compiler.primitives`)."""

    function: str
    arguments: tuple[Expr, ...]
    sort: Sort


@attrs.frozen
class Tuple:
    """Several values as one."""

    items: tuple[Expr, ...]

    @property
    def sort(self) -> Sort:
        """The product of the items' sorts."""
        return Product(tuple(item.sort for item in self.items))


Expr: TypeAlias = Literal | Name | Unary | Binary | Comparison | Logical | Conditional | Element | Tail | Call | Tuple

TRUE: Final = Literal(1, BOOL)
FALSE: Final = Literal(0, BOOL)

# ---- statements


@attrs.frozen
class Assign:
    """Give a local value, an element of an array, or each of several, a value."""

    target: Name | Element | Tuple
    value: Expr


@attrs.frozen
class Update:
    """Change a local value or an element by an operator."""

    target: Name | Element
    operator: Operator
    value: Expr


@attrs.frozen
class Evaluate:
    """Call a function for what it does."""

    call: Call


@attrs.frozen
class If:
    """Statements that run where a condition holds, and others where it does not."""

    test: Expr
    yes: tuple[Statement, ...]
    no: tuple[Statement, ...] = ()


@attrs.frozen
class While:
    """Statements that run as long as a condition holds."""

    test: Expr
    body: tuple[Statement, ...]


@attrs.frozen
class For:
    """Statements that run for each number from `start` to below `stop`; `step` may be -1."""

    name: Name
    start: Expr
    stop: Expr
    body: tuple[Statement, ...]
    step: int = 1
    unrolled: bool = False
    """Whether the statements are to be written once for each number (`interpreter.compiler.specialise` does it)."""


@attrs.frozen
class ForEach:
    """Statements that run for each cell of a set, in board order; what happens to the set meanwhile changes nothing."""

    name: Name
    cells: Expr
    body: tuple[Statement, ...]


@attrs.frozen
class Break:
    """Leave the innermost loop."""


@attrs.frozen
class Continue:
    """Go on with the next round of the innermost loop."""


@attrs.frozen
class Return:
    """Leave the function."""

    value: Expr | None = None


@attrs.frozen
class Comment:
    """What a reader of the kernel should know: the rule that the next statements come from."""

    text: str
    span: Span | None = attrs.field(default=None, eq=False)


Statement: TypeAlias = Assign | Update | Evaluate | If | While | For | ForEach | Break | Continue | Return | Comment

# ---- functions and modules


@attrs.frozen
class Function:
    """A function of a kernel."""

    name: str
    parameters: tuple[Name, ...]
    result: Sort
    doc: str
    body: tuple[Statement, ...]
    entry: bool = False
    """Whether it is called from outside."""
    span: Span | None = attrs.field(default=None, eq=False)
    """The rule that it comes from."""


@attrs.frozen
class Foreign:
    """A function that is given as Python, not as IR: a hook, or what hooks call. Other targets do without it."""

    name: str
    parameters: tuple[Name, ...]
    """Of parts that only hooks call, none: their sorts are not known."""
    result: Sort
    text: str
    entry: bool = False


@attrs.frozen
class Constant:
    """A named number, word, or set of cells, which is given by its words."""

    name: str
    values: tuple[int, ...]
    sort: Sort


@attrs.frozen
class Table:
    """A constant array of numbers or words."""

    name: str
    values: tuple[int, ...]
    sort: Array


@attrs.frozen
class Module:
    """One game's kernel."""

    doc: str
    constants: tuple[Constant, ...]
    tables: tuple[Table, ...]
    functions: tuple[Function | Foreign, ...]
    """Each at any place: they may call those after them."""
    failures: tuple[str, ...] = ()
    """What each number means that functions write to the row's place for failures; 0 for none."""

    def function(self, name: str) -> Function | Foreign:
        """The function of a name. Raises KeyError."""
        for found in self.functions:
            if found.name == name:
                return found
        raise KeyError(name)


# ---- going through expressions and statements


def operands(node: Expr) -> tuple[Expr, ...]:
    """The expressions that an expression is made of, in the order in which they are computed."""
    match node:
        case Literal() | Name():
            return ()
        case Unary(operand=operand):
            return (operand,)
        case Binary(left=left, right=right):
            return left, right
        case Comparison(operands=found) | Logical(operands=found) | Call(arguments=found) | Tuple(items=found):
            return found
        case Conditional(test=test, yes=yes, no=no):
            return test, yes, no
        case Element(collection=collection, indices=indices):
            return collection, *indices
        case Tail(array=array, start=start):
            return array, start


def expressions_of(statement: Statement) -> tuple[Expr, ...]:
    """The expressions that a statement itself is made of, those of the statements in it left out."""
    match statement:
        case Assign(target=target, value=value) | Update(target=target, value=value):
            return target, value
        case Evaluate(call=call):
            return (call,)
        case If(test=test) | While(test=test):
            return (test,)
        case For(name=name, start=start, stop=stop):
            return name, start, stop
        case ForEach(name=name, cells=cells):
            return name, cells
        case Return(value=value) if value is not None:
            return (value,)
    return ()


def blocks_of(statement: Statement) -> tuple[tuple[Statement, ...], ...]:
    """The blocks of statements in a statement."""
    match statement:
        case If(yes=yes, no=no):
            return yes, no
        case While(body=body) | For(body=body) | ForEach(body=body):
            return (body,)
    return ()


def walk(node: Expr) -> Iterator[Expr]:
    """An expression and all in it, the outermost first."""
    yield node
    for part in operands(node):
        yield from walk(part)


def statements(block: tuple[Statement, ...]) -> Iterator[Statement]:
    """Statements and all in them, in the order of their text."""
    for statement in block:
        yield statement
        for inner in blocks_of(statement):
            yield from statements(inner)


def expressions(block: tuple[Statement, ...]) -> Iterator[Expr]:
    """All expressions in statements."""
    for statement in statements(block):
        for expression in expressions_of(statement):
            yield from walk(expression)


def with_operands(node: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """An expression with each of its operands changed; itself where none is."""
    match node:
        case Literal() | Name():
            return node
        case Unary(operator=operator, operand=operand, sort=sort):
            found = change(operand)
            return node if found is operand else Unary(operator, found, sort)
        case Binary(operator=operator, left=left, right=right, sort=sort):
            one, other = change(left), change(right)
            return node if one is left and other is right else Binary(operator, one, other, sort)
        case Comparison(operands=given):
            changed = tuple(map(change, given))
            return node if _same(changed, given) else Comparison(node.relations, changed)
        case Logical(operands=given):
            changed = tuple(map(change, given))
            return node if _same(changed, given) else Logical(node.operator, changed)
        case Call(arguments=given):
            changed = tuple(map(change, given))
            return node if _same(changed, given) else Call(node.function, changed, node.sort)
        case Tuple(items=given):
            changed = tuple(map(change, given))
            return node if _same(changed, given) else Tuple(changed)
        case Conditional(test=test, yes=yes, no=no):
            three = change(test), change(yes), change(no)
            return node if _same(three, (test, yes, no)) else Conditional(*three)
        case Element(collection=collection, indices=indices):
            whole, places = change(collection), tuple(map(change, indices))
            return node if whole is collection and _same(places, indices) else Element(whole, places, node.sort)
        case Tail(array=array, start=start):
            whole, place = change(array), change(start)
            return node if whole is array and place is start else Tail(whole, place)


def _same(one: tuple[Expr, ...], other: tuple[Expr, ...]) -> bool:
    return all(a is b for a, b in zip(one, other, strict=True))


def transformed(node: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """An expression with everything in it changed, the innermost first."""
    return change(with_operands(node, lambda part: transformed(part, change)))


def with_expressions(block: tuple[Statement, ...], change: Callable[[Expr], Expr]) -> tuple[Statement, ...]:
    """Statements with each of their expressions changed as a whole, targets of assignments included.

    What `change` makes of a target must again be one: a name, an element or a tuple of them.
    """
    return tuple(_with_expressions(statement, change) for statement in block)


def _with_expressions(statement: Statement, change: Callable[[Expr], Expr]) -> Statement:
    match statement:
        case Assign(target=target, value=value):
            to = change(target)
            assert isinstance(to, (Name, Element, Tuple))
            return Assign(to, change(value))
        case Update(target=target, operator=operator, value=value):
            to = change(target)
            assert isinstance(to, (Name, Element))
            return Update(to, operator, change(value))
        case Evaluate(call=call):
            done = change(call)
            assert isinstance(done, Call)
            return Evaluate(done)
        case If(test=test, yes=yes, no=no):
            return If(change(test), with_expressions(yes, change), with_expressions(no, change))
        case While(test=test, body=body):
            return While(change(test), with_expressions(body, change))
        case For(name=name, start=start, stop=stop, body=body, step=step, unrolled=unrolled):
            return For(name, change(start), change(stop), with_expressions(body, change), step, unrolled)
        case ForEach(name=name, cells=cells, body=body):
            return ForEach(name, change(cells), with_expressions(body, change))
        case Return(value=value) if value is not None:
            return Return(change(value))
    return statement


def with_statements(block: tuple[Statement, ...], change: Callable[[Statement], Statement]) -> tuple[Statement, ...]:
    """Statements each of which is changed, the innermost first."""
    return tuple(change(_with_statements(statement, change)) for statement in block)


def _with_statements(statement: Statement, change: Callable[[Statement], Statement]) -> Statement:
    match statement:
        case If(test=test, yes=yes, no=no):
            return If(test, with_statements(yes, change), with_statements(no, change))
        case While() | For() | ForEach():
            return attrs.evolve(statement, body=with_statements(statement.body, change))
    return statement
