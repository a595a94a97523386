"""What is best in a position, and how far that is known: the one policy by which `solver` plays, hints and values.

An `Analyst` says at any time the best that it has, and improves on it while there is time:

1. A shallow proof by the interpreter: wins in one, and moves that lose at once, within milliseconds.
2. The value of every move, where few positions can follow: by the interpreter, so that nothing is compiled for it.
3. Where the value of every move is wanted, what random games say of it, for a small part of the time.
4. A shallow proof by the game's kernel.
5. The value of every move, by the kernel, for a part of the time.
6. A search with estimates among the moves that are not proven to lose, for all the time that is left: that of the
   level `alphabeta` or that of `mcts`, whichever plays the game better at equal time. Which one that is was found out
   by a match between them (see `comparison`), so that no answer is worse than theirs.

Where chance has a part in a game, moves have what random games say of them, and nothing else.

Every answer says what it is: proven, searched to a depth, or sampled from random games. With a limit of positions
instead of seconds the answers of the same seed are the same: there is no match then, and alpha-beta searches where the
game has a `value`.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator, Mapping
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
from solver.players.allowance import CEILING, Allowance, Clock
from solver.players.findings import Findings
from solver.players.judge import FORCED, Analysis, Basis
from solver.solve import Solution, Solved
from solver.strong import Value
from solver.task import Task

if TYPE_CHECKING:
    from interpreter.hooks import Hooks
    from solver.entries import Entries
    from solver.learning.trained import Trained
    from solver.methods import Fit, Method
    from solver.players.comparison import Comparison, Search
    from solver.players.endgame_tables import EndgameTables
    from solver.players.iterative_deepening import Deepening, Found, Limit
    from solver.players.mcts import MonteCarloSearch
    from solver.trees.book import Book

SECONDS = 2.0
"""Time for an answer where neither seconds nor positions are given."""
PROOF, PROOF_ALL, SOLVING, SOLVING_ALL, SEARCHING = 0.03, 0.08, 0.2, 0.5, 0.5
"""The parts of the time that a shallow proof may take, where a move is wanted and where the value of every move is; the
same of solving; and the part that a search has at least, whatever was spent before it."""
SKETCHING, SKETCHING_SECONDS = 0.1, 0.1
"""The part of the time for what random games say at first, and seconds that this has at least."""
STRICT_SEARCHING = 0.25
"""The same where the limit is strict."""
FEW, FEW_SECONDS = 2_000, 0.5
"""Positions that the interpreter enumerates before the rules are compiled, and seconds that it may take where a limit
is not strict."""
GLANCE, GLANCE_SECONDS = 400, 0.2
"""Positions that the interpreter looks at for mates, and for how long."""
MOST = 5_000_000
"""Positions that are enumerated."""
PATIENCE, _MOST_PATIENCE = 8, 64
"""Plies until what could not be solved is tried again: at first, and at most, as they double each time."""
TABLE_MIB = 64
RATE, HOPEFUL = 2e6, 2.0
"""Positions that a kernel enumerates in a second; and orders of magnitude by which an estimate may be too high.

