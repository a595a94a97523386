"""Abstract interpretation of loops over cells, for all cells at once: where conditions hold, where steps lead.

`Rounds` follows the statements of one iteration (a round). It maps each name to an expression where its value is
loop-invariant, else to a value that depends on the iteration's cell: the set of the cells for which a condition holds,
the cell that steps lead to, or a ray. It refuses all other statements (`Refused`). The pass
`interpreter.compiler.passes.whole_sets` uses it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from typing import Final, TypeAlias

import attrs

from interpreter.compiler import ir
from interpreter.compiler.analysis.changes import Calls, Changes, Statements
from interpreter.compiler.analysis.names import FreshNames, bound_names, targets
from interpreter.compiler.analysis.numbers import Numbers
from interpreter.compiler.build import NO_BITS, ONE, all_of, any_of, known, named_number, negated, place_among
from interpreter.compiler.lowering.sets import Sets
from interpreter.compiler.specialise import folded

MOST_WORDS: Final = 4
"""The most words of sets for which steps from all cells are taken at once; larger ones have relatively few cells."""
_NONE: Final[Mapping[str, _Value]] = {}


class Refused(Exception):
    """Raised where a loop, or a part of it, cannot be evaluated for all cells at once."""


# ---- values for all cells at once


@attrs.frozen
class _Cell:
    """The cell that steps lead to from the iteration's cell; none where a step leaves the board."""

    ways: tuple[ir.Expr, ...] = ()


@attrs.frozen
class _Number:
    """A number computed from that of the iteration's cell and from loop-invariant values."""

    node: ir.Expr


@attrs.frozen
class _Where:
    """The cells for which a condition holds."""

    cells: ir.Expr


@attrs.frozen
class _Ray:
    """The cells from a cell on in a direction as long as they are in `within`; of these only `goals`, if given."""

    origin: _Cell
    way: ir.Expr
    within: ir.Expr
    goals: ir.Expr | None = None


@attrs.frozen
class _Either:
    """One set for the cells for which the condition `where` holds, and another for the others."""

    where: ir.Expr
    yes: ir.Expr | _Ray | _Either
    no: ir.Expr | _Ray | _Either


@attrs.frozen
class _WithCell:
    """A set with the iteration's cell added."""

    cells: ir.Expr


_Varying: TypeAlias = _Cell | _Number | _Where | _Ray | _Either | _WithCell
_NO_SETS: Final = (_Cell, _Number, _Where, _WithCell)
"""The kinds of values of which no `_Either` is made."""
_Value: TypeAlias = ir.Expr | _Varying
"""What a name stands for in an iteration: an expression where it is loop-invariant."""


@attrs.frozen
class Around:
    """What the analysis knows of the function around a loop, and of its kernel."""

    sets: Sets
    calls: Calls
    changes: Changes
    names: FreshNames
    numbers: Numbers

    @classmethod
    def of(cls, function: ir.Function, calls: Calls, sets: Sets) -> Around:
        """Collect what is known of a function."""
        return cls(sets, calls, Changes(function, calls), FreshNames(bound_names(function)), Numbers.of(function, sets))

    def added(self, result: str, cell: ir.Name) -> ir.Expr:
        """A set with a cell added."""
        return self.sets.either(ir.Name(result, self.sets.cells), self.sets.single(cell))


