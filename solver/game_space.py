"""A game as a space to solve: its states and moves, without history, and the symmetries that merge positions.

Repetition rules depend on history and are ignored here: `solve_game` knows for which games a value without history is
the game's value. The command and the Python API call it; solvers know only `solver.space`.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Container
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

import attrs

from dsl.diagnostics import GameFileError
from interpreter.analysis.tried import broken_symmetries
from interpreter.errors import RuleError
from interpreter.game import Game
from interpreter.model.state import Move, State
from interpreter.model.state_maps import StateMap, canonical
from solver.budget import Budget, OutOfBudget, Progress
from solver.choice import solve_task
from solver.errors import Refused
from solver.forecast import Said
from solver.methods import ALL, AUTO
from solver.solve import MoveValue, Names, Solution, Solved, answer_from
from solver.space import DRAW
from solver.strong import Strong, Value
from solver.task import Task

if TYPE_CHECKING:
    from interpreter.kernel.kernel import Kernel
    from interpreter.patterns.matching import Book

Engine = Literal["auto", "interpreter", "kernel"]
_MOST_RETURNS = 20_000
"""The most positions that are looked at to find what slow first wins are worth; some seconds by the interpreter."""
_DEEP = 200
"""The plies in which a win is followed recursively."""
Merging = bool | Literal["every"]
"""Which symmetries merge positions: those that fix the root (True), none (False), or all of the game's ("every")."""


class GameSpace:
    """The positions of a game from a root on.

    `symmetry` merges positions by the declared symmetries that fix the root. With `"every"`, symmetries that the root
    lacks merge positions too, and, in tables of games in which each move passes the turn, so do those that swap the
    players: the values are the same, but how many of the equivalent positions are reachable is no longer known.
    `ignore_ends` plays on after wins and draws. With `take_wins`, tables follow no other move where one wins at once,
    and hold no finished positions but one or a few that stand for all.
    """

    def __init__(self, game: Game, root: State | None = None, *, symmetry: Merging = True,
                 ignore_ends: bool = False, take_wins: bool = False) -> None:
        self.game = game
        self.engine = game.endless if ignore_ends else game.engine
        root = self.engine.start() if root is None else root
        self.root = root._replace(outcome=None) if ignore_ends else root
        self.players = len(game.players)
        self.sides = game.sides
        """For each player the first player of the same team."""
        self.take_wins = take_wins
        self.every_symmetry = symmetry == "every"
        """Whether symmetries that the root lacks merge positions too: equivalent positions count once."""
        result = (game.symmetries[:1] if not symmetry else game.fixing(self.root) if not self.every_symmetry
                  else game.unconditional)
        self.maps: tuple[StateMap, ...] = tuple(element for element in result if not element.swapping)
        """The symmetry group by which positions are merged; the identity comes first."""
        self.table_maps = result if self.every_symmetry and game.alternates else self.maps
        """The symmetry group in the kernel's tables, where values can be relative to the player to move."""

    @property
    def relative(self) -> bool:
        """Whether tables merge positions that have different players to move."""
        return len(self.table_maps) > len(self.maps)

    def keep(self, kernel: Kernel, numbers: Container[int]) -> None:
        """Restrict the merging to the symmetries with these numbers in a kernel, which must form a group."""
        self.table_maps = tuple(element for element in self.table_maps if int(kernel.elements([element])[0]) in numbers)
        self.maps = tuple(element for element in self.table_maps if not element.swapping)

    def of_table(self, state: State, look_up: Callable[[State], Value | None]) -> Value | None:
        """The value of a state by its entry in a table, which `look_up` finds; None where it has no entry.

        A state that a repetition finished has no entry of its own: it is reachable where the unfinished one is.
        """
        if state.outcome is not None and self.take_wins:
            return Value(state.outcome, 0)
        value = look_up(state)
        if value is None and state.outcome is not None and self.game.looks_back and look_up(
                state._replace(outcome=None)) is not None:
            return Value(state.outcome, 0)
        if not self.relative or value is None or value.winner < 0:
            return value
        return Value(value.winner ^ state.to_move, value.remoteness)

    @cached_property
    def acyclic(self) -> bool:
        """Whether it is proven that no position can repeat."""
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
        """The representative of all positions that are equivalent by symmetry."""
        return canonical(state, self.maps)

    def orbit_size(self, state: State) -> int:
        """The number of positions that are equivalent to a state by symmetry, itself included."""
        return 1 if len(self.maps) == 1 else len({element.of_state(state) for element in self.maps})

    def value(self, state: State) -> int:
        """The game's heuristic `value` for the player to move; 0 where the file gives none."""
        return self.game.heuristic(state)


