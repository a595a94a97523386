"""A game as the solvers see it: its states and moves, without history, with the symmetries that they may use.

Repetition rules look at history, so they do not exist here: whoever solves a game in which positions come back has to
know what its solver makes of cycles. `dslgame solve` and the Python API build these; solvers know only `solver.space`.
"""

from __future__ import annotations

from functools import cached_property

from interpreter.errors import RuleError
from interpreter.game import Game
from interpreter.progress import is_acyclic
from interpreter.state import Move, State
from interpreter.symmetries import StateMap, canonical


class GameSpace:
    """The positions of a game from a root on.

    `symmetry` merges positions by the declared symmetries that leave the root as it is; `ignore_ends` plays on after
    wins and draws.
    """

    def __init__(self, game: Game, root: State | None = None, *, symmetry: bool = True,
                 ignore_ends: bool = False) -> None:
        self.game = game
        self.engine = game.endless if ignore_ends else game.engine
        root = self.engine.start() if root is None else root
        self.root = root._replace(outcome=None) if ignore_ends else root
        self.players = len(game.players)
        fixing = game.fixing(self.root) if symmetry else game.symmetries[:1]
        self.maps: tuple[StateMap, ...] = tuple(element for element in fixing if not element.swapping)
        """The group by which positions are merged; the identity first."""

    @cached_property
    def acyclic(self) -> bool:
        """Whether it is shown that no position can come back."""
        return is_acyclic(self.game.rules)

    def start(self) -> State:
        """The root."""
        return self.root

    def successors(self, state: State) -> list[tuple[Move, State]]:
        """The legal moves with the states they lead to. Raises RuleError, with the position, where a rule fails."""
        try:
            return self.engine.successors(state)
        except RuleError as problem:
            problem.source = problem.source or self.game.rules.source
            problem.position = problem.position or self.game.drawing(state)
            raise

    def outcome(self, state: State) -> int | None:
        """None while the game goes on, else the winner's number, or DRAW."""
        return state.outcome

    def to_move(self, state: State) -> int:
        """The number of the player to move."""
        return state.to_move

    def canonical(self, state: State) -> State:
        """The representative of all positions that are the same by symmetry."""
        return canonical(state, self.maps)

    def orbit_size(self, state: State) -> int:
        """How many positions are the same by symmetry."""
        return 1 if len(self.maps) == 1 else len({element.of_state(state) for element in self.maps})

    def value(self, state: State) -> int:
        """The game's heuristic `value` for the player to move; 0 where the file gives none."""
        return self.game.heuristic(state)
