"""Questions about who wins in a connection game, answered in slices by tree search with virtual connections.

They have the interface of those in `solver.drivers.null_window`. The search is `solver.native.connecting`, which
players use too, and runs until the position is proven; `interpreter.analysis.connections` shows for which games it is
sound.

All 36 first moves of 6x6 rhombic boards take 172,842 positions and 11 s of processor time; the search with carriers had
not proven them in 68 s. Without random games it took an eighth more positions, and as long.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

import attrs

from interpreter.analysis.connections import Connection
from solver.connection_board import EXPLORING, ConnectionBoard, cells_of, usable
from solver.drivers.connection_question import ConnectionQuestion, NobodyJoined
from solver.drivers.search_context import SearchContext
from solver.native import connecting as native
from solver.native import runtime
from solver.native.functions import Line, Records
from solver.native.records import values_of
from solver.native.shared_tree import OPEN, indices

_FIRST_NODES = 1 << 13
"""Nodes that a tree has room for at first; a full tree is copied without the nodes below proven ones."""
_MOST_SLICE = 10_000
"""The most positions searched between two checks of the limits: each takes about a tenth of a millisecond."""


@attrs.define(eq=False)
class SharedBoard:
    """The board and the working arrays that one thread has to itself."""

    context: SearchContext
    connection: Connection
    made: ConnectionBoard = attrs.field(init=False)
    module: ModuleType = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        kernel = self.context.kernel
        self.made = ConnectionBoard.of(kernel.game, self.connection, self.context.arrays)
        self.module = runtime.module("connecting", native=kernel.native)


@attrs.define(eq=False)
class ConnectingQuestion(ConnectionQuestion[SharedBoard]):
    """Asks who wins a position, by tree search with virtual connections."""

    nodes: int = 0
    """The number of positions searched so far."""
    _tree: Records[native.Node] | None = None
    _known: Records[native.State] = attrs.field(init=False)
    _used: Line = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        arrays = self.shared.context.arrays
        self._known, self._used = arrays.records(native.State, 1), arrays.line([1])

    def ask(self, asked: int) -> None:
        """Begin a new tree with the position as its root; `asked` is ignored."""
        arrays = self.shared.context.arrays
        self.answered, self.answer = False, None
        self._tree, self._known = arrays.records(native.Node, _FIRST_NODES), arrays.records(native.State, 1)
        root, begun = self._tree[0], self._known[0]
        root.children, root.visits, root.proven, root.wins = 0, 0, OPEN, 0.0
        begun.mover, begun.last, begun.chance = self.state.to_move, -1, 1
        self._used[0] = 1

    def go_on(self, limit: int) -> None:
        """Search up to `limit` more positions, at most `_MOST_SLICE`. Raises NobodyJoined."""
        shared, made = self.shared, self.shared.made
        assert self._tree is not None
        until = self.nodes + min(limit, _MOST_SLICE)
        status = native.FULL
        while status == native.FULL:
            cells = cells_of(self.state, shared.connection, shared.context.kernel.game.board.size)
            own = made.search(cells, self._tree, EXPLORING, solving=True)
            own = own._replace(state=self._known, used=self._used)
            status = int(shared.module.search(made.board, made.net, made.circuit, made.ground, own, until))
            if status == native.FULL:
                self._make_room()
        self.nodes = values_of(self._known, native.State)["played"]
        if status == native.NOBODY:
            raise NobodyJoined
        if status == native.DONE:
            self.settle(won=int(self._tree[0].proven) == native.LOST)
            self.answer = _proven_move(self._tree) if self.lower > 0 else None
            self._tree = None

    def _make_room(self) -> None:
        """Drop the nodes below proven ones; double the tree's room if it is still more than half full."""
        assert self._tree is not None
        larger = self.shared.context.arrays.records(native.Node, len(self._tree))
        used = int(self.shared.module.keep_below(self._tree, 0, larger, 1))
        if 2 * used > len(larger):
            self._tree, larger = larger, self.shared.context.arrays.records(native.Node, 2 * len(larger))
            used = int(self.shared.module.keep_below(self._tree, 0, larger, 1))
        self._tree, self._used[0] = larger, used

    @property
    def counts(self) -> dict[str, int]:
        """The counters of the search, by their names in reports."""
        values = values_of(self._known, native.State)
        return {"nodes": self.nodes, "by musts": values["left_out"], "filled in": values["filled"]}

    @property
    def plies(self) -> Sequence[int]:
        """Always empty: positions are not counted by their distance."""
        return ()


def _proven_move(tree: Records[native.Node]) -> int | None:
    """Return the cell of a move from the tree's root that is proven to win; None where there is none."""
    return next((int(tree[child].cell) for child in indices(int(tree[0].children))
                 if int(tree[child].proven) == native.WON), None)


__all__ = ["ConnectingQuestion", "SharedBoard", "usable"]
