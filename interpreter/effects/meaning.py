"""What an effect means: its parts side by side, for the interpreter, the analyses and the compiler.

Each class of effect (`dsl.hir.Effect`) has an `EffectMeaning` in one module of this package. One without a part that
must be there cannot be made.
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
"""Changes a position, as a rule with bound values says."""
Effect = TypeVar("Effect", bound=hir.Effect)


class EffectMeaning(ABC, Generic[Effect]):
    """The parts of one effect."""

    changes_position = True
    """Whether it changes anything but the names of values."""

    @abstractmethod
    def action(self, effects: Effects, effect: Effect) -> Action:
        """The function that carries it out: the definition of the effect."""

    @abstractmethod
    def write(self, effects: EffectsLowering, effect: Effect) -> None:
        """Write the IR that does the same. A failure is noted, and what follows does something harmless."""

    @abstractmethod
    def image(self, renaming: Renaming, effect: Effect) -> Key:
        """Its normal form, seen through a symmetry. Raises Unclear."""

    def change(self, watch: Watch, effect: Effect) -> Change:
        """How much it changes the numbers of pieces and the sums of variables; anything, where it does not say."""
        variables = [-1 - number for number in range(len(watch.rules.variables))]
        watch.contents.known.clear()
        return Change(dict.fromkeys([*range(len(watch.rules.pieces)), *variables], ANY_NUMBER))

    def touched(self, watch: Watch, effect: Effect) -> int:
        """The pieces, as a bit mask, that cells may hold that it changes; all, where it does not say."""
        return watch.contents.every_piece

    def move(self, look: Look, effect: Effect, certain: bool) -> None:
        """Note which ways it moves pieces, where it certainly happens or not. Raises Unclear where it does not say."""
        raise Unclear


class Further(EffectMeaning[Effect]):
    """What only says how a move goes on: the engine does it, and the compiler's lister of moves."""

    def action(self, effects: Effects, effect: Effect) -> Action:
        """Nothing at this place; see `interpreter.semantics.engine`."""
        return lambda table, bound: None

    def write(self, effects: EffectsLowering, effect: Effect) -> None:
        """Nothing at this place; see `interpreter.compiler.lowering.moves`."""
