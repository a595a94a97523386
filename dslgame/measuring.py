"""How fast a game is played and counted: by the interpreter, its kernel, and its hooks, side by side.

Ways to play take turns in rounds, so that a machine that slows down slows all of them; what counts is processor time
of one core, and what is told is the median of the rounds. All of it together takes the time that was asked for: a game
or a count of the interpreter that would take longer is cut off, and its moves count for what they took. The command
`bench` prints what is measured here, and the benchmarks of the project build on it.
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
"""The share of the time for counting that goes into finding out how deep to count."""
PATIENCE = 10.0
"""Hooks are compiled where that is expected to take less than so many seconds, or less than measuring is to take."""
COMPARED = 200
"""Sequences that are counted whatever time they take, so that ways which play different games are told apart."""
MOST_DEPTH = 60
"""Trees with so few branches that they could be counted deeper are not counted deeper."""
INTERPRETER, KERNEL, HOOKS = "interpreter", "kernel", "hooks"


@attrs.frozen
class Played:
    """Random games: how many, all their moves, and how many of them were left unfinished."""

    games: int
    moves: int
    unfinished: int
    made: int
    """Moves that were made meanwhile: others where time ran out in a game, or where such a game went on."""

    def __add__(self, other: Played) -> Played:
        return Played(self.games + other.games, self.moves + other.moves, self.unfinished + other.unfinished,
                      self.made + other.made)


class Play(Protocol):
    """Plays random games."""

    def __call__(self, games: int, seed: int, limit: int, until: float = inf) -> Played:
        """So many games, each left after `limit` moves; may stop after a move once processor time is past `until`."""


class Count(Protocol):
    """Counts move sequences, every move played."""

    def __call__(self, depth: int, until: float = inf) -> list[int]:
        """Their number for each length up to a depth; may give fewer once the processor time is past `until`."""


@attrs.frozen
class Way:
    """One way to play a game."""

    name: str
    play: Play
    count: Count
    compile_seconds: float | None = None
    """Time until the first move was played: writing, compiling, or reading from disk."""
    ready_seconds: float = 0.0
    """Time until all of it was ready, counting as well."""
    cached: bool | None = None
    """Whether the functions came from disk."""


@attrs.frozen
class Speed:
    """How fast a way is. Rates are medians of the rounds, per second of processor time."""

    playouts_per_second: float | None
    """None where no random game was played to its end in the time, by any of the ways."""
    moves_per_second: float
    perft_nodes_per_second: float
    moves_per_playout: float | None
    """On average, by the way that played the most games: all of them play the same."""
    unfinished: float | None
    """The share of these games that were left."""
    cut_off: bool
    """Whether fewer moves were made than a game has, so that the speed is that of first moves."""
    perft_depth: int
    compile_seconds: float | None
    cached: bool | None
    rounds: tuple[tuple[float, float], ...] = attrs.field(repr=False)
    """Moves and counted nodes per second of each round; fewer rounds where one took the time of several."""

    def over(self, other: Speed) -> tuple[float, float]:
        """How many times as many moves and nodes a second this is, by the medians of the rounds' ratios."""
        pairs = list(zip(self.rounds, other.rounds, strict=False))
        moves, nodes = (median(mine[k] / its[k] if its[k] else inf for mine, its in pairs) for k in range(2))
        return moves, nodes


# ---- ways to play


def interpreted(game: Game) -> Way:
    """The interpreter on bare states, without texts; earlier positions are known where a repetition rule needs them."""
    return Way(INTERPRETER, _Interpreted(game).play, partial(interpreter_counts, game.engine))


@attrs.define
class _Interpreted:
    """Random games by the interpreter. One that is cut off goes on with the next call: ends are not like starts."""

    game: Game
    _state: State | None = None
    """Of a game that was cut off."""
    _number: int = 0
    _seen: Counter[State] = attrs.field(factory=Counter)

    def play(self, games: int, seed: int, limit: int, until: float = inf) -> Played:
        """Play so many games, the one that was cut off first; see `Play`."""
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
    """The kernel, or the kernel with hooks.

    Raises NotLowered where the compiler has no words for a rule, HookError where a hook does not fit the game.
    """
    started = time.process_time()
    kernel = Kernel.of(game, hooks=hooks)
    kernel.play_outs(1, 0, limit=1)
    played = time.process_time() - started
    kernel.perft(1)
    return kernel_way(KERNEL if hooks is None else HOOKS, kernel, played, time.process_time() - started)


