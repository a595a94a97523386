"""The base classes of effects, which join what the interpreter, the analyses and the compiler need of each.

Each class of effect (`dsl.hir.Effect`) has an `EffectMeaning` in one module of this package. One that lacks a required
method cannot be instantiated.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, TypeVar

from dsl import hir
from dsl.checks.bounds import ANY_NUMBER
from interpreter.analysis.bounds import Unclear
from interpreter.analysis.change import Change
from interpreter.model.state import WorkingState
from interpreter.semantics.functions import Bound

if TYPE_CHECKING:
    from interpreter.analysis.movement import Look
    from interpreter.analysis.symmetry_proof import Key, Renaming
    from interpreter.analysis.termination import Watch
    from interpreter.compiler.lowering.effects import Effects as EffectsLowering
    from interpreter.semantics.effects import Effects

Action = Callable[[WorkingState, Bound], None]
"""A function that changes a working state, given the bound values of a rule."""
Effect = TypeVar("Effect", bound=hir.Effect)


class EffectMeaning(ABC, Generic[Effect]):
    """The meaning of one class of effect."""

    changes_position = True
    """Whether the effect changes the position, not only binds a name to a value."""

    @abstractmethod
    def action(self, effects: Effects, effect: Effect) -> Action:
        """Compile the effect into the function that carries it out, which is its definition."""

    @abstractmethod
    def write(self, effects: EffectsLowering, effect: Effect) -> None:
        """Write the equivalent IR. At a failure the IR records it, and continues with something harmless."""

    @abstractmethod
    def image(self, renaming: Renaming, effect: Effect) -> Key:
        """The effect's normal form, seen through a symmetry. Raises Unclear."""

    def change(self, watch: Watch, effect: Effect) -> Change:
        """Bounds on its changes of the numbers of pieces and the sums of variables; unbounded by default."""
        variables = [-1 - number for number in range(len(watch.rules.variables))]
        watch.contents.known.clear()
        return Change(dict.fromkeys([*range(len(watch.rules.pieces)), *variables], ANY_NUMBER))

    def touched(self, watch: Watch, effect: Effect) -> int:
        """A bitmask of the pieces that the cells which it changes may hold; all pieces by default."""
        return watch.contents.every_piece

    def move(self, look: Look, effect: Effect, certain: bool) -> None:
        """Record how it moves pieces; `certain` is whether it certainly happens. Raises Unclear by default."""
        raise Unclear


class Further(EffectMeaning[Effect]):
    """An effect that only continues a move, which the engine's stages and the compiler's lowering of moves handle."""

    def action(self, effects: Effects, effect: Effect) -> Action:
        """Do nothing here; see `interpreter.semantics.stages`."""
        return lambda table, bound: None

    def write(self, effects: EffectsLowering, effect: Effect) -> None:
        """Write nothing here; see `interpreter.compiler.lowering.moves`."""
