"""A board: cells, their names, neighbours, directions, regions, straight lines and symmetries, as tables.

A cell is an int, 0 to n-1 in board order, which is the order of the kind's `cells`, or on an explicit graph the order
of first mention. A set of cells is an int whose bit i stands for cell i, and a direction is its index in
`Board.directions`. `Board.graph` is the same board as a networkx graph, made on first use: the tests check the tables
against it.

A board has no pieces and does not depend on a game. `interpreter.boards.building` makes boards.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import attrs

from dsl.boards.borders import BORDER, Sites, sites
from dsl.boards.kind import Kind, Shape
from dsl.boards.lattice import Point, images_about_centroid, turned
from dsl.boards.outlines import Place
from dsl.boards.window import Window
from interpreter.boards.coordinates import Coordinates
from interpreter.boards.courses import Course
from interpreter.boards.sets import mask_of, members
from interpreter.model.board_maps import BoardError, BoardMap, automorphisms, identity

if TYPE_CHECKING:
    import networkx

    from interpreter.semantics.networks import LinkLayer

_SMALL = 64
"""The most cells of a board on which `has_line` tests every line."""


@attrs.frozen(eq=False)
class Board:
    """A board as `build` makes it. Tables are indexed by cell unless they say otherwise."""

    kind: Kind
    shape: Shape
    coordinates: Coordinates | None
    """The template of the cells' names; None on a graph, whose cells have names of their own."""
    names: tuple[str, ...]
    row_of: tuple[int, ...]
    """The row of each cell, on a hexagon its index within the column; empty on a graph."""
    column_of: tuple[int, ...]
    row_count: int
    column_count: int
    directions: tuple[str, ...]
    steps: tuple[tuple[int, ...], ...]
    """`steps[cell][direction]` is the next cell that way, or -1."""
    neighbours: tuple[int, ...]
    """Bitmasks."""
    regions: Mapping[str, int]
    """The kind's regions by name, as bitmasks."""
    rows: tuple[int, ...]
    """The cells of each row, as bitmasks; 0 for a row whose cells are all left out."""
    columns: tuple[int, ...]
    places: tuple[Place, ...]
    """Centres for drawing: x to the right, y down, adjacent cells 1 apart (on a graph, those next on its circle)."""
    points: tuple[Point, ...] = attrs.field(repr=False)
    """Lattice points; empty on a graph."""
    paths: tuple[tuple[int, ...], ...] = attrs.field(default=(), repr=False)
    """On a graph, the paths that it was built from, which are its straight lines."""
    layers: tuple[LinkLayer, ...] = attrs.field(default=(), repr=False)
    """The game's kinds of links between cells."""
    courses: tuple[Course, ...] = attrs.field(default=(), repr=False)
    """The game's tracks, each in both directions."""
    _cells_by_place: Mapping[tuple[int, int], int] = attrs.field(init=False, repr=False)
    _cells_by_name: Mapping[str, int] = attrs.field(init=False, repr=False)
    _lines: dict[int, tuple[int, ...]] = attrs.field(init=False, repr=False, factory=dict)
    _leaps: dict[tuple[int, int], tuple[int, ...]] = attrs.field(init=False, repr=False, factory=dict)
    _turns: dict[tuple[int, bool], Mapping[int, int] | None] = attrs.field(init=False, repr=False, factory=dict)

    @_cells_by_place.default
    def _index_places(self) -> Mapping[tuple[int, int], int]:
        return {place: cell for cell, place in enumerate(zip(self.row_of, self.column_of, strict=True))}

    @_cells_by_name.default
    def _index_names(self) -> Mapping[str, int]:
        return {name: cell for cell, name in enumerate(self.names)}

    @property
    def size(self) -> int:
        """The number of cells."""
        return len(self.names)

    @property
    def everything(self) -> int:
        """The set of all cells."""
        return (1 << self.size) - 1

    @property
    def title(self) -> str:
        """The board in the words of a game file, for messages."""
        return f"{self.kind.word}({', '.join(map(str, self.shape))})" if self.shape else self.kind.word

    @property
    def unbounded(self) -> bool:
        """Whether the board is a window on a board without borders; see `settled`."""
        return not self.kind.bounded

    @property
    def window(self) -> Window:
        """The kind of an unbounded board; not to be used on others."""
        assert isinstance(self.kind, Window)
        return self.kind

    @property
    def room(self) -> int:
        """The most rows, and columns, that the pieces on an unbounded board may span."""
        return self.shape[0]

    @property
    def home(self) -> int:
        """The row and column at which the extent of the pieces on an unbounded board begins."""
        return self.window.home(self.shape)

    @property
    def hidden(self) -> int:
        """The number of first rows, and of first columns, that have no names of their own."""
        return 0 if self.kind.bounded else self.home - 1

    @cached_property
    def neighbour_lists(self) -> tuple[tuple[int, ...], ...]:
        """The neighbours of each cell, in board order."""
        return tuple(members(near) for near in self.neighbours)

    def sites(self, what: str) -> Sites:
        """Return the borders or vertices of the board's cells, on a board without holes."""
        return sites(self.kind, self.shape, what)

    @cached_property
    def across(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """For each cell, the border to each neighbour (-1 where the two only touch at a corner), and the neighbour."""
        borders = self.sites(BORDER).of_cell
        return tuple(tuple((borders.get((cell, way), -1), other) for way, other in enumerate(steps)
                           if other >= 0 and self.neighbours[cell] >> other & 1)
                     for cell, steps in enumerate(self.steps))

    @property
    def rows_count_up(self) -> bool:
        """Whether the names of rows count upwards."""
        return self.coordinates is not None and self.coordinates.row.up

    def row_text(self, index: int) -> str:
        """Return the name of the rows of an index, also where rows are counted within their column."""
        return "" if self.coordinates is None else self.coordinates.row.text(index - self.hidden, self.row_count)

    def row_label(self, row: int) -> str:
        """Return the name of a row, or "" where it differs from column to column."""
        return "" if self.kind.rows_within_columns and self.rows_count_up else self.row_text(row)

    def column_label(self, column: int) -> str:
        """Return the name of a column, or "" if the board has no columns."""
        return "" if self.coordinates is None else self.coordinates.column.text(column - self.hidden, self.column_count)

    def settled(self, occupied: int) -> int | None:
        """Return by how many cells (in board order) a set must shift so that its extent begins at the window's home.

        At least one row and column before it can be played on, and the outermost ring stays empty, so that nothing is
        ever lost at the edge. Returns None when the set has outgrown the window: it spans more than the window's room,
        or has already reached the ring.
        """
        if not occupied:
            return 0
        size, home = self.column_count, self.home
        top = (occupied & -occupied).bit_length() - 1
        first_row, last_row = top // size, (occupied.bit_length() - 1) // size
        line, every = (1 << size) - 1, 0
        for row in range(first_row, last_row + 1):
            every |= occupied >> row * size & line
        first_column, last_column = (every & -every).bit_length() - 1, every.bit_length() - 1
        at_edge = min(first_row, first_column) < 1 or max(last_row, last_column) > size - 2
        widest = max(last_row - first_row, last_column - first_column)
        if self.window.third_axis:
            sums = [self.row_of[cell] + self.column_of[cell] for cell in members(occupied)]
            widest = max(widest, max(sums) - min(sums))
        if at_edge or widest + 1 > self.room:
            return None
        return (home - first_row) * size + home - first_column

    @property
    def sums(self) -> tuple[int, ...]:
        """For each sum of row and column, the cells that have it, as bitmasks."""
        result = [0] * (self.row_count + self.column_count - 1)
        for cell, (row, column) in enumerate(zip(self.row_of, self.column_of, strict=True)):
            result[row + column] |= 1 << cell
        return tuple(result)

    @cached_property
    def graph(self) -> networkx.Graph:
        """The board as a graph of cells and neighbours; nodes have a name, row and column (on a graph, a name only)."""
        import networkx

        graph = networkx.Graph()
        for cell, name in enumerate(self.names):
            graph.add_node(cell, name=name)
        for cell, (row, column) in enumerate(zip(self.row_of, self.column_of, strict=True)):
            graph.add_node(cell, row=row, column=column)
        for cell, near in enumerate(self.neighbours):
            graph.add_edges_from((cell, other) for other in members(near))
        return graph

    @property
    def identity(self) -> BoardMap:
        """The identity map of the board."""
        return identity(self.size, len(self.directions), self.rows, self.columns)

    def cell_at(self, row: int, column: int) -> int:
        """Return the cell in a row and column, or -1 if there is none."""
        return self._cells_by_place.get((row, column), -1)

    def cell_named(self, text: str) -> int | None:
        """Return the cell with exactly this name, or None."""
        return self._cells_by_name.get(text)

    def ray(self, cell: int, direction: int) -> tuple[int, ...]:
        """Return the cells after a cell in a direction (by index), up to the border."""
        cells = []
        while (cell := self.steps[cell][direction]) >= 0:
            cells.append(cell)
        return tuple(cells)

    def straight(self, first: int, last: int) -> tuple[int, ...]:
        """Return the cells of the straight line between two cells, both included; () where there is no such line."""
        if first == last:
            return (first,)
        for direction in range(len(self.directions)):
            ray = self.ray(first, direction)
            if last in ray:
                return (first, *ray[: ray.index(last) + 1])
        for path in self.paths:
            if first in path and last in path:
                one, other = path.index(first), path.index(last)
                return path[one : other + 1] if one < other else path[other : one + 1][::-1]
        return ()

    def lines(self, length: int) -> tuple[int, ...]:
        """Return all straight segments of `length` cells, as bitmasks, each once; on a graph along the given paths.

        They are in the order of their first cells. Raises BoardError for a length below 1.
        """
        if length < 1:
            raise BoardError(f"a line of {length} cells was asked for, expected at least 1")
        if length not in self._lines:
            result: dict[int, None] = {}
            for path in self.paths:
                for first in range(len(path) - length + 1):
                    segment = path[first : first + length]
                    if len(set(segment)) == length:  # a closed path has a cell twice
                        result[mask_of(segment)] = None
            for cell in range(self.size):
                for direction in range(len(self.directions)):
                    segment = (cell, *self.ray(cell, direction)[: length - 1])
                    if len(segment) == length:
                        result[mask_of(segment)] = None
            self._lines[length] = tuple(result)
        return self._lines[length]

    def has_line(self, cells: int, length: int) -> bool:
        """Return whether a set of cells contains one of `lines(length)`.

        On a small board every line is tested; on a large one runs are followed from their first cells, which for a few
        stones is hundreds of times less work. Raises BoardError for a length below 1.
        """
        if length < 1:
            raise BoardError(f"a line of {length} cells was asked for, expected at least 1")
        if cells.bit_count() < length:
            return False
        if self.size <= _SMALL or self.paths:
            return any(cells & line == line for line in self.lines(length))
        half = len(self.directions) // 2
        for cell in members(cells):
            steps = self.steps[cell]
            for direction in range(half):
                before = steps[direction + half]  # boards list their directions in the order of the compass
                if before >= 0 and cells >> before & 1:
                    continue
                run, place = 1, steps[direction]
                while run < length and place >= 0 and cells >> place & 1:
                    run, place = run + 1, self.steps[place][direction]
                if run >= length:
                    return True
        return False

    def in_lines(self, cells: int, length: int) -> int:
        """Return the cells of a set that belong to one of `lines(length)` inside it."""
        result = 0
        for line in self.lines(length):
            if cells & line == line:
                result |= line
        return result

    def leaps(self, one: int, other: int) -> tuple[int, ...]:
        """Return for each cell, as a bitmask, the cells `one` rows and `other` columns away, or the reverse."""
        key = (min(abs(one), abs(other)), max(abs(one), abs(other)))
        if key not in self._leaps:
            offsets = {(a * x, b * y) for a, b in (key, key[::-1]) for x in (1, -1) for y in (1, -1)}
            self._leaps[key] = tuple(
                mask_of(
                    target for rows, columns in offsets
                    if (target := self.cell_at(row + rows, column + columns)) >= 0
                )
                for row, column in zip(self.row_of, self.column_of, strict=True)
            )
        return self._leaps[key]

    def turned_within(self, cells: int, *, clockwise: bool) -> Mapping[int, int] | None:
        """Return the image of each cell of a set when it is turned one step about its centre.

        A step is the smallest turn of the board's kind. Returns None where the turn does not map the set onto itself.
        """
        key = (cells, clockwise)
        if key not in self._turns:
            places = members(cells)
            matrix = self.kind.matrices[self.kind.turn]
            result = images_about_centroid([self.points[cell] for cell in places], matrix) if places else ()
            turn = {cell: places[image] for cell, image in zip(places, result, strict=True) if image >= 0}
            if not clockwise:
                turn = {target: cell for cell, target in turn.items()}
            self._turns[key] = turn if len(turn) == len(places) else None
        return self._turns[key]

    def symmetry(self, phrase: str) -> tuple[BoardMap, ...]:
        """Return the maps that generate a symmetry, named as in a game file: `half turn`, `all mirrors`, ...

        Raises BoardError when boards of this kind have no such symmetry, or this board's shape lacks it.
        """
        symmetries = self.kind.symmetries
        if phrase not in symmetries:
            raise BoardError(f"{self.title} has no symmetry {phrase!r}, expected one of: {', '.join(symmetries)}")
        if self.kind.of_paths:
            generators = automorphisms(self.graph)
            named = [(f"graph symmetry {k}", cells) for k, cells in enumerate(generators, start=1)]
            return tuple(BoardMap(name, cells, (), (), ()) for name, cells in named) or (self.identity,)
        return tuple(self._elementary(name) for name in symmetries[phrase])

    def _elementary(self, name: str) -> BoardMap:
        matrix = self.kind.matrices[name]
        cells = self.kind.images(self.shape, self.points, matrix)
        if -1 in cells:
            raise BoardError(
                f"{self.title} with {self.size} cells has no symmetry {name!r}: it takes cell"
                f" {self.names[cells.index(-1)]!r} to a place without a cell"
            )
        if self.kind.bounded and any(mask_of(cells[other] for other in members(near)) != self.neighbours[cells[cell]]
                                     for cell, near in enumerate(self.neighbours)):
            raise BoardError(f"{self.title} with {self.size} cells and alternate diagonals has no symmetry {name!r}: it"
                             " takes cells with diagonals to cells without")
        deltas = list(self.kind.steps.values())
        directions = tuple(deltas.index(turned(delta, matrix)) for delta in deltas)
        return BoardMap(name, cells, directions, self.rows, self.columns)
