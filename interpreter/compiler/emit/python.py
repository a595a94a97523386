"""From IR to Python: the text of a module that Numba compiles, and functions in plain Python.

Both are made as nodes of `ast`, so that what binds closer than what is nowhere written twice. `text_of` gives a module
that imports what it calls from `interpreter.kernel.native` or `interpreter.kernel.plain` (its import says SUPPORT).
`PlainEmitter` gives functions that run in plain Python and say the same in fewer steps: a word and a number are
both an int there, so that converting one to the other is nothing; named numbers are written out; `A[i, j]` is
`A[i][j]`; copying a row cell by cell is copying a slice; counting cells is a method of ints. Plain kernels take half as
long so.

A kernel of 70 functions is written in 15 ms, two thirds of it in `ast.unparse`.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Callable, Iterable
from typing import Any, Final

from interpreter.compiler import ir
from interpreter.compiler.analysis.names import bound_names
from interpreter.compiler.each import without_loops_over_cells
from interpreter.compiler.primitives import CONSTANTS, OF_VECTORS, PRIMITIVES

_WIDTH: Final = 114
"""Of the lines that describe a function."""
_LINE: Final = 118
"""Of other lines that are wrapped."""
_SHOWN: Final = 12
"""How many numbers are written of a table that is abbreviated."""
_BUILT_IN: Final = frozenset({"abs", "len", "max", "min"})
"""Primitives that Python has without an import."""
_WORD: Final = re.compile(r"[A-Za-z_]\w*")
_LOAD: Final = ast.Load()
_STORE: Final = ast.Store()
_OPERATORS: Final[dict[ir.Operator, ast.operator]] = {
    "+": ast.Add(), "-": ast.Sub(), "*": ast.Mult(), "//": ast.FloorDiv(), "%": ast.Mod(), "&": ast.BitAnd(),
    "|": ast.BitOr(), "^": ast.BitXor(), "<<": ast.LShift(), ">>": ast.RShift()}
_UNARY: Final[dict[ir.UnaryOperator, ast.unaryop]] = {"-": ast.USub(), "~": ast.Invert(), "not": ast.Not()}
_RELATIONS: Final[dict[ir.Relation, ast.cmpop]] = {
    "==": ast.Eq(), "!=": ast.NotEq(), "<": ast.Lt(), "<=": ast.LtE(), ">": ast.Gt(), ">=": ast.GtE()}
_AND: Final = ast.And()
_OR: Final = ast.Or()
_ALL: Final = (1 << 64) - 1


class Emitter:
    """Makes the nodes of functions as they are; the base of those that say it in another way."""

    def __init__(self) -> None:
        self._expressions: dict[type, Callable[[Any], ast.expr]] = {
            ir.Literal: self.literal, ir.Name: self.name, ir.Unary: self.unary, ir.Binary: self.binary,
            ir.Comparison: self.comparison, ir.Logical: self.logical, ir.Conditional: self.conditional,
            ir.Element: self.element, ir.Tail: self.tail, ir.Call: self.call, ir.Tuple: self.tuple}
        self._statements: dict[type, Callable[[Any], ast.stmt]] = {
            ir.Assign: self.assign, ir.Update: self.update, ir.Evaluate: self.evaluate, ir.If: self.if_,
            ir.While: self.while_, ir.For: self.for_, ir.Break: lambda _: ast.Break(),
            ir.Continue: lambda _: ast.Continue(), ir.Return: self.return_}

    # ---- expressions

    def expression(self, node: ir.Expr) -> ast.expr:
        """An expression."""
        return self._expressions[type(node)](node)

    def literal(self, node: ir.Literal) -> ast.expr:
        """A number, truth value or word; a set of cells as its words."""
        sort = node.sort
        if sort == ir.INT:
            return _number(node.value)
        if sort == ir.BOOL:
            return ast.Constant(bool(node.value))
        if sort == ir.WORD:
            return self._word(node.value)
        words = sort.words if isinstance(sort, ir.Vector) else len(sort.items) if isinstance(sort, ir.Product) else 0
        result = ast.Tuple([self._word(node.value >> 64 * part & _ALL) for part in range(words)], _LOAD)
        return _called("of_words", result) if isinstance(sort, ir.Vector) else result

    def _word(self, value: int) -> ast.expr:
        return _called("word", ast.Constant(value) if value < 10 else ast.Name(f"{value:#x}", _LOAD))

    def name(self, node: ir.Name) -> ast.expr:
        """A value's name."""
        return ast.Name(node.name, _LOAD)

    def unary(self, node: ir.Unary) -> ast.expr:
        """An operator on one value."""
        return ast.UnaryOp(_UNARY[node.operator], self.expression(node.operand))

    def binary(self, node: ir.Binary) -> ast.expr:
        """An operator on two values."""
        return ast.BinOp(self.expression(node.left), _OPERATORS[node.operator], self.expression(node.right))

    def comparison(self, node: ir.Comparison) -> ast.expr:
        """Values compared in a chain."""
        first, *others = map(self.expression, node.operands)
        return ast.Compare(first, [_RELATIONS[relation] for relation in node.relations], others)

    def logical(self, node: ir.Logical) -> ast.expr:
        """Conditions joined by `and` or `or`."""
        return ast.BoolOp(_AND if node.operator == "and" else _OR, list(map(self.expression, node.operands)))

    def conditional(self, node: ir.Conditional) -> ast.expr:
        """One of two values."""
        return ast.IfExp(self.expression(node.test), self.expression(node.yes), self.expression(node.no))

    def element(self, node: ir.Element, context: ast.expr_context = _LOAD) -> ast.expr:
        """An element of an array or tuple, to be read or, with another context, written."""
        indices = list(map(self.expression, node.indices))
        place = indices[0] if len(indices) == 1 else ast.Tuple(indices, _LOAD)
        return ast.Subscript(self.expression(node.collection), place, context)

    def tail(self, node: ir.Tail) -> ast.expr:
        """An array's elements from a place on."""
        return ast.Subscript(self.expression(node.array), ast.Slice(self.expression(node.start), None, None), _LOAD)

    def call(self, node: ir.Call) -> ast.expr:
        """A call."""
        return ast.Call(ast.Name(node.function, _LOAD), list(map(self.expression, node.arguments)), [])

    def tuple(self, node: ir.Tuple) -> ast.expr:
        """Several values."""
        return ast.Tuple(list(map(self.expression, node.items)), _LOAD)

    # ---- statements

    def block(self, block: Iterable[ir.Statement]) -> list[ast.stmt]:
        """Statements, at least one: `pass` where there is nothing to do."""
        result: list[ast.stmt] = []
        idle = True
        for statement in block:
            if type(statement) is ir.Comment:
                result += self.comment(statement)
            elif type(statement) is ir.Let:
                result += self.let(statement)
                idle = False
            else:
                result.append(self._statements[type(statement)](statement))
                idle = False
        return [*result, ast.Pass()] if idle else result

    def comment(self, node: ir.Comment) -> list[ast.stmt]:
        """A comment's lines. `ast` has no comments, but it writes names as they are."""
        return [ast.Expr(ast.Name(f"# {line}".rstrip(), _LOAD)) for line in node.text.splitlines()]

    def let(self, node: ir.Let) -> list[ast.stmt]:
        """The statements that find a value, where it is asked for."""
        return self.block(node.body)

    def target(self, node: ir.Name | ir.Element | ir.Tuple | ir.Expr) -> ast.expr:
        """What gets a value."""
        if isinstance(node, ir.Name):
            return ast.Name(node.name, _STORE)
        if isinstance(node, ir.Tuple):
            return ast.Tuple(list(map(self.target, node.items)), _STORE)
        assert isinstance(node, ir.Element)
        return self.element(node, _STORE)

    def assign(self, node: ir.Assign) -> ast.stmt:
        """Something gets a value."""
        return ast.Assign([self.target(node.target)], self.expression(node.value), lineno=1)

    def update(self, node: ir.Update) -> ast.stmt:
        """Something is changed by an operator."""
        to = self.target(node.target)
        assert isinstance(to, (ast.Name, ast.Subscript))
        return ast.AugAssign(to, _OPERATORS[node.operator], self.expression(node.value))

    def evaluate(self, node: ir.Evaluate) -> ast.stmt:
        """A call for what it does."""
        return ast.Expr(self.expression(node.call))

    def if_(self, node: ir.If) -> ast.stmt:
        """Statements that run where a condition holds."""
        return ast.If(self.expression(node.test), self.block(node.yes), self.block(node.no) if node.no else [])

    def while_(self, node: ir.While) -> ast.stmt:
        """Statements that run as long as a condition holds."""
        return ast.While(self.expression(node.test), self.block(node.body), [])

    def for_(self, node: ir.For) -> ast.stmt:
        """Statements that run for each of some numbers."""
        bounds = [self.expression(node.stop)]
        if node.step != 1 or node.start != ir.Literal(0, ir.INT):
            bounds.insert(0, self.expression(node.start))
        if node.step != 1:
            bounds.append(_number(node.step))
        return ast.For(ast.Name(node.name.name, _STORE), _called("range", *bounds), self.block(node.body), [], lineno=1)

    def return_(self, node: ir.Return) -> ast.stmt:
        """The function's end."""
        return ast.Return(None if node.value is None else self.expression(node.value))

    # ---- functions

    def function(self, node: ir.Function) -> ast.FunctionDef:
        """A function with its description, marked as what it is."""
        body = self.block(node.body)
        if node.doc:
            body.insert(0, ast.Expr(ast.Constant(_wrapped(node.doc))))
        result = _function(node.name, list(map(self.parameter, node.parameters)), body)
        result.decorator_list = [ast.Name("entry" if node.entry else "jit", _LOAD)]
        return result

    def parameter(self, node: ir.Name) -> ast.arg:
        """A parameter."""
        return ast.arg(node.name)


