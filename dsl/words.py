"""The function words of the language, with one record of properties for each.

`WORDS` has the words that rules call and those that the resolver creates for other syntax: for `c.north`, `c.row` and
the side of a tile. The resolver, analyses, the compiler and messages select words by these properties. The meaning of a
word is in `interpreter.words`, with one module for each family: its value, its bounds, its lowering and its image under
a symmetry, found by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum, Flag, IntEnum, auto

import attrs

from dsl.resolve.sorts import (
    ANY_INTEGER,
    BOOLEAN,
    CELL,
    CELLS,
    COURSE,
    DIRECTION,
    LAYER,
    NETWORK,
    PIECE,
    PLAYER,
    UNKNOWN,
    Integer,
    Sort,
)


class Reads(Flag):
    """Parts of a position, and the player who moves in it."""

    NOTHING = 0
    PIECES = auto()
    """The pieces on cells."""
    VARIABLES = auto()
    LINKS = auto()
    MOVER = auto()
    """The player who makes the move, or who moves next."""
    POSITION = PIECES | VARIABLES | LINKS


class Form(Enum):
    """How a call is parsed."""

    PLAIN = "plain"
    """Arguments of the sorts that the record names."""
    COUNT = "count"
    """A set, or a choice whose possibilities are counted."""
    AGGREGATE = "aggregate"
    """A value for each possible choice, or two numbers for their minimum or maximum."""
    CLOSURE = "closure"
    """A set for each cell, whose closure is taken."""
    WAY = "way"
    """A number for each step from cell to cell, of ways between two sets."""
    KIND = "kind"
    """The kind of a piece, whose sort depends on the game's pieces."""
    SHAPE = "shape"
    """A value with a shape before the other arguments."""
    MADE = "made"
    """Created by the resolver; rules write it in another way."""


class Across(Enum):
    """How a word that leads from cell to cell is resolved on a board that is cut."""

    NEAR = "near"
    """Without the neighbours across a closed border."""
    NUMBER = "number"
    """The number of neighbours without those across a closed border."""
    AHEAD = "ahead"
    """A number of steps, none of which leads across a closed border."""
    ONWARD = "onward"
    """Step by step, within a set."""
    PAST = "past"
    """Step by step, up to the first cell that is not in a set."""
    SEEN = "seen"
    """Step by step, up to the first occupied cell."""


@attrs.frozen
class Sizes:
    """The greatest numbers of cells of the sets that a board has."""

    cells: int
    neighbours: int
    """The neighbours of a cell."""
    line: int
    """The cells of a row, a column or another straight line."""
    track: int
    links: int
    """The cells that one cell can be linked to."""


class Cost(IntEnum):
    """The work to compute a value, apart from its arguments."""

    ENTRY = 0
    """One lookup in a table that every board has."""
    FEW = 1
    """A few steps, independent of the board's size."""
    SET = 2
    """Iterates over a set."""
    LINES = 3
    """Follows lines of the board: costs more than caching the value."""
    FLOOD = 4
    """Traverses a network, perhaps over the whole board."""


