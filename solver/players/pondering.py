"""Thinking ahead while the opponent thinks: the position after an own move is searched until the opponent has moved.

What the search keeps, its table or its tree, is what the search of the next move begins with.
"""

from __future__ import annotations

from functools import partial
from typing import Protocol

from interpreter.arrays import Numbers
from interpreter.game import Position
from interpreter.model.state import State
from solver.players.iterative_deepening import Limit
from solver.players.side_threads import SideThread

MOST = 60.0
"""Seconds after which it ends by itself."""


class Haltable(Protocol):
    """A search that keeps what it found for the positions that follow, and can be ended from another thread."""

    def search(self, state: State, limit: Limit, *, history: tuple[State, ...], seed: int, halted: Numbers) -> object:
        """Search a position until a limit, or until `halted` (int64[1]) is not 0."""


class Pondering:
    """Thinks ahead with one search, for one position at a time, at most so many plies deep; None for no such limit.

    It ends with whoever has it: a player that nobody has any more thinks of nothing.
    """

    def __init__(self, search: Haltable, plies: int | None) -> None:
        self._search, self._plies = search, plies
        self._halted: Numbers | None = None
        self._thread: SideThread[object] | None = None

    def begin(self, position: Position, seed: int) -> None:
        """Search a position at which others are to move, until `end`; not where the game is over or chance moves."""
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
        except RuntimeError:  # there can be no more threads
            self._thread = None

    @property
    def running(self) -> bool:
        """Whether a position is being searched."""
        return self._thread is not None and self._thread.running

    def end(self) -> None:
        """Have the search end where it is, and wait for that.

        What went wrong in it is passed over: if it matters, the search for the next move meets it as well.
        """
        self._halt()
        if self._thread is not None:
            self._thread.wait()
            self._thread = None

    def _halt(self) -> None:
        if self._halted is not None:
            self._halted[0] = 1

    def __del__(self) -> None:
        """End with whoever had it."""
        self._halt()
