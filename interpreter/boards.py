"""Boards: cells, their names, neighbours, directions, regions, straight lines and symmetries, as tables.

A cell is an int, 0 to n-1 in board order: row by row on square and rhombus boards, column by column on a
hexagon, by first mention on an explicit graph. A set of cells is an int whose bit i stands for cell i, and a
direction is its index in `Board.directions`. `Board.graph` is the same board as a networkx graph: the
definition that the tests hold the tables to, made when first asked for.

A board carries no pieces and knows no game; positions do. The interpreter calls `build` once for a game.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import attrs

from dsl.resolve.vocabulary import BOARDS, WINDOW_MARGIN
from interpreter.model.board_maps import (
    MATRICES,
    BoardError,
    BoardMap,
    Point,
    automorphisms,
    generate,
    identity,
    images,
    turned,
)

if TYPE_CHECKING:
    import networkx

    from interpreter.semantics.networks import LinkLayer

__all__ = [
    "MOST_CELLS", "Board", "BoardError", "BoardMap", "Coordinates", "build", "column_label", "generate",
    "mask_of", "members", "row_label",
]  # fmt: skip

_SMALL = 64
"""Up to so many cells, looking at every line is quick."""
MOST_CELLS = 10_000
"""Larger boards are refused: a set of cells for each cell would outgrow memory."""


@lru_cache(maxsize=1 << 14)
def members(mask: int) -> tuple[int, ...]:
    """Return the cells of a set in board order: `members(0b1010)` is `(1, 3)`."""
    cells = []
    while mask:
        lowest = mask & -mask
        cells.append(lowest.bit_length() - 1)
        mask ^= lowest
    return tuple(cells)


def mask_of(cells: Iterable[int]) -> int:
    """Return the set of some cells: `mask_of((3, 1))` is `0b1010`."""
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


# -- coordinates --------------------------------------------------------------------------------------------


@attrs.frozen
class Counter:
    """How a template writes rows, or columns: letters or numbers, counted from the near or the far end."""

    first: str
    """What the first one is called: `a`, `A`, `@`, `0` or `1`."""
    up: bool
    """Counted from the bottom row, or the rightmost column."""

    def text(self, index: int, count: int) -> str:
        """Write the row or column `index` of `count`; after z come aa, ab, ..."""
        number = count - 1 - index if self.up else index
        if self.first.isdigit():
            return str(number + int(self.first))
        letters = ""
        if self.first == "@":  # one before A, as the column to the left of the first
            number -= 1
            if number < 0:
                return "@" if number == -1 else "~"
        while number >= 0:
            number, letter = divmod(number, 26)
            letters = chr(ord("A" if self.first == "@" else self.first) + letter) + letters
            number -= 1
        return letters


@attrs.frozen
class Coordinates:
    """A template for the names of cells, such as `{column:a}{row:1 up}`, taken apart.

    Each of `{row:F}` and `{column:F}` stands in it once, F being `a`, `A`, `0`, `1` or `@` (what stands before A),
    then ` up` where counting starts at the bottom row or the rightmost column. On a hexagon rows are counted within
    their column.
    """

    template: str
    row: Counter
    column: Counter

    @classmethod
    def parse(cls, template: str) -> Coordinates:
        """Read a template. Raises BoardError when it is not as described above."""
        counters: dict[str, Counter] = {}
        for field in re.findall(r"\{[^{}]*\}|[{}]", template):
            match = re.fullmatch(r"\{(row|column):([aA01@])( up)?\}", field)
            if match is None:
                raise BoardError(
                    f"coordinates {template!r} have the field {field!r}, expected for instance {{row:1}}, {{row:1 up}},"
                    " {column:a}, {column:A} or {column:0}"
                )
            axis, first, up = match.groups()
            if axis in counters:
                raise BoardError(f"coordinates {template!r} name the {axis} twice, expected it once")
            counters[axis] = Counter(first, up is not None)
        for axis in ("row", "column"):
            if axis not in counters:
                raise BoardError(f"coordinates {template!r} leave out the {axis}, expected one field {{{axis}:...}}")
        return cls(template, counters["row"], counters["column"])

    def name(self, row: str, column: str) -> str:
        """Fill in the texts of a row and a column."""
        return re.sub(r"\{(row|column)[^}]*\}", lambda match: row if match[1] == "row" else column, self.template)


def row_label(board: Board, row: int) -> str:
    """Return what a row is called on its own, or "" where that differs from column to column."""
    if board.coordinates is None or (board.kind == "hexagon" and board.coordinates.row.up):
        return ""
    return board.coordinates.row.text(row - (1 if board.unbounded else 0), board.row_count)


def column_label(board: Board, column: int) -> str:
    """Return what a column is called on its own, or "" if the board has no columns."""
    hidden = 1 if board.unbounded else 0
    return "" if board.coordinates is None else board.coordinates.column.text(column - hidden, board.column_count)


# -- the board ----------------------------------------------------------------------------------------------


@attrs.frozen(eq=False)
class Board:
    """A board as `build` makes it. Tables are indexed by cell unless they say otherwise."""

    kind: str
    shape: tuple[int, ...]
    coordinates: Coordinates | None
    """How cells are named; None on a graph, whose cells bring their own names."""
    names: tuple[str, ...]
    row_of: tuple[int, ...]
    """Row of each cell, on a hexagon its index within the column; empty on a graph."""
    column_of: tuple[int, ...]
    row_count: int
    column_count: int
    directions: tuple[str, ...]
    steps: tuple[tuple[int, ...], ...]
    """`steps[cell][direction]` is the next cell that way, or -1."""
    neighbours: tuple[int, ...]
    """Bitmasks."""
    regions: Mapping[str, int]
    """The vocabulary's regions by name, as bitmasks."""
    rows: tuple[int, ...]
    """Bitmasks by row; 0 for a row all of whose cells are left out."""
    columns: tuple[int, ...]
    places: tuple[tuple[float, float], ...]
    """Centres for drawing: x to the right, y down, next cells 1 apart (on a graph, next on its circle)."""
    points: tuple[Point, ...] = attrs.field(repr=False)
    """Lattice points: (row, column), on a hexagon axial (q, r); empty on a graph."""
    paths: tuple[tuple[int, ...], ...] = attrs.field(default=(), repr=False)
    """Of a graph, the paths that it was made of: its straight lines."""
    layers: tuple[LinkLayer, ...] = attrs.field(default=(), repr=False)
    """The kinds of links between its cells that a game has."""
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
        return f"{self.kind}({', '.join(map(str, self.shape))})" if self.shape else self.kind

    @property
    def unbounded(self) -> bool:
        """Whether it is a window on a board without borders; see `settled`."""
        return self.kind.startswith("unbounded")

    def settled(self, occupied: int) -> int | None:
        """Return by how many cells (in board order) a set must shift so that its extent begins at the window's home.

        Home is the third row and column: one row and column before it can be played on, and the outermost ring stays
        empty, so that nothing is ever lost at the edge. None when the set then reaches the far edge, or has reached the
        ring already: it has outgrown the window.
        """
        if not occupied:
            return 0
        size = self.column_count
        top = (occupied & -occupied).bit_length() - 1
        first_row, last_row = top // size, (occupied.bit_length() - 1) // size
        line, every = (1 << size) - 1, 0
        for row in range(first_row, last_row + 1):
            every |= occupied >> row * size & line
        first_column, last_column = (every & -every).bit_length() - 1, every.bit_length() - 1
        at_edge = min(first_row, first_column) < 1 or max(last_row, last_column) > size - 2
        if at_edge or max(last_row - first_row, last_column - first_column) + 1 > size - WINDOW_MARGIN:
            return None
        return (2 - first_row) * size + 2 - first_column

    @cached_property
    def graph(self) -> networkx.Graph:
        """Nodes are the cells with attributes name, row and column (name alone on a graph), edges neighbours."""
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
        """The map that moves nothing."""
        return identity(self.size, len(self.directions), self.rows, self.columns)

    def cell_at(self, row: int, column: int) -> int:
        """Return the cell in a row and column, or -1 if there is none."""
        return self._cells_by_place.get((row, column), -1)

    def cell_named(self, text: str) -> int | None:
        """Return the cell of exactly this name, or None."""
        return self._cells_by_name.get(text)

    def ray(self, cell: int, direction: int) -> tuple[int, ...]:
        """Return the cells met from a cell in a direction (by index) up to the border, the cell not included."""
        cells = []
        while (cell := self.steps[cell][direction]) >= 0:
            cells.append(cell)
        return tuple(cells)

    def lines(self, length: int) -> tuple[int, ...]:
        """Return all straight segments of so many cells, as bitmasks, each once; on a graph along the given paths.

        They come in the order of their first cells. Raises BoardError for a length below 1.
        """
        if length < 1:
            raise BoardError(f"a line of {length} cells was asked for, expected at least 1")
        if length not in self._lines:
            found: dict[int, None] = {}
            for path in self.paths:
                for first in range(len(path) - length + 1):
                    found[mask_of(path[first : first + length])] = None
            for cell in range(self.size):
                for direction in range(len(self.directions)):
                    segment = (cell, *self.ray(cell, direction)[: length - 1])
                    if len(segment) == length:
                        found[mask_of(segment)] = None
            self._lines[length] = tuple(found)
        return self._lines[length]

    def has_line(self, cells: int, length: int) -> bool:
        """Return whether a set of cells contains one of `lines(length)`.

        On a small board every line is asked; on a large one runs are followed from their first cells, which for a few
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
        """Return the cells of a set that stand in one of `lines(length)` inside it."""
        found = 0
        for line in self.lines(length):
            if cells & line == line:
                found |= line
        return found

    def leaps(self, one: int, other: int) -> tuple[int, ...]:
        """Return for each cell those so many rows and so many columns away, either way round, as bitmasks."""
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
        """Return where each cell of a set goes when the set is turned one step about its centre, None if it cannot be.

        A step is a quarter on a square board, a half on a rhombus, a sixth on a hexagon.
        """
        key = (cells, clockwise)
        if key not in self._turns:
            places = members(cells)
            matrix = MATRICES[self.kind][_TURNS[self.kind]]
            found = images([self.points[cell] for cell in places], matrix) if places else ()
            turn = {cell: places[image] for cell, image in zip(places, found, strict=True) if image >= 0}
            if not clockwise:
                turn = {target: cell for cell, target in turn.items()}
            self._turns[key] = turn if len(turn) == len(places) else None
        return self._turns[key]

    def symmetry(self, phrase: str) -> tuple[BoardMap, ...]:
        """Return the maps that generate a symmetry, named as in a game file: `half turn`, `all mirrors`, ...

        Raises BoardError when boards of this kind have no such symmetry, or this board's shape lacks it.
        """
        symmetries = BOARDS[self.kind].symmetries
        if phrase not in symmetries:
            raise BoardError(f"{self.title} has no symmetry {phrase!r}, expected one of: {', '.join(symmetries)}")
        if self.kind == "graph":
            generators = automorphisms(self.graph)
            named = [(f"graph symmetry {k}", cells) for k, cells in enumerate(generators, start=1)]
            return tuple(BoardMap(name, cells, (), (), ()) for name, cells in named) or (self.identity,)
        return tuple(self._elementary(name) for name in symmetries[phrase])

    def _elementary(self, name: str) -> BoardMap:
        matrix = MATRICES[self.kind][name]
        cells = images(self.points, matrix)
        if -1 in cells:
            raise BoardError(
                f"{self.title} with {self.size} cells has no symmetry {name!r}: it takes cell"
                f" {self.names[cells.index(-1)]!r} to a place without a cell"
            )
        deltas = [_DELTAS[self.kind][direction] for direction in self.directions]
        directions = tuple(deltas.index(turned(delta, matrix)) for delta in deltas)
        return BoardMap(name, cells, directions, self.rows, self.columns)


# -- building -----------------------------------------------------------------------------------------------

_DELTAS: Mapping[str, Mapping[str, Point]] = {
    "square": {
        "north": (-1, 0), "northeast": (-1, 1), "east": (0, 1), "southeast": (1, 1),
        "south": (1, 0), "southwest": (1, -1), "west": (0, -1), "northwest": (-1, -1),
    },
    "rhombus": {
        "northwest": (-1, 0), "northeast": (-1, 1), "east": (0, 1),
        "southeast": (1, 0), "southwest": (1, -1), "west": (0, -1),
    },
    "hexagon": {
        "north": (0, -1), "northeast": (1, -1), "southeast": (1, 0),
        "south": (0, 1), "southwest": (-1, 1), "northwest": (-1, 0),
    },
}  # fmt: skip
_DELTAS = {**_DELTAS, "unbounded square": _DELTAS["square"]}
"""By kind of board, the step of each direction from lattice point to lattice point."""


_TURNS = {"square": "quarter turn", "unbounded square": "quarter turn", "rhombus": "half turn", "hexagon": "sixth turn"}
"""By kind of board, the smallest turn that it has; clockwise."""


@attrs.frozen
class _Layout:
    """A full board of one shape, before cells are left out: what tells one kind from another."""

    cells: Sequence[tuple[int, int]]
    """(row, column) of each cell in board order."""
    points: Sequence[Point]
    places: Sequence[tuple[float, float]]
    adjacent: Sequence[str]
    """The directions that lead to neighbours."""
    regions: Mapping[str, Callable[[int, int], bool]]
    """By name, whether the cell in a row and column belongs to it."""
    coordinates: str
    """The template when the game gives none."""
    hidden: int = 0
    """How many rows and columns labels leave out at the beginning."""


def build(
    kind: str,
    shape: tuple[int, ...],
    *,
    coordinates: str | None = None,
    without: frozenset[int] = frozenset(),
    paths: Iterable[Sequence[str]] = (),
    diagonals: bool = False,
) -> Board:
    """Make a board.

    `kind` and `shape` are a word of the vocabulary and its arguments, `coordinates` a template (see
    `Coordinates`), `without` the cells of the full board to leave out: those that stay are numbered anew and
    keep their names, rows, columns and regions. A graph takes `paths` instead: each joins every cell it
    names to the next, and a path of one name adds a cell. With `diagonals` cells of a square board that touch at a
    corner are neighbours as well.

    Raises BoardError for a board that can not be.
    """
    if kind not in BOARDS:
        raise BoardError(f"there is no board {kind!r}, expected one of: {', '.join(BOARDS)}")
    arguments = BOARDS[kind].arguments
    if len(shape) != len(arguments):
        raise BoardError(
            f"{kind} was given {len(shape)} numbers, expected {len(arguments)}: {', '.join(arguments) or 'none'}"
        )
    for argument, value in zip(arguments, shape, strict=True):
        if value < 1:
            raise BoardError(f"{kind} was given {value} for {argument}, expected at least 1")
    if kind == "graph":
        if coordinates is not None or without:
            raise BoardError("a graph takes neither coordinates nor cells left out: its links name its cells")
        return _build_graph(paths)
    if tuple(paths):
        raise BoardError(f"{kind} brings its own neighbours, expected links on a graph only")
    if kind == "unbounded square":
        side = shape[0] + WINDOW_MARGIN
        if side * side > MOST_CELLS:
            raise BoardError(f"{kind} was given {shape[0]} rows and columns, "
                             f"expected at most {math.isqrt(MOST_CELLS) - WINDOW_MARGIN}")
        window = _window(side)
        if diagonals:
            window = attrs.evolve(window, adjacent=BOARDS[kind].directions)
        return _build_lattice(kind, shape, window, coordinates, without)
    count = 3 * shape[0] * (shape[0] - 1) + 1 if kind == "hexagon" else math.prod(shape)
    if count > MOST_CELLS:
        raise BoardError(f"{kind} was given a shape of {count} cells, expected at most {MOST_CELLS}")
    layout = _hexagon(*shape) if kind == "hexagon" else _rectangle(kind, *shape)
    if diagonals:
        layout = attrs.evolve(layout, adjacent=BOARDS[kind].directions)
    return _build_lattice(kind, shape, layout, coordinates, without)


def _rectangle(kind: str, rows: int, columns: int) -> _Layout:
    """Lay out a square or rhombus board; a rhombus shifts each row half a cell to the right of the one above."""
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    slant, height = (0.5, math.sqrt(0.75)) if kind == "rhombus" else (0.0, 1.0)
    regions: dict[str, Callable[[int, int], bool]] = {
        "cells": lambda row, column: True,
        "top": lambda row, column: row == 0,
        "bottom": lambda row, column: row == rows - 1,
        "left": lambda row, column: column == 0,
        "right": lambda row, column: column == columns - 1,
        "corners": lambda row, column: row in (0, rows - 1) and column in (0, columns - 1),
        "edges": lambda row, column: row in (0, rows - 1) or column in (0, columns - 1),
    }
    return _Layout(
        cells=cells,
        points=cells,
        places=[(column + slant * row, height * row) for row, column in cells],
        adjacent=BOARDS[kind].direction_sets["directions" if kind == "rhombus" else "orthogonals"],
        regions=regions,
        coordinates="{column:a}{row:1}" if kind == "rhombus" else "{column:a}{row:1 up}",
    )


def _window(side: int) -> _Layout:
    """Lay out the window on an unbounded square board; labels count from its second row and column."""
    cells = [(row, column) for row in range(side) for column in range(side)]
    return _Layout(
        cells=cells,
        points=cells,
        places=[(float(column), float(row)) for row, column in cells],
        adjacent=BOARDS["unbounded square"].direction_sets["orthogonals"],
        regions={"origin": lambda row, column: row == column == 1},
        coordinates="{column:@}{row:0}",
        hidden=1,
    )


def _hexagon(side: int) -> _Layout:
    """Lay out flat-topped hexagons in columns of side, side + 1, ... 2 side - 1, ... side cells."""
    middle = side - 1

    def count(column: int) -> int:
        return 2 * side - 1 - abs(column - middle)

    cells = [(row, column) for column in range(2 * side - 1) for row in range(count(column))]
    regions: dict[str, Callable[[int, int], bool]] = {
        "cells": lambda row, column: True,
        "corners": lambda row, column: row in (0, count(column) - 1) and column in (0, middle, 2 * middle),
        "edges": lambda row, column: row in (0, count(column) - 1) or column in (0, 2 * middle),
        "left": lambda row, column: column == 0,
        "right": lambda row, column: column == 2 * middle,
        "top_left": lambda row, column: row == 0 and column <= middle,
        "top_right": lambda row, column: row == 0 and column >= middle,
        "bottom_left": lambda row, column: row == count(column) - 1 and column <= middle,
        "bottom_right": lambda row, column: row == count(column) - 1 and column >= middle,
    }
    return _Layout(
        cells=cells,
        points=[(column, row + max(0, middle - column)) for row, column in cells],
        places=[(math.sqrt(0.75) * column, row + abs(column - middle) / 2) for row, column in cells],
        adjacent=BOARDS["hexagon"].directions,
        regions=regions,
        coordinates="{column:a}{row:1}",
    )


def _build_lattice(
    kind: str, shape: tuple[int, ...], layout: _Layout, coordinates: str | None, without: frozenset[int]
) -> Board:
    if not without <= frozenset(range(len(layout.cells))):
        raise BoardError(f"{kind} has cells 0 to {len(layout.cells) - 1}, but {sorted(without)} were to be left out")
    kept = [cell for cell in range(len(layout.cells)) if cell not in without]
    if not kept:
        raise BoardError(f"every cell of the {kind} board is left out, expected one to stay")
    cells = [layout.cells[cell] for cell in kept]
    row_count = 1 + max(row for row, _ in layout.cells)
    column_count = 1 + max(column for _, column in layout.cells)

    # a hexagon counts rows within their column, so a count for each
    heights = [0] * column_count
    for row, column in layout.cells:
        heights[column] = max(heights[column], row + 1)
    template = Coordinates.parse(layout.coordinates if coordinates is None else coordinates)
    names: dict[str, tuple[int, int]] = {}
    for row, column in cells:
        name = template.name(template.row.text(row - layout.hidden, heights[column]),
                             template.column.text(column - layout.hidden, column_count))
        if name in names:
            raise BoardError(
                f"coordinates {template.template!r} name two cells {name!r}, expected for instance a letter or a dot"
                " between two numbers"
            )
        names[name] = (row, column)

    points = [layout.points[cell] for cell in kept]
    at = {point: cell for cell, point in enumerate(points)}
    words = BOARDS[kind]
    deltas = [_DELTAS[kind][direction] for direction in words.directions]
    steps = tuple(tuple(at.get((x + dx, y + dy), -1) for dx, dy in deltas) for x, y in points)
    adjacent = [words.directions.index(direction) for direction in layout.adjacent]
    return Board(
        kind=kind,
        shape=shape,
        coordinates=template,
        names=tuple(names),
        row_of=tuple(row for row, _ in cells),
        column_of=tuple(column for _, column in cells),
        row_count=row_count,
        column_count=column_count,
        directions=words.directions,
        steps=steps,
        neighbours=tuple(mask_of(step[direction] for direction in adjacent if step[direction] >= 0) for step in steps),
        regions={
            region: mask_of(cell for cell, (row, column) in enumerate(cells) if layout.regions[region](row, column))
            for region in words.regions
        },
        rows=_masks_by((row for row, _ in cells), row_count),
        columns=_masks_by((column for _, column in cells), column_count),
        places=tuple(layout.places[cell] for cell in kept),
        points=tuple(points),
    )


def _masks_by(keys: Iterable[int], count: int) -> tuple[int, ...]:
    """For each key from 0 on, the mask of the cells that have it."""
    masks = [0] * count
    for cell, key in enumerate(keys):
        masks[key] |= 1 << cell
    return tuple(masks)


def _build_graph(paths: Iterable[Sequence[str]]) -> Board:
    """Build a board from its links, its cells set on a circle, clockwise from the top."""
    index: dict[str, int] = {}
    near: list[set[int]] = []
    paths = tuple(tuple(path) for path in paths)
    for path in paths:
        for name in path:
            if name not in index:
                index[name] = len(near)
                near.append(set())
        for here, there in pairwise(path):
            if here == there:
                raise BoardError(f"the graph links {here!r} to itself, expected another cell")
            near[index[here]].add(index[there])
            near[index[there]].add(index[here])
    size = len(near)
    if not 1 <= size <= MOST_CELLS:
        raise BoardError(f"the graph has {size} cells, expected 1 to {MOST_CELLS}")
    radius = 0.5 / math.sin(math.pi / size) if size > 1 else 0.0
    angles = [2 * math.pi * cell / size for cell in range(size)]
    return Board(
        kind="graph",
        shape=(),
        coordinates=None,
        names=tuple(index),
        row_of=(),
        column_of=(),
        row_count=0,
        column_count=0,
        directions=(),
        steps=((),) * size,
        neighbours=tuple(mask_of(cells) for cells in near),
        regions={"cells": (1 << size) - 1},
        rows=(),
        columns=(),
        places=tuple((radius * math.sin(angle), -radius * math.cos(angle)) for angle in angles),
        points=(),
        paths=tuple(tuple(index[name] for name in path) for path in paths),
    )
