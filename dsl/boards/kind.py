"""What a kind of board is: its words, its cells and their geometry, its drawing.

Each kind is a subclass of `Kind` in a module of its own, with an instance `KIND`; `dsl.boards.KINDS` finds them all, so
that a new kind is one new file. Everything else asks the kind and tests no kind's name: the resolver asks for words and
sizes, `interpreter.boards` builds the tables of a board from cells, points and steps, drawings and pictures ask where
cells and labels stand.

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
"""Which cells of a square board have those that they touch at a corner as neighbours."""
Region = Callable[[Shape, int, int], bool]
"""Whether the cell in a row and a column of a board of some shape belongs to a named set of cells."""


class Cells(Protocol):
    """A board as a drawing asks it; sequences go by cell, sets of cells are bitmasks."""

    @property
    def shape(self) -> Shape:
        """Its arguments."""
        ...

    @property
    def size(self) -> int:
        """How many cells it has."""
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
        """How many rows it has."""
        ...

    @property
    def column_count(self) -> int:
        """How many columns it has."""
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
        """What rows of an index are called, also where that differs from column to column."""
        ...

    def row_label(self, row: int) -> str:
        """What a row is called on its own, "" where that differs from column to column."""
        ...

    def column_label(self, column: int) -> str:
        """What a column is called on its own."""
        ...


@attrs.frozen
class Placed:
    """A text in a drawing of characters. Columns may start below 0; the page begins at the leftmost text."""

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
    """One kind of board. Attributes are its words and constants, methods answer for boards of a shape."""

    # ---- words

    word: ClassVar[str]
    """What stands behind `board`."""
    arguments: ClassVar[tuple[str, ...]] = ()
    """Names of its integer arguments, in order; each is at least 1."""
    default: ClassVar[Shape | None] = None
    """The arguments that stand for none; None where they must be given."""
    example: ClassVar[str]
    """What a message shows: `square(3, 3)`."""
    also_called: ClassVar[tuple[str, ...]] = ()
    """What people write for it; messages name the right word."""
    steps: ClassVar[Mapping[str, Point]] = {}
    """Every direction in board order, against the clock or with it, with its step between lattice points."""
    direction_sets: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Named groups of directions: domains for choices and quantifiers."""
    neighbouring: ClassVar[str] = "directions"
    """The group of directions that lead to neighbours."""
    regions: ClassVar[Mapping[str, Region]] = {}
    """Named sets of cells."""
    symmetries: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Each symmetry's phrase and the elementary maps that generate it."""
    coordinates: ClassVar[str] = "{column:a}{row:1}"
    """How cells are named where the game does not say it."""

    # ---- what it is like

    of_paths: ClassVar[bool] = False
    """Whether the game lists its cells and neighbours as paths; else cells are those of a lattice."""
    rows_and_columns: ClassVar[bool] = True
    """Whether `rows`, `columns`, `row(r)`, `column(k)`, `cell(r, k)`, `c.row` and `c.column` mean anything."""
    rows_within_columns: ClassVar[bool] = False
    """Whether a row is an index within its column, so that rows counted upwards have no names of their own."""
    bounded: ClassVar[bool] = True
    """Whether the board ends; one that does not is a `dsl.boards.window.Window`."""
    right_angles: ClassVar[bool] = False
    """Whether rows and columns stand at right angles, so that knights leap and networks span rows and columns."""

    # ---- its lattice

    matrices: ClassVar[Mapping[str, Matrix]] = {}
    """The elementary maps that it may have: what each does to a point seen from the centre. Turns are clockwise."""
    turn: ClassVar[str] = ""
    """The smallest turn that it has, by which blocks of cells are turned."""
    across: ClassVar[Point] = (0, 1)
    """The step of one place to the right in a pattern."""
    ahead: ClassVar[Point] = (-1, 0)
    """The step of one place ahead in a pattern."""

    # ---- its pictures

    outline: ClassVar[Outline | None] = None
    """The outline of a cell; None where cells are points, and neighbours are joined by lines."""
    borders: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """For each region along a border of the board, the directions in which its cells have the border beside them."""
    drawn_in_part: ClassVar[bool] = False
    """Whether a drawing of characters can show some of its rows and columns alone."""

    @property
    def directions(self) -> tuple[str, ...]:
        """Every direction, in board order; `c.north` steps once."""
        return tuple(self.steps)

    @property
    def words(self) -> frozenset[str]:
        """Every name that it gives to the rules."""
        return frozenset((*self.steps, *self.direction_sets, *self.regions))

    @property
    def title(self) -> str:
        """The kind with an article, for messages."""
        return f"{'an' if self.word[0] in 'aeiou' else 'a'} {self.word}"

    # ---- sizes and cells; a kind made of paths is not asked

    def cell_count(self, shape: Shape) -> int:
        """How many cells a full board has."""
        raise NotImplementedError

    def row_count(self, shape: Shape) -> int:
        """How many rows a full board has (where rows count within their column, in the longest)."""
        raise NotImplementedError

    def column_count(self, shape: Shape) -> int:
        """How many columns a full board has."""
        raise NotImplementedError

    def cells(self, shape: Shape) -> Sequence[tuple[int, int]]:
        """Row and column of each cell of a full board, in board order."""
        raise NotImplementedError

    def point(self, shape: Shape, row: int, column: int) -> Point:
        """The lattice point of a cell."""
        return row, column

    def place(self, shape: Shape, row: int, column: int) -> Place:
        """The centre of a cell in pictures."""
        raise NotImplementedError

    def images(self, shape: Shape, points: Sequence[Point], matrix: Matrix) -> tuple[int, ...]:
        """Where a map of the lattice takes each cell that a board has, by their points; -1 where no cell is."""
        return images_about_centroid(points, matrix)

    # ---- drawings

    def text(self, board: Cells, glyphs: Sequence[str], rows: range, columns: range) -> list[Placed]:
        """Set out a text for each cell, and the coordinates, as lines of characters."""
        raise NotImplementedError

    def labels(self, board: Cells, shown: Sequence[int], places: Sequence[Place], left: float) -> Iterable[Label]:
        """The coordinates of the cells that a picture shows; `left` is how far it reaches to the left."""
        raise NotImplementedError

    def picture_places(self, board: Cells) -> tuple[Place, ...] | None:
        """The centre of each cell in pictures; None where they are to be found by the distances between cells."""
        return board.places

    def dot(self, board: Cells) -> float:
        """The radius of a cell that is drawn as a point."""
        return 0.4


def centred(text: str, width: int) -> str:
    """A text in the middle of so many characters."""
    return (" " * ((width - len(text)) // 2) + text).ljust(width)
