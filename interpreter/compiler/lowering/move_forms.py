"""The forms of the entries in which moves are listed: what they leave to choose, and the places of their numbers."""

from __future__ import annotations

import attrs

FORM, MANY, LENGTH, VALUES = 0, 1, 2, 3
"""Where an entry has its form, its number of moves, how many values it gives, and the first of these."""


@attrs.frozen
class Form:
    """What entries of a kind leave to choose: from a set of cells or numbers from `low` on, then from fixed lists."""

    rule: int
    has_set: bool = False
    low: int = 0
    lists: tuple[tuple[int, ...], ...] = ()
    is_head: bool = False
    """Whether an entry is only the first choices of moves whose other choices depend on their effects."""

    @property
    def listed(self) -> int:
        """The number of combinations of values from the fixed lists."""
        count = 1
        for values in self.lists:
            count *= len(values)
        return count
