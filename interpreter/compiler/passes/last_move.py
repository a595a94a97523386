"""Makes ends test only what the last moves can have changed: cells added since a line or connection was sought.

An IR-to-IR pass, on the function that tells how a game ends. Rows keep words besides the position:

- the set as it was when it was last found without a straight line. Whatever happened since, a line now has a cell
  that was not in it. Where ends ask for lines of several lengths in one set, the shortest is sought first, and where
  there is none there is no longer one. Where steps are shifts, testing the whole board is quicker. Measured: 1.3
  times as fast on a hexagon of 61 cells, and 1.5 times as fast again with two lengths;
- the cells that were tested for connecting two fixed sets, and those of them that are connected to the first. A cell
  that is not adjacent to these changes nothing; where cells were removed, everything is tested again. Measured: 1.9
  times as fast on a rhombus of 121 cells. Cells that are tested against several pairs of sets are tested as a whole:
  three pairs were counted three times as slowly.

A set must not depend on what a loop does: only on the row, on constants, and on who moves. Where it depends on who
moves, each player has room of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import attrs

from interpreter.compiler import ir
from interpreter.compiler.analysis.names import FreshNames, bound_names, targets
from interpreter.compiler.build import all_of, any_of, expr, known, negated, plus, times
from interpreter.compiler.lowering.names import MOVER_NAME, POSITION
from interpreter.compiler.lowering.sets import Sets

_ENDS: Final = "ends"
_WIDTH: Final = "WIDTH"
_MOST_SHIFTED: Final = 8
"""The most words of a set in which lines are found by shifts."""


def only_what_came(module: ir.Module, sets: Sets, players: int) -> ir.Module:
    """A module whose ends test only what was added, and whose rows have room for what must be kept for that."""
    width = next((constant.values[0] for constant in module.constants if constant.name == _WIDTH), None)
    asked = _asked(sets)
    if width is None or not asked:
        return module
    functions: list[ir.Function | ir.Foreign] = []
    more = 0
    for function in module.functions:
        if isinstance(function, ir.Function) and function.name == _ENDS and any(
                isinstance(node, ir.Call) and node.function in asked for node in ir.expressions(function.body)):
            looking = _Looking(function, module, sets, players, width)
            body = looking.block(function.body, {})
            more = looking.kept
            function = attrs.evolve(function, body=body) if more else function
        functions.append(function)
    if not more:
        return module
    constants = tuple(attrs.evolve(constant, values=(width + more,)) if constant.name == _WIDTH else constant
                      for constant in module.constants)
    return attrs.evolve(module, constants=constants, functions=tuple(functions))


def _asked(sets: Sets) -> set[str]:
    """The functions whose results can be derived from what was found before."""
    lines = set() if sets.words <= _MOST_SHIFTED and sets.by_shifts else set(sets.asked_lines)
    joined = set() if sets.words == 1 and sets.by_shifts else sets.asked_joined  # a flood of one word is as quick
    return lines | joined


@attrs.frozen
class _Fresh:
    """What is known of a set in a block."""

    whole: ir.Expr
    fresh: ir.Name
    """The cells that were added to it."""
    line: ir.Name
    """Whether it has a line of the shortest length."""


class _Looking:
    """Rewrites a function that tells how a game ends."""

    def __init__(self, function: ir.Function, module: ir.Module, sets: Sets, players: int, width: int) -> None:
        self._sets, self._players, self._start = sets, players, width
        self._asked = _asked(sets)
        self._names = FreshNames(bound_names(function))
        self._fixed = {constant.name for constant in module.constants} | {table.name for table in module.tables} | {
            POSITION.name, MOVER_NAME.name, "ONE", "EMPTY", "FULL"}
        self._values = _single_values(function)
        self._meant: dict[ir.Expr, ir.Expr | None] = {}
        self._kept_at: dict[tuple[ir.Expr, ...], int] = {}
        self.kept = 0
        """The number of words that rows keep."""
        self._lengths: dict[ir.Expr, int] = {}
        self._goals: dict[ir.Expr | None, set[tuple[ir.Expr, ...]]] = {}
        """For each set of cells the pairs of sets that it is tested for connecting."""
        for node in ir.expressions(function.body):
            if isinstance(node, ir.Call) and node.function in self._asked & sets.asked_joined:
                self._goals.setdefault(self._meaning(node.arguments[1]), set()).add(node.arguments[3:])
            elif isinstance(node, ir.Call) and node.function in self._asked:
                cells, length = self._meaning(node.arguments[0]), sets.asked_lines[node.function]
                if cells is not None and length > 0:
                    self._lengths[cells] = min(length, self._lengths.get(cells, length))

    # ---- expressions

    def _meaning(self, node: ir.Expr) -> ir.Expr | None:
        """An expression in terms of the row, who moves, constants and tables; None where it depends on more."""
        if node not in self._meant:
            result = ir.transformed(node, lambda part: (self._value(part.name) or part) if isinstance(
                part, ir.Name) else part)
            fixed = all(part.name in self._fixed for part in ir.walk(result) if isinstance(part, ir.Name))
            self._meant[node] = result if fixed else None
        return self._meant[node]

    def _value(self, name: str) -> ir.Expr | None:
        value = self._values.get(name)
        return None if value is None else self._meaning(value)

    def _room(self, key: tuple[ir.Expr, ...], words: int, *, each: bool) -> int:
        """The place where rows keep `words` words, for each player or for all."""
        if key not in self._kept_at:
            self._kept_at[key] = self._start + self.kept
            self.kept += words * (self._players if each else 1)
        return self._kept_at[key]

    def _place(self, start: int, words: int, *, each: bool) -> tuple[list[ir.Statement], ir.Expr]:
        if not each:
            return [], expr(start)
        name = self._names.new("kept_at", ir.INT)
        value = plus(start, MOVER_NAME if words == 1 else times(words, MOVER_NAME))
        return [ir.Assign(name, value)], name

    # ---- statements

    def block(self, block: tuple[ir.Statement, ...], before: Mapping[ir.Expr, _Fresh]) -> tuple[ir.Statement, ...]:
        """Rewrite statements to test only what was added; `before` is what is known of sets in the enclosing blocks."""
        known_here = dict(before)
        result: list[ir.Statement] = []
        for statement in block:
            match statement:
                case ir.Assign(target=target, value=value):
                    statements, value = self._looked(value, known_here)
                    result += [*statements, ir.Assign(target, value)]
                case ir.If(test=test, yes=yes, no=no):
                    statements, test = self._looked(test, known_here)
                    result += [*statements, ir.If(test, self.block(yes, known_here), self.block(no, known_here))]
                case ir.Return(value=value) if value is not None:
                    statements, value = self._looked(value, known_here)
                    result += [*statements, ir.Return(value)]
                case _:
                    result.append(ir.with_blocks(statement, lambda inner: self.block(inner, known_here)))
        return tuple(result)

    def _looked(self, node: ir.Expr, here: dict[ir.Expr, _Fresh]) -> tuple[list[ir.Statement], ir.Expr]:
        """The statements that must precede an expression that tests only what was added, and that expression."""
        if not any(isinstance(part, ir.Call) and part.function in self._asked for part in ir.walk(node)):
            return [], node
        match node:
            case ir.Logical():
                return self._in_turn(node, here)
            case ir.Unary(operator="not", operand=operand):
                statements, result = self._looked(operand, here)
                return statements, negated(result)
            case ir.Call(function=name, arguments=(cells,)) if name in self._sets.asked_lines:
                return self._line(node, cells, self._sets.asked_lines[name], here)
            case ir.Call(function=name, arguments=(_, cells, _, first, second)) if name in self._sets.asked_joined:
                return self._joined(node, cells, first, second)
        return [], node

    def _in_turn(self, node: ir.Logical, here: dict[ir.Expr, _Fresh]) -> tuple[list[ir.Statement], ir.Expr]:
        """Conditions of which some need statements: each is tested only where those before leave the result open."""
        joined = all_of if node.operator == "and" else any_of
        plain: list[ir.Expr] = []
        for index, operand in enumerate(node.operands):
            known_there = dict(here) if plain else here
            statements, test = self._looked(operand, known_there)
            if not statements:
                plain.append(test)
                continue
            rest = node.operands[index + 1:]
            result = self._names.new("test", ir.BOOL)
            done: list[ir.Statement] = [*statements, ir.Assign(result, test)]
            go_on = result if node.operator == "and" else negated(result)
            if rest:
                more, last = self._looked(joined(rest), dict(known_there))
                done.append(ir.If(go_on, (*more, ir.Assign(result, last))))
            if not plain:
                return done, result
            return [ir.Assign(result, joined(plain)), ir.If(go_on, tuple(done))], result
        return [], joined(plain)

    # ---- lines

    def _line(self, node: ir.Call, cells: ir.Expr, length: int,
              here: dict[ir.Expr, _Fresh]) -> tuple[list[ir.Statement], ir.Expr]:
        """Whether a set has a straight line; the shortest is sought first."""
        meaning = self._meaning(cells)
        if meaning is None or length < 1:
            return [], node
        sets, shortest = self._sets, self._lengths[meaning]
        place = self._place_of(meaning)
        statements: list[ir.Statement] = []
        if meaning not in here:
            statements, here[meaning] = self._shortest(cells, meaning, shortest, place)
        result = here[meaning]
        if length == shortest:
            return statements, result.line
        through = sets.has_new_line(POSITION, place, result.whole, result.fresh, length)
        return statements, all_of([result.line, through])

    def _shortest(self, cells: ir.Expr, meaning: ir.Expr, length: int,
                  place: ir.Expr | None) -> tuple[list[ir.Statement], _Fresh]:
        sets = self._sets
        each = any(part == MOVER_NAME for part in ir.walk(meaning))
        statements, at = self._place(self._room((meaning,), sets.words, each=each), sets.words, each=each)
        whole = cells
        if not isinstance(cells, ir.Name):
            whole = self._names.new("cells", sets.cells)
            statements.append(ir.Assign(whole, cells))
        fresh, test = self._names.new("fresh", sets.cells), self._names.new("test", ir.BOOL)
        statements += [ir.Assign(fresh, sets.minus(whole, sets.at(POSITION, at))),
                       ir.Assign(test, sets.has_new_line(POSITION, place, whole, fresh, length)),
                       ir.If(negated(test), tuple(sets.store(POSITION, at, whole)))]
        return statements, _Fresh(whole, fresh, test)

    def _place_of(self, meaning: ir.Expr) -> ir.Expr | None:
        """The place of a set in the row, if it is stored there."""
        match meaning:
            case ir.Element(collection=collection, indices=(place,)) if collection == POSITION:
                pass
            case ir.Tuple(items=(ir.Element(collection=collection, indices=(place,)), *_)) if collection == POSITION:
                pass
            case ir.Call(arguments=(collection, place, *_)) if collection == POSITION:
                pass
            case _:
                return None
        return place if self._sets.at(POSITION, place if known(place) is None else known(place) or 0) == meaning else (
            None)

    # ---- joined parts

    def _joined(self, node: ir.Call, cells: ir.Expr, first: ir.Expr,
                second: ir.Expr) -> tuple[list[ir.Statement], ir.Expr]:
        """Whether cells connect two sets."""
        meanings = [self._meaning(part) for part in (cells, first, second)]
        result = [meaning for meaning in meanings if meaning is not None]
        if len(result) < 3 or len(self._goals[result[0]]) > 1 or any(
                part == POSITION for goal in result[1:] for part in ir.walk(goal)):
            return [], node
        mine, *others = (any(part == MOVER_NAME for part in ir.walk(meaning)) for meaning in result)
        if any(others) and not mine:
            return [], node
        sets = self._sets
        start = self._room(tuple(result), 2 * sets.words, each=mine)
        statements, at = self._place(start, 2 * sets.words, each=mine)
        name = sets.library.put("joining", flooded=sets.flood_function, near=sets.near_table())
        return statements, sets.some(sets.both(sets.called(name, POSITION, at, cells, first), second))


def _single_values(function: ir.Function) -> dict[str, ir.Expr]:
    """The values of names that are assigned at one place only."""
    values: dict[str, ir.Expr] = {}
    several = {parameter.name for parameter in function.parameters}
    for statement in ir.statements(function.body):
        match statement:
            case ir.Assign(target=ir.Name(name=name), value=value):
                if name in values:
                    several.add(name)
                values[name] = value
            case ir.Assign(target=target):
                several |= {name.name for name in targets(target)}
            case ir.Update(target=ir.Name(name=name)) | ir.For(name=ir.Name(name=name)) | ir.ForEach(
                    name=ir.Name(name=name)):
                several.add(name)
    return {name: value for name, value in values.items() if name not in several}
