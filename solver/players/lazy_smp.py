"""Alpha-beta on several threads that share a transposition table ("lazy SMP") and see what others search.

Each helper searches the same position as the main thread by iterative deepening, with arrays of its own. The others
reuse its entries in the table. Which thread runs ahead depends on timing, so that repeating a search may give another
move.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from copy import copy
from functools import partial
from typing import TypeAlias

import attrs

from interpreter.arrays import Numbers
from solver.native import pvs_state as native
from solver.native.learned import FIXED
from solver.native.records import anew, value_of, values_in_all
from solver.native.scores import INFINITE, MOST
from solver.players.side_threads import SideThread, check, wait_for

BUSY = 1 << 12
"""Slots for the moves that threads are searching."""
SearchOn: TypeAlias = Callable[[native.Search, int], int]
"""Runs a search until it has visited a number of nodes, and returns its status; see `solver.native.pvs.search`."""
_SHARED = ("before", "table", "busy", "past", "left_out", "margins", "history", "settings")


@attrs.frozen(eq=False)
class Deepest:
    """The result of the deepest search that a helper completed."""

    depth: int
    score: int
    line: Numbers
    """The moves of the principal variation. int64[plies, 2 + n]"""
    complete: bool
    """Whether every line was searched to the end of the game."""
    nodes: int
    seconds: float
    """Seconds of this depth alone, as `nodes` are."""


@attrs.define(eq=False)
class _Helper:
    """The arrays and the result of one thread."""

    own: native.Search
    found: Deepest | None = None


class Helpers:
    """`count` threads that help the searches of one game, one search at a time."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._histories: list[Numbers] = []
        self._helpers: list[_Helper] = []
        self._threads: list[SideThread[None]] = []

    def forget(self) -> None:
        """Drop the history tables of earlier searches."""
        self._histories.clear()

    def begin(self, own: native.Search, search: SearchOn, first: int, most: int, nodes: int | None) -> None:
        """Start the helpers of the search with the arrays `own`, from depth `first` to `most`, each with up to `nodes`.

        The caller must call `end` in any case.
        """
        while len(self._histories) < self.count:
            self._histories.append(own.history.copy())
        stop = own.halted.copy()
        self._helpers = [_Helper(_beside(own, history, stop)) for history in self._histories]
        self._threads = [SideThread(partial(_deepen, helper, search, first, most, nodes or 1 << 62))
                         for helper in self._helpers]
        for thread in self._threads:
            thread.begin()

    def end(self) -> None:
        """Stop all helpers and wait for them; a Ctrl-C meanwhile is raised after that."""
        for helper in self._helpers:
            helper.own.halted[0] = 1
        wait_for(self._threads)

    def check(self) -> None:
        """Raise the exception of a helper that failed."""
        check(self._threads)

    def counts(self, own: native.Search) -> dict[str, int]:
        """The counts so far, summed over the search with the arrays `own` and the helpers."""
        return values_in_all((own.counts, *(helper.own.counts for helper in self._helpers)), native.Counts)

    @property
    def deepest(self) -> Deepest | None:
        """The deepest result of the helpers, with proven results first; None where no helper completed a depth."""
        found = [helper.found for helper in self._helpers if helper.found is not None]
        return max(found, key=lambda one: (one.complete or abs(one.score) > MOST, one.depth), default=None)


def _beside(own: native.Search, history: Numbers, halted: Numbers) -> native.Search:
    """The arrays of another search of the same position with the same table, until `halted` is nonzero."""
    result = anew(own, (*_SHARED, *FIXED))._replace(
        history=history, settings=copy(own.settings), halted=halted)
    if own.keys is own.packed:
        result = result._replace(keys=result.packed)
    result.rows[0], result.packed[0] = own.rows[0], own.packed[0]
    return result


def _deepen(helper: _Helper, search: SearchOn, first: int, most: int, nodes: int) -> None:
    """Search by iterative deepening, until halted or until a deeper search cannot change the result."""
    own = helper.own
    root, state = own.frames[0], own.state[0]
    for depth in range(first, most + 1):
        before, began = value_of(own.counts, native.Counts, "nodes"), time.perf_counter()
        root.depth, root.alpha, root.beta = depth, -INFINITE, INFINITE
        state.status, state.ply = native.ENTER, 0
        if search(own, nodes) != native.DONE:
            return
        score, length = int(root.best), int(own.lengths[0])
        if not length or (score < -MOST and own.settings[0].choosing_first == native.PROPOSED):
            return  # all proposed moves lose: the main search goes on with the other moves
        helper.found = Deepest(depth, score, own.lines[0, :length].copy(), bool(root.complete),
                               value_of(own.counts, native.Counts, "nodes") - before, time.perf_counter() - began)
        if root.complete or abs(score) > MOST:
            return
