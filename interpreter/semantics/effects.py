"""Compiles effects into functions that change a working state.

`Effects(evaluator).block(effects)` gives one function for a block; each effect is defined in `interpreter.effects`.
Further choices (`then`) are left out: `interpreter.semantics.stages` handles them.
"""

from __future__ import annotations

from collections.abc import Sequence

from dsl import hir
from interpreter.effects import EFFECTS, Action
from interpreter.model.piles import Piles
from interpreter.model.state import WorkingState
from interpreter.semantics.evaluate import Evaluator
from interpreter.semantics.functions import Bound


class Effects:
    """Compiles effects for one game on one board."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator

    @property
    def piles(self) -> Piles:
        """How states store piles; only for games with piles."""
        assert self.evaluator.piles is not None
        return self.evaluator.piles

    def block(self, effects: Sequence[hir.Effect]) -> Action:
        """Compile a sequence of effects into one function, without further choices."""
        further = (hir.Then, hir.Proceed)
        actions = [EFFECTS[type(effect)].action(self, effect) for effect in effects if not isinstance(effect, further)]
        if len(actions) == 1:
            return actions[0]

        def run(table: WorkingState, bound: Bound) -> None:
            for action in actions:
                action(table, bound)

        return run

    def guarded(self, guard: hir.Expr | None, action: Action) -> Action:
        """The action made conditional on a guard; the action itself without one."""
        if guard is None:
            return action
        test = self.evaluator.compile(guard)

        def run(table: WorkingState, bound: Bound) -> None:
            if test(table, bound):
                action(table, bound)

        return run