class _Expressions:
    """Evaluates the expressions in a loop over cells for all iterations at once."""

    def __init__(self, around: Around, loop: ir.ForEach, values: Mapping[str, _Value] = _NONE,
                 unknown: Collection[str] = (), before: list[ir.Statement] | None = None) -> None:
        self._around, self._sets = around, around.sets
        self.before: list[ir.Statement] = [] if before is None else before
        """The statements to put before the loop."""
        self._cell = loop.name
        self._values: dict[str, _Value] = {**values, loop.name.name: _Cell()}
        self._unknown = {*unknown, *_given(loop.body)}
        self.read: set[str] = set()
        """The loop-invariant names that are read."""
        self._compared = {operand.name for node in ir.expressions(loop.body) if isinstance(node, ir.Comparison)
                          for operand in node.operands if isinstance(operand, ir.Name) and operand.sort == ir.INT}
        """The numbers that the loop compares: one may be no cell, so no look-up with it may move before the loop."""

    # ---- expressions

    def _varies(self, node: ir.Expr) -> bool:
        """Whether an expression differs between iterations. Raises Refused where that is not known."""
        result = False
        for part in ir.walk(node):
            if isinstance(part, ir.Name):
                if part.name in self._values:
                    result |= isinstance(self._values[part.name], _Varying)
                elif part.name in self._unknown:
                    raise Refused
            elif isinstance(part, ir.Call) and part.function not in self._around.calls.pure:
                raise Refused
        return result

    def value(self, node: ir.Expr) -> _Value:
        """The value of an expression for all cells. Raises Refused."""
        if not self._varies(node):
            return self._steady(node)
        if node.sort == ir.BOOL:
            return _Where(self.where(node))
        match node:
            case ir.Name(name=name):
                return self._values[name]
            case ir.Element(collection=ir.Name(name=table), indices=(index,), sort=ir.INT):
                with suppress(Refused):
                    return self._step(table, index)
            case ir.Call(function=function, arguments=(seen, way, within)) if function == self._sets.asked_ray:
                origin = self.value(seen)
                if isinstance(origin, _Cell) and not self._varies(way) and not self._varies(within):
                    return _Ray(origin, self._steady(way), self._steady(within))
            case ir.Binary(operator="&", left=left, right=right) | ir.Call(function="both", arguments=(left, right)):
                ray, cells = (right, left) if self._varies(right) else (left, right)
                result = self.value(ray)
                if isinstance(result, _Ray) and not self._varies(cells):
                    return self._among(result, self._steady(cells))
            case ir.Binary(operator="|", left=left, right=right) | ir.Call(function="either", arguments=(left, right)):
                single, cells = (right, left) if self._varies(right) else (left, right)
                if not self._varies(cells) and self._is_single(single):
                    return _WithCell(self._steady(cells))
        if node.sort == ir.INT:
            return _Number(self._number(node))
        raise Refused

    def _is_single(self, node: ir.Expr) -> bool:
        """Whether an expression is the set of the iteration's cell alone, by the operation or by a table."""
        sets, cell = self._sets, self._cell
        if node == sets.single(cell):
            return True
        return any(values == sets.singles and node == sets.of_table(table, cell)
                   for table, values in sets.tables.values.items() if sets.tables.words[table])

    def _number(self, node: ir.Expr) -> ir.Expr:
        """An expression in terms of the iteration's cell and of loop-invariant values. Raises Refused."""
        def put_in(part: ir.Expr) -> ir.Expr:
            if isinstance(part, ir.Name):
                match self._values.get(part.name, part):
                    case _Number(node=found):
                        return found
                    case _Cell(ways=()):
                        return self._cell
                    case _Cell() | _Where() | _Ray() | _Either() | _WithCell():
                        raise Refused
            return part

        return ir.transformed(self._looked_up_in(folded(node, self._known())), put_in)

    def _steady(self, node: ir.Expr) -> ir.Expr:
        """A loop-invariant expression in terms of names that have their values before the loop. Raises Refused."""
        result = folded(node, self._known())
        self.read |= {part.name for part in ir.walk(result) if isinstance(part, ir.Name)}
        if any(isinstance(part, (ir.Element, ir.Call)) and any(
                isinstance(operand, ir.Name) and operand.name in self._compared for operand in ir.walk(part))
               for part in ir.walk(result)):
            raise Refused
        return self._looked_up_in(result)

    def _looked_up_in(self, node: ir.Expr) -> ir.Expr:
        return ir.transformed(node, self._looked_up)

    def _known(self) -> dict[str, ir.Expr]:
        """The loop-invariant names with their values."""
        return {name: value for name, value in self._values.items() if not isinstance(value, _Varying)}

    def _looked_up(self, node: ir.Expr) -> ir.Expr:
        match node:
            case ir.Element(collection=ir.Name(name=table, sort=ir.LINE), indices=(ir.Literal(value=place),)):
                values = self._sets.tables.values.get(table)
                return node if values is None else ir.Literal(values[place], ir.INT)
        return node

    def _step(self, table: str, index: ir.Expr) -> _Cell:
        """The cell that an entry of a table is, where the table gives the next cell in a direction. Raises Refused."""
        sets, board = self._sets, self._sets.board
        if not sets.by_shifts or sets.words > MOST_WORDS:
            raise Refused
        (name, *others) = {part.name for part in ir.walk(index) if isinstance(part, ir.Name) and isinstance(
            self._values.get(part.name), _Varying)}
        cell = self._values[name]
        if others or not isinstance(cell, _Cell):
            raise Refused
        values = sets.tables.values.get(table, [])
        index = folded(index, self._known())
        places = [known(folded(index, {name: ir.Literal(number, ir.INT)})) for number in range(board.size)]
        if all(place is not None and 0 <= place < len(values) for place in places):
            result = [values[place] for place in places if place is not None]
            for way in range(len(board.directions)):
                if result == [steps[way] for steps in board.steps]:
                    return _Cell((*cell.ways, ir.Literal(way, ir.INT)))
        count = ir.Literal(len(board.directions), ir.INT)
        match index:
            case ir.Binary(operator="+", left=ir.Binary(operator="+", left=ir.Binary(
                    operator="*", left=ir.Name(name=origin), right=many), right=towards), right=more) if (
                        origin == name and many == more == count and table == sets.steps_table() and sets.words == 1):
                return _Cell((*cell.ways, self._steady(towards)))
        raise Refused

    # ---- conditions

    def where(self, node: ir.Expr) -> ir.Expr:
        """The cells for which a condition holds. Raises Refused."""
        sets = self._sets
        match node:
            case ir.Unary(operator="not", operand=ir.Unary(operator="not", operand=operand)):
                return self.where(operand)
            case ir.Unary(operator="not", operand=operand):
                return sets.minus(sets.everything, self.where(operand))
        if not self._varies(node):
            return self._as_where(self._steady(node))
        try:
            return self._where_of(node)
        except Refused:
            return self._where_by_table(node)

    def _where_of(self, node: ir.Expr) -> ir.Expr:
        """The cells for which a condition holds, derived from the condition's form. Raises Refused."""
        sets = self._sets
        match node:
            case ir.Name(name=name):
                return self._as_where(self._values[name])
            case ir.Logical(operator=operator, operands=operands):
                parts = [self.where(any_of(asked) if operator == "or" else all_of(asked)) for asked in self._grouped(
                    [operand for index, operand in enumerate(operands)
                     if operator == "or" or not self._follows(operand, operands[index + 1:])])]
                result = parts[0]
                for part in parts[1:]:
                    result = sets.both(result, part) if operator == "and" else sets.either(result, part)
                return result
            case ir.Comparison(relations=(">=",), operands=(asked, ir.Literal(value=0))):
                return self._arriving(self.value(asked), sets.everything)
            case ir.Comparison(relations=("<",), operands=(asked, ir.Literal(value=0))):
                return sets.minus(sets.everything, self._arriving(self.value(asked), sets.everything))
        member = self._member(node)
        if member is not None:
            return self._arriving(self.value(member[1]), member[0])
        match node:
            case ir.Comparison(relations=("!=",), operands=(cells, empty)) if empty == NO_BITS:
                return self._some(self.value(cells))
            case ir.Call(function="some", arguments=(cells,)):
                return self._some(self.value(cells))
            case ir.Call(function=function, arguments=(cells,)) if function in sets.asked_lines:
                match self.value(cells):
                    case _WithCell(cells=others):
                        return self._named(sets.completing(others, function))
        raise Refused

    def _where_by_table(self, node: ir.Expr) -> ir.Expr:
        """The cells for which a condition holds, from a table of its values.

        The condition may depend on the board, the iteration's cell and a few loop-invariant numbers, which index the
        table. Raises Refused.
        """
        sets, node = self._sets, self._number(node)
        names = sorted({part.name for part in ir.walk(node) if isinstance(part, ir.Name) and part.sort == ir.INT}
                       - {self._cell.name})
        numbers = self._around.numbers
        unclear = self._compared & (set(names) - numbers.told.keys())
        ranges = None if unclear else numbers.ranges(node, self._cell.name, names)
        result = None if ranges is None else numbers.cells(node, self._cell.name, names, ranges)
        if ranges is None or result is None:
            raise Refused
        self.read |= set(names)
        wish = f"{self._cell.name.rstrip('0123456789_')}_where"
        if len(set(result)) == 1:
            return sets.nothing if not result[0] else sets.constant(result[0], wish)
        place = place_among([named_number(name) for name in names], ranges)
        return self._named(sets.of_table(sets.table(wish, result), place))

    def _grouped(self, operands: Sequence[ir.Expr]) -> list[list[ir.Expr]]:
        """Group conditions: each that varies alone, successive loop-invariant ones together."""
        return [group for varies, result in groupby(operands, self._varies)
                for group in ([[operand] for operand in result] if varies else [list(result)])]

    def _follows(self, node: ir.Expr, others: Iterable[ir.Expr]) -> bool:
        """Whether a condition says that a cell exists, which a later membership test of that cell implies."""
        match node:
            case ir.Comparison(relations=(">=",), operands=(cell, ir.Literal(value=0))):
                members = [self._member(other) for other in others]
                return any(member is not None and member[1] == cell for member in members)
        return False

    def _member(self, node: ir.Expr) -> tuple[ir.Expr, ir.Expr] | None:
        """The set and the cell of a test of membership; None for other conditions, and where the set varies."""
        match node:
            case ir.Comparison(relations=("!=",), operands=(ir.Binary(operator="&", left=ir.Binary(
                    operator=">>", left=cells, right=cell), right=one), empty)) if one == ONE and empty == NO_BITS:
                pass
            case ir.Call(function="has", arguments=(cells, cell)):
                pass
            case ir.Call(function="holds", arguments=(row, place, cell)):
                cells = self._sets.at(row, place)
            case _:
                return None
        return None if self._varies(cells) else (self._steady(cells), cell)

    def _as_where(self, value: _Value | None) -> ir.Expr:
        sets = self._sets
        match value:
            case _Where(cells=cells):
                return cells
            case ir.Literal(value=holds, sort=ir.BOOL):
                return sets.everything if holds else sets.nothing
        if value is None or isinstance(value, _Varying) or value.sort != ir.BOOL:
            raise Refused
        return self._named(ir.Conditional(value, sets.everything, sets.nothing))

    def _named(self, cells: ir.Expr) -> ir.Expr:
        for statement in self.before:
            if isinstance(statement, ir.Assign) and isinstance(statement.target, ir.Name) and statement.value == cells:
                return statement.target
        name = self._around.names.new("where", cells.sort)
        self.before.append(ir.Assign(name, cells))
        return name

    def _some(self, value: _Value) -> ir.Expr:
        """The cells for which a set is not empty."""
        sets = self._sets
        match value:
            case _Ray(origin=origin, way=way, within=within, goals=goals):
                if goals is not None:
                    number = known(way)
                    if number is None or not sets.by_shifts or sets.words > MOST_WORDS:
                        raise Refused
                    within = sets.seeing(number, within, goals)
                return self._arriving(_Cell((*origin.ways, way)), within)
            case _Either(where=where, yes=yes, no=no):
                if no == sets.nothing:
                    return sets.both(where, self._some(yes))
                where = where if isinstance(where, ir.Name) else self._named(where)
                return sets.either(sets.both(where, self._some(yes)), sets.minus(self._some(no), where))
            case _WithCell():
                return sets.everything
            case _Cell() | _Number() | _Where():
                raise Refused
        return sets.nothing if value == sets.nothing else self._as_where(sets.some(value))

    def _arriving(self, cell: _Value, goal: ir.Expr) -> ir.Expr:
        """The cells from which the steps to `cell` lead into a set. Raises Refused."""
        sets = self._sets
        if not isinstance(cell, _Cell):
            raise Refused
        for way in reversed(cell.ways):
            number = known(way)
            if not sets.by_shifts or sets.words > (1 if number is None else MOST_WORDS):
                raise Refused
            goal = sets.came_from_any(goal, way) if number is None else sets.came_from(goal, number)
        return goal

    def joined(self, one: ir.Expr | None, other: ir.Expr) -> ir.Expr:
        """The cells for which both conditions hold."""
        return other if one is None or one == self._sets.everything else self._sets.both(one, other)

    def _among(self, ray: _Ray, cells: ir.Expr) -> _Ray:
        return attrs.evolve(ray, goals=self.joined(ray.goals, cells))


