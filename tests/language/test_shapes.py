"""Values with shapes: the cells that they cover, rotated and reflected; values by hand from the sample board.

    3 S . .
    2 . B .
    1 R R B
      a b c
"""

from __future__ import annotations

import pytest

from dsl.diagnostics import GameFileError
from interpreter.game import Game
from interpreter.kernel.kernel import Kernel
from tests.probe import PLACE, cells, loaded, named, shown
from tests.walking import Walk

SHAPES = 'values tile = ell as "x./xx", bar as "xx", ring as "xx/xo", plus as ".x/xXx/.x", knight as "x/./.x/o"'
SHAPE_WORDS = ("laid", "differs", "area")
"""The functions that exist for values with shapes alone, tested here."""


@pytest.mark.parametrize(("expression", "expected"), [
    ('laid(ell, "a2", north, east)', "a2 a1 b1"),
    ('laid(ell, "a2", north)', "a2 a1 b1"),
    ('laid(ell, "b2", east)', "b2 a2 a1"),
    ('laid(ell, "b2", south)', "b2 b3 a3"),
    ('laid(ell, "b2", north, west)', "b2 b1 a1"),
    ('laid(ell, "b2", west, north)', "b2 c2 c3"),
    ('laid(ell, "c1", north, east)', "c1"),  # what leaves the board is not there
    ('laid(bar, "a3", south, east)', "a3 b3"),
    ('laid(bar, "a1", northwest, northeast)', "a1 b2"),
    ('laid(bar, "a1", north, northeast)', ""),  # no right angle
    ('laid(bar, "a1", north, south)', ""),
    ('laid(ring, "b2", north)', "a2 a3 b3"),
    ('laid(plus, "b2", north)', "a2 b1 b2 b3 c2"),
    ('laid(knight, "a1", north)', "b2"),
    ('laid(bar, "a1".west, north, east)', ""),
    ('union(laid(k, "a1", north) for k in tile where area(k) = 2)', "a1 b1 b2"),
    ('laid(ell, "a2", north) and mine', "a1 b1"),
])
def test_laid(expression: str, expected: str) -> None:
    """Up and right of the drawing point in the given directions; 'o' is the anchor, or else the first cell."""
    assert cells(expression, SHAPES) == named(expected)


@pytest.mark.parametrize(("expression", "value"), [
    ("area(ell)", "3"),
    ("area(ring)", "3"),
    ("sum(area(k) for k in tile)", "15"),
    ("differs(ell, north, east)", "yes"),
    ("differs(bar, north, west)", "no"),
    ("differs(bar, east, north)", "yes"),
    ("differs(bar, east, south)", "no"),
    ("differs(bar, north, north)", "no"),
    ("count(d in orthogonals where some e in orthogonals: differs(plus, d, e))", "1"),
    ("sum(count(e in orthogonals where differs(ell, d, e)) for d in orthogonals)", "4"),
    ("sum(count(e in orthogonals where differs(bar, d, e)) for d in orthogonals)", "2"),
])
def test_numbers_of_shapes(expression: str, value: str) -> None:
    """The number of cells of a drawing, and which rotations and reflections look different."""
    assert shown(expression, SHAPES) == value


@pytest.mark.parametrize(("declaration", "message"), [
    ('values tile = bar as "##"', "found '#' in a shape"),
    ('values tile = bar as ""', "covers no cell"),
    ('values tile = bar as "o."', "covers no cell"),
    ('values tile = bar as "Xo"', "at most one"),
    ('values tile = bar as "xx", dot', "'dot' has no shape"),
])
def test_shape_that_cannot_be_read(declaration: str, message: str) -> None:
    """Wrong signs, no cells, a wrong anchor, and values without a shape."""
    with pytest.raises(GameFileError, match="G249") as problem:
        loaded(declaration, PLACE)
    assert message in str(problem.value)


def test_words_of_shapes_need_a_shape() -> None:
    """Other values have no shape."""
    with pytest.raises(GameFileError, match="expected a value with a shape"):
        loaded(SHAPES, "values size = small, large", "define wrong = area(small)", "draw when wrong = 1", PLACE)


def laying(board: str, domain: str = "orthogonals", words: str = "laid(k, c, d, e)") -> Game:
    """A game in which shapes are placed where they fit."""
    choices = f"k in tile, d in {domain}, e in {domain} where differs(k, d, e), c in cells"
    return loaded(SHAPES, f"move lay({choices} where count({words} and empty) = area(k)):\n    {words} := own",
                  "no moves loses", "symmetry all turns and mirrors", board=board)


@pytest.mark.parametrize("board", ["square(3, 3)", "square(5, 5)", "square(9, 9)", "square(12, 12)"])
@pytest.mark.parametrize("words", ["laid(k, c, d, e)", "laid(k, c, d)"])
def test_kernel_lays_as_the_interpreter(board: str, words: str) -> None:
    """Small boards use lookup tables, large ones compute the cells."""
    game = laying(board, words=words)
    Walk(game, Kernel.of(game, native=False)).walk(2, 2.0, plies=6)


def test_all_turns_are_chosen_once() -> None:
    """On 2 x 2 cells an ell has four placements, a bar two in each of two orientations; the others do not fit."""
    moves = laying("square(2, 2)").start().moves()
    assert [sum(move.startswith(kind) for move in moves) for kind in ("ell", "bar", "ring", "plus")] == [4, 4, 4, 0]


def test_shapes_of_blokus_duo_have_as_many_placements_as_counted() -> None:
    """91 rotated and reflected polyominoes have 13,729 placements on 14 x 14 cells; 414 cover a starting cell."""
    from tests.reference.blokus_duo import SHAPES as polyominoes
    from tests.reference.blokus_duo import Reference, turns

    shapes = [(shape, cells) for shape in polyominoes for _, cells in turns(shape)]
    assert len(shapes) == 91
    assert sum(len(cells) for _, cells in shapes) == 414
    assert sum((14 - extent(cells, 0)) * (14 - extent(cells, 1)) for _, cells in shapes) == 13_729
    assert len(Reference().options(Reference().start())) == 828


def extent(cells: list[tuple[int, int]], axis: int) -> int:
    """The difference between the largest and the smallest coordinate of some cells along an axis."""
    places = [cell[axis] for cell in cells]
    return max(places) - min(places)