class PlainEmitter(Emitter):
    """Makes functions of a module in plain Python, with fewer steps."""

    def __init__(self, module: ir.Module) -> None:
        super().__init__()
        values = {name: value for name, (value, _) in CONSTANTS.items()}
        values |= {constant.name: constant.values[0] for constant in module.constants
                   if constant.sort in (ir.INT, ir.WORD)}
        self._values = values
        """The numbers to write out for names."""
        self._own = {function.name for function in module.functions}
        self._bound: set[str] = set()
        """What the function at hand gives values to."""

    def function(self, node: ir.Function) -> ast.FunctionDef:
        """A function of the module, ready to be compiled.

        It is to be run where the functions that it calls, primitives, tables, and constants that are sets of several
        words are known by name.
        """
        self._bound = bound_names(node)
        return ast.fix_missing_locations(
            _function(node.name, list(map(self.parameter, node.parameters)), self.block(node.body)))

    def name(self, node: ir.Name) -> ast.expr:
        """A named number is written out."""
        if node.name in self._values and node.name not in self._bound:
            return _number(self._values[node.name])
        return ast.Name(node.name, _LOAD)

    def _word(self, value: int) -> ast.expr:
        return ast.Constant(value)

    def element(self, node: ir.Element, context: ast.expr_context = _LOAD) -> ast.expr:
        """An element of a grid is one of a row of it."""
        result = self.expression(node.collection)
        *first, last = map(self.expression, node.indices)
        for index in first:
            result = ast.Subscript(result, index, _LOAD)
        return ast.Subscript(result, last, context)

    def call(self, node: ir.Call) -> ast.expr:
        """Conversions are nothing; counting and finding cells are methods of ints."""
        name = node.function
        if name not in self._own:
            if name in ("number", "word"):
                return self.expression(node.arguments[0])
            if name == "popcount":
                return _method(self.expression(node.arguments[0]), "bit_count")
            if name == "lowest" and type(node.arguments[0]) is ir.Name:  # it stands there twice
                cells = self.expression(node.arguments[0])
                alone = ast.BinOp(cells, _OPERATORS["&"], ast.UnaryOp(_UNARY["-"], cells))
                return ast.BinOp(_method(alone, "bit_length"), _OPERATORS["-"], ast.Constant(1))
        return super().call(node)

    def comment(self, node: ir.Comment) -> list[ast.stmt]:
        """Nothing: nobody reads the nodes."""
        return []

    def for_(self, node: ir.For) -> ast.stmt:
        """A loop that copies some elements of an array, known by number, is one copy."""
        match node:
            case ir.For(
                    name=ir.Name(name=name), step=1, start=start, stop=stop, body=(ir.Assign(
                        target=ir.Element(collection=ir.Name() as to, indices=(ir.Name(name=one),)),
                        value=ir.Element(collection=ir.Name() as given, indices=(ir.Name(name=other),))),)) if (
                    one == other == name and name not in (to.name, given.name)):
                first, last = self.expression(start), self.expression(stop)
                if isinstance(first, ast.Constant) and isinstance(last, ast.Constant):
                    ends = ast.Slice(first, last, None)
                    return ast.Assign([ast.Subscript(self.expression(to), ends, _STORE)],
                                      ast.Subscript(self.expression(given), ends, _LOAD), lineno=1)
        return super().for_(node)


