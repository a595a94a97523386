"""Networks: graphs on the cells of a board, with the queries on them that rules use.

A `Network` is a set of cells and, for each cell, the cells that it is joined to: by being neighbours (`CellNetwork`),
across open borders (`CutNetwork`), by links of a kind (`LinkNetwork`), or by the tracks of tiles (`TrackNetwork`).
`LinkLayer` and `Tracks` have what is constant in a game. The words that use networks are in
`interpreter.words.networks`; `interpreter.build` makes the layers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import attrs

from interpreter.boards import Board, BoardError, members

MOST_LINKS = 50_000
"""The most possible links of a kind; more are refused."""
MOST_COMPARED = 50_000_000
"""The most pairs of links that are compared to find those that cross; more are refused."""

_Point = tuple[int, int]
"""Across and down, in thousandths of the distance between adjacent cells."""

if TYPE_CHECKING:
    from dsl import hir
    from interpreter.model.state import WorkingState


def flood(start: int, region: int, neighbours: Sequence[int]) -> int:
    """Flood fill: the cells that steps between neighbours inside a region reach from the cells of `start` in it."""
    reached = frontier = start & region
    while frontier:
        grown = 0
        for cell in members(frontier):
            grown |= neighbours[cell]
        frontier = grown & region & ~reached
        reached |= frontier
    return reached


class Network:
    """A graph on a set of cells. Subclasses define which cells are joined."""

    def __init__(self, board: Board, cells: int) -> None:
        self.board = board
        self.cells = cells

    def joined_to(self, cell: int) -> int:
        """The cells of the network that one of its cells is joined to."""
        raise NotImplementedError

    def joined_with(self, cell: int, extra: int) -> int:
        """Like `joined_to`, with those that would be joined to the cell if the extra cells were in the network."""
        return self.joined_to(cell)

    def leaving(self, direction: int) -> int:
        """The cells at which the network is open in a direction."""
        return self.cells

    def reached(self, start: int) -> int:
        """The cells of the network connected to a cell of a set, including those of the set in the network."""
        reached = frontier = start & self.cells
        while frontier:
            grown = 0
            for cell in members(frontier):
                grown |= self.joined_to(cell)
            frontier = grown & ~reached
            reached |= frontier
        return reached

    def parts(self) -> Iterable[int]:
        """Yield the cells of each connected part."""
        rest = self.cells
        while rest:
            part = self.reached(rest & -rest)
            yield part
            rest &= ~part

    def has_loop(self) -> bool:
        """Whether the network has a cycle: some connected part has at least as many edges as cells."""
        for part in self.parts():
            cells = members(part)
            if sum(self.joined_to(cell).bit_count() for cell in cells) >= 2 * len(cells):
                return True
        return False

    def spans(self, table: WorkingState, least: int) -> bool:
        """Whether a connected part is open at two opposite sides of the bounding box of all pieces on the board.

        The box must be at least `least` cells long between these sides.
        """
        board = self.board
        occupied = board.everything & ~table.pieces[0]
        if not occupied:
            return False
        rows = [board.row_of[cell] for cell in members(occupied)]
        columns = [board.column_of[cell] for cell in members(occupied)]
        names = board.directions.index
        for ways, places, sets in ((("north", "south"), rows, board.rows), (("west", "east"), columns, board.columns)):
            first, last = min(places), max(places)
            if last - first + 1 < least:
                continue
            one, other = (names(way) for way in ways)
            start, goal = self.leaving(one) & sets[first], self.leaving(other) & sets[last]
            if start and goal and self.reached(start) & goal:
                return True
        return False

    def distance(self, start: int, goal: int, extra: int) -> int:
        """The least number of extra cells that connect two sets when added to the network; the board's size if none do.
        """
        for steps, level in enumerate(self.sweep(start, extra)):
            if level & goal:
                return steps
        return self.board.size

    def sweep(self, start: int, extra: int) -> Iterator[int]:
        """Yield the cells by their distance from a set: those reached with no extra cell, then with one, ..."""
        extra &= ~self.cells
        reached = level = self.reached(start)
        waiting = start & extra
        yield level
        while True:
            for cell in members(level):
                waiting |= self.joined_with(cell, extra)
            level = waiting & extra & ~reached
            if not level:
                return
            near = 0
            for cell in members(level):
                near |= self.joined_with(cell, extra)
            level |= self.reached(near & ~reached)
            reached |= level
            waiting = 0
            yield level

    def arrivals(self, start: int, goal: int, extra: int) -> int:
        """The cells of the network at which shortest paths from one set to the other arrive from extra cells.

        The length of a path is the number of extra cells on it.
        """
        least = self.distance(start, goal, extra)
        before, after = ({cell: steps for steps, level in enumerate(self.sweep(side, extra)) for cell in members(level)}
                         for side in (start, goal))
        extra &= ~self.cells
        result = 0
        for cell in members(self.cells):
            near = members(self.joined_with(cell, extra) & extra)
            if cell in after and any(other in before and before[other] + after[cell] == least for other in near):
                result |= 1 << cell
        return result

    def contested(self, start: int, goal: int, extra: int) -> int:
        """The two-distance: how many extra cells connect two sets where the best continuation after each is blocked.

        It is the board's size where they cannot be connected. The distance of an extra cell is one more than that of an
        adjacent part of the network, or than the second smallest of the adjacent extra cells; that of a part of the
        network is the second smallest of the adjacent extra cells.
        """
        extra &= ~self.cells
        steps, near, parts = 0, 0, self.reached(start)
        coming = start & extra
        fresh, rest = parts, [part for part in self.parts() if not part & parts]
        while not parts & goal and (near & goal).bit_count() < 2:
            for cell in members(fresh):
                coming |= self.joined_with(cell, extra) & extra
            for cell in members(extra & ~near):
                if (self.joined_with(cell, extra) & near).bit_count() >= 2:
                    coming |= 1 << cell
            if not coming & ~near:
                return self.board.size
            near |= coming
            steps, fresh = steps + 1, 0
            for part in rest:
                beside = 0
                for cell in members(part):
                    beside |= self.joined_with(cell, extra)
                fresh |= part if (beside & near).bit_count() >= 2 else 0
            parts |= fresh
            rest = [part for part in rest if not part & fresh]
        return steps

    def ways(self, start: int, goal: int, extra: int) -> int:
        """The extra cells on shortest paths between two sets; a path's length is the number of extra cells on it."""
        least = self.distance(start, goal, extra)
        before, after = ({cell: steps for steps, level in enumerate(self.sweep(side, extra)) for cell in members(level)}
                         for side in (start, goal))
        return sum(1 << cell for cell in members(extra & ~self.cells)
                   if cell in before and cell in after and before[cell] + after[cell] == least + 1)


