"""Boards and their symmetries: tables compared with the networkx graph, formulas and naive versions."""

from __future__ import annotations

import ast
import doctest
import math
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import permutations
from pathlib import Path

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dsl.boards
from dsl.boards import KINDS
from interpreter.boards import (
    Board,
    BoardError,
    BoardMap,
    build,
    generate,
    mask_of,
    members,
)

OPPOSITE = {
    "north": "south", "northeast": "southwest", "east": "west", "southeast": "northwest",
    "south": "north", "southwest": "northeast", "west": "east", "northwest": "southeast",
}  # fmt: skip
SQUARE, RHOMBUS, HEXAGON = build("square", (4, 4)), build("rhombus", (4, 4)), build("hexagon", (3,))
TRIANGLE = build("triangle", (4,))
WINDOWS = build("unbounded square", (4,)), build("unbounded hexagon", (4,))
CUBE = [("a", "b", "c", "d", "a"), ("e", "f", "g", "h", "e"), ("a", "e"), ("b", "f"), ("c", "g"), ("d", "h")]
MORRIS = [
    ("a7", "d7", "g7", "g4", "g1", "d1", "a1", "a4", "a7"),
    ("b6", "d6", "f6", "f4", "f2", "d2", "b2", "b4", "b6"),
    ("c5", "d5", "e5", "e4", "e3", "d3", "c3", "c4", "c5"),
    ("d7", "d6", "d5"), ("g4", "f4", "e4"), ("d1", "d2", "d3"), ("a4", "b4", "c4"),
]  # fmt: skip
ROOT = Path(__file__).parents[2]


@st.composite
def lattice_boards(draw: st.DrawFn) -> Board:
    """A small lattice board of any kind, with up to four cells left out."""
    kind = draw(st.sampled_from([word for word, kind in KINDS.items() if kind.bounded and not kind.of_paths]))
    sides = st.integers(1, 3 if kind == "hexagon" else 5)
    shape = tuple(draw(sides) for _ in KINDS[kind].arguments)
    size = build(kind, shape).size
    without = draw(st.frozensets(st.integers(0, size - 1), max_size=min(size - 1, 4)))
    return build(kind, shape, without=without)


@st.composite
def graph_boards(draw: st.DrawFn) -> Board:
    """A graph board with up to six cells and any links."""
    names = "abcdef"[: draw(st.integers(1, 6))]
    pairs = [(here, there) for here in names for there in names if here < there]
    links = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    return build("graph", (), paths=[*names, *links])


@st.composite
def mapped_boards(draw: st.DrawFn) -> tuple[Board, BoardMap]:
    """A board and one of its maps, from any symmetry that its shape has."""
    board = draw(lattice_boards() | graph_boards())
    maps = [board.identity]
    for phrase in board.kind.symmetries:
        try:
            maps += generate(board.symmetry(phrase))
        except BoardError:
            continue
    return board, draw(st.sampled_from(maps))


# -- sets ---------------------------------------------------------------------------------------------------


@given(st.sets(st.integers(0, 200)))
def test_members_undo_mask_of(cells: set[int]) -> None:
    """`members` returns the cells sorted."""
    assert members(mask_of(cells)) == tuple(sorted(cells))


# -- the tables ---------------------------------------------------------------------------------------------


@given(lattice_boards())
def test_every_word_of_the_kind_is_on_the_board(board: Board) -> None:
    """A board has the directions, direction sets and regions of its kind, in the same order."""
    words = board.kind
    assert board.directions == words.directions
    assert tuple(board.regions) == tuple(words.regions)
    assert all(set(group) <= set(board.directions) for group in words.direction_sets.values())
    assert board.regions["cells"] == board.everything


def test_every_symmetry_of_the_kind_is_on_an_even_board() -> None:
    """Each phrase generates the maps that the kind lists, under the same names."""
    for board in (SQUARE, RHOMBUS, HEXAGON, TRIANGLE, *WINDOWS):
        for phrase, elements in board.kind.symmetries.items():
            assert tuple(element.name for element in board.symmetry(phrase)) == elements
    assert len(build("graph", (), paths=["ab"]).symmetry("all symmetries")) == 1


