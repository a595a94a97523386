"""What nobody needs is left out: second names of values, values that are never read, functions that no entry reaches.

This pass is a function from IR to IR. Lowering gives a name to whatever it may use again, and writes every function
that a kernel may need, and so need not know what comes of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Final

import attrs

from interpreter.compiler import ir
from interpreter.compiler.analysis import targets
from interpreter.compiler.build import negated
from interpreter.compiler.primitives import OF_VECTORS, PRIMITIVES

_WORD: Final = re.compile(r"[^\W\d]\w*")
_WRITING: Final = frozenset({"write", "store"})
"""Primitives that do something besides giving a value."""
PURE_PRIMITIVES: Final = frozenset({*PRIMITIVES, *OF_VECTORS}) - _WRITING
"""Those that give a value and do nothing else."""


@attrs.define
class _Uses:
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
    def of(cls, block: tuple[ir.Statement, ...]) -> _Uses:
        """Those of statements."""
        found = cls()
        found._block(block)
        return found

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


def without_unused(module: ir.Module) -> ir.Module:
    """A module with what its entries need; one without entries keeps all its functions."""
    functions = {function.name: function for function in module.functions}
    uses = {function.name: _Uses.of(function.body) for function in module.functions
            if isinstance(function, ir.Function)}
    pure = _pure(uses, functions.keys())
    kept: dict[str, ir.Function | ir.Foreign] = {}
    named: set[str] = set()
    waiting = [function.name for function in module.functions if function.entry] or list(functions)
    while waiting:
        name = waiting.pop()
        if name in kept:
            continue
        function = functions[name]
        if isinstance(function, ir.Function):
            kept[name], found = _tidied(function, uses[name], pure)
            names = found.read | found.called
        else:  # given as text, which may name anything
            kept[name], names = function, set(_WORD.findall(function.text))
        named |= names
        waiting += names & functions.keys()
    return attrs.evolve(module, functions=tuple(kept[name] for name in functions if name in kept),
                        tables=tuple(table for table in module.tables if table.name in named))


def pure_functions(module: ir.Module) -> frozenset[str]:
    """The functions of a module that do nothing but give a value."""
    return _pure({function.name: _Uses.of(function.body) for function in module.functions
                  if isinstance(function, ir.Function)}, [function.name for function in module.functions])


def _pure(uses: Mapping[str, _Uses], functions: Iterable[str]) -> frozenset[str]:
    pure = {name for name, found in uses.items() if not found.writes}
    others = {*functions, *_WRITING}
    while wrong := {name for name in pure if uses[name].called & (others - pure)}:
        pure -= wrong
    return frozenset(pure)


def without_copies(function: ir.Function) -> ir.Function:
    """A function in which names that only stand for other names, as x does after `x = y`, are those others.

    Both are given a value at one place only. That of x is on each way to where x is read, and y keeps its value from
    there: a way that led through y's place once more, and not through that of x, would lead to x without a value.
    """
    return _without_copies(function, _Uses.of(function.body))


def _without_copies(function: ir.Function, uses: _Uses) -> ir.Function:
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
    """A function without local values that are never read, where nothing else is done to compute them.

    `pure` are the functions that do nothing but give a value. A block that is left empty goes with its condition.
    """
    return _without_unused_values(function, _Uses.of(function.body), frozenset(pure))[0]


def _without_unused_values(function: ir.Function, uses: _Uses, pure: frozenset[str]) -> tuple[ir.Function, _Uses]:
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
        uses = _Uses.of(body)
    return function, uses


def _tidied(function: ir.Function, uses: _Uses, pure: frozenset[str]) -> tuple[ir.Function, _Uses]:
    """A function without copies and unused values, and what it uses then."""
    copied = _without_copies(function, uses)
    return _without_unused_values(copied, uses if copied is function else _Uses.of(copied.body), pure)


def _without(block: tuple[ir.Statement, ...], left_out: Callable[[ir.Statement], bool],
             harmless: Callable[[ir.Expr], bool]) -> tuple[ir.Statement, ...]:
    """Statements without some; the same object where none is left out."""
    found: list[ir.Statement] = []
    for statement in block:
        if left_out(statement):
            continue
        match statement:
            case ir.If(test=test, yes=yes, no=no):
                done, otherwise = _without(yes, left_out, harmless), _without(no, left_out, harmless)
                if done is yes and otherwise is no:
                    found.append(statement)
                elif done:
                    found.append(ir.If(test, done, otherwise))
                elif otherwise:
                    found.append(ir.If(negated(test), otherwise))
                elif not harmless(test):
                    found.append(statement)
            case ir.While(body=body) | ir.For(body=body) | ir.ForEach(body=body):
                done = _without(body, left_out, harmless)
                found.append(statement if done is body or not done else attrs.evolve(statement, body=done))
            case _:
                found.append(statement)
    same = len(found) == len(block) and all(one is other for one, other in zip(found, block, strict=True))
    return block if same else tuple(found)
