"""The complexity of a game: state-space size, game-tree size, branching factor and game length.

Small state spaces are enumerated. The size of larger ones, and that of every game tree, is estimated from random games
with uniformly chosen moves (Knuth, "Estimating the efficiency of backtrack programs", 1975): the product of the
branching factors along a path, b1 * b2 * ..., is an unbiased estimate of the number of paths of that length.

The number of positions is estimated in two ways. The first divides that product by the numbers of parents of the
positions along the path, a1 * a2 * ..., so that all paths to a position together count as 1. The parents are found by
reordering the moves of the path. Where a position can be reached by its moves in any order, as when pieces are only
placed, this finds all parents; elsewhere it misses some, and the estimate is too high. The last ply that was enumerated
before the limit shows by how much.

The second way is used where the first is off there and no position can repeat: positions are sampled layer by layer
from that ply on, see `solver.layer_sampling`, and `solver.forecast` for its accuracy. The spread of eight samples gives
the error. Where this takes too much work, the first estimate stands, reported with its excess at the last enumerated
ply; the error is larger still at later plies. Where random games are too long to look for parents, there is no first
estimate, and the number of positions may be unknown.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import Any

import attrs

from interpreter.model.state import State
from solver.entries import Entries
from solver.layer_sampling import FEWEST, LayerSampling
from solver.native.functions import Line
from solver.seeds import seed_of

LONGEST = 1_000
"""The number of moves after which a random game is broken off."""
MOST_TRIED = 10_000_000
"""The most moves that are tried to find the parents of the positions of a random game, which takes up to a few seconds.
It is enough for about 390 moves where pieces are only placed, as then a sixth of the cube of the length is tried; where
few orders of the moves are legal, it is up to the fourth power."""
_BATCH = 0.1
"""Seconds of random games between two calls of `progress` or chances for an interruption; looking for the parents of a
position may take a few more."""
ENUMERATED = 1_000_000
"""The default limit on the number of enumerated positions."""
_CHUNK = 4_096
_SURE_PLIES, _SLIGHT, _NEAR = 3, 0.02, 0.1
"""When the estimate from random games is trusted: the fewest enumerated plies, and limits on the excess at the last of
them (its distance from 1) and on the relative standard error."""
_RUNS = 8
"""The number of runs of layer sampling; their spread gives the error."""
_TRIED = 400_000
"""The approximate number of moves that all runs may try together, which takes a few seconds."""
_SHARE = 80
"""Random games per position of a layer's sample."""
_PILOT, _LEARNING, _COMPARED, _HELD = 2, 10, 256, 4_096
"""The sample size of the pilot run that measures the cost; the number of random games that learn what moves change; the
positions sampled to compare the growth with that of an enumerated layer; and the most positions of an enumerated layer
to sample from."""


@attrs.frozen
class Estimate:
    """A number that may be too large for a float, as its base-10 logarithm, with its error."""

    log10: float
    """The base-10 logarithm of the number."""
    error: float = 0.0
    """The relative standard error of the number: 0 where it is exact, infinite where it is unknown."""
    exact: int | None = None
    """The number itself if it was counted, else None."""

    @property
    def text(self) -> str:
        """The number in readable form, with its error: `5,478`, `4.5e12 ± 3%`."""
        if self.exact is not None:
            return f"{self.exact:,}"
        if self.log10 == -math.inf:
            return "0"
        whole = math.floor(self.log10)
        size = f"{10 ** (self.log10 - whole):.1f}e{whole}" if whole > 3 else f"{10**self.log10:,.0f}"
        return f"{size} ± {self.error:.0%}" if self.error < 1 else f"{size}, to about a factor of ten"


