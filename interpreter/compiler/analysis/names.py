"""Helpers for the names in IR functions, the targets of assignments and the parts of arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import attrs

from interpreter.compiler import ir


@attrs.frozen
class FreshNames:
    """Makes names that a function does not have yet."""

    taken: set[str]

    def new(self, wish: str, sort: ir.Sort) -> ir.Name:
        """A new name like `wish`, which is then taken."""
        name, number = wish, 2
        while name in self.taken:
            name, number = f"{wish}_{number}", number + 1
        self.taken.add(name)
        return ir.Name(name, sort)


def bound_names(function: ir.Function) -> set[str]:
    """The names that a function assigns, its parameters included."""
    result = {parameter.name for parameter in function.parameters}
    for statement in ir.statements(function.body):
        result.update(name.name for name in given_by(statement))
    return result


def given_by(statement: ir.Statement) -> list[ir.Name]:
    """The names that a statement itself assigns."""
    if isinstance(statement, ir.Assign):
        return targets(statement.target)
    return [statement.name] if isinstance(statement, (ir.For, ir.ForEach)) else []


def targets(target: ir.Expr) -> list[ir.Name]:
    """The names that a target of an assignment assigns; elements are not among them."""
    if isinstance(target, ir.Name):
        return [target]
    return [name for item in target.items for name in targets(item)] if isinstance(target, ir.Tuple) else []


def elements(target: ir.Expr) -> list[ir.Element]:
    """The elements of arrays that a target of an assignment assigns."""
    if isinstance(target, ir.Element):
        return [target]
    return [part for item in target.items for part in elements(item)] if isinstance(target, ir.Tuple) else []


def place_given(statements: Sequence[ir.Statement], first: ir.Assign) -> int | None:
    """The index of the last statement that gives a name its first value; None where there is none, or the name is used
    after it."""
    for index in range(len(statements) - 1, -1, -1):
        if statements[index] == first:
            return index
        if any(node == first.target for node in ir.expressions((statements[index],))):
            return None
    return None


def times_named(block: tuple[ir.Statement, ...]) -> Counter[str]:
    """The number of times that statements mention each name, assignments included."""
    return Counter(node.name for node in ir.expressions(block) if isinstance(node, ir.Name))


def called_names(function: ir.Function) -> set[str]:
    """The names of the functions and primitives that a function calls."""
    return {node.function for node in ir.expressions(function.body) if isinstance(node, ir.Call)}


def root(node: ir.Expr) -> ir.Expr:
    """The array that an element or a part of an array is ultimately taken from."""
    while isinstance(node, (ir.Element, ir.Tail)):
        node = node.collection if isinstance(node, ir.Element) else node.array
    return node


def cells_of(module: ir.Module) -> ir.Sort:
    """The sort of a module's sets of cells, from its constants and parameters: that of one word where none has
    several."""
    found = [constant.sort for constant in module.constants]
    for function in module.functions:
        found += [function.result, *(parameter.sort for parameter in function.parameters)]
    several = [sort for sort in found if isinstance(sort, ir.Product) and set(sort.items) == {ir.WORD}]
    return next((sort for sort in found if isinstance(sort, ir.Vector)), several[0] if several else ir.WORD)
