"""Solves one instance within limits; jobs and results are plain values for files and other processes.

`solve(job)` loads the text of a job, solves it, and plays some random games to measure branching and length. Where a
limit is reached, the result has the outcomes that are still possible. The same job gives the same answer except for its
seconds, unless it has a time limit.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import attrs

from dsl.diagnostics import GameFileError
from dsl.syntax.source import Source
from dslgame.laboratory.known import Known, Worth
from dslgame.laboratory.playouts import playouts
from interpreter.errors import RuleError
from interpreter.game import Game
from solver.budget import OutOfBudget, Progress
from solver.errors import Refused
from solver.methods import AUTO
from solver.space import DRAW

if TYPE_CHECKING:
    from interpreter.model.state import Move, State
    from solver.solve import Solution

Plain = dict[str, Any]
"""A JSON object."""
NODES = 2_000_000
"""The default number of positions after which an instance is given up."""
GAMES, PLIES = 40, 2_000
"""The number of random games for branching and length, and the plies over all games after which none is started."""
LONGEST_LINE = 200
"""The most plies of a principal variation that is shown."""


@attrs.frozen
class Limits:
    """The limits and the method of solving one instance; None for no limit."""

    nodes: int | None = NODES
    """The number of positions."""
    memory: int | None = None
    """The memory of the process in MiB."""
    seconds: float | None = None
    method: str = AUTO
    value_only: bool = False
    """Whether only the value is searched; of the first moves only what that search finds is known."""

    def within(self, other: Limits) -> bool:
        """Whether these limits allow at least as much as the others, so that solving with those could find no more."""
        def least(mine: float | None, theirs: float | None) -> bool:
            return mine is None or (theirs is not None and theirs <= mine)

        return (self.method == other.method and self.value_only == other.value_only and least(self.nodes, other.nodes)
                and least(self.memory, other.memory) and least(self.seconds, other.seconds))


@attrs.frozen
class Job:
    """An instance to solve, as it is sent to another process."""

    name: str
    """The file's name, for messages."""
    text: str
    params: dict[str, int]
    limits: Limits

    def as_object(self) -> Plain:
        """The job as a JSON object."""
        return attrs.asdict(self)

    @classmethod
    def of(cls, plain: Plain) -> Job:
        """The job from the result of `as_object`."""
        return cls(plain["name"], plain["text"], dict(plain["params"]), Limits(**plain["limits"]))

    def game(self) -> Game:
        """The game. Raises GameFileError."""
        return Game.of(Source(self.name, self.text), self.params)


@attrs.frozen
class Found:
    """The result of solving one instance. Moves are numbers, as in `Move`, so that it does not depend on names."""

    possible: tuple[int, ...]
    """The outcomes that best play can still have, players' numbers and DRAW: one where the value is known."""
    remoteness: int | None
    """Plies to the end under best play."""
    to_move: int
    positions: int | None
    """The number of positions visited; with method strong, all reachable positions, symmetric ones not merged."""
    method: str
    seconds: float
    reason: str
    complete: bool
    """Whether no limit was reached."""
    openings: tuple[tuple[int, int | None, tuple[int, ...]], ...] = ()
    """For each first move its rule, the winner after it (None where unknown), and its choices."""
    branching: float | None = None
    """The mean number of moves in a position of the random games."""
    length: float | None = None
    """The mean number of plies of the random games."""
    measures: Mapping[str, float] = attrs.field(factory=dict)
    """Further measures of the same random games, by the names of `dslgame.laboratory.measures`."""
    worth: Worth | None = None
    """The expected value for the first player, in games with chance or hidden information."""

    @property
    def solved(self) -> bool:
        """Whether the value is known."""
        return self.winner is not None or self.worth is not None

    @property
    def winner(self) -> int | None:
        """A player's number, DRAW, or None where the value is not known."""
        return self.possible[0] if len(self.possible) == 1 else None

    @property
    def known(self) -> Known:
        """The outcomes that are still possible."""
        return Known(frozenset(self.possible))

    def as_object(self) -> Plain:
        """The result as a JSON object."""
        return attrs.asdict(self)

    @classmethod
    def of(cls, plain: Plain) -> Found:
        """The result from that of `as_object`. Raises KeyError, TypeError or ValueError where it is malformed."""
        openings = tuple((int(rule), winner, tuple(values)) for rule, winner, values in plain["openings"])
        worth = None if plain["worth"] is None else Worth(**plain["worth"])
        return cls(**{**plain, "possible": tuple(plain["possible"]), "openings": openings, "worth": worth})


