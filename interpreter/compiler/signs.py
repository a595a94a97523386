"""Sign analysis: which parameters, locals and results of a module cannot be negative.

In Python negative indices count from an array's end, so an emitter must test the sign of each index, unless it is known
from this analysis: that of half of the indices in kernels is. A sum or product of non-negative numbers counts as
non-negative: no number of a kernel comes near 2**63.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.compiler import ir

_COUNTING = frozenset({"popcount", "lowest", "highest", "nth", "len", "below", "abs"})
"""Primitives that never return a negative number."""
_MOST_SHIFTED = 16
"""The greatest left shift after which numbers count as non-negative."""


class Signs:
    """The signs of the numbers of a module's functions."""

    def __init__(self, functions: Iterable[ir.Function], constants: Iterable[ir.Constant],
                 tables: Iterable[ir.Table]) -> None:
        self._functions = {function.name: function for function in functions}
        self._positive: set[tuple[str, str]] = set()
        """Pairs of a function and one of its parameters or locals, or "" for its result, that are never negative."""
        self._known = {constant.name for constant in constants
                       if constant.sort == ir.INT and constant.values[0] >= 0}
        self._tables = {table.name for table in tables if min(table.values, default=0) >= 0}
        self._named = {table.name for table in tables} | {constant.name for constant in constants}
        self._own: dict[str, set[str]] = {}
        self._find()

    def is_positive(self, function: str, node: ir.Expr) -> bool:
        """Whether an expression of a function is known to be at least 0."""
        match node:
            case ir.Literal(value=value):
                return value >= 0
            case ir.Name(name=name):
                return (function, name) in self._positive if name in self._own[function] else name in self._known
            case ir.Call(function=called, arguments=arguments):
                if called in self._functions:
                    return (called, "") in self._positive
                if called in ("max", "min"):
                    of = any if called == "max" else all
                    return of(self.is_positive(function, argument) for argument in arguments)
                return called in _COUNTING
            case ir.Binary(operator="&", left=left, right=right):
                return self.is_positive(function, left) or self.is_positive(function, right)
            case ir.Binary(operator=operator, left=left, right=right):
                if operator == "%":
                    return self.is_positive(function, right)
                if operator == "<<":  # as in (part << 6) + lowest(rest), by a small literal
                    return isinstance(right, ir.Literal) and right.value <= _MOST_SHIFTED and self.is_positive(
                        function, left)
                return operator in ("+", "*", "//", ">>", "|", "^") and self.is_positive(function, left) and (
                    operator == ">>" or self.is_positive(function, right))
            case ir.Conditional(yes=yes, no=no):
                return self.is_positive(function, yes) and self.is_positive(function, no)
            case ir.Element(collection=ir.Name(name=name)):
                return name in self._tables and name not in self._own[function]
        return False

    def _find(self) -> None:
        """Assume that all are non-negative, then remove those assigned a possibly negative value, to a fixed point."""
        given: list[tuple[tuple[str, str], str, ir.Expr]] = []
        unknown: set[tuple[str, str]] = set()
        called: set[str] = set()
        for name, function in self._functions.items():
            own = self._own[name] = {parameter.name for parameter in function.parameters}
            for statement in ir.statements(function.body):
                self._note(name, statement, own, given, unknown)
            for node in ir.expressions(function.body):
                if type(node) is ir.Call and (other := self._functions.get(node.function)) is not None:
                    called.add(node.function)
                    for parameter, argument in zip(other.parameters, node.arguments, strict=True):
                        if parameter.sort == ir.INT:
                            given.append(((node.function, parameter.name), name, argument))
        for name, function in self._functions.items():
            if function.entry or name not in called:
                unknown.update((name, parameter.name) for parameter in function.parameters)
        keys = {key for key, _, _ in given}
        self._positive = keys - unknown
        left = [item for item in given if item[0] in self._positive]
        while True:
            wrong = {key for key, where, node in left if not self.is_positive(where, node)}
            if not wrong:
                return
            self._positive -= wrong
            left = [item for item in left if item[0] not in wrong]

    @staticmethod
    def _note(name: str, statement: ir.Statement, own: set[str], given: list[tuple[tuple[str, str], str, ir.Expr]],
              unknown: set[tuple[str, str]]) -> None:
        """Record the locals that a statement assigns, with their values."""
        match statement:
            case ir.Assign(target=ir.Name(name=to, sort=sort), value=value):
                own.add(to)
                if sort == ir.INT:
                    given.append(((name, to), name, value))
            case ir.Assign(target=ir.Tuple() as target):
                for item in ir.walk(target):
                    if isinstance(item, ir.Name):
                        own.add(item.name)
                        unknown.add((name, item.name))
            case ir.Update(target=ir.Name(name=to, sort=ir.INT) as target, operator=operator, value=value):
                given.append(((name, to), name, ir.Binary(operator, target, value, ir.INT)))
            case ir.For(name=ir.Name(name=to), start=start, stop=stop, step=step):
                own.add(to)
                given.append(((name, to), name, start if step == 1 else ir.Binary("+", stop, ir.Literal(1, ir.INT),
                                                                                  ir.INT)))
            case ir.Return(value=value) if value is not None and value.sort == ir.INT:
                given.append(((name, ""), name, value))
