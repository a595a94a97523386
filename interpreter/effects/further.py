"""Effects that continue a move: with further choices, or by another rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl import hir
from interpreter.analysis.change import Change
from interpreter.effects.meaning import Further

if TYPE_CHECKING:
    from interpreter.analysis.movement import Look
    from interpreter.analysis.symmetry_proof import Key, Renaming
    from interpreter.analysis.termination import Watch


class _Then(Further[hir.Then]):
    """`then d in S: ...`: a further choice of the same move."""

    def image(self, renaming: Renaming, effect: hir.Then) -> Key:
        return ("then", renaming.optional(effect.condition), renaming.choices(effect.choices),
                renaming.effects(effect.body))

    def change(self, watch: Watch, effect: hir.Then) -> Change:
        watch.contents.known.clear()
        change = watch.chosen(effect.choices).block(effect.body)
        return change if effect.condition is None else change.perhaps()

    def move(self, look: Look, effect: hir.Then, certain: bool) -> None:
        known = look.known
        for _ in look.chosen(effect.choices):
            holds, bound = list(known.may_hold), dict(known.bound)
            look.block(effect.body, certain=False)
            known.may_hold, known.bound = holds, bound


class _Proceed(Further[hir.Proceed]):
    """`then jump(d)`, `then may ...`: the move continues by a rule."""

    def image(self, renaming: Renaming, effect: hir.Proceed) -> Key:
        return ("then", effect.rule, tuple(local.slot for local in effect.given), effect.may_stop,
                renaming.optional(effect.condition))

    def change(self, watch: Watch, effect: hir.Proceed) -> Change:
        return watch.by_rule(effect.rule) if watch.onward else Change()

    def move(self, look: Look, effect: hir.Proceed, certain: bool) -> None:
        look.proceed(effect.rule)


EFFECTS = {hir.Then: _Then(), hir.Proceed: _Proceed()}
