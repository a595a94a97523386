"""Anytime analysis of a position: the single policy behind the moves, hints and values of level `solver`.

An `Analyst` always has a best answer so far, and improves it while there is time, in these steps:

1. A shallow proof by the interpreter: wins in one and moves that lose at once, within milliseconds.
2. The value of every move, where few positions can follow: by the interpreter, so that nothing needs compiling.
3. Where the value of every move is wanted, an estimate of each by random games, for a small part of the time.
4. A shallow proof by the game's kernel.
5. The value of every move, by the kernel, for a part of the time.
6. A heuristic search among the moves that are not proven to lose, for all the time that is left: that of the level
   `alphabeta`, `patterns`, `mcts`, `puct` or `connecting`, whichever plays the game best at equal time. Matches between
   them decided which one (see `comparison`), so that no answer is worse than theirs. Where the value of every move is
   wanted, alpha-beta searches for the best moves, one after the other, so that each has its line.

In games with chance, moves have only the estimates of random games.

Every answer says what it is: proven, searched to a depth, or sampled from random games. With a limit of positions
instead of seconds, the same seed gives the same answers: no match is played, and alpha-beta searches where the game has
a `value`.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import attrs

from dsl.diagnostics import GameFileError
from interpreter.game import Game, Position
from interpreter.model.state import DRAW, Move, State
from solver.budget import Budget
from solver.choice import ranked
from solver.drivers.shallow import PLAIN_NODES, Shallow
from solver.game_space import Engine, GameSpace, solve_game
from solver.methods import ALL, PART, SHALLOW
from solver.players.allowance import CEILING, Allowance, SolverClock
from solver.players.best_lines import LONGEST, Seen, by_solution
from solver.players.candidates import ALPHABETA
from solver.players.judge import Analysis
from solver.players.kinds import KINDS
from solver.players.searches import Searches
from solver.players.searching import PAUSE, SEARCHING, HeuristicSearches
from solver.seeds import seed_at
from solver.solve import Solution, Solved
from solver.strong import Value
from solver.task import Task

if TYPE_CHECKING:
    from dsl.syntax.source import Source
    from interpreter.hooks import Hooks
    from solver.learning.trained import Trained
    from solver.methods import Fit, Method
    from solver.players.endgame_tables import EndgameTables
    from solver.trees.book import Book

SECONDS = KINDS["solver"].seconds
"""Time for an answer where neither seconds nor positions are given."""
PROOF, PROOF_ALL, SOLVING, SOLVING_ALL = 0.03, 0.08, 0.2, 0.5
"""The shares of the time that a shallow proof may take, where only a move is wanted and where the value of every move
is; and the same two for solving."""
FEW, FEW_SECONDS = 2_000, 0.5
"""The most positions that the interpreter enumerates before the rules are compiled, and the seconds that it may take
where the limit is not strict."""
FOLLOWING = 0.3
"""Seconds for finding the line after a move whose value is proven."""
FEW_BY_KERNEL, QUICK, HOPED = 200_000, 0.06, 1.0
"""The most positions and the seconds of a first enumeration by a kernel that is on disk; it is skipped where even
`HOPED` seconds look hopeless."""
GLANCE, GLANCE_SECONDS = 400, 0.2
"""The most positions, and seconds, of the interpreter's shallow proof."""
MOST = 5_000_000
"""The most positions that are enumerated."""
PATIENCE, _MOST_PATIENCE = 8, 64
"""Plies before a failed solving attempt is repeated: the first number, doubled each time up to the second."""
RATE, HOPEFUL = 2e6, 2.0
"""Positions that a kernel enumerates in a second; and orders of magnitude by which an estimate may be too high.

In an acyclic game a position is not solved if the estimated number of games from it exceeds the square of the positions
that can be visited, which is the most that alpha-beta and merging save. The estimate is the number of moves to the
power of the mean length of random games."""
_GAMES = 32
"""Random games for the estimate of that length."""
_LEAST, _LEAST_STRICT = 0.02, 0.1
"""The fewest seconds for which solving is begun; the second where the limit is strict, because solvers read the clock
ten times a second: less time is left to the search."""


