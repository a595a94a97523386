"""Plays the games of a tree search in batches; between them the clock is read, and the caller may act."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, Protocol

import attrs

from solver.native.functions import Line
from solver.players.limits import Limit
from solver.players.tree_threads import TreeThreads, Worked


class _Searched(Protocol):
    """The arrays of a tree search that batches look at."""

    @property
    def tree(self) -> Any:
        """Records with the field `visits`; the root's is the first one."""

    @property
    def state(self) -> Any:
        """One record with the field `goal`: the visits that the root will have when the time is up."""

    @property
    def halted(self) -> Line:
        """[1]: not 0 where another thread ended the search."""


@attrs.define
class Batches(Generic[Worked]):
    """The batches of one search, by its main thread and helpers.

    The search ends at its limit, where another thread halts it, or where it returns a status other than `waiting`.
    """

    helpers: TreeThreads[Worked]
    worked: Worked
    """What the main thread works with, and `own` the arrays among that."""
    own: _Searched
    played: Callable[[], int]
    """Counts the games of the main thread so far."""
    limit: Limit
    """The limit of the main thread."""
    started: float = attrs.field(init=False)
    late: bool = False
    """Whether the search ended because the time was over."""

    def __attrs_post_init__(self) -> None:
        self.started = self.limit.now()

    @property
    def spent(self) -> float:
        """The seconds since the beginning, by the limit's clock."""
        return self.limit.now() - self.started

    def __iter__(self) -> Iterator[int]:
        """Play, and yield the status after each batch."""
        limit, own, helpers = self.limit, self.own, self.helpers
        most, batch = limit.nodes or 1 << 62, 1
        while True:
            clock, before, played = limit.now(), int(own.tree[0].visits), self.played()
            until = min(most, played + batch)
            alone = not helpers.others or not played  # one thread expands the root
            status = helpers.games(self.worked, until) if alone else helpers.play(self.worked, until, most)
            took, spent = limit.now() - clock, self.spent
            yield status
            if status != helpers.waiting or self.played() >= most or int(own.halted[0]):
                return
            if limit.time is not None and spent >= limit.time:
                self.late = True
                return
            batch = limit.batch(batch, took, spent)
            own.state[0].goal = limit.goal(int(own.tree[0].visits), before, took, spent)