def kernel_way(name: str, kernel: Kernel, compile_seconds: float | None = None, ready_seconds: float = 0.0) -> Way:
    """A kernel that is there, as a way to play."""

    def play(games: int, seed: int, limit: int, until: float = inf) -> Played:
        moves, results = kernel.play_outs(games, seed, limit=limit)
        return Played(games, moves, results[-1], moves)

    def count(depth: int, until: float = inf) -> list[int]:
        return kernel.perft(depth)[0]

    return Way(name, play, count, compile_seconds, ready_seconds, from_disk(kernel, "play_outs"))


def from_disk(kernel: Kernel, name: str) -> bool | None:
    """Whether a function of a kernel came from disk when it was first called; None where it is not compiled at all."""
    function = kernel.functions[name]
    if hasattr(function, "cached"):
        return bool(function.cached)
    stats: Any = getattr(function, "stats", None)
    return None if stats is None else bool(stats.cache_hits) and not stats.cache_misses


def ways(game: Game, hooks: Hooks | None = None, *, seconds: float = inf) -> tuple[list[Way], dict[str, str]]:
    """The ways to play a game, the interpreter first; and of those that there are not, why.

    `seconds` is the processor time that measuring is to take: hooks that would take much longer to compile, as the
    kernel without them did, are left out.
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
    """Two ways to play are not the same game; the message says where."""


@attrs.define
class _Measured:
    """What has been measured of a way, and how much time it has left."""

    way: Way
    playing: float
    """Seconds of processor time left for playing."""
    counting: float
    """The same for counting."""
    depth: int = 1
    counts: list[int] = attrs.field(factory=list)
    """Sequences of each length, as far as they were counted to the end."""
    batch: int = 1
    played: Played = attrs.field(factory=lambda: Played(0, 0, 0, 0))
    rates: list[tuple[float, float]] = attrs.field(factory=list)

    def find_depth(self) -> None:
        """Find out how deep to count: so deep that it takes a small part of the time, unless the first moves take more.

        What is compiled is compiled now, and does not count.
        """
        started = time.process_time()
        budget = TO_FIND_DEPTH * self.counting
        expected = 0.0
        for depth in range(1, MOST_DEPTH + 1):
            before = time.process_time()
            counts = self.way.count(depth, inf if expected <= COMPARED else started + budget)
            now = time.process_time()
            if depth > 1 and expected > COMPARED and now > started + budget:
                break  # perhaps not counted to the end
            self.depth, self.counts = depth, counts
            growth = counts[-1] / counts[-2] if depth > 1 and counts[-2] else counts[-1]
            expected = counts[-1] * max(growth, 1)
            if not counts[-1] or (expected > COMPARED and (now - before) * max(growth, 1) > budget / 2):
                break
        self.counting -= time.process_time() - started

    def turn(self, random: Random, limit: int, rounds_left: int) -> None:
        """One round: its share of the time that is left; none where an earlier round took all, but for the first."""
        if self.rates and min(self.playing, self.counting) <= 0:
            return
        done, played_for = self._play(random, limit, max(self.playing, 0) / rounds_left)
        nodes, counted_for = self._count(max(self.counting, 0) / rounds_left)
        self.played += done
        self.playing -= played_for
        self.counting -= counted_for
        self.rates.append((done.made / played_for, nodes / counted_for))

    def _play(self, random: Random, limit: int, seconds: float) -> tuple[Played, float]:
        """Play for some time, in calls that grow until one takes a good part of it."""
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
        """Count for some time: how many nodes, and how long it took."""
        nodes, started = 0, time.process_time()
        while True:
            nodes += sum(self.way.count(self.depth, started + seconds))
            took = time.process_time() - started
            if took >= seconds and took:
                return nodes, took


def measure(result: Sequence[Way], *, seconds: float = 3.0, seed: int = 1, limit: int = 1000, rounds: int = ROUNDS,
            progress: Callable[[str], None] | None = None) -> dict[str, Speed]:
    """The speeds of some ways to play, by name, in so many seconds of processor time for all of them together.

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
