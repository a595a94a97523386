"""What a position is worth, and which move to play: the solver where it reaches, else a search.

Exact values come from the solver; what it found of a game is kept, so that the moves after a solved position are known
at once. Where it does not reach, random games say how often each move wins. Everything is bounded: positions, memory,
and seconds; past a limit what is known is given, and the reason. Rules from the page are solved by the interpreter;
searches compile them for the process alone, so that a page leaves no files.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from typing import Any

import attrs

from dsl.diagnostics import GameFileError
from dsl.source import Source
from dslgame.web.asking import Job, Refused
from dslgame.web.positions import Kept, game_key
from interpreter.game import Game, Position
from interpreter.state import Move, State
from solver.budget import OutOfBudget
from solver.game_space import Engine, solve_game
from solver.players.deepening import Limit
from solver.players.judge import Judged, best
from solver.players.levels import Level, Player
from solver.solve import Solved

SECONDS = 6.0
"""Time for solving."""
SEARCHING = 3.0
"""Time for a search after that."""
NODES = 5_000_000
"""Positions that the solver may keep."""
MEMORY = 1_500
"""MiB that a worker may hold while it solves."""
_LONGEST = 1.0
"""Seconds between two looks at the clock; more were spent on something else."""
PERSON, SOLVER, RANDOM = "person", "solver", "random"
LEVELS = {
    "strong": ("mcts seconds=2", "search, 2 s a move"),
    "quick": ("mcts nodes=300", "search, quick"),
    "ahead": ("alphabeta plies=3", "3 plies ahead"),
    "patterns": ("patterns plies=3", "3 plies ahead, by patterns"),
}
"""Search levels that can play a side, each with what people call it."""


@attrs.frozen
class Judgement:
    """The worth of every legal move, and where it comes from."""

    moves: list[Judged]
    reason: str
    """Why not every move's value is known; '' where they are."""
    positions: int
    estimates: dict[Move, float] = attrs.field(factory=dict)
    """Of moves whose value is not known, the share of random games that the mover wins, a draw being half of one."""
    line: Sequence[str] = ()
    """What a search takes for best play."""

    @property
    def exact(self) -> bool:
        """Whether every move's value is known."""
        return not self.reason


class _Clock:
    """Ends a solver that has worked for so many seconds, the time not counted in which rules were compiled."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._spent, self._looked = 0.0, time.monotonic()

    def look(self, done: int, known: int, phase: str) -> None:
        """Look at the clock, as solvers do some times a second. Raises OutOfBudget."""
        now = time.monotonic()
        self._spent += min(now - self._looked, _LONGEST)
        self._looked = now
        if self._spent > self.seconds:
            raise OutOfBudget(f"{self.seconds:g} s of solving were not enough")


WARMING = """\
game "Warming up"
players A, B
board square(1, 2)
pieces a of A, b of B
move place(c in empty):
    c := own
