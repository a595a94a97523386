"""Enumerates positions alongside a search in which play can go round in circles.

A search follows lines of play, and what it proves on a line that repeats a position often holds on that line alone: a
few hundred positions can have more such lines than a search can follow. Enumeration visits each position once. So while
a search goes on without an answer, positions are enumerated from time to time, their number in proportion to those
searched; once all are enumerated, `AllValued` ends the search with their values. The scheduler of `solver.drivers.weak`
calls `Closing.look` between slices.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from interpreter.errors import RuleError
from solver.budget import Budget, memory_used
from solver.packed_space import Key, PackedSpace, PackedValues
from solver.strong import Strong

if TYPE_CHECKING:
    from solver.game_space import GameSpace

_FIRST, _FIRST_PLAIN = 5_000, 500
"""Positions searched before anything is enumerated, by a compiled search and by one in plain Python: most searches are
finished by then."""
_FEW = 4_000
"""The limit of enumerated positions, to which a share of those searched is added."""
_SHARE, _SHARE_PLAIN = 32, 1
"""Positions searched for each one added to that limit. A compiled search looks at about this many while one is
enumerated."""
_MOST = 500_000
"""The most positions enumerated."""
_BYTES = 1_000
"""Roughly the memory that an enumerated position takes."""


class AllValued(Exception):
    """Ends the search, as every reachable position is valued."""

    def __init__(self, values: PackedValues) -> None:
        super().__init__(f"all {len(values.strong.states):,} positions are valued")
        self.values = values


@attrs.define(eq=False)
class Closing:
    """An enumeration that grows with a search."""

    space: GameSpace
    budget: Budget
    native: bool
    """Whether the search is compiled."""
    _next: int = attrs.field(init=False)
    """How many positions must have been searched before more are enumerated."""
    _most: int = attrs.field(init=False)
    _strong: Strong[Key, int] | None = None
    _packed: PackedSpace | None = None

    def __attrs_post_init__(self) -> None:
        self._next = _FIRST if self.native else _FIRST_PLAIN
        self._most = _MOST
        if self.budget.memory is not None:
            self._most = min(self._most, (max(0, self.budget.memory - memory_used()) << 20) // (4 * _BYTES))

    def look(self, searched: int) -> None:
        """Enumerate more positions when due. Raises AllValued once all are valued, OutOfBudget past the memory limit.

        A rule that fails ends the enumeration, not the search, which may never reach that position.
        """
        if searched < self._next:
            return
        self._next = max(self._next, searched) * 4
        if self._packed is None:
            self._packed = PackedSpace.of(self.space)
            self._strong = Strong(self._packed, Budget(None, self.budget.memory, self.budget.progress))
        assert self._strong is not None
        most = min(self._most, _FEW + searched // (_SHARE if self.native else _SHARE_PLAIN))
        try:
            if self._strong.enumerate_until(most):
                self._strong.value_all()
                raise AllValued(PackedValues(self._packed, self._strong))
            if most < self._most:
                return
        except RuleError:
            pass
        self._next, self._strong, self._packed = 1 << 62, None, None
