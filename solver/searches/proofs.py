"""Questions whether a player can force a win, answered by proof-number search in slices, so that many can take turns.

They have the form of `solver.searches.questions`, whose scores they tell as far as they prove them: at least 1 is a
win in any number of plies, at most -1 a loss, at least and at most 0 a draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs

from solver.searches.compiled import proof as names
from solver.searches.questions import WIN
from solver.searches.slices import Slices
from solver.searches.working import Board, Table, Workspace, compiled

_TWINS, _PLAIN_TWINS = 1 << 16, 1 << 10
_NAMED = {"nodes": names.NODES, "children": names.CHILDREN, "leaves": names.LEAVES, "probes": names.PROBES,
          "hits": names.HITS, "stored": names.STORED, "filled": names.FILLED + 1, "replaced": names.FILLED + 2,
          "by end": names.BY_END, "by table": names.BY_TABLE, "repeated": names.REPEATED, "twins": names.TWINS}


@attrs.define(eq=False)
class SharedProofs:
    """What the questions of one solution share: the board, and for each attacker a table and what it met."""

    board: Board
    tables: Sequence[Table]
    cyclic: bool
    undecided: list[bool] = attrs.field(factory=lambda: [False, False])
    """For each attacker whether a drawn end or a repetition was met, so that not winning is not yet losing."""
    module: Any = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.module = compiled("proof", self.board.kernel.native)


@attrs.define(eq=False)
class ProofQuestion:
    """Whether an attacker wins from a position; `go_on` until it is answered."""

    shared: SharedProofs
    row: Any
    to_move: int
    asked: int = 0
    """The attacker."""
    lower: int = -WIN
    upper: int = WIN
    answered: bool = False
    _slices: Slices = attrs.field(init=False)
    _trail: Any = None
    _twins: Any = None

    def __attrs_post_init__(self) -> None:
        board = self.shared.board
        self._slices = Slices(board, names, self._begin)
        twins = (_TWINS if board.kernel.native else _PLAIN_TWINS) if self.shared.cyclic else 1
        self._twins = board.arrays.words(twins, board.width + 2)

    def open(self, asked: int) -> bool:
        """Whether it is not known yet if a player wins."""
        if asked == self.to_move:
            return self.lower <= 0 < self.upper
        return self.lower < 0 <= self.upper

    def ask(self, asked: int) -> None:
        """Ask about another attacker; what was counted goes on."""
        self.asked, self.answered = asked, False
        for twin in range(len(self._twins)):  # they are of the other attacker
            if self._twins[twin][self.shared.board.width]:
                self._twins[twin][self.shared.board.width] = 0
        self._slices.start()

    def _begin(self, work: Workspace) -> None:
        board = self.shared.board
        self._trail = board.arrays.words(1, len(work.frames))[0]
        age = self.shared.tables[self.asked].age & 255
        self.shared.module.begin(self.asked, int(self.shared.cyclic), age, self.row, work.positions, work.frames,
                                 self._slices.state)

    def go_on(self, limit: int) -> None:
        """Search up to so many positions more. Raises RuleError where a rule fails, Outgrown."""
        shared, slices = self.shared, self._slices
        board = shared.board
        expand, pack_least, _ = board.functions

        def search(work: Workspace, limit: int) -> int:
            return int(shared.module.prove(
                expand, pack_least, board.places, board.elements, shared.tables[self.asked].rows, self._twins,
                self._trail, work.positions, work.keys, work.spread, work.moves, work.notes, work.frames, work.entries,
                work.scratch, work.images, slices.counts, work.plies, slices.state, limit))

        work = slices.go_on(search, limit)
        if slices.state[names.NOT_DECIDED]:
            shared.undecided[self.asked] = True
        self.answered = slices.answered
        if self.answered:
            self._conclude(won=int(work.notes[0][names.NOTE_PROOF]) == 0)

    def _conclude(self, *, won: bool) -> None:
        """Put what was proven as bounds of the score."""
        own = self.asked == self.to_move
        if won:
            self.lower, self.upper = (1, self.upper) if own else (self.lower, -1)
            return
        decided = not self.shared.undecided[self.asked]
        if own:
            self.upper = min(self.upper, -1 if decided else 0)
        else:
            self.lower = max(self.lower, 1 if decided else 0)

    @property
    def nodes(self) -> int:
        """Positions searched for this position's questions so far."""
        return self._slices.nodes

    @property
    def counts(self) -> dict[str, int]:
        """What was counted, by name; see `solver.searches.compiled.proof`."""
        return self._slices.named(_NAMED)

    @property
    def plies(self) -> list[int]:
        """Positions searched at each distance from this one."""
        return self._slices.plies
