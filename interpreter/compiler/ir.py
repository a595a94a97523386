"""The compiler's intermediate representation (IR): typed functions on numbers, words, sets of cells and rows.

A module holds the kernel of one game. Every expression has a sort (its type), so that an emitter can tell signed from
unsigned 64-bit integers; functions and comments may carry the span of the rule that they come from. Nodes are frozen: a
pass makes new ones (`transformed`). `interpreter.compiler.printer` writes IR as text, `interpreter.compiler.reader`
reads it back, and `interpreter.compiler.verify` checks it.
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
    """The sort of scalar values."""

    name: str


@attrs.frozen(eq=False, repr=False)
class Product(ByFields):
    """The sort of tuples."""

    items: tuple[Sort, ...]


@attrs.frozen(eq=False, repr=False)
class Vector(ByFields):
    """The sort of sets of cells that are held in one SIMD vector of words."""

    words: int


@attrs.frozen(eq=False, repr=False)
class Array(ByFields):
    """The sort of arrays, which are mutable and passed by reference."""

    element: Scalar
    dimensions: int = 1


Sort: TypeAlias = Scalar | Product | Vector | Array

INT: Final = Scalar("int")
"""Signed 64-bit integers: cells, players, pieces, directions, counts; -1 stands for nothing."""
BOOL: Final = Scalar("bool")
WORD: Final = Scalar("word")
"""Unsigned 64-bit words: a bitset of cells, or a number in a row."""
NOTHING: Final = Scalar("nothing")
"""The result sort of functions that return nothing."""
ROW: Final = Array(WORD)
ROWS: Final = Array(WORD, 2)
LINE: Final = Array(INT)
LINES: Final = Array(INT, 2)
PAGES: Final = Array(INT, 3)


def cells_sort(words: int, *, vector: bool = False) -> Sort:
    """The sort of sets of cells, for a board whose sets have `words` words."""
    if words == 1:
        return WORD
    return Vector(words) if vector else Product((WORD,) * words)


# ---- expressions

Operator: TypeAlias = One["+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>"]
UnaryOperator: TypeAlias = One["-", "~", "not"]
Relation: TypeAlias = One["==", "!=", "<", "<=", ">", ">="]


@attrs.frozen(eq=False, repr=False)
class Literal(ByFields):
    """A literal: a number, a truth value, a word, or a set of cells as one number."""

    value: int
    sort: Sort


@attrs.frozen(eq=False, repr=False)
class Name(ByFields):
    """A reference to a parameter, a local, a constant or a table."""

    name: str
    sort: Sort


@attrs.frozen(eq=False, repr=False)
class Unary(ByFields):
    """A unary operation."""

    operator: UnaryOperator
    operand: Expr
    sort: Sort


@attrs.frozen(eq=False, repr=False)
class Binary(ByFields):
    """A binary operation."""

    operator: Operator
    left: Expr
    right: Expr
    sort: Sort


@attrs.frozen(eq=False, repr=False)
class Comparison(ByFields):
    """A chain of comparisons, as in 0 <= place < limit; each operand is computed once."""

    relations: tuple[Relation, ...]
    operands: tuple[Expr, ...]

    @property
    def sort(self) -> Sort:
        """A truth value."""
        return BOOL


@attrs.frozen(eq=False, repr=False)
class Logical(ByFields):
    """Conditions joined by `and` or `or`, with short-circuit evaluation."""

    operator: One["and", "or"]
    operands: tuple[Expr, ...]

    @property
    def sort(self) -> Sort:
        """A truth value."""
        return BOOL


@attrs.frozen(eq=False, repr=False)
class Conditional(ByFields):
    """A conditional expression; only the chosen branch is computed."""

    test: Expr
    yes: Expr
    no: Expr

    @property
    def sort(self) -> Sort:
        """The sort of both branches."""
        return self.yes.sort


@attrs.frozen(eq=False, repr=False)
class Element(ByFields):
    """An element of an array or tuple; with fewer indices than dimensions, the subarray of the remaining dimensions."""

    collection: Expr
    indices: tuple[Expr, ...]
    sort: Sort


@attrs.frozen(eq=False, repr=False)
class Tail(ByFields):
    """A view of an array's elements from index `start` on."""

    array: Expr
    start: Expr

    @property
    def sort(self) -> Sort:
        """The sort of the array."""
        return self.array.sort


