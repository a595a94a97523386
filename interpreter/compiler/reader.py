"""Reads IR from a small subset of Python: functions with the sorts of their parameters annotated.

The same subset is the printed form of IR (`interpreter.compiler.printer`), and the language of the compiler's runtime
modules and of hooks. The sorts of locals, expressions and results are inferred.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from typing import Final

import attrs

from interpreter.compiler import ir
from interpreter.compiler.operations import sorts_of
from interpreter.compiler.primitives import CONSTANTS, Primitive, primitives_for
from interpreter.compiler.sorts import FUNCTIONS, sort_of, sort_text

_OPERATORS: Final[dict[type[ast.operator], ir.Operator]] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%", ast.BitAnd: "&", ast.BitOr: "|",
    ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>"}
_RELATIONS: Final[dict[type[ast.cmpop], ir.Relation]] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


class IRError(Exception):
    """Malformed IR, or text that cannot be read as IR: a mistake in the compiler, a runtime module or a hook."""


@attrs.frozen
class Signature:
    """The sorts of a function's parameters and of its result."""

    parameters: tuple[ir.Sort, ...]
    result: ir.Sort


def signature(source: ast.FunctionDef, cells: ir.Sort) -> Signature:
    """The signature of a function by its annotations. Raises IRError."""
    parameters = tuple(_named(argument.annotation, cells) for argument in source.args.args
                       if argument.annotation is not None)
    return Signature(parameters, ir.NOTHING if source.returns is None else _named(source.returns, cells))


def _named(annotation: ast.expr, cells: ir.Sort) -> ir.Sort:
    try:
        return sort_of(annotation, cells)
    except ValueError as problem:
        raise IRError(str(problem)) from None


@attrs.define
class Reader:
    """Reads functions that may call each other and use given constants and tables."""

    cells: ir.Sort
    """The sort of sets of cells."""
    globals: Mapping[str, ir.Sort]
    """The sorts of constants and tables."""
    sources: Mapping[str, ast.FunctionDef] = attrs.field(factory=dict)
    """The functions to read, by their names."""
    literals: Mapping[str, int] = attrs.field(factory=dict)
    """Numbers known at reading time, which replace their names."""
    operations: frozenset[str] = frozenset()
    """The operations on sets of cells that functions may call (`interpreter.compiler.operations`)."""
    foreign: Mapping[str, Signature] = attrs.field(factory=dict)
    """Functions that may be called but are not read."""
    given: dict[str, tuple[ir.Sort, ...]] = attrs.field(factory=dict)
    """The sorts of the parameters of functions without annotations, such as parts of hooks: those of the first call."""
    done: dict[str, ir.Function] = attrs.field(factory=dict)
    _reading: list[str] = attrs.field(factory=list)
    _primitives: dict[str, Primitive] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._primitives = primitives_for(self.cells)

    def function(self, name: str) -> ir.Function:
        """Read the function with a given name, once. Raises IRError."""
        if name not in self.done:
            self._reading.append(name)
            try:
                self.done[name] = _Body(self, self.sources[name]).function()
            finally:
                self._reading.pop()
        return self.done[name]

    def read_anew(self, name: str, literals: Mapping[str, int]) -> ir.Function:
        """Read a function anew, with numbers in place of some names that its sorts depend on. Raises IRError."""
        return _Body(self, self.sources[name], literals).function()

    def named(self, annotation: ast.expr) -> ir.Sort:
        """The sort that an annotation names. Raises IRError."""
        return _named(annotation, self.cells)

    def called(self, name: str, arguments: tuple[ir.Expr, ...]) -> ir.Sort:
        """The sort of the result of a call. Raises IRError."""
        if name in self.operations:
            return sorts_of(name, self.cells)[1]
        if name in self.foreign:
            return self.foreign[name].result
        if name in self.sources or name in self.done:
            if name in self._reading:  # it calls itself, directly or indirectly
                return self._annotated_result(self.sources[name])
            self._given(name, arguments)
            return self.function(name).result
        if name in self._primitives:
            found = self._primitives[name].sort([argument.sort for argument in arguments])
            if found is not None:
                return found
            given = ", ".join(sort_text(argument.sort) for argument in arguments)
            raise IRError(f"{name} does not take ({given})")
        raise IRError(f"nothing is called '{name}'")

    def _given(self, name: str, arguments: tuple[ir.Expr, ...]) -> None:
        """Record the sorts of a call's arguments as its parameters' sorts. Raises IRError where earlier ones differ."""
        source = self.sources.get(name)
        if source is None or all(argument.annotation is not None for argument in source.args.args):
            return
        sorts = tuple(argument.sort for argument in arguments)
        if len(sorts) != len(source.args.args):
            raise IRError(f"{name} is given {len(sorts)} values, it takes {len(source.args.args)}")
        if (known := self.given.setdefault(name, sorts)) != sorts:
            one, other = (", ".join(map(sort_text, result)) for result in (known, sorts))
            raise IRError(f"{name} is given ({one}) and ({other})")

    def primitive(self, name: str) -> bool:
        """Whether a name is that of a primitive, not hidden by a function of the same name."""
        return name in self._primitives and not (name in self.foreign or name in self.sources or name in self.done)

    def _annotated_result(self, source: ast.FunctionDef) -> ir.Sort:
        return ir.INT if source.returns is None else self.named(source.returns)


