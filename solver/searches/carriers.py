"""Questions who wins a position of a game of connection, answered by search with carriers, in slices.

They have the form of `solver.searches.questions`. The search is `solver.searches.compiled.carriers`; for which games
it is sound, `interpreter.analysis.connections` shows.
"""

from __future__ import annotations

from typing import Any

import attrs

from interpreter.analysis.connections import Connection, connection_of
from interpreter.boards import members
from interpreter.game import Game
from interpreter.model.state import State
from solver.searches.compiled import carriers as names
from solver.searches.questions import WIN
from solver.searches.working import Arrays, Board, compiled


class NobodyJoined(Exception):
    """A full board was found on which nobody is joined: the search is not for such games."""


MOST_CELLS = 64
_LISTED, _PLAIN_LISTED = 512, 64
"""Carriers of a kind that are kept: on a board of 25 cells half as many positions as without, in the same time."""
_TABLE, _LARGER_TABLE = 1 << 20, 1 << 23
"""Entries, up to so many cells and beyond."""
_FEW_CELLS = 25
_PLAIN_TABLE = 1 << 12
_NAMED = {"nodes": names.NODES, "won at once": names.WON_AT_ONCE, "lost at once": names.LOST_AT_ONCE,
          "by table": names.BY_TABLE, "by carrier": names.BY_CARRIER, "by musts": names.BY_MUSTS,
          "spared": names.LEFT_OUT, "children": names.TRIED, "probes": names.PROBES, "hits": names.BY_TABLE,
          "stored": names.STORED}


def off_centre(game: Game, cell: int) -> int:
    """How far a cell is from all others, in steps altogether: the least is the middle of the board."""
    near, seen, found, steps = game.board.neighbours, 1 << cell, 0, 0
    rim = seen
    while rim:
        found += steps * rim.bit_count()
        steps += 1
        around = 0
        for place in members(rim):
            around |= near[place]
        rim = around & ~seen
        seen |= rim
    return found


def usable(game: Game) -> Connection | None:
    """What a game of connection is about, where this search can be used; else None."""
    return connection_of(game) if game.board.size <= MOST_CELLS else None


@attrs.define(eq=False)
class SharedCarriers:
    """What the questions of one thread share: the board, the table and the lists of carriers.

    A question may go on with what another thread has: carriers hold in every position.
    """

    board: Board
    connection: Connection
    memory: int = 1 << 20
    """MiB that there are for the table."""
    near: Any = attrs.field(init=False)
    regions: Any = attrs.field(init=False)
    images: Any = attrs.field(init=False)
    table: Any = attrs.field(init=False)
    lists: Any = attrs.field(init=False)
    sizes: Any = attrs.field(init=False)
    nexts: Any = attrs.field(init=False)
    history: Any = attrs.field(init=False)
    listed: int = attrs.field(init=False)
    module: Any = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        game, native = self.board.kernel.game, self.board.kernel.native
        arrays = self.board.arrays
        self.listed = _LISTED if native else _PLAIN_LISTED
        self.near = _row(arrays, game.board.neighbours)
        self.regions = _rows(arrays, self.connection.regions)
        unconditional = all(symmetry.condition is None for symmetry, _ in game.declared)
        elements = game.symmetries if unconditional else game.symmetries[:1]
        self.images = arrays.numbers(len(elements), MOST_CELLS + 1)
        for place, element in enumerate(elements):
            for cell, image in enumerate(element.cells.cells):
                self.images[place][cell] = image
            self.images[place][MOST_CELLS] = int(element.swapping)
        entries = _TABLE if game.board.size <= _FEW_CELLS else _LARGER_TABLE
        while entries > _PLAIN_TABLE and (entries * names.ENTRY * 8 >> 20) > self.memory:
            entries //= 2
        self.table = arrays.words(entries if native else _PLAIN_TABLE, names.ENTRY)
        self.lists = arrays.words(names.LISTS * self.listed, 2)
        self.sizes, self.nexts = arrays.line([0] * names.LISTS), arrays.line([0] * names.LISTS)
        self.history = arrays.numbers(2, MOST_CELLS)
        self.module = compiled("carriers", native)


def _row(arrays: Arrays, values: Any) -> Any:
    found = arrays.words(1, len(values))[0]
    for place, value in enumerate(values):
        found[place] = value
    return found


def _rows(arrays: Arrays, values: Any) -> Any:
    found = arrays.words(len(values), max(map(len, values)))
    for row, given in zip(found, values, strict=True):
        for place, value in enumerate(given):
            row[place] = value
    return found


@attrs.define(eq=False)
class CarrierQuestion:
    """Who wins a position; `go_on` until it is answered."""

    shared: SharedCarriers
    state: State
    lower: int = -WIN
    upper: int = WIN
    answered: bool = False
    _words: Any = None
    _frames: Any = None
    _orders: Any = None
    _levels: Any = None
    _groups: Any = None
    _result: Any = None
    _counts: Any = None
    _plies: Any = None
    _stand: Any = None

    def __attrs_post_init__(self) -> None:
        arrays, depth = self.shared.board.arrays, MOST_CELLS + 2
        self._words = arrays.words(depth, names.WORDS)
        self._frames = arrays.numbers(depth, names.FRAME)
        self._orders, self._plies = arrays.numbers(depth, names.ORDERS), arrays.numbers(depth, 2)
        self._levels, self._groups = arrays.words(1, depth)[0], arrays.words(MOST_CELLS, 5)
        self._result = arrays.words(1, 3)[0]
        self._counts, self._stand = arrays.line([0] * names.COUNTS), arrays.line([0] * names.STATE)

    def open(self, asked: int) -> bool:
        """Whether it is not known yet who wins."""
        return self.lower <= 0 <= self.upper

    def ask(self, asked: int) -> None:
        """Begin."""
        self.answered = False
        one, other = (self._word(self.state.pieces[piece]) for piece in self.shared.connection.pieces)
        self.shared.module.begin(one, other, self.state.to_move, self._words, self._frames, self._stand)

    def _word(self, cells: int) -> Any:
        if not self.shared.board.kernel.native:
            return cells
        import numpy as np

        return np.uint64(cells)

    def go_on(self, limit: int) -> None:
        """Search up to so many positions more. Raises NobodyJoined."""
        shared = self.shared
        everything = self._word(shared.board.kernel.game.board.everything)
        status = shared.module.search(
            shared.near, shared.regions, everything, shared.table, shared.lists, shared.sizes, shared.nexts,
            shared.listed, shared.images, self._words, self._frames, self._orders, shared.history, self._levels,
            self._result, self._groups, self._counts, self._plies, self._stand, limit)
        if status == names.NOBODY:
            raise NobodyJoined
        self.answered = status == names.ANSWERED
        if self.answered:
            won = int(self._result[2]) == self.state.to_move
            self.lower, self.upper = (1, self.upper) if won else (self.lower, -1)

    @property
    def answer(self) -> int | None:
        """A cell with which the player to move wins; None where he does not, or it is not known."""
        if not self.answered or int(self._result[2]) != self.state.to_move:
            return None
        return int(self._words[0][names.PLAYED]).bit_length() - 1

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return int(self._counts[names.NODES])

    @property
    def counts(self) -> dict[str, int]:
        """What was counted, by name; see `solver.searches.compiled.carriers`."""
        return {name: int(self._counts[place]) for name, place in _NAMED.items()}

    @property
    def plies(self) -> list[int]:
        """Positions searched at each distance from this one."""
        return [int(self._plies[ply][0]) for ply in range(int(self._counts[names.DEEPEST]) + 1)]
