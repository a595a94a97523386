"""Strong solving of a game with its kernel: the values of all reachable positions.

`TableSolver` enumerates and values the positions within a budget, moves data to disk where memory is short, and resumes
an interrupted run from its checkpoint. The result is a `SolvedTable`, which answers as `solver.strong.Strong` does.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np

from interpreter.errors import RuleError
from interpreter.kernel.kernel import Kernel
from interpreter.model.outcomes import tally
from interpreter.model.state import Move, State
from solver import budget as budgets
from solver.budget import Budget, OutOfBudget
from solver.errors import Refused
from solver.strong import Value, best_line
from solver.tables import saved
from solver.tables.checkpoint import WorkFolder
from solver.tables.codes import value_of
from solver.tables.columns import Tier
from solver.tables.enumeration import Enumeration, OutOfOrder, TooLarge
from solver.tables.solution_file import sorted_order
from solver.tables.valuation import Totals, Valuation, fields_of

if TYPE_CHECKING:
    from solver.game_space import GameSpace
    from solver.tables.saved import SavedSolution

_SPILL = 0.6
"""The share of the memory limit above which finished data moves to disk."""
_CHECKPOINT = 20.0
"""Seconds between two checkpoints."""
_SCANS = 3
"""How many lookups scan a tier linearly before its keys are sorted for binary search."""


@attrs.define(eq=False)
class SolvedTable:
    """The values of all positions reachable from a root."""

    space: GameSpace
    enumeration: Enumeration
    totals: Totals
    folder: WorkFolder | None
    """The folder of the data that is not in memory."""
    _orders: dict[int, Any] = attrs.field(factory=dict)
    _scans: dict[int, int] = attrs.field(factory=dict)

    @property
    def merged(self) -> int:
        """How many positions there are up to symmetry."""
        return self.enumeration.positions

    def unmerged(self) -> int:
        """How many positions there are without merging by symmetry."""
        return self.totals.win + self.totals.lose + self.totals.draw

    def tally(self) -> dict[str, int]:
        """How many positions, unmerged, the player to move wins, loses and draws; finished ones included."""
        return tally(self.totals.win, self.totals.lose, self.totals.draw, self.space.players)

    def longest(self) -> int:
        """The largest remoteness."""
        return self.totals.longest

    def cyclic(self) -> bool:
        """Whether a position can come back."""
        return self.enumeration.cyclic

    def value(self, state: State) -> Value | None:
        """The value of any reachable state; None for one that is not."""
        return self.space.of_table(state, self._look_up)

    def _look_up(self, state: State) -> Value | None:
        key, _, rank = self.enumeration.represent(state)
        tier = self.enumeration.tiers.get(rank)
        place = None if tier is None else self._find(tier, key)
        if tier is None or place is None:
            return None
        return value_of(int(tier.column("values", self._path)[place]))

    @property
    def _path(self) -> Path | None:
        return None if self.folder is None else self.folder.path

    def _find(self, tier: Tier, key: Any) -> int | None:
        """A position's number in its tier: by linear scans at first, later by binary search in the sorted keys."""
        keys = tier.all_keys(self._path)
        if tier.number not in self._orders:
            self._scans[tier.number] = self._scans.get(tier.number, 0) + 1
            if self._scans[tier.number] <= _SCANS:
                result = np.flatnonzero((keys == key).all(axis=1))
                return int(result[0]) if len(result) else None
            self._orders[tier.number] = sorted_order(keys)
        order = self._orders[tier.number]
        low, high, wanted = 0, len(order), tuple(key.tolist())
        while low < high:
            middle = (low + high) // 2
            if tuple(keys[order[middle]].tolist()) < wanted:
                low = middle + 1
            else:
                high = middle
        if low < len(order) and tuple(keys[order[low]].tolist()) == wanted:
            return int(order[low])
        return None

    def line(self, state: State, limit: int = 200) -> Iterator[Move]:
        """Best play from a state: the winner hurries, the loser delays, a draw heads for its end."""
        return best_line(self.space, self.value, state, limit)