@given(lattice_boards() | graph_boards())
def test_graph_and_tables_agree(board: Board) -> None:
    """The networkx graph has the same names, neighbours, distances and components as the bitmasks."""
    assert list(board.graph) == list(range(board.size))
    assert [name for _, name in board.graph.nodes(data="name")] == list(board.names)
    assert len(set(board.names)) == board.size
    for cell in range(board.size):
        assert set(board.graph[cell]) == set(members(board.neighbours[cell]))
        if not board.kind.of_paths:
            node = board.graph.nodes[cell]
            assert (node["row"], node["column"]) == (board.row_of[cell], board.column_of[cell])
        distances = networkx.single_source_shortest_path_length(board.graph, cell)
        reached, ring, distance = 0, 1 << cell, 0
        while ring:
            assert ring == mask_of(other for other in distances if distances[other] == distance)
            reached |= ring
            ring = mask_of(near for other in members(ring) for near in members(board.neighbours[other])) & ~reached
            distance += 1
        assert reached == mask_of(networkx.node_connected_component(board.graph, cell))


def test_importing_and_building_leaves_networkx_alone() -> None:
    """networkx, which is slow to import, is loaded only when the graph itself is used."""
    code = "import sys; from interpreter.boards import build; build('hexagon', (3,)); print('networkx' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"


@given(lattice_boards())
def test_steps_are_undone_by_the_opposite_direction(board: Board) -> None:
    """A step and then the opposite step lead back to the same cell."""
    for cell in range(board.size):
        for direction, word in enumerate(board.directions):
            there = board.steps[cell][direction]
            if there >= 0:
                assert board.steps[there][board.directions.index(OPPOSITE[word])] == cell


@given(lattice_boards())
def test_neighbours_are_the_steps_that_are_one_apart(board: Board) -> None:
    """Neighbours are the cells at distance 1 in the drawing; diagonal steps of a square board are longer."""
    for cell in range(board.size):
        distances = [math.dist(board.places[cell], place) for place in board.places]
        assert board.neighbours[cell] == mask_of(k for k, distance in enumerate(distances) if 0 < distance < 1.01)
        assert all(distance > 0.99 for other, distance in enumerate(distances) if other != cell)
        assert members(board.neighbours[cell] & ~mask_of(there for there in board.steps[cell] if there >= 0)) == ()


@given(lattice_boards())
def test_directions_point_where_their_names_say(board: Board) -> None:
    """In the drawing, north is up and east is right."""
    for cell in range(board.size):
        x, y = board.places[cell]
        for word, there in zip(board.directions, board.steps[cell], strict=True):
            if there >= 0:
                right, down = board.places[there][0] - x, board.places[there][1] - y
                assert ("east" in word, "west" in word) == (right > 1e-9, right < -1e-9)
                assert ("south" in word, "north" in word) == (down > 1e-9, down < -1e-9)


@given(lattice_boards())
def test_rows_and_columns_find_the_cells_again(board: Board) -> None:
    """`cell_at`, `cell_named`, `rows` and `columns` agree with `row_of` and `column_of`, also off the board."""
    for cell in range(board.size):
        row, column = board.row_of[cell], board.column_of[cell]
        assert board.cell_at(row, column) == cell
        assert board.cell_named(board.names[cell]) == cell
        assert board.rows[row] & board.columns[column] == 1 << cell
    assert len(board.rows) == board.row_count
    assert len(board.columns) == board.column_count
    assert sum(board.rows) == sum(board.columns) == board.everything
    assert board.cell_at(-1, 0) == board.cell_at(board.row_count, 0) == board.cell_at(0, board.column_count) == -1
    assert board.cell_named("nowhere") is None


def test_square_regions() -> None:
    """The regions of a board of two rows and three columns."""
    board = build("square", (2, 3))
    named = {region: {board.names[cell] for cell in members(mask)} for region, mask in board.regions.items()}
    assert named == {
        "cells": {"a2", "b2", "c2", "a1", "b1", "c1"},
        "top": {"a2", "b2", "c2"}, "bottom": {"a1", "b1", "c1"}, "left": {"a2", "a1"}, "right": {"c2", "c1"},
        "corners": {"a2", "c2", "a1", "c1"}, "edges": {"a2", "b2", "c2", "a1", "b1", "c1"},
    }  # fmt: skip
    assert build("square", (4, 5)).regions["edges"].bit_count() == 14


def test_rhombus_neighbours_of_the_middle() -> None:
    """On a 3 x 3 board the middle cell is adjacent to all others but the acute corners."""
    board = build("rhombus", (3, 3))
    assert board.neighbours[4] == board.everything & ~mask_of((0, 4, 8))
    assert [board.neighbours[cell].bit_count() for cell in range(9)] == [2, 4, 3, 4, 6, 4, 3, 4, 2]


