"""The sources of the compiler's runtime functions, each parsed on first use.

A kernel uses half of them. Parsing all took 60 ms of processor time in each program that makes a kernel; finding where
each begins and ends takes 2 ms.

Tables and numbers that several functions take together are fields of a record, a NamedTuple of a runtime module. A
kernel has no records: a parameter that is a record is replaced by a parameter for each of its fields.
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
"""Runtime modules without functions for kernels; `game` declares what each kernel defines itself."""
_FUNCTION: Final = re.compile(r"^(?:@.*\n)*def (\w+)\(.*\n(?:(?:[ \t)].*)?\n)*", re.MULTILINE)
"""A function of a module: its decorators, the line of its name, and lines that are indented, empty, or close its
parameter list."""
_RECORD: Final = re.compile(r"^class (\w+)\(NamedTuple\):\n(?:(?:[ \t].*)?\n)*", re.MULTILINE)
_CONSTANT: Final = re.compile(r"^(\w+): \w+ = ", re.MULTILINE)

_FOR: Final = re.compile(r"\bfor \w+ in ")
_LOOP: Final = re.compile(r"^ +for \w+ in .*:$", re.MULTILINE)
"""A `for` loop, which has a line of its own. A function with another `for` may have a comprehension: only then is its
tree searched for one, which takes longer than parsing it."""


@attrs.frozen
class Source:
    """The syntax tree of a runtime function."""

    node: ast.FunctionDef
    static: Mapping[str, str]
    """The parameters that are substituted, with their annotations."""
    generic: bool
    """Whether sorts in it depend on substituted numbers, so that it is read anew for each of these."""


class Sources(Mapping[str, ast.FunctionDef]):
    """A mapping of names to functions, each parsed on first use."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Find the functions in the texts of modules. Raises IRError where two have the same name."""
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
        """A function with its static parameters. Raises KeyError."""
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
    """Replace the record parameters of a function by their fields. Raises IRError where two have one name."""
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
    """Replaces `record.field` by the field's name, and a record that is an argument by the names of all its fields."""

    def __init__(self, taken: Mapping[str, list[ast.arg]]) -> None:
        self._taken = taken

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Replace a field of a record by its name."""
        if isinstance(node.value, ast.Name) and node.value.id in self._taken:
            return ast.copy_location(ast.Name(node.attr, node.ctx), node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        """Replace the records among the arguments of a call."""
        self.generic_visit(node)
        node.args = [part for argument in node.args for part in self._parts(argument)]
        return node

    def _parts(self, argument: ast.expr) -> list[ast.expr]:
        if isinstance(argument, ast.Name) and argument.id in self._taken:
            return [ast.copy_location(ast.Name(field.arg), argument) for field in self._taken[argument.id]]
        return [argument]


def _is_generic(node: ast.FunctionDef, static: Set[str]) -> bool:
    """Whether a function makes a tuple whose length depends on a substituted number."""
    return bool(static) and any(isinstance(part, ast.comprehension) and any(
        isinstance(name, ast.Name) and name.id in static for name in ast.walk(part.iter)) for part in ast.walk(node))


@cache
def runtime() -> Sources:
    """The functions that kernels can use. Raises IRError where two have the same name."""
    return Sources(path.read_text(encoding="utf-8") for path in sorted(_RUNTIME.glob("*.py"))
                   if path.stem not in _NOT_READ)


@cache
def own() -> Sources:
    """The declarations of the functions that every kernel defines itself."""
    return Sources([_game()])


@cache
def own_numbers() -> frozenset[str]:
    """The names of the numbers that every kernel defines itself."""
    return frozenset(_CONSTANT.findall(_game()))


@cache
def _game() -> str:
    return (_RUNTIME / "game.py").read_text(encoding="utf-8")