@attrs.frozen(eq=False, repr=False)
class Call(ByFields):
    """A call of a function of the module, or of a primitive (`interpreter.compiler.primitives`)."""

    function: str
    arguments: tuple[Expr, ...]
    sort: Sort


@attrs.frozen(eq=False, repr=False)
class Tuple(ByFields):
    """A tuple of values."""

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
    """Assign to a local, to an element of an array, or to each item of a tuple of these."""

    target: Name | Element | Tuple
    value: Expr


@attrs.frozen(eq=False, repr=False)
class Update(ByFields):
    """An augmented assignment to a local or to an element."""

    target: Name | Element
    operator: Operator
    value: Expr


@attrs.frozen(eq=False, repr=False)
class Evaluate(ByFields):
    """Call a function for its side effects."""

    call: Call


@attrs.frozen(eq=False, repr=False)
class If(ByFields):
    """An `if` statement, with the blocks of both branches."""

    test: Expr
    yes: tuple[Statement, ...]
    no: tuple[Statement, ...] = ()


@attrs.frozen(eq=False, repr=False)
class While(ByFields):
    """A loop that runs as long as a condition holds."""

    test: Expr
    body: tuple[Statement, ...]


@attrs.frozen(eq=False, repr=False)
class For(ByFields):
    """A counted loop from `start` up to, but not including, `stop`; `step` is 1 or -1."""

    name: Name
    start: Expr
    stop: Expr
    body: tuple[Statement, ...]
    step: int = 1
    unrolled: bool = False
    """Whether `interpreter.compiler.specialise` unrolls the loop."""
    abreast: bool = False
    """Whether the iterations are independent of each other, so that the loop may be vectorised."""


@attrs.frozen(eq=False, repr=False)
class ForEach(ByFields):
    """A loop over the cells of a set, in board order; changes to the set inside the loop do not affect it."""

    name: Name
    cells: Expr
    body: tuple[Statement, ...]


@attrs.frozen(eq=False, repr=False)
class Let(ByFields):
    """Statements whose only effects are to compute the value of a name and to record failures; the last one assigns it.

    The other names that they assign are local to it. It marks where the computation of a value of the rules begins and
    ends, for the pass `interpreter.compiler.passes.sharing`, which removes every `Let`. Where the value depends on the
    board and on given numbers alone, `term` and `given` identify it for the pass `interpreter.compiler.passes.tables`.
    """

    name: Name
    body: tuple[Statement, ...]
    term: int = -1
    """The number of a term that the board determines (`interpreter.analysis.board_values`); -1 for other terms."""
    given: tuple[Expr, ...] = ()
    """The values of the numbers that the term depends on."""


@attrs.frozen(eq=False, repr=False)
class Break(ByFields):
    """Leave the innermost loop."""


@attrs.frozen(eq=False, repr=False)
class Continue(ByFields):
    """Continue with the next iteration of the innermost loop."""


@attrs.frozen(eq=False, repr=False)
class Return(ByFields):
    """Return from the function."""

    value: Expr | None = None


@attrs.frozen(eq=False, repr=False)
class Comment(ByFields):
    """A comment for readers of the kernel: the rule that the next statements come from."""

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
    """Whether it can be called from outside of the kernel."""
    span: Span | None = attrs.field(default=None, eq=False)
    """The rule that it comes from."""


@attrs.frozen(eq=False, repr=False)
class Foreign(ByFields):
    """A function given as Python text rather than IR: a hook, or a function that hooks call. Python targets only."""

    name: str
    parameters: tuple[Name, ...]
    """Empty for functions that only hooks call: the sorts of their parameters are not known."""
    result: Sort
    text: str
    entry: bool = False


@attrs.frozen(eq=False, repr=False)
class Constant(ByFields):
    """A named number, word, or set of cells; `values` are the words of a set."""

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
    """In any order: functions may call those after them."""
    failures: tuple[str, ...] = ()
    """The message of each failure number that functions write to the FAILED word of a row; number 0 is no failure."""

    def function(self, name: str) -> Function | Foreign:
        """The function with a given name. Raises KeyError."""
        for result in self.functions:
            if result.name == name:
                return result
        raise KeyError(name)


# ---- traversal of expressions and statements


def operands(node: Expr) -> tuple[Expr, ...]:
    """The direct operands of an expression, in evaluation order."""
    kind = type(node)
    return () if kind is Literal or kind is Name else _OPERANDS[kind](node)