class CellNetwork(Network):
    """Cells joined to their neighbours."""

    def joined_to(self, cell: int) -> int:
        """The cell's neighbours in the network."""
        return self.board.neighbours[cell] & self.cells

    def joined_with(self, cell: int, extra: int) -> int:
        """The cell's neighbours in the network or among the extra cells."""
        return self.board.neighbours[cell] & (self.cells | extra)

    def reached(self, start: int) -> int:
        """The cells that a flood fill from the start reaches."""
        return flood(start, self.cells, self.board.neighbours)


@attrs.frozen(eq=False)
class LinkLayer:
    """A kind of link on a board: its numbered possible links, and which of them cross."""

    name: str
    pairs: tuple[tuple[int, int], ...]
    """The two cells of each link, the smaller first."""
    crossing: tuple[int, ...]
    """For each link, a bitmask of the links that it must not cross."""
    numbers: dict[tuple[int, int], int] = attrs.field(init=False, repr=False)
    of_cell: dict[int, tuple[tuple[int, int], ...]] = attrs.field(init=False, repr=False)
    """For each cell, the numbers of its possible links, each with the cell at the other end."""

    @numbers.default
    def _numbered(self) -> dict[tuple[int, int], int]:
        return {pair: number for number, pair in enumerate(self.pairs)}

    @of_cell.default
    def _by_cell(self) -> dict[int, tuple[tuple[int, int], ...]]:
        result: dict[int, list[tuple[int, int]]] = {}
        for number, (one, other) in enumerate(self.pairs):
            result.setdefault(one, []).append((number, other))
            result.setdefault(other, []).append((number, one))
        return {cell: tuple(links) for cell, links in result.items()}

    @classmethod
    def make(cls, name: str, board: Board, others: Sequence[int], *, never_crossing: bool) -> LinkLayer:
        """The layer in which each cell can be linked to the cells of the bitmask `others[cell]`; links are undirected.

        Raises BoardError where there are too many of them.
        """
        count = (sum(cells.bit_count() for cells in others) + 1) // 2
        if count > MOST_LINKS:
            raise BoardError(f"{count} pairs of cells can be linked by '{name}', expected at most {MOST_LINKS}")
        pairs = sorted({(min(cell, other), max(cell, other)) for cell in range(board.size)
                        for other in members(others[cell]) if other != cell})
        points = tuple((round(x * 1000), round(y * 1000)) for x, y in board.places)
        crossing = _crossings(points, tuple(pairs)) if never_crossing else (0,) * len(pairs)
        return cls(name, tuple(pairs), crossing)

    def number(self, one: int, other: int) -> int:
        """The number of the link between two cells, -1 if there is no possible link."""
        return self.numbers.get((one, other) if one < other else (other, one), -1)

    def images(self, cells: Sequence[int]) -> tuple[int, ...]:
        """For each link, the number of the link between the images of its cells, -1 if there is no possible link."""
        get = self.numbers.get
        return tuple([get((cells[one], cells[other]) if cells[one] < cells[other] else (cells[other], cells[one]), -1)
                      for one, other in self.pairs])

    def is_free(self, link: int, there: int) -> bool:
        """Whether a link can be set: it is not among the links present (a bitmask), and crosses none of them."""
        return not there >> link & 1 and not there & self.crossing[link]

    def text(self, board: Board, link: int) -> str:
        """The text of a link: `b1-c3`."""
        return "-".join(board.names[cell] for cell in self.pairs[link])


