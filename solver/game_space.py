"""A game as the solvers see it: its states and moves, without history, with the symmetries that they may use.

Repetition rules look at history, so they do not exist here: `solve_game` knows for which games a value without history
is the game's value. The command and the Python API call it; solvers know only `solver.space`.
"""

from __future__ import annotations

from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import attrs

from dsl.diagnostics import GameFileError
from interpreter.errors import RuleError
from interpreter.game import Game
from interpreter.state import Move, State
from interpreter.symmetries import StateMap, canonical
from interpreter.trial import check_symmetries
from solver.budget import Budget, Progress
from solver.errors import Refused
from solver.solve import FEW, Method, Solution, solve, solve_by_search

if TYPE_CHECKING:
    from interpreter.patterns import Book
    from solver.tables.table import TableSolver

TINY = 2000
"""Positions that are searched by the interpreter before the game is compiled;"""
SMALL = 20_000
"""and where positions can come back, as that search alone proves that play never ends."""
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
        return self.game.acyclic

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
               save: Path | None = None, threads: int = 1, remoteness: bool | None = None,
               report: bool = False, value_only: bool = False,
               patterns: Book | None = None) -> Solution[State, Move]:
    """The value of a game from a root on (its start by default), as if no position had occurred before the root.

    Few positions are enumerated by the interpreter, many by the game's kernel; `engine` leaves no choice. With `save`
    the kernel solves the game strongly and the solution is written to that file, to be opened by
    `solver.tables.saved.SavedSolution.open`; work that was interrupted is gone on with. Searches use
    the kernel where a few thousand positions are not enough, or a `report` is wanted, with so many `threads`, and look
    for `remoteness` as in `solver.searches.weak`. With `value_only` they search for the root's value alone, and what
    they know of its moves then is what comes with it. Alpha-beta tries moves that `patterns` propose before others.

    Positions that come back count as drawn where nobody can force a win; where the rules make a repetition a loss or
    forbid it, values are found as in `solver.repetition`, or unknown. Raises GameFileError when play shows that the
    rules lack a declared symmetry that would be used, RuleError where a rule fails, Refused and OSError where the
    solution cannot be saved.
    """
    space = GameSpace(game, root, symmetry=symmetry)
    if len(space.maps) > 1:
        broken = check_symmetries(game)
        if broken:
            raise GameFileError(game.rules.source, broken)
    rule = game.rules.repetition
    history_matters = rule in ("loses", "forbidden") and not space.acyclic
    if save is not None and history_matters:
        raise Refused(f"{save} is not made: 'repetition {rule}' makes values depend on the moves before, so that "
                      "positions have none of their own")
    if history_matters:
        from solver.repetition import solve_with_history

        return solve_with_history(GameSpace(game, root, symmetry=False), rule, Budget(nodes, memory, progress))

    def tabulate(budget: Budget) -> TableSolver | None:
        return table_solver(space, budget, save)

    if save is not None:
        method, engine = "strong", "kernel"
    from solver.searches import carriers  # not at the top: what only counts or draws positions needs no search

    compile_first = engine != "interpreter" and not (method == "auto" and carriers.usable(game))
    search = partial(_searched, space, method=method, threads=threads, remoteness=remoteness, at_once=report,
                     engine=engine, value_only=value_only, patterns=patterns)
    solution = solve(space, method=method, nodes=nodes, memory=memory, progress=progress,
                     tabulate=tabulate if compile_first else None, few=0 if engine == "kernel" else FEW, search=search)
    if solution.cyclic and not rule and solution.complete:
        reason = f"{solution.reason}; positions come back, and play without end counts as a draw"
        return attrs.evolve(solution, reason=reason)
    return solution


def table_solver(space: GameSpace, budget: Budget, save: Path | None = None) -> TableSolver | None:
    """What solves a space with the game's kernel; None where the rules cannot be compiled.

    Raises NotLowered then if the solution is to be saved.
    """
    from interpreter.kernel.kernel import Kernel, NotLowered
    from solver.tables.table import TableSolver

    try:
        return TableSolver(space, Kernel.of(space.game), budget, save)
    except NotLowered:
        if save is not None:
            raise
        return None


def _searched(space: GameSpace, budget: Budget, reason: str, *, method: Method, threads: int, remoteness: bool | None,
              at_once: bool, engine: Engine, value_only: bool,
              patterns: Book | None) -> Solution[State, Move]:
    """The answer of a search: the interpreter's for the smallest games, else the kernel's where there is one."""
    from interpreter.kernel.errors import NotLowered
    from solver.choice import search_for
    from solver.searches.weak import search_on_kernel

    proof = method == "proof"
    if proof:
        remoteness = bool(remoteness)
    if method == "auto":
        proof, why = search_for(space.game)
        reason = f"{reason}; {why}"
    most = None if engine == "interpreter" else TINY if space.acyclic else SMALL
    if engine == "interpreter" or not (at_once or proof or patterns or engine == "kernel"):
        few = budget if most is None else attrs.evolve(budget, nodes=min(budget.nodes or most, most))
        answer = solve_by_search(space, few, reason)
        if answer.complete or most is None or (budget.nodes is not None and budget.nodes <= most):
            return answer
    try:
        return search_on_kernel(space, budget, reason, threads=threads, remoteness=remoteness, proof=proof,
                                value_only=value_only, patterns=patterns)
    except NotLowered as problem:
        return solve_by_search(space, budget, f"{reason}; by the interpreter, as the compiler cannot do {problem}")