@attrs.frozen
class Complexity:
    """The complexity measures of a game."""

    positions: Estimate | None
    """The number of reachable positions, the start and finished ones included, not merged by symmetry; None where there
    is no estimate."""
    positions_by: str
    """How the number was found: counted, or sampled, with the accuracy at the last ply that was counted; or why it is
    unknown."""
    excess: float | None
    """The ratio of the sampled to the counted number of positions at the last counted ply; None where all positions
    were counted, or none were sampled."""
    games: Estimate
    """The number of leaves of the game tree, that is of different games."""
    nodes: Estimate
    """The number of nodes of the game tree."""
    branching: float
    """The average number of moves of a position in the random games."""
    most_moves: int
    """The largest number of moves of a position in the random games."""
    length: float
    """The average length of the random games, in moves."""
    shortest: int
    longest: int
    tree_branching: float
    """The effective branching factor of the tree: the `length`-th root of its number of leaves."""
    samples: int
    """The number of random games played."""
    broken_off: int
    """The number of them that were broken off unfinished."""

    def rows(self) -> list[tuple[str, str]]:
        """The measures as pairs of a label and a text."""
        ended = f", {self.broken_off:,} of them left after {LONGEST:,} moves" if self.broken_off else ""
        positions = [("state-space size", f"unknown: {self.positions_by}")] if self.positions is None else [
            ("state-space size", f"{self.positions.text} positions ({self.positions_by})"),
            ("state-space complexity", f"{self.positions.log10:.2f} (log10)")]
        return [
            *positions,
            ("game-tree size", f"{self.games.text} games, {self.nodes.text} nodes"),
            ("game-tree complexity", f"{self.games.log10:.2f} (log10)"),
            ("branching", f"{self.branching:.2f} moves on average, at most {self.most_moves:,} seen"),
            ("length", f"{self.length:.1f} moves on average, {self.shortest:,} to {self.longest:,} seen"),
            ("effective branching", f"{self.tree_branching:.2f}"),
            ("random games", f"{self.samples:,}{ended}"),
        ]


def complexity(entries: Entries, state: State, *, samples: int = 2_000, seed: int = 0, enumerate_most: int = ENUMERATED,
               progress: Callable[[int, str], None] | None = None) -> Complexity:
    """Measure the complexity of a game from a position on.

    Plays `samples` random games and enumerates at most `enumerate_most` positions. An interruption (KeyboardInterrupt)
    ends the random games early, and those played so far count. Raises ValueError for fewer than two samples, RuleError
    where a rule fails.
    """
    if samples < 2:
        raise ValueError(f"{samples} random games say nothing of the error, expected at least 2")
    known = _enumerated(entries, state, enumerate_most, progress)
    counted = known.positions
    while True:
        ways = _walks(entries, state, samples, seed, merged=counted is None, progress=progress)
        if ways is not None:
            break
    logs = [way.log for way in ways]
    games = _mean(logs)
    nodes = _mean([way.log_nodes for way in ways])
    length = sum(way.length for way in ways) / len(ways)
    choices = sum(way.moves for way in ways)
    positions: Estimate | None = None
    excess = None
    if counted is not None:
        positions, how = Estimate(math.log10(counted), 0.0, counted), "counted"
    else:
        positions, how, excess = _positions(entries, state, known, ways, samples, seed)
    return Complexity(
        positions, how, excess, games, nodes, choices / max(sum(way.length for way in ways), 1),
        max(way.most for way in ways), length, min(way.length for way in ways), max(way.length for way in ways),
        10 ** (games.log10 / length) if length else 1.0, len(ways), sum(way.broken_off for way in ways))


def _positions(entries: Entries, state: State, known: _Known, ways: Sequence[_Way], samples: int, seed: int
               ) -> tuple[Estimate | None, str, float | None]:
    """Estimate the number of positions; also return how it was found or why not, and the excess at the last enumerated
    ply."""
    ply, count = len(known.layers) - 1, known.layers[-1]
    by_ways, excess = _by_ways([way.log_positions for way in ways], ply, count)
    right = by_ways is not None and ply >= _SURE_PLIES and abs(excess - 1) < _SLIGHT and by_ways.error < _NEAR
    sampled = None if right or entries.cyclic else _by_layers(entries, state, known, samples, seed)
    there = f"the {count:,} that there are after {ply} plies"
    if sampled is not None:
        return sampled[0], f"sampled layer by layer from {there}", sampled[1]
    if by_ways is None:
        return None, f"more than {known.total:,}; random games are too long to find predecessors of positions", None
    return by_ways, f"sampled, at most about; {excess:.2g} times {there}", excess


def _by_ways(logs: Sequence[Sequence[float] | None], ply: int, count: int) -> tuple[Estimate | None, float]:
    """Estimate the number of positions from `_Way.log_positions`; None where one of these is missing.

    Also returns the excess at a ply, after which there are `count` positions.
    """
    found = [item for item in logs if item is not None]
    if len(found) < len(logs):
        return None, math.inf
    there = _mean([item[ply] if ply < len(item) else -math.inf for item in found])
    return _mean([_sum(item) for item in found]), 10**there.log10 / count


