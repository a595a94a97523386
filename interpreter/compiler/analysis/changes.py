"""Determines what IR statements change: names, rows, whether they may fail; and which rows may be the same."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

import attrs

from interpreter.compiler import ir
from interpreter.compiler.analysis.names import elements, root, targets
from interpreter.compiler.analysis.uses import PURE_PRIMITIVES, WRITING, pure_functions
from interpreter.compiler.lowering.names import FAILED
from interpreter.compiler.primitives import SUPPOSITIONS

_NONE: Final[frozenset[str]] = frozenset()
Statements = tuple[ir.Statement, ...]


@attrs.frozen
class Calls:
    """What calls of the functions of a module may do."""

    pure: frozenset[str]
    """The functions without side effects."""
    known: frozenset[str]
    """The module's functions and the primitives that write; all others are hooks, which only give values."""

    @classmethod
    def of(cls, module: ir.Module) -> Calls:
        """Classify the functions of a module."""
        return cls(pure_functions(module) | PURE_PRIMITIVES | SUPPOSITIONS.keys(),
                   frozenset(function.name for function in module.functions) | WRITING)

    def changed_by(self, node: ir.Expr) -> Iterable[ir.Expr]:
        """The arrays that calls in an expression may change."""
        for part in ir.walk(node):
            if type(part) is ir.Call and part.function not in self.pure and part.function in self.known:
                yield from (argument for argument in part.arguments if isinstance(argument.sort, ir.Array))


@attrs.frozen
class Change:
    """What some statements change."""

    names: frozenset[str] = _NONE
    """The names that they assign, without those of values of rules."""
    rows: frozenset[str] = _NONE
    """The rows that they write to."""
    fails: bool = False
    """Whether they may note a failure."""

    def __or__(self, other: Change) -> Change:
        return Change(self.names | other.names, self.rows | other.rows, self.fails or other.fails)


class Changes:
    """Determines what the statements of one function change."""

    def __init__(self, function: ir.Function, calls: Calls) -> None:
        self._calls = calls
        self.room = _room(function)
        """The local arrays of the function, each for one value, which fills it before reading it."""
        self._within = _aliases(function)
        self._found: dict[int, tuple[ir.Statement, Change]] = {}
        """The changes by the ids of statements, which are kept alive with them."""

    def of_block(self, block: Statements) -> Change:
        """What a block changes."""
        if len(block) == 1:
            return self.of(block[0])
        parts = [self.of(statement) for statement in block]
        return Change(_NONE.union(*[part.names for part in parts]), _NONE.union(*[part.rows for part in parts]),
                      any(part.fails for part in parts))

    def carried(self, block: Statements) -> Change:
        """What the next iteration of the loop around a block sees of its changes: not those before the loop is left."""
        if block and isinstance(block[-1], (ir.Return, ir.Break)):
            going_on = [index for index, statement in enumerate(block) if any(
                isinstance(inner, ir.Continue) for inner in ir.statements((statement,)))]
            block = block[:going_on[-1] + 1] if going_on else ()
        result = Change()
        for statement in block:
            if isinstance(statement, ir.If):
                result |= self.of(ir.If(statement.test, ())) | self.carried(statement.yes) | self.carried(statement.no)
            else:
                result |= self.of(statement)
        return result

    def of(self, statement: ir.Statement) -> Change:
        """What a statement changes, with the statements inside it."""
        key = id(statement)
        if key not in self._found:
            self._found[key] = statement, self._of(statement)
        return self._found[key][1]

    def _of(self, statement: ir.Statement) -> Change:
        names: set[str] = set()
        rows: set[str] = set()
        fails = False
        match statement:
            case ir.Assign(target=target) | ir.Update(target=target):
                names |= {name.name for name in targets(target)}
                for element in elements(target):
                    if element.indices[-1] == FAILED:  # only the first is noted, and no value depends on it
                        fails = True
                    else:
                        rows.add(_row(element))
            case ir.For(name=name) | ir.ForEach(name=name):
                names.add(name.name)
        for node in ir.expressions_of(statement):
            rows.update(map(_row, self._calls.changed_by(node)))
        result = Change(frozenset(names), frozenset(rows) - self.room, fails)
        for block in ir.blocks_of(statement):
            result |= self.of_block(block)
        if isinstance(statement, ir.Let):
            result = attrs.evolve(result, names=result.names - {statement.name.name})
        return result

    # ---- rows that may be the same

    def may_meet(self, read: Collection[str], written: Collection[str]) -> bool:
        """Whether a row that is read may be one of those that are written to."""
        return any(self._may_be_same(one, other) for one in read for other in written)

    def _may_be_same(self, one: str, other: str) -> bool:
        if one == other or not one or not other:
            return True
        mine, theirs = self._within.get(one, (one, None)), self._within.get(other, (other, None))
        return mine[0] == theirs[0] and (None in (mine[1], theirs[1]) or not _differ(mine[1], theirs[1]))


def _row(node: ir.Expr) -> str:
    result = root(node)
    return result.name if isinstance(result, ir.Name) else ""


def _room(function: ir.Function) -> frozenset[str]:
    return frozenset(statement.target.name for statement in ir.statements(function.body) if isinstance(
        statement, ir.Assign) and isinstance(statement.target, ir.Name) and isinstance(
            statement.value, ir.Call) and statement.value.sort == ir.LINE)


def _aliases(function: ir.Function) -> dict[str, tuple[str, ir.Expr | None]]:
    """For names of rows taken from an array, that array and the index; None for the index where there are several."""
    result: dict[str, tuple[str, ir.Expr | None]] = {}
    for statement in ir.statements(function.body):
        match statement:
            case ir.Assign(target=ir.Name(name=name, sort=ir.Array()), value=value):
                place = value.indices[0] if isinstance(value, ir.Element) and len(value.indices) == 1 else None
                of = _row(value)
                result[name] = (of, place if name not in result else None)
    for name in list(result):
        of, place = result[name]
        while of in result:  # a row of a row's
            of, place = result[of][0], None
        result[name] = of, place
    return result


def _differ(one: ir.Expr | None, other: ir.Expr | None) -> bool:
    """Whether two places are certainly different."""
    (base, plus), (other_base, other_plus) = _split(one), _split(other)
    return base == other_base and plus != other_plus


def _split(place: ir.Expr | None) -> tuple[ir.Expr | None, int]:
    match place:
        case ir.Literal(value=value):
            return None, value
        case ir.Binary(operator="+", left=left, right=ir.Literal(value=value)):
            return left, value
    return place, 0
