"""The compiler's intermediate representation (IR): typed functions on numbers, words, sets of cells and rows.

A module is what one game's kernel is made of. Every expression has a sort, so that an emitter knows which numbers are
words of 64 bits without a sign and which are numbers with one; every statement and function may say which place of the
rules it comes from. Nodes are frozen: a pass makes new ones (`transformed`). `interpreter.compiler.printer` writes IR
as text that people and tests read, `interpreter.compiler.reader` reads it back, `interpreter.compiler.verify` says what
is wrong with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter, is_
from typing import Any, Final, TypeAlias
from typing import Literal as One

import attrs

from dsl.by_fields import ByFields
from dsl.syntax.source import Span

# ---- sorts


@attrs.frozen(eq=False, repr=False)
class Scalar(ByFields):
    """A sort of single values."""

    name: str


@attrs.frozen(eq=False, repr=False)
class Product(ByFields):
    """The sort of tuples."""

    items: tuple[Sort, ...]


@attrs.frozen(eq=False, repr=False)
class Vector(ByFields):
    """The sort of sets of cells that are one vector of words, which the emitter's target has instructions for."""

    words: int


@attrs.frozen(eq=False, repr=False)
class Array(ByFields):
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


@attrs.frozen(eq=False, repr=False)
class Literal(ByFields):
    """A number, a truth value, or a word."""

    value: int
    sort: Sort


@attrs.frozen(eq=False, repr=False)
class Name(ByFields):
    """A parameter, a local value, a constant or a table."""

    name: str
    sort: Sort


@attrs.frozen(eq=False, repr=False)
class Unary(ByFields):
    """An operator on one value."""

    operator: UnaryOperator
    operand: Expr
    sort: Sort


@attrs.frozen(eq=False, repr=False)
class Binary(ByFields):
    """An operator on two values."""

    operator: Operator
    left: Expr
    right: Expr
    sort: Sort


@attrs.frozen(eq=False, repr=False)
class Comparison(ByFields):
    """Values compared in a chain, as in 0 <= place < limit; each is computed once."""

    relations: tuple[Relation, ...]
    operands: tuple[Expr, ...]

    @property
    def sort(self) -> Sort:
        """A truth value."""
        return BOOL


@attrs.frozen(eq=False, repr=False)
class Logical(ByFields):
    """Conditions joined by `and` or `or`; each is asked only where those before leave it open."""

    operator: One["and", "or"]
    operands: tuple[Expr, ...]

    @property
    def sort(self) -> Sort:
        """A truth value."""
        return BOOL


@attrs.frozen(eq=False, repr=False)
class Conditional(ByFields):
    """One of two values, of which only that one is computed."""

    test: Expr
    yes: Expr
    no: Expr

    @property
    def sort(self) -> Sort:
        """That of both values."""
        return self.yes.sort


@attrs.frozen(eq=False, repr=False)
class Element(ByFields):
    """An element of an array or tuple; with fewer indices than dimensions, an array of those that are left."""

    collection: Expr
    indices: tuple[Expr, ...]
    sort: Sort


@attrs.frozen(eq=False, repr=False)
class Tail(ByFields):
    """An array's elements from a place on, shared with it."""

    array: Expr
    start: Expr

    @property
    def sort(self) -> Sort:
        """That of the array."""
        return self.array.sort


@attrs.frozen(eq=False, repr=False)
class Call(ByFields):
    """A call of a function of the module, or of a primitive (`interpreter.compiler.primitives`)."""

    function: str
    arguments: tuple[Expr, ...]
    sort: Sort


@attrs.frozen(eq=False, repr=False)
class Tuple(ByFields):
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


@attrs.frozen(eq=False, repr=False)
class Assign(ByFields):
    """Give a local value, an element of an array, or each of several, a value."""

    target: Name | Element | Tuple
    value: Expr


@attrs.frozen(eq=False, repr=False)
class Update(ByFields):
    """Change a local value or an element by an operator."""

    target: Name | Element
    operator: Operator
    value: Expr


