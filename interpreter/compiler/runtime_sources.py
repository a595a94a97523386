"""The texts of the compiler's runtime functions, each parsed when it is first asked for.

A kernel uses half of them. To parse all took 60 ms of processor in each program that makes a kernel; to find where each
begins and ends takes 2 ms.

Tables and numbers that several functions take together are the fields of a record, a NamedTuple of a runtime module. A
kernel has no records: a function that takes one is read as if it took the fields, each by its name.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Set
from functools import cache
from pathlib import Path
from typing import Final

import attrs

from interpreter.compiler.reader import IRError
from interpreter.compiler.sorts import STATIC

_RUNTIME: Final = Path(__file__).parent / "runtime"
_NOT_READ: Final = frozenset({"types", "game", "__init__"})
"""Modules of the runtime without functions for kernels; `game` declares what each kernel has itself."""
_FUNCTION: Final = re.compile(r"^(?:@.*\n)*def (\w+)\(.*\n(?:(?:[ \t)].*)?\n)*", re.MULTILINE)
"""A function of a module: its decorators, the line of its name, and lines that are indented, empty, or end what it
takes."""
_RECORD: Final = re.compile(r"^class (\w+)\(NamedTuple\):\n(?:(?:[ \t].*)?\n)*", re.MULTILINE)
_CONSTANT: Final = re.compile(r"^(\w+): \w+ = ", re.MULTILINE)

_FOR: Final = re.compile(r"\bfor \w+ in ")
_LOOP: Final = re.compile(r"^ +for \w+ in .*:$", re.MULTILINE)
"""Where a function has a `for` that is no loop in a line of its own, it may have a comprehension: only then is it
searched for one, which takes longer than to parse it."""


@attrs.frozen
class Source:
    """The text of a runtime function."""

    node: ast.FunctionDef
    static: Mapping[str, str]
    """The parameters that are put in, with their annotations."""
    generic: bool
    """Whether sorts in it depend on numbers that are put in, so that it is read anew for each."""


class Sources(Mapping[str, ast.FunctionDef]):
    """Functions by their names, which are parsed one by one."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Find the functions of modules' texts. Raises IRError where two have one name."""
        self._texts: dict[str, str] = {}
        self._found: dict[str, Source] = {}
        self._records: dict[str, list[ast.arg]] = {}
        for text in texts:
            for record in _RECORD.finditer(text):
                self._records[record[1]] = _fields_of(record[0])
            for function in _FUNCTION.finditer(text):
                if function[1] in self._texts:
                    raise IRError(f"two runtime functions are called '{function[1]}'")
                self._texts[function[1]] = function[0]

    def source(self, name: str) -> Source:
        """A function with what must be put in. Raises KeyError."""
        found = self._found.get(name)
        if found is None:
            node, = ast.parse(self._texts[name]).body
            assert isinstance(node, ast.FunctionDef)
            _without_records(node, self._records)
            static = {argument.arg: argument.annotation.id for argument in node.args.args
                      if isinstance(argument.annotation, ast.Name) and argument.annotation.id in STATIC}
            generic = len(_FOR.findall(self._texts[name])) > len(_LOOP.findall(self._texts[name])) and _is_generic(
                node, static.keys() - {"words"})
            found = self._found[name] = Source(node, static, generic)
        return found

    def __getitem__(self, name: str) -> ast.FunctionDef:
        return self.source(name).node

    def __contains__(self, name: object) -> bool:
        return name in self._texts

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)


def _fields_of(text: str) -> list[ast.arg]:
    """The fields of a record, as parameters."""
    record, = ast.parse(text).body
    assert isinstance(record, ast.ClassDef)
    return [ast.arg(field.target.id, field.annotation) for field in record.body
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)]


def _without_records(node: ast.FunctionDef, records: Mapping[str, list[ast.arg]]) -> None:
    """Have a function take the fields of records in place of these. Raises IRError where a name is taken twice."""
    taken = {argument.arg: records[argument.annotation.id] for argument in node.args.args
             if isinstance(argument.annotation, ast.Name) and argument.annotation.id in records}
    if not taken:
        return
    node.args.args = [field for argument in node.args.args for field in taken.get(argument.arg, [argument])]
    names = [argument.arg for argument in node.args.args]
    if len(names) > len({*names}):
        raise IRError(f"{node.name}: {', '.join(sorted({name for name in names if names.count(name) > 1}))} twice")
    node.body = [_Spread(taken).visit(statement) for statement in node.body]


class _Spread(ast.NodeTransformer):
    """Names the fields of records: where one is asked for, and all where a record is handed on."""

    def __init__(self, taken: Mapping[str, list[ast.arg]]) -> None:
        self._taken = taken

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """A field of a record."""
        if isinstance(node.value, ast.Name) and node.value.id in self._taken:
            return ast.copy_location(ast.Name(node.attr, node.ctx), node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        """A call that may be given records."""
        self.generic_visit(node)
        node.args = [part for argument in node.args for part in self._parts(argument)]
        return node

    def _parts(self, argument: ast.expr) -> list[ast.expr]:
        if isinstance(argument, ast.Name) and argument.id in self._taken:
            return [ast.copy_location(ast.Name(field.arg), argument) for field in self._taken[argument.id]]
        return [argument]


def _is_generic(node: ast.FunctionDef, static: Set[str]) -> bool:
    """Whether a function has a tuple of so many items as a number says that is put in."""
    return bool(static) and any(isinstance(part, ast.comprehension) and any(
        isinstance(name, ast.Name) and name.id in static for name in ast.walk(part.iter)) for part in ast.walk(node))


@cache
def runtime() -> Sources:
    """The functions that kernels can have. Raises IRError where two have one name."""
    return Sources(path.read_text(encoding="utf-8") for path in sorted(_RUNTIME.glob("*.py"))
                   if path.stem not in _NOT_READ)


@cache
def own() -> Sources:
    """The functions that every kernel has of its own, which say here only what they take and give."""
    return Sources([_game()])


@cache
def own_numbers() -> frozenset[str]:
    """The names of the numbers that every kernel has of its own."""
    return frozenset(_CONSTANT.findall(_game()))


@cache
def _game() -> str:
    return (_RUNTIME / "game.py").read_text(encoding="utf-8")
