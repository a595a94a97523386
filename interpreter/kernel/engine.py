"""An engine that uses a game's kernel, for playing whole games whose rules are slow to interpret.

`quickened(game, kernel)` is the same game with this engine; positions, notation and everything else are unchanged.
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
    """Lists and plays moves by a kernel, and falls back on the interpreter for what the kernel does not support."""

    _kernel: Kernel

    @classmethod
    def of(cls, engine: Engine, kernel: Kernel) -> KernelEngine:
        """A copy of an engine that uses a kernel of its game."""
        made = cls.__new__(cls)
        vars(made).update(vars(engine))
        made._kernel = kernel
        return made

    def legal(self, state: State) -> list[Move]:
        """The legal moves; empty exactly where it is over. Raises RuleError where no rule covers having no move."""
        if state.outcome is not None:
            return super().legal(state)
        try:
            return self._kernel.legal(state) or self._without_moves(state)
        except (NotLowered, RuleError):  # the interpreter reports errors precisely
            return super().legal(state)

    def offered_moves(self, state: State) -> list[Move]:
        """The legal moves, which a kernel lists at once."""
        return self.legal(state)

    def successors(self, state: State) -> list[tuple[Move, State]]:
        """The legal moves with the states they lead to. Raises RuleError where no rule covers lack of moves."""
        return [(move, after) for move in self.legal(state) if (after := self.apply(state, move)) is not None]

    def apply(self, state: State, move: Move, *, ends: bool = True) -> State | None:
        """The state after a move that the rules offer; None where an `illegal when` rule rejects it."""
        if not ends or self.forced.chance is not None or state.outcome is not None:
            return super().apply(state, move, ends=ends)
        try:
            return self._kernel.after(state, move)
        except (NotLowered, RuleError):  # the interpreter reports errors precisely
            return super().apply(state, move, ends=ends)


def quickened(game: Game, kernel: Kernel) -> Game:
    """The same game with an engine that uses a kernel."""
    return attrs.evolve(game, engine=KernelEngine.of(game.engine, kernel))
