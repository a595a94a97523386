"""Kinds of boards: their words, their cells with their geometry, and their drawing.

Each kind is a subclass of `Kind` in a module of its own, with an instance `KIND`; `dsl.boards.KINDS` finds them all, so
that a new kind is one new file. No other code tests for the name of a kind: the resolver uses its words and sizes,
`interpreter.boards` builds the tables of a board from its cells, points and steps, and drawings and pictures use its
positions of cells and labels.

A shape is the tuple of a board's integer arguments, such as (rows, columns).
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar, Literal, Protocol

import attrs

from dsl.boards.lattice import Matrix, Point, images_about_centroid
from dsl.boards.outlines import Outline, Place

Shape = tuple[int, ...]
Diagonals = Literal["all", "alternate"]
"""Which cells of a square board are also neighbours of the cells that they touch at a corner."""
Region = Callable[[Shape, int, int], bool]
"""Whether the cell in a row and column of a board of a given shape belongs to a named set of cells."""


class Cells(Protocol):
    """The view of a board that drawings use; sequences are indexed by cell, sets of cells are bitsets."""

    @property
    def shape(self) -> Shape:
        """The integer arguments of the board."""
        ...

    @property
    def size(self) -> int:
        """The number of cells."""
        ...

    @property
    def names(self) -> Sequence[str]:
        """The cells' names."""
        ...

    @property
    def row_of(self) -> Sequence[int]:
        """The row of each cell."""
        ...

    @property
    def column_of(self) -> Sequence[int]:
        """The column of each cell."""
        ...

    @property
    def row_count(self) -> int:
        """The number of rows."""
        ...

    @property
    def column_count(self) -> int:
        """The number of columns."""
        ...

    @property
    def places(self) -> tuple[Place, ...]:
        """The centre of each cell."""
        ...

    @property
    def neighbour_lists(self) -> Sequence[Sequence[int]]:
        """The neighbours of each cell, in board order."""
        ...

    @property
    def rows_count_up(self) -> bool:
        """Whether the names of rows count upwards."""
        ...

    def row_text(self, index: int) -> str:
        """The name of the rows with an index, also where the name of a row differs from column to column."""
        ...

    def row_label(self, row: int) -> str:
        """The name of a row by itself; "" where it differs from column to column."""
        ...

    def column_label(self, column: int) -> str:
        """The name of a column by itself."""
        ...


@attrs.frozen
class Placed:
    """A text in a character drawing. Columns may be negative; the page begins at the leftmost text."""

    line: int
    column: int
    text: str
    cell: int = -1
    """The cell that it shows, or -1 for a label."""


@attrs.frozen
class Label:
    """A coordinate in a picture."""

    at: Place
    text: str
    on_links: bool = False
    """Whether lines pass behind it, so that it needs a light border."""


