"""How large a game is: its positions, its tree, how many moves there are, how long games last.

Positions are enumerated where they are few; else their number is estimated, as that of the tree always is, by random
ways on which every move is as likely as any other (Knuth, "Estimating the efficiency of backtrack programs", 1975). The
product of the numbers of moves on a way, b1 * b2 * ..., has the number of ways of that length as its mean. Divided by
the number of positions that lead to each position on the way, a1 * a2 * ..., it has the number of positions as its
mean: every position's ways are then counted for 1 in all.

From how many positions a move leads to a position is found by making the moves of the way in other orders. Where every
position is reached in all orders of its moves, as when pieces are only placed, that finds all of them; else it finds
some of them, and the number of positions is estimated too high. How much shows at the plies that were enumerated before
there were too many, and is said: the error is larger still at later plies.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import attrs

from interpreter.model.state import State
from solver.entries import Entries
from solver.native.functions import Line

LONGEST = 1_000
"""Moves after which a random game is left."""
ENUMERATED = 1_000_000
"""Positions that are enumerated at most, where nothing else is said."""
_CHUNK = 4_096


@attrs.frozen
class Estimate:
    """A number that may be too large for a float, with its error: logarithms to base 10."""

    log10: float
    """The logarithm of the number."""
    error: float = 0.0
    """The standard error of the number, relative to it; 0 where it is exact, infinite where it is not known."""
    exact: int | None = None
    """The number itself, where it was counted."""

    @property
    def text(self) -> str:
        """The number as people write it, with its error: `5,478`, `4.5e12 ± 3%`."""
        if self.exact is not None:
            return f"{self.exact:,}"
        if self.log10 == -math.inf:
            return "0"
        whole = math.floor(self.log10)
        size = f"{10 ** (self.log10 - whole):.1f}e{whole}" if whole > 3 else f"{10**self.log10:,.0f}"
        return f"{size} ± {self.error:.0%}" if self.error < 1 else f"{size}, to about a factor of ten"


@attrs.frozen
class Complexity:
    """How large a game is."""

    positions: Estimate
    """Positions that can be reached, finished ones and the start included; symmetries not merged."""
    positions_by: str
    """How they were found: counted, or sampled and how far that was right at the last ply that was counted."""
    excess: float | None
    """How many times the positions at the last ply that was counted the estimate has there; None where all were."""
    games: Estimate
    """Leaves of the game tree: different games."""
    nodes: Estimate
    """Nodes of the game tree."""
    branching: float
    """Moves that a position of a random game has, on average."""
    most_moves: int
    """The most moves that a position of these games has."""
    length: float
    """Moves that a random game lasts, on average."""
    shortest: int
    longest: int
    tree_branching: float
    """The effective branching factor of the tree: the root of its leaves for games of that length."""
    samples: int
    """Random games that were played."""
    broken_off: int
    """How many of them were left unfinished."""

    def rows(self) -> list[tuple[str, str]]:
        """What was found, with its name."""
        ended = f", {self.broken_off:,} of them left after {LONGEST:,} moves" if self.broken_off else ""
        return [
            ("state-space size", f"{self.positions.text} positions ({self.positions_by})"),
            ("state-space complexity", f"{self.positions.log10:.2f} (log10)"),
            ("game-tree size", f"{self.games.text} games, {self.nodes.text} nodes"),
            ("game-tree complexity", f"{self.games.log10:.2f} (log10)"),
            ("branching", f"{self.branching:.2f} moves on average, at most {self.most_moves:,} seen"),
            ("length", f"{self.length:.1f} moves on average, {self.shortest:,} to {self.longest:,} seen"),
            ("effective branching", f"{self.tree_branching:.2f}"),
            ("random games", f"{self.samples:,}{ended}"),
        ]


def complexity(entries: Entries, state: State, *, samples: int = 2_000, seed: int = 0, enumerate_most: int = ENUMERATED,
               progress: Callable[[int, str], None] | None = None) -> Complexity:
    """How large a game is from a position on, from so many random games; at most so many positions are enumerated.

    An interruption (KeyboardInterrupt) ends the sampling with what there is. Raises RuleError where a rule fails.
    """
    if samples < 2:
        raise ValueError(f"{samples} random games say nothing of the error, expected at least 2")
    counted, layers = _enumerated(entries, state, enumerate_most, progress)
    while True:
        ways = _walks(entries, state, samples, seed, merged=counted is None, progress=progress)
        if ways is not None:
            break
    logs = [way.log for way in ways]
    games = _mean(logs)
    nodes = _mean([way.log_nodes for way in ways])
    length = sum(way.length for way in ways) / len(ways)
    choices = sum(way.moves for way in ways)
    if counted is not None:
        positions, how, excess = Estimate(math.log10(counted), 0.0, counted), "counted", None
    else:
        positions = _mean([_sum(way.log_positions) for way in ways])
        ply = len(layers) - 1
        there = _mean([way.log_positions[ply] if ply <= way.length else -math.inf for way in ways])
        excess = 10**there.log10 / layers[-1]
        how = f"sampled, at most about; {excess:.2g} times the {layers[-1]:,} that there are after {ply} plies"
    return Complexity(
        positions, how, excess, games, nodes, choices / max(sum(way.length for way in ways), 1),
        max(way.most for way in ways), length, min(way.length for way in ways), max(way.length for way in ways),
        10 ** (games.log10 / length) if length else 1.0, len(ways), sum(way.broken_off for way in ways))


@attrs.frozen
class _Way:
    """A random game: logarithms to base e."""

    length: int
    moves: int
    """The sum of its positions' numbers of moves."""
    most: int
    log: float
    """Of the product of the numbers of moves."""
    log_nodes: float
    """Of the sum of these products over all positions on the way."""
    log_positions: tuple[float, ...]
    """Of these products for each position on the way, divided by the numbers of positions that lead to each."""
    broken_off: bool


