"""The state of an analysis: proven values of moves, results of searches, and the best move by these.

`solver.players.analysis` fills it in.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

import attrs

from interpreter.game import Position
from interpreter.model.outcomes import results
from interpreter.model.state import DRAW, Move
from solver.players.allowance import OTHER_TIME, Allowance
from solver.players.best_lines import Seen, best_lines
from solver.players.judge import Analysis, Basis, Judged, standing
from solver.report import Report
from solver.strong import Value

LOOKING = 0.05
"""Seconds for evaluating the game's `value` after moves of which nothing else is known."""


class Findings:
    """The results of an analysis so far, within an allowance of time; with `every` each move's value is wanted."""

    def __init__(self, position: Position, allowance: Allowance, values: dict[Move, Value], seed: int, *,
                 every: bool) -> None:
        self.game, self.position, self.state = position.game, position, position.state
        self.mover, self.players = position.state.to_move, len(position.game.players)
        self.side = self.game.sides[self.mover]
        """The number of the side of the player to move in outcomes: that of the first player of the team."""
        self.allowance, self.every, self.seed = allowance, every, seed
        self.legal = position.legal()
        write = self.game.notation.write
        self.texts = {move: write(self.state, move) for move in self.legal}
        self.rule = self.game.looks_back or None
        self.values = values
        self.method: Basis = "glance"
        self.depth = self.games = self.positions = 0
        self.scores: dict[Move, int] = {}
        self.shares: dict[Move, float] = {}
        self.outlooks: dict[Move, int] = {}
        """The game's `value` after each move, for the player to move."""
        self.found: Move | None = None
        """The move that the last search chose."""
        self.line: tuple[str, ...] = ()
        self.seen: dict[Move, Seen] = {}
        """The results of searches for moves: for each the deepest."""
        self.leading: tuple[Move, ...] = ()
        """The moves that a search found best, the best first."""
        self.report: Report | None = None
        self.interrupted = False
        """Whether Ctrl-C ended a step of the analysis, which keeps its results so far."""
        self.followed = False
        self.reason = ""
        self.solved_by = ""

    @property
    def losing(self) -> tuple[Move, ...]:
        """The moves that are proven to lose."""
        least = 2 if self.players == 1 else 1
        return tuple(move for move, value in self.values.items() if results(value.winner, self.side)[1] < least)

    @property
    def settled(self) -> bool:
        """Whether everything that was asked for is known."""
        if len(self.values) == len(self.legal):
            return True
        if self.every:
            return False
        won = any(value.winner == self.side and value.remoteness is not None for value in self.values.values())
        return won or len(self.legal) - len(self.losing) == 1

    def analysis(self, *, final: bool) -> Analysis:
        """Return the answer by what is known now."""
        judged = tuple(Judged(move, self.texts[move], value.winner, value.remoteness)
                       if (value := self.values.get(move)) is not None else Judged(move, self.texts[move], None, None)
                       for move in self.legal)
        best = self._best(judged)
        lost = len(self.losing)
        method = "proof" if lost == len(self.legal) - 1 and best.move not in self.losing else self.method
        known = len(self.values) == len(self.legal)
        report = self.report
        if self.interrupted:
            report = attrs.evolve(report or Report(self.method, self.positions, 0.0), interrupted=True)
        result = Analysis(self.side, judged, best, method, self.depth, self.games, self.positions, dict(self.scores),
                          dict(self.shares), self.line, "" if known else self._reason, report, self.followed,
                          final, self.players, f"cut off after {self.allowance.most:g} s" if self.allowance.cut else "",
                          solved_by=self.solved_by)
        if not self.every:
            return result
        lines = best_lines(result.ranked, self.seen, self.leading, self.side, self.solved_line)
        return attrs.evolve(result, lines=lines)

    def solved_line(self, move: Move) -> Sequence[str]:
        """Best play from a move on by a solution; empty where there is none."""
        return ()

    def see(self, move: Move, seen: Seen) -> None:
        """Note a search's result for a move, unless a deeper search, or one as deep with a longer line, is noted."""
        before = self.seen.get(move)
        if before is None or seen.depth > before.depth or (
                seen.depth == before.depth and (seen.depth == 0 or len(seen.line) >= len(before.line))):
            self.seen[move] = seen

    def see_together(self, move: Move, seen: Seen) -> None:
        """Note a search's result for one of the best moves, replacing any score of another search.

        Scores of different depths are not comparable, and a separate search of the move may have been deeper. Nor are
        scores of alpha-beta comparable with the order in which random games rank moves.
        """
        before = self.seen.get(move)
        if before is not None and before.score is not None:
            del self.seen[move]
        self.see(move, seen)

    @property
    def _reason(self) -> str:
        if self.interrupted:
            return "it was interrupted"
        if self.allowance.cut:
            return f"the time was over after {self.allowance.most:g} s; {OTHER_TIME}"
        if self.reason:
            return self.reason
        return "the game is larger than what can be solved in the time"

    def _best(self, judged: Sequence[Judged]) -> Judged:
        """The move to play: the fastest win, else the search's choice among the moves that do not lose.

        Where all moves lose, it is the slowest loss. Ties are broken at random.
        """
        chance = random.Random(self.seed)
        won = [item for item in judged if item.winner == self.side]
        losing = set(self.losing)
        open_moves = [item for item in judged if item.move not in losing]
        if won or len(self.values) == len(self.legal) or not open_moves:
            pool = won or open_moves or list(judged)

            def rank(item: Judged) -> tuple[int, int]:
                place, plies = standing(item.winner, item.remoteness, self.side)
                return place, 0 if place == 1 else plies if item.remoteness is not None else 1 << 30

            least = min(map(rank, pool))
            return chance.choice([item for item in pool if rank(item) == least])
        if self.found is not None and self.found not in losing:
            return next(item for item in open_moves if item.move == self.found)
        if not self.shares and not self.scores and not self.outlooks:
            self._look_ahead(open_moves)
        hopes = [self._hope(item) for item in open_moves]
        most = max(hopes)
        return chance.choice([item for item, hope in zip(open_moves, hopes, strict=True) if hope == most])

    def _hope(self, item: Judged) -> tuple[float, float]:
        """The sort key of a move: its estimate by the searches, or the `value` after it where they gave none at all."""
        if item.winner == DRAW:
            return 0.5 if self.shares else 0.0, 0.0
        result = self.shares.get(item.move, self.scores.get(item.move))
        if result is not None:
            return float(result), 0.0
        if self.shares or self.scores:
            return -float("inf"), 0.0
        return 0.0, self.outlooks.get(item.move, -float("inf"))

    def _look_ahead(self, moves: Sequence[Judged]) -> None:
        """Evaluate the game's `value` after moves, in random order; where seconds are the limit, for `LOOKING` seconds.

        On large boards the interpreter takes 10 ms and more for one move, and there are hundreds.
        """
        end = time.monotonic() + LOOKING if self.allowance.timed else float("inf")
        for item in random.Random(self.seed).sample(moves, len(moves)):
            self.outlooks[item.move] = _outlook(self.position, item.move)
            if time.monotonic() > end:
                break

    def note(self, move: Move, winner: int | None, remoteness: int | None) -> None:
        """Note a move's proven result; a result with known remoteness is not replaced."""
        if winner is None or move not in self.texts:
            return
        before = self.values.get(move)
        if before is None or before.remoteness is None:
            self.values[move] = Value(winner, remoteness)


def _outlook(position: Position, move: Move) -> int:
    """The game's `value` after a move, for the player who made it; 0 where the file gives none."""
    after = position.game.engine.apply(position.state, move)
    if after is None or position.game.rules.value is None:
        return 0
    value = position.game.heuristic(after)
    return value if after.to_move == position.state.to_move else -value
