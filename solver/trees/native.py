"""Grows the graph of positions with the game's kernel: a whole level at once, on arrays of rows.

The positions and their order are the same as the interpreter's, which a property test checks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from interpreter.arrays import Numbers, Words
from interpreter.kernel.many import Batch, By
from solver.trees.filters import without_moves
from solver.trees.rule import GOING, CutHere, Progress, layout_of

if TYPE_CHECKING:
    from solver.trees.positions import Positions

_AT_ONCE = 1 << 16
"""The most positions that are expanded in one batch."""
_BYTES = 1 << 26
"""The memory aimed at for the successors of a batch, in bytes."""


class _Grower:
    """The state kept between levels: the kernel's `Batch`, and the sorted keys of all positions with their numbers."""

    def __init__(self, positions: Positions) -> None:
        game, rule = positions.game, positions.rule
        changed = without_moves(game, rule.filters)
        assert changed is not None, "asked before"
        self.batch = Batch.of(changed)
        self.filtered = changed is not game
        self.merged = rule.merge in ("rotation", "all")
        self.by: By = "rotation" if rule.merge == "rotation" else "all" if rule.colours == "with players" else (
            "without players")
        self.keys = np.zeros(0, np.uint64)
        self.numbers = np.zeros(0, np.int32)

    def key(self, rows: Words) -> Words:
        """The keys that identify positions: of their representatives, where positions are merged."""
        if not self.merged:
            return self.batch.keys(rows)
        same, places, inverse = np.unique(self.batch.keys(rows), return_index=True, return_inverse=True)
        if len(same) == len(rows):
            return self.batch.canonical_keys(rows, by=self.by)
        return self.batch.canonical_keys(rows[places], by=self.by)[inverse]

    def full(self, rows: Words) -> Words:
        """Rows with zeros for the additional words of a kernel."""
        wide = np.zeros((len(rows), self.batch.width), np.uint64)
        wide[:, : rows.shape[1]] = rows
        return wide

    def add(self, keys: Words, first: int) -> None:
        """Add the keys of new positions, numbered from `first`."""
        self.keys = np.concatenate([self.keys, keys])
        self.numbers = np.concatenate([self.numbers, np.arange(first, first + len(keys), dtype=np.int32)])
        order = np.argsort(self.keys, kind="stable")
        self.keys, self.numbers = self.keys[order], self.numbers[order]

    def find(self, keys: Words) -> Numbers:
        """The numbers of keys; -1 where a key is new."""
        if not len(self.keys):
            return np.full(len(keys), -1, np.int32)
        places = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[places] == keys, self.numbers[places], np.int32(-1))


def _grower(positions: Positions, threads: int) -> _Grower:
    """Return the grower of a graph, created once, and with its keys rebuilt where they do not match the positions."""
    grower = positions.grower if isinstance(positions.grower, _Grower) else _Grower(positions)
    grower.batch.threads = threads
    if len(grower.keys) != len(positions):
        grower.keys, grower.numbers = grower.keys[:0], grower.numbers[:0]
        for first in range(0, len(positions), _AT_ONCE):
            grower.add(grower.key(grower.full(positions.rows[first : first + _AT_ONCE])), first)
    positions.grower = grower
    return grower


def grow(positions: Positions, first: int, last: int, nodes: int | None, threads: int,
         progress: Progress | None) -> None:
    """Add a level, with `threads` threads. Raises CutHere where there would be more than `nodes` positions."""
    assert first or not positions.rule.first, "the root's own filter is the interpreter's"
    grower = _grower(positions, threads)
    width = layout_of(positions.game).position
    moves_width = positions.moves.shape[1]
    result: dict[str, list[Any]] = {name: [] for name in (
        "rows", "outcomes", "movers", "counts", "targets", "moves", "same", "left_out")}
    known, removed = len(positions), [np.zeros(0, np.uint64)]
    start, moves_each = first, 64.0
    while start < last:
        at_once = min(_AT_ONCE, max(1, int(_BYTES / (8 * grower.batch.width * moves_each))))
        stop = min(start + at_once, last)
        before = grower.full(positions.rows[start:stop])
        going = positions.outcomes[start:stop] == GOING
        counts = np.zeros(stop - start, np.int64)
        listed = grower.batch.legal(before[going])
        counts[going] = listed.counts
        moves_each = max(1.0, len(listed.moves) / (stop - start))
        parents = np.repeat(np.arange(stop - start), counts)
        after = before[parents]
        grower.batch.apply(after, listed.moves)
        outcomes = grower.batch.outcomes(after)
        left_out = np.where(going & grower.filtered, 2, 0).astype(np.int8)
        keep = np.ones(len(after), np.bool_)
        if positions.rule.wins == "removed":
            keep = outcomes < 0
            left_out[np.unique(parents[~keep])] = 1
            removed.append(np.unique(grower.key(after[~keep])))
        moves = listed.moves
        if not keep.all():
            after, outcomes, parents, moves = after[keep], outcomes[keep], parents[keep], moves[keep]
        keys = grower.key(after)
        numbers = grower.find(keys)
        fresh = np.flatnonzero(numbers < 0)
        new_keys, places, inverse = np.unique(keys[fresh], return_index=True, return_inverse=True)
        order = np.argsort(places, kind="stable")
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        numbers[fresh] = known + rank[inverse]
        new = fresh[places[order]]
        grower.add(new_keys[order], known)
        known += len(new)
        if nodes is not None and known > nodes:
            positions.grower = None
            raise CutHere(f"the limit of {nodes:,} positions is reached")
        movers = grower.batch.to_move(after)
        padded = np.zeros((len(moves), moves_width), np.int32)
        shared = min(moves_width, moves.shape[1])
        padded[:, :shared] = moves[:, :shared]
        for index in range(2, shared):  # unused values are 0, as in the interpreter's rows
            padded[padded[:, 1] <= index - 2, index] = 0
        for name, values in (
                ("rows", after[new][:, :width]), ("outcomes", outcomes[new]), ("movers", movers[new]),
                ("counts", np.bincount(parents, minlength=stop - start)), ("targets", numbers), ("moves", padded),
                ("same", movers == positions.movers[start:stop][parents]), ("left_out", left_out)):
            result[name].append(values)
        if progress is not None:
            progress(stop - first, last - first, "expanding positions")
        start = stop
    whole = {name: np.concatenate(parts) for name, parts in result.items()}
    positions.add_level(**whole, removed=len(np.unique(np.concatenate(removed))))


def classes(positions: Positions, first: int, last: int) -> int | None:
    """How many positions from `first` to `last` there are up to symmetry; None where no kernel has grown the graph."""
    grower = positions.grower
    if not isinstance(grower, _Grower):
        return None
    return len(np.unique(grower.batch.canonical_keys(grower.full(positions.rows[first:last]))))


def look_at_left_out(positions: Positions) -> None:
    """Determine which positions lack moves that filters left out: those with fewer edges than legal moves."""
    batch = Batch.of(positions.game)
    width = batch.width
    open_ones = np.flatnonzero(positions.left_out == 2)
    degrees = np.diff(np.concatenate([[0], positions.ends]))
    for start in range(0, len(open_ones), _AT_ONCE):
        here = open_ones[start : start + _AT_ONCE]
        wide = np.zeros((len(here), width), np.uint64)
        wide[:, : positions.rows.shape[1]] = positions.rows[here]
        positions.left_out[here] = batch.counts(wide) != degrees[here]
