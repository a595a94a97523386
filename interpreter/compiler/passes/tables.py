"""Looks up what the board and one or two bound names decide, in tables with an entry for each value of the names.

An IR-to-IR pass. Lowering marks which term of the rules a value is, and on which numbers it depends (`ir.Let`, printed
as `with let(x, 17, c):`); the interpreter computes the term for each of these (`interpreter.analysis.board_values`). A
value that is the same for all is a constant, and what a constant decides is left out, with its loops. A number or
condition that is shorter than its table entry is computed as lowered.

Measured, random games: 1.75 times as fast where men go ahead, 2.6 where conditions tell kings from men, 4.7 where cards
say how pieces go; 0.98 to 1.2 in others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

import attrs

from dsl import hir
from dsl.resolve.sorts import CELLS
from interpreter.analysis.board_values import BoardValues, Fixed
from interpreter.compiler import ir
from interpreter.compiler.analysis.changes import Statements
from interpreter.compiler.analysis.names import times_named
from interpreter.compiler.build import compared, element, expr, place_among, truth
from interpreter.compiler.joined_conditions import with_tests_joined
from interpreter.compiler.lowering.expressions import is_worth_a_name
from interpreter.compiler.lowering.naming import wish_of
from interpreter.compiler.lowering.sets import Sets
from interpreter.compiler.specialise import folded, with_known
from interpreter.compiler.symbols import numbered_anew

_MUCH = 9
"""The least number of parts with which any number or condition is looked up."""
_MOST_TABLE = 120_000
"""The most words of a table: Numba does not cache on disk what uses larger ones (a million bytes)."""


def looked_up(module: ir.Module, sets: Sets, values: BoardValues) -> ir.Module:
    """A module in which the values of terms that the board decides are entries of tables."""
    return _put_in(module, sets, lambda: _Values(sets, values))


def computed(module: ir.Module, sets: Sets, values: BoardValues) -> ir.Module:
    """A module in which all values are computed, and no value is marked as decided by the board."""
    return _put_in(module, sets, lambda: _Values(sets, values, look_up=False))


def _put_in(module: ir.Module, sets: Sets, values: Callable[[], _Values]) -> ir.Module:
    def put_in(function: ir.Function) -> Statements:
        if sets.library.functions.get(function.name) is function:
            return function.body
        result = values().put_in(function.body)
        return result if result is function.body else numbered_anew(attrs.evolve(function, body=result)).body

    return ir.with_bodies(module, put_in)


class _Values:
    """Puts the values of one function where they are used."""

    def __init__(self, sets: Sets, values: BoardValues, *, look_up: bool = True) -> None:
        self._sets, self._values, self._look_up = sets, values, look_up
        self._plain: dict[str, ir.Expr] = {}
        """The names whose values need no statements, with these values."""
        self._entries: dict[str, tuple[str, ir.Expr]] = {}
        """The names that are entries of tables of sets, with the table and the index."""

    def put_in(self, body: Statements) -> Statements:
        """Rewrite a function's statements; the same object where it has no such values."""
        result = self._block(body)
        if result is body:
            return body
        same = _resolved({name: value for name, value in self._plain.items()
                          if isinstance(value, (ir.Literal, ir.Name))})
        if same:
            result = with_known(_without(result, same), same)
        result = self._asked_in_place(result, same)
        named = times_named(result)
        once = _resolved({name: folded(value, same) for name, value in self._plain.items()
                          if named[name] <= 2 and name not in same})
        return with_tests_joined(with_known(_without(result, once), once) if once else result)

    def _block(self, block: Statements) -> Statements:
        result: list[ir.Statement] = []
        for statement in block:
            if isinstance(statement, ir.Let) and statement.term >= 0:
                result += self._value(statement)
            else:
                result.append(ir.with_blocks(statement, self._block))
        return ir.block_of(result, block)

    def _value(self, let: ir.Let) -> Statements:
        """The statements that compute a value and assign it to its name."""
        name, fixed = let.name, self._values.terms[let.term]
        value = self._looked_up(let, fixed) if self._look_up else None
        body = self._block(let.body) if value is None else (ir.Assign(name, value),)
        last = body[-1]
        assert isinstance(last, ir.Assign)
        if is_worth_a_name(fixed.term) and (value is None or name.name in self._entries):
            return (ir.Let(name, body),)
        self._plain[name.name] = last.value
        return body

    def _looked_up(self, let: ir.Let, fixed: Fixed) -> ir.Expr | None:
        """A value as a constant or a table entry; None where it is better computed."""
        sets, is_set = self._sets, fixed.term.sort == CELLS
        if is_set and fixed.many > _MOST_TABLE // sets.words:
            return None
        values = self._values.values(let.term)
        if values is None:
            return None
        if all(value == values[0] for value in values):
            if is_set:
                return sets.constant(values[0], wish_of(fixed.term) if values[0] else "nothing")
            return truth(bool(values[0])) if let.name.sort == ir.BOOL else expr(values[0])
        if is_set:
            entry = sets.table(wish_of(fixed.term), values), place_among(let.given, fixed.ranges)
            self._entries[let.name.name] = entry
            return sets.of_table(*entry)
        if not _takes_long(fixed.term) and sum(1 for _ in hir.walk(fixed.term)) < _MUCH:
            return None
        result = element(sets.tables.numbers(wish_of(fixed.term), values), place_among(let.given, fixed.ranges))
        return compared(result, "!=", 0) if let.name.sort == ir.BOOL else result

    def _asked_in_place(self, block: Statements, same: Mapping[str, ir.Expr]) -> Statements:
        """Test cells in table entries without copying the set, for entries that have no other use."""
        sets, named = self._sets, times_named(block)
        entries = {name: (table, folded(place, same)) for name, (table, place) in self._entries.items()
                   if named[name] == 2}
        result = set[str]()

        def in_place(node: ir.Expr) -> ir.Expr:
            match node:
                case ir.Call(function="has", arguments=(ir.Name(name=name), cell)) if name in entries:
                    result.add(name)
                    return sets.in_table(*entries[name], cell)
                case ir.Binary(operator=">>", left=ir.Name(name=name)) if name in entries:
                    result.add(name)
                    return attrs.evolve(node, left=sets.of_table(*entries[name]))
            return node

        asked = ir.with_expressions(block, lambda node: ir.transformed(node, in_place)) if entries else block
        return _without(asked, result) if result else block


def _takes_long(term: hir.Expr) -> bool:
    """Whether a number or condition is better looked up than computed."""
    return any(isinstance(part, hir.Binding) or (isinstance(part, hir.Expr) and part.sort == CELLS)
               for part in hir.walk(term))


def _resolved(values: Mapping[str, ir.Expr]) -> dict[str, ir.Expr]:
    """The values of names, in which earlier names are replaced by their values."""
    known: dict[str, ir.Expr] = {}
    for name, value in values.items():
        known[name] = folded(value, known)
    return known


def _without(block: Statements, names: Collection[str]) -> Statements:
    """Statements without those that assign some names."""
    return ir.block_of([ir.with_blocks(statement, lambda inner: _without(inner, names)) for statement in block if not (
        (isinstance(statement, ir.Assign) and isinstance(statement.target, ir.Name) and statement.target.name in names)
        or (isinstance(statement, ir.Let) and statement.name.name in names))], block)
