"""What rules are played by: the stages of a move, and conditions, ready to be asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import attrs

from dsl import hir
from interpreter.effects import Action
from interpreter.model.state import WorkingState
from interpreter.semantics.functions import Bound, Function
from interpreter.semantics.limits import TooMuchWork


@attrs.frozen(eq=False)
class Stage:
    """Choices and the effects after them, up to the next further choice."""

    choices: tuple[hir.Choice, ...]
    slots: tuple[int, ...]
    chosen: object  # as Evaluator.chosen gives it
    action: Action
    further: Stage | None
    proceed: hir.Proceed | None
    onward: Function | None = None
    """Whether the move goes on to what is further, or by a rule; None where it always does."""


@attrs.frozen(eq=False)
class Given:
    """The test of a choice that a further step of a move is given instead of making it."""

    slot: int
    elements: Callable[[WorkingState, Bound], Iterable[int]]
    guard: Function | None

    def accepts(self, table: WorkingState, bound: Bound, value: int) -> bool:
        """Bind the value; whether it is among those that could be chosen."""
        bound[self.slot] = value
        return value in self.elements(table, bound) and (self.guard is None or bool(self.guard(table, bound)))


@attrs.frozen(eq=False)
class Condition:
    """A condition of the file, or a number in its place, ready to be asked."""

    function: Function
    slots: int
    what: str
    """The rule that it belongs to, for messages."""

    def holds(self, table: WorkingState) -> bool:
        """Whether it holds in a position. Raises RuleError."""
        try:
            return bool(self.function(table, [None] * self.slots))
        except TooMuchWork as problem:
            problem.within(self.what)
            raise

    def number(self, table: WorkingState) -> int:
        """The number in a position, where it is one. Raises RuleError."""
        try:
            return int(self.function(table, [None] * self.slots))
        except TooMuchWork as problem:
            problem.within(self.what)
            raise


def name_of(rule: hir.Move | hir.Forced) -> str:
    """A rule in words, for messages."""
    return f"the {'move' if isinstance(rule, hir.Move) else 'forced rule'} '{rule.name}'"
