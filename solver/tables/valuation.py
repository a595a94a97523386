"""Values of all positions, from the last tier to the first."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from interpreter.kernel.packing import Packing
from solver.tables.codes import LONGEST
from solver.tables.columns import Tier
from solver.tables.enumeration import Enumeration, TooLarge

_SHARED = 1 << 15
"""Positions from which on threads share the work."""


def fields_of(packing: Packing) -> Any:
    """Where the outcome and the player to move stand in a packed position."""
    outcome, mover = packing.outcome, packing.to_move
    return np.array([outcome.word, outcome.shift, mover.word, mover.shift, (1 << mover.bits) - 1], np.int64)


def loaded(array: Any) -> Any:
    """An array in memory; a mapped one is read."""
    return np.array(array) if isinstance(array, np.memmap) else np.ascontiguousarray(array)


@attrs.define
class Totals:
    """Positions, symmetric ones counted each: won by the player to move, lost, drawn; the largest remoteness."""

    win: int = 0
    lose: int = 0
    draw: int = 0
    longest: int = 0

    def add(self, other: Totals) -> None:
        """Add others."""
        self.win, self.lose, self.draw = self.win + other.win, self.lose + other.lose, self.draw + other.draw
        self.longest = max(self.longest, other.longest)


@attrs.define(eq=False)
class Valuation:
    """Values tiers that are all enumerated."""

    enumeration: Enumeration
    fields: Any = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.fields = fields_of(self.enumeration.kernel.assembled.packing)

    def run(self, after: Callable[[Tier], None], folder: Callable[[], Path | None]) -> None:
        """Value every tier that has no values, the last first; `after` is called after each.

        `folder` says where what is not in memory is. Raises TooLarge.
        """
        for _, tier in sorted(self.enumeration.tiers.items(), reverse=True):
            if tier.values.entries < tier.count:
                self.value(tier, folder())
                after(tier)

    def value(self, tier: Tier, folder: Path | None) -> None:
        """Value a tier; those after it have values."""
        keys, counts = loaded(tier.all_keys(folder)), loaded(tier.column("counts", folder))
        kids, which = loaded(tier.column("kids", folder)), loaded(tier.column("which", folder))
        offsets, later = self._later(tier, folder)
        own = tier.later.index(tier.number) if tier.number in tier.later else -1
        values = np.zeros(tier.count, np.uint16)
        if own < 0:
            code = self._from_later(keys, counts, kids, which, offsets, later, values)
        else:
            code = self._within(keys, counts, kids, which, own, offsets, later, values)
        if code:
            raise TooLarge(f"a game is longer than {LONGEST:,} moves under best play")
        tier.values.append(values)

    def _later(self, tier: Tier, folder: Path | None) -> tuple[Any, Any]:
        """The values of the tiers that moves lead to, one after another, and where each begins."""
        parts, offsets, total = [], [], 0
        for number in tier.later:
            offsets.append(total)
            if number != tier.number:
                parts.append(self.enumeration.tiers[number].column("values", folder))
                total += len(parts[-1])
        later = loaded(parts[0]) if len(parts) == 1 else np.concatenate([np.zeros(0, np.uint16), *parts])
        return np.array(offsets or [0], np.int64), later

    def _from_later(self, keys: Any, counts: Any, kids: Any, which: Any, offsets: Any, later: Any, values: Any) -> int:
        from solver.native import valuing

        value_from_later: Any = valuing.value_from_later

        count, threads = len(values), self.enumeration.threads if len(values) > _SHARED else 1
        arguments: tuple[Any, ...] = (keys, self.fields, counts, kids, which, offsets, later, values)
        if threads == 1:
            return int(value_from_later(*arguments, 0, count, 0))
        borders = [count * number // threads for number in range(threads + 1)]
        edges = [0, *np.cumsum([int(counts[first:last].sum(dtype=np.int64))
                                for first, last in pairwise(borders)]).tolist()]
        with ThreadPoolExecutor(threads) as pool:
            jobs = [pool.submit(value_from_later, *(*arguments, borders[k], borders[k + 1], edges[k]))
                    for k in range(threads)]
            return min(int(job.result()) for job in jobs)

    def _within(self, keys: Any, counts: Any, kids: Any, which: Any, own: int, offsets: Any, later: Any,
                values: Any) -> int:
        from solver.native import valuing

        count = len(values)
        first, ends = np.zeros(count + 1, np.int64), np.zeros(count + 1, np.int64)
        total = int(valuing.first_edges(counts, kids, which, own, count, first, ends))
        parents = np.empty(total, np.uint32)
        valuing.turn_round(kids, which, own, count, first, ends, parents)
        waiting, queue = np.empty(count, np.int32), np.empty(count, np.int32)
        if not self.enumeration.cyclic:
            self.enumeration.cyclic = bool(valuing.peel(kids, which, own, count, first, ends, waiting, queue))
        wins, losses = np.empty(count, np.int32), np.empty(count, np.int32)
        heads = np.empty((2, LONGEST + 1), np.int32)
        return int(valuing.value_within(keys, self.fields, count, kids, which, own, first, ends, parents, offsets,
                                        later, values, waiting, queue, wins, losses, heads[0], heads[1]))

    def totals(self, tier: Tier, group: int, folder: Path | None) -> Totals:
        """The totals of a tier that has values, with so many symmetries."""
        from solver.native.valuing import add_up

        found = np.zeros(4, np.int64)
        add_up(loaded(tier.all_keys(folder)), self.fields, loaded(tier.column("values", folder)),
               loaded(tier.all_sames(folder)), group, tier.count, found)
        return Totals(*found.tolist())
