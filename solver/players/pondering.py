"""Pondering: searching the position after an own move until the opponent has moved.

The search for the next move starts with the table or the tree that this search has filled.
"""

from __future__ import annotations

from functools import partial
from typing import Protocol

from interpreter.arrays import Numbers
from interpreter.game import Position
from interpreter.model.state import State
from solver.players.limits import Limit
from solver.players.side_threads import SideThread

MOST = 60.0
"""Seconds after which pondering ends by itself."""


class Haltable(Protocol):
    """A search that keeps its results for later positions, and that another thread can stop."""

    def search(self, state: State, limit: Limit, *, history: tuple[State, ...], seed: int, halted: Numbers) -> object:
        """Search a position until a limit is reached, or until `halted` (int64[1]) is not 0."""


class Pondering:
    """Ponders with one search, one position at a time, up to `plies` deep; None for no limit.

    The search stops when this object is deleted, so that a player without references stops pondering.
    """

    def __init__(self, search: Haltable, plies: int | None) -> None:
        self._search, self._plies = search, plies
        self._halted: Numbers | None = None
        self._thread: SideThread[object] | None = None

    def begin(self, position: Position, seed: int) -> None:
        """Start to search a position at which others are to move, until `end`; not if the game is over or chance moves.
        """
        import numpy as np

        self.end()
        if position.over or position.by_chance:
            return
        self._halted = np.zeros(1, np.int64)
        limit = Limit(self._plies, seconds=MOST, begun=1.0)
        self._thread = SideThread(partial(self._search.search, position.state, limit, history=position.history,
                                          seed=seed, halted=self._halted))
        try:
            self._thread.begin()
        except RuntimeError:  # no more threads can be started
            self._thread = None

    @property
    def running(self) -> bool:
        """Whether a position is being searched."""
        return self._thread is not None and self._thread.running

    def end(self) -> None:
        """Stop the search, and wait until it has stopped.

        Its exceptions are ignored: a problem that matters shows up in the search for the next move as well.
        """
        self._halt()
        if self._thread is not None:
            self._thread.wait()
            self._thread = None

    def _halt(self) -> None:
        if self._halted is not None:
            self._halted[0] = 1

    def __del__(self) -> None:
        """Stop the search."""
        self._halt()