@attrs.frozen
class Word:
    """The record of a function of the language."""

    name: str
    example: str
    """How it is written, for messages and the language book."""
    arguments: tuple[Sort, ...] = ()
    """Sorts of the arguments; those from `least` on may be left out. A word that takes a loop lists those of a call
    without one."""
    least: int = 0
    result: Callable[[int], Sort] = lambda cells: UNKNOWN
    """The sort of the result, by the number of the board's cells."""
    form: Form = Form.PLAIN
    reads: Reads = Reads.NOTHING
    """What it reads itself, apart from its arguments."""
    cost: Cost = Cost.FEW
    grows: bool = False
    """Whether it is monotonic: when the sets among its arguments only grow, all else being equal, a set that it returns
    only grows, and a condition stays true."""
    combines: Sort = ANY_INTEGER
    """The sort of the values that an aggregate combines."""
    over: Callable[[Integer, int], Sort] = lambda value, count: ANY_INTEGER
    """The sort of the result of an aggregate over at most the given number of values of a sort."""
    of_numbers: Callable[..., Sort] | None = None
    """The sort of the result by those of its arguments, where all are numbers."""
    stands: bool = False
    """Whether it returns the piece on the cell that is its argument."""
    joins: bool = False
    """Whether it tests if a component of a network touches each of several sets, as connection games do."""
    most: Callable[[Sizes, Sequence[int]], int] | None = None
    """The greatest number of cells that it returns, by the board's sizes and those of its arguments; all cells where it
    is None."""
    inside: int | None = None
    """The index of an argument that contains all cells that it returns; None where there is none."""
    unordered: tuple[int, int] = (0, 0)
    """The range of arguments whose order does not matter: the first, and the one after the last."""
    needs_cell: bool = False
    """Whether the rules fail where its argument is no cell."""
    may_be_none: bool = False
    """Whether it may return none although no argument is none: no cell, or no player."""
    needs_rows: bool = False
    """Whether it needs a board with rows and columns."""
    needs_tiles: bool = False
    """Whether it needs a game with tiles."""
    needs_piles: bool = False
    """Whether it needs a game with piles."""
    piled: Callable[[int, int], Sort] | None = None
    """The sort of the result by the number of cells and the height of piles, where that is more exact."""
    needs_right_angles: bool = False
    """Whether it needs rows and columns at right angles."""
    needs_shapes: bool = False
    """Whether it needs a game that declares values with shapes."""
    needs_tracks: bool = False
    """Whether it needs a game that declares tracks."""
    gives: str = ""
    """The kind of site between cells that it returns, `border` or `vertex`; '' for none."""
    of_vertex: str = ""
    """The word that replaces it where its argument is a vertex instead of a border."""
    on_track: str = ""
    """The word that replaces it where its argument is a track instead of a direction."""
    or_empty: bool = False
    """Whether its last argument, the cells that a piece can move along, defaults to the empty cells."""
    each_once: bool = False
    """Whether it needs a track that visits each of its cells once."""
    across: Across | None = None
    """How it is resolved on a board that is cut; None where it ignores the borders."""
    also: str = ""
    """Other words that people write for it."""
    as_member: str = ""
    """The help where it is written after the '.' of a cell."""
    as_name: str = ""
    """The help where it is written without brackets."""
    cells_by: str = ""
    """For a condition on cells: the word that returns the cells."""

    def sort_in(self, cells: int, piles: int) -> Sort:
        """The sort of the result on a board with the given number of cells and height of piles."""
        return self.result(cells) if self.piled is None else self.piled(cells, max(1, piles))

    @property
    def floods(self) -> bool:
        """Whether it traverses a network, perhaps over the whole board."""
        return self.cost is Cost.FLOOD

    @property
    def along_lines(self) -> bool:
        """Whether it looks for lines of a given number of cells of a set, in all directions."""
        return self.cost is Cost.LINES and self.arguments == (CELLS, ANY_INTEGER)

    @property
    def called(self) -> bool:
        """Whether rules can call it."""
        return self.form is not Form.MADE

    @property
    def network(self) -> int | None:
        """The index of its argument that is a network; None where there is none."""
        return self.arguments.index(NETWORK) if NETWORK in self.arguments else None


def _sort(sort: Sort) -> Callable[[int], Sort]:
    return lambda cells: sort


def _or_zero(value: Integer, count: int) -> Sort:
    """The sort of one of some numbers, or of 0 where there are none."""
    return Integer(min(0, value.low), max(0, value.high))


def _in_line(board: Sizes, given: Sequence[int]) -> int:
    """The greatest number of cells in a straight line."""
    return board.line


def _on_track(board: Sizes, given: Sequence[int]) -> int:
    """The greatest number of cells of a track."""
    return board.track


_ROW = Integer(-(10**9), 10**9, "row")
_COLUMN = Integer(-(10**9), 10**9, "column")
_SIDES = (NETWORK, CELLS, CELLS, CELLS)