def space_to_value(game: Game, root: State | None = None, *, symmetry: Merging = True, take_wins: bool = False,
                   save: Path | str | None = None) -> GameSpace:
    """Make the space of a game to solve, after checking its symmetries and whether its values can be saved.

    Raises GameFileError when play shows that the rules lack a declared symmetry that would be used, Refused where
    values are to be saved but depend on the moves before.
    """
    space = GameSpace(game, root, symmetry=symmetry, take_wins=take_wins)
    if len(space.table_maps) > 1:
        broken = broken_symmetries(game)
        if broken:
            raise GameFileError(game.rules.source, broken)
    rule = game.path_dependent
    if save is not None and rule and game.observer.sees_all:
        raise Refused(f"{save} is not made: 'repetition {rule}' makes values depend on the moves before, so that "
                      "positions have none of their own")
    return space


def _check_table(space: GameSpace, method: str) -> None:
    """Check that positions are valued in a table of the kernel, the only form that can leave positions out.

    Raises Refused where they are not.
    """
    why = ""
    if method not in (AUTO, ALL):
        why = f"method {method} does not value all positions"
    elif space.players > 2 or not space.game.observer.sees_all or space.game.rules.has_chance:
        why = "it is for games of one or two players, without chance, in which everything is seen"
    elif rule := space.game.path_dependent:
        why = f"'repetition {rule}' makes values depend on the moves before"
    if why:
        asked = "merged by every symmetry" if space.every_symmetry else "left out where a move wins at once"
        raise Refused(f"positions of {space.game.title} cannot be {asked}: {why}")


def solve_game(game: Game, root: State | None = None, *, symmetry: Merging = True, method: str = AUTO,
               nodes: int | None = None, memory: int | None = None,
               progress: Progress | None = None, engine: Engine = "auto",
               save: Path | None = None, threads: int = 1, remoteness: bool | None = None,
               report: bool = False, value_only: bool = False,
               patterns: Book | None = None, said: Said | None = None,
               anyway: bool = True, exploitability: float | None = None,
               take_wins: bool = False) -> Solution[State, Move]:
    """Solve a game from a root on (its start by default), as if no position had occurred before the root.

    `method` is one of `solver.methods.names()`. With method strong, positions are enumerated by the interpreter, by the
    game's kernel as plain Python, or by the compiled kernel, whichever is expected to take the least time, unless
    `engine` names one. Before long work `said` is called with the expected number of positions, what enumerating them
    takes, and what is done instead where that is hopeless. Hopeless work that `method` asked for is begun all the same
    unless `anyway` is false. With `save` the kernel solves the game strongly and the solution is written to that file,
    to be opened by `solver.tables.saved.SavedSolution.open`; interrupted work is resumed. Alpha-beta search uses the
    kernel where a few thousand positions are not enough, or where a `report` is wanted. `threads` is the number of
    threads of searches; `remoteness` says whether they look for it, as in `solver.drivers.weak`. With `value_only` only
    the root's value is searched for, first by a shallow proof, and moves have the values that this happens to find.
    Alpha-beta tries moves that `patterns` propose first. With `symmetry="every"` or `take_wins` the kernel values the
    positions, and leaves some out: see `GameSpace`.

    For games with imperfect information strategies are computed instead, exactly or to an `exploitability`.

    Positions that repeat count as drawn where nobody can force a win. Where the rules make a repetition a loss or
    forbid it, values are found as in `solver.repetition`, or unknown. Raises GameFileError when play shows that the
    rules lack a declared symmetry that would be used, ValueError for an unknown method, Refused where the method cannot
    solve the game, RuleError where a rule fails, Refused and OSError where the solution cannot be saved.
    """
    space = space_to_value(game, root, symmetry=symmetry, take_wins=take_wins, save=save)
    if symmetry == "every" or take_wins:
        _check_table(space, method)
        method, engine = ALL, "kernel"
    if save is not None and game.observer.sees_all:
        engine = "kernel"
    solution = solve_task(Task(
        space, Budget(nodes, memory, progress), method, space, engine=engine, save=save, threads=threads,
        remoteness=remoteness, report=report, value_only=value_only, patterns=patterns, said=said, anyway=anyway,
        exploitability=exploitability))
    left_out = [text for text, holds in (
        ("of positions that are alike by the game's symmetries one is counted", space.every_symmetry),
        ("where a move wins at once no other was followed, and finished positions are not counted one by one",
         space.take_wins)) if holds]
    solution = attrs.evolve(solution, reason="; ".join([solution.reason, *left_out]))
    started, start = time.perf_counter(), space.start()
    solution = _by_repetition(space, solution)
    solution = attrs.evolve(solution, seconds=solution.seconds + time.perf_counter() - started)
    solution = attrs.evolve(solution, names=Names(
        game.title, tuple(game.players), tuple(game.notation.write(start, item.move) for item in solution.moves)))
    if solution.cyclic and not game.rules.repetition and solution.complete:
        nobody = "a draw" if space.players > 1 else "lost"
        reason = f"{solution.reason}; positions come back, and play without end counts as {nobody}"
        return attrs.evolve(solution, reason=reason)
    return solution


