"""What a position is worth, and which move to play: the solver where it reaches, else a search.

Exact values come from the solver; what it found of a game is kept, so that the moves after a solved position are known
at once. Everything is bounded: positions, memory, and seconds; past a limit what is known is given, and the reason.
"""

from __future__ import annotations

import random
import time
from typing import Any

import attrs

from dsl.diagnostics import GameFileError
from dslgame.web.asking import Job, Refused
from dslgame.web.positions import Kept, game_key
from interpreter.game import Position
from interpreter.state import DRAW, Move, State
from solver.budget import OutOfBudget
from solver.game_space import solve_game
from solver.strong import Strong

SECONDS = 8.0
"""Time for one answer."""
NODES = 400_000
"""Positions that the solver may keep."""
MEMORY = 1_000
"""MiB that a worker may hold while it solves."""
SOLVER, RANDOM, PERSON = "solver", "random", "person"


@attrs.frozen
class Worth:
    """What a move leads to under best play: the winner, DRAW or None where unknown, and in how many plies."""

    move: Move
    winner: int | None
    plies: int | None
    estimate: float | None = None
    """Where the winner is unknown: the share of won games (a draw half) that the mover can expect, as far as known."""


@attrs.frozen
class Judgement:
    """The worth of every legal move, and where it comes from."""

    moves: list[Worth]
    exact: bool
    """Whether every move's value is known."""
    reason: str
    """Why not."""
    positions: int


class Thinker:
    """Judges positions; keeps the last solutions."""

    def __init__(self) -> None:
        self._solved: Kept[Strong[State, Move]] = Kept(4)

    def judge(self, job: Job, position: Position, seconds: float = SECONDS) -> Judgement:
        """The worth of every legal move of a position."""
        legal = position.legal()
        found = self._known(job, position) or self._solve(job, position, seconds)
        values, reason, count = found
        moves = [Worth(move, *values.get(move, (None, None))) for move in legal]
        exact = all(item.winner is not None for item in moves)
        return Judgement(moves, exact, "" if exact else reason, count)

    def _known(self, job: Job, position: Position) -> _Found | None:
        """The values by a solution that has this position."""
        table = self._solved.get(game_key(job))
        if table is None or table.value(position.state) is None:
            return None
        values: dict[Move, tuple[int | None, int | None]] = {}
        for move, after in position.game.engine.successors(position.state):
            value = table.value(after)
            if value is None:
                return None
            values[move] = value.winner, None if value.remoteness is None else value.remoteness + 1
        return values, "", len(table.states)

    def _solve(self, job: Job, position: Position, seconds: float) -> _Found:
        if len(position.game.players) > 2:
            return {}, "only games for one or two players can be solved", 0
        end = time.monotonic() + seconds

        def look(done: int, known: int, phase: str) -> None:
            if time.monotonic() > end:
                raise OutOfBudget(f"{seconds:g} s of solving, the limit of this page, were not enough")

        for symmetry in (True, False):
            try:
                solution = solve_game(position.game, position.state, symmetry=symmetry, nodes=NODES, memory=MEMORY,
                                      progress=look)
                break
            except GameFileError:  # a declared symmetry that the rules do not have
                if not symmetry:
                    raise
        if solution.strong is not None and solution.complete:
            self._solved.put(game_key(job), solution.strong)
        values = {item.move: (item.winner, item.remoteness) for item in solution.moves}
        return values, solution.reason, solution.positions


_Found = tuple[dict[Move, tuple[int | None, int | None]], str, int]
"""Values of moves, why some are missing, and how many positions were looked at."""


def players() -> list[dict[str, str]]:
    """Who can play a side: a word for each, and what people call it."""
    return [{"key": PERSON, "title": "a person"}, {"key": SOLVER, "title": "the solver"},
            {"key": RANDOM, "title": "random moves"}]


def choose(thinker: Thinker, job: Job, position: Position, chance: random.Random) -> tuple[Move, str]:
    """A move by a kind of player, and a remark on it. Raises Refused for an unknown kind."""
    kind = job["player"]
    legal = position.legal()
    if kind == RANDOM:
        return chance.choice(legal), ""
    if kind == SOLVER:
        judgement = thinker.judge(job, position, SECONDS / 2)
        move = best(judgement.moves, position, chance)
        return move, "" if judgement.exact else f"not known for certain: {judgement.reason}"
    raise Refused(400, "request", f"there is no player '{kind}'")


def best(moves: list[Worth], position: Position, chance: random.Random) -> Move:
    """A best move: the fastest win, else a draw, one not known (by the game's `value`), the slowest loss."""
    mover = position.state.to_move

    def rank(item: Worth) -> tuple[int, float]:
        if item.winner is None:
            return 2, _outlook(position, item.move)
        if item.winner == mover:
            return 0, item.plies or 0
        return (1, 0) if item.winner == DRAW else (3, -(item.plies or 0))

    ranks = [rank(item) for item in moves]
    least = min(ranks)
    return chance.choice([item.move for item, found in zip(moves, ranks, strict=True) if found == least])


def _outlook(position: Position, move: Move) -> int:
    """How well the other side stands after a move, by the game's `value`; 0 where the file gives none."""
    after = position.game.engine.apply(position.state, move)
    if after is None or position.game.rules.value is None:
        return 0
    value = position.game.heuristic(after)
    return -value if after.to_move == position.state.to_move else value


def plain(judgement: Judgement, texts: dict[Move, str], position: Position) -> dict[str, Any]:
    """A judgement as plain values; winners as players' numbers, -1 for a draw, null where unknown."""
    return {
        "exact": judgement.exact, "reason": judgement.reason, "positions": judgement.positions,
        "to_move": position.state.to_move,
        "values": [{"move": texts[item.move], "winner": item.winner, "plies": item.plies, "estimate": item.estimate}
                   for item in judgement.moves],
    }
