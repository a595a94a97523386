"""Borders and vertices: places between cells, the cells beside them, networks that they cut, and how they are drawn."""

from __future__ import annotations

import random

import pytest

import dslgame
from dsl.boards import KINDS
from dsl.boards.borders import BORDER, VERTEX, has_sites, sites
from dsl.diagnostics import GameFileError
from interpreter.boards import build
from interpreter.kernel.kernel import Kernel
from interpreter.model.state_maps import state_map
from tests.probe import PLACE, cells, loaded, named, shown
from tests.walking import Walk

SITE_WORDS = ("border", "vertex", "beside")
"""The functions of places between cells, tested here."""
WALLED = """game "Walled"
players Red, Blue
board square(3, 3)
pieces red of Red, blue of Blue
var wall[border] in boolean
var post[vertex] in boolean
var line[border] in players or none
start:
    wall[border("a1", north)] := true
    wall[border("b1", north)] := true
    wall[border("c2", west)] := true
    post[vertex("a1", northeast)] := true
    line[border("c3", east)] := Blue
move draw(b in borders where not wall[b] and some (beside(b) and top)):
    wall[b] := true
win mover when not joined(cells cut by wall, top, bottom) and no p in vertices: not post[p]
draw when no b in borders: line[b] = Blue
no moves loses
symmetry left right mirror
notation draw "{b}"
"""


@pytest.mark.parametrize(("board", "what", "count"), [
    ("square(3, 4)", BORDER, 3 * 5 + 4 * 4), ("square(3, 4)", VERTEX, 4 * 5), ("rhombus(2, 2)", BORDER, 19),
    ("hexagon(2)", BORDER, 30), ("triangle(2)", BORDER, 15),
])
def test_numbers_of_places(board: str, what: str, count: int) -> None:
    """Counts by hand; inner places are shared by their cells."""
    kind, _, shape = board.rstrip(")").partition("(")
    found = sites(KINDS[kind], tuple(map(int, shape.split(", "))), what)
    assert len(found.cells) == len(set(found.names)) == count


@pytest.mark.parametrize("kind", [name for name, kind in KINDS.items() if has_sites(kind, BORDER)])
def test_a_border_is_the_same_from_both_sides(kind: str) -> None:
    """The cell beyond a border is the one that a step leads to."""
    board = build(kind, (3,) * len(KINDS[kind].arguments))
    borders = board.sites(BORDER)
    half = len(board.directions) // 2
    for (cell, way), number in borders.of_cell.items():
        beyond = board.steps[cell][way]
        assert borders.cells[number] == tuple(sorted({cell, beyond} - {-1}))
        if beyond >= 0:
            assert borders.of_cell[beyond, (way + half) % (2 * half)] == number


@pytest.mark.parametrize(("expression", "value"), [
    ('border("a1", north) = border("a2", south)', "yes"),
    ('border("a1", north) = border("a1", east)', "no"),
    ('border("a1", west) = none', "no"),
    ('border("a1", northeast) = none', "yes"),
    ('border("a1".west, north) = none', "yes"),
    ('vertex("a1", northeast) = vertex("b2", southwest)', "yes"),
    ('vertex("a1", north) = none', "yes"),
    ('border("b2", south)', "b1n"),
    ('border("a1", west)', "a1w"),
    ('vertex("b2", southwest)', "a1ne"),
    ("count(b in borders where count(beside(b)) = 1)", "12"),
    ("count(v in vertices where count(beside(v)) = 4)", "4"),
])
def test_places_of_a_cell(expression: str, value: str) -> None:
    """A border or vertex is named by a cell and the direction of the side or corner."""
    assert shown(expression) == value