class Kept(Solved[State, Move], Protocol):
    """The values of all positions that can be reached from a root, in files."""

    @property
    def merged(self) -> int:
        """The number of positions up to symmetry."""


def solution_from(kept: Kept, game: Game, root: State, reason: str, *, symmetry: Merging = True
                  ) -> Solution[State, Move]:
    """The solution of a game from a root on, which has a value in `kept`, as `solve_game` finds it."""
    space = GameSpace(game, root, symmetry=symmetry)
    return _by_repetition(space, answer_from(space, kept, kept.merged, reason))


def _by_repetition(space: GameSpace, solution: Solution[State, Move]) -> Solution[State, Move]:
    """A solution with the values that moves have after the root, where a repetition draws, or a player alone must not
    repeat.

    A move that repeats the root draws at once, or is not legal. A slow win may lead through the root, which has
    occurred then: see `_Returns`. All other values are those of positions without history.
    """
    game, root = space.game, space.start()
    followed = game.looks_back != "draws" and (len(game.players) > 1 or solution.strong is None)
    if not game.looks_back or followed or not game.repetition.simple:
        return solution
    returns, moves = _Returns(space, solution.strong), []
    for item in solution.moves:
        after = game.engine.apply(root, item.move)
        if after == root and game.repetition.forbids:
            continue
        if after == root:
            item = attrs.evolve(item, winner=DRAW, remoteness=1)
        elif after is not None and _is_slow(item, solution) and space.players <= 2:
            value = returns.value(after)
            winner, plies = (None, None) if value is None else (value.winner, value.remoteness)
            item = attrs.evolve(item, winner=winner, remoteness=None if plies is None else plies + 1)
        moves.append(item)
    best = solution.best
    if best is not None and any(item.move == best and item.winner != solution.winner for item in moves):
        best = next((item.move for item in moves if item.winner == solution.winner), None)
    return attrs.evolve(solution, moves=tuple(moves), best=best)


def _is_slow(item: MoveValue[Move], solution: Solution[State, Move]) -> bool:
    """Whether a move is known to win in more plies than the root is won: as the remoteness falls with each ply of a
    win, no other win of known remoteness leads through the root."""
    return (item.winner not in (None, DRAW) and item.winner == solution.winner and item.remoteness is not None
            and solution.remoteness is not None and item.remoteness > solution.remoteness)


class _NoReturn(GameSpace):
    """The positions of a game from a root on, where one position is a draw."""

    def __init__(self, game: Game, root: State, drawn: State) -> None:
        super().__init__(game, root, symmetry=False)  # symmetric images of the drawn position are not drawn
        self.drawn = drawn

    def outcome(self, state: State) -> int | None:
        """The outcome, as in any space, but of the drawn position."""
        return DRAW if state == self.drawn else super().outcome(state)

    def successors(self, state: State) -> list[tuple[Move, State]]:
        """The successors, as in any space; none of the drawn position."""
        return [] if state == self.drawn else super().successors(state)


