"""Questions about who wins a position of a connection game, answered in slices by the search with carriers.

They have the interface of those in `solver.drivers.null_window`. The search is `solver.native.connection`;
`interpreter.analysis.connections` shows for which games it is sound.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

import attrs

from interpreter.analysis.connections import Connection, connection_of
from interpreter.boards import members
from interpreter.game import Game
from solver.drivers.connection_question import ConnectionQuestion, NobodyJoined
from solver.drivers.search_context import SearchContext
from solver.native import connection, connection_pairs, runtime
from solver.native.connection_pairs import MOST_CELLS
from solver.native.functions import Lines, Row, Rows
from solver.native.records import value_of, values_of

_LISTED, _PLAIN_LISTED = 512, 64
"""Carriers kept in each list: on a board of 25 cells half as many positions as without them, in the same time."""
_TABLE, _LARGER_TABLE = 1 << 20, 1 << 23
"""Entries of the table on boards of up to `_FEW_CELLS` cells, and on larger ones."""
_FEW_CELLS = 25
_PLAIN_TABLE = 1 << 12
COUNTED = {"nodes": "nodes", "won at once": "won_at_once", "lost at once": "lost_at_once", "by table": "by_table",
           "by carrier": "by_carrier", "by musts": "by_musts", "spared": "left_out", "children": "tried",
           "probes": "probes", "hits": "by_table", "stored": "stored"}
"""Maps the names in reports to fields of `solver.native.connection.Counts`."""


def off_centre(game: Game, cell: int) -> int:
    """Return the sum of the distances from a cell to all others, in steps; it is least in the middle of the board."""
    near, seen, result, steps = game.board.neighbours, 1 << cell, 0, 0
    rim = seen
    while rim:
        result += steps * rim.bit_count()
        steps += 1
        around = 0
        for place in members(rim):
            around |= near[place]
        rim = around & ~seen
        seen |= rim
    return result


def usable(game: Game) -> Connection | None:
    """Return the pieces and regions of a connection game that this search can be used for; else None."""
    return connection_of(game) if game.board.size <= MOST_CELLS else None


@attrs.define(eq=False)
class SharedCarriers:
    """The data that the questions of one thread share: the board, the table and the lists of carriers.

    A question may continue with the data of another thread: carriers hold in every position.
    """

    context: SearchContext
    connection: Connection
    memory: int = 1 << 20
    """MiB available for the table."""
    board: connection_pairs.Board = attrs.field(init=False)
    table: Rows = attrs.field(init=False)
    carriers: connection_pairs.Carriers = attrs.field(init=False)
    history: Lines = attrs.field(init=False)
    module: ModuleType = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        game, compiled = self.context.kernel.game, self.context.kernel.native
        arrays = self.context.arrays
        self.board = connection_pairs.Board(self._row(game.board.neighbours), self._rows(self.connection.regions),
                                  self._images(game), arrays.word(game.board.everything))
        entries = _TABLE if game.board.size <= _FEW_CELLS else _LARGER_TABLE
        while entries > _PLAIN_TABLE and (entries * connection.ENTRY * 8 >> 20) > self.memory:
            entries //= 2
        self.table = arrays.words(entries if compiled else _PLAIN_TABLE, connection.ENTRY)
        lists, listed = connection.LISTS, _LISTED if compiled else _PLAIN_LISTED
        self.carriers = connection_pairs.Carriers(
            arrays.words(lists, listed), arrays.words(lists, listed), arrays.line([0] * lists),
            arrays.line([0] * lists))
        self.history = arrays.numbers(2, MOST_CELLS)
        self.module = runtime.module("connection", native=compiled)

    def _images(self, game: Game) -> Lines:
        """Return for each usable symmetry the image of each cell, and whether it swaps the players."""
        unconditional = all(symmetry.condition is None for symmetry, _ in game.declared)
        elements = game.symmetries if unconditional else game.symmetries[:1]
        result = self.context.arrays.numbers(len(elements), MOST_CELLS + 1)
        for line, element in zip(result, elements, strict=True):
            for cell, image in enumerate(element.cells.cells):
                line[cell] = image
            line[MOST_CELLS] = int(element.swapping)
        return result

    def _row(self, values: Sequence[int]) -> Row:
        result = self.context.arrays.row(len(values))
        for index, value in enumerate(values):
            result[index] = value
        return result

    def _rows(self, values: Sequence[Sequence[int]]) -> Rows:
        result = self.context.arrays.words(len(values), max(map(len, values)))
        for row, given in zip(result, values, strict=True):
            for index, value in enumerate(given):
                row[index] = value
        return result


@attrs.define(eq=False)
class CarrierSearch(ConnectionQuestion[SharedCarriers]):
    """Asks who wins a position, by the search with carriers."""

    _own: connection_pairs.Search = attrs.field(init=False)
    _key: Row = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        arrays, depth = self.shared.context.arrays, MOST_CELLS + 2
        self._key = arrays.row(connection.KEY)
        self._own = connection_pairs.Search(
            frames=arrays.records(connection_pairs.Frame, depth), distances=arrays.numbers(depth, MOST_CELLS),
            wins=arrays.numbers(depth, MOST_CELLS), losses=arrays.numbers(depth, MOST_CELLS),
            history=self.shared.history, levels=arrays.row(depth),
            groups=arrays.records(connection_pairs.Group, MOST_CELLS),
            order=arrays.line([0] * MOST_CELLS), linking=arrays.records(connection_pairs.Linking, 1),
            result=arrays.records(connection_pairs.Result, 1), counts=arrays.records(connection_pairs.Counts, 1),
            plies=arrays.line([0] * depth), state=arrays.records(connection_pairs.State, 1))

    def ask(self, asked: int) -> None:
        """Begin the search for the winner; `asked` is ignored."""
        self.answered, self.answer = False, None
        word = self.shared.context.arrays.word
        one, other = (word(self.state.pieces[piece]) for piece in self.shared.connection.pieces)
        self.shared.module.begin(one, other, self.state.to_move, self._own)

    def go_on(self, limit: int) -> None:
        """Search up to `limit` more positions. Raises NobodyJoined."""
        shared, own = self.shared, self._own._replace(history=self.shared.history)
        status = int(shared.module.search(shared.board, shared.carriers, shared.table, self._key, own, limit))
        if status == connection.NOBODY:
            raise NobodyJoined
        if status == connection.ANSWERED:
            self.settle(won=int(own.result[0].winner) == self.state.to_move)
            if self.lower > 0:
                self.answer = int(own.frames[0].played).bit_length() - 1

    @property
    def nodes(self) -> int:
        """The number of positions searched so far."""
        return value_of(self._own.counts, connection_pairs.Counts, "nodes")

    @property
    def counts(self) -> dict[str, int]:
        """The counters of the search, by their names in reports."""
        values = values_of(self._own.counts, connection_pairs.Counts)
        return {name: values[field] for name, field in COUNTED.items()}

    @property
    def plies(self) -> list[int]:
        """The number of positions searched at each distance from this one."""
        return [int(self._own.plies[ply]) for ply in range(int(self._own.counts[0].deepest) + 1)]
