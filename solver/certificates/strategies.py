"""Strategies by the values of all positions: take the shortest win, else keep the draw, else the longest loss.

Among equally good moves, one to a position that is in the proof already is preferred, which keeps proofs small.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from interpreter.arrays import Numbers, Words
from interpreter.model.state import DRAW
from solver.certificates.checker import HOLDS, LASTS, Child, Positions
from solver.certificates.compiled import CompiledRules
from solver.errors import Refused
from solver.strong import Value
from solver.tables.codes import value_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from solver.tables.table import SolvedTable

Valued = Callable[[Positions], list[Value | None]]
"""Returns the values of unfinished positions; None for those without a known value."""
_FAR = 1 << 40


@attrs.define(eq=False)
class ByValues:
    """Chooses a player's best moves by the values of all positions."""

    kind: str
    player: int
    values: Valued

    def answers(self, positions: Sequence[Hashable], children: Sequence[Sequence[Child]],
                known: Mapping[Hashable, int]) -> list[int]:
        """For each position the index of its best child. Raises Refused where a value is missing, or contradicts what
        is to be proven."""
        going = list(dict.fromkeys(child[0] for listed in children for child in listed if child[1] is None))
        found = dict(zip(going, self.values(going), strict=True))
        result = []
        for listed in children:
            ranked = []
            for place, (position, outcome, _) in enumerate(listed):
                value = found[position] if outcome is None else Value(outcome, 0)
                if value is None:
                    raise Refused("a position is reached that has no value among those that were found")
                ranked.append((self._rank(value, outcome is not None or position in known), place))
            best, place = min(ranked)
            if best[0] >= (1 if self.kind not in (HOLDS, LASTS) else 2) and self.kind != LASTS:
                raise Refused("the values that were found do not fit each other")
            result.append(place)
        return result

    def _rank(self, value: Value, known: bool) -> tuple[int, int, int]:
        """The sort key of a child, least first: its result for the player, the plies to it, whether it is new.

        For `HOLDS`, a child that is finished or in the proof already, and not lost, comes first.
        """
        plies = _FAR if value.remoteness is None else value.remoteness
        result = 0 if value.winner == self.player else 1 if value.winner == DRAW else 2
        if self.kind == HOLDS and result < 2 and known:
            return 0, -1, 0
        return result, -plies if result == 2 else plies, int(not known)


@attrs.define(eq=False)
class TableValues:
    """Looks up the values of many positions at once in a table that a kernel made."""

    rules: CompiledRules
    table: SolvedTable
    _sorted: dict[int, tuple[Numbers, NDArray[np.generic]]] = attrs.field(factory=dict)
    """For each tier the permutation that sorts its keys, and the sorted keys."""

    def __call__(self, positions: Positions) -> list[Value | None]:
        """The values of positions; None for those that are not in the table."""
        import numpy as np

        keys, tiers = self._packed(self.rules.rows(positions))
        result = np.full(len(positions), -1, np.int64)
        for number in np.unique(tiers).tolist():
            tier = self.table.enumeration.tiers.get(number)
            if tier is not None:
                here = np.flatnonzero(tiers == number)
                order, ordered = self._order(number)
                wanted = _comparable(keys[here])
                places = np.minimum(np.searchsorted(ordered, wanted), len(ordered) - 1)
                values = tier.column("values", self._path)[order[places]].astype(np.int64)
                result[here] = np.where(ordered[places] == wanted, values, -1)
        return [None if code < 0 else value_of(code) for code in result.tolist()]

    @property
    def _path(self) -> Path | None:
        return None if self.table.folder is None else self.table.folder.path

    def _order(self, number: int) -> tuple[Numbers, NDArray[np.generic]]:
        import numpy as np

        if number not in self._sorted:
            keys = _comparable(np.asarray(self.table.enumeration.tiers[number].all_keys(self._path)))
            order = np.argsort(keys)
            self._sorted[number] = order, keys[order]
        return self._sorted[number]

    def _packed(self, rows: Words) -> tuple[Words, Numbers]:
        """The packed least images of rows under the symmetries, and their tiers."""
        import numpy as np

        enumeration = self.table.enumeration
        kernel = enumeration.kernel
        keys, tiers = np.zeros((len(rows), kernel.assembled.packing.width), np.uint64), np.zeros(len(rows), np.int64)
        images = np.zeros((3, kernel.assembled.layout.width), np.uint64)
        pack_least, tier_of = kernel.functions["pack_least"], kernel.functions["tier_of"]
        for index, row in enumerate(rows):
            pack_least(row, keys[index], enumeration.elements, images)
            if not enumeration.flat:
                tiers[index] = tier_of(keys[index])
        return keys, tiers


def _comparable(keys: Words) -> NDArray[np.generic]:
    """Packed positions as scalars that NumPy compares by all their words, the first word first."""
    import numpy as np

    if keys.shape[1] == 1:
        return np.ascontiguousarray(keys[:, 0])
    return np.ascontiguousarray(keys.astype(">u8")).view(f"S{8 * keys.shape[1]}").ravel()


__all__ = ["ByValues", "TableValues"]
