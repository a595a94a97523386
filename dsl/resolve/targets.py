"""Resolves assignments and changes of several targets: all values are computed before any target is set.

`a, b := piece(a)` gives both what was on `a`. The first target can be set directly; the values of the others are kept
(`hir.Keep`) where they read the position, and one condition applies to all.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from dsl import hir
from dsl.checks.reads import reads_position
from dsl.resolve.scope import Scope
from dsl.syntax import rules


def together(item: rules.Assign | rules.Change, found: Sequence[hir.Effect], scope: Scope) -> list[hir.Effect]:
    """Combine the effects of the targets, each resolved by itself, into a sequence that acts as if all were set at
    once."""
    kept: list[hir.Effect] = []
    result: list[hir.Effect] = []
    guard: hir.Expr | None = None
    for number, effect in enumerate(found):
        assert isinstance(effect, (hir.SetPiece, hir.SetVariable))
        guard = guard or effect.guard
        value = effect.piece if isinstance(effect, hir.SetPiece) else effect.value
        amount = value.right if isinstance(item, rules.Change) and isinstance(value, hir.Arithmetic) else value
        if number and reads_position(amount):
            local = hir.Local(scope.fresh(), "", sort=value.sort, span=value.span)
            kept.append(hir.Keep(local.slot, "", value, span=value.span))
            value = local
        if isinstance(effect, hir.SetPiece):
            result.append(attrs.evolve(effect, piece=value, guard=None))
        else:
            result.append(attrs.evolve(effect, value=value, guard=None))
    if guard is None:
        return [*kept, *result]
    return [hir.If(guard, (*kept, *result), (), span=item.span)]