class Analyst(Searches):
    """Analyses positions of one game, and keeps what it finds for the positions that follow.

    `engine` selects what solves; with "interpreter" solving does not compile rules that nobody has checked. Kernels are
    cached on disk, unless `kept` is false. `memory` is the limit of the process while it solves, in MiB. `patterns` are
    those that come with the game.
    """

    def __init__(self, game: Game, hooks: Hooks | None = None, *, kept: bool = True, engine: Engine = "auto",
                 memory: int | None = None, table_mib: int | None = None, trained: Trained | None = None,
                 patterns: Source | None = None) -> None:
        super().__init__(game, hooks, kept=kept, table_mib=table_mib, trained=trained, patterns=patterns)
        self.engine, self.memory = engine, memory
        self.book: Book | None = None
        """A tree of known values, probed first; None for none."""
        self.endgames: EndgameTables | None = None
        """Endgame tables, probed after the tree; None for none."""
        self.table: Solved[State, Move] | None = None
        """The values of all positions, once they are enumerated."""
        self.failed: dict[str, tuple[int, float, int]] = {}
        """For each way to solve that failed: the ply, the seconds it was given, and the plies before it is retried."""
        self.last: _RunningAnalysis | None = None
        """The analysis of the position that was asked about last."""
        self._lock = threading.Lock()
        """Held while an analysis runs, but not between two answers: the state that searches keep serves one at a time.
        """
        self._glance = Shallow(game)

    def analyse(self, position: Position, *, seconds: float | None = None, nodes: int | None = None,
                ceiling: float | None = CEILING, every: bool = True, seed: int = 0, strict: bool = False,
                processor: bool = False, compiling: bool = True) -> Analysis:
        """Return the last answer of `improve`; analyses on other threads wait until it is there."""
        asked = _Asked(position, seconds, nodes, ceiling, every, seed, strict, processor, compiling)
        with self._lock:
            *_, last = self._begin(asked).answers
        return last

    def improve(self, position: Position, *, seconds: float | None = None, nodes: int | None = None,
                ceiling: float | None = CEILING, every: bool = True, seed: int = 0, strict: bool = False,
                processor: bool = False, compiling: bool = True, comparing: bool = True) -> Iterator[Analysis]:
        """Yield ever better answers about a position that is not over; the last one is `final`.

        The analysis ends once everything asked for is known: with `every` the value of every move, else which move to
        play. Ctrl-C also ends it, with the result so far, and the report says so.
        Without a limit it takes about two seconds.

        Seconds are processor time for all but the final search, so that small games are solved on busy machines, too;
        with `strict` they are wall-clock time, and with `processor` they are this thread's processor time throughout
        and a strict limit. With `nodes` alone the analysis is cut off after `ceiling` seconds, None for never. Without
        `compiling` nothing waits for the kernel, which is used only where it is loaded already. Without `comparing`
        nothing waits for a match between searches: where none was played before, alpha-beta searches if the game has a
        `value`. Raises RuleError where a rule fails.

        Whoever asks may stop asking at any answer. Where another analysis begins before the last one, this one ends
        with what it has found.
        """
        asked = _Asked(position, seconds, nodes, ceiling, every, seed, strict, processor, compiling, comparing)
        with self._lock:
            thought = self._begin(asked)
        answer: Analysis | None = None
        while answer is None or not answer.final:
            with self._lock:
                answer = next(thought.answers) if self.last is thought else thought.analysis(final=True)
            yield answer

    def _begin(self, asked: _Asked) -> _RunningAnalysis:
        """Begin an analysis, after ending the last one, which may have stopped between two answers."""
        if self.last is not None:
            self.last.answers.close()
        self.last = _RunningAnalysis(self, asked)
        return self.last

    def tabulate(self, position: Position, *, seconds: float) -> Solved[State, Move] | None:
        """The values of all positions that can follow one; None where `seconds` are not enough to find them.

        `analyse` stops earlier, once the value of every move is known. Raises RuleError.
        """
        with self._lock:
            thought = _RunningAnalysis(self, _Asked(position, seconds))
            for step in (thought.enumerate, thought.solve):
                if self.table is not None and self.table.value(position.state) is not None:
                    return self.table
                for _ in step():
                    pass
        return self.table if self.table is not None and self.table.value(position.state) is not None else None

    def looked_up(self, position: Position) -> Iterator[tuple[Move, Value]]:
        """Yield the values of moves that the tree knows, then those from endgame tables."""
        result = None if self.book is None else self.book.values(position.state)
        for move, (winner, plies) in (result or {}).items():
            if winner is not None:
                yield move, Value(winner, plies)
        if self.endgames is not None:
            yield from self.endgames.moves(position.state, position.history).items()

    def prepare(self) -> None:
        """Compile what the game needs, so that no answer waits for it; nothing where a short analysis solves it."""
        first = self.analyse(self.game.start(), seconds=0.3, every=True)
        entries = None if first.exact else self.entries()
        if entries is not None:
            self.analyse(self.game.start(), nodes=1, every=False)
            self.choose(entries)


