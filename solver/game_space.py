"""A game as the solvers see it: its states and moves, without history, with the symmetries that they may use.

Repetition rules look at history, so they do not exist here: `solve_game` knows for which games a value without history
is the game's value. The command and the Python API call it; solvers know only `solver.space`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import attrs

from dsl.diagnostics import GameFileError
from interpreter.analysis.tried import broken_symmetries
from interpreter.errors import RuleError
from interpreter.game import Game
from interpreter.model.state import Move, State
from interpreter.model.state_maps import StateMap, canonical
from solver.budget import Budget, Progress
from solver.errors import Refused
from solver.forecast import Said
from solver.solve import Engines, Method, Solution, answer_of, solve, solve_by_search
from solver.strong import Value

if TYPE_CHECKING:
    from interpreter.patterns.matching import Book
    from solver.pace import Slow
    from solver.packed_space import PackedSpace
    from solver.tables.table import TableSolver

TINY = 2000
"""Positions that are searched by the interpreter before the game is compiled;"""
SMALL = 20_000
"""and where positions can come back, as that search alone proves that play never ends."""
FEW_BY_CARRIERS = 200_000
"""Expected positions from which on games of connection are searched instead: by carriers that takes a small part."""
FEW_FOR_VALUE = 500_000
"""The same where only the root's value is asked for, and play cannot go round in circles."""
_SHALLOW_NODES, _SHALLOW_SECONDS = 400, 0.5
"""How far a forced end is looked for, by the interpreter, before anything is enumerated or compiled."""
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
               patterns: Book | None = None, said: Said | None = None,
               anyway: bool = True) -> Solution[State, Move]:
    """The value of a game from a root on (its start by default), as if no position had occurred before the root.

    Positions are enumerated by the interpreter, by the game's kernel as plain Python, or by the compiled kernel,
    whichever is expected to take least; `engine` leaves no choice. `said` is told, before long work, how many positions
    are expected, what enumerating them takes, and what is done instead where that is hopeless; where `method` asks for
    it, it is begun all the same unless `anyway` is false. With `save` the kernel solves the game strongly and the
    solution is written to that file, to be opened by `solver.tables.saved.SavedSolution.open`; work that was
    interrupted is gone on with. Searches use the kernel where a few thousand positions are not enough, or a `report` is
    wanted, with so many `threads`, and look for `remoteness` as in `solver.searches.weak`. With `value_only` the root's
    value alone is looked for, first by a shallow proof, and what is known of its moves then is what comes with it.
    Alpha-beta tries moves that `patterns` propose before others.

    Positions that come back count as drawn where nobody can force a win; where the rules make a repetition a loss or
    forbid it, values are found as in `solver.repetition`, or unknown. Raises GameFileError when play shows that the
    rules lack a declared symmetry that would be used, RuleError where a rule fails, Refused and OSError where the
    solution cannot be saved.
    """
    space = GameSpace(game, root, symmetry=symmetry)
    if len(space.maps) > 1:
        broken = broken_symmetries(game)
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
    if value_only and method == "auto" and engine != "kernel" and not report:
        proven = _shallow(space)
        if proven is not None:
            return proven
    search = partial(_searched, space, method=method, threads=threads, remoteness=remoteness, at_once=report,
                     engine=engine, value_only=value_only, patterns=patterns)
    engines = None if engine == "interpreter" else _engines(
        space, tabulate, engine, method, memory, said, value_only, anyway)
    solution = solve(space, method=method, nodes=nodes, memory=memory, progress=progress, engines=engines,
                     search=search)
    if solution.cyclic and not rule and solution.complete:
        reason = f"{solution.reason}; positions come back, and play without end counts as a draw"
        return attrs.evolve(solution, reason=reason)
    return solution


def _shallow(space: GameSpace) -> Solution[State, Move] | None:
    """The answer where the end of the game can be forced within a few plies; None where none was found."""
    from solver.searches.shallow import Shallow

    root = space.root
    if root.outcome is not None:
        return None
    started = time.perf_counter()
    proof = Shallow(space.game).prove(root, nodes=_SHALLOW_NODES, seconds=_SHALLOW_SECONDS, value_only=True)
    value = proof.value
    if value is None or value.remoteness is None:
        return None
    values: list[tuple[Move, Hashable, Value | None]] = []
    for move, after in space.successors(root):
        found = proof.moves.get(move)
        plies = None if found is None or found.remoteness is None else found.remoteness - 1
        values.append((move, space.canonical(after), None if found is None else Value(found.winner, plies)))
    count = max(1, proof.nodes)
    answer = answer_of(space, values, value, count, count, "shallow", "", None, None)
    return attrs.evolve(answer, seconds=time.perf_counter() - started,
                        reason="the end can be forced so soon that looking a few plies ahead proves it")


def _engines(space: GameSpace, tabulate: Callable[[Budget], TableSolver | None], engine: Engine, method: Method,
             memory: int | None, said: Said | None, value_only: bool, anyway: bool) -> Engines:
    """The game's kernel, as plain Python and compiled."""
    from interpreter.kernel.errors import NotLowered

    made: list[PackedSpace] = []
    most = FEW_FOR_VALUE if value_only and space.acyclic else None
    if method == "auto":
        from solver.searches import carriers  # not at the top: what only counts or draws positions needs no search

        most = FEW_BY_CARRIERS if carriers.usable(space.game) else most

    def packed() -> PackedSpace | None:
        from solver.packed_space import PackedSpace

        try:
            made.append(PackedSpace.of(space))
        except NotLowered:
            return None
        return made[0]

    def compiling() -> float:
        from solver.pace import seconds_of_compiling

        return seconds_of_compiling(made[0].kernel)

    def too_many(slow: Slow) -> str:
        from solver.undertaking import Undertaking

        undertaking = Undertaking.of(space.game, made[0].kernel, slow, memory)
        if said is not None and undertaking.long:
            said(undertaking.text(asked=method == "strong", value_only=value_only, anyway=anyway))
        return undertaking.why_not

    return Engines(tabulate, None if engine == "kernel" else packed, compiling, most, too_many, anyway)


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
