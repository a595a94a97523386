"""Compares the speed of playing random games and counting moves by the interpreter, the kernel, and the hooks.

The ways to play take turns in rounds, so that a machine that slows down slows all of them; measured is the processor
time of one core, and the result is the median of the rounds. Everything together takes the requested time: a game or
count of the interpreter that would take longer is cut off, and its moves count for the time they took. The command
`bench` prints these measurements, and the project's benchmarks build on them.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from math import inf
from random import Random
from statistics import median
from typing import Any, Protocol

import attrs

from interpreter.compiler.lowering.errors import NotLowered
from interpreter.game import Game
from interpreter.hooks import Hooks
from interpreter.kernel.kernel import Kernel
from interpreter.model.state import State
from interpreter.semantics.engine import Engine

ROUNDS = 5
TO_FIND_DEPTH = 0.25
"""The share of the counting time that is spent on finding the depth to count to."""
PATIENCE = 10.0
"""Hooks are compiled if that is expected to take less than this many seconds, or less than the measuring time."""
COMPARED = 200
"""Sequences that are counted however long it takes, so that ways that play different games are detected."""
MOST_DEPTH = 60
"""The greatest depth, for trees with so few branches that they could be counted deeper."""
INTERPRETER, KERNEL, HOOKS = "interpreter", "kernel", "hooks"


@attrs.frozen
class Played:
    """A tally of random games: the number of games, of their moves, and of unfinished games."""

    games: int
    moves: int
    unfinished: int
    made: int
    """Moves made within the measured time; differs from `moves` where a game was cut off or one that was cut off went
    on."""

    def __add__(self, other: Played) -> Played:
        return Played(self.games + other.games, self.moves + other.moves, self.unfinished + other.unfinished,
                      self.made + other.made)


class Play(Protocol):
    """Plays random games."""

    def __call__(self, games: int, seed: int, limit: int, until: float = inf) -> Played:
        """Play `games` games, each at most `limit` moves; may stop after a move once the processor time is past
        `until`."""


class Count(Protocol):
    """Counts move sequences by playing every move."""

    def __call__(self, depth: int, until: float = inf) -> list[int]:
        """The number of sequences of each length up to `depth`; may be too few once the processor time is past
        `until`."""


@attrs.frozen
class Way:
    """One way to play a game."""

    name: str
    play: Play
    count: Count
    compile_seconds: float | None = None
    """Time until the first move was played: generating, compiling, or loading from disk."""
    ready_seconds: float = 0.0
    """Time until everything was ready, including counting."""
    cached: bool | None = None
    """Whether the functions came from disk."""


@attrs.frozen
class Speed:
    """The speed of a way to play. Rates are medians of the rounds, per second of processor time."""

    playouts_per_second: float | None
    """None where no way played a random game to its end in the time."""
    moves_per_second: float
    perft_nodes_per_second: float
    moves_per_playout: float | None
    """The mean, by the way that played the most games, as all ways play the same game."""
    unfinished: float | None
    """The share of these games that were left unfinished."""
    cut_off: bool
    """Whether fewer moves were made than a game has, so that the speed is that of opening moves."""
    perft_depth: int
    compile_seconds: float | None
    cached: bool | None
    rounds: tuple[tuple[float, float], ...] = attrs.field(repr=False)
    """Moves and counted nodes per second of each round; fewer rounds where one took the time of several."""

    def over(self, other: Speed) -> tuple[float, float]:
        """The speedup over another way, in moves and in nodes: the medians of the rounds' ratios."""
        pairs = list(zip(self.rounds, other.rounds, strict=False))
        moves, nodes = (median(mine[k] / its[k] if its[k] else inf for mine, its in pairs) for k in range(2))
        return moves, nodes


# ---- ways to play


def interpreted(game: Game) -> Way:
    """The interpreter on bare states, without texts; tracks earlier positions where a repetition rule needs them."""
    return Way(INTERPRETER, _Interpreted(game).play, partial(interpreter_counts, game.engine))


