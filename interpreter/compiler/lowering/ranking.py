"""Lowers `only moves with`: the function that gives the number of a position by which moves are compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl import hir
from interpreter.compiler import ir
from interpreter.compiler.lowering.names import MOVER_NAME, POSITION

if TYPE_CHECKING:
    from interpreter.compiler.lowering.expressions import ExprLowering


def functions(terms: ExprLowering, rules: hir.Rules) -> list[ir.Function]:
    """The function that ranks positions; none in games without the rule."""
    if rules.ranking is None:
        return []
    terms.writer.give(terms.known(rules.ranking.term))
    return [ir.Function("rank", (POSITION, MOVER_NAME), ir.INT,
                        "The number that decides which legal moves remain: the greatest does.", terms.writer.body)]
