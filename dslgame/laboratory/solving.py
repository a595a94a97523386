"""The value of one instance within limits, as plain values that go to files and between processes.

`solve(job)` loads the text of a job, solves it, and plays some random games for branching and length. What the limits
leave open is said by the results that are still possible. The same job gives the same answer but for its seconds,
unless its limit is a time.
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
"""What goes to JSON and comes of it."""
NODES = 2_000_000
"""Positions after which an instance is given up, where nobody says otherwise."""
GAMES, PLIES = 40, 2_000
"""Random games for branching and length, and plies after which no other begins."""
LONGEST_LINE = 200
"""Plies of a line of play that is shown."""


@attrs.frozen
class Limits:
    """How far one instance is solved."""

    nodes: int | None = NODES
    """Positions."""
    memory: int | None = None
    """MiB that the process may hold."""
    seconds: float | None = None
    method: str = AUTO
    value_only: bool = False
    """Whether the value is wanted alone: of the first moves is known then what comes with it."""

    def within(self, other: Limits) -> bool:
        """Whether what these limits left open is no more than what the others do: no need to try those."""
        def least(mine: float | None, theirs: float | None) -> bool:
            return mine is None or (theirs is not None and theirs <= mine)

        return (self.method == other.method and self.value_only == other.value_only and least(self.nodes, other.nodes)
                and least(self.memory, other.memory) and least(self.seconds, other.seconds))


@attrs.frozen
class Job:
    """An instance to be solved, as it is sent to another process."""

    name: str
    """The file's name, for messages."""
    text: str
    params: dict[str, int]
    limits: Limits

    def as_object(self) -> Plain:
        """For JSON."""
        return attrs.asdict(self)

    @classmethod
    def of(cls, plain: Plain) -> Job:
        """From what `as_object` gave."""
        return cls(plain["name"], plain["text"], dict(plain["params"]), Limits(**plain["limits"]))

    def game(self) -> Game:
        """The game. Raises GameFileError."""
        return Game.of(Source(self.name, self.text), self.params)


@attrs.frozen
class Found:
    """What was found of one instance. Moves are numbers, as `Move` has them, so that names may differ."""

    possible: tuple[int, ...]
    """The results that best play can still have, players' numbers and DRAW: one where the value is known."""
    remoteness: int | None
    """Plies to the end under best play."""
    to_move: int
    positions: int | None
    """Positions that were looked at; all that can be reached, symmetries not merged, by method strong."""
    method: str
    seconds: float
    reason: str
    complete: bool
    """Whether no limit was reached."""
    openings: tuple[tuple[int, int | None, tuple[int, ...]], ...] = ()
    """For each first move its rule, who wins after it (None where it is not known), and its choices."""
    branching: float | None = None
    """Moves that a position of a random game offers, on average."""
    length: float | None = None
    """Plies of a random game, on average."""
    measures: Mapping[str, float] = attrs.field(factory=dict)
    """What else the same random games show, by the names of `dslgame.laboratory.measures`."""
    worth: Worth | None = None
    """What the first player expects, in games of chance and where something is hidden."""

    @property
    def solved(self) -> bool:
        """Whether the value is known."""
        return self.winner is not None or self.worth is not None

    @property
    def expected(self) -> Worth | None:
        """What the first player expects, in any game of which the value is known."""
        return Worth.of_winner(self.winner) if self.worth is None and self.winner is not None else self.worth

    @property
    def winner(self) -> int | None:
        """A player's number, DRAW, or None where the value is not known."""
        return self.possible[0] if len(self.possible) == 1 else None

    @property
    def known(self) -> Known:
        """The results that are still possible."""
        return Known(frozenset(self.possible))

    def as_object(self) -> Plain:
        """For JSON."""
        return attrs.asdict(self)

    @classmethod
    def of(cls, plain: Plain) -> Found:
        """From what `as_object` gave. Raises KeyError, TypeError or ValueError where it is something else."""
        openings = tuple((int(rule), winner, tuple(values)) for rule, winner, values in plain["openings"])
        worth = None if plain["worth"] is None else Worth(**plain["worth"])
        return cls(**{**plain, "possible": tuple(plain["possible"]), "openings": openings, "worth": worth})


def solve(job: Job) -> Found:
    """Solve a job's instance within its limits; what goes wrong with its rules is the reason."""
    began = time.perf_counter()
    try:
        game = job.game()
    except GameFileError as problem:
        return _failed(2, str(problem.diagnostics[0].phrase), began)
    if len(game.players) > 2:
        return _failed(2, f"only games for one or two players can be solved, and this has {len(game.players)}", began)
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
    """What the first player expects by a solution; None where nobody but the players decides, or it is not known."""
    if solution.strategies is not None:
        result = solution.strategies
        error = 0.0 if result.exact is not None else result.exploitability
        return Worth(result.expected, error, result.exact, 0) if solution.complete else None
    expected = solution.expected
    if expected is None or not expected.known:
        return None
    return Worth(expected.value, expected.error, expected.fraction, 0 if game.payoffs.declared else 1)


def _clock(seconds: float | None, began: float) -> Progress | None:
    """What ends a search when its time is over."""
    if seconds is None:
        return None

    def look(done: int, known: int, phase: str) -> None:
        if time.perf_counter() - began > seconds:
            raise OutOfBudget(f"the limit of {seconds:g} seconds is reached")

    return look


def shape(game: Game) -> tuple[float | None, float | None, dict[str, float]]:
    """The mean branching and length of some random games, and their other measures; None where a rule fails."""
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
    """A line of best play from the start, in the game's notation, as far as the limits let it be known."""
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