@attrs.define
class _Interpreted:
    """Random games by the interpreter. One that is cut off is resumed by the next call, as ends differ from
    openings."""

    game: Game
    _state: State | None = None
    """The state of a game that was cut off."""
    _number: int = 0
    _seen: Counter[State] = attrs.field(factory=Counter)

    def play(self, games: int, seed: int, limit: int, until: float = inf) -> Played:
        """Play `games` games, beginning with the one that was cut off; see `Play`."""
        engine, rule, choose = self.game.engine, self.game.repetition, Random(seed).random
        seen_as = rule.seen_as
        moves_played = unfinished = made = 0
        for played in range(games):
            state, number, seen, over = self._state or engine.start(), self._number, self._seen, False
            if not seen:
                seen[seen_as(state)] += 1
            self._state, self._number, self._seen = None, 0, Counter()
            while not over and state.outcome is None and number < limit:
                if made and time.process_time() > until:
                    self._state, self._number, self._seen = state, number, seen
                    return Played(played, moves_played, unfinished, made)
                moves = engine.legal(state)
                after = None
                while moves and after is None:
                    place = int(choose() * len(moves))
                    after = engine.apply(state, moves[place])
                    if rule.forbids and after is not None and seen[seen_as(after)] >= rule.at - 1:
                        after = None
                        del moves[place]
                if after is None:
                    over = rule.forbids
                    break
                state = after
                number += 1
                made += 1
                if rule.result:
                    over = seen[seen_as(state)] >= rule.at - 1
                    seen[seen_as(state)] += 1
            moves_played += number
            unfinished += state.outcome is None and not over
        return Played(games, moves_played, unfinished, made)


def interpreter_counts(engine: Engine, depth: int, until: float = inf) -> list[int]:
    """The number of move sequences of each length up to a depth, by the interpreter; fewer where time runs out."""
    counts = [0] * depth

    def walk(state: State, level: int) -> None:
        for _, after in engine.successors(state):
            counts[level] += 1
            if level + 1 < depth and after.outcome is None and time.process_time() < until:
                walk(after, level + 1)

    walk(engine.start(), 0)
    return counts


def compiled(game: Game, hooks: Hooks | None = None) -> Way:
    """The kernel as a way to play, with hooks if given.

    Raises NotLowered where the compiler does not support a rule, HookError where a hook does not fit the game.
    """
    started = time.process_time()
    kernel = Kernel.of(game, hooks=hooks)
    kernel.play_outs(1, 0, limit=1)
    played = time.process_time() - started
    kernel.perft(1)
    return kernel_way(KERNEL if hooks is None else HOOKS, kernel, played, time.process_time() - started)


def kernel_way(name: str, kernel: Kernel, compile_seconds: float | None = None, ready_seconds: float = 0.0) -> Way:
    """An existing kernel as a way to play."""

    def play(games: int, seed: int, limit: int, until: float = inf) -> Played:
        moves, results = kernel.play_outs(games, seed, limit=limit)
        return Played(games, moves, results[-1], moves)

    def count(depth: int, until: float = inf) -> list[int]:
        return kernel.perft(depth)[0]

    return Way(name, play, count, compile_seconds, ready_seconds, from_disk(kernel, "play_outs"))


def from_disk(kernel: Kernel, name: str) -> bool | None:
    """Whether a function of a kernel was loaded from disk when first called; None where it is not compiled at all."""
    function = kernel.functions[name]
    if hasattr(function, "cached"):
        return bool(function.cached)
    stats: Any = getattr(function, "stats", None)
    return None if stats is None else bool(stats.cache_hits) and not stats.cache_misses


def ways(game: Game, hooks: Hooks | None = None, *, seconds: float = inf) -> tuple[list[Way], dict[str, str]]:
    """The ways to play a game, the interpreter first, and for each missing way the reason.

    `seconds` is the processor time for measuring: hooks that would take much longer to compile, judging by the kernel
    without them, are left out.
    """
    result, missing = [interpreted(game)], {}
    try:
        kernel = compiled(game)
        result.append(kernel)
        if hooks is not None and kernel.ready_seconds > max(seconds, PATIENCE) and not kernel.cached:
            missing[HOOKS] = (f"left out: compiling takes about {kernel.ready_seconds:.0f} s more; measure for longer, "
                              "or once more now that the kernel is kept on disk")
        elif hooks is not None:
            result.append(compiled(game, hooks))
    except NotLowered as problem:
        missing[KERNEL] = f"the compiler does not know {problem}"
    if hooks is None:
        missing[HOOKS] = "the game comes without any, and none are given"
    return result, missing


# ---- measuring


class Disagreement(Exception):
    """Two ways to play differ in their counts; the message says at which depth."""