_ALL = (
    Word("cell", "cell(0, k)", (_ROW, _COLUMN), 2, _sort(CELL), needs_rows=True,
         also="square hex field at_position"),
    Word("row", "row(r)", (_ROW,), 1, _sort(CELLS), needs_rows=True, also="rank", most=_in_line),
    Word("column", "column(k)", (_COLUMN,), 1, _sort(CELLS), needs_rows=True, also="col file", most=_in_line),
    Word("neighbours", "neighbours(c)", (CELLS,), 1, _sort(CELLS), cost=Cost.SET, grows=True, across=Across.NEAR,
         most=lambda board, given: board.neighbours * given[0],
         also="neighbors neighbor neighbour adjacent adjacents adjacencies adj",
         as_member="the cells next to a cell are 'neighbours(c)'"),
    Word("the", "the(king[p])", (CELLS,), 1, _sort(CELL), cost=Cost.SET, may_be_none=True,
         also="only sole unique lone"),
    Word("degree", "degree(c)", (CELL,), 1, lambda cells: Integer(0, cells - 1), needs_cell=True, across=Across.NUMBER,
         also="deg",
         as_member="the number of neighbours is 'degree(c)'"),
    Word("ray", "ray(c, north) or ray(c, d, empty)", (CELL, DIRECTION, CELLS), 2, _sort(CELLS), cost=Cost.LINES,
         grows=True, most=_in_line, inside=2, on_track="ray_along", across=Across.ONWARD, also="beam walk"),
    Word("sight", "sight(c, d)", (CELL, DIRECTION), 2, _sort(CELL), reads=Reads.PIECES, cost=Cost.LINES,
         may_be_none=True, across=Across.SEEN, also="first_seen sees"),
    Word("reach", "reach(c, d) or reach(c, d, S)", (CELL, DIRECTION, CELLS), 2, _sort(CELLS),
         cost=Cost.LINES, grows=True, most=_in_line, on_track="reach_along", or_empty=True,
         across=Across.PAST, also="reachable slide_to"),
    Word("next", "next(c, d, 3) or next(c, lap) or next(c, lap, 3)", (CELL, DIRECTION, ANY_INTEGER), 2, _sort(CELL),
         may_be_none=True, on_track="next_along", across=Across.AHEAD, also="successor advance"),
    Word("border", "border(c, north)", (CELL, DIRECTION), 2, cost=Cost.ENTRY, may_be_none=True, gives="border",
         of_vertex="border_from", also="side edge_of wall_of"),
    Word("vertex", "vertex(c, northeast)", (CELL, DIRECTION), 2, cost=Cost.ENTRY, may_be_none=True, gives="vertex",
         needs_right_angles=True, also="corner_of joint crossing"),
    Word("beside", "beside(b)", (UNKNOWN,), 1, _sort(CELLS), cost=Cost.ENTRY, of_vertex="cells_round",
         most=lambda board, given: 2),
    Word("around", "around(c, lap) or around(c, lap, S)", (CELL, COURSE, CELLS), 2, _sort(CELLS),
         cost=Cost.LINES, grows=True, needs_tracks=True, or_empty=True, also="past_bend round_bend",
         most=_on_track),
    Word("group", "group(c, mine) or group(top, mine)", (CELLS, NETWORK), 2, _sort(CELLS), cost=Cost.FLOOD, grows=True,
         also="chain component cluster flood region"),
    Word("leap", "leap(c, 1, 2)", (CELL, ANY_INTEGER, ANY_INTEGER), 3, _sort(CELLS), needs_right_angles=True,
         also="knight knights jump hop", most=lambda board, given: 8),
    Word("laid", "laid(k, c, north) or laid(k, c, d, e)", (UNKNOWN, CELL, DIRECTION, DIRECTION), 3, _sort(CELLS),
         form=Form.SHAPE, needs_right_angles=True, needs_shapes=True, also="placement footprint"),
    Word("differs", "differs(k, d, e)", (UNKNOWN, DIRECTION, DIRECTION), 3, _sort(BOOLEAN), form=Form.SHAPE,
         cost=Cost.ENTRY, needs_right_angles=True, needs_shapes=True, also="orientations rotations"),
    Word("area", "area(k)", (UNKNOWN,), 1, form=Form.SHAPE, cost=Cost.ENTRY, needs_shapes=True),
    Word("opposite", "opposite(d)", (DIRECTION,), 1, _sort(DIRECTION), on_track="track_back"),
    Word("piece", "piece(c)", (CELL,), 1, _sort(PIECE), reads=Reads.PIECES, stands=True,
         also="piece_at stone at what top top_of",
         as_member="what stands on a cell is 'piece(c)'; 'c := own' puts a piece there"),
    Word("owner", "owner(p)", (PIECE,), 1, _sort(PLAYER), may_be_none=True, cost=Cost.ENTRY, also="owned_by",
         as_member="whose a piece is says 'owner(p)'; of what stands on a cell 'owner(piece(c))'"),
    Word("kind", "kind(p)", (PIECE,), 1, form=Form.KIND, may_be_none=True, cost=Cost.ENTRY, also="type piece_type"),
    Word("height", "height(c)", (CELL,), 1, reads=Reads.PIECES | Reads.VARIABLES, needs_cell=True, needs_piles=True,
         piled=lambda cells, most: Integer(0, most), also="stack_size pile_size tall depth",
         as_member="how many pieces lie on a cell is 'height(c)'"),
    Word("below", "below(c, k)", (CELL, ANY_INTEGER), 2, _sort(PIECE), reads=Reads.PIECES | Reads.VARIABLES,
         needs_piles=True, also="under beneath covered"),
    Word("copies", "copies(p)", (PIECE,), 1, reads=Reads.PIECES | Reads.VARIABLES, cost=Cost.SET, needs_piles=True,
         piled=lambda cells, most: Integer(0, cells * most), also="in_play pieces_of"),
    Word("joined", "joined(red, top, bottom)", (NETWORK, *[CELLS] * 6), 3, _sort(BOOLEAN), cost=Cost.FLOOD,
         grows=True, joins=True, unordered=(1, 7), also="connected connects connect connection path"),
    Word("distance", "distance(red, top, bottom, empty)", _SIDES, 4, lambda cells: Integer(0, cells), cost=Cost.FLOOD,
         also="dist shortest shortest_path",
         as_name="what a connection lacks is 'distance(red, top, bottom, empty)'; steps are counted by c.row - d.row"),
    Word("arrivals", "arrivals(red, top, bottom, empty)", _SIDES, 4, _sort(CELLS), cost=Cost.FLOOD,
         also="chain_ends critical"),
    Word("ways", "ways(red, top, bottom, empty)", _SIDES, 4, _sort(CELLS), cost=Cost.FLOOD),
    Word("contested", "contested(red, top, bottom, empty)", _SIDES, 4, lambda cells: Integer(0, cells), cost=Cost.FLOOD,
         also="two_distance second_distance answered blocked_distance"),
    Word("loop", "loop(red)", (NETWORK,), 1, _sort(BOOLEAN), cost=Cost.FLOOD, also="cycle ring circuit closed"),
    Word("spans", "spans(red, 8)", (NETWORK, ANY_INTEGER), 2, _sort(BOOLEAN), reads=Reads.PIECES, cost=Cost.FLOOD,
         needs_right_angles=True, also="spanning crosses_board"),
    Word("free", "free(c, n, bridge)", (CELL, CELL, LAYER), 3, _sort(BOOLEAN), reads=Reads.LINKS, unordered=(0, 2)),
    Word("linked", "linked(c, n, bridge)", (CELL, CELL, LAYER), 3, _sort(BOOLEAN), reads=Reads.LINKS, unordered=(0, 2),
         also="bridged has_link", cells_by="linked_to"),
    Word("linked_to", "linked_to(c, bridge)", (CELL, LAYER), 2, _sort(CELLS), reads=Reads.LINKS,
         most=lambda board, given: board.links,
         also="links_of partners"),
    Word("facing", "facing(c, d)", (CELL, DIRECTION), 2, _sort(PLAYER), reads=Reads.PIECES, may_be_none=True,
         needs_tiles=True),
    Word("line", "line(mine, 3)", (CELLS, ANY_INTEGER), 2, _sort(BOOLEAN), cost=Cost.LINES, grows=True,
         also="row_of_length in_row inarow in_line aligned straight", cells_by="lines"),
    Word("lines", "lines(mine, 3)", (CELLS, ANY_INTEGER), 2, _sort(CELLS), cost=Cost.LINES, grows=True,
         most=lambda board, given: given[0]),
    Word("abs", "abs(a - b)", (ANY_INTEGER,), 1, also="absolute",
         of_numbers=lambda value: Integer(max(0, value.low, -value.high), max(-value.low, value.high))),
    Word("count", "count(mine) or count(c in mine where P)", (CELLS,), 1, form=Form.COUNT,
         cost=Cost.SET, also="size len length number num card cardinality",
         as_member="the number of cells of a set is 'count(S)'"),
    Word("sum", "sum(count[c] for c in mine) or sum(count)", form=Form.AGGREGATE, cost=Cost.SET, also="total",
         over=lambda value, count: Integer(min(0, value.low * count), max(0, value.high * count))),
    Word("min", "min(a, b) or min(count[c] for c in mine)", (ANY_INTEGER, ANY_INTEGER), 2,
         form=Form.AGGREGATE, unordered=(0, 2), also="minimum", over=_or_zero,
         of_numbers=lambda left, right: Integer(min(left.low, right.low), min(left.high, right.high))),
    Word("max", "max(a, b) or max(count[c] for c in mine)", (ANY_INTEGER, ANY_INTEGER), 2,
         form=Form.AGGREGATE, unordered=(0, 2), also="maximum", over=_or_zero,
         of_numbers=lambda left, right: Integer(max(left.low, right.low), max(left.high, right.high))),
    Word("union", "union(ray(c, d) for d in directions)", form=Form.AGGREGATE, cost=Cost.SET, grows=True,
         combines=CELLS, also="unions"),
    Word("reached", "reached(leap(x, 0, 2) for x from a)", result=_sort(CELLS), form=Form.CLOSURE, cost=Cost.FLOOD,
         also="closure transitive"),
    Word("cheapest", "cheapest(2 if y is empty else 0 for x to y in neighbours(x) from top to bottom)",
         result=_sort(ANY_INTEGER), form=Form.WAY, cost=Cost.FLOOD, also="dijkstra weighted_distance least_cost"),
    Word("step", "c.north", (CELL, DIRECTION), 2, _sort(CELL), form=Form.MADE, cost=Cost.ENTRY, may_be_none=True),
    Word("coordinate_row", "c.row", (CELL,), 1, form=Form.MADE, cost=Cost.ENTRY, needs_cell=True),
    Word("coordinate_column", "c.column", (CELL,), 1, form=Form.MADE, cost=Cost.ENTRY, needs_cell=True),
    Word("border_from", "border(v, north)", (UNKNOWN, DIRECTION), 2, form=Form.MADE, cost=Cost.ENTRY, may_be_none=True,
         gives="border"),
    Word("from_border", "b.north", (UNKNOWN, DIRECTION), 2, _sort(CELL), form=Form.MADE, cost=Cost.ENTRY,
         may_be_none=True),
    Word("from_vertex", "v.northeast", (UNKNOWN, DIRECTION), 2, _sort(CELL), form=Form.MADE, cost=Cost.ENTRY,
         may_be_none=True),
    Word("cells_round", "beside(v)", (UNKNOWN,), 1, _sort(CELLS), form=Form.MADE, cost=Cost.ENTRY,
         most=lambda board, given: 4),
    Word("next_along", "next(c, lap) or next(c, lap, 3)", (CELL, COURSE, ANY_INTEGER), 2, _sort(CELL), form=Form.MADE,
         may_be_none=True, needs_tracks=True, each_once=True),
    Word("ray_along", "ray(c, lap) or ray(c, lap, empty)", (CELL, COURSE, CELLS), 2, _sort(CELLS), form=Form.MADE,
         cost=Cost.LINES, grows=True, inside=2, needs_tracks=True, most=_on_track),
    Word("reach_along", "reach(c, lap) or reach(c, lap, S)", (CELL, COURSE, CELLS), 2, _sort(CELLS),
         form=Form.MADE, cost=Cost.LINES, grows=True, needs_tracks=True, or_empty=True, most=_on_track),
    Word("track_back", "opposite(lap)", (COURSE,), 1, _sort(COURSE), form=Form.MADE, cost=Cost.ENTRY,
         needs_tracks=True),
    Word("track_cells", "lap", (COURSE,), 1, _sort(CELLS), form=Form.MADE, cost=Cost.ENTRY, needs_tracks=True,
         most=_on_track),
    Word("piece_of", "kind(p)[mover]", (UNKNOWN, PLAYER), 2, _sort(PIECE), form=Form.MADE, may_be_none=True,
         cost=Cost.ENTRY),
    Word("side", "t.north", (PIECE, DIRECTION), 2, _sort(PLAYER), form=Form.MADE, may_be_none=True, needs_tiles=True),
)

WORDS: dict[str, Word] = {word.name: word for word in _ALL}
"""Every function word by its name, in the order of the language book."""
CALLED: dict[str, Word] = {word.name: word for word in _ALL if word.called}
"""The words that rules can call."""
QUESTIONS: tuple[str, ...] = tuple(word.name for word in _ALL if word.network == 0)
"""The words whose first argument is a network."""