def read_functions(texts: Iterable[str], cells: ir.Sort, named: Mapping[str, ir.Sort],
                   foreign: Mapping[str, Signature] | None = None) -> tuple[ir.Function, ...]:
    """Read the functions of several texts, which may call each other; `named` has the sorts of constants and tables.

    Raises IRError.
    """
    sources = {node.name: node for text in texts for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}
    reader = Reader(cells, named, sources, foreign=dict(foreign or {}))
    return tuple(map(reader.function, sources))


class _Body:
    """Reads one function."""

    def __init__(self, reader: Reader, source: ast.FunctionDef, literals: Mapping[str, int] | None = None) -> None:
        self.reader, self.source = reader, source
        self.locals: dict[str, ir.Sort] = {}
        self.literals = {**reader.literals, **(literals or {})}
        self.functions = {argument.arg for argument in source.args.args
                          if isinstance(argument.annotation, ast.Name) and argument.annotation.id in FUNCTIONS}
        """The names of the parameters that are functions."""
        self.result: ir.Sort | None = None
        self._readers: dict[type[ast.expr], Callable[..., ir.Expr]] = {
            ast.Constant: self._constant, ast.Name: self._name, ast.BinOp: self._binary, ast.UnaryOp: self._unary,
            ast.Compare: self._comparison, ast.BoolOp: self._logical, ast.IfExp: self._conditional,
            ast.Subscript: self._element, ast.Call: self._call, ast.Tuple: self._tuple}

    def function(self) -> ir.Function:
        """Read the function. Raises IRError."""
        source = self.source
        parameters = []
        for argument in source.args.args:
            sort = self._parameter(argument)
            self.locals[argument.arg] = sort
            parameters.append(ir.Name(argument.arg, sort))
        body = source.body
        doc = (ast.get_docstring(source) or "").partition("\n\n")[0]  # the rest describes parameters
        if doc:
            body = body[1:]
        try:
            read = self.block(body)
        except IRError as problem:
            raise IRError(f"{source.name}: {problem}") from None
        entry = any(isinstance(found, ast.Name) and found.id == "entry" for found in source.decorator_list)
        result = self.result or ir.NOTHING
        if result == ir.Product((ir.WORD,) * self._words) and not isinstance(self.reader.cells, ir.Vector):
            result = self.reader.cells
        return ir.Function(source.name, tuple(parameters), result, " ".join(doc.split()), read, entry)

    @property
    def _words(self) -> int:
        match self.reader.cells:
            case ir.Product(items=items):
                return len(items)
            case ir.Vector(words=words):
                return words
        return 1

    def _parameter(self, argument: ast.arg) -> ir.Sort:
        if argument.annotation is None and (given := self.reader.given.get(self.source.name)) is not None:
            if len(given) != len(self.source.args.args):
                raise IRError(f"{self.source.name} has {len(self.source.args.args)} parameters, expected {len(given)}")
            return given[self.source.args.args.index(argument)]
        if argument.annotation is None:
            raise IRError(f"{self.source.name}: of which sort is the parameter '{argument.arg}'?")
        return self.reader.named(argument.annotation)

    # ---- statements

    def block(self, body: list[ast.stmt]) -> tuple[ir.Statement, ...]:
        """Read statements."""
        return tuple(result for statement in body if (result := self.statement(statement)) is not None)

    def statement(self, node: ast.stmt) -> ir.Statement | None:
        """Read a statement; None for `pass`. Raises IRError."""
        match node:
            case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
                read = self.expression(value)
                return ir.Assign(self._target(target, read.sort), read)
            case ast.AugAssign(target=target, op=operator, value=value):
                given = self.expression(value)
                to = self.expression(target)
                if not isinstance(to, (ir.Name, ir.Element)):
                    raise IRError(f"{ast.unparse(target)} cannot be changed")
                return ir.Update(to, _OPERATORS[type(operator)], given)
            case ast.Expr(value=ast.Call() as call):
                done = self.expression(call)
                assert isinstance(done, ir.Call)
                return ir.Evaluate(done)
            case ast.If(test=test, body=yes, orelse=no):
                return ir.If(self.expression(test), self.block(yes), self.block(no))
            case ast.While(test=test, body=inner, orelse=[]):
                return ir.While(self.expression(test), self.block(inner))
            case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=bounds), body=inner,
                         orelse=[]):
                return self._for(name, bounds, inner)
            case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="abreast"), args=[start, stop]),
                         body=inner, orelse=[]):
                return attrs.evolve(self._for(name, [start, stop], inner), abreast=True)
            case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="unrolled"), args=[ast.Call(
                    func=ast.Name(id="range"), args=bounds)]), body=inner, orelse=[]):
                return attrs.evolve(self._for(name, bounds, inner), unrolled=True)
            case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="members"), args=[cells]), body=inner,
                         orelse=[]):
                return self._each(name, cells, inner)
            case ast.With(items=[ast.withitem(context_expr=ast.Call(func=ast.Name(id="let"), args=[
                    ast.Name(id=name), *term]), optional_vars=None)], body=inner):
                result = self.block(inner)
                if name not in self.locals:
                    raise IRError(f"'{name}' is given no value")
                number = term[0].value if term and isinstance(term[0], ast.Constant) else -1
                assert isinstance(number, int)
                return ir.Let(ir.Name(name, self.locals[name]), result, number, tuple(map(self.expression, term[1:])))
            case ast.Return(value=value):
                return self._return(value)
            case ast.Break():
                return ir.Break()
            case ast.Continue():
                return ir.Continue()
            case ast.Pass():
                return None
            case ast.Expr(value=ast.Tuple(elts=[ast.Constant(value=str(text))])):  # as `module_reader` writes
                return ir.Comment(text)
        raise IRError(f"no such statement: {ast.unparse(node)}")

    def _for(self, name: str, bounds: list[ast.expr], body: list[ast.stmt]) -> ir.For:
        read = [self.expression(bound) for bound in bounds]
        step = 1
        if len(read) == 3:
            result = ast.literal_eval(bounds[2])
            if result not in (1, -1):
                raise IRError("a loop's step is 1 or -1")
            step = result
        start = read[0] if len(read) > 1 else ir.Literal(0, ir.INT)
        self.locals[name] = ir.INT
        return ir.For(ir.Name(name, ir.INT), start, read[1 if len(read) > 1 else 0], self.block(body), step)

    def _each(self, name: str, cells: ast.expr, body: list[ast.stmt]) -> ir.ForEach:
        read = self.expression(cells)
        self.locals[name] = ir.INT
        return ir.ForEach(ir.Name(name, ir.INT), read, self.block(body))

    def _return(self, value: ast.expr | None) -> ir.Return:
        if value is None:
            return ir.Return()
        read = self.expression(value)
        sort = read.sort
        if self.result is None:
            self.result = sort
        elif self.result != sort:
            raise IRError(f"returns {sort_text(self.result)} and {sort_text(sort)}")
        return ir.Return(read)

    def _target(self, target: ast.expr, sort: ir.Sort) -> ir.Name | ir.Element | ir.Tuple:
        match target:
            case ast.Name(id=name):
                known = self.locals.get(name)
                if known is None:
                    self.locals[name] = sort
                elif known != sort:
                    raise IRError(f"'{name}' is {sort_text(known)} and then {sort_text(sort)}")
                return ir.Name(name, sort)
            case ast.Subscript():
                result = self.expression(target)
                assert isinstance(result, ir.Element)
                return result
            case ast.Tuple(elts=targets) if isinstance(sort, ir.Product) and len(targets) == len(sort.items):
                return ir.Tuple(tuple(self._target(part, item) for part, item in zip(targets, sort.items, strict=True)))
        raise IRError(f"{ast.unparse(target)} cannot be given a value")

    # ---- expressions

    def expression(self, node: ast.expr) -> ir.Expr:
        """Read an expression. Raises IRError."""
        reader = self._readers.get(type(node))
        if reader is None:
            raise IRError(f"no such expression: {ast.unparse(node)}")
        return reader(node)

    def _constant(self, node: ast.Constant) -> ir.Expr:
        if isinstance(node.value, bool):
            return ir.Literal(int(node.value), ir.BOOL)
        if isinstance(node.value, int):
            return ir.Literal(node.value, ir.INT)
        raise IRError(f"no such value: {node.value!r}")

    def _name(self, node: ast.Name) -> ir.Expr:
        name = node.id
        if name in self.literals:
            return ir.Literal(self.literals[name], ir.INT)
        if name in self.locals:
            return ir.Name(name, self.locals[name])
        if name in self.reader.globals:
            return ir.Name(name, self.reader.globals[name])
        if name in CONSTANTS:
            return ir.Name(name, CONSTANTS[name][1])
        raise IRError(f"'{name}' has no value")

    def _binary(self, node: ast.BinOp) -> ir.Expr:
        left, right = self.expression(node.left), self.expression(node.right)
        return ir.Binary(_OPERATORS[type(node.op)], left, right, left.sort)

    def _unary(self, node: ast.UnaryOp) -> ir.Expr:
        operand = self.expression(node.operand)
        match node.op:
            case ast.Not():
                return ir.Unary("not", operand, ir.BOOL)
            case ast.USub():
                if isinstance(operand, ir.Literal):
                    return ir.Literal(-operand.value, ir.INT)
                return ir.Unary("-", operand, ir.INT)
            case ast.Invert():
                return ir.Unary("~", operand, operand.sort)
        raise IRError(f"no such operator: {ast.unparse(node)}")

    def _comparison(self, node: ast.Compare) -> ir.Expr:
        for relation in node.ops:
            if type(relation) not in _RELATIONS:
                raise IRError(f"no such comparison: {ast.unparse(node)}")
        return ir.Comparison(tuple(_RELATIONS[type(relation)] for relation in node.ops),
                          tuple(map(self.expression, (node.left, *node.comparators))))

    def _logical(self, node: ast.BoolOp) -> ir.Expr:
        return ir.Logical("and" if isinstance(node.op, ast.And) else "or", tuple(map(self.expression, node.values)))

    def _conditional(self, node: ast.IfExp) -> ir.Expr:
        return ir.Conditional(*map(self.expression, (node.test, node.body, node.orelse)))

    def _element(self, node: ast.Subscript) -> ir.Expr:
        collection = self.expression(node.value)
        if isinstance(node.slice, ast.Slice):
            start = node.slice.lower
            if start is None or node.slice.upper is not None or node.slice.step is not None:
                raise IRError(f"no such part of an array: {ast.unparse(node)}")
            return ir.Tail(collection, self.expression(start))
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        indices = tuple(map(self.expression, parts))
        match collection.sort:
            case ir.Array(element=element, dimensions=dimensions) if len(indices) <= dimensions:
                left = dimensions - len(indices)
                return ir.Element(collection, indices, ir.Array(element, left) if left else element)
            case ir.Product(items=items) if len(indices) == 1:
                place = indices[0]
                return ir.Element(collection, indices, items[place.value if isinstance(place, ir.Literal) else 0])
            case ir.Vector() if len(indices) == 1:
                return ir.Element(collection, indices, ir.WORD)
            case ir.WORD if len(indices) == 1:  # a set of one word
                return collection
        raise IRError(f"{ast.unparse(node)} has no such element")

    def _call(self, node: ast.Call) -> ir.Expr:
        if not isinstance(node.func, ast.Name) or node.keywords:
            raise IRError(f"no such call: {ast.unparse(node)}")
        if len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
            return self._for_each_number(node.func.id, node.args[0])
        arguments = tuple(map(self.expression, node.args))
        name = node.func.id
        if name in self.functions:
            return ir.Call(name, arguments, self.locals[name])
        if name == "len" and arguments[0].sort == self.reader.cells:
            return ir.Literal(self._words, ir.INT)
        if name == "len" and isinstance(arguments[0].sort, ir.Product):  # of sets that are substituted later
            return ir.Call(name, arguments, ir.INT)
        sort = self.reader.called(name, arguments)
        if name == "word" and self.reader.primitive(name) and isinstance(first := arguments[0], ir.Literal) and (
                first.value >= 0):
            return ir.Literal(first.value, ir.WORD)
        return ir.Call(name, arguments, sort)

    def _for_each_number(self, function: str, node: ast.GeneratorExp) -> ir.Expr:
        """Expand `tuple(... for k in range(4))`, or `all`, `any`, `sum` of it; the bound must be a literal."""
        items: list[ir.Expr] = []
        match node.generators:
            case [ast.comprehension(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=[bound]),
                                    ifs=[])]:
                stop = self.expression(bound)
                if isinstance(stop, ir.Literal):
                    for number in range(stop.value):
                        self.literals[name] = number
                        items.append(self.expression(node.elt))
                    self.literals.pop(name, None)
        match function:
            case "tuple" if items:
                return self._words_together(tuple(items))
            case "all" | "any" if items:
                return ir.Logical("and" if function == "all" else "or", tuple(items)) if len(items) > 1 else items[0]
            case "sum" if items:
                return reduce(lambda one, other: ir.Binary("+", one, other, one.sort), items)
        raise IRError(f"no such expression: {function}({ast.unparse(node)})")

    def _words_together(self, items: tuple[ir.Expr, ...]) -> ir.Expr:
        """Make a vector of words where sets are vectors of that many words; else a tuple, or a single word as it is."""
        if len(items) == 1:
            return items[0]
        if isinstance(self.reader.cells, ir.Vector) and len(items) == self.reader.cells.words:
            return ir.Call("of_words", (ir.Tuple(items),), self.reader.cells)
        return ir.Tuple(items)

    def _tuple(self, node: ast.Tuple) -> ir.Expr:
        return ir.Tuple(tuple(map(self.expression, node.elts)))
