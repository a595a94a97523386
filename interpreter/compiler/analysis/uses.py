"""Collects what IR functions use: the names that they read and assign, and what they call; finds pure functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

import attrs

from interpreter.compiler import ir
from interpreter.compiler.analysis.names import targets
from interpreter.compiler.primitives import OF_VECTORS, PRIMITIVES

WRITING: Final = frozenset({"write", "store"})
"""The primitives with side effects."""
PURE_PRIMITIVES: Final = frozenset({*PRIMITIVES, *OF_VECTORS}) - WRITING
"""The primitives without side effects."""


@attrs.define
class Uses:
    """What a function's statements use, collected in one traversal."""

    called: set[str] = attrs.field(factory=set)
    """Functions and primitives that are called."""
    read: set[str] = attrs.field(factory=set)
    """Names whose values are read."""
    given: Counter[str] = attrs.field(factory=Counter)
    """The number of places at which each name is assigned."""
    copies: dict[str, ir.Name] = attrs.field(factory=dict)
    """For names that are assigned another name, that name."""
    kept: set[str] = attrs.field(factory=set)
    """Names that are assigned otherwise than by plain assignments: by loops, and several at once."""
    writes: bool = False
    """Whether an element of an array is changed."""

    @classmethod
    def of(cls, block: tuple[ir.Statement, ...]) -> Uses:
        """Collect the uses of statements."""
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
    """The functions of a module without side effects."""
    return pure_among({function.name: Uses.of(function.body) for function in module.functions
                  if isinstance(function, ir.Function)}, [function.name for function in module.functions])


def pure_among(uses: Mapping[str, Uses], functions: Iterable[str]) -> frozenset[str]:
    """The functions without side effects, given what those that are not given as text use."""
    pure = {name for name, result in uses.items() if not result.writes}
    others = {*functions, *WRITING}
    while wrong := {name for name in pure if uses[name].called & (others - pure)}:
        pure -= wrong
    return frozenset(pure)
