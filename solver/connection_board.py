"""The boards of connection games, and the work arrays of the tree search with virtual connections.

`solver.native.connecting` is the search; `solver.players.connecting` plays with it, `solver.drivers.connecting` proves
with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import attrs

from interpreter.analysis.connections import Connection, connection_of
from interpreter.boards import members
from interpreter.game import Game
from interpreter.model.state import State
from solver.native import connecting as native
from solver.native.circuit import WIRES, Circuit
from solver.native.fill_in import Ground
from solver.native.records import Arrays
from solver.native.shared_tree import CLAIMS
from solver.native.virtual_connections import ANCHORS, FULLS, REGIONS, SEMIS, Finding, Net

if TYPE_CHECKING:
    from solver.native.functions import Lines, Records

EXPLORING = 1.0
"""The default exploration constant of the tree search: the weight of moves that were seldom tried."""


def usable(game: Game) -> Connection | None:
    """The pieces and regions of a connection game that this search can play; None for any other game."""
    result = connection_of(game)
    return result if result is not None and len(result.regions[0]) == len(result.regions[1]) == REGIONS else None


def cells_of(state: State, connection: Connection, size: int) -> list[int]:
    """The contents of the first `size` cells: 0 for an empty cell, else player + 1 of the piece on it."""
    one, other = (state.pieces[piece] for piece in connection.pieces)
    return [(one >> cell & 1) + 2 * (other >> cell & 1) for cell in range(size)]


@attrs.frozen(eq=False)
class ConnectionBoard:
    """A game's board in the form that `solver.native` reads, with its work arrays."""

    arrays: Arrays
    board: native.Board
    net: Net
    circuit: Circuit
    ground: Ground

    @classmethod
    def of(cls, game: Game, connection: Connection, arrays: Arrays) -> ConnectionBoard:
        """Make the board of a game."""
        size, words = game.board.size, -(-game.board.size // 64)
        near = [set(members(cells)) for cells in game.board.neighbours]
        regions = [set(members(cells)) for given in connection.regions for cells in given]
        sides = arrays.line([sum(1 << number for number, cells in enumerate(regions) if cell in cells)
                             for cell in range(size)])
        points = size + len(regions)
        joining = [near[cell] | {size + number for number, cells in enumerate(regions) if cell in cells}
                   for cell in range(size)]
        joining += regions
        neighbours = _table(arrays, [[(other,) for other in sorted(others)] for others in near])
        lists = ANCHORS * points
        net = Net(
            neighbours, _table(arrays, [_bridges(cell, near) for cell in range(size)]), sides, words,
            arrays.line([0] * points), arrays.line([0] * points), arrays.line([0] * points), arrays.line([0] * ANCHORS),
            arrays.words(lists * FULLS, words), arrays.words(lists * SEMIS, words), arrays.line([0] * lists),
            arrays.line([0] * lists), arrays.words(lists, words), arrays.line([0] * lists * FULLS),
            arrays.line([0] * size), arrays.row(words), arrays.row(words), arrays.row(words), arrays.row(words),
            arrays.row(words), arrays.records(Finding, 1))
        circuit = Circuit(
            arrays.line([0] * points), arrays.line([0] * points), arrays.line([0] * points * WIRES),
            arrays.reals(points * WIRES), arrays.reals(points), arrays.reals(points), arrays.reals(2 * size))
        pairs = _table(arrays, [_pairs(cell, joining, size) for cell in range(size)])
        for number in range(len(regions)):
            net.colour[size + number] = 1 + number // REGIONS
        ground = Ground(neighbours, sides, net.colour, arrays.line([0] * size), arrays.line([0] * (points + 1)),
                        arrays.line([0] * size), arrays.line([0] * size))
        return cls(arrays, native.Board(neighbours, sides, pairs), net, circuit, ground)

    def search(self, cells: Sequence[int], tree: Records[native.Node], exploring: float,
               filling: bool = True, *, solving: bool = False, threads: int = 1) -> native.Search:
        """Make a search for one of `threads` threads, from a position that has 0 for an empty cell, else player + 1.

        Its `used` is 1, as the tree holds only the root.
        """
        arrays, size = self.arrays, len(cells)
        return native.Search(
            arrays.line(cells), self.net.colour, arrays.line([0] * size), arrays.line([0] * size),
            arrays.line([0] * size), arrays.line([0] * size), arrays.line([0] * (size + 1)),
            arrays.line([0] * (size + 1)), tree, arrays.line([1]), arrays.line([0] * CLAIMS), arrays.line([0]),
            arrays.records(native.State, 1), threads, exploring, int(filling), int(solving))


def _table(arrays: Arrays, lists: Sequence[Sequence[tuple[int, ...]]]) -> Lines:
    """Make a table with a line for each list: the number of its items, then the items."""
    width = max(1, *(sum(map(len, items)) for items in lists))
    result = arrays.numbers(len(lists), 1 + width)
    for line, items in zip(result, lists, strict=True):
        for place, value in enumerate((len(items), *(value for item in items for value in item))):
            line[place] = value
    return result


def _bridges(cell: int, near: Sequence[set[int]]) -> list[tuple[int, int, int]]:
    """The bridges of a cell: each a cell that is no neighbour, and two cells that are neighbours of both."""
    others = {other for step in near[cell] for other in near[step]} - near[cell] - {cell}
    return [(other, *two) for other in sorted(others) for two in combinations(sorted(near[cell] & near[other]), 2)]


def _pairs(cell: int, joining: Sequence[set[int]], size: int) -> list[tuple[int, int, int]]:
    """The other cells that join the same two points as a cell, each with these points.

    The points do not touch, and the first is no region.
    """
    def far(one: int, two: int) -> bool:
        return one < size and two not in joining[one] and one not in joining[two]

    others: Iterable[int] = {other for point in joining[cell] for other in joining[point] if other < size} - {cell}
    return [(other, one, two) for other in sorted(others)
            for one, two in combinations(sorted(joining[cell] & joining[other]), 2) if far(one, two)]
