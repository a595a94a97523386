"""Loops over the cells of sets, written as loops over words."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.compiler import ir

_ONE, _EMPTY = ir.Name("ONE", ir.WORD), ir.Name("EMPTY", ir.WORD)
_ZERO = ir.Literal(0, ir.INT)


def without_each(function: ir.Function) -> tuple[ir.Statement, ...]:
    """The statements of a function in which loops over cells are loops over words."""
    if not any(isinstance(statement, ir.ForEach) for statement in ir.statements(function.body)):
        return function.body
    used = {node.name for node in ir.expressions(function.body) if isinstance(node, ir.Name)}
    used |= {parameter.name for parameter in function.parameters}

    def fresh(wish: str) -> str:
        name, number = wish, 2
        while name in used:
            name, number = f"{wish}_{number}", number + 1
        used.add(name)
        return name

    return _block(function.body, fresh)


def _block(block: tuple[ir.Statement, ...], fresh: Callable[[str], str]) -> tuple[ir.Statement, ...]:
    found: list[ir.Statement] = []
    for statement in block:
        match statement:
            case ir.ForEach():
                found += _each(statement, fresh)
            case ir.If(test=test, yes=yes, no=no):
                found.append(ir.If(test, _block(yes, fresh), _block(no, fresh)))
            case ir.While(test=test, body=body):
                found.append(ir.While(test, _block(body, fresh)))
            case ir.For(name=name, start=start, stop=stop, body=body, step=step):
                found.append(ir.For(name, start, stop, _block(body, fresh), step))
            case _:
                found.append(statement)
    return tuple(found)


def _each(loop: ir.ForEach, fresh: Callable[[str], str]) -> list[ir.Statement]:
    rest = ir.Name(fresh("rest"), ir.WORD)
    none_left = ir.Comparison(("==",), (rest, _EMPTY))
    lowest = ir.Call("lowest", (rest,), ir.INT)
    drop = ir.Update(rest, "&", ir.Binary("-", rest, _ONE, ir.WORD))
    body = _block(loop.body, fresh)
    if loop.cells.sort == ir.WORD:
        return [ir.Assign(rest, loop.cells), ir.While(ir.Comparison(("!=",), (rest, _EMPTY)), (
            ir.Assign(loop.name, lowest), drop, *body))]
    sort = loop.cells.sort
    words = sort.words if isinstance(sort, ir.Vector) else len(sort.items) if isinstance(sort, ir.Product) else 0
    part, cells = ir.Name(fresh("part"), ir.INT), loop.cells
    found: list[ir.Statement] = []
    if not isinstance(cells, ir.Name):
        cells = ir.Name(fresh("cells"), sort)
        found.append(ir.Assign(cells, loop.cells))
    more = ir.Comparison(("<",), (part, ir.Literal(words - 1, ir.INT)))
    ahead = ir.While(ir.Logical("and", (none_left, more)), (
        ir.Update(part, "+", ir.Literal(1, ir.INT)), ir.Assign(rest, ir.Element(cells, (part,), ir.WORD))))
    cell = ir.Binary("+", ir.Binary("<<", part, ir.Literal(6, ir.INT), ir.INT), lowest, ir.INT)
    return [*found, ir.Assign(part, _ZERO), ir.Assign(rest, ir.Element(cells, (_ZERO,), ir.WORD)), ir.While(ir.TRUE, (
        ahead, ir.If(none_left, (ir.Break(),)), ir.Assign(loop.name, cell), drop, *body))]
