"""Values all positions, tier by tier, from the last to the first."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from interpreter.compiler.lowering.packing import Packing
from solver.native import retrograde, runtime
from solver.native.functions import Records
from solver.native.records import native_records
from solver.native.retrograde import Fields
from solver.tables.codes import LONGEST
from solver.tables.columns import Tier
from solver.tables.enumeration import Enumeration, TooLarge
from solver.tables.passes import Passes, mapped

_SHARED = 1 << 15
"""The size of a tier, in positions, above which threads share its work."""


_TOO_LONG = f"a game is longer than {LONGEST:,} moves under best play"


def fields_at(outcome_word: int, outcome_shift: int, mover_word: int, mover_shift: int, mover_mask: int) -> Records[
        Fields]:
    """The record of the bit fields that hold the outcome and the player to move in a packed position."""
    result = native_records(Fields, 1)
    result[0].outcome_word, result[0].outcome_shift = outcome_word, outcome_shift
    result[0].mover_word, result[0].mover_shift, result[0].mover_mask = mover_word, mover_shift, mover_mask
    return result


def fields_of(packing: Packing, *, relative: bool = False) -> Records[Fields]:
    """The record for a kernel's packed positions; `relative` says how values name winners (see `Fields`)."""
    outcome, mover = packing.outcome, packing.to_move
    result = fields_at(outcome.word, outcome.shift, mover.word, mover.shift, (1 << mover.bits) - 1)
    result[0].relative = int(relative)
    return result


def loaded(array: Any) -> Any:
    """Return an array that is in memory: a memory-mapped one is read."""
    return np.array(array) if isinstance(array, np.memmap) else np.ascontiguousarray(array)


@attrs.define
class Totals:
    """The numbers of positions that the player to move wins, loses and draws, and the largest remoteness."""

    win: int = 0
    lose: int = 0
    draw: int = 0
    longest: int = 0

    def add(self, other: Totals) -> None:
        """Add the totals of other positions."""
        self.win, self.lose, self.draw = self.win + other.win, self.lose + other.lose, self.draw + other.draw
        self.longest = max(self.longest, other.longest)