def _enumerated(entries: Entries, state: State, most: int,
                progress: Callable[[int, str], None] | None) -> tuple[int | None, list[int]]:
    """How many positions can be reached, None where they are more than so many; and how many after each ply."""
    import numpy as np

    width = entries.packed_width
    kind = np.dtype((np.void, 8 * width))
    layer = entries.packed([state])
    known = layer.view(kind).ravel()
    elements = entries.numbers(1)
    failed = entries.numbers(1)
    layers = [1]
    while len(layer):
        found: list[Any] = []
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
            found.append(np.unique(children[: int(counts[: done - first].sum())].view(kind).ravel()))
            if done == first:
                room *= 4
            first = done
            if len(known) + max(map(len, found)) > most:
                return None, layers
        reached = np.unique(np.concatenate(found))
        fresh = np.setdiff1d(reached, known, assume_unique=True)
        known = np.union1d(known, fresh)
        if len(known) > most:
            return None, layers
        layers.append(len(reached))
        layer = np.ascontiguousarray(fresh).view(np.uint64).reshape(-1, width)
        if progress is not None:
            progress(len(known), "positions")
    return len(known), layers


def _walks(entries: Entries, state: State, samples: int, seed: int, *, merged: bool,
           progress: Callable[[int, str], None] | None) -> list[_Way] | None:
    """Some random games; None where there was too little room, and they begin again."""
    from solver.native import runtime
    from solver.native import tree_size_estimate as native
    from solver.native.records import native_records

    layout = entries.kernel.assembled.layout
    settings, state_of_chance = native_records(native.Settings, 1), native_records(native.State, 1)
    settings[0].to_move, settings[0].outcome = layout.to_move, layout.outcome
    settings[0].first_piece, settings[0].last_piece = layout.words, layout.words * layout.pieces
    settings[0].merged = int(merged)
    state_of_chance[0].chance = seed & (1 << 62) - 1
    own = native.Search(
        root=entries.row(state), rows=entries.words(3, entries.width), entries=entries.entry_rows(),
        scratch=entries.scratch(), offered=entries.numbers(entries.room, entries.move_width),
        played=entries.numbers(LONGEST, entries.move_width), movers=entries.numbers(LONGEST),
        order=entries.numbers(LONGEST), choices=entries.numbers(LONGEST), parents=entries.numbers(LONGEST),
        packed=entries.words(LONGEST + 2, entries.packed_width), before=entries.words(entries.packed_width),
        after=entries.words(entries.packed_width), state=state_of_chance, settings=settings)
    walk = runtime.compiled_entry(native.walk)
    found: list[_Way] = []
    try:
        for number in range(samples):
            length = walk(entries.offer, entries.step, entries.pack_row, own)
            if length < 0:
                entries.make_room(own.rows[0])
                return None
            over = int(own.rows[0][layout.outcome]) != int(own.root[layout.outcome])
            found.append(_way(own.choices[:length], own.parents[:length] if merged else None, broken_off=not over))
            if progress is not None and number % 64 == 0:
                progress(number, "random games")
    except KeyboardInterrupt:
        if len(found) < 2:
            raise
    return found


def _way(choices: Line, parents: Line | None, *, broken_off: bool) -> _Way:
    log, log_position = 0.0, 0.0
    nodes, positions = [0.0], [0.0]
    for place, many in enumerate(choices):
        log += math.log(int(many))
        nodes.append(log)
        if parents is not None:
            log_position += math.log(int(many)) - math.log(int(parents[place]))
            positions.append(log_position)
    numbers = [int(many) for many in choices]
    return _Way(len(numbers), sum(numbers), max(numbers, default=0), log, _sum(nodes), tuple(positions), broken_off)


def _sum(logs: Sequence[float]) -> float:
    """The logarithm of a sum of numbers that are given by their logarithms."""
    most = max(logs)
    return most + math.log(sum(math.exp(log - most) for log in logs))


def _mean(logs: Sequence[float]) -> Estimate:
    """The mean of numbers that are given by their logarithms, and its standard error."""
    count = len(logs)
    most = max(logs)
    if most == -math.inf:
        return Estimate(most)
    scaled = [math.exp(log - most) for log in logs]
    mean = sum(scaled) / count
    spread = math.sqrt(sum((value - mean) ** 2 for value in scaled) / (count - 1) / count) / mean
    return Estimate((most + math.log(mean)) / math.log(10), spread)