@pytest.mark.parametrize(("side", "size"), [(2, 7), (3, 19), (4, 37), (5, 61), (6, 91)])
def test_hexagon_counts(side: int, size: int) -> None:
    """Columns have min(n+i, 3n-2-i) cells; 6 corners have degree 3, 6(n-2) edge cells degree 4, the others 6."""
    board = build("hexagon", (side,))
    assert board.size == size
    assert [mask.bit_count() for mask in board.columns] == [
        min(side + i, 3 * side - 2 - i) for i in range(2 * side - 1)
    ]
    degrees = [near.bit_count() for near in board.neighbours]
    corners, edges = board.regions["corners"], board.regions["edges"]
    assert {degrees[cell] for cell in members(corners)} == {3}
    assert corners.bit_count() == 6
    assert all(degrees[cell] == 4 for cell in members(edges & ~corners))
    assert (edges & ~corners).bit_count() == 6 * (side - 2)
    assert all(degrees[cell] == 6 for cell in members(board.everything & ~edges))
    sides = [board.regions[word] for word in list(KINDS["hexagon"].regions)[3:]]
    assert [mask.bit_count() for mask in sides] == [side] * 6
    assert sum(mask.bit_count() for mask in sides) - 6 == edges.bit_count()


def test_hexagon_sides_are_where_their_names_say() -> None:
    """The six sides of a board of side 2, by hand: columns a, b, c have 2, 3, 2 cells."""
    board = build("hexagon", (2,))
    named = {region: " ".join(board.names[cell] for cell in members(mask)) for region, mask in board.regions.items()}
    assert named == {
        "cells": "a1 a2 b1 b2 b3 c1 c2", "corners": "a1 a2 b1 b3 c1 c2", "edges": "a1 a2 b1 b3 c1 c2",
        "left": "a1 a2", "right": "c1 c2", "top_left": "a1 b1", "top_right": "b1 c1",
        "bottom_left": "a2 b3", "bottom_right": "b3 c2",
    }  # fmt: skip


@pytest.mark.parametrize("side", range(1, 8))
def test_triangle_counts(side: int) -> None:
    """Corners have degree 2, edge cells 4, the others 6; each of the three sides is as long as a whole row."""
    board = build("triangle", (side,))
    assert board.size == side * (side + 1) // 2
    assert [mask.bit_count() for mask in board.rows] == list(range(1, side + 1))
    degrees = [near.bit_count() for near in board.neighbours]
    corners, edges = board.regions["corners"], board.regions["edges"]
    if side > 1:
        assert [degrees[cell] for cell in members(corners)] == [2, 2, 2]
    assert all(degrees[cell] == 4 for cell in members(edges & ~corners))
    assert all(degrees[cell] == 6 for cell in members(board.everything & ~edges))
    sides = [board.regions[word] for word in ("left", "right", "bottom")]
    assert [mask.bit_count() for mask in sides] == [side] * 3
    assert sides[0] | sides[1] | sides[2] == edges
    assert (sides[0] & sides[1]) | (sides[1] & sides[2]) | (sides[2] & sides[0]) == corners
    turn = board.symmetry("third turn")[0]
    assert [turn.of_set(mask) for mask in sides] == [sides[1], sides[2], sides[0]]


def test_triangle_regions_and_neighbours_by_hand() -> None:
    """A board of three rows: a1, a2 b2, a3 b3 c3."""
    board = build("triangle", (3,))
    named = {region: " ".join(board.names[cell] for cell in members(mask)) for region, mask in board.regions.items()}
    assert named == {
        "cells": "a1 a2 b2 a3 b3 c3", "left": "a1 a2 a3", "right": "a1 b2 c3", "bottom": "a3 b3 c3",
        "corners": "a1 a3 c3", "edges": "a1 a2 b2 a3 b3 c3",
    }  # fmt: skip
    near = {board.names[cell]: " ".join(board.names[other] for other in members(mask))
            for cell, mask in enumerate(board.neighbours)}
    assert near == {"a1": "a2 b2", "a2": "a1 b2 a3 b3", "b2": "a1 a2 b3 c3", "a3": "a2 b3", "b3": "a2 b2 a3 c3",
                    "c3": "b2 b3"}  # fmt: skip


@pytest.mark.parametrize(("side", "length"), [(4, 2), (5, 3), (6, 4), (3, 4)])
def test_lines_of_a_triangle_by_formula(side: int, length: int) -> None:
    """Each of the three axes has lines of 1, 2, ..., side cells."""
    board = build("triangle", (side,))
    assert len(board.lines(length)) == 3 * sum(max(0, cells - length + 1) for cells in range(1, side + 1))


