"""Null-window questions about a position's score, answered by alpha-beta in slices, so that many can take turns.

Scores and questions have the meaning that `solver.native.alphabeta` gives them.
"""

from __future__ import annotations

import random
from types import ModuleType

import attrs

from solver.drivers.search_context import SearchContext, TranspositionTable
from solver.drivers.slices import InSlices, Slices
from solver.native import alphabeta, runtime
from solver.native.alphabeta import Search
from solver.native.functions import Lines, Row
from solver.native.ordering import HISTORY
from solver.native.records import Arrays
from solver.native.workspace import Workspace

WIN, MANY = alphabeta.WIN, alphabeta.MANY
BUSY = 1 << 15
"""Size of the table of positions being searched, each placed by its hash: a power of 2."""
_STRAYING = 64
"""The history of a helper begins with random points below this."""
COUNTED = {"nodes": "nodes", "children": "children", "leaves": "leaves", "probes": "probes", "hits": "hits",
           "stored": "stored", "filled": "filled", "replaced": "replaced", "cuts": "cuts", "first cuts": "first_cuts",
           "by end": "by_end", "by table": "by_table", "spared": "spared"}
"""Maps the names in reports to fields of `solver.native.alphabeta.Counts`."""


@attrs.define(eq=False)
class Shared:
    """The data that the questions of one solution share: the context, the table, and the history heuristic."""

    context: SearchContext
    table: TranspositionTable
    threads: int = 1
    history: Lines = attrs.field(init=False)
    busy: Row = attrs.field(init=False)
    """Hashes of the positions being searched, where there are several threads."""
    module: ModuleType = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.history = self.fresh_history()
        self.busy = self.context.arrays.row(BUSY if self.threads > 1 else 1)
        self.module = runtime.module("alphabeta", native=self.context.kernel.native)

    def fresh_history(self, seed: int = 0) -> Lines:
        """Return a new history: empty, or random with a seed, so that a helper tries moves in another order."""
        result = self.context.arrays.numbers(len(self.context.kernel.game.players), HISTORY)
        if seed:
            chance = random.Random(seed)
            for row in result:
                for index in range(len(row)):
                    row[index] = chance.randrange(_STRAYING)
        return result


@attrs.define(eq=False)
class NullWindowSearch(InSlices[Search]):
    """Asks whether the player to move in a position reaches a score; call `go_on` until it is answered."""

    counted = COUNTED
    shared: Shared
    row: Row
    asked: int
    history: Lines
    lower: int = -WIN
    upper: int = WIN
    answered: bool = False
    drawn_ends: bool = False
    """Whether the search found a draw."""
    _slices: Slices[Search] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._slices = Slices(self.shared.context, self._make, self._begin, alphabeta.Counts)

    def _make(self, arrays: Arrays, positions: int, plies: int, before: Search | None) -> Search:
        return Search(
            frames=arrays.records(alphabeta.Frame, plies), notes=arrays.records(alphabeta.Note, positions),
            history=self.history, busy=self.shared.busy,
            counts=arrays.records(alphabeta.Counts, 1) if before is None else before.counts,
            state=arrays.records(alphabeta.State, 1) if before is None else before.state)

    def second(self, seed: int) -> NullWindowSearch:
        """Return a second search for the same answers, which tries moves in another order."""
        history = self.shared.fresh_history(seed)
        return NullWindowSearch(self.shared, self.row, self.asked, history, self.lower, self.upper)

    def open(self, asked: int) -> bool:
        """Whether it is not known yet if the score is at least `asked`."""
        return self.lower < asked <= self.upper

    def ask(self, asked: int) -> None:
        """Ask another question about the same position; the counters are kept."""
        self.asked, self.answered = asked, False
        self._slices.start()

    def _begin(self, work: Workspace, own: Search) -> None:
        own.state[0].age = self.shared.table.age & 255
        self.shared.module.begin(self.asked, self.row, work, own)

    def go_on(self, limit: int) -> None:
        """Search up to `limit` more positions. Raises RuleError where a rule fails, Outgrown past a size limit."""
        shared, slices = self.shared, self._slices
        context, run = shared.context, shared.module.search
        functions = *context.functions, context.kernel.functions.get("candidates", shared.module.none_proposed)
        common = context.shared(shared.table)

        def search(work: Workspace, own: Search, limit: int) -> int:
            return int(run(*functions, common, work, own, limit))

        slices.go_on(search, limit)
        self.answered = slices.answered
        self.drawn_ends |= bool(slices.own.state[0].seen_draw)
        if self.answered:
            root = slices.own.notes[0]
            self.lower = max(self.lower, int(root.lower))
            self.upper = min(self.upper, int(root.upper))

    def whereabouts(self, plies: int) -> list[tuple[str, int, int]]:
        """Return the first moves of the line being searched, each with its place and the number of moves there."""
        work, own, kernel = self._slices.work, self._slices.own, self.shared.context.kernel
        if work is None or self.answered:
            return []
        result = []
        for ply in range(min(plies, int(own.state[0].depth))):
            frame, after = own.frames[ply], int(own.frames[ply + 1].row)
            state = kernel.state(work.positions[int(frame.row)])
            base, count = int(frame.begin), int(frame.count)
            done = sum(int(own.notes[child].order) < 0 for child in range(base, base + count))
            result.append((kernel.game.notation.write(state, kernel.move(work.moves[after])), done + 1, count))
        return result
