"""Conditions that say that a set is connected, of every cell of it: it is enough to ask one.

`every c in s: no (s - group(c, s))` floods s from each of its cells; from the first cell all others are reached, or the
condition does not hold. Measured: 3 times as fast in play with a dozen men a side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl import hir
from dsl.resolve.sorts import CELLS
from interpreter.compiler import ir

if TYPE_CHECKING:
    from interpreter.compiler.lowering.expressions import ExprLowering


def condition(term: hir.Expr, terms: ExprLowering) -> ir.Expr | None:
    """Whether all cells of a set are joined; None where a condition asks for something else."""
    if not terms.program.passes.whole_sets or not isinstance(term, hir.Quantified) or not _is_one_group(term):
        return None
    writer, sets = terms.writer, terms.sets
    cells = terms.name(terms.cells(term.binding.domain), "cells")
    result = writer.let("united", ir.TRUE)
    with writer.when(sets.some(cells)):
        reached = sets.flood(sets.single(sets.first(cells)), cells)
        writer.assign(result, sets.equal(reached, cells))
    return result


def _is_one_group(term: hir.Quantified) -> bool:
    """Whether a condition is `every c in s: no (s - group(c, s))`."""
    domain = term.binding.domain
    match term:
        case hir.Quantified(
            kind="every", binding=hir.Binding(slot=slot, guard=None),
            body=hir.Not(operand=hir.Exists(collection=hir.SetArithmetic(
                operator="-", left=left, right=hir.Apply(function="group", arguments=(start, region))))),
        ):
            if isinstance(start, hir.CellSet) and len(start.items) == 1:
                start = start.items[0]
            return (domain.sort == CELLS and left == region == domain and isinstance(start, hir.Local)
                    and start.slot == slot)
    return False
