"""Growing the graph of positions by the game's kernel: a whole level at once, on arrays of rows.

The same as the interpreter finds, in the same order; a property test holds it to that.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from interpreter.kernel.many import Batch
from solver.trees.filters import without_moves
from solver.trees.positions import GOING, CutHere, Positions, Progress, layout_of

_AT_ONCE = 1 << 16
"""Positions that are expanded together."""


class _Grower:
    """What stays from level to level: the kernels, and the keys of all positions."""

    def __init__(self, positions: Positions) -> None:
        game, rule = positions.game, positions.rule
        changed = without_moves(game, rule.filters)
        assert changed is not None, "asked before"
        self.batch = Batch.of(changed)
        self.filtered = changed is not game
        self.merged = rule.merge in ("rotation", "all")
        self.keys = np.zeros(0, np.uint64)
        self.numbers = np.zeros(0, np.int32)

    def key(self, rows: Any) -> Any:
        """The keys by which positions are told apart."""
        return self.batch.canonical_keys(rows) if self.merged else self.batch.keys(rows)

    def full(self, rows: Any) -> Any:
        """Rows with the words that a kernel keeps besides."""
        wide = np.zeros((len(rows), self.batch.width), np.uint64)
        wide[:, : rows.shape[1]] = rows
        return wide

    def add(self, keys: Any, first: int) -> None:
        """Note the keys of new positions, numbered from `first`."""
        self.keys = np.concatenate([self.keys, keys])
        self.numbers = np.concatenate([self.numbers, np.arange(first, first + len(keys), dtype=np.int32)])
        order = np.argsort(self.keys, kind="stable")
        self.keys, self.numbers = self.keys[order], self.numbers[order]

    def find(self, keys: Any) -> Any:
        """The numbers of keys; -1 where a key is new."""
        if not len(self.keys):
            return np.full(len(keys), -1, np.int32)
        places = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[places] == keys, self.numbers[places], np.int32(-1))


def _grower(positions: Positions) -> _Grower:
    """The grower of a graph, made once and brought up to date."""
    grower = positions.grower if isinstance(positions.grower, _Grower) else _Grower(positions)
    if len(grower.keys) != len(positions):
        grower.keys, grower.numbers = grower.keys[:0], grower.numbers[:0]
        for first in range(0, len(positions), _AT_ONCE):
            grower.add(grower.key(grower.full(positions.rows[first : first + _AT_ONCE])), first)
    positions.grower = grower
    return grower


def grow(positions: Positions, first: int, last: int, nodes: int | None, progress: Progress | None) -> None:
    """Add a level. Raises CutHere where there would be more positions than `nodes`."""
    assert first or not positions.rule.first, "the root's own filter is the interpreter's"
    grower = _grower(positions)
    width = layout_of(positions.game).position
    moves_width = positions.moves.shape[1]
    found: dict[str, list[Any]] = {name: [] for name in (
        "rows", "outcomes", "movers", "counts", "targets", "moves", "same", "left_out")}
    known, removed = len(positions), 0
    for start in range(first, last, _AT_ONCE):
        stop = min(start + _AT_ONCE, last)
        before = grower.full(positions.rows[start:stop])
        going = positions.outcomes[start:stop] == GOING
        counts = np.zeros(stop - start, np.int64)
        listed = grower.batch.legal(before[going])
        counts[going] = listed.counts
        parents = np.repeat(np.arange(stop - start), counts)
        after = before[parents]
        grower.batch.apply(after, listed.moves)
        outcomes = grower.batch.outcomes(after)
        left_out = np.where(going & grower.filtered, 2, 0).astype(np.int8)
        keep = np.ones(len(after), np.bool_)
        if positions.rule.wins == "removed":
            keep = outcomes < 0
            left_out[np.unique(parents[~keep])] = 1
            removed += len(np.unique(grower.key(after[~keep])))
        after, outcomes, parents, moves = after[keep], outcomes[keep], parents[keep], listed.moves[keep]
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
        for place in range(2, shared):  # what does not count is 0, as the interpreter has it
            padded[padded[:, 1] <= place - 2, place] = 0
        for name, values in (
                ("rows", after[new][:, :width]), ("outcomes", outcomes[new]), ("movers", movers[new]),
                ("counts", np.bincount(parents, minlength=stop - start)), ("targets", numbers), ("moves", padded),
                ("same", movers == positions.movers[start:stop][parents]), ("left_out", left_out)):
            found[name].append(values)
        if progress is not None:
            progress(stop - first, last - first, "expanding positions")
    whole = {name: np.concatenate(parts) for name, parts in found.items()}
    positions.add_level(**whole, removed=removed)


def look_at_left_out(positions: Positions) -> None:
    """Find out which positions lack moves that filters left out: those that have fewer than the rules give them."""
    batch = Batch.of(positions.game)
    width = batch.width
    open_ones = np.flatnonzero(positions.left_out == 2)
    degrees = np.diff(np.concatenate([[0], positions.ends]))
    for start in range(0, len(open_ones), _AT_ONCE):
        here = open_ones[start : start + _AT_ONCE]
        wide = np.zeros((len(here), width), np.uint64)
        wide[:, : positions.rows.shape[1]] = positions.rows[here]
        positions.left_out[here] = batch.counts(wide) != degrees[here]
