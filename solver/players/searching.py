"""Estimates of a position's moves, in a given time: by alpha-beta with the game's `value`, or by random games.

Where the value of every move is wanted, alpha-beta first searches for the best few moves, one after the other and one
ply deeper each time, so that each has its line; then it searches each move separately.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

import attrs

from interpreter.game import Position
from interpreter.model.state import DRAW, Move
from solver.players.allowance import Allowance
from solver.players.best_lines import SHOWN, Seen
from solver.players.candidates import ALPHABETA, CONNECTING, PATTERNS
from solver.players.findings import Findings
from solver.players.judge import FORCED, Basis
from solver.players.searches import Searches
from solver.strong import Value

if TYPE_CHECKING:
    from solver.entries import Entries
    from solver.players.found import Found
    from solver.players.limits import Limit
    from solver.players.mcts import MonteCarloSearch

SEARCHING, STRICT_SEARCHING = 0.5, 0.25
"""The least share of the time that the search gets, whatever was spent before it; the second for strict limits."""
SKETCHING, SKETCHING_SECONDS = 0.1, 0.1
"""The share of the time for the first estimates by random games, and the least seconds for them."""
PAUSE = 0.1
"""Seconds between two answers."""


class HeuristicSearches(Findings):
    """The heuristic searches of one analysis, with at most `nodes` nodes where that is given.

    Without `compiling` nothing waits for the kernel; without `comparing` nothing waits for a match between searches.
    """

    def __init__(self, searches: Searches, position: Position, allowance: Allowance, values: dict[Move, Value],
                 seed: int, *, every: bool, nodes: int | None, compiling: bool, comparing: bool) -> None:
        super().__init__(position, allowance, values, seed, every=every)
        self.searches, self.nodes, self.comparing = searches, nodes, comparing
        self.compiling = compiling or searches.compiled
        self.deepest: dict[Move, int] = {}
        """The scores of the best moves by the deepest complete search of several moves, the best first."""
        self.searched, self.valued = 0, 0
        """Plies completed by the search for the best moves, and by the search of each move."""

    def go_on(self, last: HeuristicSearches) -> None:
        """Continue from the results of an earlier analysis of all moves."""
        self.seen, self.leading, self.deepest = last.seen, last.leading, last.deepest
        self.scores, self.shares, self.games = last.scores, last.shares, last.games
        self.found, self.method, self.line = last.found, last.method, last.line
        self.report = None if last.report is None else attrs.evolve(last.report, interrupted=False)
        self.depth, self.searched, self.valued = last.depth, last.searched, last.valued

    def sketch(self) -> Iterator[None]:
        """Estimate every move quickly by random games, before proofs and searches improve on it."""
        entries = self.kernel() if self.every and self.allowance.timed and not (self.searched or self.shares) else None
        if entries is not None:
            yield from self._sampled(entries, self._sketch_limit(), pause=PAUSE)

    def gamble(self) -> Iterator[None]:
        """Estimate moves by random games for all the time, in a game with chance, where moves are not proven."""
        self.reason = "chance has a part in what a move is worth"
        entries = self.kernel()
        if entries is not None:
            self.allowance.keep(SEARCHING)
            yield from self._sampled(entries, self._limit(), pause=PAUSE)

    def search(self) -> Iterator[None]:
        """Run the heuristic search for the time that is left."""
        entries = self.kernel()
        if entries is None:
            return
        self.allowance.keep(STRICT_SEARCHING if self.allowance.strict else SEARCHING)
        if not self._by_alphabeta(entries):
            if self.searches.chosen == CONNECTING and not self.every and self.allowance.timed:
                yield from self._joined(entries)
            else:
                yield from self._sampled(entries, self._limit())
        elif not self.every:
            yield from self._deepened(entries)
        else:
            yield from self._several(entries, 0.5)
            if not self.settled and not self.interrupted:
                yield from self._each(entries)

    def _by_alphabeta(self, entries: Entries) -> bool:
        """Whether the search is alpha-beta; never for more than two players.

        With a limit of positions it is wherever positions have a value; with a limit of time the matches between the
        searches decide. Where every move's value is wanted, it needs a value and also replaces the search for games of
        connection.
        """
        valued = self.searches.valued
        if self.players > 2 or (self.every and not valued):
            return False
        if not self.allowance.timed:
            return valued
        choose = partial(self.searches.choose, entries, comparing=self.comparing)
        chosen = self.allowance.uncounted(choose)
        return chosen in (ALPHABETA, PATTERNS) or (chosen == CONNECTING and self.every)

    def _limit(self, share: float = 1.0) -> Limit:
        """The limit of a search for a share of the time left, until the end of which new depths may begin."""
        from solver.players.limits import Limit

        left = self.allowance.left()
        if not self.allowance.timed:
            return Limit(nodes=self.nodes, ceiling=left)
        return Limit(nodes=self.nodes, seconds=None if left is None else share * left, begun=1.0,
                     processor=self.allowance.processor)

    def _sketch_limit(self) -> Limit:
        """The limit of the first estimates by random games."""
        from solver.players.limits import Limit

        return Limit(seconds=max(SKETCHING_SECONDS, self.allowance.left(SKETCHING) or 0.0), begun=1.0,
                     processor=self.allowance.processor)

    def _deepened(self, entries: Entries) -> Iterator[None]:
        """Search for the best move by alpha-beta."""
        search = self.allowance.uncounted(partial(self.searches.deepening, entries))
        if self.nodes is not None:
            search.forget()
        result = search.search(self.state, self._limit(), history=self.position.history, seed=self.seed,
                               losing=self.losing)
        self._take(result, "alphabeta")
        self._follow(result, result.report.depth)
        self.scores = {} if self.shares else {result.move: result.score}
        yield

    def _joined(self, entries: Entries) -> Iterator[None]:
        """Search for the best move by the search for games of connection."""
        search = self.allowance.uncounted(partial(self.searches.joining, entries))
        games = self.games
        result = search.search(self.state, self._limit(), history=self.position.history, seed=self.seed)
        self._take(result, "mcts")
        self.games = games + (result.report.simulated or 0)
        if result.winner == self.side:
            self.note(result.move, result.winner, None)
        yield

    def _follow(self, result: Found, depth: int) -> None:
        """Note the depth of the search for the best move, and its proven result."""
        self.depth = depth
        if result.winner in (self.side, DRAW):  # a loss is not noted: then the move is the one that lasts longest
            self._note_found(result.move, result.winner, result.remoteness, depth)
            self.followed = result.move in self.values

    def _several(self, entries: Entries, share: float) -> Iterator[None]:
        """Search for the best few moves by alpha-beta, one after the other, one ply deeper each time."""
        from solver.players.iterative_deepening import MOST_PLIES

        search = self.allowance.uncounted(partial(self.searches.deepening, entries))
        if self.nodes is not None:
            search.forget()
        limit, spent = self._limit(share), 0
        outgrowing = entries.outgrowing(self.state)
        until = None if limit.seconds is None else limit.now() + limit.seconds
        for depth in range(self.searched + 1, MOST_PLIES):
            best: dict[Move, Found] = {}
            won = [move for move, value in self.values.items() if value.winner == self.side]
            left_out = {*self.losing, *won, *outgrowing}
            for _ in range(min(SHOWN, len(self.legal) - len(left_out))):
                left = None if until is None else until - limit.now()
                if (left is not None and left <= 0) or (self.nodes is not None and spent >= self.nodes):
                    return
                nodes = None if self.nodes is None else self.nodes - spent
                result = search.search(self.state, attrs.evolve(limit, plies=depth, nodes=nodes, seconds=left),
                                       history=self.position.history, seed=self.seed, first=depth,
                                       losing=(*left_out, *best))
                spent += result.report.nodes
                self._count(result)
                if self.interrupted or not result.report.whole:
                    return
                best[result.move] = result
            if not best:
                return
            self._take_several(sorted(best.values(), key=lambda result: -result.score), depth)
            yield
            if self.settled or all(result.winner is not None for result in best.values()):
                return

    def _take_several(self, best: list[Found], depth: int) -> None:
        """Note the results of a search for the best moves, given the best first.

        A move found later may have the better score, because table entries come from searches with other windows.
        """
        self.searched, spent = depth, self.positions
        self._take(best[0], "alphabeta")
        self.positions = spent
        for result in best:
            self.see_together(result.move, Seen(result.report.line, depth, 0, result.score))
            if result.winner in (self.side, DRAW):
                self._note_found(result.move, result.winner, result.remoteness, depth)
        self._follow(best[0], depth)
        self.leading = tuple(result.move for result in best)
        self.deepest = {result.move: result.score for result in best}
        self.scores = {} if self.shares else {**self.scores, **self.deepest}

    def _each(self, entries: Entries) -> Iterator[None]:
        """Search each move that is not proven separately by alpha-beta, one ply deeper each time."""
        from solver.players.iterative_deepening import MOST_PLIES
        from solver.players.limits import Limit

        search, spent = self.allowance.uncounted(partial(self.searches.deepening, entries)), 0
        after = dict(self.game.engine.successors(self.state))
        history = (*self.position.history, self.state)
        order = [move for move in self.legal if move not in self.values]
        for depth in range(self.valued + 1, MOST_PLIES):
            scores: dict[Move, int] = {}
            for move in order:
                if self.allowance.late or (self.nodes is not None and spent >= self.nodes):
                    return
                there = after[move]
                nodes = None if self.nodes is None else self.nodes - spent
                limit = Limit(depth, nodes, self.allowance.left(), processor=self.allowance.processor)
                result = search.search(there, limit, history=history, seed=self.seed, first=depth)
                spent += result.report.nodes
                self._count(result)
                if self.interrupted or not result.report.whole:
                    return
                scores[move] = result.score if there.to_move == self.mover else -result.score
                plies = None if result.remoteness is None else result.remoteness + 1
                self._note_found(move, result.winner, plies, depth + 1)
                if move not in self.leading:  # scores of different depths are not comparable
                    self.see(move, Seen((self.texts[move], *result.report.line), depth + 1, 0, scores[move]))
            self.valued = depth
            self.scores, self.shares = _beside(self.deepest, scores), {}
            self.depth = max(self.depth, depth + 1)
            order = sorted((move for move in order if move not in self.values), key=lambda move: -scores[move])
            yield
            if not order:
                return

    def _note_found(self, move: Move, winner: int | None, plies: int | None, depth: int) -> None:
        """Note a forced result of a search; a draw only where repetition rules do not make it depend on the path."""
        if winner == DRAW and self.rule in ("loses", "forbidden"):
            return
        self.note(move, winner, plies if plies is not None and plies <= depth + 1 else None)

    def _sampled(self, entries: Entries, limit: Limit, pause: float = 0.3) -> Iterator[None]:
        """Search by MCTS, and yield after each interim result."""
        search, before = self.allowance.uncounted(partial(self.searches.mcts, entries)), self.positions
        games = self.games
        if self.nodes is not None:
            search.forget()
        for result in search.improve(self.state, limit, history=self.position.history, seed=self.seed,
                                     losing=self.losing, pause=pause):
            self.positions = before
            self._take(result, "mcts")
            self.games = games + (result.report.leaves or 0)
            self.shares = search.shares()
            if self.every:
                self._see_sampled(search)
            if result.winner == self.side:
                self.note(result.move, result.winner, None)
            yield

    def _see_sampled(self, search: MonteCarloSearch) -> None:
        """Note the best moves of the tree's root with their lines."""
        best = [*search.best(self.state, SHOWN)]
        self.leading = tuple(move for move, _, _ in best)
        for move, games, line in best:
            self.see_together(move, Seen(line, 0, games))

    def _take(self, result: Found, method: Basis) -> None:
        self.found, self.method, self.line, self.report = result.move, method, result.report.line, result.report
        comparison, chosen = self.searches.comparison, self.searches.chosen
        if comparison is not None and chosen is not None and _method(chosen) == result.report.method:
            self.report = attrs.evolve(result.report, method=comparison.reason(chosen))
        self._count(result)

    def _count(self, result: Found) -> None:
        """Count the positions of a search, and note whether Ctrl-C ended it."""
        self.positions += result.report.nodes
        if result.report.interrupted:
            self.interrupted, self.report = True, self.report or result.report

    def kernel(self) -> Entries | None:
        """The game's kernel; None where there is none, or compiling is not allowed."""
        return None if not self.compiling else self.allowance.uncounted(self.searches.entries)


def _method(search: str) -> str:
    """The name of a search in reports: the search by patterns is alpha-beta, and options are left out."""
    return ALPHABETA if search == PATTERNS else search.split()[0]


def _beside(best: Mapping[Move, int], scores: Mapping[Move, int]) -> dict[Move, int]:
    """Merge the scores of all moves with those of the best moves, which were searched deeper.

    Scores of different depths differ by who moved last, so the shallower ones are shifted by the difference between the
    best move's two scores. None of them may exceed the lowest score in `best`.
    """
    if not best:
        return dict(scores)
    move, score = next(iter(best.items()))
    shift = score - scores.get(move, score)
    if abs(shift) >= FORCED:
        shift = 0
    least = min(best.values())
    return {**{other: min(least, value if abs(value) >= FORCED else value + shift) for other, value in scores.items()},
            **best}
