"""Levels of play, and the players made from them: "alphabeta plies=4", "patterns plies=5", "mcts seconds=1", "random".

`Level.of(text)` parses a level, `level.player(game)` makes a player of a game, `player.choose(position)` returns its
move. With the same seed a player makes the same moves in the same positions, unless its limit is a time or it has
several threads.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from math import inf
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import attrs

from dsl.diagnostics import did_you_mean
from dsl.diagnostics.wording import either
from dsl.syntax.source import Source, Unreadable, read
from interpreter.compiler.lowering.errors import NotLowered
from interpreter.game import Game, Position
from interpreter.hooks import Hooks
from interpreter.patterns.matching import Book
from solver.players.allowance import CEILING, cut_off
from solver.players.analysis import Analyst
from solver.players.candidates import WIDTH
from solver.players.choice import Choice as Choice
from solver.players.choice import check_going_on
from solver.players.found import interrupted
from solver.players.iterative_deepening import TABLE_MIB, Choosing, Deepening
from solver.players.judge import standing
from solver.players.kinds import KINDS, LIMITS, Kind, check_level, check_valued, is_off
from solver.players.limits import Limit
from solver.players.margins import SHARE, measured
from solver.players.mcts import MctsOptions, MonteCarloSearch
from solver.players.options import Option
from solver.players.pacing import LEAST, GameClock, Pace
from solver.players.pondering import Pondering
from solver.seeds import seed_at

if TYPE_CHECKING:
    from solver.entries import Entries
    from solver.learning.trained import Trained
    from solver.players.connecting import ConnectingSearch
    from solver.players.endgame_tables import EndgameTables

MOST_THREADS = 256
"""The most threads of a search."""
_OPTION = "option"
"""The name under which the metadata of a field of `Level` has its `Option`."""


class Player(Protocol):
    """Chooses moves in one game."""

    def choose(self, position: Position) -> Choice:
        """A move in a position that is not over."""


@runtime_checkable
class Limited(Player, Protocol):
    """A player with a limit for each move, which may be changed between moves."""

    limit: Limit


def _option(number: type[int] | type[float] | None = None, *words: str, **bounds: Any) -> Any:
    """A field of `Level` that is an `Option`, None where it is not given."""
    return attrs.field(default=None, metadata={_OPTION: Option(number, words, **bounds)})


@attrs.frozen
class Level:
    """A playing strength: a method of choosing moves, its limits for each move, and other options."""

    kind: str
    plies: int | None = _option(int)
    nodes: int | None = _option(int)
    seconds: float | None = _option(float, lifted=True)
    """The most time for a move; infinity lifts the ceiling on the time of searches limited by plies or nodes."""
    cpu: float | None = _option(float)
    """The same in processor seconds, for measurements on a machine that does other things as well."""
    clock: float | None = _option(float)
    """Seconds for all moves of a game; see `solver.players.pacing`."""
    exploring: float | None = _option(float)
    rave: int | None = _option(int)
    minimax: float | None = _option(float, most=1)
    widening: int | None = _option(int)
    playout: int | None = _option(int)
    """With mcts, as the four fields above: see `solver.players.mcts.MctsOptions`."""
    temperature: float | None = _option(float)
    """With puct: the temperature of the prior probabilities."""
    late: int | None = _option(int)
    """With alphabeta and patterns: the number of moves of a position after which moves are searched with reduced depth
    first."""
    probcut: float | str | None = _option(float, "measured", "none", below=0.5)
    """With alphabeta and patterns: cut positions off by `measured` margins, by margins outside of which this share of
    scores lies, or by `none`; see `solver.players.margins`."""
    star: int | None = _option(int, most=2)
    """With expectimax: 1 for the bounds of Star1 alone; see `solver.players.expectimax.Expectimax`."""
    width: int | None = _option(int)
    """With patterns: the most proposed moves that are searched in a position."""
    moves: str | None = _option(None, "proposed", "all")
    """With patterns: search only the `proposed` moves, or `all`, the proposed ones first. With puct: try only the
    `proposed` moves, and others where these lose, or `all`, which is the default without a file."""
    file: str | None = _option()
    """With patterns and puct, the pattern file; None for the one that comes with the game. With strategy, the strategy
    file; None to compute the strategies first."""

    threads: int | None = _option(int, most=MOST_THREADS)
    """The number of threads that search together; None for 1."""
    ponder: str | None = _option(None, "yes", "no")
    """Whether to ponder while the opponent thinks: yes or no; see `solver.players.pondering`."""
    trained: str | None = _option()
    """The file of a learned value; `none` for none, None for the one beside the game's file, where there is one."""
    endgames: str | None = _option()
    """The file of an endgame table that is probed before a search; None for none."""

    @classmethod
    def of(cls, text: str) -> Level:
        """Parse a level: a kind, then limits. Raises ValueError with what is wrong."""
        words = text.replace(",", " ").split()
        if not words:
            raise ValueError(f"expected a level such as 'alphabeta plies=4'; the kinds are {', '.join(KINDS)}")
        kind = words[0].casefold()
        if kind not in KINDS:
            hint, _ = did_you_mean(kind, KINDS)
            raise ValueError(f"found '{words[0]}'; {hint or 'expected ' + either(KINDS)}")
        record, given = KINDS[kind], dict[str, str]()
        for word in words[1:]:
            name = word.partition("=")[0]
            if name not in record.limits:
                forms = [OPTIONS[limit].example(limit) for limit in record.limits]
                expected = f"expected {either(forms)}" if forms else "it has no limits"
                raise ValueError(f"found '{word}' after '{kind}'; {expected}")
            if name in given:
                raise ValueError(f"'{name}' is given twice in '{text}'")
            given[name] = word
        level = cls(kind, **{name: OPTIONS[name].read(word) for name, word in given.items()})
        record.check(given, text)
        if level.seconds == inf and level.plies is None and level.nodes is None:
            raise ValueError(f"found 'seconds=none' in '{text}', which leaves no limit: give plies or nodes as well")
        if level.ponder == "yes" and level.limit.seconds is None:
            raise ValueError(f"found 'ponder=yes' in '{text}', expected seconds=N, cpu=N or clock=N besides: by plies "
                             "alone nothing is kept from move to move")
        return level

    def __str__(self) -> str:
        return " ".join([self.kind, *self.given.values()])

    @property
    def given(self) -> dict[str, str]:
        """The options that are given, each as it is written, by their names."""
        return {name: f"{name}={option.write(value)}" for name, option in OPTIONS.items()
                if (value := getattr(self, name)) is not None}

    @property
    def record(self) -> Kind:
        """The record of its kind."""
        return KINDS[self.kind]

    @property
    def limit(self) -> Limit:
        """The limit of a search for a move."""
        if self.cpu is not None:
            return Limit(self.plies, self.nodes, self.cpu, processor=True)
        if self.clock is not None:  # each move gets a share of it
            return Limit(self.plies, seconds=self.clock)
        if self.plies is None and self.nodes is None:
            return Limit(seconds=self.record.seconds if self.seconds is None else self.seconds)
        if self.seconds is None:
            return Limit(self.plies, self.nodes, ceiling=CEILING)
        return Limit(self.plies, self.nodes, None if self.seconds == inf else self.seconds)

    @property
    def unlimited(self) -> bool:
        """Whether it has no limit of its own, but the default one."""
        return all(limit is None for limit in (self.plies, self.nodes, self.seconds, self.cpu, self.clock))

    @property
    def outside(self) -> float | None:
        """The share of scores outside of the margins by which positions are cut off; None for no margins."""
        return SHARE if self.probcut == "measured" else self.probcut if isinstance(self.probcut, float) else None

    @property
    def proposes(self) -> bool:
        """Whether it is a level puct that tries only the moves that patterns propose."""
        return self.kind == "puct" and (self.moves == "proposed" or (self.moves is None and self.file is not None))

    @property
    def searches(self) -> bool:
        """Whether a search chooses the moves, not chance, a solution or a strategy."""
        return self.record.searches

    def player(self, game: Game, *, seed: int = 0, hooks: Hooks | None = None,
               patterns: Callable[[Game], Source | None] | None = None,
               trained: Callable[[Game], Trained | None] | None = None, kept: bool = True) -> Player:
        """Return a player of a game at this level.

        `patterns` returns the pattern file that comes with a game, `trained` the value learned for it. Compiled rules
        are cached on disk, unless `kept` is false.

        Raises ValueError where the level cannot play the game, GameFileError for mistakes in a pattern file.
        """
        check_level(self.kind, game)
        if self.kind == "strategy":
            from solver.players.strategies import StrategyPlayer

            return StrategyPlayer(game, self.file, seed)
        if self.kind == "ismcts":
            from solver.players.information_sets import InformationSetPlayer

            return InformationSetPlayer(game, self.limit, seed, kept=kept)
        if self.kind == "expectimax" or (self.kind == "solver" and game.rules.has_chance):
            from solver.players.expectimax import STAR, ExpectingPlayer

            self._check_used((*LIMITS, "star"), f"{game.title} has chance, where level {self.kind} does not use it")
            return ExpectingPlayer(game, self.limit, self.star or STAR, valuing=self.kind == "solver")
        match self.kind:
            case "random":
                return RandomPlayer(seed)
            case "solver":
                analyst = Analyst(game, hooks, kept=kept, trained=self.value(game, trained),
                                  patterns=None if patterns is None else patterns(game))
                analyst.endgames = self.tables(game)
                return SolvingPlayer(self, seed, analyst)
        book = self.book(game, patterns) if self.kind == "patterns" or self.proposes else None
        try:
            player = SearchingPlayer(game, self, seed, hooks, book, self.value(game, trained), kept=kept)
            player.endgames = self.tables(game)
            return player
        except NotLowered:
            if not game.rules.has_chance:
                raise
            from solver.players.chance_tree import ChanceTreePlayer

            self._check_used(LIMITS, f"the rules of {game.title} cannot be compiled, and level {self.kind} does not "
                                     "use it then")
            return ChanceTreePlayer(game, self.limit, seed)

    def _check_used(self, used: Sequence[str], why: str) -> None:
        """Raise ValueError for an option that is set, unless to `none` or `no`, and is not among those that are used.
        """
        for name, word in self.given.items():
            if name not in used and not is_off(word):
                raise ValueError(f"found '{word}', but {why}")

    def value(self, game: Game, trained: Callable[[Game], Trained | None] | None) -> Trained | None:
        """The learned value that this level uses; None for none. Raises ValueError where its file is not usable."""
        if self.trained == "none" or "trained" not in self.record.limits:
            return None
        if self.trained is None:
            return None if trained is None else trained(game)
        from solver.learning.trained import Trained

        try:
            result = Trained.read(self.trained)
        except OSError as problem:
            raise ValueError(f"{self.trained}: {problem.strerror or problem}") from None
        result.check(game, self.trained)
        return result

    def tables(self, game: Game) -> EndgameTables | None:
        """The endgame tables that this level probes; None for none. Raises ValueError where their file is not usable.
        """
        if self.endgames is None:
            return None
        from solver.players.endgame_tables import EndgameTables

        try:
            return EndgameTables.open(game, [self.endgames])
        except OSError as problem:
            raise ValueError(f"{self.endgames}: {problem.strerror or problem}") from None

    def book(self, game: Game, patterns: Callable[[Game], Source | None] | None) -> Book:
        """The patterns that this level uses. Raises ValueError where there are none, GameFileError for mistakes."""
        if self.file is not None:
            source = read(self.file)
            if isinstance(source, Unreadable):
                raise ValueError(f"{self.file}: {source.phrase}")
        else:
            result = patterns(game) if patterns is not None else None
            if result is None:
                raise ValueError(f"no patterns come with {game.title}; name a file of yours, as in "
                                 "'patterns file=my.pattern'")
            source = result
        return Book.of(source, game)


OPTIONS: dict[str, Option] = {field.name: field.metadata[_OPTION] for field in attrs.fields(Level)
                              if _OPTION in field.metadata}
"""The options of levels by their names, in the order in which they are written."""


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
