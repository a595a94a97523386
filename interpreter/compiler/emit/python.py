"""Emits IR as Python: the text of a module that Numba compiles, and functions for plain Python.

Both are built as `ast` nodes, so that only `ast` has to know operator precedence. `text_of` writes a module that
imports what it calls from `interpreter.kernel.native` or `interpreter.kernel.plain` (SUPPORT in its import stands for
either). `PlainEmitter` makes functions for plain Python that do the same in fewer steps: words and numbers are both
ints there, so that conversions vanish; named numbers are inlined; `A[i, j]` is `A[i][j]`; loops that copy elements
become slice copies; counting cells is a method of ints. This halves the time that plain kernels take.

Writing a kernel of 70 functions takes 15 ms, two thirds of it in `ast.unparse`.
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
"""The width of docstring lines."""
_LINE: Final = 118
"""The width of other wrapped lines."""
_SHOWN: Final = 12
"""The number of values shown of an abbreviated table."""
_BUILT_IN: Final = frozenset({"abs", "len", "max", "min"})
"""Primitives that are Python builtins."""
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
    """Converts functions to `ast` nodes one to one; the base class of emitters that write some nodes otherwise."""

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
        """Convert an expression."""
        return self._expressions[type(node)](node)

    def literal(self, node: ir.Literal) -> ast.expr:
        """Convert a literal: a number, truth value or word, or a set of cells as its words."""
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
        """Convert a name."""
        return ast.Name(node.name, _LOAD)

    def unary(self, node: ir.Unary) -> ast.expr:
        """Convert a unary operation."""
        return ast.UnaryOp(_UNARY[node.operator], self.expression(node.operand))

    def binary(self, node: ir.Binary) -> ast.expr:
        """Convert a binary operation."""
        return ast.BinOp(self.expression(node.left), _OPERATORS[node.operator], self.expression(node.right))

    def comparison(self, node: ir.Comparison) -> ast.expr:
        """Convert a chain of comparisons."""
        first, *others = map(self.expression, node.operands)
        return ast.Compare(first, [_RELATIONS[relation] for relation in node.relations], others)

    def logical(self, node: ir.Logical) -> ast.expr:
        """Convert conditions joined by `and` or `or`."""
        return ast.BoolOp(_AND if node.operator == "and" else _OR, list(map(self.expression, node.operands)))

    def conditional(self, node: ir.Conditional) -> ast.expr:
        """Convert a conditional expression."""
        return ast.IfExp(self.expression(node.test), self.expression(node.yes), self.expression(node.no))

    def element(self, node: ir.Element, context: ast.expr_context = _LOAD) -> ast.expr:
        """Convert an element of an array or tuple, as a load or, with another context, as a store."""
        indices = list(map(self.expression, node.indices))
        place = indices[0] if len(indices) == 1 else ast.Tuple(indices, _LOAD)
        return ast.Subscript(self.expression(node.collection), place, context)

    def tail(self, node: ir.Tail) -> ast.expr:
        """Convert a tail of an array."""
        return ast.Subscript(self.expression(node.array), ast.Slice(self.expression(node.start), None, None), _LOAD)

    def call(self, node: ir.Call) -> ast.expr:
        """Convert a call."""
        return ast.Call(ast.Name(node.function, _LOAD), list(map(self.expression, node.arguments)), [])

    def tuple(self, node: ir.Tuple) -> ast.expr:
        """Convert a tuple."""
        return ast.Tuple(list(map(self.expression, node.items)), _LOAD)

    # ---- statements

    def block(self, block: Iterable[ir.Statement]) -> list[ast.stmt]:
        """Convert statements; the result has a `pass` where nothing else is done."""
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
        """Convert a comment to a name for each line: `ast` has no comments, but writes names as they are."""
        return [ast.Expr(ast.Name(f"# {line}".rstrip(), _LOAD)) for line in node.text.splitlines()]

    def let(self, node: ir.Let) -> list[ast.stmt]:
        """Convert the statements of a `Let`, in place."""
        return self.block(node.body)

    def target(self, node: ir.Name | ir.Element | ir.Tuple | ir.Expr) -> ast.expr:
        """Convert the target of an assignment."""
        if isinstance(node, ir.Name):
            return ast.Name(node.name, _STORE)
        if isinstance(node, ir.Tuple):
            return ast.Tuple(list(map(self.target, node.items)), _STORE)
        assert isinstance(node, ir.Element)
        return self.element(node, _STORE)

    def assign(self, node: ir.Assign) -> ast.stmt:
        """Convert an assignment."""
        return ast.Assign([self.target(node.target)], self.expression(node.value), lineno=1)

    def update(self, node: ir.Update) -> ast.stmt:
        """Convert an augmented assignment."""
        to = self.target(node.target)
        assert isinstance(to, (ast.Name, ast.Subscript))
        return ast.AugAssign(to, _OPERATORS[node.operator], self.expression(node.value))

    def evaluate(self, node: ir.Evaluate) -> ast.stmt:
        """Convert a call made for its side effects."""
        return ast.Expr(self.expression(node.call))

    def if_(self, node: ir.If) -> ast.stmt:
        """Convert an `if` statement."""
        return ast.If(self.expression(node.test), self.block(node.yes), self.block(node.no) if node.no else [])

    def while_(self, node: ir.While) -> ast.stmt:
        """Convert a `while` loop."""
        return ast.While(self.expression(node.test), self.block(node.body), [])

    def for_(self, node: ir.For) -> ast.stmt:
        """Convert a counted loop."""
        bounds = [self.expression(node.stop)]
        if node.step != 1 or node.start != ir.Literal(0, ir.INT):
            bounds.insert(0, self.expression(node.start))
        if node.step != 1:
            bounds.append(_number(node.step))
        return ast.For(ast.Name(node.name.name, _STORE), _called("range", *bounds), self.block(node.body), [], lineno=1)

    def return_(self, node: ir.Return) -> ast.stmt:
        """Convert a `return`."""
        return ast.Return(None if node.value is None else self.expression(node.value))

    # ---- functions

    def function(self, node: ir.Function) -> ast.FunctionDef:
        """Convert a function, with its docstring and its decorator, `entry` or `jit`."""
        body = self.block(node.body)
        if node.doc:
            body.insert(0, ast.Expr(ast.Constant(_wrapped(node.doc))))
        result = _function(node.name, list(map(self.parameter, node.parameters)), body)
        result.decorator_list = [ast.Name("entry" if node.entry else "jit", _LOAD)]
        return result

    def parameter(self, node: ir.Name) -> ast.arg:
        """Convert a parameter."""
        return ast.arg(node.name)


class PlainEmitter(Emitter):
    """Converts functions of a module to faster plain Python."""

    def __init__(self, module: ir.Module) -> None:
        super().__init__()
        values = {name: value for name, (value, _) in CONSTANTS.items()}
        values |= {constant.name: constant.values[0] for constant in module.constants
                   if constant.sort in (ir.INT, ir.WORD)}
        self._values = values
        """The values to inline for names."""
        self._own = {function.name for function in module.functions}
        self._bound: set[str] = set()
        """The names that the current function binds."""

    def function(self, node: ir.Function) -> ast.FunctionDef:
        """Convert a function of the module, ready to be compiled.

        The namespace that it runs in must define the functions that it calls, primitives, tables, and constants that
        are sets of several words.
        """
        self._bound = bound_names(node)
        return ast.fix_missing_locations(
            _function(node.name, list(map(self.parameter, node.parameters)), self.block(node.body)))

    def name(self, node: ir.Name) -> ast.expr:
        """Convert a name, inlined where it is a constant number or word."""
        if node.name in self._values and node.name not in self._bound:
            return _number(self._values[node.name])
        return ast.Name(node.name, _LOAD)

    def _word(self, value: int) -> ast.expr:
        return ast.Constant(value)

    def element(self, node: ir.Element, context: ast.expr_context = _LOAD) -> ast.expr:
        """Convert an element, with one subscript for each index."""
        result = self.expression(node.collection)
        *first, last = map(self.expression, node.indices)
        for index in first:
            result = ast.Subscript(result, index, _LOAD)
        return ast.Subscript(result, last, context)

    def call(self, node: ir.Call) -> ast.expr:
        """Convert a call; conversions vanish, `popcount` and `lowest` become methods of ints."""
        name = node.function
        if name not in self._own:
            if name in ("number", "word"):
                return self.expression(node.arguments[0])
            if name == "popcount":
                return _method(self.expression(node.arguments[0]), "bit_count")
            if name == "lowest" and type(node.arguments[0]) is ir.Name:  # it is written twice
                cells = self.expression(node.arguments[0])
                alone = ast.BinOp(cells, _OPERATORS["&"], ast.UnaryOp(_UNARY["-"], cells))
                return ast.BinOp(_method(alone, "bit_length"), _OPERATORS["-"], ast.Constant(1))
        return super().call(node)

    def comment(self, node: ir.Comment) -> list[ast.stmt]:
        """Drop the comment: nobody reads the nodes."""
        return []

    def for_(self, node: ir.For) -> ast.stmt:
        """Convert a loop; one that copies a constant range of elements becomes a slice copy."""
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
    """Wrap a description as a docstring."""
    return "\n    ".join(textwrap.wrap(doc, _WIDTH, break_long_words=False, break_on_hyphens=False))


# ---- text


def text_of(module: ir.Module, *, inlined: bool = True) -> str:
    """Write a kernel as a module that imports what it needs from SUPPORT, and takes its tables from TABLES.

    Without `inlined`, functions are called rather than inlined, so that kernels with sets of many words compile faster.
    """
    tables = [f"{table.name} = TABLES[{table.name!r}]" for table in module.tables]
    return "\n\n\n".join([_head(module, "SUPPORT", tables, inlined=inlined), *_functions(module)]) + "\n"


def standalone(module: ir.Module, *, complete: bool = True) -> str:
    """Write a kernel as a self-contained module in plain Python, with its tables after its functions.

    Unless it is `complete`, long tables are abbreviated for people to read: such a module does not run.
    """
    parts = [_head(module, "interpreter.kernel.plain", []), *_functions(module)]
    if module.tables:
        parts.append("\n".join(table_text(table, "", complete=complete) for table in module.tables))
    return "\n\n\n".join(parts) + "\n"


def table_text(table: ir.Table, annotation: str, *, complete: bool) -> str:
    """Write a table; unless it is `complete`, a long one shows its first values and its length."""
    values = list(map(str, table.values))
    if not complete and len(values) > _SHOWN:
        values = [*values[:_SHOWN], f"... {len(values)} numbers"]
    return "\n".join(textwrap.wrap(f"{table.name}{annotation} = [{', '.join(values)}]", _LINE, subsequent_indent="    ",
                                   break_long_words=False, break_on_hyphens=False))


def _functions(module: ir.Module) -> list[str]:
    emitter = Emitter()
    return [function_text(function, emitter) for function in without_loops_over_cells(module).functions]


def function_text(function: ir.Function | ir.Foreign, emitter: Emitter | None = None) -> str:
    """Write a function."""
    if isinstance(function, ir.Foreign):
        return _foreign_text(function)
    return ast.unparse((emitter or Emitter()).function(function))


def _foreign_text(function: ir.Foreign) -> str:
    return f"@{'entry' if function.entry else 'jit'}\n{function.text.strip()}"


def _head(module: ir.Module, support: str, tables: list[str], *, inlined: bool = True) -> str:
    """Write the head of a module: docstring, imports, constants and `tables`."""
    imports = textwrap.wrap(", ".join(_imported(module, inlined)) + ",", _LINE, initial_indent="    ",
                            subsequent_indent="    ")
    doc = ast.unparse(ast.Module([ast.Expr(ast.Constant(module.doc))], []))
    numbers = [f"{constant.name} = {constant.values[0]}" for constant in module.constants if constant.sort == ir.INT]
    sets = [f"{constant.name} = {_constant(constant)}" for constant in module.constants if constant.sort != ir.INT]
    parts = ["\n".join(lines) for lines in (numbers, sets, tables) if lines]
    return "\n\n".join([doc, "\n".join([f"from {support} import (", *imports, ")"]), *parts])


def _imported(module: ir.Module, inlined: bool) -> list[str]:
    """The names that a module imports: the primitives and constants that it uses, and its decorators."""
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
    """Write the value of a constant of words."""
    words = [f"word({value:#x})" for value in constant.values]
    if constant.sort == ir.WORD:
        return words[0]
    whole = f"({', '.join(words)})"
    return f"of_words({whole})" if isinstance(constant.sort, ir.Vector) else whole
