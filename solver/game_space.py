"""A game as the solvers see it: its states and moves, without history, with the symmetries that they may use.

Repetition rules look at history, so they do not exist here: `solve_game` knows for which games a value without history
is the game's value. The command and the Python API call it; solvers know only `solver.space`.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import attrs

from dsl.diagnostics import GameFileError
from interpreter.errors import RuleError
from interpreter.game import Game
from interpreter.progress import is_acyclic
from interpreter.state import Move, State
from interpreter.symmetries import StateMap, canonical
from interpreter.trial import check_symmetries
from solver.budget import Budget, Progress
from solver.solve import FEW, Method, Solution, solve

if TYPE_CHECKING:
    from solver.table import TableSolver

Engine = Literal["auto", "interpreter", "kernel"]


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


def solve_game(game: Game, root: State | None = None, *, symmetry: bool = True, method: Method = "auto",
               nodes: int | None = None, memory: int | None = None,
               progress: Progress | None = None, engine: Engine = "auto",
               save: Path | None = None) -> Solution[State, Move]:
    """The value of a game from a root on (its start by default), as if no position had occurred before the root.

    Few positions are enumerated by the interpreter, many by the game's kernel; `engine` leaves no choice. With `save`
    the kernel solves the game strongly and the solution is written to that file, to be opened by
    `solver.saved.SavedSolution.open`; work that was interrupted is gone on with.

    Positions that come back count as drawn where nobody can force a win; where the rules make a repetition a loss or
    forbid it, a value would need the history, and the answer is unknown. Raises GameFileError when play shows that the
    rules lack a declared symmetry that would be used, and RuleError where a rule fails.
    """
    space = GameSpace(game, root, symmetry=symmetry)
    if len(space.maps) > 1:
        broken = check_symmetries(game)
        if broken:
            raise GameFileError(game.rules.source, broken)
    rule = game.rules.repetition
    history_matters = rule in ("loses", "forbidden") and not space.acyclic
    if history_matters and method == "alphabeta":
        method = "strong"  # only that one finds out whether positions come back

    def tabulate(budget: Budget) -> TableSolver | None:
        return table_solver(space, budget, save)

    if save is not None:
        method, engine = "strong", "kernel"
    solution = solve(space, method=method, nodes=nodes, memory=memory, progress=progress,
                     tabulate=None if engine == "interpreter" else tabulate, few=0 if engine == "kernel" else FEW)
    if history_matters and solution.cyclic is not False and space.outcome(space.root) is None:
        reason = solution.reason if solution.cyclic is None else (
            f"positions come back, and 'repetition {rule}' makes their values depend on the moves before")
        return _unknown(solution, reason)
    if solution.cyclic and not rule and solution.complete:
        reason = f"{solution.reason}; positions come back, and play without end counts as a draw"
        return attrs.evolve(solution, reason=reason)
    return solution


def table_solver(space: GameSpace, budget: Budget, save: Path | None = None) -> TableSolver | None:
    """What solves a space with the game's kernel; None where the rules cannot be compiled.

    Raises NotLowered then if the solution is to be saved.
    """
    from interpreter.kernel.kernel import Kernel, NotLowered
    from solver.table import TableSolver

    try:
        return TableSolver(space, Kernel.of(space.game), budget, save)
    except NotLowered:
        if save is not None:
            raise
        return None


def _unknown(solution: Solution[State, Move], reason: str) -> Solution[State, Move]:
    """The solution without its values."""
    moves = tuple(attrs.evolve(move, winner=None, remoteness=None) for move in solution.moves)
    return attrs.evolve(solution, winner=None, remoteness=None, best=None, moves=moves, reason=reason, complete=False,
                        strong=None)
