"""How fast a game is played and counted: by the interpreter, its kernel, and its hooks, side by side.

Ways to play take turns in rounds, so that a machine that slows down slows all of them; what counts is processor time
of one core, and what is told is the median of the rounds. The command `bench` prints what is measured here, and the
benchmarks of the project build on it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from random import Random
from statistics import median
from typing import Any

import attrs

from interpreter.engine import Engine
from interpreter.game import Game
from interpreter.hooks import Hooks
from interpreter.kernel.errors import NotLowered
from interpreter.kernel.kernel import Kernel
from interpreter.state import State

ROUNDS = 5
MOST_DEPTH = 60
"""Trees with so few branches that they could be counted deeper are not counted deeper."""
INTERPRETER, KERNEL, HOOKS = "interpreter", "kernel", "hooks"


@attrs.frozen
class Played:
    """Random games: how many, all their moves, and how many of them were left unfinished."""

    games: int
    moves: int
    unfinished: int

    def __add__(self, other: Played) -> Played:
        return Played(self.games + other.games, self.moves + other.moves, self.unfinished + other.unfinished)


@attrs.frozen
class Way:
    """One way to play a game."""

    name: str
    play: Callable[[int, int, int], Played]
    """Plays random games: how many, the seed, and the number of moves after which one is left."""
    count: Callable[[int], list[int]]
    """The number of move sequences of each length up to a depth, every move played."""
    compile_seconds: float | None = None
    """Time until the first move was played: writing, compiling, or reading from disk."""
    cached: bool | None = None
    """Whether the functions came from disk."""


@attrs.frozen
class Speed:
    """How fast a way is. Rates are medians of the rounds, per second of processor time."""

    playouts_per_second: float
    moves_per_second: float
    perft_nodes_per_second: float
    moves_per_playout: float
    """On average."""
    unfinished: float
    """The share of the games that were left."""
    perft_depth: int
    compile_seconds: float | None
    cached: bool | None
    rounds: tuple[tuple[float, float, float], ...] = attrs.field(repr=False)
    """Playouts, moves and counted nodes per second of each round."""

    def over(self, other: Speed) -> tuple[float, float, float]:
        """How many times as fast this is in each of the three, by the medians of the rounds' ratios."""
        pairs = list(zip(self.rounds, other.rounds, strict=True))
        return tuple(median(mine[k] / its[k] for mine, its in pairs) for k in range(3))  # type: ignore[return-value]


# ---- ways to play


def interpreted(game: Game) -> Way:
    """The interpreter on bare states, without texts; earlier positions are known where a repetition rule needs them."""
    return Way(INTERPRETER, lambda games, seed, limit: _interpreter_plays(game, games, seed, limit),
               lambda depth: interpreter_counts(game.engine, depth))


def _interpreter_plays(game: Game, games: int, seed: int, limit: int) -> Played:
    engine, repetition, choose = game.engine, game.rules.repetition, Random(seed).random
    moves_played = unfinished = 0
    for _ in range(games):
        state, number, over = engine.start(), 0, False
        seen = {state}
        while not over and state.outcome is None and number < limit:
            moves = engine.legal(state)
            after = None
            while moves and after is None:
                place = int(choose() * len(moves))
                after = engine.apply(state, moves[place])
                if repetition == "forbidden" and after in seen:
                    after = None
                    del moves[place]
            if after is None:
                over = repetition == "forbidden"
                break
            state = after
            number += 1
            if repetition:
                over = state in seen
                seen.add(state)
        moves_played += number
        unfinished += state.outcome is None and not over
    return Played(games, moves_played, unfinished)


def interpreter_counts(engine: Engine, depth: int) -> list[int]:
    """The number of move sequences of each length up to a depth, by the interpreter."""
    counts = [0] * depth

    def walk(state: State, level: int) -> None:
        for _, after in engine.successors(state):
            counts[level] += 1
            if level + 1 < depth and after.outcome is None:
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
    return kernel_way(KERNEL if hooks is None else HOOKS, kernel, time.process_time() - started)


def kernel_way(name: str, kernel: Kernel, compile_seconds: float | None = None) -> Way:
    """A kernel that is there, as a way to play."""

    def play(games: int, seed: int, limit: int) -> Played:
        moves, results = kernel.play_outs(games, seed, limit=limit)
        return Played(games, moves, results[-1])

    return Way(name, play, lambda depth: kernel.perft(depth)[0], compile_seconds, from_disk(kernel, "play_outs"))