@attrs.frozen(eq=False, repr=False)
class Evaluate(ByFields):
    """Call a function for what it does."""

    call: Call


@attrs.frozen(eq=False, repr=False)
class If(ByFields):
    """Statements that run where a condition holds, and others where it does not."""

    test: Expr
    yes: tuple[Statement, ...]
    no: tuple[Statement, ...] = ()


@attrs.frozen(eq=False, repr=False)
class While(ByFields):
    """Statements that run as long as a condition holds."""

    test: Expr
    body: tuple[Statement, ...]


@attrs.frozen(eq=False, repr=False)
class For(ByFields):
    """Statements that run for each number from `start` to below `stop`; `step` may be -1."""

    name: Name
    start: Expr
    stop: Expr
    body: tuple[Statement, ...]
    step: int = 1
    unrolled: bool = False
    """Whether the statements are to be written once for each number (`interpreter.compiler.specialise` does it)."""
    abreast: bool = False
    """Whether no round needs what another did, so that a processor may compute several at once."""


@attrs.frozen(eq=False, repr=False)
class ForEach(ByFields):
    """Statements that run for each cell of a set, in board order; what happens to the set meanwhile changes nothing."""

    name: Name
    cells: Expr
    body: tuple[Statement, ...]


@attrs.frozen(eq=False, repr=False)
class Let(ByFields):
    """Statements that do nothing but find the value of a name, and note what fails; the last one gives it.

    The other names that they give values to are their own. It says where a value of the rules begins and ends, for the
    pass `interpreter.compiler.passes.sharing`, which leaves none. Of a value that the board decides, and numbers that
    are given, it says which it is, for the pass `interpreter.compiler.passes.tables`.
    """

    name: Name
    body: tuple[Statement, ...]
    term: int = -1
    """The number of a term that the board decides (`interpreter.analysis.board_values`); -1 of others."""
    given: tuple[Expr, ...] = ()
    """The numbers that its names have."""


@attrs.frozen(eq=False, repr=False)
class Break(ByFields):
    """Leave the innermost loop."""


@attrs.frozen(eq=False, repr=False)
class Continue(ByFields):
    """Go on with the next round of the innermost loop."""


@attrs.frozen(eq=False, repr=False)
class Return(ByFields):
    """Leave the function."""

    value: Expr | None = None


@attrs.frozen(eq=False, repr=False)
class Comment(ByFields):
    """What a reader of the kernel should know: the rule that the next statements come from."""

    text: str
    span: Span | None = attrs.field(default=None, eq=False)


Statement: TypeAlias = (
    Assign | Update | Evaluate | If | While | For | ForEach | Let | Break | Continue | Return | Comment)

# ---- functions and modules


@attrs.frozen(eq=False, repr=False)
class Function(ByFields):
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


@attrs.frozen(eq=False, repr=False)
class Foreign(ByFields):
    """A function that is given as Python, not as IR: a hook, or what hooks call. Other targets do without it."""

    name: str
    parameters: tuple[Name, ...]
    """Of parts that only hooks call, none: their sorts are not known."""
    result: Sort
    text: str
    entry: bool = False


@attrs.frozen(eq=False, repr=False)
class Constant(ByFields):
    """A named number, word, or set of cells, which is given by its words."""

    name: str
    values: tuple[int, ...]
    sort: Sort


@attrs.frozen(eq=False, repr=False)
class Table(ByFields):
    """A constant array of numbers or words."""

    name: str
    values: tuple[int, ...]
    sort: Array


@attrs.frozen(eq=False, repr=False)
class Module(ByFields):
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
        for result in self.functions:
            if result.name == name:
                return result
        raise KeyError(name)


# ---- going through expressions and statements


def operands(node: Expr) -> tuple[Expr, ...]:
    """The expressions that an expression is made of, in the order in which they are computed."""
    kind = type(node)
    return () if kind is Literal or kind is Name else _OPERANDS[kind](node)


