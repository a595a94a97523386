"""The players that levels make: `RandomPlayer`, `SolvingPlayer` and, for all levels that search, `SearchingPlayer`."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

import attrs

from interpreter.game import Game, Position
from interpreter.hooks import Hooks
from interpreter.patterns.matching import Book
from solver.players.allowance import cut_off
from solver.players.analysis import Analyst
from solver.players.candidates import WIDTH
from solver.players.choice import Choice, check_going_on
from solver.players.found import interrupted
from solver.players.iterative_deepening import TABLE_MIB, Choosing, Deepening
from solver.players.judge import standing
from solver.players.kinds import check_valued
from solver.players.limits import Limit
from solver.players.margins import measured
from solver.players.mcts import MctsOptions, MonteCarloSearch
from solver.players.pacing import LEAST, GameClock, Pace
from solver.players.pondering import Pondering
from solver.seeds import seed_at

if TYPE_CHECKING:
    from solver.entries import Entries
    from solver.learning.trained import Trained
    from solver.players.connecting import ConnectingSearch
    from solver.players.endgame_tables import EndgameTables
    from solver.players.levels import Level


def _options(level: Level) -> MctsOptions:
    """The options of Monte Carlo tree search that a level sets."""
    given = {field.name: getattr(level, field.name, None) for field in attrs.fields(MctsOptions)}
    return MctsOptions(**{name: value for name, value in given.items() if value is not None})


def _table_mib(level: Level) -> int:
    """The MiB of a transposition table that holds all nodes a level may visit; it is cleared for each move."""
    return TABLE_MIB if level.nodes is None else min(TABLE_MIB, 1 + (level.nodes >> 13))


def _choosing(level: Level) -> Choosing:
    """Which moves a level considers."""
    if level.kind != "patterns":
        return Choosing()
    return Choosing("proposed first") if level.moves == "all" else Choosing("proposed", level.width or WIDTH)


def _search(level: Level, entries: Entries, trained: Trained | None, *,
            kept: bool) -> Deepening | MonteCarloSearch | ConnectingSearch:
    """The search of a level that runs on a compiled kernel."""
    threads = level.threads or 1
    if level.kind == "connecting":
        from solver.connection_board import EXPLORING
        from solver.players.connecting import ConnectingSearch

        return ConnectingSearch(entries, exploring=level.exploring or EXPLORING, threads=threads)
    if level.kind == "puct":
        options = MctsOptions.puct(exploring=level.exploring, minimax=level.minimax, temperature=level.temperature,
                                   proposed=level.proposes)
        return MonteCarloSearch(entries, options=options, trained=trained, threads=threads)
    if level.kind == "mcts":
        return MonteCarloSearch(entries, options=_options(level), trained=trained, threads=threads)
    share = level.outside
    if share is not None:
        check_valued("probcut goes", entries.game, trained)
    return Deepening(
        entries, table_mib=_table_mib(level), choosing=_choosing(level), trained=trained, late=level.late or 0,
        margins=None if share is None else measured(entries, _choosing(level), trained, share=share, kept=kept),
        threads=threads)


class RandomPlayer:
    """Plays a legal move chosen uniformly at random."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)

    def choose(self, position: Position) -> Choice:
        """Choose a legal move. Raises ValueError where the game is over."""
        check_going_on(position)
        move = self._chance.choice(position.legal())
        return Choice(move, position.game.notation.write(position.state, move))


class SolvingPlayer:
    """Plays the best move by an analyst: a proven one, otherwise the result of a search."""

    def __init__(self, level: Level, seed: int, analyst: Analyst) -> None:
        self.level, self.seed, self.analyst = level, seed, analyst
        self.limit = level.limit
        self._usual = self.limit if level.unlimited else None
        """The default limit, which is not strict; None where the level has its own."""

    def choose(self, position: Position) -> Choice:
        """Choose the best known move; the limit is strict unless it is the default."""
        limit = self.limit
        result = self.analyst.analyse(position, seconds=limit.seconds, nodes=limit.nodes, ceiling=limit.ceiling,
                                      every=False, seed=self.seed, strict=limit is not self._usual,
                                      processor=limit.processor)
        best = result.best
        return Choice(best.move, best.text, best.winner, best.remoteness, "" if result.proven else result.reason,
                      report=result.report, basis=result.basis)


