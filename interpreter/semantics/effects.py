"""Carrying out effects: each becomes a function that changes a table.

`Effects(evaluator).block(effects)` gives one function for a block; what each effect does is in `interpreter.effects`. A
further choice (`then`) is left out: the engine makes it, see `interpreter.semantics.engine`.
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
    """Makes functions of effects for one game on one board."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator

    @property
    def piles(self) -> Piles:
        """Where states hold what lies in piles; asked in games that have any."""
        assert self.evaluator.piles is not None
        return self.evaluator.piles

    def block(self, effects: Sequence[hir.Effect]) -> Action:
        """One function for effects in sequence, further choices left out."""
        further = (hir.Then, hir.Proceed)
        actions = [EFFECTS[type(effect)].action(self, effect) for effect in effects if not isinstance(effect, further)]
        if len(actions) == 1:
            return actions[0]

        def run(table: WorkingState, bound: Bound) -> None:
            for action in actions:
                action(table, bound)

        return run

    def guarded(self, guard: hir.Expr | None, action: Action) -> Action:
        """The same where a condition holds."""
        if guard is None:
            return action
        test = self.evaluator.compile(guard)

        def run(table: WorkingState, bound: Bound) -> None:
            if test(table, bound):
                action(table, bound)

        return run