_OPERANDS: Final[dict[type, Callable[[Any], tuple[Expr, ...]]]] = {
    Unary: lambda node: (node.operand,), Binary: attrgetter("left", "right"), Comparison: attrgetter("operands"),
    Logical: attrgetter("operands"), Conditional: attrgetter("test", "yes", "no"),
    Element: lambda node: (node.collection, *node.indices), Tail: attrgetter("array", "start"),
    Call: attrgetter("arguments"), Tuple: attrgetter("items")}


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
        case Let(given=given):
            return given
    return ()


def blocks_of(statement: Statement) -> tuple[tuple[Statement, ...], ...]:
    """The blocks of statements in a statement."""
    match statement:
        case If(yes=yes, no=no):
            return yes, no
        case While(body=body) | For(body=body) | ForEach(body=body) | Let(body=body):
            return (body,)
    return ()


def walk(node: Expr) -> Iterator[Expr]:
    """An expression and all in it, the outermost first."""
    left = [node]
    while left:
        node = left.pop()
        yield node
        kind = type(node)
        if kind is not Literal and kind is not Name:
            left += reversed(_OPERANDS[kind](node))


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
    kind = type(node)
    if kind is Literal or kind is Name:
        return node
    return _WITH_OPERANDS[kind](node, change)


def _unary(node: Unary, change: Callable[[Expr], Expr]) -> Expr:
    result = change(node.operand)
    return node if result is node.operand else Unary(node.operator, result, node.sort)


def _binary(node: Binary, change: Callable[[Expr], Expr]) -> Expr:
    left, right = change(node.left), change(node.right)
    return node if left is node.left and right is node.right else Binary(node.operator, left, right, node.sort)


def _comparison(node: Comparison, change: Callable[[Expr], Expr]) -> Expr:
    result = _changed(node.operands, change)
    return node if result is node.operands else Comparison(node.relations, result)


def _logical(node: Logical, change: Callable[[Expr], Expr]) -> Expr:
    result = _changed(node.operands, change)
    return node if result is node.operands else Logical(node.operator, result)


def _conditional(node: Conditional, change: Callable[[Expr], Expr]) -> Expr:
    given = node.test, node.yes, node.no
    result = _changed(given, change)
    return node if result is given else Conditional(*result)


def _element(node: Element, change: Callable[[Expr], Expr]) -> Expr:
    collection, indices = change(node.collection), _changed(node.indices, change)
    same = collection is node.collection and indices is node.indices
    return node if same else Element(collection, indices, node.sort)


def _tail(node: Tail, change: Callable[[Expr], Expr]) -> Expr:
    array, start = change(node.array), change(node.start)
    return node if array is node.array and start is node.start else Tail(array, start)


def _call(node: Call, change: Callable[[Expr], Expr]) -> Expr:
    result = _changed(node.arguments, change)
    return node if result is node.arguments else Call(node.function, result, node.sort)


def _tuple(node: Tuple, change: Callable[[Expr], Expr]) -> Expr:
    result = _changed(node.items, change)
    return node if result is node.items else Tuple(result)


_WITH_OPERANDS: Final[dict[type, Callable[..., Expr]]] = {
    Unary: _unary, Binary: _binary, Comparison: _comparison, Logical: _logical, Conditional: _conditional,
    Element: _element, Tail: _tail, Call: _call, Tuple: _tuple}
"""`with_operands` by the class of the expression: quicker than `match`, which asks for one class after the other."""


def _changed(given: tuple[Expr, ...], change: Callable[[Expr], Expr]) -> tuple[Expr, ...]:
    """Expressions changed; the same tuple where none is."""
    result = tuple(map(change, given))
    return given if all(map(is_, result, given)) else result