def _number(value: int) -> ast.expr:
    return ast.Constant(value) if value >= 0 else ast.UnaryOp(_UNARY["-"], ast.Constant(-value))


def _called(name: str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name, _LOAD), list(arguments), [])


def _method(of: ast.expr, name: str) -> ast.expr:
    return ast.Call(ast.Attribute(of, name, _LOAD), [], [])


def _function(name: str, parameters: list[ast.arg], body: list[ast.stmt]) -> ast.FunctionDef:
    result = ast.FunctionDef(
        name, ast.arguments([], parameters, None, [], [], None, []), body, [], None, None, lineno=1)
    result.type_params = []  # type: ignore[attr-defined]  # of Python 3.12 and later
    return result


def _wrapped(doc: str) -> str:
    """A description as the lines of a docstring."""
    return "\n    ".join(textwrap.wrap(doc, _WIDTH, break_long_words=False, break_on_hyphens=False))


# ---- text


def text_of(module: ir.Module, *, inlined: bool = True) -> str:
    """A kernel as a module that imports what it needs from SUPPORT, and has its tables from TABLES.

    Functions that are not `inlined` are called, which makes kernels with sets of many words faster to compile.
    """
    tables = [f"{table.name} = TABLES[{table.name!r}]" for table in module.tables]
    return "\n\n\n".join([_head(module, "SUPPORT", tables, inlined=inlined), *_functions(module)]) + "\n"