_OPERANDS: Final[dict[type, Callable[[Any], tuple[Expr, ...]]]] = {
    Unary: lambda node: (node.operand,), Binary: attrgetter("left", "right"), Comparison: attrgetter("operands"),
    Logical: attrgetter("operands"), Conditional: attrgetter("test", "yes", "no"),
    Element: lambda node: (node.collection, *node.indices), Tail: attrgetter("array", "start"),
    Call: attrgetter("arguments"), Tuple: attrgetter("items")}


def expressions_of(statement: Statement) -> tuple[Expr, ...]:
    """The expressions of a statement itself, without those of nested statements."""
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
    """The blocks nested directly in a statement."""
    match statement:
        case If(yes=yes, no=no):
            return yes, no
        case While(body=body) | For(body=body) | ForEach(body=body) | Let(body=body):
            return (body,)
    return ()


def walk(node: Expr) -> Iterator[Expr]:
    """Iterate over an expression and its subexpressions, in preorder."""
    left = [node]
    while left:
        node = left.pop()
        yield node
        kind = type(node)
        if kind is not Literal and kind is not Name:
            left += reversed(_OPERANDS[kind](node))


def statements(block: tuple[Statement, ...]) -> Iterator[Statement]:
    """Iterate over statements and those nested in them, in text order."""
    for statement in block:
        yield statement
        for inner in blocks_of(statement):
            yield from statements(inner)


def expressions(block: tuple[Statement, ...]) -> Iterator[Expr]:
    """Iterate over all expressions and subexpressions of statements, nested ones included."""
    for statement in statements(block):
        for expression in expressions_of(statement):
            yield from walk(expression)


def with_operands(node: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """Return an expression with `change` applied to its direct operands; the same object where nothing changes."""
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
"""`with_operands` by the class of the expression: faster than `match`, which tests one class after another."""


def _changed(given: tuple[Expr, ...], change: Callable[[Expr], Expr]) -> tuple[Expr, ...]:
    """Return expressions with `change` applied to each; the same tuple where nothing changes."""
    result = tuple(map(change, given))
    return given if all(map(is_, result, given)) else result


def transformed(node: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """Rewrite an expression bottom-up with `change`; the same object where nothing changes."""
    def inside(part: Expr) -> Expr:
        return change(with_operands(part, inside))

    return inside(node)


def with_values(node: Expr, values: Mapping[str, Expr]) -> Expr:
    """Substitute expressions for names in an expression."""
    return transformed(node, lambda part: values.get(part.name, part) if type(part) is Name else part)


def block_of(result: Sequence[Statement], block: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """Return the statements `result` as a block; `block` itself where all of them are the same objects."""
    return block if len(result) == len(block) and all(map(is_, result, block)) else tuple(result)


def with_expressions(block: tuple[Statement, ...], change: Callable[[Expr], Expr]) -> tuple[Statement, ...]:
    """Return statements with `change` applied to each of their whole expressions, assignment targets included.

    The result for a target must again be a target: a name, an element or a tuple of them. Statements in which nothing
    changes are the same objects, and so is the whole block where none changes.
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
    """Return a module with the body of each function replaced by `change`; the same object where nothing changes."""
    functions = []
    for function in module.functions:
        if isinstance(function, Function) and (body := change(function)) is not function.body:
            function = attrs.evolve(function, body=body)
        functions.append(function)
    return module if all(map(is_, functions, module.functions)) else attrs.evolve(module, functions=tuple(functions))


def with_statements(block: tuple[Statement, ...], change: Callable[[Statement], Statement]) -> tuple[Statement, ...]:
    """Rewrite statements bottom-up with `change`; the same block where nothing changes."""
    def inside(body: tuple[Statement, ...]) -> tuple[Statement, ...]:
        return with_statements(body, change)

    result = tuple([change(with_blocks(statement, inside)) for statement in block])
    return block if all(map(is_, result, block)) else result


def with_blocks(statement: Statement, change: Callable[[tuple[Statement, ...]], tuple[Statement, ...]]) -> Statement:
    """Return a statement with `change` applied to each of its blocks; the same object where nothing changes."""
    match statement:
        case If(test=test, yes=yes, no=no):
            done, otherwise = change(yes), change(no)
            return statement if done is yes and otherwise is no else If(test, done, otherwise)
        case While() | For() | ForEach() | Let():
            body = change(statement.body)
            return statement if body is statement.body else attrs.evolve(statement, body=body)
    return statement
