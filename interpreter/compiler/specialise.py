"""Specialises functions for one game: substitutes known parameters, folds constants and removes dead branches.

Runtime functions (`interpreter.compiler.runtime`) are written once, for every board and every size of sets. In a kernel
its own tables and numbers replace their static parameters, so that the target's compiler sees constants.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Final

import attrs

from interpreter.compiler import ir
from interpreter.compiler.reader import IRError

_ARITHMETIC: Final[dict[str, Callable[[int, int], int]]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv, "%": operator.mod,
    "&": operator.and_, "|": operator.or_, "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift}
_RELATIONS: Final[dict[str, Callable[[int, int], bool]]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
_NONE: Final = ir.Literal(0, ir.INT)
_EMPTY: Final = ir.Name("EMPTY", ir.WORD)
_MOST_WRITTEN: Final = 256
"""The greatest number of iterations that are unrolled, where no sequence has to be indexed by known numbers."""


def specialised(function: ir.Function, bound: Mapping[str, ir.Expr], name: str = "") -> ir.Function:
    """Substitute expressions for some parameters of a function. Raises IRError where it assigns to one of them."""
    for result in ir.statements(function.body):
        if isinstance(result, (ir.Assign, ir.Update)) and isinstance(result.target, ir.Name) and (
                result.target.name in bound):
            raise IRError(f"{function.name}: the parameter '{result.target.name}' is put in, and changed")
    parameters = tuple(parameter for parameter in function.parameters if parameter.name not in bound)
    return attrs.evolve(function, name=name or function.name, parameters=parameters,
                        body=with_known(function.body, bound))


def with_known(block: tuple[ir.Statement, ...], known: Mapping[str, ir.Expr]) -> tuple[ir.Statement, ...]:
    """Substitute expressions for names in statements; fold constants, remove dead branches and unroll marked loops."""
    result: list[ir.Statement] = []
    for statement in block:
        for done in _statement(statement, known):
            _add(result, done)
        if result and isinstance(result[-1], (ir.Return, ir.Break, ir.Continue)):
            break
    return tuple(result)


def _add(result: list[ir.Statement], statement: ir.Statement) -> None:
    """Append a statement; an update of a name that the last statement assigned is merged into that assignment."""
    match statement:
        case ir.Update(target=ir.Name() as name, operator=operator, value=value) if result and isinstance(
                last := result[-1], ir.Assign) and last.target == name and name not in ir.walk(value):
            result[-1] = ir.Assign(name, _binary(ir.Binary(operator, last.value, value, name.sort)))
        case _:
            result.append(statement)


def _statement(statement: ir.Statement, known: Mapping[str, ir.Expr]) -> Iterator[ir.Statement]:
    def put(node: ir.Expr) -> ir.Expr:
        return folded(node, known)

    match statement:
        case ir.If(test=test, yes=yes, no=no):
            asked = put(test)
            if isinstance(asked, ir.Literal):
                yield from with_known(yes if asked.value else no, known)
                return
            done, otherwise = with_known(yes, known), with_known(no, known)
            if done or otherwise:
                yield ir.If(asked, done, otherwise)
        case ir.While(test=test, body=body):
            asked = put(test)
            if asked != ir.FALSE:
                yield ir.While(asked, with_known(body, known))
        case ir.For(name=name, start=start, stop=stop, body=body, step=step, unrolled=True):
            first, last = put(start), put(stop)
            if not (isinstance(first, ir.Literal) and isinstance(last, ir.Literal)):
                raise IRError(f"the loop over '{name.name}' cannot be written out: its numbers are not known")
            numbers = range(first.value, last.value, step)
            if len(numbers) > _MOST_WRITTEN and not any(isinstance(given, ir.Tuple) for given in known.values()):
                yield ir.For(name, first, last, with_known(body, known), step)
                return
            for number in numbers:
                yield from with_known(body, {**known, name.name: ir.Literal(number, ir.INT)})
        case ir.For(start=start, stop=stop, body=body, step=step):
            first, last = put(start), put(stop)
            if not (isinstance(first, ir.Literal) and isinstance(last, ir.Literal)) or range(
                    first.value, last.value, step):
                yield attrs.evolve(statement, start=first, stop=last, body=with_known(body, known))
        case ir.ForEach(name=name, cells=cells, body=body):
            yield ir.ForEach(name, put(cells), with_known(body, known))
        case ir.Let(name=name, body=body, term=term, given=given):
            yield ir.Let(name, with_known(body, known), term, tuple(map(put, given)))
        case _:
            yield from ir.with_expressions((statement,), put)


def folded(node: ir.Expr, known: Mapping[str, ir.Expr]) -> ir.Expr:
    """Substitute expressions for names in an expression, and fold constants."""
    return ir.transformed(node, lambda part: _folded(part, known))


def _folded(node: ir.Expr, known: Mapping[str, ir.Expr]) -> ir.Expr:
    match node:
        case ir.Name(name=name):
            return known.get(name, node)
        case ir.Binary():
            return _binary(node)
        case ir.Unary(operator="not", operand=ir.Literal(value=value)):
            return ir.FALSE if value else ir.TRUE
        case ir.Unary(operator="-", operand=ir.Literal(value=value)):
            return ir.Literal(-value, ir.INT)
        case ir.Comparison(relations=relations, operands=operands) if all(
                isinstance(operand, ir.Literal) for operand in operands):
            values = [operand.value for operand in operands if isinstance(operand, ir.Literal)]
            holds = all(_RELATIONS[relation](one, other)
                        for relation, one, other in zip(relations, values, values[1:], strict=False))
            return ir.TRUE if holds else ir.FALSE
        case ir.Logical():
            return shortened(node)
        case ir.Conditional(test=ir.Literal(value=value), yes=yes, no=no):
            return yes if value else no
        case ir.Element(collection=ir.Tuple(items=items), indices=(ir.Literal(value=place),)):
            return items[place]
        case ir.Call():
            return _call(node, known)
    return node


def _call(node: ir.Call, known: Mapping[str, ir.Expr]) -> ir.Expr:
    match known.get(node.function), node.function, node.arguments:
        case ir.Name(name=function), _, arguments:
            return ir.Call(function, arguments, node.sort)
        case None, "len", (ir.Tuple(items=items),):
            return ir.Literal(len(items), ir.INT)
        case None, "word", (ir.Literal(value=value, sort=ir.INT),) if value >= 0:
            return ir.Literal(value, ir.WORD)
    return node


def _binary(node: ir.Binary) -> ir.Expr:
    left, right = node.left, node.right
    if isinstance(left, ir.Literal) and isinstance(right, ir.Literal) and left.sort == right.sort == ir.INT:
        return ir.Literal(_ARITHMETIC[node.operator](left.value, right.value), ir.INT)
    if right == _NONE and node.operator in ("<<", ">>"):
        return left
    if node.operator in ("|", "^") and _EMPTY in (left, right):
        return left if right == _EMPTY else right
    if node.sort == ir.INT:
        if isinstance(right, ir.Literal) and (node.operator, right.value) in (
                ("+", 0), ("-", 0), ("*", 1), ("//", 1)):
            return left
        if isinstance(left, ir.Literal) and (node.operator, left.value) in (("+", 0), ("*", 1)):
            return right
    return node


def shortened(node: ir.Logical) -> ir.Expr:
    """Simplify `and` or `or` by its literal operands; unknown operands before one that decides the result are kept."""
    decides, other = (ir.FALSE, ir.TRUE) if node.operator == "and" else (ir.TRUE, ir.FALSE)
    left: list[ir.Expr] = []
    for operand in node.operands:
        asked = (ir.TRUE if operand.value else ir.FALSE) if isinstance(operand, ir.Literal) else operand
        if asked == other:
            continue
        left.append(asked)
        if asked == decides:
            break
    if not left:
        return other
    return left[0] if len(left) == 1 else ir.Logical(node.operator, tuple(left))