class SearchingPlayer:
    """Plays the best move of a search; keeps its table or tree from move to move where its limit is a time.

    Where its level ponders, it searches on a separate thread while others are to move. Where it has a clock for the
    game, a position that does not follow the previous one starts a new game.

    Raises NotLowered where the compiler cannot compile a rule, ValueError where alpha-beta cannot play the game.
    """

    def __init__(self, game: Game, level: Level, seed: int, hooks: Hooks | None, book: Book | None = None,
                 trained: Trained | None = None, *, kept: bool = True) -> None:
        from solver.entries import Entries
        from solver.players.vectors import VectorSearch

        self.level, self.seed, self.limit = level, seed, level.limit
        self.endgames: EndgameTables | None = None
        """Endgame tables that are probed before a search, if any."""
        self.pondering: Pondering | None = None
        """The search on the opponents' time; None where the level does not ponder, or the search keeps no results."""
        self.pace: Pace | None = None
        """Divides the time for a game among its moves; None with maxn and paranoid."""
        self.clock = None if level.clock is None else GameClock(level.clock)
        """The time for a game; None where the limit is for each move."""
        if level.kind in ("maxn", "paranoid"):
            self._search: Deepening | MonteCarloSearch | VectorSearch | ConnectingSearch = VectorSearch(
                game, "maxn" if level.kind == "maxn" else "paranoid")
            return
        self._search = search = _search(level, Entries.of(game, hooks, book, kept=kept), trained, kept=kept)
        self.pace = Pace(search, game)
        if level.ponder == "yes" and not (isinstance(search, Deepening) and not search.keeps):
            self.pondering = Pondering(search, level.plies)

    def choose(self, position: Position) -> Choice:
        """Choose the best move by the endgame tables, or else by the search."""
        self.rest()
        hurried = False
        try:
            limit = self._limit_of(position)
        except KeyboardInterrupt:  # while it learned the length of games: move at once
            limit, hurried = attrs.evolve(self.limit, seconds=LEAST), True
        begun = time.perf_counter()
        known = None if self.endgames is None else self._by_table(self.endgames, position)
        if known is not None:
            return known
        if self.limit.seconds is None:
            self._search.forget()
        seed = seed_at(self.seed, position)
        result = self._search.search(position.state, limit, history=position.history, seed=seed)
        if hurried:
            result = interrupted(result)
        if self.clock is not None:
            self.clock.spend(position, time.perf_counter() - begun)
        if self.pondering is not None and not result.report.interrupted:
            after = position.play(result.move)
            if after.state.to_move != position.state.to_move:
                self.pondering.begin(after, seed)
        text = position.game.notation.write(position.state, result.move)
        return Choice(result.move, text, result.winner, result.remoteness, cut_off(result.report.cut), result.report)

    def _limit_of(self, position: Position) -> Limit:
        """The limit of a search for a move: a share of the time left, where there is a clock for the game."""
        if self.clock is None or self.pace is None:
            return self.limit
        part = self.clock.left(position) * self.pace.share(position)
        return attrs.evolve(self.limit, seconds=max(LEAST, part))

    def rest(self) -> None:
        """Stop pondering, as the opponent has moved or the game is over."""
        if self.pondering is not None:
            self.pondering.end()

    def _by_table(self, tables: EndgameTables, position: Position) -> Choice | None:
        """The best move by endgame tables, if it wins or the tables have the values of all moves; None otherwise."""
        game, state = position.game, position.state
        side, known = game.sides[state.to_move], tables.moves(state, position.history)
        if not known:
            return None
        move, best = min(known.items(), key=lambda item: standing(item[1].winner, item[1].remoteness, side))
        if best.winner != side and len(known) < len(position.legal()):
            return None
        return Choice(move, game.notation.write(state, move), best.winner, best.remoteness, basis="by endgame table")
