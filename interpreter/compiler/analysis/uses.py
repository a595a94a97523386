"""What functions of IR use: names that they read and give values to, what they call, which only give a value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

import attrs

from interpreter.compiler import ir
from interpreter.compiler.analysis.names import targets
from interpreter.compiler.primitives import OF_VECTORS, PRIMITIVES

WRITING: Final = frozenset({"write", "store"})
"""Primitives that do something besides giving a value."""
PURE_PRIMITIVES: Final = frozenset({*PRIMITIVES, *OF_VECTORS}) - WRITING
"""Those that give a value and do nothing else."""


@attrs.define
class Uses:
    """What a function's statements name, found in one look at them."""

    called: set[str] = attrs.field(factory=set)
    """Functions and primitives."""
    read: set[str] = attrs.field(factory=set)
    """Names whose values are read."""
    given: Counter[str] = attrs.field(factory=Counter)
    """At how many places names are given values."""
    copies: dict[str, ir.Name] = attrs.field(factory=dict)
    """For names that are given the value of another, that one."""
    kept: set[str] = attrs.field(factory=set)
    """Names that are given values by more than plain assignments: by loops, and several at once."""
    writes: bool = False
    """Whether an element of an array is changed."""

    @classmethod
    def of(cls, block: tuple[ir.Statement, ...]) -> Uses:
        """Those of statements."""
        result = cls()
        result._block(block)
        return result

    def _block(self, block: tuple[ir.Statement, ...]) -> None:
        for statement in block:
            kind = type(statement)
            if kind is ir.Assign or kind is ir.Update:
                assert isinstance(statement, (ir.Assign, ir.Update))
                self._target(statement.target)
                if kind is ir.Assign and type(statement.target) is ir.Name and type(statement.value) is ir.Name:
                    assert isinstance(statement.target, ir.Name)
                    assert isinstance(statement.value, ir.Name)
                    self.copies[statement.target.name] = statement.value
                self._expression(statement.value)
                continue
            parts = ir.expressions_of(statement)
            if isinstance(statement, (ir.For, ir.ForEach)):
                self.given[statement.name.name] += 1
                self.kept.add(statement.name.name)
                parts = parts[1:]
            for part in parts:
                self._expression(part)
            for inner in ir.blocks_of(statement):
                self._block(inner)

    def _target(self, target: ir.Expr) -> None:
        if isinstance(target, ir.Name):
            self.given[target.name] += 1
        elif isinstance(target, ir.Tuple):
            self.kept.update(name.name for name in targets(target))
            for item in target.items:
                self._target(item)
        else:
            self.writes = True
            self._expression(target)

    def _expression(self, node: ir.Expr) -> None:
        kind = type(node)
        if kind is ir.Name:
            assert isinstance(node, ir.Name)
            self.read.add(node.name)
            return
        if kind is ir.Call:
            assert isinstance(node, ir.Call)
            self.called.add(node.function)
        for part in ir.operands(node):
            self._expression(part)


def pure_functions(module: ir.Module) -> frozenset[str]:
    """The functions of a module that do nothing but give a value."""
    return pure_among({function.name: Uses.of(function.body) for function in module.functions
                  if isinstance(function, ir.Function)}, [function.name for function in module.functions])


def pure_among(uses: Mapping[str, Uses], functions: Iterable[str]) -> frozenset[str]:
    """The functions that do nothing but give a value, by what those that are not given as text use."""
    pure = {name for name, result in uses.items() if not result.writes}
    others = {*functions, *WRITING}
    while wrong := {name for name in pure if uses[name].called & (others - pure)}:
        pure -= wrong
    return frozenset(pure)
