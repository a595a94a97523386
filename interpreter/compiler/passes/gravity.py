"""Carries pieces that a forced rule lets fall step by step all the way at once.

An IR-to-IR pass: in the function of the rule, which carries a piece one step, the target of the step becomes the cell
where the piece comes to rest (`interpreter.analysis.gravity` tells for which rules that holds). Measured: 16 ns a move
instead of 30, where a stone falls into a column of six.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs

from interpreter.boards import Board, mask_of
from interpreter.compiler import ir
from interpreter.compiler.analysis.names import FreshNames, bound_names
from interpreter.compiler.build import (
    ONE,
    all_of,
    binary,
    call,
    compared,
    element,
    expr,
    inverted,
    minus,
    negated,
    plus,
    row,
)
from interpreter.compiler.lowering.names import POSITION
from interpreter.compiler.lowering.sets import Sets


@attrs.frozen
class Fall:
    """A forced rule by which pieces fall."""

    function: str
    """The function that applies the rule at its first place."""
    way: int
    """The direction in which they fall."""


def carried_all_the_way(module: ir.Module, fall: Fall, sets: Sets) -> ir.Module:
    """A module in which falling pieces are carried to where they come to rest."""
    tables = {table.name: table.values for table in module.tables}
    steps = (-1, *(steps[fall.way] for steps in sets.board.steps))

    def far(function: ir.Function) -> ir.Function:
        onward = [statement for statement in ir.statements(function.body) if isinstance(statement, ir.Assign)
                  and _is_step(statement.value, lambda name: tables.get(name) == steps)]
        for statement in onward:
            body = _rewritten(function.body, statement, FreshNames(bound_names(function)), fall.way, sets)
            if body is not None:
                return attrs.evolve(function, body=body)
        return function

    return attrs.evolve(module, functions=tuple(
        far(function) if isinstance(function, ir.Function) and function.name == fall.function else function
        for function in module.functions))


def _is_step(value: ir.Expr, is_table: Callable[[str], bool]) -> bool:
    """Whether a value is the next cell of a cell, by the table of steps whose first entry is for no cell."""
    match value:
        case ir.Element(collection=ir.Name(name=name), indices=(
                ir.Binary(operator="+", left=ir.Name(), right=ir.Literal(value=1)),)):
            return is_table(name)
    return False


def _rewritten(block: tuple[ir.Statement, ...], step: ir.Assign, names: FreshNames, way: int,
               sets: Sets) -> tuple[ir.Statement, ...] | None:
    """Statements that carry a piece to where the fall ends instead of where a step leads; None where they do not match.

    The block must end by carrying the piece, under the condition that the step leads to a cell; the failure of the rule
    where it does not may stand before.
    """
    name = step.target
    off = compared(expr(name), "<", 0)
    match block:
        case (*before, ir.If(test=test, yes=body, no=()), ir.Return() as last) if test == negated(off):
            if before and isinstance(before[-1], ir.If) and _asks(before[-1].test, off):
                del before[-1]
            there = name
            if before and before[-1] is step:
                del before[-1]
            else:
                there = names.new("there", ir.INT)
            rest = ir.with_expressions(body, lambda node: ir.transformed(
                node, lambda part: there if part == name else part))
            return (*before, *_rest(step, there, names, way, sets), *rest, last)
    result = tuple(_inside(statement, step, names, way, sets) for statement in block)
    return None if all(new is old for new, old in zip(result, block, strict=True)) else result


def _asks(test: ir.Expr, condition: ir.Expr) -> bool:
    """Whether a condition is a conjunction that begins with another condition."""
    return isinstance(test, ir.Logical) and test.operator == "and" and test.operands[0] == condition


def _inside(statement: ir.Statement, step: ir.Assign, names: FreshNames, way: int, sets: Sets) -> ir.Statement:
    if not isinstance(statement, (ir.While, ir.For, ir.ForEach)):
        return statement
    body = _rewritten(statement.body, step, names, way, sets)
    return statement if body is None else attrs.evolve(statement, body=body)


def _rest(step: ir.Assign, there: ir.Expr, names: FreshNames, way: int, sets: Sets) -> list[ir.Statement]:
    """The statements that find the cell where a piece that falls from a cell comes to rest."""
    assert isinstance(step.value, ir.Element)
    assert isinstance(step.value.indices[0], ir.Binary)
    assert isinstance(there, ir.Name)
    board, table, cell = sets.board, step.value.collection, step.value.indices[0].left
    rays = [board.ray(number, way) for number in range(board.size)]
    if sets.words == 1 and _upward(board, way):  # without a loop of unpredictable length
        below = element(row(sets.table("rays_down", [mask_of(ray) for ray in rays])), cell)
        stop = names.new("stop", ir.WORD)
        passed = binary("&", binary("&", below, inverted(stop)), minus(stop, ONE))
        return [ir.Assign(stop, sets.minus(below, element(POSITION, 0))),
                ir.Assign(there, call("highest", passed, gives=ir.INT))]
    after, onward = names.new("after", ir.INT), element(table, plus(there, 1))
    further = all_of([compared(after, ">=", 0), sets.in_row(POSITION, 0, after)])
    return [ir.Assign(there, step.value), ir.Assign(after, onward),
            ir.While(further, (ir.Assign(there, after), ir.Assign(after, onward)))]


def _upward(board: Board, way: int) -> bool:
    """Whether the cells of each ray in a direction are in board order."""
    rays = [board.ray(cell, way) for cell in range(board.size)]
    return all(list(ray) == sorted((cell, *ray))[1:] for cell, ray in enumerate(rays))
