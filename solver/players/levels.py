"""Levels of play, and the players made from them: "alphabeta plies=4", "patterns plies=5", "mcts seconds=1", "random".

`Level.of(text)` parses a level, `level.player(game)` makes a player of a game, `player.choose(position)` returns its
move. With the same seed a player makes the same moves in the same positions, unless its limit is a time or it has
several threads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import TYPE_CHECKING, Any

import attrs

from dsl.diagnostics import did_you_mean
from dsl.diagnostics.wording import either
from dsl.syntax.source import Source, Unreadable, read
from interpreter.compiler.lowering.errors import NotLowered
from interpreter.game import Game
from interpreter.hooks import Hooks
from interpreter.patterns.matching import Book
from solver.players.allowance import CEILING
from solver.players.analysis import Analyst
from solver.players.choice import Player
from solver.players.kinds import KINDS, LIMITS, Kind, check_level
from solver.players.level_players import RandomPlayer, SearchingPlayer, SolvingPlayer
from solver.players.limits import Limit
from solver.players.margins import SHARE
from solver.players.options import Option

if TYPE_CHECKING:
    from solver.learning.trained import Trained
    from solver.players.endgame_tables import EndgameTables

MOST_THREADS = 256
"""The most threads of a search."""
_OPTION = "option"
"""The name under which the metadata of a field of `Level` has its `Option`."""


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
    probcut: float | str | None = _option(float, "measured", "none", below=0.5, off="none")
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
    ponder: str | None = _option(None, "yes", "no", off="no")
    """Whether to ponder while the opponent thinks: yes or no; see `solver.players.pondering`."""
    trained: str | None = _option(off="none")
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
        record.check({name: word for name, word in given.items() if name in level.meant}, text)
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
    def meant(self) -> dict[str, str]:
        """The same without those that say only that an option is not used, as `trained=none`."""
        return {name: word for name, word in self.given.items() if getattr(self, name) != OPTIONS[name].off}

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
        """Raise ValueError for an option that has a meaning and is not among those that are used."""
        for name, word in self.meant.items():
            if name not in used:
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