@attrs.define
class _Measured:
    """The measurements of a way so far, and the time it has left."""

    way: Way
    playing: float
    """Seconds of processor time left for playing."""
    counting: float
    """Seconds of processor time left for counting."""
    depth: int = 1
    counts: list[int] = attrs.field(factory=list)
    """The number of sequences of each length, as far as they were counted completely."""
    batch: int = 1
    played: Played = attrs.field(factory=lambda: Played(0, 0, 0, 0))
    rates: list[tuple[float, float]] = attrs.field(factory=list)

    def find_depth(self) -> None:
        """Find the depth to count to: one that takes a small part of the time, unless the first moves alone take more.

        Compiling happens in the first count, before the rounds are measured.
        """
        started = time.process_time()
        budget = TO_FIND_DEPTH * self.counting
        expected = 0.0
        for depth in range(1, MOST_DEPTH + 1):
            before = time.process_time()
            counts = self.way.count(depth, inf if expected <= COMPARED else started + budget)
            now = time.process_time()
            if depth > 1 and expected > COMPARED and now > started + budget:
                break  # possibly incomplete
            self.depth, self.counts = depth, counts
            growth = counts[-1] / counts[-2] if depth > 1 and counts[-2] else counts[-1]
            expected = counts[-1] * max(growth, 1)
            if not counts[-1] or (expected > COMPARED and (now - before) * max(growth, 1) > budget / 2):
                break
        self.counting -= time.process_time() - started

    def turn(self, random: Random, limit: int, rounds_left: int) -> None:
        """Measure one round in its share of the time left; skipped, except for the first, where no time is left."""
        if self.rates and min(self.playing, self.counting) <= 0:
            return
        done, played_for = self._play(random, limit, max(self.playing, 0) / rounds_left)
        nodes, counted_for = self._count(max(self.counting, 0) / rounds_left)
        self.played += done
        self.playing -= played_for
        self.counting -= counted_for
        self.rates.append((done.made / played_for, nodes / counted_for))

    def _play(self, random: Random, limit: int, seconds: float) -> tuple[Played, float]:
        """Play for some time, doubling the games per call while a call takes less than a twentieth of it."""
        done, started = Played(0, 0, 0, 0), time.process_time()
        while True:
            before = time.process_time()
            done += self.way.play(self.batch, random.getrandbits(32), limit, started + seconds)
            now = time.process_time()
            if now - before < seconds / 20:
                self.batch *= 2
            if now - started >= seconds and now > started:
                return done, now - started

    def _count(self, seconds: float) -> tuple[int, float]:
        """Count for some time; the number of nodes, and the seconds it took."""
        nodes, started = 0, time.process_time()
        while True:
            nodes += sum(self.way.count(self.depth, started + seconds))
            took = time.process_time() - started
            if took >= seconds and took:
                return nodes, took


def measure(result: Sequence[Way], *, seconds: float = 3.0, seed: int = 1, limit: int = 1000, rounds: int = ROUNDS,
            progress: Callable[[str], None] | None = None) -> dict[str, Speed]:
    """Measure the speeds of some ways to play, by name, in `seconds` of processor time for all of them together.

    Each way has the same share of it, half for playing and half for counting. Raises Disagreement where two ways count
    differently.
    """
    tell = progress or (lambda text: None)
    share = seconds / len(result) / 2
    measured = [_Measured(way, share, share) for way in result]
    for item in measured:
        tell(f"{item.way.name}: how deep to count")
        item.find_depth()
    for item in measured[1:]:
        for depth, (one, other) in enumerate(zip(measured[0].counts, item.counts, strict=False), start=1):
            if one != other:
                raise Disagreement(f"{result[0].name} and {item.way.name} count differently at depth {depth}: "
                                   f"{one:,} and {other:,}")
    for number in range(rounds):
        turn = number % len(result)
        for item in [*measured[turn:], *measured[:turn]]:
            tell(f"round {number + 1} of {rounds}, {item.way.name}")
            item.turn(Random(seed * rounds + number), limit, rounds - number)
    most = max((item.played for item in measured), key=lambda played: played.games)
    length = most.moves / most.games if most.games else None
    speeds = {}
    for item in measured:
        moves, nodes = (median(values) for values in zip(*item.rates, strict=True))
        speeds[item.way.name] = Speed(moves / length if length else None, moves, nodes, length,
                                      most.unfinished / most.games if most.games else None,
                                      length is None or item.played.made < length, item.depth,
                                      item.way.compile_seconds, item.way.cached, tuple(item.rates))
    return speeds
