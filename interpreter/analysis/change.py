"""Bounds on how much a rule changes the countable quantities of a position."""

from __future__ import annotations

import attrs

from dsl.checks.bounds import ANY_NUMBER, Interval, either

_ZERO = Interval(0, 0)


@attrs.define
class Change:
    """Bounds on a rule's change of each quantity: numbers of pieces by index, sums of variables as -1 - number."""

    by: dict[int, Interval] = attrs.field(factory=dict)

    def of(self, quantity: int) -> Interval:
        """The change of one quantity."""
        return self.by.get(quantity, _ZERO)

    def add(self, quantity: int, low: float, high: float) -> None:
        """Add a change of a quantity, between `low` and `high`."""
        before = self.of(quantity)
        self.by[quantity] = Interval(before.low + low, before.high + high)

    def plus(self, other: Change) -> None:
        """Add the changes of all quantities in `other`."""
        for quantity, (low, high) in other.by.items():
            self.add(quantity, low, high)

    def perhaps(self, times: float = 1) -> Change:
        """The change when this one happens 0 to `times` times."""
        return Change({q: Interval(min(0, low * times if low else 0), max(0, high * times if high else 0))
                       for q, (low, high) in self.by.items()})

    def hull(self, other: Change) -> Change:
        """The change when either this or the other one happens."""
        both = {*self.by, *other.by}
        return Change({q: either(self.of(q), other.of(q), ANY_NUMBER) for q in both})
