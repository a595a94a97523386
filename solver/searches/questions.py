"""Questions about the score of a position, answered by alpha-beta in slices, so that many can take turns.

The scores and what a question means are those of `solver.searches.compiled.alphabeta`.
"""

from __future__ import annotations

from typing import Any

import attrs

from solver.searches.compiled import alphabeta as names
from solver.searches.working import HISTORY, Board, Room, Table, Workspace, compiled

WIN = names.WIN
_NAMED = {"nodes": names.NODES, "children": names.CHILDREN, "leaves": names.LEAVES, "probes": names.PROBES,
          "hits": names.HITS, "stored": names.STORED, "filled": names.FILLED + 1, "replaced": names.FILLED + 2,
          "cuts": names.CUTS, "first cuts": names.FIRST_CUTS, "by end": names.BY_END, "by table": names.BY_TABLE,
          "spared": names.SPARED}


@attrs.define(eq=False)
class Shared:
    """What the questions of one solution share: the board, the table, and which moves refuted."""

    board: Board
    table: Table
    history: Any = attrs.field(init=False)
    module: Any = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.history = self.fresh_history()
        self.module = compiled("alphabeta", self.board.kernel.native)

    def fresh_history(self) -> Any:
        """A history of its own, for a second search for the same answer that should go another way."""
        return self.board.arrays.numbers(len(self.board.kernel.game.players), HISTORY)


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
    room: Room = attrs.field(init=False)
    _work: Workspace | None = None
    _counts: Any = None
    _state: Any = None

    def __attrs_post_init__(self) -> None:
        native = self.shared.board.kernel.native
        self.room = Room.first(native)
        self._counts = self.shared.board.arrays.line([0] * names.COUNTS)
        self._state = self.shared.board.arrays.line([0] * names.STATE)

    def open(self, asked: int) -> bool:
        """Whether it is not known yet if the score is at least so much."""
        return self.lower < asked <= self.upper

    def ask(self, asked: int) -> None:
        """Ask another question about the same position; what was counted goes on."""
        self.asked, self.answered = asked, False
        self._begin()

    def _begin(self) -> None:
        board = self.shared.board
        before = self._work
        work = before
        if before is None or len(before.positions) < self.room.positions or len(before.frames) < self.room.plies:
            work = Workspace.of(board, self.room.positions, self.room.plies, self.room.entries, names.FRAME)
            if before is not None:
                for ply in range(len(before.plies)):
                    work.plies[ply][0] = before.plies[ply][0]
        assert work is not None
        self._work = work
        self._state[names.AGE] = self.shared.table.age & 255
        self.shared.module.begin(self.asked, self.row, work.positions, work.frames, self._state)

    def go_on(self, limit: int) -> None:
        """Search up to so many positions more. Raises RuleError where a rule fails, Outgrown."""
        if self._work is None:
            self._begin()
        work, board = self._work, self.shared.board
        assert work is not None
        expand, pack_least, value_of = board.functions
        while True:
            before = self.nodes
            status = int(self.shared.module.search(
                expand, pack_least, value_of, board.places, board.elements, self.shared.table.rows, work.positions,
                work.keys, work.spread, work.moves, work.notes, work.frames, work.entries, work.scratch, work.images,
                self.history, self._counts, work.plies, self._state, limit))
            limit -= self.nodes - before
            if status == names.FAILED:
                depth = int(self._state[names.DEPTH])
                raise board.failure(work.positions[int(work.frames[depth][names.ROW])])
            if status not in (names.NO_ROOM, names.TOO_DEEP):
                break
            self.room.more(plies=status == names.TOO_DEEP)
            self._begin()
            work = self._work
            assert work is not None
        self.answered = status == names.ANSWERED
        self.drawn_ends |= bool(self._state[names.SEEN_DRAW])
        if self.answered:
            self.lower = max(self.lower, int(work.notes[0][0]))
            self.upper = min(self.upper, int(work.notes[0][1]))

    @property
    def nodes(self) -> int:
        """Positions searched for this position's questions so far."""
        return int(self._counts[names.NODES])

    @property
    def counts(self) -> dict[str, int]:
        """What was counted, by name; see `solver.searches.compiled.alphabeta`."""
        return {name: int(self._counts[place]) for name, place in _NAMED.items()}

    @property
    def plies(self) -> list[int]:
        """Positions searched at each distance from this one."""
        if self._work is None:
            return []
        return [int(self._work.plies[ply][0]) for ply in range(int(self._counts[names.DEEPEST]) + 1)]
