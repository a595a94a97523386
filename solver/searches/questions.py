"""Questions about the score of a position, answered by alpha-beta in slices, so that many can take turns.

The scores and what a question means are those of `solver.searches.compiled.alphabeta`.
"""

from __future__ import annotations

import random
from typing import Any

import attrs

from solver.searches.compiled import alphabeta as names
from solver.searches.slices import Slices
from solver.searches.working import HISTORY, Board, Table, Workspace, compiled

WIN = names.WIN
BUSY = 1 << 15
"""Places for positions that are being searched, each by its spread key: a power of 2."""
_STRAYING = 64
"""Points that a helper's history begins with, by chance below this."""
_NAMED = {"nodes": names.NODES, "children": names.CHILDREN, "leaves": names.LEAVES, "probes": names.PROBES,
          "hits": names.HITS, "stored": names.STORED, "filled": names.FILLED + 1, "replaced": names.FILLED + 2,
          "cuts": names.CUTS, "first cuts": names.FIRST_CUTS, "by end": names.BY_END, "by table": names.BY_TABLE,
          "spared": names.SPARED}


@attrs.define(eq=False)
class Shared:
    """What the questions of one solution share: the board, the table, and which moves refuted."""

    board: Board
    table: Table
    threads: int = 1
    history: Any = attrs.field(init=False)
    busy: Any = attrs.field(init=False)
    """What is being searched, where there are several threads."""
    module: Any = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.history = self.fresh_history()
        self.busy = self.board.arrays.words(1, BUSY if self.threads > 1 else 1)[0]
        self.module = compiled("alphabeta", self.board.kernel.native)

    def fresh_history(self, seed: int = 0) -> Any:
        """A history of its own; with a seed, for a search for the same answer that should go another way."""
        found = self.board.arrays.numbers(len(self.board.kernel.game.players), HISTORY)
        if seed:
            chance = random.Random(seed)
            for row in found:
                for place in range(len(row)):
                    row[place] = chance.randrange(_STRAYING)
        return found


@attrs.define(eq=False)
class Question:
    """Whether the player to move in a position reaches a score; `go_on` until it is answered."""

    shared: Shared
    row: Any
    asked: int
    history: Any
    lower: int = -WIN
    upper: int = WIN
    answered: bool = False
    drawn_ends: bool = False
    """Whether a drawn end was met."""
    _slices: Slices = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._slices = Slices(self.shared.board, names, self._begin)

    def second(self, seed: int) -> Question:
        """A search of its own for the same answers, which goes another way."""
        return Question(self.shared, self.row, self.asked, self.shared.fresh_history(seed), self.lower, self.upper)

    def open(self, asked: int) -> bool:
        """Whether it is not known yet if the score is at least so much."""
        return self.lower < asked <= self.upper

    def ask(self, asked: int) -> None:
        """Ask another question about the same position; what was counted goes on."""
        self.asked, self.answered = asked, False
        self._slices.start()

    def _begin(self, work: Workspace) -> None:
        state = self._slices.state
        state[names.AGE] = self.shared.table.age & 255
        self.shared.module.begin(self.asked, self.row, work.positions, work.frames, state)

    def go_on(self, limit: int) -> None:
        """Search up to so many positions more. Raises RuleError where a rule fails, Outgrown."""
        shared, slices = self.shared, self._slices
        board = shared.board

        candidates = board.kernel.functions.get("candidates", shared.module.none_proposed)

        def search(work: Workspace, limit: int) -> int:
            return int(shared.module.search(
                *board.functions, candidates, work.proposals, board.places, board.elements, shared.table.rows,
                work.positions, work.keys, work.spread, work.moves, work.notes, work.frames, work.entries,
                work.scratch, work.images, self.history, shared.busy, slices.counts, work.plies, slices.state, limit))

        work = slices.go_on(search, limit)
        self.answered = slices.answered
        self.drawn_ends |= bool(slices.state[names.SEEN_DRAW])
        if self.answered:
            self.lower = max(self.lower, int(work.notes[0][0]))
            self.upper = min(self.upper, int(work.notes[0][1]))

    def whereabouts(self, plies: int) -> list[tuple[str, int, int]]:
        """The first moves on the way to what is searched next: each with its place among how many in the search."""
        work, game = self._slices.work, self.shared.board.kernel.game
        if work is None or self.answered:
            return []
        found = []
        for ply in range(min(plies, int(self._slices.state[names.DEPTH]))):
            frame, after = work.frames[ply], int(work.frames[ply + 1][names.ROW])
            state = self.shared.board.kernel.state(work.positions[int(frame[names.ROW])])
            base, many = int(frame[names.BASE]), int(frame[names.MANY])
            done = sum(int(work.notes[child][names.ORDER]) < 0 for child in range(base, base + many))
            found.append((game.notation.write(state, self.shared.board.kernel.move(work.moves[after])), done + 1, many))
        return found

    @property
    def nodes(self) -> int:
        """Positions searched for this position's questions so far."""
        return self._slices.nodes

    @property
    def counts(self) -> dict[str, int]:
        """What was counted, by name; see `solver.searches.compiled.alphabeta`."""
        return self._slices.named(_NAMED)

    @property
    def plies(self) -> list[int]:
        """Positions searched at each distance from this one."""
        return self._slices.plies