@attrs.define(eq=False)
class TableSolver:
    """Solves a space into a table."""

    space: GameSpace
    kernel: Kernel
    budget: Budget
    target: Path | None = None
    """The file to which the solution is saved. Until then checkpoints are kept in a folder beside it."""
    threads: int = 0
    """The number of threads; 0 for as many as there are processors, up to four."""
    until: Callable[[Enumeration], None] | None = None
    """Called after each block; may raise an exception to stop the work."""
    roots: tuple[State, ...] = ()
    """Further root positions."""
    enumeration: Enumeration = attrs.field(init=False)
    folder: WorkFolder | None = None
    """The folder of the data that is not in memory: with a target from the start, else once memory is short."""
    saved: int = 0
    """The size of the saved solution in bytes."""
    resumed: int = 0
    """The number of positions that the checkpoint of an earlier run had."""
    _written: float = 0.0
    _started: float = 0.0
    _interrupted: bool = False

    def __attrs_post_init__(self) -> None:
        self.enumeration = self._new(flat=False)

    def _new(self, *, flat: bool) -> Enumeration:
        enumeration = Enumeration(self.kernel, self.kernel.elements(self.space.table_maps), flat)
        if self.space.take_wins:
            packing = self.kernel.assembled.packing
            enumeration.decisive = fields_of(packing, relative=self.space.relative)
        if self.threads:
            enumeration.threads = self.threads
        return enumeration

    def run(self) -> SolvedTable | SavedSolution:
        """Return the table. Raises OutOfBudget past a limit, TooLarge, RuleError where a rule fails, Refused, OSError.

        With a target, return the saved solution; a checkpoint is then written before any exception but RuleError and
        Refused is raised, if it can be.
        """
        self._started = self._written = time.monotonic()
        if self.target is None:
            with self._interruptible():
                return self._run()
        identity = saved.identity_of(self.space, self.kernel)
        self.folder = saved.work_folder(self.target, identity)
        try:
            with self._interruptible():
                result = self._save(self._run(), self.target, identity)
                self._interrupted = False  # the work is done
            return result
        except (Refused, RuleError):
            raise
        except BaseException:
            if not self.saved:
                self._keep()
            raise
        finally:
            self.folder.close()

    def _save(self, table: SolvedTable, target: Path, identity: dict[str, Any]) -> SavedSolution:
        assert self.folder is not None
        done = 0

        def tell(count: int) -> None:
            nonlocal done
            self._stop_if_interrupted()
            done += count
            if self.budget.due(table.merged):
                self.budget.tell(done, table.merged, f"writing {target}, {done / table.merged:.0%}")

        try:
            self.saved = saved.save(table, target, identity, tell)
        except OSError as problem:
            self._keep()
            raise OutOfBudget(f"{target} cannot be written: {problem.strerror or problem}; all values are kept in "
                              f"{self.folder.path}: run the same again when there is room") from None
        self.folder.remove()
        return saved.SavedSolution.open(target)

    def _keep(self) -> None:
        assert self.folder is not None
        try:
            self.folder.write(self.enumeration)
        except OSError as problem:
            raise OutOfBudget(f"{problem.strerror or problem} in {self.folder.path}; what was written there before "
                              "is kept: run the same again when there is room") from None

    def _run(self) -> SolvedTable:
        if self.folder is not None and self.folder.read(self.enumeration):
            self.resumed = self.enumeration.positions
        else:
            self._begin()
        try:
            self._enumerate()
        except OutOfOrder:
            if self.folder is not None:
                self.folder.clear()
            self.enumeration = self._new(flat=True)
            self._begin()
            self._enumerate()
        limit = self.budget.memory
        free = None if limit is None else limit - budgets.memory_used() + (self._size_in_memory >> 20)
        valuation = Valuation(self.enumeration, self.space.relative, free, self._kept_on_disk, self._after_pass)
        self._started = time.monotonic()
        valued = sum(tier.count for tier in self.enumeration.tiers.values() if tier.values.entries == tier.count)
        self._done = self._first = valued
        try:
            valuation.run(self._after_tier, lambda: self._path)
        except MemoryError:
            raise OutOfBudget("there is not enough memory to value a tier") from None
        totals = Totals()
        group = 0 if self.space.every_symmetry else len(self.enumeration.elements)
        for tier in self.enumeration.tiers.values():
            totals.add(valuation.totals(tier, group, self._path))
        if self.target is None:
            for tier in self.enumeration.tiers.values():
                tier.forget_moves()
        return SolvedTable(self.space, self.enumeration, totals, self.folder)

    _done: int = 0
    _first: int = 0

    @property
    def _path(self) -> Path | None:
        return None if self.folder is None else self.folder.path

    def _begin(self) -> None:
        for state in (self.space.root, *self.roots):
            self.enumeration.begin(state)

    def _enumerate(self) -> None:
        try:
            self.enumeration.run(self._after_block)
        except MemoryError:
            raise OutOfBudget("there is not enough memory for the next positions") from None

    # ---- between two steps

    def _after_block(self, tier: Tier) -> None:
        self._stop_if_interrupted()
        enumeration = self.enumeration
        if self.until is not None:
            self.until(enumeration)
        if self.budget.due(enumeration.positions):
            rate = (enumeration.positions - self.resumed) / max(1e-3, time.monotonic() - self._started)
            self.budget.tell(enumeration.expanded, enumeration.positions,
                             f"enumerating positions, {rate:,.0f} a second")
            self._mind_memory()
        if self.folder is not None and self.folder.kept and time.monotonic() - self._written > _CHECKPOINT:
            self._keep()
            self._written = time.monotonic()

    def _after_tier(self, tier: Tier) -> None:
        self._stop_if_interrupted()
        self._done += tier.count
        total = self.enumeration.positions
        if self.budget.due(total):
            rate = (self._done - self._first) / max(1e-3, time.monotonic() - self._started)
            left = (total - self._done) / max(1.0, rate)
            self.budget.tell(self._done, total, f"valuing positions, {self._done / total:.0%}, {rate:,.0f} a second, "
                                                f"{left:,.0f} s left")
            self._mind_memory()
        if self.folder is not None and self.folder.kept and time.monotonic() - self._written > _CHECKPOINT:
            self._keep()
            self._written = time.monotonic()

    def _after_pass(self, done: str) -> None:
        self._stop_if_interrupted()
        self.budget.tell(self._done, self.enumeration.positions, done)

    @property
    def _size_in_memory(self) -> int:
        """Bytes in memory that can be moved to disk."""
        return sum(tier.size for tier in self.enumeration.tiers.values())

    def _on_disk(self) -> Path:
        """Move to disk what need not be in memory, and return the folder. Raises OutOfBudget."""
        try:
            if self.folder is None:
                self.folder = WorkFolder.temporary()
            for tier in self.enumeration.tiers.values():
                tier.save(self.folder.path, drop=True)
        except OSError as problem:
            where = "the folder for temporary files" if self.folder is None else str(self.folder.path)
            reason = problem.strerror or problem
            raise OutOfBudget(f"memory is short, and {where} cannot be written: {reason}") from None
        return self.folder.path

    def _kept_on_disk(self) -> Path:
        """Move data to disk as `_on_disk` does, with a checkpoint where the folder is kept. Raises OutOfBudget."""
        path = self._on_disk()
        if self.folder is not None and self.folder.kept:
            self._keep()
        return path

    def _mind_memory(self) -> None:
        """Move data to disk where memory is short. Raises OutOfBudget where that does not get it below the limit."""
        limit = self.budget.memory
        if limit is None or budgets.memory_used() <= limit * _SPILL:
            return
        self._on_disk()
        used = budgets.memory_used()
        if used > limit:
            kept = ", and what was done is kept" if self.folder is not None and self.folder.kept else ""
            raise OutOfBudget(f"the limit of {limit:,} MiB of memory is reached: {used:,} MiB are needed for the "
                              f"positions that must be at hand{kept}")

    # ---- interruption

    @contextmanager
    def _interruptible(self) -> Iterator[None]:
        """Let the first Ctrl-C stop the work only between two steps, and a second one at once."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def note(number: int, frame: object) -> None:
            if self._interrupted:
                raise KeyboardInterrupt
            self._interrupted = True

        before = signal.signal(signal.SIGINT, note)
        try:
            yield
            self._stop_if_interrupted()
        finally:
            signal.signal(signal.SIGINT, before)

    def _stop_if_interrupted(self) -> None:
        if self._interrupted:
            raise KeyboardInterrupt


__all__ = ["SolvedTable", "TableSolver", "TooLarge"]