def solve(job: Job) -> Found:
    """Solve a job's instance within its limits; errors of its file or its rules become the `reason` of the result."""
    began = time.perf_counter()
    try:
        game = job.game()
    except GameFileError as problem:
        return _failed(2, str(problem.diagnostics[0].phrase), began)
    if len(game.players) > 2:
        return _failed(2, f"variants are games for one or two players, and this has {len(game.players)}", began)
    try:
        return _solved(game, job.limits, began)
    except (RuleError, GameFileError) as problem:
        phrase = problem.phrase if isinstance(problem, RuleError) else problem.diagnostics[0].phrase
        return _failed(len(game.players), phrase, began)
    except Refused as problem:
        return _failed(len(game.players), str(problem), began)


def _solved(game: Game, limits: Limits, began: float) -> Found:
    from solver.game_space import solve_game

    solution = solve_game(game, method=limits.method, nodes=limits.nodes, memory=limits.memory,
                          progress=_clock(limits.seconds, began), value_only=limits.value_only)
    known = Known.of_moves(len(game.players), solution.to_move, solution.winner,
                           [item.winner for item in solution.moves])
    winner = known.winner
    branching, length, shown = shape(game)
    worth = worth_of(game, solution)
    return Found(
        tuple(sorted(known.possible)), solution.remoteness if winner is not None else None, solution.to_move,
        solution.positions, solution.method, round(time.perf_counter() - began, 6), solution.reason, solution.complete,
        () if worth is not None else
        tuple((item.move.rule, item.winner, tuple(item.move.values)) for item in solution.moves), branching, length,
        shown, worth)


def worth_of(game: Game, solution: Solution[State, Move]) -> Worth | None:
    """The expected value for the first player in a solution; None without chance and hidden information, or if unknown.
    """
    if solution.strategies is not None:
        result = solution.strategies
        error = 0.0 if result.exact is not None else result.exploitability
        return Worth(result.expected, error, result.exact, 0) if solution.complete else None
    expected = solution.expected
    if expected is None or not expected.known:
        return None
    return Worth(expected.value, expected.error, expected.fraction, 0 if game.payoffs.declared else 1)


def _clock(seconds: float | None, began: float) -> Progress | None:
    """A progress callback that ends a search at its time limit; None without a limit."""
    if seconds is None:
        return None

    def look(done: int, known: int, phase: str) -> None:
        if time.perf_counter() - began > seconds:
            raise OutOfBudget(f"the limit of {seconds:g} seconds is reached")

    return look


def shape(game: Game) -> tuple[float | None, float | None, dict[str, float]]:
    """The mean branching and length of random games, and their other measures; None, None, {} where a rule fails."""
    from dslgame.laboratory.profile import of_random_games

    try:
        result = list(playouts(game, GAMES, plies=PLIES))
        shown = of_random_games(game, result) if len(game.players) == 2 and result[0].length else []
    except RuleError:
        return None, None, {}
    plies, choices = sum(item.length for item in result), sum(item.choices for item in result)
    offered = sum(sum(item.offered) for item in result)
    return (round(offered / choices, 4) if choices else 0.0), round(plies / len(result), 4), {
        item.name: round(item.value, 4) for item in shown if item.name not in ("branching", "length")}


def _failed(players: int, reason: str, began: float) -> Found:
    return Found(tuple(sorted(Known.all(players).possible)), None, 0, None, "", round(time.perf_counter() - began, 6),
                 reason, False)


def line_of(game: Game, limits: Limits) -> tuple[str, ...]:
    """The principal variation from the start, in the game's notation, as far as it can be found within the limits."""
    from solver.game_space import solve_game

    position = game.start()
    while not position.over and len(position.played) < LONGEST_LINE:
        solution = solve_game(game, position.state, method=limits.method, nodes=limits.nodes, memory=limits.memory,
                              value_only=limits.value_only)
        if solution.strong is not None:
            for move in solution.strong.line(position.state, LONGEST_LINE - len(position.played)):
                position = position.play(move)
            break
        if solution.winner is None or solution.best is None:
            break
        position = position.play(solution.best)
    return position.played


__all__ = ["DRAW", "Found", "Job", "Limits", "line_of", "shape", "solve"]