@pytest.mark.parametrize(("expression", "value"), [
    ('border(vertex("b2", northeast), north) = border("b3", east)', "yes"),
    ('border(vertex("b2", northeast), west) = border("b2", north)', "yes"),
    ('border(vertex("a1", southwest), south) = none', "yes"),
    ('border(vertex("a1", southwest), north) = border("a1", west)', "yes"),
    ('border(vertex("b2", northeast), northeast) = none', "yes"),
    ('vertex("b2", northeast).southwest', "b2"),
    ('vertex("b2", northeast).northwest', "b3"),
    ('vertex("b2", northeast).north = none', "yes"),
    ('vertex("c3", northeast).northeast = none', "yes"),
    ('border("b2", east).east', "c2"),
    ('border("b2", east).west', "b2"),
    ('border("b2", east).north = none', "yes"),
    ('border("a1", west).west = none', "yes"),
    ("count(b in inner_borders)", "12"),
    ("count(v in inner_vertices)", "4"),
    ("no b in inner_borders: count(beside(b)) = 1", "yes"),
    ("every v in inner_vertices: count(beside(v)) = 4 and v.southwest in beside(v)", "yes"),
])
def test_directions_lead_from_places(expression: str, value: str) -> None:
    """Directions lead from a vertex to its borders, and from vertices and borders to the cells around them."""
    assert shown(expression) == value


def test_directions_from_places_on_hexagons() -> None:
    """Directions lead from a border to the cells on its two sides."""
    assert shown('border("b2", southeast).northwest = "b2"', board="rhombus(3, 3)") == "yes"
    assert shown("every b in inner_borders: some d in directions: b.d != none and b.opposite(d) != none",
                 board="rhombus(3, 3)") == "yes"
    game = loaded("var wall[border] in boolean", "move shut(b in inner_borders where not wall[b] and b.east is empty):"
                  "\n    wall[b] := true\n    b.east := own", "no moves loses", "symmetry half turn",
                  board="rhombus(2, 2)")
    Walk(game, Kernel.of(game, native=False)).walk(3, 0.3)


def test_cells_beside_places() -> None:
    """An inner border has two cells, one at the edge has one, an inner vertex has four."""
    assert cells('beside(border("b2", east))') == named("b2 c2")
    assert cells('beside(border("a1", south))') == named("a1")
    assert cells('beside(vertex("b2", northwest))') == named("b2 a2 a3 b3")


@pytest.mark.parametrize(("expression", "expected"), [
    ('group("a1", cells cut by wall)', "a1 b1 c1 c2 c3 a3 b3 a2 b2"),
    ('group("a2", (cells - "c3") cut by wall)', "a2 b2 a3 b3"),
    ('ways(cells - "c3" cut by wall, "a1", top, "c3")', "c3"),
])
def test_networks_are_cut(expression: str, expected: str) -> None:
    """Steps across a border at which the condition holds do not connect."""
    walls = ('wall[border("a1", north)] := true', 'wall[border("b1", north)] := true',
             'wall[border("c2", west)] := true')
    assert cells(f"({expression})", "var wall[border] in boolean", effects=walls) == named(expected)


def test_symmetries_map_places() -> None:
    """Places are mapped like the cells beside them."""
    game = dslgame.loads(WALLED)
    mirror = state_map(game.rules, game.board, game.board.symmetry("left right mirror")[0], swapping=False,
                       reversing=())
    image = mirror.of_state(game.start().state)
    text = game.position_text(image)
    assert "wall=" in text
    assert set(text.partition("wall=")[2].split()[0].split(",")) == {"c1n", "b1n", "a2e"}
    assert "post=b1ne" in text
    assert mirror.of_state(image) == game.start().state


def test_boards_as_text_have_walls_between_cells() -> None:
    """Variables that are not conditions are listed below the board."""
    drawn = dslgame.loads(WALLED).start().drawing()
    assert drawn.split("\n")[:7] == ["3 . . .", "", "2 . .|.", "  -+-", "1 . . .", "", "  a b c"]
    assert "wall" not in drawn
    assert "line: a3n=none" in drawn


def test_pictures_have_lines_between_cells() -> None:
    """Lines are dark, or in the colour of a player."""
    game = dslgame.loads(WALLED)
    svg = game.start().svg()
    assert svg.count('stroke-width="0.16"') == 4
    assert "line:" not in svg
    fewer = WALLED.replace('wall[border("a1", north)] := true', 'post[vertex("c3", southwest)] := true')
    assert dslgame.loads(fewer).start().svg().count('stroke-width="0.16"') == 3