Where positions do not come back, nothing is tried to solve a position if there are more games, of such a length with so
many moves, than the square of the positions that can be looked at: so much alpha-beta and merging save at best."""
_GAMES = 32
"""Random games by which the length is found out."""
_LEAST, _LEAST_STRICT = 0.02, 0.1
"""Seconds that are not worth beginning to solve for; where the limit is strict they are the search's instead, as those
who solve look at the clock ten times a second."""
_PAUSE = 0.1
"""Seconds between two answers."""


class Analyst:
    """Analyses positions of one game; what it finds is kept for the positions that follow.

    `engine` says what may solve: "interpreter" keeps rules that nobody has checked from being compiled for it.
    Kernels are kept on disk, unless `kept` is false. `memory` (MiB) is what the process may hold while it solves.
    """

    def __init__(self, game: Game, hooks: Hooks | None = None, *, kept: bool = True, engine: Engine = "auto",
                 memory: int | None = None, table_mib: int = TABLE_MIB, trained: Trained | None = None) -> None:
        self.game, self.hooks, self.kept, self.engine = game, hooks, kept, engine
        self.memory, self.table_mib = memory, table_mib
        self.trained = trained
        """A learned value, which alpha-beta goes by instead of the game's."""
        self.book: Book | None = None
        """A tree that is asked first, where there is one."""
        self.endgames: EndgameTables | None = None
        """Tables of endgames that are asked then, where there are some."""
        self.table: Solved[State, Move] | None = None
        """The values of all positions, once they were enumerated."""
        self.failed: dict[str, tuple[int, float, int]] = {}
        """For each way to solve at which ply it was given up, after how many seconds, and for how many plies."""
        self.known: tuple[Position | None, dict[Move, Value]] = (None, {})
        """What is known of the position that was asked about last."""
        self._lock = threading.RLock()
        """Held while a position is analysed: what searches keep is for one at a time."""
        self._glance = Shallow(game)
        self._entries: Entries | None = None
        self._lowered = True
        self._proofs: Shallow | None = None
        self._deepening: Deepening | None = None
        self._mcts: MonteCarloSearch | None = None
        self.chosen: Search | None = None
        """The search that plays the game better at equal time, once that was found out."""
        self.comparison: Comparison | None = None
        """The match that showed it."""

    def analyse(self, position: Position, *, seconds: float | None = None, nodes: int | None = None,
                ceiling: float | None = CEILING, every: bool = True, seed: int = 0, strict: bool = False,
                processor: bool = False, compiling: bool = True) -> Analysis:
        """The last answer of `improve`."""
        *_, last = self.improve(position, seconds=seconds, nodes=nodes, ceiling=ceiling, every=every, seed=seed,
                                strict=strict, processor=processor, compiling=compiling)
        return last

    def improve(self, position: Position, *, seconds: float | None = None, nodes: int | None = None,
                ceiling: float | None = CEILING, every: bool = True, seed: int = 0, strict: bool = False,
                processor: bool = False, compiling: bool = True) -> Iterator[Analysis]:
        """Better and better answers about a position that is not over; the last one is `final`.

        It ends as soon as all is known that was asked for: with `every` the value of every move, else which move to
        play. Without a limit it takes about two seconds. Seconds are the processor's for all but the search at the
        end, so that small games are solved on busy machines, too; where it is `strict` they are the clock's, and with
        `processor` all are of this thread's processor time, no more than that. With
        `nodes` alone it is cut off after `ceiling` seconds, None for never. Without `compiling` nothing waits for the
        kernel: it is used where it is there already. Raises RuleError where a rule fails.
        """
        if position.over:
            raise ValueError("the game is over: there is no move to look for")
        for name, limit in (("seconds", seconds), ("nodes", nodes)):
            if limit is not None and limit <= 0:
                raise ValueError(f"the limit {name} is {limit}, expected more than 0")
        with self._lock:
            allowance = Allowance(SECONDS if seconds is None and nodes is None else seconds, ceiling, strict=strict,
                                  processor=processor)
            yield from _Thought(self, position, allowance, nodes, every, seed, compiling).steps()

    def tabulate(self, position: Position, *, seconds: float) -> Solved[State, Move] | None:
        """The values of all positions that can follow one, where they are found in so many seconds; None elsewhere.

        More than `analyse` looks for, which is content where every move's value is known. Raises RuleError.
        """
        with self._lock:
            thought = _Thought(self, position, Allowance(seconds, CEILING, strict=False), None, True, 0, True)
            for step in (thought.enumerate, thought.solve):
                if self.table is not None and self.table.value(position.state) is not None:
                    return self.table
                for _ in step():
                    pass
        return self.table if self.table is not None and self.table.value(position.state) is not None else None

    def looked_up(self, position: Position) -> Iterator[tuple[Move, Value]]:
        """What a tree, then tables of endgames, know that moves lead to."""
        found = None if self.book is None else self.book.values(position.state)
        for move, (winner, plies) in (found or {}).items():
            if winner is not None:
                yield move, Value(winner, plies)
        if self.endgames is not None:
            yield from self.endgames.moves(position.state, position.history).items()

    def prepare(self) -> None:
        """Compile what the game needs, so that no answer waits for it: nothing where it is small enough."""
        first = self.analyse(self.game.start(), seconds=0.3, every=True)
        entries = None if first.exact else self.entries()
        if entries is not None:
            self.analyse(self.game.start(), nodes=1, every=False)
            self.choose(entries)

    # ---- what is compiled, once it is needed

    @property
    def compiled(self) -> bool:
        """Whether the game's kernel is there already."""
        return self._entries is not None

    def entries(self) -> Entries | None:
        """The game's kernel; None where the compiler has no words for a rule."""
        if self._entries is None and self._lowered:
            from interpreter.compiler.lowering.errors import NotLowered
            from solver.entries import Entries

            try:
                self._entries = Entries.of(self.game, self.hooks, kept=self.kept)
            except NotLowered:
                self._lowered = False
        return self._entries

    def proofs(self, entries: Entries) -> Shallow:
        """Shallow proofs by the kernel."""
        if self._proofs is None:
            self._proofs = Shallow(self.game, entries)
            self._proofs.deepening()
        return self._proofs

    def deepening(self, entries: Entries) -> Deepening:
        """Alpha-beta by the game's value."""
        if self._deepening is None:
            from solver.players.iterative_deepening import Deepening

            self._deepening = Deepening(entries, table_mib=self.table_mib, trained=self.trained)
        return self._deepening

    def choose(self, entries: Entries) -> Search:
        """The search that plays the game better at equal time, by a match between the two.

        Without a match it is alpha-beta where the game has a `value`: where there is nothing to compare, and for rules
        that are not kept, as they change too soon for it.
        """
        if self.chosen is None:
            self.chosen = "alphabeta" if self.valued else "mcts"
            if entries.players == 2 and self.kept:
                from solver.players.comparison import compared

                self.comparison = compared(entries, self.trained)
                self.chosen = self.comparison.better(self.chosen)
        return self.chosen

    @property
    def valued(self) -> bool:
        """Whether positions have a value, the game's or a learned one."""
        return self.game.rules.value is not None or self.trained is not None

    def mcts(self, entries: Entries) -> MonteCarloSearch:
        """Monte-Carlo tree search."""
        if self._mcts is None:
            from solver.players.comparison import RAVE
            from solver.players.mcts import MonteCarloSearch

            helped = self.comparison is not None and self.comparison.rave
            self._mcts = MonteCarloSearch(entries, options=RAVE if helped else None)
        return self._mcts