@lru_cache(maxsize=4)
def _crossings(points: tuple[_Point, ...], pairs: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    """For each link, a bitmask of the others that cross it between their ends; collinear links cross if they overlap.

    The results for the last boards are cached, as this takes longer than everything else in loading a game. Raises
    BoardError where there are too many pairs to compare.
    """
    boxes = []
    for one, other in pairs:
        (ax, ay), (bx, by) = points[one], points[other]
        boxes.append((min(ax, bx), max(ax, bx), min(ay, by), max(ay, by)))
    order = sorted(range(len(pairs)), key=lambda link: boxes[link][0])
    crossing = [0] * len(pairs)
    starts = [boxes[link][0] for link in order]
    if sum(bisect_right(starts, boxes[link][1]) - index for index, link in enumerate(order)) > MOST_COMPARED:
        raise BoardError(f"the {len(pairs)} possible links are too many and too long to say which of them cross")
    known: dict[tuple[int, ...], bool] = {}
    """By the positions of three ends relative to the fourth: on a regular board the same few cases recur."""
    for index, link in enumerate(order):
        _, right, top, bottom = boxes[link]
        (ax, ay), (bx, by) = points[pairs[link][0]], points[pairs[link][1]]
        for further in range(index + 1, len(order)):
            later = order[further]
            left, _, upper, lower = boxes[later]
            if left > right:
                break
            if upper > bottom or top > lower:
                continue
            (cx, cy), (dx, dy) = points[pairs[later][0]], points[pairs[later][1]]
            case = bx - ax, by - ay, cx - ax, cy - ay, dx - ax, dy - ay
            if case not in known:
                known[case] = _cross((0, 0), case[:2], case[2:4], case[4:])
            if known[case]:
                crossing[link] |= 1 << later
                crossing[later] |= 1 << link
    return tuple(crossing)


def _cross(a: _Point, b: _Point, c: _Point, d: _Point) -> bool:
    """Whether the links from a to b and from c to d cross between their ends, or overlap."""
    sides = _side(a, b, c), _side(a, b, d), _side(c, d, a), _side(c, d, b)
    if all(side == 0 for side in sides):  # collinear: more than an end in common
        shared = sorted([a, b]), sorted([c, d])
        return max(shared[0][0], shared[1][0]) < min(shared[0][1], shared[1][1])
    if {a, b} & {c, d}:
        return False
    return sides[0] * sides[1] <= 0 and sides[2] * sides[3] <= 0


def _side(a: _Point, b: _Point, c: _Point) -> int:
    """1, 0 or -1: on which side of the line from a to b the point c lies, up to rounding."""
    area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return 0 if abs(area) < 10_000 else 1 if area > 0 else -1


class CutNetwork(Network):
    """Cells joined to their neighbours, except across shut borders."""

    def __init__(self, board: Board, cells: int, shut: Sequence[int | None]) -> None:
        super().__init__(board, cells)
        self.shut = shut
        """For each border, whether it is shut."""

    def joined_to(self, cell: int) -> int:
        """The cell's neighbours in the network, across open borders."""
        return self.joined_with(cell, 0)

    def joined_with(self, cell: int, extra: int) -> int:
        """The cell's neighbours across open borders in the network or among the extra cells."""
        result = 0
        for border, other in self.board.across[cell]:
            result |= 1 << other if border < 0 or not self.shut[border] else 0
        return result & (self.cells | extra)


class LinkNetwork(Network):
    """Cells joined by the links present in a position."""

    def __init__(self, board: Board, cells: int, layer: LinkLayer, there: int) -> None:
        super().__init__(board, cells)
        self.layer = layer
        self.there = there

    def joined_to(self, cell: int) -> int:
        """The cells of the network at the other ends of the cell's links."""
        result = 0
        for link, other in self.layer.of_cell.get(cell, ()):
            if self.there >> link & 1:
                result |= 1 << other
        return result & self.cells

    def joined_with(self, cell: int, extra: int) -> int:
        """Like `joined_to`, with the cells to which a link could be set where either end is an extra cell."""
        result = 0
        own = extra >> cell & 1
        for link, other in self.layer.of_cell.get(cell, ()):
            if self.there >> link & 1 or ((own or extra >> other & 1) and not self.there & self.layer.crossing[link]):
                result |= 1 << other
        return result & (self.cells | extra)


@attrs.frozen(eq=False)
class Tracks:
    """Which player's track is at each side of each piece."""

    sides: tuple[tuple[int, ...], ...]
    half: int
    """Half the number of directions: the opposite of a direction is that many further on."""

    @classmethod
    def of(cls, rules: hir.Rules, board: Board) -> Tracks:
        """The tracks of a game's tiles."""
        return cls(tuple(piece.sides for piece in rules.pieces), len(board.directions) // 2)

    def owner(self, table: WorkingState, cell: int, direction: int) -> int | None:
        """The player whose track is at a side of the piece on a cell; None where there is no track."""
        sides = self.sides[table.piece_at(cell)]
        result = sides[direction] if sides else -1
        return None if result < 0 else result


@lru_cache(maxsize=64)
def _leading(sides: tuple[tuple[int, ...], ...], player: int, direction: int) -> tuple[int, ...]:
    """The pieces with a track of a player at the side in a direction."""
    return tuple(piece for piece, owners in enumerate(sides) if owners and owners[direction] == player)


class TrackNetwork(Network):
    """The tiles with a track of one player, joined where tracks meet at a side."""

    def __init__(self, board: Board, tracks: Tracks, table: WorkingState, player: int) -> None:
        super().__init__(board, 0)
        self._leaving = []
        for direction in range(2 * tracks.half):
            cells = 0
            for piece in _leading(tracks.sides, player, direction):
                cells |= table.pieces[piece]
            self._leaving.append(cells)
            self.cells |= cells
        self._half = tracks.half

    def leaving(self, direction: int) -> int:
        """The cells of tiles with a track of the player at the side in a direction."""
        return self._leaving[direction]

    def joined_to(self, cell: int) -> int:
        """The cells of tiles whose track meets one of the cell's own tracks at a side."""
        result = 0
        for direction, target in enumerate(self.board.steps[cell]):
            if target >= 0 and self._leaving[direction] >> cell & 1:
                back = (direction + self._half) % (2 * self._half)
                result |= self._leaving[back] & 1 << target
        return result