@attrs.frozen
class _Asked:
    """What an analysis is asked, as `Analyst.improve` says. Raises ValueError where it makes no sense."""

    position: Position
    seconds: float | None = None
    nodes: int | None = None
    ceiling: float | None = CEILING
    every: bool = True
    seed: int = 0
    strict: bool = False
    processor: bool = False
    compiling: bool = True
    comparing: bool = True

    def __attrs_post_init__(self) -> None:
        if self.position.over:
            raise ValueError("the game is over: there is no move to look for")
        for name, limit in (("seconds", self.seconds), ("nodes", self.nodes)):
            if limit is not None and limit <= 0:
                raise ValueError(f"the limit {name} is {limit}, expected more than 0")

    def allowance(self) -> Allowance:
        """The time for it, from now on."""
        seconds = SECONDS if self.seconds is None and self.nodes is None else self.seconds
        return Allowance(seconds, self.ceiling, strict=self.strict, processor=self.processor)


class _RunningAnalysis(HeuristicSearches):
    """One running analysis."""

    def __init__(self, analyst: Analyst, asked: _Asked) -> None:
        last, position = analyst.last, asked.position
        if last is not None and (last.position != position or last.position.history != position.history):
            last = None
        seed = seed_at(asked.seed, position)
        super().__init__(analyst, position, asked.allowance(), {} if last is None else last.values, seed,
                         every=asked.every, nodes=asked.nodes, compiling=asked.compiling, comparing=asked.comparing)
        self.answers = self.steps()
        """The answers that are still to come."""
        self.analyst = analyst
        if last is not None and last.every and asked.every and asked.nodes is None:
            self.go_on(last)

    def steps(self) -> Generator[Analysis]:
        """Run each method in turn, and yield answers, until what was asked is known or the time is up."""
        told = float("-inf")
        means = (self.look_up, self.glance, self.enumerate, self.sketch, self.prove, self.solve, self.search)
        for step in (self.gamble,) if self.game.rules.has_chance else means:
            if self.settled or self.interrupted:
                break
            try:
                for _ in step():
                    if not self.settled and time.monotonic() >= told + PAUSE:
                        yield self.analysis(final=False)
                        told = time.monotonic()
            except KeyboardInterrupt:
                self.interrupted = True
        if self.every and self.nodes is None and not self.interrupted:
            try:
                for _ in self.follow():
                    yield self.analysis(final=False)
            except KeyboardInterrupt:
                self.interrupted = True
        yield self.analysis(final=True)

    def solved_line(self, move: Move) -> Sequence[str]:
        """Best play from a move on, where the table of all positions is known; else empty."""
        return by_solution(self.analyst.table, self.position)(move)

    # ---- the methods, in the order in which they run

    def look_up(self) -> Iterator[None]:
        """Look moves up in the tree, the endgame tables, and the table of an earlier solution."""
        table = self.analyst.table
        for move, value in self.analyst.looked_up(self.position):
            self.note(move, value.winner, value.remoteness)
            self.solved_by = ALL if self.settled and self.analyst.endgames is not None else ""
        if table is not None and table.value(self.state) is not None:
            self._from(table, {})
            self.solved_by = ALL
        if self.solved_by:
            yield

    def glance(self) -> Iterator[None]:
        """Find wins and losses within few plies by the interpreter; skipped where a loaded kernel is faster."""
        if self.allowance.timed and self.analyst.compiled and self.players <= 2:
            return
        nodes = GLANCE if self.nodes is None else min(GLANCE, self.nodes)
        yield from self._proof(self.analyst._glance, nodes, self._most(GLANCE_SECONDS, PROOF_ALL))

    def prove(self) -> Iterator[None]:
        """Prove forced ends further away: by the kernel, or by the interpreter where there is no kernel."""
        entries = self.kernel()
        if entries is None and self.nodes is None:
            self.allowance.keep(SEARCHING)
            yield from self._proof(self.analyst._glance, PLAIN_NODES, self.allowance.left())
        elif entries is not None and self.players <= 2 and not self.allowance.late:
            if self.allowance.timed and not self.every and self.analyst.chosen == ALPHABETA:
                return  # alpha-beta finds forced ends as fast, and then has all the time
            prover = self.allowance.uncounted(partial(self.analyst.proofs, entries))
            if self.nodes is None:
                share = PROOF_ALL if self.every else PROOF
                yield from self._proof(prover, 1 << 40, self.allowance.left(share))
            else:
                prover.forget()
                yield from self._proof(prover, max(1, self.nodes // 4), self.allowance.left())

    def _proof(self, prover: Shallow, nodes: int, seconds: float | None) -> Iterator[None]:
        before = 0
        for proof in prover.deepen(self.state, history=self.position.history, nodes=nodes, seconds=seconds,
                                   value_only=not self.every, now=self.allowance.now):
            for move, value in proof.moves.items():
                self.note(move, value.winner, value.remoteness)
                if move in proof.lines:
                    self.see(move, Seen((self.texts[move], *proof.lines[move]), value.remoteness or proof.depth))
            self.solved_by = SHALLOW if proof.moves else self.solved_by
            self.depth = max(self.depth, proof.depth)
            self.positions += proof.nodes - before
            before = proof.nodes
            yield

    def follow(self) -> Iterator[None]:
        """Complete the lines of the best proven moves, after their values were yielded.

        A search that proves a draw gives no line for it; the values of all positions do, where they are few.
        """
        lines, table = self.analysis(final=False).lines, self.analyst.table
        if (table is None or table.value(self.state) is None) and any(
                line.judged.winner is not None and line.judged.remoteness is None for line in lines):
            yield
            yield from self._solved("follow", ALL, "interpreter", FEW, FOLLOWING)
            lines = self.analysis(final=False).lines
        lacking = [(line.judged, line.judged.remoteness) for line in lines
                   if line.judged.remoteness is not None and len(line.line) < min(line.judged.remoteness, LONGEST)]
        entries = self.kernel() if lacking and self.analyst.compiled and self.players <= 2 else None
        if entries is None:
            return
        yield
        prover = self.analyst.proofs(entries)
        for item, plies in lacking:
            line = prover.line(self.state, item.move, plies, history=self.position.history, seconds=FOLLOWING)
            self.see(item.move, Seen((item.text, *line), plies))

    def _most(self, seconds: float, share: float) -> float | None:
        """`seconds`, or a share of the time where that is less; all the time left where positions are the limit."""
        left = self.allowance.left(share)
        return left if left is None or not self.allowance.timed else min(seconds, left)

    def enumerate(self) -> Iterator[None]:
        """Enumerate the positions that can follow, where they are few: by the interpreter, or by a kernel on disk."""
        if self.analyst.compiled and self.nodes is None:
            return  # `solve` does it faster by the kernel
        if not self.compiling and self.nodes is None and self.analyst.engine == "auto":
            self.compiling, before = self.allowance.uncounted(lambda: self.analyst.at_hand), self.positions
            if self.compiling and self._hopeless(HOPED):
                return
            if self.compiling:
                yield from self._solved("quick", ALL, "kernel", FEW_BY_KERNEL, QUICK)
            if self.settled or self.positions - before > FEW:  # fewer: loading the kernel's entries took the time
                return
        nodes = FEW if self.nodes is None else min(FEW, self.nodes)
        seconds = self.allowance.left(SOLVING)
        if seconds is not None and not self.allowance.strict:
            seconds = max(FEW_SECONDS, seconds)
        yield from self._solved("few", ALL, "interpreter", nodes, seconds)

    def solve(self) -> Iterator[None]:
        """Enumerate all positions that can follow, then search for the values of the moves."""
        if not self.compiling:
            self.reason = "there was no time for more"
            return
        engine = self.analyst.engine
        if engine == "auto":
            engine = "interpreter" if self.kernel() is None else "kernel"
        share = SOLVING_ALL if self.every else SOLVING
        if self._hopeless(self.allowance.left(share)):
            self.reason = self.reason or "far more positions can follow than can be looked at"
            return
        nodes = MOST if self.nodes is None else self.nodes
        search = self._search_method(engine)
        if search is None or search[1].cost >= PART:
            yield from self._solved("strong", ALL, engine, nodes, self.allowance.left(share / 2))
            share /= 2
        if search is not None and not self.settled and not self.allowance.late and self.players <= 2:
            yield from self._solved("search", search[0].name, engine, nodes, self.allowance.left(share))

    def _search_method(self, engine: Engine) -> tuple[Method, Fit] | None:
        """The solving method with the least expected cost, other than enumeration; None where there is none."""
        space = GameSpace(self.game, self.state)
        task = Task(space, Budget(), game_space=space, engine=engine)
        return next((result for result in ranked(task) if result[0].decides and result[0].name != ALL), None)

    def _hopeless(self, seconds: float | None) -> bool:
        """Whether games from here are too long, and have too many moves, to solve the position; see `HOPEFUL`."""
        entries = self.analyst.entries()
        if entries is None or not self.game.acyclic:
            return False
        from solver.random_play import length_of_games

        plies = length_of_games(entries, self.state, _GAMES)
        looked_at = min(MOST, self.nodes or MOST, MOST if seconds is None else 1 + RATE * seconds)
        return plies * math.log10(max(2, len(self.legal))) > 2 * math.log10(looked_at) + HOPEFUL

    def _solved(self, way: str, method: str, engine: Engine, nodes: int, seconds: float | None) -> Iterator[None]:
        """Solve the position by a method and note the moves' values; keep the table where it has all positions.

        `way` names the attempt in `Analyst.failed`.
        """
        analyst, ply = self.analyst, len(self.position.played)
        there, spent, patience = analyst.failed.get(way, (-PATIENCE, 0.0, 0))
        if self.allowance.timed and there <= ply < there + patience and (seconds or 0.0) < 1.5 * spent:
            self.reason = "more positions can follow than could be looked at"
            return
        depends = self.game.path_dependent
        if depends and self.position.history:
            self.reason = "what was played before matters by the repetition rule"
            return
        if seconds is not None and seconds < (_LEAST_STRICT if self.allowance.strict else _LEAST):
            return
        clock = SolverClock(float("inf") if seconds is None else seconds, self.allowance.now)
        began = self.allowance.now()
        solution = _solution(self.game, self.state, method, engine, nodes, analyst.memory, clock.look)
        if seconds is not None:
            beyond = self.allowance.now() - began - seconds
            self.allowance.add(clock.compiling if self.allowance.strict else beyond)
        self.positions += solution.positions
        self.interrupted |= solution.interrupted
        if not solution.complete:
            again = patience if there <= ply else 0  # an earlier ply: a new game has begun
            analyst.failed[way] = ply, seconds or 0.0, min(_MOST_PATIENCE, 2 * again) or PATIENCE
            self.reason = solution.reason
        elif solution.moves:
            self.solved_by = solution.method
        values = {item.move: (item.winner, item.remoteness) for item in solution.moves}
        if solution.strong is not None and solution.complete:
            analyst.table = solution.strong
            self._from(solution.strong, values)
        elif not (self.rule and self.position.history):
            for move, (winner, plies) in values.items():
                slow = winner == self.side and (plies is None or plies != solution.remoteness)
                if not (self.rule and slow and not depends):  # the opponent may come back here, for a draw
                    self.note(move, winner, plies)
        yield

    def _from(self, table: Solved[State, Move], values: Mapping[Move, tuple[int | None, int | None]]) -> None:
        """Note `values`, or the table's values of the moves, as far as they hold given the positions played before.

        A win holds where every earlier position, and this one, is in the table and none is a win of the same player in
        fewer plies: the remoteness falls with each ply, so that play to the win does not repeat any of them.
        """
        if not values:
            result = {}
            for move, after in self.game.engine.successors(self.state):
                value = table.value(after)
                if value is not None:
                    result[move] = value.winner, None if value.remoteness is None else value.remoteness + 1
            values = result
        past = [table.value(state) for state in (*self.position.history, self.state)] if self.rule else []
        for move, (winner, plies) in values.items():
            if winner is not None and winner != DRAW and any(
                    before is None or (before.winner == winner and (before.remoteness or 0) < (plies or 0))
                    for before in past):
                continue
            self.note(move, winner, plies)


def _solution(game: Game, state: State, method: str, engine: Engine, nodes: int, memory: int | None,
              look: Callable[[int, int, str], None]) -> Solution[State, Move]:
    """Solve a game within limits; without symmetry reduction where the game lacks the symmetries that it declares."""
    for symmetry in (True, False):
        try:
            return solve_game(game, state, symmetry=symmetry, method=method, nodes=nodes, memory=memory, progress=look,
                              engine=engine)
        except GameFileError:
            if not symmetry:
                raise
    raise AssertionError("unreachable")
