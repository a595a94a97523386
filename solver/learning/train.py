"""Learns a value by self-play: `Training` plays games in batches of moves, and can continue from an earlier result.

`solver.native.self_play` plays the games and updates the weights; the result is a `Trained`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator

import attrs
import numpy as np

from solver.entries import Entries
from solver.learning.features import Features
from solver.learning.trained import Trained, digest_of, kept_numbers
from solver.native import functions, runtime
from solver.native import self_play as native
from solver.native.records import native_records, values_of
from solver.random_play import LONGEST, length_of_games, scale_of_value
from solver.seeds import seed_of

PORTION = 200
"""Games between two entries of the history."""
STUCK = 1e-3
"""The mean squared error of a portion below which its games taught nothing.

While the weights say nothing, the winner of the first games can come to be thought to win from everywhere, in games in
which the other player learns nothing either: in one game the first winner won every time, with an error of 1e-7; the
least of 14 other games was 4e-3. Learning then starts again with random games. (Such games first in all games make
values worse: after 2,000 games of one they lost 32 of 40 to those without.)
"""
RANDOM = 200
"""The number of random games with which learning starts again."""
EARLY = 5 * PORTION
"""The number of games in which it may."""
BATCH = 0.1
"""Seconds between two stops of `Training.batches`, unless a single move takes longer."""
MOST_MOVES = 1 << 16
"""The most moves between them."""
MOST_PLIES = 400
"""The most moves of a game before it is broken off; the limit is lower where random games are short: four times their
mean length, plus 10."""


class Training:
    """Learns the value of one game: `play` and `batches` play games, `result` returns what was learned so far.

    Raises ValueError where no value can be learned for the game.
    """

    def __init__(self, entries: Entries, *, seed: int = 0, rates: native.Rates | None = None, tuples: int = 0,
                 by_mover: bool = True, before: Trained | None = None) -> None:
        game = entries.game
        if len(game.players) != 2:
            raise ValueError(f"values are learned of games for two players; {game.title} has {len(game.players)}")
        if game.rules.has_chance:
            raise ValueError(f"values are learned of games without chance; {game.title} has some")
        runtime.make_ready(native.play)
        self.tuples = tuples if before is None else before.tuples
        self.by_mover = by_mover if before is None else before.by_mover
        self.entries, self.before = entries, before
        self.features = Features.of(game, tuples, by_mover=by_mover) if before is None else before.features(game)
        valued = game.rules.value is not None
        self.seed = seed if before is None else before.seed
        self.rates = attrs.astuple(rates or native.Rates()) if before is None else before.rates
        self.scale = before.scale if before is not None else scale_of_value(entries) if valued else 0
        self.history: list[tuple[int, float]] = [] if before is None else list(before.history)
        self.start = entries.row(game.start().state)
        length = length_of_games(entries, game.start().state, 10)
        self._limit = int(min(MOST_PLIES, LONGEST, 4 * length + 10))
        self._lesson = self._made(int(length // 4))

    def _made(self, opening: int) -> native.Lesson:
        """Return the arrays of the lesson; games begin with at most `opening` random moves."""
        entries, features, before = self.entries, self.features, self.before
        game, layout = entries.game, entries.kernel.assembled.layout
        tables, contents, numbers = features.tables, features.contents, features.numbers
        begin, touched, powers = features.touching(tables, game.board.size)
        rows = len(tables) + len(numbers)
        progress, setting = native_records(native.Progress, 1), native_records(native.Setting, 1)
        fixed = setting[0]
        fixed.words, fixed.pieces, fixed.cells, fixed.patterns = layout.words, contents, game.board.size, rows
        fixed.numbers, fixed.second = len(numbers), features.second
        fixed.to_move, fixed.seats, fixed.outcome = layout.to_move, layout.seats, layout.outcome
        fixed.failure, fixed.opening, fixed.limit = layout.failed, opening, self._limit
        fixed.term, fixed.scale = int(self.scale > 0), max(1, self.scale)
        rates = native_records(native.Rates, 1)
        for name, rate in zip(native.Rates.__annotations__, self.rates, strict=True):
            setattr(rates[0], name, rate)
        told = progress[0]
        told.chance = seed_of(self.seed)
        if before is not None:
            told.games, told.positions, told.chance = before.games, before.positions, before.chance
            told.random = before.random
        told.begun = told.chance

        def kept(name: str, count: int) -> functions.Reals:
            return np.zeros(count) if before is None else np.array(getattr(before, name))

        return native.Lesson(
            begin=np.array(begin, np.int64), touched=np.array(touched, np.int32), powers=np.array(powers, np.int32),
            bases=np.array([*(item.base for item in tables), *(item.base for item in numbers)], np.int64),
            signs=np.array([*(item.sign for item in tables), *(item.sign for item in numbers)], np.int64),
            numbers=kept_numbers(entries, numbers),
            labels=np.array([range(contents), features.labels], np.int64), weights=kept("weights", features.count),
            trends=kept("trends", features.count), turmoil=kept("turmoil", features.count),
            others=kept("others", 3 * native.OTHERS), rates=rates, contents=entries.numbers(fixed.cells),
            indices=entries.numbers(self._limit + 1, rows), movers=entries.numbers(self._limit + 1),
            terms=np.zeros(self._limit + 1), targets=np.zeros(self._limit + 1), greedy=entries.numbers(self._limit + 1),
            rows=entries.words(2, entries.width), offered=entries.numbers(entries.room, entries.move_width),
            entries=entries.entry_rows(), scratch=entries.scratch(), move=entries.numbers(entries.move_width),
            errors=np.zeros(2) if before is None else np.array(before.errors), progress=progress, setting=setting)

    @property
    def games(self) -> int:
        """The number of games played in all."""
        return self._told()["games"]

    @property
    def positions(self) -> int:
        """The number of positions played in all, including those of the game in progress."""
        told = self._told()
        return told["positions"] + told["going"] * told["length"]

    @property
    def learned(self) -> bool:
        """Whether any weight is known; none is while no game was won."""
        return bool(self._lesson.weights.any() or self._lesson.others.any())

    @property
    def stuck(self) -> bool:
        """Whether the games since the last entry of the history but one taught nothing."""
        return bool(self.history) and self.history[-1][1] < STUCK

    def _told(self) -> dict[str, int]:
        return values_of(self._lesson.progress, native.Progress)

    def play(self, games: int) -> None:
        """Play until `games` games were played in all. Raises RuleError where a rule fails."""
        for _ in self.batches(games):
            pass

    def batches(self, games: int) -> Iterator[None]:
        """Play until `games` games were played in all; stop after each batch of moves, for the caller to go on or not.

        The result does not depend on the batches: training goes on within the game where it was stopped, or where
        KeyboardInterrupt ended it between two batches. Raises RuleError where a rule fails.
        """
        moves, play = 1, runtime.compiled_entry(native.play)
        given = self.entries.offer, self.entries.step, self.entries.value_of, self.entries.random_game
        while (played := self.games) < games:
            self._note()
            started = time.perf_counter()
            until = min(games, (played // PORTION + 1) * PORTION)
            if play(*given, self.start, self._lesson, until, moves) == native.FAIL:
                self._make_room()
                continue
            took = max(time.perf_counter() - started, 1e-6)
            moves = min(MOST_MOVES, math.ceil(moves * min(4.0, BATCH / took)))
            self._note()
            yield

    def _make_room(self) -> None:
        """Enlarge the lists of moves after a failure. Raises RuleError where they were not the reason."""
        entries = self.entries
        entries.make_room(self._lesson.rows[0])
        self._lesson = self._lesson._replace(offered=entries.numbers(entries.room, entries.move_width),
                                             entries=entries.entry_rows())

    def _note(self) -> None:
        """Add an entry to the history after each portion, also if an interruption came between."""
        games = self.games
        if games and games % PORTION == 0 and (not self.history or self.history[-1][0] < games):
            squares, count = self._lesson.errors
            self.history.append((games, float(squares / max(count, 1.0))))
            self._lesson.errors[:] = np.zeros(2)
            if games <= EARLY and self.history[-1][1] < STUCK:
                self._begin_at_random()

    def _begin_at_random(self) -> None:
        """Forget what was learned, and begin again with random games."""
        lesson = self._lesson
        for numbers in (lesson.weights, lesson.trends, lesson.turmoil, lesson.others):
            numbers[:] = 0
        lesson.progress[0].random = RANDOM

    def result(self) -> Trained:
        """Return what was learned so far, from whole games: training that continues repeats the one in progress."""
        self._note()
        game, lesson, told = self.entries.game, self._lesson, self._told()
        return Trained(
            game.title, dict(game.params), digest_of(game), self.seed, told["games"], told["positions"], told["begun"],
            self.scale, tuple(self.rates), tuple(self.history), tuple(map(float, lesson.errors)),
            np.array(lesson.weights), np.array(lesson.trends), np.array(lesson.turmoil), np.array(lesson.others),
            self.tuples, self.by_mover, told["random"])
