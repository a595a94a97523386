"""Lowers loops over the cells of sets to loops over the bits of words.

Sets of two or three words get a loop for each word: in a single loop over all words LLVM selects a word in every
iteration. This makes random games whose ends are floods 1.2 times as fast, on two words and on three.
"""

from __future__ import annotations

from typing import Final

from interpreter.compiler import ir
from interpreter.compiler.analysis.names import FreshNames
from interpreter.compiler.build import (
    NO_BITS,
    ONE,
    all_of,
    binary,
    compared,
    element,
    expr,
    lowest,
    minus,
    plus,
)

_MOST_LOOPS: Final = 3
"""The greatest number of words of sets that get a loop for each word, where the body is short."""
_MOST_REPEATED: Final = 40
"""The greatest number of expressions in a short body."""


def without_loops_over_cells(module: ir.Module) -> ir.Module:
    """Lower the loops over cells in a module."""
    return ir.with_bodies(module, without_each)


def without_each(function: ir.Function) -> tuple[ir.Statement, ...]:
    """Lower the loops over cells in a function; its new statements."""
    if not any(isinstance(statement, ir.ForEach) for statement in ir.statements(function.body)):
        return function.body
    used = {node.name for node in ir.expressions(function.body) if isinstance(node, ir.Name)}
    return _block(function.body, FreshNames(used | {parameter.name for parameter in function.parameters}))


def _block(block: tuple[ir.Statement, ...], fresh: FreshNames) -> tuple[ir.Statement, ...]:
    result: list[ir.Statement] = []
    for statement in block:
        if isinstance(statement, ir.ForEach):
            result += _each(statement, fresh)
        else:
            result.append(ir.with_blocks(statement, lambda inner: _block(inner, fresh)))
    return tuple(result)


def _each(loop: ir.ForEach, fresh: FreshNames) -> list[ir.Statement]:
    rest, part = fresh.new("rest", ir.WORD), fresh.new("part", ir.INT)
    drop, body = ir.Update(rest, "&", minus(rest, ONE)), _block(loop.body, fresh)

    def of_word(word: ir.Expr, first: int) -> list[ir.Statement]:
        """A loop over the cells of a word."""
        cell = plus(first, lowest(rest)) if first else lowest(rest)
        return [ir.Assign(rest, word),
                ir.While(compared(rest, "!=", NO_BITS), (ir.Assign(loop.name, cell), drop, *body))]

    cells, sort = loop.cells, loop.cells.sort
    if sort == ir.WORD:
        return of_word(cells, 0)
    words = sort.words if isinstance(sort, ir.Vector) else len(sort.items) if isinstance(sort, ir.Product) else 0
    result: list[ir.Statement] = []
    if not isinstance(cells, ir.Name):
        cells = fresh.new("cells", sort)
        result.append(ir.Assign(cells, loop.cells))
    if isinstance(sort, ir.Product) and words <= _MOST_LOOPS and _is_short(body):
        return result + [part for number in range(words) for part in of_word(element(cells, number), 64 * number)]
    none_left = compared(rest, "==", NO_BITS)
    ahead = ir.While(all_of([none_left, compared(part, "<", words - 1)]), (
        ir.Update(part, "+", expr(1)), ir.Assign(rest, element(cells, part))))
    return [*result, ir.Assign(part, expr(0)), ir.Assign(rest, element(cells, 0)), ir.While(ir.TRUE, (
        ahead, ir.If(none_left, (ir.Break(),)), ir.Assign(loop.name, plus(binary("<<", part, 6), lowest(rest))), drop,
        *body))]


def _is_short(body: tuple[ir.Statement, ...]) -> bool:
    """Whether the body of a loop may be repeated for each word: it is short and has no `break`."""
    return (sum(1 for _ in ir.expressions(body)) <= _MOST_REPEATED
            and not any(isinstance(statement, ir.Break) for statement in ir.statements(body)))