@attrs.frozen
class _Way:
    """The statistics of a random game; logarithms are natural."""

    length: int
    moves: int
    """The sum of the branching factors along the path."""
    most: int
    log: float
    """The logarithm of the product of the branching factors."""
    log_nodes: float
    """The logarithm of the sum of the partial products, one for each position of the path."""
    log_positions: tuple[float, ...] | None
    """For each position of the path, the logarithm of its partial product divided by the numbers of parents up to it;
    None where these were not looked for, or not found with `MOST_TRIED` moves."""
    broken_off: bool


@attrs.frozen
class _Known:
    """The result of a breadth-first enumeration that may have stopped at its limit."""

    positions: int | None
    """The number of reachable positions; None where the limit was exceeded."""
    layers: Sequence[int]
    """The number of positions after each ply."""
    sizes: tuple[int, int]
    """The numbers of new positions, in no earlier layer, of the last two complete layers."""
    last: tuple[Any, Any]
    """These new positions, packed: uint64[n, words]."""
    total: int
    """The number of positions in all complete layers."""


def _enumerated(entries: Entries, state: State, limit: int, progress: Callable[[int, str], None] | None) -> _Known:
    """Enumerate the reachable positions layer by layer, until there are more than `limit`."""
    import numpy as np

    width = entries.packed_width
    kind = np.dtype((np.void, 8 * width))
    layer = entries.packed([state])
    known = layer.view(kind).ravel()
    elements = entries.numbers(1)
    failed = entries.numbers(1)
    layers = [1]
    before = layer

    def too_many() -> _Known:
        return _Known(None, layers, (len(before), len(layer)), (before, layer), len(known))

    while len(layer):
        result: list[Any] = []
        room = max(_CHUNK * 4, entries.room)
        first = 0
        while first < len(layer):
            children = entries.words(room, width)
            last = min(first + _CHUNK, len(layer))
            counts = entries.numbers(last - first)
            row = entries.words(entries.width)
            working = (row, entries.words(entries.room, entries.width),
                       entries.numbers(entries.room, entries.move_width), entries.entry_rows(), entries.scratch(),
                       entries.words(3, entries.width))
            done = int(entries.expand_tiers(layer, first, last, elements, children, entries.numbers(room),
                                            entries.numbers(room), counts, failed, *working))
            if failed[0] != 0:
                entries.make_room(row)
                failed[0] = 0
                room = max(room, entries.room)
                continue
            result.append(np.unique(children[: int(counts[: done - first].sum())].view(kind).ravel()))
            if done == first:
                room *= 4
            first = done
            if len(known) + max(map(len, result)) > limit:
                return too_many()
        reached = np.unique(np.concatenate(result))
        fresh = np.setdiff1d(reached, known, assume_unique=True)
        if len(known) + len(fresh) > limit:
            return too_many()
        known = np.union1d(known, fresh)
        layers.append(len(reached))
        before, layer = layer, np.ascontiguousarray(fresh).view(np.uint64).reshape(-1, width)
        if progress is not None:
            progress(len(known), "positions")
    return _Known(len(known), layers, (len(before), len(layer)), (before, layer), len(known))


