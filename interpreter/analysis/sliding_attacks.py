"""Recognises sliding attacks: unions of rays such as `union(ray(c, d, s) for d in directions)`."""

from __future__ import annotations

import attrs

from dsl import hir
from dsl.resolve.sorts import CELLS


@attrs.frozen
class Sight:
    """A sliding attack: the rays from a cell in some directions, as far as they are within a set (None: any cell)."""

    cell: hir.Expr
    directions: tuple[int, ...]
    within: hir.Expr | None


def sight_of(term: hir.Expr) -> Sight | None:
    """The sliding attack that a term computes; None where it is not a union of rays."""
    match term:
        case hir.Aggregate(kind="union", binding=hir.Binding(slot=slot, guard=None, domain=hir.Listing(
                values=values)), body=hir.Apply(function="ray", arguments=(cell, hir.Local(slot=way), *rest))):
            fixed = not any(isinstance(part, hir.Local) and part.slot == slot
                            for other in (cell, *rest) for part in hir.walk(other))
            if way == slot and fixed and cell.sort != CELLS:
                return Sight(cell, values, rest[0] if rest else None)
    return None
