"""Hooks: hand-written functions that replace compiled functions of a kernel.

A hook file is Python. A function marked `@hook("ends")` replaces the kernel's function for that rule point: it has the
same parameters, must return the same result, and becomes part of the kernel's text, so that it is compiled, cached on
disk, or run as plain Python with it. `@part` marks functions that hooks call, in the file or in a module that it
imports them from, such as `interpreter.unions`; `@table` and `@words` functions that make a constant table from the
game, `@keep` those that give the number of extra words that rows have for the hooks besides the position.

    @keep
    def PARENTS(game):
        return game.board.size

    @hook("ends")
    def ends(state, mover, entries, scratch):
        ...

Extra words are 0 in a new row and are copied with it; results must not depend on them where the position alone would
give other ones. A `.game` file runs no code: a hook file is loaded for a bundled game, or where the user names it.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeVar

import attrs

from interpreter.compiler.lowering.layout import GOING
from interpreter.kernel.plain import (
    EMPTY,
    FULL,
    ONE,
    abreast,
    below,
    highest,
    lowest,
    nth,
    number,
    popcount,
    scramble,
    stir,
    word,
)
from interpreter.model.state import DRAW

if TYPE_CHECKING:
    from interpreter.game import Game

__all__ = [
    "DRAW", "EMPTY", "FAILED", "FULL", "GOING", "ONE", "OUTCOME", "SEATS", "TO_MOVE", "VALUES_FROM", "WORDS", "Hook",
    "HookError", "Hooks", "abreast", "below", "highest", "hook", "keep", "load", "lowest", "nth", "number", "part",
    "popcount", "scramble", "set_at", "stir", "table", "word", "word_of", "words",
]  # fmt: skip
WORDS = VALUES_FROM = TO_MOVE = OUTCOME = SEATS = FAILED = 0
"""Names with a meaning in a kernel's text: the number of words of a set, and the indices of the parts of a row."""


def word_of(cells: Any, k: int) -> Any:
    """In a kernel's text: word `k` of a set of cells that a hook is given."""
    raise NotImplementedError("hooks run as parts of a kernel")


def set_at(state: Any, place: int) -> Any:
    """In a kernel's text: the set of cells whose words begin at index `place` of a row, for a hook to return."""
    raise NotImplementedError("hooks run as parts of a kernel")


_PART = "__part_of_hooks__"

_Function = TypeVar("_Function", bound=Callable[..., Any])


class HookError(ValueError):
    """A hook file has an error; the message names file and line."""


def hook(point: str) -> Callable[[_Function], _Function]:
    """Mark a function that replaces that of a rule point, one of those that `dslgame compile FILE --points` lists."""

    def mark(function: _Function) -> _Function:
        return function

    return mark


def part(function: _Function) -> _Function:
    """Mark a function that hooks call; hook files may import it."""
    function.__dict__[_PART] = True
    return function


def table(function: _Function) -> _Function:
    """Mark a function of the game that returns a list of numbers; in hooks its name is the table."""
    return function


def words(function: _Function) -> _Function:
    """Mark a function of the game that returns a list of 64-bit words; in hooks its name is the table."""
    return function


def keep(function: _Function) -> _Function:
    """Mark a function of the game that returns a number of extra words of rows; in hooks its name is their first index.
    """
    return function


@attrs.frozen
class Hook:
    """A function that replaces that of a rule point."""

    point: str
    name: str
    parameters: int
    text: str
    """The function's text without decorators."""
    line: int


@attrs.frozen
class Hooks:
    """The contents of a hook file."""

    path: Path
    hooks: tuple[Hook, ...]
    parts: tuple[str, ...]
    """The texts of the functions that hooks call."""
    tables: Mapping[str, Callable[[Game], list[int]]]
    words: frozenset[str]
    """The names of the tables of words; all others have numbers."""
    kept: Mapping[str, Callable[[Game], int]]
    constants: Mapping[str, int]
    """The integer constants of the file by name."""

    @property
    def names(self) -> set[str]:
        """The names that the file adds to a kernel's text."""
        parts = {text.partition("(")[0].removeprefix("def ") for text in self.parts}
        return {*self.constants, *self.tables, *self.kept, *parts}

    def error(self, line: int, phrase: str) -> HookError:
        """An error at a line of the file."""
        return HookError(f"{self.path}:{line}: {phrase}")


