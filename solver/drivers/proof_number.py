"""Questions about forced wins of a player, answered by proof-number search in slices, so that many can take turns.

They have the interface of those in `solver.drivers.null_window`, and bound the same score as far as they prove it: at
least 1 is a win in any number of plies, at most -1 a loss, at least and at most 0 a draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

import attrs

from solver.drivers.null_window import WIN
from solver.drivers.search_context import SearchContext, TranspositionTable
from solver.drivers.slices import InSlices, Slices
from solver.native import dfpn, runtime
from solver.native.dfpn import Search
from solver.native.functions import Row, Rows
from solver.native.records import Arrays
from solver.native.workspace import Workspace

_TWINS, _PLAIN_TWINS = 1 << 16, 1 << 10
COUNTED = {"nodes": "nodes", "children": "children", "leaves": "leaves", "probes": "probes", "hits": "hits",
           "stored": "stored", "filled": "filled", "replaced": "replaced", "by end": "by_end", "by table": "by_table",
           "repeated": "repeated", "twins": "twins"}
"""Maps the names in reports to fields of `solver.native.dfpn.Counts`."""


@attrs.define(eq=False)
class SharedProofs:
    """The data that the questions of one solution share: the context, and for each attacker its table and findings."""

    context: SearchContext
    tables: Sequence[TranspositionTable]
    cyclic: bool
    undecided: list[bool] = attrs.field(factory=lambda: [False, False])
    """For each attacker whether a drawn end or a repetition was met, so that not winning does not mean losing."""
    module: ModuleType = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.module = runtime.module("dfpn", native=self.context.kernel.native)


@attrs.define(eq=False)
class ProofNumberSearch(InSlices[Search]):
    """Asks whether an attacker wins from a position; call `go_on` until it is answered."""

    counted = COUNTED
    shared: SharedProofs
    row: Row
    to_move: int
    asked: int = 0
    """The attacker."""
    lower: int = -WIN
    upper: int = WIN
    answered: bool = False
    _slices: Slices[Search] = attrs.field(init=False)
    _twins: Rows = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        context = self.shared.context
        twins = (_TWINS if context.kernel.native else _PLAIN_TWINS) if self.shared.cyclic else 1
        self._twins = context.arrays.words(twins, context.width + 2)
        self._slices = Slices(context, self._make, self._begin, dfpn.Counts)

    def _make(self, arrays: Arrays, positions: int, plies: int, before: Search | None) -> Search:
        return Search(
            frames=arrays.records(dfpn.Frame, plies), notes=arrays.records(dfpn.Note, positions), twins=self._twins,
            trail=arrays.row(plies), counts=arrays.records(dfpn.Counts, 1) if before is None else before.counts,
            state=arrays.records(dfpn.State, 1) if before is None else before.state)

    def open(self, asked: int) -> bool:
        """Whether it is not known yet if the player `asked` wins."""
        if asked == self.to_move:
            return self.lower <= 0 < self.upper
        return self.lower < 0 <= self.upper

    def ask(self, asked: int) -> None:
        """Ask about another attacker; the counters are kept."""
        self.asked, self.answered = asked, False
        for twin in range(len(self._twins)):  # clear those of the other attacker
            if self._twins[twin][self.shared.context.width]:
                self._twins[twin][self.shared.context.width] = 0
        self._slices.start()

    def _begin(self, work: Workspace, own: Search) -> None:
        age = self.shared.tables[self.asked].age & 255
        self.shared.module.begin(self.asked, int(self.shared.cyclic), age, self.row, work, own)

    def go_on(self, limit: int) -> None:
        """Search up to `limit` more positions. Raises RuleError where a rule fails, Outgrown past a size limit."""
        shared, slices = self.shared, self._slices
        run, (expand, pack_least, _) = shared.module.search, shared.context.functions
        common = shared.context.shared(shared.tables[self.asked])

        def search(work: Workspace, own: Search, limit: int) -> int:
            return int(run(expand, pack_least, common, work, own, limit))

        slices.go_on(search, limit)
        if slices.own.state[0].not_decided:
            shared.undecided[self.asked] = True
        self.answered = slices.answered
        if self.answered:
            self._conclude(won=int(slices.own.notes[0].proof) == 0)

    def _conclude(self, *, won: bool) -> None:
        """Turn what was proven into bounds of the score."""
        own = self.asked == self.to_move
        if won:
            self.lower, self.upper = (1, self.upper) if own else (self.lower, -1)
            return
        decided = not self.shared.undecided[self.asked]
        if own:
            self.upper = min(self.upper, -1 if decided else 0)
        else:
            self.lower = max(self.lower, 1 if decided else 0)