def test_graph_cells_come_in_order_of_first_mention() -> None:
    """A path joins consecutive names, repeated links count once, and a path of one name adds an isolated cell."""
    board = build("graph", (), paths=[("b", "a", "c"), ("a", "b"), ("d",)])
    assert board.names == ("b", "a", "c", "d")
    assert board.neighbours == (0b0010, 0b0101, 0b0010, 0)
    assert board.lines(2) == (0b0011, 0b0110)
    assert board.lines(3) == (0b0111,)
    assert board.has_line(0b0111, 3)
    assert board.in_lines(0b1011, 2) == 0b0011
    assert board.regions == {"cells": 0b1111}


def test_cells_left_out_are_numbered_away() -> None:
    """Remaining cells keep their names, rows and regions, and no step leads to a removed cell."""
    board = build("square", (3, 3), without=frozenset({0, 4}))
    assert board.names == ("b3", "c3", "a2", "c2", "a1", "b1", "c1")
    assert [board.cell_at(0, 0), board.cell_at(1, 1), board.cell_at(1, 2)] == [-1, -1, 3]
    assert board.regions["corners"] == mask_of((1, 4, 6))
    assert board.regions["top"] == 0b11
    assert board.neighbours[3] == mask_of((1, 6))
    assert board.steps[3][board.directions.index("west")] == -1
    assert (board.row_count, board.rows) == (3, (0b11, 0b1100, 0b1110000))


# -- lines --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rows", "columns", "length"), [(3, 3, 3), (6, 7, 4), (4, 4, 2), (5, 5, 1), (2, 6, 3)])
def test_lines_of_a_rectangle_by_formula(rows: int, columns: int, length: int) -> None:
    """Squares have two diagonal axes, a rhombus one; with length 1 every cell is listed once."""
    down, across = max(0, rows - length + 1), max(0, columns - length + 1)
    straight = down * columns + across * rows
    for kind, diagonals in (("square", 2), ("rhombus", 1)):
        count = straight + diagonals * down * across if length > 1 else rows * columns
        lines = build(kind, (rows, columns)).lines(length)
        assert len(lines) == len(set(lines)) == count
        assert {line.bit_count() for line in lines} == ({length} if lines else set())


@pytest.mark.parametrize("length", [2, 3, 5])
def test_lines_of_a_hexagon_by_formula(length: int) -> None:
    """Each of the three axes has lines of n, ..., 2n-1, ..., n cells."""
    board = build("hexagon", (3,))
    assert len(board.lines(length)) == 3 * sum(max(0, cells - length + 1) for cells in (3, 4, 5, 4, 3))


def test_lines_stop_at_holes() -> None:
    """A 3 x 3 board without its middle cell has only its four sides as lines."""
    board = build("square", (3, 3), without=frozenset({4}))
    sides = [board.regions[side] for side in ("top", "left", "right", "bottom")]
    assert sorted(board.lines(3)) == sorted(sides)


def test_ray_goes_to_the_border() -> None:
    """A ray excludes its own cell."""
    board = build("square", (3, 4))
    assert board.ray(0, board.directions.index("southeast")) == (5, 10)
    assert board.ray(0, board.directions.index("north")) == ()


def test_line_of_no_cells_is_refused() -> None:
    """Lines of length 0 are refused."""
    with pytest.raises(BoardError, match="at least 1"):
        SQUARE.lines(0)


# -- names --------------------------------------------------------------------------------------------------


def test_default_names() -> None:
    """Chess notation on a square; elsewhere letters for columns and rows numbered from the top."""
    assert build("square", (2, 2)).names == ("a2", "b2", "a1", "b1")
    assert build("rhombus", (2, 2)).names == ("a1", "b1", "a2", "b2")
    assert build("hexagon", (2,)).names == ("a1", "a2", "b1", "b2", "b3", "c1", "c2")


@pytest.mark.parametrize(
    ("template", "names"),
    [
        ("{row:a}{column:1}", ("a1", "a2", "b1", "b2")),
        ("{column:A up}.{row:0}", ("B.0", "A.0", "B.1", "A.1")),
        ("tile_{column:0}_{row:1 up}", ("tile_0_2", "tile_1_2", "tile_0_1", "tile_1_1")),
    ],
)
def test_templates(template: str, names: tuple[str, ...]) -> None:
    """Fields may come in any order, with any text around them."""
    assert build("square", (2, 2), coordinates=template).names == names