@attrs.define
class _Returns:
    """Values positions after a first move that wins slowly, where coming back to the root is a draw.

    Looks at no more than `left` positions.
    """

    space: GameSpace
    table: Solved[State, Move] | None
    left: int = _MOST_RETURNS
    _found: dict[State, bool] = attrs.field(factory=dict)

    def value(self, after: State) -> Value | None:
        """The value of a position after a first move; None where finding it takes too long."""
        try:
            if self.table is not None and after != self.space.start():
                return self._of_table(after)
            searched: Strong[State, Move] = Strong(_NoReturn(self.space.game, after, self.space.start()),
                                                   Budget(self.left))
            searched.enumerate_until()
            searched.value_all()
        except OutOfBudget:
            self.left = 0
            return None
        self.left -= len(searched.states)
        return searched.value(after)

    def _of_table(self, after: State) -> Value | None:
        """The value by the table's, of which only wins of the root's winner in more plies than the root's can change.

        All others lead by moves that come ever closer to the end, and so never to the root. Where a win is none any
        more, it is a draw, as the opponent comes to the root. Raises OutOfBudget.
        """
        value, root = self._known(after), self._known(self.space.start())
        if value is None or root is None or value.remoteness is None or root.remoteness is None:
            return value
        if value.remoteness - root.remoteness < _DEEP and self._wins(after, value, root.remoteness):
            return value
        return self._in_time(after, value.winner, root.remoteness)

    def _known(self, state: State) -> Value | None:
        assert self.table is not None
        return self.table.value(state)

    def _won(self, state: State, winner: int) -> list[tuple[int, State]] | None:
        """The positions after a position that the winner wins by the table, each with its plies, the fewest first.

        None where the opponent of the winner can move to the root. Raises OutOfBudget.
        """
        self.left -= 1
        if self.left < 0:
            raise OutOfBudget
        chosen, root, result = self.space.sides[state.to_move] == winner, self.space.start(), []
        for _, after in self.space.successors(state):
            if after == root and not chosen:
                return None
            value = Value(after.outcome, 0) if after.outcome is not None else self._known(after)
            if after != root and value is not None and value.winner == winner:
                result.append((value.remoteness or 0, after))
        return sorted(result, key=lambda pair: pair[0])

    def _wins(self, state: State, value: Value, nearest: int) -> bool:
        """Whether the table's win is one by moves that come ever closer to it, and never to the root.

        No position in at most `nearest` plies, those of the root, can come to it. Raises OutOfBudget.
        """
        plies = value.remoteness or 0
        if plies <= nearest:
            return True
        if state not in self._found:
            won = self._won(state, value.winner)
            chosen = any if self.space.sides[state.to_move] == value.winner else all
            self._found[state] = won is not None and chosen(
                self._wins(after, Value(value.winner, left), nearest) for left, after in won if left < plies)
        return self._found[state]

    def _in_time(self, after: State, winner: int, nearest: int) -> Value:
        """The value where the win that the table knows leads through the root, by retrograde analysis of the positions
        between that the winner wins in more than `nearest` plies. Raises OutOfBudget."""
        parents: dict[State, list[State]] = {}
        waiting: dict[State, int] = {}
        queue: list[tuple[int, int, State]] = []
        met, todo, order = {after}, [after], count()
        while todo:
            state = todo.pop()
            won = self._won(state, winner)
            if won is None:
                continue
            there = {kid: plies for plies, kid in won}
            waiting[state] = 1 if self.space.sides[state.to_move] == winner else len(there)
            for kid, plies in there.items():
                parents.setdefault(kid, []).append(state)
                if kid in met:
                    continue
                met.add(kid)
                if plies <= nearest:
                    heapq.heappush(queue, (plies, next(order), kid))
                else:
                    todo.append(kid)
        while queue:  # the nearest first, so that the last successor of a loser's position is the slowest
            plies, _, state = heapq.heappop(queue)
            if state == after:
                return Value(winner, plies)
            for parent in parents.get(state, ()):
                waiting[parent] -= 1
                if waiting[parent] == 0:
                    heapq.heappush(queue, (plies + 1, next(order), parent))
        return Value(DRAW, None)
