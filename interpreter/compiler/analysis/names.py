"""The names in functions of IR, and what targets of assignments and parts of arrays are made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import attrs

from interpreter.compiler import ir


@attrs.frozen
class FreshNames:
    """Names that a function does not have yet."""

    taken: set[str]

    def new(self, wish: str, sort: ir.Sort) -> ir.Name:
        """A name like a wish, which is taken then."""
        name, number = wish, 2
        while name in self.taken:
            name, number = f"{wish}_{number}", number + 1
        self.taken.add(name)
        return ir.Name(name, sort)


def bound_names(function: ir.Function) -> set[str]:
    """The names that a function gives values to, its parameters included."""
    result = {parameter.name for parameter in function.parameters}
    for statement in ir.statements(function.body):
        result.update(name.name for name in given_by(statement))
    return result


def given_by(statement: ir.Statement) -> list[ir.Name]:
    """The names that a statement itself gives values to."""
    if isinstance(statement, ir.Assign):
        return targets(statement.target)
    return [statement.name] if isinstance(statement, (ir.For, ir.ForEach)) else []


def targets(target: ir.Expr) -> list[ir.Name]:
    """The names that a target of an assignment gives values to; elements are not among them."""
    if isinstance(target, ir.Name):
        return [target]
    return [name for item in target.items for name in targets(item)] if isinstance(target, ir.Tuple) else []


def elements(target: ir.Expr) -> list[ir.Element]:
    """The elements of arrays that a target of an assignment gives values to."""
    if isinstance(target, ir.Element):
        return [target]
    return [part for item in target.items for part in elements(item)] if isinstance(target, ir.Tuple) else []


def place_given(statements: Sequence[ir.Statement], first: ir.Assign) -> int | None:
    """Where the last of some statements that gives a name its first value stands; None where none does, or the name is
    used after it."""
    for index in range(len(statements) - 1, -1, -1):
        if statements[index] == first:
            return index
        if any(node == first.target for node in ir.expressions((statements[index],))):
            return None
    return None


def times_named(block: tuple[ir.Statement, ...]) -> Counter[str]:
    """How often statements name each name, those that are given values included."""
    return Counter(node.name for node in ir.expressions(block) if isinstance(node, ir.Name))


def called_names(function: ir.Function) -> set[str]:
    """The names of the functions and primitives that a function calls."""
    return {node.function for node in ir.expressions(function.body) if isinstance(node, ir.Call)}


def root(node: ir.Expr) -> ir.Expr:
    """What an element or a part of an array is taken from in the end."""
    while isinstance(node, (ir.Element, ir.Tail)):
        node = node.collection if isinstance(node, ir.Element) else node.array
    return node


def cells_of(module: ir.Module) -> ir.Sort:
    """The sort of a module's sets of cells, as its constants and parameters have it: that of one word where none has
    several."""
    found = [constant.sort for constant in module.constants]
    for function in module.functions:
        found += [function.result, *(parameter.sort for parameter in function.parameters)]
    several = [sort for sort in found if isinstance(sort, ir.Product) and set(sort.items) == {ir.WORD}]
    return next((sort for sort in found if isinstance(sort, ir.Vector)), several[0] if several else ir.WORD)
