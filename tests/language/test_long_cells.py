"""Boards with long cells (wedges and trays) and piles along them, in pictures and on the page."""

from __future__ import annotations

import re

import pytest

import dslgame
from dsl.diagnostics import GameFileError
from dslgame.web import pictures
from interpreter.game import Game
from interpreter.pictures import drawing
from interpreter.pictures.layout import LENGTH, STEP, layout_of

RACE = """\
game "Race"
players A, B
board square({rows}, 3)
pieces red of A, blue of B
piles up to 9
start:
    each i in 1..{height}:
        put red on cell(0, 1)
no moves loses
move step(c in mine, d in empty):
    carry c to d
show {shown}
"""


def race(rows: int = 2, height: int = 3, shown: str = "cells drawn wedges, cells drawn plain on column(0)") -> Game:
    """A game with a pile in its first row."""
    return dslgame.loads(RACE.format(rows=rows, height=height, shown=shown))


def discs(game: Game) -> list[tuple[float, float]]:
    """The positions of the pieces at the start, from the lowest."""
    body = drawing(game, game.engine.start(), coordinates=False, parts=True).body
    return [(float(x), float(y)) for x, y in re.findall(r'translate\((\S+) (\S+)\) scale', body)]


def test_cells_look_as_the_last_word_on_them_says() -> None:
    looks = layout_of(race()).looks
    assert looks == ("plain", "wedges", "wedges") * 2
    assert layout_of(race(shown="cells drawn plain on column(0), cells drawn wedges")).looks == ("wedges",) * 6
    assert set(layout_of(race(shown="red in red")).looks) == {"plain"}


def test_all_cells_are_long_and_rows_lie_apart() -> None:
    """A cell has the height of several pieces, and so has the page's overlay."""
    layout = layout_of(race())
    for cell in range(6):
        (left, top), _, (right, bottom), _ = layout.outline(cell)
        assert (right - left, bottom - top) == pytest.approx((1, LENGTH))
    assert layout.places[3][1] - layout.places[0][1] > LENGTH
    assert max(y for _, y in pictures.cell_shape(race())) == pytest.approx(LENGTH / 2)


@pytest.mark.parametrize(("rows", "way"), [(1, -1), (2, 1)])
def test_a_pile_lies_along_its_cell_from_the_border_on(rows: int, way: int) -> None:
    """A pile grows from the top in the upper half of the board, otherwise from the bottom."""
    game = race(rows=rows)
    x, middle = layout_of(game).places[1]
    found = discs(game)
    assert [place[0] for place in found] == [pytest.approx(x, abs=0.01)] * 3
    heights = [way * (y - middle) for _, y in found]
    assert heights == sorted(heights)
    assert heights[0] == pytest.approx(0.46 - LENGTH / 2, abs=0.01)
    assert heights[1] - heights[0] == pytest.approx(STEP, abs=0.01)


def test_a_high_pile_stays_on_its_cell_and_has_its_number() -> None:
    game = race(height=9)
    middle = layout_of(game).places[1][1]
    assert all(abs(y - middle) <= LENGTH / 2 - 0.45 for _, y in discs(game))
    assert ">9</text>" in drawing(game, game.engine.start()).body
    assert ">3</text>" not in drawing(race(), race().engine.start()).body


def test_a_board_of_wedges_has_its_ground_drawn_by_the_kinds_that_pages_colour() -> None:
    body = drawing(race(), race().engine.start(), parts=True).body
    kinds = re.findall(r'<polygon [^>]*class="(\w+)"', body)
    assert sorted(kinds) == ["bed", "even", "even", "frame", "odd", "odd", "tray", "tray"]


def test_only_boards_whose_cells_can_be_long_have_wedges() -> None:
    with pytest.raises(GameFileError, match="wedges are drawn on square boards with an end"):
        dslgame.loads(RACE.format(rows=2, height=1, shown="cells drawn wedges").replace(
            "square(2, 3)", "triangle(3)").replace("cell(0, 1)", "origin"))


@pytest.mark.parametrize("name", ["backgammon", "hackgammon"])
def test_points_of_bundled_games_are_wedges(name: str) -> None:
    layout = layout_of(dslgame.load(name))
    assert layout.long
    assert layout.looks.count("wedges") == {"backgammon": 24, "hackgammon": 6}[name]
