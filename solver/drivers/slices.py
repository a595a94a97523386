"""Runs a compiled search in slices of a limited number of positions, in arrays that grow where they are too small.

Shared by `solver.drivers.null_window` and `solver.drivers.proof_number`, whose searches keep their frames in the arrays
of a `Workspace` and say in their state why they paused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Generic, Protocol, TypeVar

import attrs

from solver.drivers.search_context import Room, SearchContext
from solver.native.records import Arrays, value_of, values_of
from solver.native.workspace import ANSWERED, FAILED, NO_ROOM, TOO_DEEP, Workspace


class SearchFrame(Protocol):
    """The fields that the frames of all searches have."""

    row: int


class SearchCounts(Protocol):
    """The counters that all searches have."""

    nodes: int
    deepest: int


class SearchState(Protocol):
    """The state fields that all searches have."""

    depth: int


class CompiledSearch(Protocol):
    """The arrays that a search has besides its workspace."""

    @property
    def frames(self) -> Sequence[SearchFrame]:
        """The frames from the root to the position being searched."""

    @property
    def counts(self) -> Sequence[SearchCounts]:
        """One record of counters."""

    @property
    def state(self) -> Sequence[SearchState]:
        """One record of the search's current state."""


OwnT = TypeVar("OwnT", bound=CompiledSearch)


@attrs.define(eq=False)
class Slices(Generic[OwnT]):
    """Runs a compiled search slice by slice and enlarges its arrays where needed."""

    context: SearchContext
    make: Callable[[Arrays, int, int, OwnT | None], OwnT]
    """Makes the arrays for given numbers of positions and plies; keeps the counters of earlier arrays, if given."""
    begin: Callable[[Workspace, OwnT], None]
    """Writes the question into the arrays."""
    counted: type
    """The record type of the counters."""
    room: Room = attrs.field(init=False)
    work: Workspace | None = None
    own: OwnT = attrs.field(init=False)
    answered: bool = False
    """Whether the search has finished with an answer."""

    def __attrs_post_init__(self) -> None:
        self.room = Room.first(self.context.kernel.native)
        self.own = self.make(self.context.arrays, 1, 1, None)

    def start(self) -> Workspace:
        """Start the search from its root, in arrays as large as it is known to need; the counters are kept."""
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
        """Search up to `limit` more positions; start again in larger arrays where they were too small.

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
        """The number of positions searched so far."""
        return value_of(self.own.counts, self.counted, "nodes")

    @property
    def filled(self) -> int:
        """The number of empty table entries that the search filled."""
        return value_of(self.own.counts, self.counted, "filled")

    def named(self, fields: Mapping[str, str]) -> dict[str, int]:
        """Return the counters by their names in reports, which `fields` maps to fields of the search's counts."""
        values = values_of(self.own.counts, self.counted)
        return {name: values[field] for name, field in fields.items()}

    @property
    def plies(self) -> list[int]:
        """The number of positions searched at each distance from the root."""
        if self.work is None:
            return []
        return [int(self.work.plies[ply]) for ply in range(int(self.own.counts[0].deepest) + 1)]


class InSlices(Generic[OwnT]):
    """Base class of questions answered in slices: gives access to the statistics of their searches."""

    counted: ClassVar[Mapping[str, str]]
    """Maps the names in reports to fields of the search's counts."""
    _slices: Slices[OwnT]
    __slots__ = ()

    @property
    def nodes(self) -> int:
        """The number of positions searched so far for this position's questions."""
        return self._slices.nodes

    @property
    def filled(self) -> int:
        """The number of empty table entries that the search filled."""
        return self._slices.filled

    @property
    def counts(self) -> dict[str, int]:
        """The counters by their names in reports; see the search's `Counts`."""
        return self._slices.named(self.counted)

    @property
    def plies(self) -> list[int]:
        """The number of positions searched at each distance from this one."""
        return self._slices.plies