class Rounds(_Expressions):
    """Evaluates the statements in a loop over cells for all iterations at once."""

    def run(self, statement: ir.Statement) -> None:
        """Evaluate a statement, and record the values that it assigns. Raises Refused where it does more than that."""
        match statement:
            case ir.Let(name=name, body=body):
                if self._is_steady(statement):
                    if statement not in self.before:
                        self.before.append(statement)
                    self._values[name.name] = name
                    return
                for inner in body:
                    self.run(inner)
            case ir.Assign(target=ir.Name(name=name), value=value):
                self._values[name] = self.value(value)
            case ir.If(test=test, yes=yes, no=no):
                self._branches(self.where(test), yes, no)
            case ir.For(name=name, start=ir.Literal(value=start), stop=ir.Literal(value=stop), body=body, step=1):
                decided = set[str]()
                for number in range(start, stop):
                    self._values[name.name] = ir.Literal(number, ir.INT)
                    result, holds, cells = self.asked(body)
                    self._decide(result, holds, self._named(cells))
                    decided.add(result)
                    self._forget(_given(body) - decided)
                self._forget([name.name])
            case ir.ForEach():
                self._along(statement)
            case ir.Comment():
                pass
            case _:
                raise Refused

    def _is_steady(self, let: ir.Let) -> bool:
        """Whether a value is loop-invariant. Raises Refused where it is, but it cannot move before the loop."""
        own = {let.name.name, *_given(let.body)}
        read = {node.name for node in ir.expressions(let.body) if isinstance(node, ir.Name)} - own
        if any(name in self._values and not _is_itself(self._values[name], name) for name in read):
            return False
        if any(name in self._unknown and name not in self._values for name in read):
            return False
        change = self._around.changes.of(let)
        if change.rows or change.fails or read & self._compared:
            raise Refused
        self.read |= read
        return True

    def _branches(self, where: ir.Expr, yes: Statements, no: Statements) -> None:
        before = dict(self._values)
        result = []
        for branch in (yes, no):
            self._values = dict(before)
            for statement in branch:
                self.run(statement)
            result.append(self._values)
        one, other = result
        self._values = {name: self._merged(where, one[name], other[name]) for name in one if name in other}

    def _merged(self, where: ir.Expr, yes: _Value, no: _Value) -> _Value:
        sets = self._sets
        if yes == no:
            return yes
        if not isinstance(yes, _NO_SETS) and not isinstance(no, _NO_SETS) and (
                ir.BOOL not in (getattr(yes, "sort", None), getattr(no, "sort", None))):
            return _Either(where, yes, no)
        one, other = self._as_where(yes), self._as_where(no)
        if other in (where, sets.nothing):
            return _Where(sets.both(where, one))
        if where == sets.minus(sets.everything, other) or one == sets.everything:
            return _Where(sets.either(other, one if one != sets.everything else where))
        return _Where(sets.either(sets.both(where, one), sets.minus(other, where)))

    def asked(self, body: Statements) -> tuple[str, bool, ir.Expr]:
        """What an inner loop decides before it breaks: the name that it assigns, its value, and the cells where it does
        so.

        Raises Refused.
        """
        where: ir.Expr | None = None
        for index, statement in enumerate(body):
            match body[index:]:
                case (ir.Assign(target=ir.Name(name=name), value=ir.Literal(value=holds, sort=ir.BOOL)), ir.Break()):
                    return name, bool(holds), self._sets.everything if where is None else where
                case (ir.If(test=test, yes=(ir.Assign(target=ir.Name(name=name), value=ir.Literal(
                        value=holds, sort=ir.BOOL)), ir.Break()), no=()),):
                    return name, bool(holds), self.joined(where, self.where(test))
            guard = guard_of(statement)
            if guard is None:
                self.run(statement)
            else:
                where = self.joined(where, self.where(guard))
        raise Refused

    def _decide(self, name: str, value: bool, where: ir.Expr) -> None:
        sets, before = self._sets, self._as_where(self._values.get(name))
        if value:
            self._values[name] = _Where(where if before == sets.nothing else sets.either(before, where))
        else:
            self._values[name] = _Where(sets.minus(before, where))

    def _forget(self, names: Iterable[str]) -> None:
        """Drop the names assigned in an inner loop, which have no known value in its other iterations or after it."""
        for name in names:
            self._values.pop(name, None)

    def _along(self, loop: ir.ForEach) -> None:
        """Evaluate a loop over the cells of a ray. Raises Refused."""
        ray = self.value(loop.cells)
        if not isinstance(ray, _Ray):
            raise Refused
        inner = Rounds(self._around, loop, self._known(), {*self._unknown, *self._values}, self.before)
        inner._compared |= self._compared
        match loop.body:
            case (*statements, ir.Assign(target=ir.Name(name=found), value=value)) if (
                    value == self._around.added(found, loop.name) and self._values.get(found) == self._sets.nothing):
                decided = found
                where: ir.Expr | None = None
                for statement in statements:
                    guard = guard_of(statement)
                    if guard is None:
                        inner.run(statement)
                    else:
                        where = inner.joined(where, inner.where(guard))
                self._values[found] = ray if where is None else self._among(ray, where)
            case _:
                decided, holds, cells = inner.asked(loop.body)
                self._decide(decided, holds, self._some(self._among(ray, cells)))
        self.read |= inner.read
        self._forget(_given(loop.body) - {decided})


def times_given(block: Statements) -> Counter[str]:
    """The number of times that statements assign each name."""
    result: Counter[str] = Counter()
    for statement in ir.statements(block):
        match statement:
            case ir.Assign(target=target) | ir.Update(target=target):
                result.update(name.name for name in targets(target))
            case ir.For(name=name) | ir.ForEach(name=name):
                result[name.name] += 1
    return result


def _given(block: Statements) -> set[str]:
    """The names that statements assign."""
    return set(times_given(block))


def guard_of(statement: ir.Statement) -> ir.Expr | None:
    """The condition without which a statement skips the rest of an iteration; None for other statements."""
    match statement:
        case ir.If(test=ir.Unary(operator="not", operand=condition), yes=(ir.Continue(),), no=()):
            return condition
        case ir.If(test=test, yes=(ir.Continue(),), no=()):
            return negated(test)
    return None


def _is_itself(value: _Value, name: str) -> bool:
    return isinstance(value, ir.Name) and value.name == name