def load(path: str | Path) -> Hooks:
    """Read a hook file, which runs its code. Raises HookError where it cannot be read or is not valid."""
    path = Path(path)
    try:
        source = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise HookError(f"{path}: cannot be read: {problem}") from None
    try:
        tree = ast.parse(source)
    except SyntaxError as problem:
        raise HookError(f"{path}:{problem.lineno}: this is not Python: {problem.msg}") from None
    names: dict[str, Any] = {"__name__": f"hooks_{path.stem}", "__file__": str(path)}
    try:
        exec(compile(tree, str(path), "exec"), names)
    except Exception as problem:
        line = problem.__traceback__.tb_next.tb_lineno if problem.__traceback__ and problem.__traceback__.tb_next else 1
        raise HookError(f"{path}:{line}: {type(problem).__name__}: {problem}") from None
    hooks: list[Hook] = []
    parts: list[str] = []
    tables: dict[str, Callable[[Game], list[int]]] = {}
    kept: dict[str, Callable[[Game], int]] = {}
    of_words: set[str] = set()
    constants: dict[str, int] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            value = names.get(node.targets[0].id)
            if isinstance(value, int):
                constants[node.targets[0].id] = value
        if isinstance(node, ast.ImportFrom):
            parts += _imported(names, [alias.asname or alias.name for alias in node.names], parts)
        if not isinstance(node, ast.FunctionDef):
            continue
        text = _text(source, node)
        for decorator in node.decorator_list:
            match decorator:
                case ast.Call(func=ast.Name(id="hook"), args=[ast.Constant(value=str(point))]):
                    if any(other.point == point for other in hooks):
                        raise HookError(f"{path}:{node.lineno}: '{point}' has a hook already")
                    hooks.append(Hook(point, node.name, len(node.args.args), text, node.lineno))
                case ast.Call(func=ast.Name(id="hook")):
                    raise HookError(f"{path}:{node.lineno}: expected a rule point as text, as in @hook(\"ends\")")
                case ast.Name(id="part"):
                    parts.append(text)
                case ast.Name(id="table"):
                    tables[node.name] = names[node.name]
                case ast.Name(id="words"):
                    tables[node.name] = names[node.name]
                    of_words.add(node.name)
                case ast.Name(id="keep"):
                    kept[node.name] = names[node.name]
    if not hooks:
        raise HookError(f"{path}:1: there is no hook in this file, expected a function with @hook(\"...\") before it")
    return Hooks(path, tuple(hooks), tuple(parts), tables, frozenset(of_words), kept,
                 constants)


def _imported(names: Mapping[str, Any], wanted: Sequence[str], known: Sequence[str]) -> list[str]:
    """The texts of the wanted names that are parts, and of the parts that these call, without those in `known`."""
    result: list[str] = []
    for name in wanted:
        function = names.get(name)
        if not isinstance(function, FunctionType) or _PART not in function.__dict__:
            continue
        node = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
        assert isinstance(node, ast.FunctionDef)
        text = _bare_text(node, name)
        if text not in known and text not in result:
            result.append(text)
            result += _imported(function.__globals__, function.__code__.co_names, [*known, *result])
    return result


def _text(source: str, node: ast.FunctionDef) -> str:
    """A function's text without its decorators."""
    arguments = node.args.args
    if node.returns is not None or any(argument.annotation is not None for argument in arguments):
        return _bare_text(node, node.name)
    lines = source.splitlines()[node.lineno - 1 : node.end_lineno]
    return textwrap.dedent("\n".join(lines)) + "\n"


def _bare_text(node: ast.FunctionDef, name: str) -> str:
    """A function's text without decorators, comments and annotations, under a given name."""
    arguments = [ast.arg(argument.arg) for argument in node.args.args]
    bare = ast.FunctionDef(name, ast.arguments([], arguments, None, [], [], None, []), node.body, [], lineno=1)
    return ast.unparse(bare) + "\n"