def standalone(module: ir.Module, *, complete: bool = True) -> str:
    """A kernel as a module that runs by itself as plain Python, its tables after its functions.

    Unless it is `complete`, long tables are abbreviated, for people to read: such a module does not run.
    """
    parts = [_head(module, "interpreter.kernel.plain", []), *_functions(module)]
    if module.tables:
        parts.append("\n".join(table_text(table, "", complete=complete) for table in module.tables))
    return "\n\n\n".join(parts) + "\n"


def table_text(table: ir.Table, annotation: str, *, complete: bool) -> str:
    """A table in a module's text; unless it is `complete`, a long one shows how it begins and how long it is."""
    values = list(map(str, table.values))
    if not complete and len(values) > _SHOWN:
        values = [*values[:_SHOWN], f"... {len(values)} numbers"]
    return "\n".join(textwrap.wrap(f"{table.name}{annotation} = [{', '.join(values)}]", _LINE, subsequent_indent="    ",
                                   break_long_words=False, break_on_hyphens=False))


def _functions(module: ir.Module) -> list[str]:
    emitter = Emitter()
    return [function_text(function, emitter) for function in without_loops_over_cells(module).functions]


def function_text(function: ir.Function | ir.Foreign, emitter: Emitter | None = None) -> str:
    """The text of a function."""
    if isinstance(function, ir.Foreign):
        return _foreign_text(function)
    return ast.unparse((emitter or Emitter()).function(function))


def _foreign_text(function: ir.Foreign) -> str:
    return f"@{'entry' if function.entry else 'jit'}\n{function.text.strip()}"


def _head(module: ir.Module, support: str, tables: list[str], *, inlined: bool = True) -> str:
    """What a module's text has before its functions."""
    imports = textwrap.wrap(", ".join(_imported(module, inlined)) + ",", _LINE, initial_indent="    ",
                            subsequent_indent="    ")
    doc = ast.unparse(ast.Module([ast.Expr(ast.Constant(module.doc))], []))
    numbers = [f"{constant.name} = {constant.values[0]}" for constant in module.constants if constant.sort == ir.INT]
    sets = [f"{constant.name} = {_constant(constant)}" for constant in module.constants if constant.sort != ir.INT]
    parts = ["\n".join(lines) for lines in (numbers, sets, tables) if lines]
    return "\n\n".join([doc, "\n".join([f"from {support} import (", *imports, ")"]), *parts])


def _imported(module: ir.Module, inlined: bool) -> list[str]:
    """What a module imports: the primitives and words that it names, and what marks functions."""
    own = {function.name for function in module.functions}
    known = {*PRIMITIVES, *OF_VECTORS, "abreast"} - own - _BUILT_IN | set(CONSTANTS)
    used = {"entry" for function in module.functions if function.entry}
    sorts = {constant.sort for constant in module.constants} - {ir.INT}
    for function in module.functions:
        if isinstance(function, ir.Foreign):
            used.update(_WORD.findall(function.text))
            continue
        for node in ir.expressions(function.body):
            if type(node) is ir.Call:
                used.add(node.function)
            elif type(node) is ir.Name:
                used.add(node.name)
            elif type(node) is ir.Literal and node.sort not in (ir.INT, ir.BOOL):
                sorts.add(node.sort)
    if sorts:
        used |= {"word", "of_words"} if any(isinstance(sort, ir.Vector) for sort in sorts) else {"word"}
    return sorted([*used & (known | {"entry"}), "jit" if inlined else "called as jit"])


def _constant(constant: ir.Constant) -> str:
    """The value of a constant of words, in the text of a module."""
    words = [f"word({value:#x})" for value in constant.values]
    if constant.sort == ir.WORD:
        return words[0]
    whole = f"({', '.join(words)})"
    return f"of_words({whole})" if isinstance(constant.sort, ir.Vector) else whole