class Kind(ABC):
    """One kind of board. Attributes are its words and constants; methods take the shape of a board."""

    # ---- words

    word: ClassVar[str]
    """The words after `board`."""
    arguments: ClassVar[tuple[str, ...]] = ()
    """Names of its integer arguments, in order; each is at least 1."""
    default: ClassVar[Shape | None] = None
    """The default arguments; None where arguments must be given."""
    example: ClassVar[str]
    """The example in messages: `square(3, 3)`."""
    also_called: ClassVar[tuple[str, ...]] = ()
    """Other words that people write for it; messages suggest the right word."""
    steps: ClassVar[Mapping[str, Point]] = {}
    """Every direction in board order, clockwise or anticlockwise, with its step between lattice points."""
    direction_sets: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Named groups of directions: domains for choices and quantifiers."""
    neighbouring: ClassVar[str] = "directions"
    """The group of directions that lead to neighbours."""
    regions: ClassVar[Mapping[str, Region]] = {}
    """Named sets of cells."""
    symmetries: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Each symmetry's phrase and the elementary maps that generate it."""
    coordinates: ClassVar[str] = "{column:a}{row:1}"
    """How cells are named where the game does not declare it."""

    # ---- what it is like

    of_paths: ClassVar[bool] = False
    """Whether the game lists its cells and neighbours as paths; else cells are those of a lattice."""
    rows_and_columns: ClassVar[bool] = True
    """Whether `rows`, `columns`, `row(r)`, `column(k)`, `cell(r, k)`, `c.row` and `c.column` are defined."""
    rows_within_columns: ClassVar[bool] = False
    """Whether a row is an index within its column, so that rows counted upwards have no names of their own."""
    bounded: ClassVar[bool] = True
    """Whether the board has borders; one without is a `dsl.boards.window.Window`."""
    right_angles: ClassVar[bool] = False
    """Whether rows and columns are at right angles, as `leap` and `spans` need."""

    # ---- its lattice

    matrices: ClassVar[Mapping[str, Matrix]] = {}
    """The elementary maps that it may have: the matrix of each, which acts on points relative to the centre. Turns are
    clockwise."""
    turn: ClassVar[str] = ""
    """The smallest turn that it has, by which blocks of cells are rotated."""
    across: ClassVar[Point] = (0, 1)
    """The step of one place to the right in a pattern."""
    ahead: ClassVar[Point] = (-1, 0)
    """The step of one place ahead in a pattern."""

    # ---- its pictures

    outline: ClassVar[Outline | None] = None
    """The outline of a cell; None where cells are points, and neighbours are joined by lines."""
    borders: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """For each region along a border of the board, the directions in which its cells touch that border."""
    drawn_in_part: ClassVar[bool] = False
    """Whether a character drawing can be limited to some of its rows and columns."""

    @property
    def directions(self) -> tuple[str, ...]:
        """Every direction, in board order; `c.north` steps once."""
        return tuple(self.steps)

    @property
    def words(self) -> frozenset[str]:
        """Every name that it defines for the rules."""
        return frozenset((*self.steps, *self.direction_sets, *self.regions))

    @property
    def title(self) -> str:
        """The kind with an article, for messages."""
        return f"{'an' if self.word[0] in 'aeiou' else 'a'} {self.word}"

    # ---- sizes and cells; not called for a kind made of paths

    def cell_count(self, shape: Shape) -> int:
        """The number of cells of a full board."""
        raise NotImplementedError

    def row_count(self, shape: Shape) -> int:
        """The number of rows of a full board (where rows count within their column, that of the longest column)."""
        raise NotImplementedError

    def column_count(self, shape: Shape) -> int:
        """The number of columns of a full board."""
        raise NotImplementedError

    def cells(self, shape: Shape) -> Sequence[tuple[int, int]]:
        """The row and column of each cell of a full board, in board order."""
        raise NotImplementedError

    def point(self, shape: Shape, row: int, column: int) -> Point:
        """The lattice point of a cell."""
        return row, column

    def place(self, shape: Shape, row: int, column: int) -> Place:
        """The centre of a cell in pictures."""
        raise NotImplementedError

    def images(self, shape: Shape, points: Sequence[Point], matrix: Matrix) -> tuple[int, ...]:
        """The image of each of a board's cells, given by their points, under a map of the lattice; -1 where there is no
        cell."""
        return images_about_centroid(points, matrix)

    # ---- drawings

    def text(self, board: Cells, glyphs: Sequence[str], rows: range, columns: range) -> list[Placed]:
        """Lay out the text of each cell, and the coordinates, as lines of characters."""
        raise NotImplementedError

    def labels(self, board: Cells, shown: Sequence[int], places: Sequence[Place], left: float) -> Iterable[Label]:
        """The coordinates of the cells that a picture shows; `left` is the left end of the picture."""
        raise NotImplementedError

    def picture_places(self, board: Cells) -> tuple[Place, ...] | None:
        """The centre of each cell in pictures; None where they have to be computed from the distances between cells."""
        return board.places

    def dot(self, board: Cells) -> float:
        """The radius of a cell that is drawn as a point."""
        return 0.4


def centred(text: str, width: int) -> str:
    """Centre a text in a number of characters."""
    return (" " * ((width - len(text)) // 2) + text).ljust(width)