def test_hexagon_counts_rows_within_their_column() -> None:
    """Counting up starts at the lowest cell of each column."""
    assert build("hexagon", (2,), coordinates="{column:a}{row:1 up}").names == (
        "a2", "a1", "b3", "b2", "b1", "c2", "c1",
    )  # fmt: skip


def test_letters_go_on_after_z() -> None:
    """Labels go z, aa, ab, ... az, ba, ... zz, aaa."""
    board = build("square", (1, 703))
    assert [board.column_label(k) for k in (0, 25, 26, 27, 51, 52, 701, 702)] == [
        "a", "z", "aa", "ab", "az", "ba", "zz", "aaa",
    ]  # fmt: skip
    assert board.cell_named("aaa1") == 702


def test_labels_of_rows_and_columns() -> None:
    """A row of a hexagon that counts up has no label of its own, and a graph has no labels."""
    board = build("square", (3, 2), coordinates="{row:1 up}-{column:A}")
    assert [board.row_label(row) for row in range(3)] == ["3", "2", "1"]
    assert [board.column_label(column) for column in range(2)] == ["A", "B"]
    assert HEXAGON.row_label(4) == "5"
    assert build("hexagon", (2,), coordinates="{column:a}{row:1 up}").row_label(0) == ""
    assert build("graph", (), paths=["ab"]).row_label(0) == build("graph", (), paths=["ab"]).column_label(0) == ""


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("", "leave out the row"),
        ("{row:1}", "leave out the column"),
        ("{row:1}{row:a}{column:a}", "name the row twice"),
        ("{row:b}{column:1}", "have the field '{row:b}'"),
        ("{row:1 down}{column:1}", "have the field '{row:1 down}'"),
        ("{row}{column:1}", "have the field '{row}'"),
        ("{row:1}{column:a", "have the field '{'"),
        ("{row:1}}{column:a}", "have the field '}'"),
        ("{row:1}{column:1}", "name two cells '111'"),
    ],
)
def test_bad_templates(template: str, message: str) -> None:
    """Each error says what was found and what was expected."""
    with pytest.raises(BoardError, match="coordinates") as caught:
        build("square", (12, 12), coordinates=template)
    assert message in str(caught.value)
    assert "expected" in str(caught.value)


# -- shapes that can not be ---------------------------------------------------------------------------------


def test_impossible_boards() -> None:
    """Each error says what was found and what was expected."""
    refused: dict[str, Callable[[], object]] = {
        "there is no board 'cube', expected one of: graph, hexagon, rhombus": lambda: build("cube", (3,)),
        "square was given 1 numbers, expected 2: rows, columns": lambda: build("square", (3,)),
        "graph was given 1 numbers, expected 0: none": lambda: build("graph", (1,), paths=["ab"]),
        "square was given 0 for columns, expected at least 1": lambda: build("square", (3, 0)),
        "expected at most 10000": lambda: build("hexagon", (100,)),
        "every cell of the square board is left out": lambda: build("square", (1, 1), without=frozenset({0})),
        "square has cells 0 to 0, but [1]": lambda: build("square", (1, 1), without=frozenset({1})),
        "expected links on a graph only": lambda: build("square", (3, 3), paths=["ab"]),
        "the graph has 0 cells": lambda: build("graph", ()),
        "the graph links 'a' to itself": lambda: build("graph", (), paths=["aa"]),
        "takes neither coordinates": lambda: build("graph", (), coordinates="{row:1}{column:a}", paths=["ab"]),
        "square(3, 4) with 12 cells has no symmetry 'quarter turn': it takes cell 'a3'": lambda: build(
            "square", (3, 4)
        ).symmetry("all turns"),
        "rhombus(3, 4) with 12 cells has no symmetry 'diagonal mirror'": lambda: build("rhombus", (3, 4)).symmetry(
            "all mirrors"
        ),
        "square(3, 3) with 8 cells has no symmetry 'half turn'": lambda: build(
            "square", (3, 3), without=frozenset({0})
        ).symmetry("half turn"),
        "rhombus(4, 4) has no symmetry 'sixth turn', expected one of: half turn": lambda: RHOMBUS.symmetry(
            "sixth turn"
        ),
    }
    for message, attempt in refused.items():
        with pytest.raises(BoardError) as caught:
            attempt()
        assert message in str(caught.value)


# -- maps ---------------------------------------------------------------------------------------------------


