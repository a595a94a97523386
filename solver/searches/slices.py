"""A compiled search that pauses after so many positions: its arrays, which grow where they were too small.

What is the same for `solver.searches.questions` and `solver.searches.proofs`, whose searches keep their frames in the
arrays of a `Workspace` and say in their state why they paused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from solver.searches.working import Board, Room, Workspace


@attrs.define(eq=False)
class Slices:
    """The arrays of one search."""

    board: Board
    names: Any
    """The module of the search, which names the places in its arrays."""
    begin: Callable[[Workspace], None]
    """Writes the question into a workspace."""
    counts: Any = attrs.field(init=False)
    state: Any = attrs.field(init=False)
    room: Room = attrs.field(init=False)
    work: Workspace | None = None
    answered: bool = False
    """Whether the search has come to its end."""

    def __attrs_post_init__(self) -> None:
        self.room = Room.first(self.board.kernel.native)
        self.counts = self.board.arrays.line([0] * self.names.COUNTS)
        self.state = self.board.arrays.line([0] * self.names.STATE)

    def start(self) -> Workspace:
        """Begin anew, with as much room as is known to be needed; what was counted goes on."""
        before = work = self.work
        if work is None or len(work.positions) < self.room.positions or len(work.frames) < self.room.plies:
            work = Workspace.of(self.board, self.room.positions, self.room.plies, self.room.entries, self.names.FRAME)
            if before is not None:
                for ply in range(len(before.plies)):
                    work.plies[ply][0] = before.plies[ply][0]
        self.work = work
        self.begin(work)
        return work

    def go_on(self, search: Callable[[Workspace, int], int], limit: int) -> Workspace:
        """Search up to so many positions more, anew where there was too little room.

        Raises RuleError where a rule fails, Outgrown where the arrays would become too large.
        """
        work = self.work or self.start()
        while True:
            before = self.nodes
            status = int(search(work, limit))
            limit -= self.nodes - before
            if status == self.names.FAILED:
                depth = int(self.state[self.names.DEPTH])
                raise self.board.failure(work.positions[int(work.frames[depth][self.names.ROW])])
            if status not in (self.names.NO_ROOM, self.names.TOO_DEEP):
                self.answered = status == self.names.ANSWERED
                return work
            self.room.more(plies=status == self.names.TOO_DEEP)
            work = self.start()

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return int(self.counts[self.names.NODES])

    def named(self, places: dict[str, int]) -> dict[str, int]:
        """What was counted, by name."""
        return {name: int(self.counts[place]) for name, place in places.items()}

    @property
    def plies(self) -> list[int]:
        """Positions searched at each distance from the first."""
        if self.work is None:
            return []
        return [int(self.work.plies[ply][0]) for ply in range(int(self.counts[self.names.DEEPEST]) + 1)]