draw when no empty
value count(mine)
"""
"""A game to search in until the searches are compiled, which is once on a machine."""


class Thinker:
    """Judges positions; keeps the last solutions, searches and players."""

    def __init__(self) -> None:
        self._solved: Kept[tuple[Solved[State, Move], int]] = Kept(3)
        self._searches: Kept[Any] = Kept(2)  # solver.players.sampling.Sampling, which takes long to import
        self._players: Kept[Player] = Kept(4)

    def judge(self, job: Job, position: Position, *, seconds: float = SECONDS, estimate: bool = True) -> Judgement:
        """The worth of every legal move of a position; with `estimate` also a guess where it is not known."""
        values, reason, count = self._known(job, position) or self._solve(job, position, seconds)
        write = position.game.notation.write
        moves = [Judged(move, write(position.state, move), *values.get(move, (None, None)))
                 for move in position.legal()]
        if all(item.winner is not None for item in moves):
            return Judgement(moves, "", count)
        shares, line = self._estimated(job, position) if estimate else ({}, ())
        return Judgement(moves, reason or "not all is known", count, shares, line)

    # ---- solving

    def _known(self, job: Job, position: Position) -> _Found | None:
        """The values by a solution that has this position."""
        table, count = self._solved.get(game_key(job)) or (None, 0)
        if table is None or table.value(position.state) is None:
            return None
        values: dict[Move, tuple[int | None, int | None]] = {}
        for move, after in position.game.engine.successors(position.state):
            value = table.value(after)
            if value is None:
                return None
            values[move] = value.winner, None if value.remoteness is None else value.remoteness + 1
        return values, "", count

    def _solve(self, job: Job, position: Position, seconds: float) -> _Found:
        if len(position.game.players) > 2:
            return {}, "only games for one or two players can be solved", 0
        clock = _Clock(seconds)
        engine: Engine = "interpreter" if "text" in job else "auto"
        for symmetry in (True, False):
            try:
                solution = solve_game(position.game, position.state, symmetry=symmetry, nodes=NODES, memory=MEMORY,
                                      progress=clock.look, engine=engine)
                break
            except GameFileError:  # a declared symmetry that the rules do not have
                if not symmetry:
                    raise
        if solution.strong is not None and solution.complete:
            self._solved.put(game_key(job), (solution.strong, solution.positions))
        values = {item.move: (item.winner, item.remoteness) for item in solution.moves}
        return values, solution.reason, solution.positions

    # ---- searching

    def _estimated(self, job: Job, position: Position) -> tuple[dict[Move, float], Sequence[str]]:
        """How often each move wins in a search by random games, and best play as it sees it."""
        from interpreter.kernel.errors import NotLowered
        from solver.entries import Entries
        from solver.players.sampling import Sampling

        try:
            search = self._searches.made(
                game_key(job), lambda: Sampling(Entries.of(position.game, kept="text" not in job)))
            found = search.search(position.state, Limit(seconds=SEARCHING), history=position.history)
        except (NotLowered, MemoryError):
            return {}, ()
        return search.shares(), found.report.line

    def choose(self, job: Job, position: Position, chance: random.Random) -> tuple[Move, str]:
        """A move by a kind of player, and a remark on it. Raises Refused for a kind that cannot play."""
        from interpreter.kernel.errors import NotLowered

        kind = job["player"]
        if kind == RANDOM:
            return chance.choice(position.legal()), ""
        if kind == SOLVER:
            judgement = self.judge(job, position, seconds=SECONDS / 2, estimate=False)
            move = best(judgement.moves, position, chance).move
            return move, "" if judgement.exact else f"not known for certain: {judgement.reason}"
        if kind not in LEVELS:
            raise Refused(400, "request", f"there is no player '{kind}'")
        try:
            player = self._players.made((game_key(job), kind), lambda: self._player(job, position.game, kind, chance))
            found = player.choose(position)
        except (NotLowered, ValueError, GameFileError) as problem:
            raise Refused(400, "player", f"this player cannot play this game: {problem}") from None
        return found.move, found.reason

    def _player(self, job: Job, game: Game, kind: str, chance: random.Random) -> Player:
        return Level.of(LEVELS[kind][0]).player(game, seed=chance.randrange(1 << 30), kept="text" not in job,
                                                patterns=lambda game: patterns_of(job, game))

    def warm_up(self) -> None:
        """Search in a game of two moves by every method, so that they are compiled."""
        game = Game.of(Source("warming up", WARMING))
        for kind in ("mcts", "alphabeta"):
            Level.of(f"{kind} nodes=2").player(game).choose(game.start())


def patterns_of(job: Job, game: Game) -> Source | None:
    """The patterns that come with a file; with rules from a page, those of a bundled game of their title."""
    from dslgame import bundled

    return bundled.patterns_for(game.title, job.get("path"))


_Found = tuple[dict[Move, tuple[int | None, int | None]], str, int]
"""Values of moves, why some are missing, and how many positions were looked at."""


def players() -> list[dict[str, str]]:
    """Who can play a side: a word for each, and what people call it."""
    named = [(PERSON, "a person"), (SOLVER, "the solver"), *((key, title) for key, (_, title) in LEVELS.items()),
             (RANDOM, "random moves")]
    return [{"key": key, "title": title} for key, title in named]


def plain(judgement: Judgement, position: Position) -> dict[str, Any]:
    """A judgement as plain values; winners as players' numbers, -1 for a draw, null where unknown."""
    return {
        "exact": judgement.exact, "reason": judgement.reason, "positions": judgement.positions,
        "to_move": position.state.to_move, "line": list(judgement.line),
        "values": [{"move": item.text, "winner": item.winner, "plies": item.remoteness,
                    "estimate": judgement.estimates.get(item.move)} for item in judgement.moves],
    }