@given(mapped_boards())
def test_maps_are_permutations_that_keep_neighbours(drawn: tuple[Board, BoardMap]) -> None:
    """A map permutes the cells and maps the neighbours of a cell to the neighbours of its image."""
    board, element = drawn
    assert sorted(element.cells) == list(range(board.size))
    assert sorted(element.directions) == list(range(len(board.directions)))
    for cell in range(board.size):
        assert element.of_set(board.neighbours[cell]) == board.neighbours[element.cells[cell]]


@given(mapped_boards())
def test_direction_images_are_those_of_the_steps(drawn: tuple[Board, BoardMap]) -> None:
    """Stepping and then mapping equals mapping and then stepping in the mapped direction, also off the board."""
    board, element = drawn
    for cell in range(board.size):
        for direction, image in enumerate(element.directions):
            there = board.steps[cell][direction]
            assert board.steps[element.cells[cell]][image] == (element.cells[there] if there >= 0 else -1)


@given(mapped_boards(), st.data())
def test_image_of_a_set_is_the_set_of_images(drawn: tuple[Board, BoardMap], data: st.DataObject) -> None:
    """The lookup tables by 8 cells agree with mapping cell by cell."""
    board, element = drawn
    mask = data.draw(st.integers(0, board.everything))
    assert element.of_set(mask) == mask_of(element.cells[cell] for cell in members(mask))


@given(mapped_boards())
def test_rows_and_columns_go_where_their_cells_go(drawn: tuple[Board, BoardMap]) -> None:
    """A row with an image maps onto it as a set; if there is no row map, some row maps onto no row."""
    board, element = drawn
    for sets, moved in ((board.rows, element.rows), (board.columns, element.columns)):
        if moved is None:
            assert any(element.of_set(mask) not in sets for mask in sets)
        else:
            assert sorted(moved) == list(range(len(sets)))
            assert all(element.of_set(mask) == sets[image] for mask, image in zip(sets, moved, strict=True))


def test_rows_and_columns_of_known_maps() -> None:
    """Mirrors and half turns keep or reverse rows and columns; transpositions do not map rows onto rows."""
    maps = {phrase: SQUARE.symmetry(phrase)[0] for phrase in KINDS["square"].symmetries}
    same, reverse = (0, 1, 2, 3), (3, 2, 1, 0)
    assert (maps["half turn"].rows, maps["half turn"].columns) == (reverse, reverse)
    assert (maps["left right mirror"].rows, maps["left right mirror"].columns) == (same, reverse)
    assert (maps["top bottom mirror"].rows, maps["top bottom mirror"].columns) == (reverse, same)
    assert (maps["diagonal mirror"].rows, maps["quarter turn"].columns) == (None, None)
    assert maps["quarter turn"].then(maps["quarter turn"]).rows == reverse
    mirror, flip = HEXAGON.symmetry("left right mirror")[0], HEXAGON.symmetry("top bottom mirror")[0]
    assert (mirror.rows, mirror.columns) == ((0, 1, 2, 3, 4), (4, 3, 2, 1, 0))
    assert (flip.rows, flip.columns) == (None, (0, 1, 2, 3, 4))


@given(mapped_boards())
def test_inverse_undoes_a_map(drawn: tuple[Board, BoardMap]) -> None:
    """Composed in either order they give the identity."""
    board, element = drawn
    assert element.then(element.inverse()) == element.inverse().then(element) == board.identity


@given(mapped_boards(), st.data())
def test_then_is_one_map_after_the_other(drawn: tuple[Board, BoardMap], data: st.DataObject) -> None:
    """Composition holds for sets and directions."""
    board, first = drawn
    second = data.draw(st.sampled_from((first, first.inverse(), board.identity)))
    mask = data.draw(st.integers(0, board.everything))
    assert first.then(second).of_set(mask) == second.of_set(first.of_set(mask))
    assert first.then(second).directions == tuple(second.directions[image] for image in first.directions)


