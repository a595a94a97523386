"""Removes what is not needed: copies of values, values that are never read, functions that no entry point reaches.

An IR-to-IR pass. Lowering names whatever it may use again, and writes every function that a kernel may need, and so
need not track what is used.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection
from typing import Final

import attrs

from interpreter.compiler import ir
from interpreter.compiler.analysis.uses import PURE_PRIMITIVES, Uses, pure_among
from interpreter.compiler.build import negated

_WORD: Final = re.compile(r"[^\W\d]\w*")


def without_unused(module: ir.Module) -> ir.Module:
    """A module with what its entry points need, and all named numbers; without entry points, with all functions."""
    functions = {function.name: function for function in module.functions}
    uses = {function.name: Uses.of(function.body) for function in module.functions
            if isinstance(function, ir.Function)}
    pure = pure_among(uses, functions.keys())
    kept: dict[str, ir.Function | ir.Foreign] = {}
    named: set[str] = set()
    waiting = [function.name for function in module.functions if function.entry] or list(functions)
    while waiting:
        name = waiting.pop()
        if name in kept:
            continue
        function = functions[name]
        if isinstance(function, ir.Function):
            kept[name], result = _tidied(function, uses[name], pure)
            names = result.read | result.called
        else:  # given as text, which may name anything
            kept[name], names = function, set(_WORD.findall(function.text))
        named |= names
        waiting += names & functions.keys()
    return attrs.evolve(module, functions=tuple(kept[name] for name in functions if name in kept),
                        tables=tuple(table for table in module.tables if table.name in named),
                        constants=tuple(constant for constant in module.constants
                                        if constant.sort == ir.INT or constant.name in named))


def without_copies(function: ir.Function) -> ir.Function:
    """A function in which names that are copies of others, as x is after `x = y`, are replaced by these.

    Both are assigned at one place only. The assignment of x is on each path to where x is read, and y keeps its value
    from there: a path that led through y's assignment once more, and not through that of x, would lead to x without a
    value.
    """
    return _without_copies(function, Uses.of(function.body))


def _without_copies(function: ir.Function, uses: Uses) -> ir.Function:
    given = uses.given + Counter(parameter.name for parameter in function.parameters)
    same = {name: value for name, value in uses.copies.items() if given[name] == 1 and given[value.name] <= 1}
    if not same:
        return function

    def of(node: ir.Expr) -> ir.Expr:
        while isinstance(node, ir.Name) and node.name in same:
            node = same[node.name]
        return node

    rest = _without(function.body, lambda statement: isinstance(statement, ir.Assign) and isinstance(
        statement.target, ir.Name) and statement.target.name in same, lambda test: not any(
            isinstance(part, ir.Call) for part in ir.walk(test)))
    return attrs.evolve(function, body=ir.with_expressions(rest, lambda node: ir.transformed(node, of)))


def without_unused_values(function: ir.Function, pure: Collection[str] = ()) -> ir.Function:
    """A function without local values that are never read, where computing them has no side effects.

    `pure` are the functions without side effects. A block that becomes empty is removed with its condition.
    """
    return _without_unused_values(function, Uses.of(function.body), frozenset(pure))[0]


def _without_unused_values(function: ir.Function, uses: Uses, pure: frozenset[str]) -> tuple[ir.Function, Uses]:
    def harmless(node: ir.Expr) -> bool:
        return all(part.function in pure or part.function in PURE_PRIMITIVES
                   for part in ir.walk(node) if isinstance(part, ir.Call))

    while unused := uses.given.keys() - uses.read - uses.kept:
        def left_out(statement: ir.Statement, unused: Collection[str] = unused) -> bool:
            match statement:
                case ir.Assign(target=ir.Name(name=name), value=value) | ir.Update(target=ir.Name(name=name),
                                                                                   value=value):
                    return name in unused and harmless(value)
            return False

        body = _without(function.body, left_out, harmless)
        if body is function.body:
            break
        function = attrs.evolve(function, body=body)
        uses = Uses.of(body)
    return function, uses


def _tidied(function: ir.Function, uses: Uses, pure: frozenset[str]) -> tuple[ir.Function, Uses]:
    """A function without copies and unused values, and what it still uses."""
    copied = _without_copies(function, uses)
    return _without_unused_values(copied, uses if copied is function else Uses.of(copied.body), pure)


def _without(block: tuple[ir.Statement, ...], left_out: Callable[[ir.Statement], bool],
             harmless: Callable[[ir.Expr], bool]) -> tuple[ir.Statement, ...]:
    """Statements without those to leave out; the same object where none is left out."""
    result: list[ir.Statement] = []
    for statement in block:
        if left_out(statement):
            continue
        match statement:
            case ir.If(test=test, yes=yes, no=no):
                done, otherwise = _without(yes, left_out, harmless), _without(no, left_out, harmless)
                if done is yes and otherwise is no:
                    result.append(statement)
                elif done:
                    result.append(ir.If(test, done, otherwise))
                elif otherwise:
                    result.append(ir.If(negated(test), otherwise))
                elif not harmless(test):
                    result.append(statement)
            case ir.While(body=body) | ir.For(body=body) | ir.ForEach(body=body):
                done = _without(body, left_out, harmless)
                result.append(statement if done is body or not done else attrs.evolve(statement, body=done))
            case _:
                result.append(statement)
    return ir.block_of(result, block)