def test_a_position_names_the_places_at_which_conditions_hold() -> None:
    """The text reads back as the same position."""
    game = dslgame.loads(WALLED)
    text = game.start().text
    assert set(text.partition("wall=")[2].split()[0].split(",")) == {"a1n", "b1n", "b2e"}
    assert game.read_position(text).state == game.start().state
    none = game.read_position(".../.../... Red wall= post=")
    assert none.text.split()[2:4] == ["wall=", "post="]
    with pytest.raises(ValueError, match="names 'b9n', expected a border such as"):
        game.read_position(".../.../... Red wall=b9n")


def test_moves_choose_borders() -> None:
    """Moves name a border by the first cell and direction that it has."""
    moves = dslgame.loads(WALLED).start().moves()
    assert set(moves) == {"a3n", "a3w", "a3e", "b3n", "b3e", "c3n", "c3e", "a2n", "b2n", "c2n"}
    assert dslgame.loads(WALLED).start().play("a3e").text.partition("wall=")[2].split()[0].count(",") == 3


@pytest.mark.parametrize(("board", "line", "code"), [
    ("square(3, 3) without corners", "var wall[border] in boolean", "G284"),
    ("hexagon(2)", "var post[vertex] in boolean", "G284"),
    ("unbounded square", "var wall[border] in boolean", "G284"),
    ("square(3, 3)", "var wall[border] in 0..2\nwin mover when loop(cells cut by wall)", "G285"),
    ("square(3, 3)", "win mover when loop(cells cut by walls)", "G285"),
    ("square(3, 3)", "win mover when some c in mine: beside(c) = mine", "G206"),
])
def test_places_that_are_not_there(board: str, line: str, code: str) -> None:
    """Each mistake gives exactly one error."""
    with pytest.raises(GameFileError) as caught:
        loaded(line, PLACE, board=board)
    assert [item.code for item in caught.value.diagnostics if item.severity == "error"] == [code]


def test_names_of_games_that_have_no_places_are_theirs() -> None:
    """A game without borders may call a variable or definition `border`."""
    game = loaded("var border in 0..3\ndefine vertex(c) = c.north", PLACE, "win mover when border = 3")
    assert not game.rules.enumerations


@pytest.mark.parametrize("seed", range(8))
def test_kernels_of_random_walled_games(seed: int) -> None:
    """Games with changing walls and queries on the networks that they cut agree in kernel and interpreter."""
    chance = random.Random(seed)
    board = chance.choice(("square(3, 3)", "square(2, 4) with diagonals", "rhombus(2, 3)", "hexagon(2)", "triangle(3)"))
    asked = chance.choice(("some (group(c, cells cut by wall) and theirs)",
                           "distance(mine cut by wall, c, theirs, empty) < 3",
                           "count(beside(border(c, d))) = 2", "loop((cells - c) cut by wall)",
                           "some ways(mine cut by wall, c, theirs, empty)"))
    built = chance.choice(("b in borders where not wall[b]", "b in borders where some (beside(b) and empty)"))
    game = dslgame.loads(f"""game "Random walls"
players X, O
board {board}
pieces x of X, o of O
var wall[border] in boolean
var last[player] in border or none
move place(c in empty, d in directions where border(c, d) != none and not wall[border(c, d)]):
    c := own
    last[mover] := border(c, d)
move build({built}):
    wall[b] := not wall[b]
turn again when some c in mine: some d in directions: {asked} and border(c, d) = last[mover]
draw when no empty
repetition draws
""")
    Walk(game, Kernel.of(game, native=False), may_fail=True).walk(3, 0.1, plies=8)


@pytest.mark.parametrize(("board", "borders", "vertices"), [
    ("square(1, 3)", 2, 0), ("square(3, 1)", 2, 0), ("square(1, 1)", 0, 0), ("square(2, 2)", 4, 1),
    ("hexagon(1)", 0, None), ("rhombus(1, 1)", 0, None),
    ("triangle(1)", 0, None), ("rhombus(1, 2)", 1, None),
])
def test_inner_places_of_thin_boards_have_cells_on_all_sides(board: str, borders: int, vertices: int | None) -> None:
    """By hand; hexagonal boards have no vertices."""
    for name, count in (("inner_borders", borders), ("inner_vertices", vertices)):
        if count is not None:
            game = loaded(PLACE, f"var number in 0..9\nstart:\n    number := count(b in {name})\n", board=board)
            assert game.start().variables["number"] == count