def _by_layers(entries: Entries, state: State, known: _Known, samples: int, seed: int
               ) -> tuple[Estimate, float] | None:
    """Estimate the number of positions by layer sampling; also return the excess at the last enumerated layer.

    None where the rules cannot be lowered to a plain kernel, or sampling with it takes too much work.
    """
    import random

    from interpreter.compiler.lowering.errors import NotLowered
    from solver.forecast import RandomGames
    from solver.game_space import GameSpace
    from solver.packed_space import PackedSpace

    try:
        space = PackedSpace.of(GameSpace(entries.game, state, symmetry=False))
    except NotLowered:
        return None
    chance = random.Random(seed)
    games, ply = RandomGames(space, chance), len(known.layers) - 1
    before, last = ([tuple(map(int, layer[place])) for place in sorted(chance.sample(range(len(layer)), min(
        len(layer), _HELD)))] for layer in known.last)
    pilot = games.layers
    if not pilot.follow(ply, last, LONGEST, _PILOT, most_tried=_TRIED / _RUNS):
        return None
    size = min(max(FEWEST, samples // _SHARE), int(_PILOT * _TRIED / _RUNS / max(1, space.tried)))
    if size < FEWEST:
        return None  # with so small a sample, all its games would soon be over
    for _ in range(_LEARNING):
        games.play(0.0)
    excess = 1.0
    if ply:
        pilot.measure(ply - 1, before, 0.0, _COMPARED)
        excess = pilot.growth[ply - 1].value * known.sizes[0] / known.sizes[1]
    sure = pilot.excess({ply - 1: known.sizes[1] / known.sizes[0]}) if ply else 1.0
    logs = []
    for _ in range(_RUNS):
        run = LayerSampling(pilot.arrivals, chance)
        run.follow(ply, last, LONGEST, size)
        result, total = float(known.sizes[1]), float(known.total)
        for layer in sorted(run.growth):
            result *= run.growth[layer].value / sure
            total += result
        if not math.isfinite(total):
            return None
        logs.append(math.log(total))
    return _mean(logs), excess


def _walks(entries: Entries, state: State, samples: int, seed: int, *, merged: bool,
           progress: Callable[[int, str], None] | None) -> list[_Way] | None:
    """Play random games; None where a position had more moves than there was room for, and the caller must retry.

    With `merged` the parents of positions are looked for, until that takes too long in one of the games. Raises
    RuleError where a rule fails.
    """
    from solver.native import runtime
    from solver.native import tree_size_estimate as native
    from solver.native.records import native_records

    layout = entries.kernel.assembled.layout
    settings, working = native_records(native.Settings, 1), native_records(native.State, 1)
    settings[0].to_move, settings[0].outcome = layout.to_move, layout.outcome
    settings[0].failure = layout.failed
    settings[0].first_piece, settings[0].last_piece = layout.words, layout.words * layout.pieces
    settings[0].most_tried = MOST_TRIED if merged else 0
    working[0].chance = seed_of(seed)
    own = native.Search(
        root=entries.row(state), rows=entries.words(3, entries.width), entries=entries.entry_rows(),
        scratch=entries.scratch(), offered=entries.numbers(entries.room, entries.move_width),
        played=entries.numbers(LONGEST, entries.move_width), movers=entries.numbers(LONGEST),
        order=entries.numbers(LONGEST), choices=entries.numbers(LONGEST), parents=entries.numbers(LONGEST),
        packed=entries.words(LONGEST + 2, entries.packed_width), before=entries.words(entries.packed_width),
        after=entries.words(entries.packed_width), state=working, settings=settings)
    walk = runtime.compiled_entry(native.walk)
    result: list[_Way] = []
    moves, shown = 1, time.perf_counter()
    try:
        while len(result) < samples:
            started = time.perf_counter()
            status = walk(entries.offer, entries.step, entries.pack_row, own, moves)
            if status == native.FAILED:
                entries.make_room(own.rows[0])
                return None
            now = time.perf_counter()
            moves = min(LONGEST, math.ceil(moves * min(4.0, _BATCH / max(now - started, 1e-6))))
            if status == native.ENDED:
                length = int(working[0].length)
                over = int(own.rows[0][layout.outcome]) != int(own.root[layout.outcome])
                parents = own.parents[:length] if settings[0].most_tried else None
                result.append(_way(own.choices[:length], parents, broken_off=length == LONGEST and not over))
                working[0].length = 0
                if result[-1].log_positions is None:
                    settings[0].most_tried = 0
            if progress is not None and now - shown > _BATCH:
                progress(len(result), "random games")
                shown = now
    except KeyboardInterrupt:
        if len(result) < 2:
            raise
    return result


def _way(choices: Line, parents: Line | None, *, broken_off: bool) -> _Way:
    numbers = [int(count) for count in choices]
    nodes = _partial_sums(map(math.log, numbers))
    positions = None
    if parents is not None and (not len(parents) or parents.min() > 0):
        positions = tuple(_partial_sums(math.log(count) - math.log(int(ways)) for count, ways in zip(
            numbers, parents, strict=True)))
    return _Way(len(numbers), sum(numbers), max(numbers, default=0), nodes[-1], _sum(nodes), positions, broken_off)


def _partial_sums(logs: Iterable[float]) -> list[float]:
    """The sums of the first n numbers, from n = 0 on."""
    return list(accumulate(logs, initial=0.0))


def _sum(logs: Sequence[float]) -> float:
    """The logarithm of the sum of numbers given by their natural logarithms."""
    most = max(logs)
    return most + math.log(sum(math.exp(log - most) for log in logs))


def _mean(logs: Sequence[float]) -> Estimate:
    """The mean of numbers given by their natural logarithms, with its standard error."""
    count = len(logs)
    most = max(logs)
    if most == -math.inf:
        return Estimate(most)
    scaled = [math.exp(log - most) for log in logs]
    mean = sum(scaled) / count
    spread = math.sqrt(sum((value - mean) ** 2 for value in scaled) / (count - 1) / count) / mean
    return Estimate((most + math.log(mean)) / math.log(10), spread)
