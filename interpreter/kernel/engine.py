"""An engine that plays by a game's kernel: for those who play whole games of a game whose rules take long to interpret.

`quickened(game, kernel)` is the same game with such an engine; positions, notation and all else are as they were.
"""

from __future__ import annotations

import attrs

from interpreter.compiler.lowering.errors import NotLowered
from interpreter.errors import RuleError
from interpreter.game import Game
from interpreter.kernel.kernel import Kernel
from interpreter.model.state import Move, State
from interpreter.semantics.engine import Engine


class KernelEngine(Engine):
    """Finds and makes moves by a kernel; what a kernel does not do is done by the rules."""

    _kernel: Kernel

    @classmethod
    def of(cls, engine: Engine, kernel: Kernel) -> KernelEngine:
        """The engine with a kernel of its game."""
        made = cls.__new__(cls)
        vars(made).update(vars(engine))
        made._kernel = kernel
        return made

    def legal(self, state: State) -> list[Move]:
        """The legal moves; empty exactly when the game is over. Raises RuleError where nobody said what happens."""
        if state.outcome is not None:
            return super().legal(state)
        try:
            return self._kernel.legal(state) or self._without_moves(state)
        except (NotLowered, RuleError):  # the rules say best what fails
            return super().legal(state)

    def successors(self, state: State) -> list[tuple[Move, State]]:
        """The legal moves with the states they lead to. Raises RuleError where nobody said what happens."""
        return [(move, after) for move in self.legal(state) if (after := self.apply(state, move)) is not None]

    def apply(self, state: State, move: Move, *, ends: bool = True) -> State | None:
        """The state after a move that the rules offer; None when `illegal when` takes it back."""
        if not ends or self.forced.chance is not None or state.outcome is not None:
            return super().apply(state, move, ends=ends)
        try:
            return self._kernel.after(state, move)
        except (NotLowered, RuleError):  # the rules say best what fails
            return super().apply(state, move, ends=ends)


def quickened(game: Game, kernel: Kernel) -> Game:
    """A game that plays by its kernel."""
    return attrs.evolve(game, engine=KernelEngine.of(game.engine, kernel))