def test_turns_are_clockwise_and_mirrors_are_named_by_what_they_exchange() -> None:
    """Checked by the images of the corners and of the directions."""
    a4, d4, d1, a1 = (SQUARE.cell_named(name) or 0 for name in ("a4", "d4", "d1", "a1"))
    corners = {
        "quarter turn": (d4, d1, a1, a4), "half turn": (d1, a1, a4, d4),
        "left right mirror": (d4, a4, a1, d1), "top bottom mirror": (a1, d1, d4, a4),
        "diagonal mirror": (a4, a1, d1, d4), "antidiagonal mirror": (d1, d4, a4, a1),
    }  # fmt: skip
    for phrase, moved in corners.items():
        assert tuple(SQUARE.symmetry(phrase)[0].cells[cell] for cell in (a4, d4, d1, a1)) == moved
    north = {
        "sixth turn": "northeast", "third turn": "southeast", "half turn": "south",
        "left right mirror": "north", "top bottom mirror": "south",
    }  # fmt: skip
    for phrase, word in north.items():
        assert HEXAGON.directions[HEXAGON.symmetry(phrase)[0].directions[0]] == word
    ends = [TRIANGLE.cell_named(name) or 0 for name in ("a1", "d4", "a4")]
    assert [TRIANGLE.symmetry("third turn")[0].cells[cell] for cell in ends] == [*ends[1:], ends[0]]
    assert TRIANGLE.directions[TRIANGLE.symmetry("left right mirror")[0].directions[0]] == "northeast"
    transposed = RHOMBUS.symmetry("diagonal mirror")[0]
    assert all(transposed.cells[4 * row + column] == 4 * column + row for row in range(4) for column in range(4))
    exchanged = RHOMBUS.symmetry("antidiagonal mirror")[0]
    assert exchanged.of_set(RHOMBUS.regions["top"]) == RHOMBUS.regions["right"]


@pytest.mark.parametrize(
    ("board", "phrase", "order"),
    [
        (SQUARE, "half turn", 2), (SQUARE, "left right mirror", 2), (SQUARE, "all turns", 4),
        (SQUARE, "all mirrors", 8), (SQUARE, "all turns and mirrors", 8),
        (RHOMBUS, "half turn", 2), (RHOMBUS, "diagonal mirror", 2),
        (RHOMBUS, "all mirrors", 4), (RHOMBUS, "all turns and mirrors", 4),
        (HEXAGON, "third turn", 3), (HEXAGON, "all turns", 6), (HEXAGON, "all turns and mirrors", 12),
        (TRIANGLE, "third turn", 3), (TRIANGLE, "left right mirror", 2), (TRIANGLE, "all turns and mirrors", 6),
        (build("unbounded square", (4,)), "all turns and mirrors", 8),
        (build("unbounded hexagon", (4,)), "all turns", 6),
        (build("unbounded hexagon", (5,)), "all turns and mirrors", 12),
        (build("square", (2, 3)), "half turn", 2),
        (build("square", (6, 6), without=frozenset({0, 5, 30, 35})), "all turns and mirrors", 8),
    ],
)  # fmt: skip
def test_orders_of_groups(board: Board, phrase: str, order: int) -> None:
    """The group is closed, contains each map once, and begins with the identity."""
    group = generate(board.symmetry(phrase))
    assert len(group) == len(set(group)) == order
    assert group[0] == board.identity
    assert group[0].name == "identity"
    assert {first.then(second) for first in group for second in group} == set(group)


def test_names_of_composed_maps() -> None:
    """Names say how a map was composed."""
    turn = SQUARE.symmetry("quarter turn")[0]
    assert [element.name for element in generate([turn])] == [
        "identity", "quarter turn", "quarter turn then quarter turn",
        "quarter turn then quarter turn then quarter turn",
    ]  # fmt: skip
    assert turn.inverse().name == "inverse of quarter turn"
    assert SQUARE.identity.inverse().name == "identity"


def test_groups_are_bounded_and_never_empty() -> None:
    """A group above the limit is a BoardError, an empty list of maps a ValueError."""
    with pytest.raises(BoardError, match="more than 7 maps"):
        generate(SQUARE.symmetry("all turns and mirrors"), limit=7)
    with pytest.raises(ValueError, match="no maps given"):
        generate([])


def test_symmetry_about_another_centre_when_cells_are_left_out() -> None:
    """A 4 x 3 board without its top row has the symmetries of a 3 x 3 one; the empty row stays in place."""
    board = build("square", (4, 3), without=frozenset({0, 1, 2}))
    assert len(generate(board.symmetry("all turns and mirrors"))) == 8
    assert board.symmetry("half turn")[0].rows == (0, 3, 2, 1)


@given(graph_boards())
def test_automorphisms_are_exactly_those_of_the_graph(board: Board) -> None:
    """The generated group contains exactly the permutations that preserve the links."""
    edges = {frozenset(edge) for edge in board.graph.edges}
    naive = {
        moved
        for moved in permutations(range(board.size))
        if {frozenset(moved[node] for node in edge) for edge in edges} == edges
    }
    assert {element.cells for element in generate(board.symmetry("all symmetries"))} == naive