def from_disk(kernel: Kernel, name: str) -> bool | None:
    """Whether a function of a kernel came from disk when it was first called; None where it is not compiled at all."""
    stats: Any = getattr(kernel.functions[name], "stats", None)
    return None if stats is None else bool(stats.cache_hits) and not stats.cache_misses


def ways(game: Game, hooks: Hooks | None = None) -> tuple[list[Way], dict[str, str]]:
    """The ways to play a game, the interpreter first; and of those that there are not, why."""
    found, missing = [interpreted(game)], {}
    try:
        found.append(compiled(game))
        if hooks is not None:
            found.append(compiled(game, hooks))
    except NotLowered as problem:
        missing[KERNEL] = f"the compiler does not know {problem}"
    if hooks is None:
        missing[HOOKS] = "the game comes without any, and none are given"
    return found, missing


# ---- measuring


def measure(found: Sequence[Way], *, seconds: float = 1.0, seed: int = 1, limit: int = 1000, rounds: int = ROUNDS,
            progress: Callable[[str], None] | None = None) -> dict[str, Speed]:
    """The speeds of some ways to play, by name: for each way about so many seconds of playing, and as many of counting.

    Raises Disagreement where two ways count differently.
    """
    tell = progress or (lambda text: None)
    share = seconds / rounds
    depths: dict[str, int] = {}
    counts: list[list[int]] = []
    for way in found:
        tell(f"{way.name}: how deep to count")
        depths[way.name], counted = _depth(way, share)
        counts.append(counted)
    for way, counted in zip(found[1:], counts[1:], strict=True):
        for depth, (one, other) in enumerate(zip(counts[0], counted, strict=False), start=1):
            if one != other:
                raise Disagreement(f"{found[0].name} and {way.name} count differently at depth {depth}: "
                                   f"{one:,} and {other:,}")
    played = {way.name: Played(0, 0, 0) for way in found}
    rates: dict[str, list[tuple[float, float, float]]] = {way.name: [] for way in found}
    batches = {way.name: 1 for way in found}
    for number in range(rounds):
        turn = number % len(found)
        for way in [*found[turn:], *found[:turn]]:
            tell(f"round {number + 1} of {rounds}, {way.name}")
            random = Random(seed * rounds + number)
            done, took, batches[way.name] = _play_round(way, random, share, limit, batches[way.name])
            played[way.name] += done
            rates[way.name].append((done.games / took, done.moves / took,
                                    _count_round(way, depths[way.name], share)))
    speeds = {}
    for way in found:
        playouts, moves, nodes = (median(values) for values in zip(*rates[way.name], strict=True))
        whole = played[way.name]
        speeds[way.name] = Speed(playouts, moves, nodes, whole.moves / whole.games, whole.unfinished / whole.games,
                                 depths[way.name], way.compile_seconds, way.cached, tuple(rates[way.name]))
    return speeds


class Disagreement(Exception):
    """Two ways to play are not the same game; the message says where."""


def _play_round(way: Way, random: Random, seconds: float, limit: int, batch: int) -> tuple[Played, float, int]:
    """Play for some time, in calls that grow until one takes a good part of it."""
    done, started = Played(0, 0, 0), time.process_time()
    while (took := time.process_time() - started) < seconds or not took:
        before = time.process_time()
        done += way.play(batch, random.getrandbits(32), limit)
        if time.process_time() - before < seconds / 20:
            batch *= 2
    return done, took, batch


def _count_round(way: Way, depth: int, seconds: float) -> float:
    """Counted nodes per second."""
    nodes, started = 0, time.process_time()
    while (took := time.process_time() - started) < seconds or not took:
        nodes += sum(way.count(depth))
    return nodes / took


def _depth(way: Way, seconds: float) -> tuple[int, list[int]]:
    """How deep to count so that it takes no more than some time, unless the first moves alone do; and the counts."""
    counts = way.count(1)  # what is compiled is compiled now
    for depth in range(1, MOST_DEPTH):
        started = time.process_time()
        counts = way.count(depth)
        took = time.process_time() - started
        growth = counts[-1] / counts[-2] if depth > 1 and counts[-2] else counts[-1]
        if not counts[-1] or took * max(growth, 1) > seconds:
            return depth, counts
    return MOST_DEPTH, counts
