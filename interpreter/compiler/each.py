"""Loops over the cells of sets, written as loops over words.

Sets of two or three words have a loop for each word: one loop that goes from word to word has LLVM choose a word in
every round. Random games whose ends are floods are played 1.2 times as fast so, on two words and on three.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from interpreter.compiler import ir

_ONE, _EMPTY = ir.Name("ONE", ir.WORD), ir.Name("EMPTY", ir.WORD)
_ZERO = ir.Literal(0, ir.INT)
_MOST_LOOPS: Final = 3
"""Sets of up to so many words have a loop for each, where what the loop does is short."""
_MOST_REPEATED: Final = 40
"""So many expressions are short."""


def without_loops_over_cells(module: ir.Module) -> ir.Module:
    """A module in which loops over cells are loops over words."""
    return ir.with_bodies(module, without_each)


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
        if isinstance(statement, ir.ForEach):
            found += _each(statement, fresh)
        else:
            found.append(ir.with_blocks(statement, lambda inner: _block(inner, fresh)))
    return tuple(found)


def _each(loop: ir.ForEach, fresh: Callable[[str], str]) -> list[ir.Statement]:
    several = loop.cells.sort != ir.WORD
    rest, part = ir.Name(fresh("rest"), ir.WORD), ir.Name(fresh("part") if several else "", ir.INT)
    none_left = ir.Comparison(("==",), (rest, _EMPTY))
    lowest = ir.Call("lowest", (rest,), ir.INT)
    drop = ir.Update(rest, "&", ir.Binary("-", rest, _ONE, ir.WORD))
    body = _block(loop.body, fresh)
    if not several:
        return [ir.Assign(rest, loop.cells), ir.While(ir.Comparison(("!=",), (rest, _EMPTY)), (
            ir.Assign(loop.name, lowest), drop, *body))]
    sort = loop.cells.sort
    words = sort.words if isinstance(sort, ir.Vector) else len(sort.items) if isinstance(sort, ir.Product) else 0
    cells = loop.cells
    found: list[ir.Statement] = []
    if not isinstance(cells, ir.Name):
        cells = ir.Name(fresh("cells"), sort)
        found.append(ir.Assign(cells, loop.cells))
    if isinstance(sort, ir.Product) and words <= _MOST_LOOPS and _is_short(body):
        for number in range(words):
            low = ir.Literal(64 * number, ir.INT)
            cell: ir.Expr = ir.Binary("+", low, lowest, ir.INT) if number else lowest
            found += [ir.Assign(rest, ir.Element(cells, (ir.Literal(number, ir.INT),), ir.WORD)),
                      ir.While(ir.Comparison(("!=",), (rest, _EMPTY)), (ir.Assign(loop.name, cell), drop, *body))]
        return found
    more = ir.Comparison(("<",), (part, ir.Literal(words - 1, ir.INT)))
    ahead = ir.While(ir.Logical("and", (none_left, more)), (
        ir.Update(part, "+", ir.Literal(1, ir.INT)), ir.Assign(rest, ir.Element(cells, (part,), ir.WORD))))
    cell = ir.Binary("+", ir.Binary("<<", part, ir.Literal(6, ir.INT), ir.INT), lowest, ir.INT)
    return [*found, ir.Assign(part, _ZERO), ir.Assign(rest, ir.Element(cells, (_ZERO,), ir.WORD)), ir.While(ir.TRUE, (
        ahead, ir.If(none_left, (ir.Break(),)), ir.Assign(loop.name, cell), drop, *body))]


def _is_short(body: tuple[ir.Statement, ...]) -> bool:
    """Whether what a loop does may stand once for each word: it is short, and leaves no loop."""
    return (sum(1 for _ in ir.expressions(body)) <= _MOST_REPEATED
            and not any(isinstance(statement, ir.Break) for statement in ir.statements(body)))
