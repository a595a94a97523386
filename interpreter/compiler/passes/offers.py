"""What passes offer for terms: another lowering than the naive one, where a pass knows a better for a term.

A pass is a module of its own with a switch (`interpreter.compiler.lowering.module_builder.Passes`) and its measured
gain. Offers are asked for in their order; the first that is one is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from dsl import hir
from interpreter.compiler import ir
from interpreter.compiler.passes import masks, one_group, vectorize

if TYPE_CHECKING:
    from interpreter.compiler.lowering.expressions import ExprLowering

Offer = Callable[[hir.Expr, "ExprLowering"], "ir.Expr | None"]
"""Another lowering of a term; None for terms that it is not for, and where the pass is off."""
CONDITIONS: Final[Sequence[Offer]] = (one_group.condition, vectorize.condition)
CELLS: Final[Sequence[Offer]] = (vectorize.cells, masks.cells)


def offered(offers: Sequence[Offer], term: hir.Expr, terms: ExprLowering) -> ir.Expr | None:
    """The first of some offers for a term; None where there is none."""
    for offer in offers:
        found = offer(term, terms)
        if found is not None:
            return found
    return None
