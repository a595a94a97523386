"""Refuses rules that cannot be compiled, whatever else they have: such games are left to the interpreter."""

from __future__ import annotations

from dsl import hir
from dsl.resolve.sorts import Integer
from interpreter.compiler.lowering.errors import NotLowered

MOST_BITS = 62
"""The most bits of numbers in kernels."""


def refuse(rules: hir.Rules) -> None:
    """Raise NotLowered where the numbers of some rules are too large, or it is open who wins where there is no move."""
    if _too_large(rules):
        raise NotLowered(f"numbers of more than {MOST_BITS} bits")
    if rules.teams and rules.no_moves in ("loses", "wins"):
        raise NotLowered(f"'no moves {rules.no_moves}' with teams")


def _too_large(rules: hir.Rules) -> bool:
    """Whether some number of a game's rules can have more bits than kernels calculate with."""
    sorts = [kind.sort for kind in rules.variables]
    sorts += [node.sort for node in rules.nodes if isinstance(node, hir.Expr)]
    return any(isinstance(sort, Integer) and max(-sort.low, sort.high) >> MOST_BITS > 0 for sort in sorts)
