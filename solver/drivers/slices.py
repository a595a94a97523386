"""A compiled search that pauses after so many positions: its arrays, which grow where they were too small.

What is the same for `solver.drivers.null_window` and `solver.drivers.proof_number`, whose searches keep their frames
in the arrays of a `Workspace` and say in their state why they paused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Generic, Protocol, TypeVar

import attrs

from solver.drivers.search_context import Room, SearchContext
from solver.native.records import Arrays, value_of, values_of
from solver.native.workspace import ANSWERED, FAILED, NO_ROOM, TOO_DEEP, Workspace


class SearchFrame(Protocol):
    """What all frames have."""

    row: int


class SearchCounts(Protocol):
    """What all searches count."""

    nodes: int
    deepest: int


class SearchState(Protocol):
    """What all searches say of where they stand."""

    depth: int


class CompiledSearch(Protocol):
    """The arrays of a search besides its workspace."""

    @property
    def frames(self) -> Sequence[SearchFrame]:
        """The way to the position that is searched."""

    @property
    def counts(self) -> Sequence[SearchCounts]:
        """One record of numbers."""

    @property
    def state(self) -> Sequence[SearchState]:
        """One record of where the search stands."""


OwnT = TypeVar("OwnT", bound=CompiledSearch)


@attrs.define(eq=False)
class Slices(Generic[OwnT]):
    """A search that is gone on with again and again."""

    context: SearchContext
    make: Callable[[Arrays, int, int, OwnT | None], OwnT]
    """Makes the arrays for so many positions and plies; what was counted before goes on."""
    begin: Callable[[Workspace, OwnT], None]
    """Writes the question into the arrays."""
    counted: type
    """The record of what is counted."""
    room: Room = attrs.field(init=False)
    work: Workspace | None = None
    own: OwnT = attrs.field(init=False)
    answered: bool = False
    """Whether the search has come to its end."""

    def __attrs_post_init__(self) -> None:
        self.room = Room.first(self.context.kernel.native)
        self.own = self.make(self.context.arrays, 1, 1, None)

    def start(self) -> Workspace:
        """Begin anew, with as much room as is known to be needed; what was counted goes on."""
        before = work = self.work
        if work is None or len(work.positions) < self.room.positions or len(work.plies) < self.room.plies:
            work = self.context.workspace(self.room.positions, self.room.plies, self.room.entries)
            self.own = self.make(self.context.arrays, self.room.positions, self.room.plies, self.own)
            if before is not None:
                for ply in range(len(before.plies)):
                    work.plies[ply] = before.plies[ply]
        self.work = work
        self.begin(work, self.own)
        return work

    def go_on(self, search: Callable[[Workspace, OwnT, int], int], limit: int) -> None:
        """Search up to so many positions more, anew where there was too little room.

        Raises RuleError where a rule fails, Outgrown where the arrays would become too large.
        """
        work = self.work or self.start()
        while True:
            before = self.nodes
            status = search(work, self.own, limit)
            limit -= self.nodes - before
            if status == FAILED:
                row = self.own.frames[int(self.own.state[0].depth)].row
                raise self.context.failure(work.positions[int(row)])
            if status not in (NO_ROOM, TOO_DEEP):
                self.answered = status == ANSWERED
                return
            self.room.more(plies=status == TOO_DEEP)
            work = self.start()

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return value_of(self.own.counts, self.counted, "nodes")

    @property
    def filled(self) -> int:
        """Entries of the table that were written where nothing stood."""
        return value_of(self.own.counts, self.counted, "filled")

    def named(self, fields: Mapping[str, str]) -> dict[str, int]:
        """What was counted, by the names that reports use for the fields of the search's counts."""
        values = values_of(self.own.counts, self.counted)
        return {name: values[field] for name, field in fields.items()}

    @property
    def plies(self) -> list[int]:
        """Positions searched at each distance from the first."""
        if self.work is None:
            return []
        return [int(self.work.plies[ply]) for ply in range(int(self.own.counts[0].deepest) + 1)]


class InSlices(Generic[OwnT]):
    """A question that is answered in slices: what it tells of them."""

    counted: ClassVar[Mapping[str, str]]
    """What reports call the fields of what the search counts."""
    _slices: Slices[OwnT]
    __slots__ = ()

    @property
    def nodes(self) -> int:
        """Positions searched for this position's questions so far."""
        return self._slices.nodes

    @property
    def filled(self) -> int:
        """Entries of the table that were written where nothing stood."""
        return self._slices.filled

    @property
    def counts(self) -> dict[str, int]:
        """What was counted, by name; see the search's `Counts`."""
        return self._slices.named(self.counted)

    @property
    def plies(self) -> list[int]:
        """Positions searched at each distance from this one."""
        return self._slices.plies