def transformed(node: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """An expression with everything in it changed, the innermost first; itself where nothing is."""
    def inside(part: Expr) -> Expr:
        return change(with_operands(part, inside))

    return inside(node)


def with_values(node: Expr, values: Mapping[str, Expr]) -> Expr:
    """An expression in which names are the values that they stand for."""
    return transformed(node, lambda part: values.get(part.name, part) if type(part) is Name else part)


def block_of(result: Sequence[Statement], block: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """Statements that take the place of a block's; the block itself where all are the same objects."""
    return block if len(result) == len(block) and all(map(is_, result, block)) else tuple(result)


def with_expressions(block: tuple[Statement, ...], change: Callable[[Expr], Expr]) -> tuple[Statement, ...]:
    """Statements with each of their expressions changed as a whole, targets of assignments included.

    What `change` makes of a target must again be one: a name, an element or a tuple of them. Statements in which
    nothing changes are the same objects, and so is the whole block where none changes.
    """
    return block_of([_with_expressions(statement, change) for statement in block], block)


def _with_expressions(statement: Statement, change: Callable[[Expr], Expr]) -> Statement:
    match statement:
        case Assign(target=target, value=value):
            to = change(target)
            assert isinstance(to, (Name, Element, Tuple))
            given = change(value)
            return statement if to is target and given is value else Assign(to, given)
        case Update(target=target, operator=operator, value=value):
            to = change(target)
            assert isinstance(to, (Name, Element))
            given = change(value)
            return statement if to is target and given is value else Update(to, operator, given)
        case If(test=test, yes=yes, no=no):
            asked, done, otherwise = change(test), with_expressions(yes, change), with_expressions(no, change)
            same = asked is test and done is yes and otherwise is no
            return statement if same else If(asked, done, otherwise)
        case Return(value=value):
            if value is None or (given := change(value)) is value:
                return statement
            return Return(given)
        case Evaluate(call=call):
            called = change(call)
            assert isinstance(called, Call)
            return statement if called is call else Evaluate(called)
        case While(test=test, body=body):
            asked, done = change(test), with_expressions(body, change)
            return statement if asked is test and done is body else While(asked, done)
        case For(name=name, start=start, stop=stop, body=body):
            first, last, done = change(start), change(stop), with_expressions(body, change)
            same = first is start and last is stop and done is body
            return statement if same else attrs.evolve(statement, start=first, stop=last, body=done)
        case ForEach(name=name, cells=cells, body=body):
            within, done = change(cells), with_expressions(body, change)
            return statement if within is cells and done is body else ForEach(name, within, done)
        case Let(name=name, body=body, term=term, given=given):
            to, done, numbers = change(name), with_expressions(body, change), _changed(given, change)
            assert isinstance(to, Name)
            return statement if to is name and done is body and numbers is given else Let(to, done, term, numbers)
    return statement


def with_bodies(module: Module, change: Callable[[Function], tuple[Statement, ...]]) -> Module:
    """A module whose functions have other statements; itself where none has."""
    functions = []
    for function in module.functions:
        if isinstance(function, Function) and (body := change(function)) is not function.body:
            function = attrs.evolve(function, body=body)
        functions.append(function)
    return module if all(map(is_, functions, module.functions)) else attrs.evolve(module, functions=tuple(functions))


def with_statements(block: tuple[Statement, ...], change: Callable[[Statement], Statement]) -> tuple[Statement, ...]:
    """Statements each of which is changed, the innermost first; the same objects where nothing is."""
    def inside(body: tuple[Statement, ...]) -> tuple[Statement, ...]:
        return with_statements(body, change)

    result = tuple([change(with_blocks(statement, inside)) for statement in block])
    return block if all(map(is_, result, block)) else result


def with_blocks(statement: Statement, change: Callable[[tuple[Statement, ...]], tuple[Statement, ...]]) -> Statement:
    """A statement with each of its blocks changed; itself where none is."""
    match statement:
        case If(test=test, yes=yes, no=no):
            done, otherwise = change(yes), change(no)
            return statement if done is yes and otherwise is no else If(test, done, otherwise)
        case While() | For() | ForEach() | Let():
            body = change(statement.body)
            return statement if body is statement.body else attrs.evolve(statement, body=body)
    return statement
