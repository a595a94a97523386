"""Puts hooks into a kernel, each in place of the function of its rule point."""

from __future__ import annotations

import operator
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs

from dsl import hir
from dsl.resolve.sorts import CELLS
from dsl.words import QUESTIONS
from interpreter.compiler import ir
from interpreter.compiler.lowering.names import MOVER_NAME, POSITION
from interpreter.compiler.lowering.naming import gives_of
from interpreter.hooks import Hook, Hooks

if TYPE_CHECKING:
    from interpreter.compiler.lowering.kernel_compiler import KernelCompiler

_QUESTIONS = (*QUESTIONS, "reached")


def points(compiler: KernelCompiler) -> dict[str, str]:
    """The rule points that hooks can replace, with the names of their functions."""
    result = {"ends": "ends", "forced": "close", "value": "value", "canonical": "canonical_row",
              "moves": "list_by_rules"}
    result |= {"illegal": "illegal"} if compiler.rules.illegal else {"draw": "draw"}
    for rule, name in zip(compiler.rules.moves, compiler.moves.names, strict=True):
        result[f"move {rule.name}"] = f"moves_{name}"
        result[f"do {rule.name}"] = f"do_{name}"
    for forced in compiler.rules.forced:
        result[f"forced {forced.name}"] = f"force_{forced.name}"
    for name in compiler.sets.library.functions:
        label, _, question = name.rpartition("_")
        if question.isdigit():
            label, _, question = label.rpartition("_")
        if question in _QUESTIONS:
            result[question if label == "cell" else f"{question} by {label}"] = name
    for use in (part.used for part in hir.walk_rules(compiler.rules) if isinstance(part, hir.Expr)):
        if use is not None:
            result[f"define {use.name}"] = compiler.program.defined.get(use.name, "")
    return result


def _gives(compiler: KernelCompiler, name: str) -> ir.Sort:
    """The sort of the result of a definition that a hook replaces."""
    sort = next(part.sort for part in hir.walk_rules(compiler.rules) if isinstance(part, hir.Expr)
                and part.used is not None and part.used.name == name)
    return gives_of(sort, compiler.sets.cells)


def hooked(compiler: KernelCompiler, hooks: Hooks, module: ir.Module) -> ir.Module:
    """The module with hooks in place of functions; a function that its hook calls is kept as `compiled_` + name."""
    found = points(compiler)
    functions = {function.name: function for function in module.functions}
    added: list[ir.Foreign] = [ir.Foreign(_name_of(text), (), ir.NOTHING, text) for text in hooks.parts]
    order: list[ir.Function | ir.Foreign] = []
    replaced: dict[str, list[ir.Function | ir.Foreign]] = {}
    for hook in hooks.hooks:
        if hook.point not in found and _could_be_asked(compiler, hook.point):
            continue
        if hook.point not in found:
            raise hooks.error(hook.line, f"'{hook.point}' is no rule point of this game, expected one of: "
                                         f"{', '.join(sorted(found))}")
        if hook.point.startswith("define "):
            added.append(_definition(compiler, hooks, hook))
            continue
        old = functions[found[hook.point]]
        _check(hooks, hook, [parameter.name for parameter in old.parameters])
        new = ir.Foreign(old.name, old.parameters, old.result, _renamed(hook, old.name), old.entry)
        assert isinstance(old, ir.Function)
        kept = attrs.evolve(old, name=f"compiled_{old.name}", entry=False)
        replaced[old.name] = [kept, new] if f"{kept.name}(" in hook.text else [new]
    for function in module.functions:
        order += replaced.get(function.name, [function])
    return attrs.evolve(module, functions=(*added, *order))


def _name_of(text: str) -> str:
    match = re.match(r"def (\w+)\(", text)
    assert match is not None
    return match[1]


def _renamed(hook: Hook, name: str) -> str:
    return re.sub(r"^def \w+\(", f"def {name}(", hook.text, count=1)


def _check(hooks: Hooks, hook: Hook, wanted: Sequence[str]) -> None:
    if hook.parameters != len(wanted):
        raise hooks.error(hook.line, f"{hook.name} has {hook.parameters} parameters, expected {len(wanted)}: "
                                     f"({', '.join(wanted)})")


def _definition(compiler: KernelCompiler, hooks: Hooks, hook: Hook) -> ir.Foreign:
    """The function of a hook that replaces a definition."""
    longest = max((part.used.arguments for part in hir.walk_rules(compiler.rules) if isinstance(
        part, hir.Expr) and part.used is not None and part.used.name == hook.point[7:]), key=len)
    parameters = [POSITION, MOVER_NAME, *(
        ir.Name(f"argument_{number}", compiler.sets.cells if argument.sort == CELLS else ir.INT)
        for number, argument in enumerate(longest, start=1))]
    _check(hooks, hook, [parameter.name for parameter in parameters])
    return ir.Foreign(hook.name, tuple(parameters), _gives(compiler, hook.point[7:].strip()), hook.text)


def _could_be_asked(compiler: KernelCompiler, point: str) -> bool:
    """Whether a point is a question about links of the game that its rules do not ask; patterns may."""
    question, _, layer = point.partition(" by ")
    return question in _QUESTIONS and any(layer == known.name for known in compiler.board.layers)


def _add_set_functions(compiler: KernelCompiler, hooks: Hooks) -> None:
    """Add the functions with which hooks take sets, of one word or many, apart and make them, where they do."""
    sets = compiler.sets
    asked = "".join([*hooks.parts, *(hook.text for hook in hooks.hooks)])
    if "word_of(" in asked:
        sets.library.put("word_of")
    if "set_at(" in asked:
        sets.library.put("set_at")


def names(compiler: KernelCompiler) -> dict[str, int]:
    """The numbers that hooks use by name, such as where kept words begin; hooks' tables join the kernel's."""
    if compiler.hooks is None or compiler.game is None:
        return {}
    hooks, game = compiler.hooks, compiler.game
    _add_set_functions(compiler, hooks)
    result = {"WORDS": compiler.sets.words, **hooks.constants}
    try:
        for name, size in hooks.kept.items():
            result[name] = compiler.program.layout.own + compiler.program.kept
            if (words := operator.index(size(game))) < 0:
                raise ValueError(f"found {words} words, expected 0 or more")
            compiler.program.kept += words
        for name, make in hooks.tables.items():
            compiler.program.tables.values[name] = [int(value) for value in make(game)]
            compiler.program.tables.words[name] = name in hooks.words
    except Exception as problem:  # any error in a user's file
        raise hooks.error(1, f"{name}: {type(problem).__name__}: {problem}") from None
    return result