@attrs.define(eq=False)
class Valuation:
    """Values the tiers of a finished enumeration."""

    enumeration: Enumeration
    relative: bool = False
    """Whether positions are merged with those in which the other player is to move."""
    free: int | None = None
    """MiB of memory that may be used, None for no limit: tiers that need more are valued by passes."""
    on_disk: Callable[[], Path] | None = None
    """Moves all data from memory to disk, and returns the folder."""
    tell: Callable[[str], None] = lambda _: None
    """Called with progress messages of passes; may raise an exception to stop them."""
    fields: Records[Fields] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.fields = fields_of(self.enumeration.kernel.assembled.packing, relative=self.relative)

    def run(self, after: Callable[[Tier], None], folder: Callable[[], Path | None]) -> None:
        """Value every tier that has no values yet, from the last to the first; `after` is called after each.

        `folder` returns the folder of the data that is not in memory. Raises TooLarge.
        """
        for _, tier in sorted(self.enumeration.tiers.items(), reverse=True):
            if tier.values.entries < tier.count:
                self.value(tier, folder())
                after(tier)

    def value(self, tier: Tier, folder: Path | None) -> None:
        """Value a tier; later tiers must have values."""
        if self.on_disk is not None and self.free is not None and tier.number in tier.later and (
                self._bytes_within(tier) >> 20 > self.free):
            self._by_passes(tier, self.on_disk())
            return
        keys, counts = loaded(tier.all_keys(folder)), loaded(tier.column("counts", folder))
        kids, which = loaded(tier.column("kids", folder)), loaded(tier.column("which", folder))
        offsets, later = self._later(tier, folder)
        own = tier.later.index(tier.number) if tier.number in tier.later else -1
        values = np.zeros(tier.count, np.uint16)
        native = retrograde.Tier(keys, self.fields, counts, kids, which, offsets, later, values)
        code = self._from_later(native) if own < 0 else self._within(native, own)
        if code:
            raise TooLarge(_TOO_LONG)
        tier.values.append(values)

    def _bytes_within(self, tier: Tier) -> int:
        """Bytes of memory that retrograde analysis takes: positions, moves in both directions, and lists."""
        return tier.count * (8 * tier.width + 32) + tier.kids.entries * (4 + 1 + 4)

    def _by_passes(self, tier: Tier, folder: Path) -> None:
        offsets, others = self._later(tier, folder)
        own = tier.later.index(tier.number)
        offsets[own] = len(others)
        later = np.concatenate([others, np.zeros(tier.count, np.uint16)])
        native = retrograde.Tier(
            mapped(tier.all_keys(folder)), self.fields, loaded(tier.column("counts", folder)),
            mapped(tier.column("kids", folder)), mapped(tier.column("which", folder)), offsets, later,
            later[len(others):])
        passes = Passes(native, own, self.enumeration.threads, tier.file(folder, "open"), self.tell,
                        math.inf if self.free is None else max(0, (self.free << 20) - 4 * tier.count - len(others) * 2))
        if not passes.run():
            raise TooLarge(_TOO_LONG)
        if not self.enumeration.cyclic:
            self.enumeration.cyclic = passes.cyclic()
        tier.values.append(native.values)
        passes.kept.unlink(missing_ok=True)

    def _later(self, tier: Tier, folder: Path | None) -> tuple[Any, Any]:
        """Where each tier of `tier.later` begins, and the values of these tiers, concatenated, without its own."""
        parts, offsets, total = [], [], 0
        for number in tier.later:
            offsets.append(total)
            if number != tier.number:
                parts.append(self.enumeration.tiers[number].column("values", folder))
                total += len(parts[-1])
        later = loaded(parts[0]) if len(parts) == 1 else np.concatenate([np.zeros(0, np.uint16), *parts])
        return np.array(offsets or [0], np.int64), later

    def _from_later(self, tier: retrograde.Tier) -> int:
        value_from_later = runtime.compiled_entry(retrograde.value_from_later)

        count = len(tier.values)
        threads = self.enumeration.threads if count > _SHARED else 1
        if threads == 1:
            return value_from_later(tier, 0, count, 0)
        borders = [count * number // threads for number in range(threads + 1)]
        edges = [0, *np.cumsum([int(tier.counts[first:last].sum(dtype=np.int64))
                                for first, last in pairwise(borders)]).tolist()]
        with ThreadPoolExecutor(threads) as pool:
            jobs = [pool.submit(value_from_later, tier, borders[k], borders[k + 1], edges[k]) for k in range(threads)]
            return min(job.result() for job in jobs)

    def _within(self, tier: retrograde.Tier, own: int) -> int:
        count = len(tier.values)
        moves = retrograde.Moves(own, np.zeros(count + 1, np.int64), np.zeros(count + 1, np.int64),
                                 np.empty(0, np.uint32))
        total = runtime.compiled_entry(retrograde.first_edges)(tier, moves, count)
        moves = moves._replace(parents=np.empty(total, np.uint32))
        runtime.compiled_entry(retrograde.turn_round)(tier, moves, count)
        heads = np.empty((2, LONGEST + 1), np.int32)
        waiting = retrograde.Waiting(np.empty(count, np.int32), np.empty(count, np.int32), np.empty(count, np.int32),
                                     np.empty(count, np.int32), heads[0], heads[1])
        if not self.enumeration.cyclic:
            left = runtime.compiled_entry(retrograde.peel)(tier, moves, waiting.moves, waiting.queue, count)
            self.enumeration.cyclic = left > 0
        return runtime.compiled_entry(retrograde.value_within)(tier, moves, waiting, count)

    def totals(self, tier: Tier, group: int, folder: Path | None) -> Totals:
        """The totals of a valued tier; `group` symmetries count all images of a position, 0 counts each only once."""
        result = np.zeros(4, np.int64)
        runtime.compiled_entry(retrograde.add_up)(
            mapped(tier.all_keys(folder)), self.fields, mapped(tier.column("values", folder)),
            mapped(tier.all_sames(folder)), group, tier.count, result)
        return Totals(*result.tolist())
