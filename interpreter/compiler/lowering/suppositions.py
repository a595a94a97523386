"""Writes what choices imply about cells, as IR statements for `interpreter.compiler.passes.known_contents`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from dsl import hir
from dsl.resolve.sorts import CELL, CELLS
from interpreter.compiler import ir
from interpreter.compiler.build import call, expr, known, plus

if TYPE_CHECKING:
    from interpreter.compiler.lowering.expressions import ExprLowering


def suppose(terms: ExprLowering, names: Sequence[ir.Expr], choice: hir.Choice) -> None:
    """Write what is known of chosen cells: what stands there, and which are different."""
    if choice.domain.sort != CELLS:
        return
    piece = _all_hold(terms, choice.domain)
    filled = _never_empty(choice.domain)
    for name in names:
        if piece is not None:
            _say(terms, "suppose_on", terms.row, name, piece)
        if filled:
            terms.filled.add(name)
            _say(terms, "suppose_filled", terms.row, name)
    for index, name in enumerate(names):
        for other in (*names[:index], *_left_out(terms, choice.domain)):
            if other != name:
                _say(terms, "suppose_apart", name, other)
    for guard in choice.guard.operands if isinstance(choice.guard, hir.All) else (choice.guard,):
        if isinstance(guard, hir.Contains) and guard.element.sort == CELL and guard.collection.sort == CELLS:
            _supposed_by(terms, guard)


def _supposed_by(terms: ExprLowering, guard: hir.Contains) -> None:
    """Write what stands on a cell that a condition requires to be in a set, such as `c.south`.

    Only where the board and bound names decide the cell.
    """
    there = _all_hold(terms, guard.collection)
    if there is None:
        return
    with terms.writer.apart() as apart:
        cell = terms.value(guard.element)
    if all(isinstance(statement, ir.Let) and statement.term >= 0 for statement in apart.statements):
        apart.put()
        _say(terms, "suppose_on", terms.row, cell, there)


def _say(terms: ExprLowering, what: str, *arguments: ir.Expr) -> None:
    terms.writer.evaluate(call(what, *arguments, gives=ir.NOTHING))


def _left_out(terms: ExprLowering, domain: hir.Expr) -> list[ir.Expr]:
    """The bound cells that a set leaves out."""
    result: list[ir.Expr] = []
    while isinstance(domain, hir.SetArithmetic) and domain.operator == "-":
        if isinstance(domain.right, hir.CellSet):
            result += [terms.bound_value(item.slot) for item in domain.right.items
                       if isinstance(item, hir.Local) and item.slot in terms.bound]
        domain = domain.left
    return result


def _all_hold(terms: ExprLowering, term: hir.Expr) -> ir.Expr | None:
    """The piece that stands on every cell of a set; None where that is not known."""
    match term:
        case hir.CellsOf(pieces=(piece,)):
            return expr(piece)
        case hir.Owned(mine=True) if known(terms.mover) is None:
            own = terms.rules.own
            steps = {after[0] - before[0] for before, after in pairwise(own) if before and after}
            if all(len(pieces) == 1 for pieces in own) and steps == {1}:
                return plus(own[0][0], terms.mover)
        case hir.SetArithmetic(operator="-", left=left):
            return _all_hold(terms, left)
        case hir.SetArithmetic(operator="and", left=left, right=right):
            return _all_hold(terms, left) or _all_hold(terms, right)
        case hir.Comprehension(binding=binding):
            return _all_hold(terms, binding.domain)
    return None


def _never_empty(term: hir.Expr) -> bool:
    """Whether something stands on every cell of a set."""
    match term:
        case hir.CellsOf(pieces=pieces):
            return 0 not in pieces
        case hir.Owned():
            return True
        case hir.SetArithmetic(operator="-", left=left):
            return _never_empty(left)
        case hir.SetArithmetic(operator="and", left=left, right=right):
            return _never_empty(left) or _never_empty(right)
        case hir.Comprehension(binding=binding):
            return _never_empty(binding.domain)
    return False