@pytest.mark.parametrize(
    ("paths", "order"),
    [
        (CUBE, 48),
        (MORRIS, 16),
        ([("a", "b", "c")], 2),
        ([("a", "b", "c", "d", "e", "f"), ("c", "e", "b")], 1),  # asymmetric
        ([(f"s{k}", f"s{(k + 1) % 40}") for k in range(40)], 80),
        ([(f"v{k}", f"v{k ^ 1 << bit}") for k in range(32) for bit in range(5)], 3840),
    ],
    ids=["cube", "three rings", "path", "asymmetric", "cycle", "5-cube"],
)
def test_orders_of_graph_symmetries(paths: list[tuple[str, ...]], order: int) -> None:
    """The groups have their known orders, from at most 8 generators."""
    generators = build("graph", (), paths=paths).symmetry("all symmetries")
    assert len(generators) <= 8
    assert len(generate(generators)) == order


def test_graph_with_too_many_symmetries_is_refused_at_once() -> None:
    """Twenty isolated cells have 20! symmetries."""
    with pytest.raises(BoardError, match="more than 10000 symmetries"):
        build("graph", (), paths=[(f"v{k}",) for k in range(20)]).symmetry("all symmetries")


def compared_texts(tree: ast.AST) -> Iterator[str]:
    """The string constants in comparisons and `match` patterns."""
    for node in ast.walk(tree):
        parts: list[ast.expr] = []
        if isinstance(node, ast.Compare):
            parts = [node.left, *node.comparators]
        elif isinstance(node, ast.MatchValue):
            parts = [node.value]
        yield from (part.value for whole in parts for part in ast.walk(whole)
                    if isinstance(part, ast.Constant) and isinstance(part.value, str))


def test_nothing_else_asks_for_a_kind_by_name() -> None:
    """Only `dsl/boards` compares with the name of a kind, or with its first word; other code asks the kind."""
    names = {part for word in KINDS for part in (word, word.split()[0])}
    for package in ("dsl", "interpreter", "solver", "dslgame"):
        for path in sorted((ROOT / package).rglob("*.py")):
            if path.parent != ROOT / "dsl" / "boards":
                named = names & {*compared_texts(ast.parse(path.read_text(encoding="utf-8")))}
                assert not named, f"{path.relative_to(ROOT)} asks for {', '.join(sorted(named))}"


def test_examples_in_the_docstrings_run() -> None:
    """The doctests pass."""
    failed, attempted = doctest.testmod(dsl.boards)
    assert (failed, attempted > 0) == (0, True)


@given(st.sampled_from((3, 9)), st.integers(8, 9), st.integers(1, 4), st.data())
def test_has_line_is_whether_some_line_is_contained(rows: int, columns: int, length: int, data: st.DataObject) -> None:
    """`has_line` agrees with a search through all lines."""
    shapes = {"square": (rows, columns), "rhombus": (rows, columns), "hexagon": (rows // 2 + 1,)}
    for board in (build(kind, shape) for kind, shape in shapes.items()):
        cells = data.draw(st.integers(0, board.everything))
        assert board.has_line(cells, length) == any(cells & line == line for line in board.lines(length))


def test_alternate_cells_can_have_diagonals() -> None:
    """Cells with an even sum of row and column have diagonals, also if cells are left out; maps keep the parity."""
    board = build("square", (3, 3), diagonals="alternate")
    assert [near.bit_count() for near in board.neighbours] == [3, 3, 3, 3, 8, 3, 3, 3, 3]
    assert board.steps == build("square", (3, 3)).steps
    left_out = build("square", (3, 3), diagonals="alternate", without=frozenset({0}))
    assert [near.bit_count() for near in left_out.neighbours] == [2, 3, 2, 7, 3, 3, 3, 3]
    assert all(board.symmetry(name) for name in KINDS["square"].symmetries)
    even = build("square", (4, 4), diagonals="alternate")
    assert even.symmetry("half turn")
    with pytest.raises(BoardError, match="alternate diagonals has no symmetry 'left right mirror'"):
        even.symmetry("left right mirror")


def test_cells_that_touch_at_a_corner_can_be_neighbours() -> None:
    """With `diagonals="all"` neighbours are the eight adjacent cells; directions and lines are unchanged."""
    plain, king = build("square", (3, 3)), build("square", (3, 3), diagonals="all")
    assert [near.bit_count() for near in king.neighbours] == [3, 5, 3, 5, 8, 5, 3, 5, 3]
    assert king.steps == plain.steps
    assert king.lines(3) == plain.lines(3)
    assert len(king.graph.edges) == 20
    left_out = build("square", (3, 3), diagonals="all", without=frozenset({4}))
    assert left_out.neighbours[1].bit_count() == 4
