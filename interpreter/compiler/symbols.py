"""Renames locals so that none hides a name of the module.

Lowering and the runtime name locals freely. `with_own_names` renames those with the name of a function, table, constant
or primitive of the module, or of a keyword or builtin of Python.
"""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Container, Iterable
from typing import Final

import attrs

from interpreter.compiler import ir
from interpreter.compiler.analysis.names import FreshNames, bound_names, given_by
from interpreter.compiler.lowering import names
from interpreter.compiler.primitives import CONSTANTS, OF_VECTORS, PRIMITIVES

_EVERYWHERE: Final = frozenset({*PRIMITIVES, *OF_VECTORS, *CONSTANTS, *keyword.kwlist, *vars(builtins)})
"""The names that are taken in every module."""


def with_own_names(module: ir.Module, more: Iterable[str] = (), of: Container[str] | None = None) -> ir.Module:
    """Rename the locals whose names are taken: by the module, in every module, or by `more`.

    Parameters keep their names, as callers and hooks know them. Only the functions in `of` are changed, all of them
    where it is None.
    """
    taken = {*_EVERYWHERE, *more, *(function.name for function in module.functions),
             *(table.name for table in module.tables), *(constant.name for constant in module.constants)}
    functions = tuple(_renamed(function, taken) if isinstance(function, ir.Function) and (
        of is None or function.name in of) else function
                      for function in module.functions)
    return attrs.evolve(module, functions=functions)


def _renamed(function: ir.Function, taken: Container[str]) -> ir.Function:
    own = bound_names(function)
    kept = {parameter.name for parameter in function.parameters}
    new: dict[str, str] = {}
    for name in sorted(own - kept):
        if name in taken:
            result = f"{name}_"
            while result in taken or result in own:
                result += "_"
            new[name] = result
            own.add(result)
    return attrs.evolve(function, body=_with_names(function.body, new)) if new else function


def numbered_anew(function: ir.Function) -> ir.Function:
    """Renumber the locals of a function that share a base name, consecutively and in text order."""
    kept = {parameter.name for parameter in function.parameters} | names.used()
    names_of_text, new = FreshNames(set(kept)), dict[str, str]()
    for statement in ir.statements(function.body):
        for node in given_by(statement):
            if node.name not in kept and node.name not in new:
                new[node.name] = names_of_text.new(node.name.rstrip("0123456789_") or "x", node.sort).name
    return attrs.evolve(function, body=_with_names(function.body, new))


def _with_names(block: tuple[ir.Statement, ...], new: dict[str, str]) -> tuple[ir.Statement, ...]:
    """Rename locals in statements."""
    def name(node: ir.Expr) -> ir.Expr:
        return ir.Name(new[node.name], node.sort) if isinstance(node, ir.Name) and node.name in new else node

    def counted(statement: ir.Statement) -> ir.Statement:
        if isinstance(statement, (ir.For, ir.ForEach)) and statement.name.name in new:
            return attrs.evolve(statement, name=ir.Name(new[statement.name.name], statement.name.sort))
        return statement

    block = ir.with_expressions(block, lambda node: ir.transformed(node, name))
    return ir.with_statements(block, counted)
