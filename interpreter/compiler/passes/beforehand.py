"""Tests whether a move goes on before its effects, as far as they cannot change the answer.

An IR-to-IR pass. `then CHOICES when P` is tested on a copy of the position on which the effects before it were carried
out. Where a part of P that reads nothing of the copy does not hold, the move ends, and no copy is needed: few men reach
the row in which they are promoted. But effects that may fail must fail where moves are listed: the copy is left out
only where the condition under which they fail is known before, and does not hold.

Measured: 1.8 times as fast where positions with promotions on 64 cells are counted, 1.36 times where such games are
played.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from interpreter.compiler import ir
from interpreter.compiler.analysis.changes import Calls, Changes, Statements
from interpreter.compiler.analysis.names import targets, times_named
from interpreter.compiler.build import NO_BITS, all_of, any_of, negated, parts_of
from interpreter.compiler.lowering.names import FAILED


def asked_before_copies(module: ir.Module) -> ir.Module:
    """A module in which positions are copied only where the condition that is tested on the copy may hold."""
    calls = Calls.of(module)
    return ir.with_bodies(module, lambda function: _Copies(function, calls).body if any(
        map(_is_copy, ir.statements(function.body))) else function.body)


def _is_copy(statement: ir.Statement) -> bool:
    """Whether a loop copies a row, word by word."""
    match statement:
        case ir.For(name=place, body=(ir.Assign(
                target=ir.Element(collection=ir.Name(), indices=(to,)),
                value=ir.Element(collection=ir.Name(), indices=(origin,))),)):
            return place == to == origin
    return False


class _Unknown(Exception):
    """Raised where nothing is known before the copy."""


@attrs.frozen
class _Copied:
    """Statements that copy a row and change the copy, and the test that follows them."""

    statements: Statements
    given: frozenset[str]
    """The names that they assign."""
    asked: ir.If
    values: dict[str, ir.Expr]
    """The values of the names that are assigned once."""


class _Copies:
    """Rewrites one function."""

    def __init__(self, function: ir.Function, calls: Calls) -> None:
        self._calls, self._changes = calls, Changes(function, calls)
        self._named = times_named(function.body)
        self.body = self._block(function.body)

    def _block(self, block: Statements) -> Statements:
        result: list[ir.Statement] = []
        for statement in block:
            statement = ir.with_blocks(statement, self._block)
            begun = next((index for index, before in enumerate(result) if _is_copy(before)), 0)
            if begun and isinstance(statement, ir.If) and statement.no and self._goes_on_elsewhere(statement.no):
                first = begun - 1
                changed = self._asked_first(tuple(result[first:]), statement)
                if changed is not None:
                    del result[first:]
                    statement = changed
            result.append(statement)
        return ir.block_of(result, block)

    def _goes_on_elsewhere(self, block: Statements) -> bool:
        """Whether statements do more than compute values and change copies: they list a move, or return."""
        return any(isinstance(statement, ir.Return) for statement in ir.statements(block))

    def _asked_first(self, statements: Statements, asked: ir.If) -> ir.If | None:
        """Statements on a copy and the test after them, run only where the test may hold; None where that is
        unknown."""
        match statements[0]:
            case ir.Assign(target=ir.Name(sort=ir.Array()) as copy, value=ir.Element()):
                pass
            case _:
                return None
        given: dict[str, list[ir.Expr | None]] = {}
        for statement in ir.statements(statements):
            match statement:
                case ir.Assign(target=ir.Name(name=name), value=value):
                    given.setdefault(name, []).append(value)
                case ir.Assign(target=target) | ir.Update(target=target):
                    for other in targets(target):
                        given.setdefault(other.name, []).append(None)
                case ir.For(name=name) | ir.ForEach(name=name):
                    given.setdefault(name.name, []).append(None)
                case ir.Return() | ir.Break() | ir.Continue():
                    return None
        change = self._changes.of_block(statements)
        inside = times_named((*statements, ir.If(asked.test, asked.yes)))
        if change.rows - {copy.name} or any(self._named[name] != inside[name] for name in given):
            return None
        region = _Copied(statements, frozenset(given), asked, {
            name: values[0] for name, values in given.items() if len(values) == 1 and values[0] is not None})
        try:
            missing = list(dict.fromkeys(self._missing(region, statements, ())))
            known, rest = self._known(region)
        except _Unknown:
            return None
        after = asked.test if missing or rest is None else rest
        return ir.If(any_of([all_of(known), *missing]), (*statements, ir.If(after, asked.yes, asked.no)), asked.no)

    def _known(self, region: _Copied) -> tuple[list[ir.Expr], ir.Expr | None]:
        """The parts of the test that are known before, and the rest; None for the rest where the test is asked as a
        whole.

        Raises _Unknown where no part is known.
        """
        test = region.asked.test
        if isinstance(test, ir.Name):  # statements are between the parts
            match region.statements[-2:]:
                case (ir.Assign(target=name, value=value), ir.If(
                        test=asked, yes=(*_, ir.Assign(target=last)), no=())) if name == asked == last == test:
                    return self._parts(region, value)[0], None
            raise _Unknown
        known, others = self._parts(region, test)
        return known, all_of(others) if others else ir.TRUE

    def _parts(self, region: _Copied, test: ir.Expr) -> tuple[list[ir.Expr], list[ir.Expr]]:
        known: list[ir.Expr] = []
        others: list[ir.Expr] = []
        compared: set[str] = set()
        for operand in parts_of("and", test):
            try:
                if compared & {part.name for part in ir.walk(operand) if isinstance(part, ir.Name)}:
                    raise _Unknown  # it may be none
                known.append(self._before(region, operand))
            except _Unknown:
                others.append(operand)
            compared |= {part.name for node in ir.walk(operand) if isinstance(node, ir.Comparison)
                         for part in node.operands if isinstance(part, ir.Name) and part.sort == ir.INT}
        if not known:
            raise _Unknown
        return known, others

    def _before(self, region: _Copied, node: ir.Expr) -> ir.Expr:
        """An expression in terms of values from before the copy. Raises _Unknown where it is not known then."""
        def known(part: ir.Expr) -> ir.Expr:
            if isinstance(part, ir.Name) and part.name in region.given:
                if part.name not in region.values or isinstance(part.sort, ir.Array):
                    raise _Unknown
                return ir.transformed(region.values[part.name], known)
            if isinstance(part, ir.Call) and part.function not in self._calls.pure:
                raise _Unknown
            return part

        return ir.transformed(node, known)

    def _missing(self, region: _Copied, block: Statements, tests: tuple[ir.Expr, ...]) -> Iterator[ir.Expr]:
        """The conditions under which effects may fail, as known before the copy. Raises _Unknown where one is not."""
        for statement in block:
            match statement:
                case ir.Assign(target=ir.Element(indices=(*_, place))) if place == FAILED:
                    asked = [part for test in tests[-1:] for part in parts_of("and", test) if not _is_first(part)] or [
                        part for test in tests[-2:-1] for part in parts_of("and", test)]
                    if not asked:
                        raise _Unknown
                    yield self._before(region, all_of(asked))
                case ir.If(test=test, yes=yes, no=no):
                    yield from self._missing(region, yes, (*tests, test))
                    yield from self._missing(region, no, (*tests, negated(test)))
                case _:
                    for inner in ir.blocks_of(statement):
                        yield from self._missing(region, inner, tests)


def _is_first(test: ir.Expr) -> bool:
    """Whether a condition tests that nothing failed before."""
    match test:
        case ir.Comparison(relations=("==",), operands=(ir.Element(indices=(*_, place)), empty)):
            return place == FAILED and empty == NO_BITS
    return False