class _Thought(Findings):
    """One analysis in the making."""

    def __init__(self, analyst: Analyst, position: Position, allowance: Allowance, nodes: int | None, every: bool,
                 seed: int, compiling: bool) -> None:
        before, known = analyst.known
        same = before is not None and before == position and before.history == position.history
        seed = seed * 1_000_003 + len(position.played)
        super().__init__(position, allowance, known if same else {}, seed, every=every)
        analyst.known = position, self.values
        self.analyst, self.nodes, self.compiling = analyst, nodes, compiling or analyst.compiled
        self.deepest: dict[Move, int] = {}
        """The score of the best move by the search that looked deepest."""

    def steps(self) -> Iterator[Analysis]:
        """Every means in turn, until what was asked is known or the time is over."""
        told = float("-inf")
        means = (self.look_up, self.glance, self.enumerate, self.sketch, self.prove, self.solve, self.search)
        for step in (self.gamble,) if self.game.rules.has_chance else means:
            if self.settled:
                break
            for _ in step():
                if not self.settled and time.monotonic() >= told + _PAUSE:
                    yield self.analysis(final=False)
                    told = time.monotonic()
        yield self.analysis(final=True)

    # ---- the means, in their order

    def look_up(self) -> Iterator[None]:
        """What a tree or an earlier solution knows."""
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
        """Mates, by the interpreter; where the kernel is there already it finds them sooner."""
        if self.allowance.timed and self.analyst.compiled and self.players <= 2:
            return
        nodes = GLANCE if self.nodes is None else min(GLANCE, self.nodes)
        yield from self._proof(self.analyst._glance, nodes, self._most(GLANCE_SECONDS, PROOF_ALL))

    def sketch(self) -> Iterator[None]:
        """What random games say of every move, soon; proofs and searches improve on it."""
        entries = self._kernel() if self.every and self.allowance.timed else None
        if entries is not None:
            yield from self._sampled(entries, self._sketch_limit(), pause=_PAUSE)

    def gamble(self) -> Iterator[None]:
        """Random games for all the time, in a game with chance: there nothing is proven of a move by itself."""
        self.reason = "chance has a part in what a move is worth"
        entries = self._kernel()
        if entries is not None:
            self.allowance.keep(SEARCHING)
            yield from self._sampled(entries, self._limit(), pause=_PAUSE)

    def prove(self) -> Iterator[None]:
        """Forced ends further away: by the kernel, or by the interpreter where nothing is compiled."""
        entries = self._kernel()
        if entries is None and self.nodes is None:
            self.allowance.keep(SEARCHING)
            yield from self._proof(self.analyst._glance, PLAIN_NODES, self.allowance.left())
        elif entries is not None and self.players <= 2 and not self.allowance.late:
            if self.allowance.timed and not self.every and self.analyst.chosen == "alphabeta":
                return  # it finds forced ends as soon, and all the time is its own
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
            self.solved_by = SHALLOW if proof.moves else self.solved_by
            self.depth = max(self.depth, proof.depth)
            self.positions += proof.nodes - before
            before = proof.nodes
            yield

    def _most(self, seconds: float, share: float) -> float | None:
        """So many seconds, or a part of the time where that is less; all that is left where positions are the limit."""
        left = self.allowance.left(share)
        return left if left is None or not self.allowance.timed else min(seconds, left)

    def enumerate(self) -> Iterator[None]:
        """All positions that can follow, where they are few, by the interpreter."""
        if self.analyst.compiled and self.nodes is None:
            return  # the kernel is faster
        nodes = FEW if self.nodes is None else min(FEW, self.nodes)
        seconds = self.allowance.left(SOLVING)
        if seconds is not None and not self.allowance.strict:
            seconds = max(FEW_SECONDS, seconds)
        yield from self._solved("few", ALL, "interpreter", nodes, seconds)

    def solve(self) -> Iterator[None]:
        """All positions that can follow, then a search for the values of the moves."""
        if not self.compiling:
            self.reason = "there was no time for more"
            return
        engine = self.analyst.engine
        if engine == "auto":
            engine = "interpreter" if self._kernel() is None else "kernel"
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
        """The search for the moves' values that is expected to take least; None where there is none."""
        space = GameSpace(self.game, self.state)
        task = Task(space, Budget(), game_space=space, engine=engine)
        return next((found for found in ranked(task) if found[0].decides and found[0].name != ALL), None)

    def _hopeless(self, seconds: float | None) -> bool:
        """Whether games from here are too long, and have too many moves, for any way to solve the position."""
        entries = self.analyst.entries()
        if entries is None or not self.game.acyclic:
            return False
        from solver.players.mcts import length_of_games

        plies = length_of_games(entries, self.state, _GAMES)
        looked_at = min(MOST, self.nodes or MOST, MOST if seconds is None else 1 + RATE * seconds)
        return plies * math.log10(max(2, len(self.legal))) > 2 * math.log10(looked_at) + HOPEFUL

    def _solved(self, way: str, method: str, engine: Engine, nodes: int, seconds: float | None) -> Iterator[None]:
        """The values by a solution; a table of all positions is kept."""
        analyst, ply = self.analyst, len(self.position.played)
        there, spent, patience = analyst.failed.get(way, (-PATIENCE, 0.0, 0))
        if self.allowance.timed and there <= ply < there + patience and (seconds or 0.0) < 1.5 * spent:
            self.reason = "more positions can follow than could be looked at"
            return
        depends = self.rule in ("loses", "forbidden") or (self.rule and self.game.repetition.aside)
        if depends and self.position.history:
            self.reason = "what was played before matters by the repetition rule"
            return
        if seconds is not None and seconds < (_LEAST_STRICT if self.allowance.strict else _LEAST):
            return
        clock = Clock(float("inf") if seconds is None else seconds, self.allowance.now)
        began = self.allowance.now()
        solution = _solution(self.game, self.state, method, engine, nodes, analyst.memory, clock.look)
        if seconds is not None:
            beyond = self.allowance.now() - began - seconds
            self.allowance.add(clock.compiling if self.allowance.strict else beyond)
        self.positions += solution.positions
        if not solution.complete:
            again = patience if there <= ply else 0  # else another game was begun
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
                self.note(move, winner, plies)
        yield

    def _from(self, table: Solved[State, Move], values: Mapping[Move, tuple[int | None, int | None]]) -> None:
        """Note the moves' values by all positions', as far as they hold with what was played before.

        A win holds where no position that was there before is a win of the same player in fewer plies: on the way to it
        the plies only fall, so that it does not come back to any of them.
        """
        if not values:
            found = {}
            for move, after in self.game.engine.successors(self.state):
                value = table.value(after)
                if value is not None:
                    found[move] = value.winner, None if value.remoteness is None else value.remoteness + 1
            values = found
        past = [table.value(state) for state in self.position.history] if self.rule else []
        for move, (winner, plies) in values.items():
            if winner is not None and winner != DRAW and any(
                    before is None or (before.winner == winner and (before.remoteness or 0) <= (plies or 0))
                    for before in past):
                continue
            self.note(move, winner, plies)

    def search(self) -> Iterator[None]:
        """A search with estimates, for the time that is left."""
        entries = self._kernel()
        if entries is None:
            return
        self.allowance.keep(STRICT_SEARCHING if self.allowance.strict else SEARCHING)
        if self._by_alphabeta(entries):
            yield from self._deepened(entries, 0.5 if self.every else 1.0)
            if self.every and not self.settled:
                yield from self._each(entries)
        else:
            yield from self._sampled(entries, self._limit())

    def _by_alphabeta(self, entries: Entries) -> bool:
        """Whether the search is alpha-beta: where positions are the limit, or estimates are wanted, by the `value`."""
        valued = self.analyst.valued
        if self.players > 2 or (self.every and not valued):
            return False
        if not self.allowance.timed:
            return valued
        return self.allowance.uncounted(partial(self.analyst.choose, entries)) == "alphabeta"

    def _limit(self, share: float = 1.0) -> Limit:
        """The limit of a search that takes a part of the time: of all of it, as its best move counts at any time."""
        from solver.players.iterative_deepening import Limit

        left = self.allowance.left()
        if not self.allowance.timed:
            return Limit(nodes=self.nodes, ceiling=left)
        return Limit(nodes=self.nodes, seconds=None if left is None else share * left, begun=1.0,
                     processor=self.allowance.processor)

    def _sketch_limit(self) -> Limit:
        """The limit of what random games say at first."""
        from solver.players.iterative_deepening import Limit

        return Limit(seconds=max(SKETCHING_SECONDS, self.allowance.left(SKETCHING) or 0.0), begun=1.0)

    def _deepened(self, entries: Entries, share: float) -> Iterator[None]:
        """Alpha-beta by the game's `value`, for the best move."""
        search = self.allowance.uncounted(partial(self.analyst.deepening, entries))
        if self.nodes is not None:
            search.forget()
        found = search.search(self.state, self._limit(share), history=self.position.history, seed=self.seed,
                              losing=self.losing)
        whole = [step.depth for step in found.report.depths if step.whole]
        self._take(found, "alphabeta")
        self.depth = max(whole, default=0)
        if found.winner in (self.side, DRAW):  # where all moves lose it is the one that lasts longest
            self._note_found(found.move, found.winner, found.remoteness, self.depth)
            self.followed = found.move in self.values
        self.deepest = {found.move: found.score}
        self.scores = {} if self.shares else self.deepest
        yield

    def _each(self, entries: Entries) -> Iterator[None]:
        """Alpha-beta by the game's `value`, for each move, one ply deeper each time."""
        from solver.players.iterative_deepening import MOST_PLIES, Limit

        search, spent = self.allowance.uncounted(partial(self.analyst.deepening, entries)), 0
        after = dict(self.game.engine.successors(self.state))
        history = (*self.position.history, self.state)
        order = [move for move in self.legal if move not in self.values]
        for depth in range(1, MOST_PLIES):
            scores: dict[Move, int] = {}
            for move in order:
                if self.allowance.late or (self.nodes is not None and spent >= self.nodes):
                    return
                there = after[move]
                nodes = None if self.nodes is None else self.nodes - spent
                limit = Limit(depth, nodes, self.allowance.left())
                found = search.search(there, limit, history=history, seed=self.seed, first=depth)
                spent += found.report.nodes
                self.positions += found.report.nodes
                if not (found.report.depths and found.report.depths[-1].whole):
                    return
                scores[move] = found.score if there.to_move == self.mover else -found.score
                plies = None if found.remoteness is None else found.remoteness + 1
                self._note_found(move, found.winner, plies, depth + 1)
            self.scores, self.shares = _beside(self.deepest, scores), {}
            self.depth = max(self.depth, depth + 1)
            order = sorted((move for move in order if move not in self.values), key=lambda move: -scores[move])
            yield
            if not order:
                return

    def _note_found(self, move: Move, winner: int | None, plies: int | None, depth: int) -> None:
        """Note what a search saw by force; a draw only where it does not hang on the way there."""
        if winner == DRAW and self.rule in ("loses", "forbidden"):
            return
        self.note(move, winner, plies if plies is not None and plies <= depth + 1 else None)

    def _sampled(self, entries: Entries, limit: Limit, pause: float = 0.3) -> Iterator[None]:
        """Random games."""
        search, before = self.allowance.uncounted(partial(self.analyst.mcts, entries)), self.positions
        games = self.games
        if self.nodes is not None:
            search.forget()
        for found in search.improve(self.state, limit, history=self.position.history, seed=self.seed,
                                    losing=self.losing, pause=pause):
            self.positions = before
            self._take(found, "mcts")
            self.games = games + (found.report.leaves or 0)
            self.shares = search.shares()
            if found.winner == self.side:
                self.note(found.move, found.winner, None)
            yield

    def _take(self, found: Found, method: Basis) -> None:
        self.found, self.method, self.line, self.report = found.move, method, found.report.line, found.report
        if self.analyst.comparison is not None and method == self.analyst.chosen:
            self.report = attrs.evolve(found.report, method=self.analyst.comparison.reason(method))
        self.positions += found.report.nodes

    def _kernel(self) -> Entries | None:
        """The game's kernel; None where there is none, or nothing may be compiled for it."""
        return None if not self.compiling else self.allowance.uncounted(self.analyst.entries)


def _solution(game: Game, state: State, method: str, engine: Engine, nodes: int, memory: int | None,
              look: Callable[[int, int, str], None]) -> Solution[State, Move]:
    """A solution within limits; without symmetries where the game lacks those that it declares."""
    for symmetry in (True, False):
        try:
            return solve_game(game, state, symmetry=symmetry, method=method, nodes=nodes, memory=memory, progress=look,
                              engine=engine)
        except GameFileError:
            if not symmetry:
                raise
    raise AssertionError("unreachable")


def _beside(best: Mapping[Move, int], scores: Mapping[Move, int]) -> dict[Move, int]:
    """The scores of moves that were searched less deep than the best one, beside its score.

    `best` has that move alone. Scores of other depths differ by who moved last, so they are shifted by what the best
    move's two scores differ; none is above it, as far as the deeper search went.
    """
    found = dict(scores)
    for move, score in best.items():
        shift = score - scores.get(move, score)
        if abs(shift) >= FORCED:
            shift = 0
        found = {other: min(score, value if abs(value) >= FORCED else value + shift) for other, value in found.items()}
        found[move] = score
    return found
