"""Merges named conditions with no statements left between them, and inlines them where they are tested."""

from __future__ import annotations

from collections import Counter
from typing import Literal as One

import attrs

from interpreter.compiler import ir
from interpreter.compiler.analysis.changes import Statements
from interpreter.compiler.analysis.names import targets
from interpreter.compiler.build import negated, parts_of
from interpreter.compiler.specialise import shortened


def with_tests_joined(block: Statements) -> Statements:
    """Rewrite `t = a`, `if t: t = b` as `t = a and b`, and inline a condition that only the next statement tests."""
    return _Tidy(block).body if any(map(_is_named_test, ir.statements(block))) else block


def _is_named_test(statement: ir.Statement) -> bool:
    return isinstance(statement, ir.Assign) and isinstance(statement.target, ir.Name) and (
        statement.target.sort == ir.BOOL)


class _Tidy:
    """Merges and inlines the named conditions of a block."""

    def __init__(self, block: Statements) -> None:
        self._named: Counter[str] = Counter()
        """How often the name of each condition is read or assigned."""
        self._given: Counter[str] = Counter()
        for statement in ir.statements(block):
            for node in ir.expressions_of(statement):
                self._named.update(part.name for part in ir.walk(node)
                                   if type(part) is ir.Name and part.sort == ir.BOOL)
            if isinstance(statement, ir.Assign):
                self._given.update(name.name for name in targets(statement.target))
        self.body = self._block(block)

    def _block(self, block: Statements) -> Statements:
        result: list[ir.Statement] = []
        for statement in block:
            statement = ir.with_blocks(statement, self._block)
            if result and (asked := self._asked(result[-1], statement)) is not None:
                statement = asked
                del result[-1]
            if result and (joined := self._joined(result[-1], statement)) is not None:
                result[-1] = joined
            else:
                result.append(statement)
        return tuple(result)

    def _asked(self, last: ir.Statement, statement: ir.Statement) -> ir.Statement | None:
        """Rewrite `t = a`, `if t` as `if a`, where t is tested first and occurs nowhere else; None for others."""
        if not _is_named_test(last):
            return None
        assert isinstance(last, ir.Assign)
        assert isinstance(last.target, ir.Name)
        name, value = last.target, last.value
        if self._given[name.name] != 1 or self._named[name.name] != 2:
            return None
        match statement:
            case ir.If(test=test) if _first(test) == name:
                return attrs.evolve(statement, test=_with_first(test, value))
            case ir.Assign(target=ir.Name(), value=test) if _first(test) == name:
                return attrs.evolve(statement, value=_with_first(test, value))
        return None

    def _joined(self, last: ir.Statement, statement: ir.Statement) -> ir.Statement | None:
        """Rewrite `t = a`, `if t: t = b` as `t = a and b`, and with `not t` as `t = a or b`; None for others."""
        match last, statement:
            case ir.Assign(target=ir.Name() as name, value=value), ir.If(
                    test=test, yes=(ir.Assign(target=other, value=more),), no=()) if (
                        name == other and test in (name, negated(name)) and name.sort == ir.BOOL and not any(
                            part == name for part in ir.walk(more))):
                word: One["and", "or"] = "and" if test == name else "or"
                parts = [operand for part in (value, more) for operand in parts_of(word, part)]
                self._given[name.name] -= 1
                self._named[name.name] -= 2
                return ir.Assign(name, shortened(ir.Logical(word, tuple(parts))))
        return None


def _first(node: ir.Expr) -> ir.Expr:
    """The condition that a condition evaluates first."""
    while isinstance(node, (ir.Unary, ir.Logical)):
        node = node.operand if isinstance(node, ir.Unary) else node.operands[0]
    return node


def _with_first(node: ir.Expr, value: ir.Expr) -> ir.Expr:
    """Replace the condition that a condition evaluates first."""
    if isinstance(node, ir.Unary):
        return attrs.evolve(node, operand=_with_first(node.operand, value))
    if isinstance(node, ir.Logical):
        return attrs.evolve(node, operands=(_with_first(node.operands[0], value), *node.operands[1:]))
    return value
