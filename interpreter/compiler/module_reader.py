"""Reads a module from its printed form (`interpreter.compiler.printer`), comments included."""

from __future__ import annotations

import ast
import contextlib
import io
import re
import tokenize
from collections.abc import Mapping
from typing import Final

from interpreter.compiler import ir
from interpreter.compiler.reader import IRError, Reader, Signature
from interpreter.compiler.sorts import sort_of, sort_text

_ABBREVIATED: Final = re.compile(r"^(\w+): [^\n]*(?:\n    [^\n]*)*\.\.\.\s\d+\snumbers\]", re.MULTILINE)
_AFTER_A_BLOCK: Final = re.compile(r"(else|elif)\b")


def read_module(text: str) -> ir.Module:
    """Read a module. Raises IRError."""
    if (result := _ABBREVIATED.search(text)) is not None:
        raise IRError(f"the table {result[1]} is abbreviated: print the module complete to read it")
    return _Module(_parsed(text), text.splitlines()).module()


def read_function(text: str, cells: ir.Sort = ir.WORD, named: Mapping[str, ir.Sort] | None = None) -> ir.Function:
    """Read a function that calls only primitives; `cells` is the sort of sets, `named` those of constants and tables.

    Raises IRError.
    """
    sources = [node for node in _parsed(text).body if isinstance(node, ast.FunctionDef)]
    if len(sources) != 1:
        raise IRError(f"{len(sources)} functions, expected one")
    return Reader(cells, named or {}, {sources[0].name: sources[0]}).function(sources[0].name)


def _parsed(text: str) -> ast.Module:
    try:
        return ast.parse(_with_comments(text))
    except SyntaxError as problem:
        raise IRError(f"line {problem.lineno}: {problem.msg}") from None


class _Module:
    """Reads the parts of a module."""

    def __init__(self, tree: ast.Module, lines: list[str]) -> None:
        self.tree, self.lines = tree, lines
        self.cells: ir.Sort = ir.WORD
        self.constants: list[ir.Constant] = []
        self.tables: list[ir.Table] = []
        self.failures: tuple[str, ...] = ()
        self.sources: dict[str, ast.FunctionDef] = {}
        self.foreign: dict[str, ir.Foreign] = {}

    def module(self) -> ir.Module:
        """Read the module."""
        doc = ast.get_docstring(self.tree, clean=False) or ""
        order = []
        for node in self.tree.body[1 if doc else 0:]:
            if isinstance(node, ast.FunctionDef):
                order.append(node.name)
                self._function(node)
            else:
                self._value(node)
        named: dict[str, ir.Sort] = {constant.name: constant.sort for constant in self.constants}
        named |= {table.name: table.sort for table in self.tables}
        signatures = {name: Signature(tuple(parameter.sort for parameter in item.parameters), item.result)
                      for name, item in self.foreign.items()}
        reader = Reader(self.cells, named, self.sources, foreign=signatures)
        functions = tuple(self.foreign[name] if name in self.foreign else self._read(reader, name) for name in order)
        return ir.Module(doc, tuple(self.constants), tuple(self.tables), functions, self.failures)

    def _read(self, reader: Reader, name: str) -> ir.Function:
        found = reader.function(name)
        annotation = self.sources[name].returns
        if annotation is not None and (said := self._sort(annotation)) != found.result:
            raise IRError(f"{name}: gives {sort_text(found.result)}, and says that it gives {sort_text(said)}")
        return found

    def _sort(self, annotation: ast.expr) -> ir.Sort:
        try:
            return sort_of(annotation, self.cells)
        except ValueError as problem:
            raise IRError(str(problem)) from None

    def _value(self, node: ast.stmt) -> None:
        """Read a part that is not a function: the sort of sets, the failures, a table or a constant."""
        match node:
            case ast.Assign(targets=[ast.Name(id="Cells")], value=annotation):
                self.cells = self._sort(annotation)
            case ast.Assign(targets=[ast.Name(id="FAILURES")], value=ast.List() as value):
                self.failures = tuple(ast.literal_eval(value))
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=ast.List() as value):
                sort = self._sort(annotation)
                if not isinstance(sort, ir.Array):
                    raise IRError(f"{name}: a table cannot be {sort_text(sort)}")
                self.tables.append(ir.Table(name, tuple(ast.literal_eval(value)), sort))
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=value) if value is not None:
                values = ast.literal_eval(value)
                self.constants.append(ir.Constant(
                    name, values if isinstance(values, tuple) else (values,), self._sort(annotation)))
            case _:
                raise IRError(f"line {node.lineno}: no such part of a module: {ast.unparse(node)}")

    def _function(self, node: ast.FunctionDef) -> None:
        for mark in node.decorator_list:
            match mark:
                case ast.Call(func=ast.Name(id="foreign"), args=[result], keywords=given):
                    self.foreign[node.name] = self._foreign(node, result, given)
                    return
        self.sources[node.name] = node

    def _foreign(self, node: ast.FunctionDef, result: ast.expr, given: list[ast.keyword]) -> ir.Foreign:
        parameters = tuple(ir.Name(item.arg or "", self._sort(item.value)) for item in given)
        entry = any(isinstance(mark, ast.Name) and mark.id == "entry" for mark in node.decorator_list)
        text = "\n".join(self.lines[node.lineno - 1 : node.end_lineno])
        return ir.Foreign(node.name, parameters, self._sort(result), f"{text}\n", entry)


def _with_comments(text: str) -> str:
    """Replace the comments in functions that have lines of their own by statements: a tuple of one string.

    Consecutive comments become one statement. Comments that do not fit into a block are left as they are.
    """
    lines = text.splitlines()
    comments: dict[int, int] = {}
    last = max((number for number, line in enumerate(lines) if line.lstrip().startswith("#")), default=-1)
    # stops at the last comment, as the tables after it would take long; syntax errors are left to `ast.parse`
    with contextlib.suppress(tokenize.TokenError, IndentationError):
        for token in tokenize.generate_tokens(io.StringIO("\n".join([*lines[:last + 1], ""])).readline):
            if token.type == tokenize.COMMENT and token.line[:token.start[1]].isspace():
                comments[token.start[0] - 1] = token.start[1]
    code = [number for number, line in enumerate(lines) if line.strip() and number not in comments]
    place = 0
    for number in sorted(comments):
        if comments.get(number - 1) == comments[number]:
            continue
        last = number
        while comments.get(last + 1) == comments[number]:
            last += 1
        while place < len(code) and code[place] < number:
            place += 1
        if _stands_in_block(comments[number], lines[code[place - 1]] if place else "",
                            lines[code[place]] if place < len(code) else ""):
            parts = [lines[k].strip()[1:].removeprefix(" ") for k in range(number, last + 1)]
            lines[number] = " " * comments[number] + repr(("\n".join(parts),))
    return "\n".join(lines) + "\n"


def _stands_in_block(indent: int, before: str, after: str) -> bool:
    """Whether a comment with an indentation belongs to the block of the line before or after it."""
    def of(line: str) -> int:
        return len(line) - len(line.lstrip())

    if of(after) == indent and after.strip():
        return not _AFTER_A_BLOCK.match(after.strip())
    return indent == of(before) + (4 if before.endswith(":") else 0)
