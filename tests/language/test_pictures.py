"""Pictures of positions: their content as parsed from the SVG, files written by the command, and PNG."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from click.testing import CliRunner

import dslgame
from dsl.syntax.source import Source, normalise
from dslgame import bundled
from dslgame.cli.app import app
from interpreter.game import Position, examine
from interpreter.model.state import Move
from interpreter.pictures import colours, drawing, marks_of, png, strip, svg, svg_of
from interpreter.pictures.board import FORCED, LAST, goals
from interpreter.pictures.marks import last_marks
from interpreter.pictures.motion import moved, moves_sets
from interpreter.pictures.places import places_of
from interpreter.pictures.seeds import PIT, SEED, sows
from interpreter.pictures.sliding import sliding
from interpreter.pictures.winning import winning_cells

SVG = "{http://www.w3.org/2000/svg}"
GAME = """game "{name}"
players X, O
board square(2, 2)
pieces x of X, o of O
move place(c in empty):
    c := own
draw when no empty
"""
ODD = [*range(1, 10), 11, 12, *range(14, 34), *range(35, 256), 0x2028, 0xFDD0, 0xFFFD, 0xFFFE, 0xFFFF, 0x1F600]
"""Characters that may cause problems in a file, except the quotation mark and line ends, which end a text."""


def after(name: str, *moves: str, **params: int) -> Position:
    position = dslgame.load(name, **params).start()
    for move in moves:
        position = position.play(move)
    return position


def elements(text: str, tag: str) -> list[dict[str, str]]:
    return [dict(item.attrib) for item in ElementTree.fromstring(text).iter(SVG + tag)]


def words(text: str) -> list[str]:
    return [item.text or "" for item in ElementTree.fromstring(text).iter(SVG + "text")]


@pytest.mark.parametrize("name", bundled.names())
def test_every_game_is_drawn_within_its_frame(name: str) -> None:
    """The start and a later position are well-formed SVG, and no cell lies outside the view box."""
    position = dslgame.load(name).start()
    for text in (position.svg(), position.play(position.legal()[0]).svg()):
        root = ElementTree.fromstring(text)
        left, top, width, height = map(float, root.attrib["viewBox"].split())
        points = [tuple(map(float, pair.split(","))) for item in elements(text, "polygon")
                  for pair in item["points"].split()]
        points += [(float(item["cx"]), float(item["cy"])) for item in elements(text, "circle")]
        points += [(float(item[f"x{end}"]), float(item[f"y{end}"])) for item in elements(text, "line") for end in "12"]
        assert points
        for x, y in points:
            assert left <= x <= left + width
            assert top <= y <= top + height


def test_every_text_that_a_game_may_hold_is_drawn() -> None:
    """A title with an odd character is refused with G117 or drawn as well-formed SVG."""
    refused: list[int] = []
    for code in ODD:
        name = f"A{chr(code)}B"
        game, found = examine(Source("odd.game", normalise(GAME.format(name=name))))
        if game is None:
            assert [item.code for item in found] == ["G117"], hex(code)
            refused.append(code)
        else:
            title = ElementTree.fromstring(game.start().svg()).findtext(f"{SVG}title") or ""
            assert " ".join(title.split()) == " ".join(f"{name}: X to move".split()), hex(code)
    assert {0x1B, 0x2028, 0xFFFE, 0xFFFF} <= set(refused)
    assert len(refused) < 80


def test_a_cell_is_a_polygon_and_a_piece_a_disc() -> None:
    """Four corners on squares, six on hexagons; a disc in the piece's colour."""
    for name, corners in (("go", 0), ("connect_four", 4), ("hex", 6), ("havannah", 6)):
        position = dslgame.load(name).start()
        text = position.svg()
        cells = [item for item in elements(text, "polygon") if len(item["points"].split()) == corners]
        assert len(cells) == (position.game.board.size if corners else 0)
    assert len(elements(after("hex", "c3", "d4").svg(), "circle")) == 2


def test_last_move_is_marked_and_what_it_forced_dashed() -> None:
    """The last move is marked, a falling stone where it lands; tiles that it forced are dashed."""
    position = after("connect_four", "4", "4")
    marks = [(item["stroke"], "stroke-dasharray" in item) for item in elements(position.svg(), "polygon")
             if item["stroke"] in (LAST, FORCED)]
    assert marks == [(LAST, False)]
    assert [position.game.board.names[cell] for cell in last_marks(position).last] == ["d2"]
    position = after("trax", "@0/", "B1/", "A2/")
    assert {("stroke-dasharray" in item) for item in elements(position.svg(), "polygon")
            if item["stroke"] in (LAST, FORCED)} == {True, False}


def test_piece_that_leaves_the_only_named_cell_is_marked_where_it_is() -> None:
    """A jump marks its origin and its target; a falling stone only the cell where it lands."""
    position = after("toads_and_frogs", "c1")
    game, before = position.game, position.history[-1]
    marks = marks_of(game, before, game.notation.read(before, "c1", game.engine.legal(before))[0])
    assert {game.board.names[cell] for cell in marks.last} == {"c1", "d1"}
    position = after("connect_four", "4", "3")
    game, before = position.game, position.history[-1]
    marks = marks_of(game, before, game.notation.read(before, "3", game.engine.legal(before))[0])
    assert [game.board.names[cell] for cell in marks.last] == ["c1"]


def test_what_won_is_found() -> None:
    """A line of three and one of four; no cells where all pieces count or where nobody could move."""
    for name, moves, won in (
            ("tic_tac_toe", ["a1", "b1", "a2", "b2", "a3"], {"a1", "a2", "a3"}),
            ("connect_four", ["4", "1", "4", "1", "4", "1", "4"], {"d1", "d2", "d3", "d4"}),
            ("nex", ["Ba1?c3", "Wb1?c2", "Ba2?b3"], None)):
        at = after(name, *moves)
        if won is not None:
            cells = winning_cells(at.game, at.history[-1], at.state)
            assert {at.game.board.names[cell] for cell in cells} == won, name
        else:
            assert not at.over
            assert winning_cells(at.game, at.history[-1], at.state) == frozenset()
    at = dslgame.load("kalah", houses=1, seeds=1).start()
    while not at.over:
        at = at.play(at.legal()[0])
    assert winning_cells(at.game, at.history[-1], at.state) == frozenset()


def test_parts_are_told_where_pages_ask_for_them() -> None:
    """With `parts`, pieces carry their cells and cells their tones; files contain neither."""
    position = after("chess", "e2e4")
    body = drawing(position.game, position.state, parts=True).body
    assert body.count('<g class="piece" data-cell=') == 32
    assert body.count('class="dark"') == body.count('class="light"') == 32
    assert body.count("<g ") == body.count("</g>")
    assert "class" not in position.svg()


def test_seeds_lie_in_pits() -> None:
    """Each pit shows as many seeds as its number; a sowing move is marked as far as it went."""
    position = after("kalah", "c1")
    game, before = position.game, position.history[-1]
    marks = marks_of(game, before, game.notation.read(before, "c1", game.engine.legal(before))[0])
    assert [game.board.names[cell] for cell in sorted(marks.forced)] == ["d1", "e1", "f1", "g1"]
    seeds = [item for item in elements(position.svg(), "circle") if item["fill"] == SEED]
    assert len(seeds) == 48
    assert not sows(dslgame.load("latin_square"))


def test_marks_follow_the_window_of_an_unbounded_board() -> None:
    """A tile left of all others shifts the window, and the marks with it."""
    position = after("trax", "@0+", "@1+")
    game, before = position.game, position.history[-1]
    marks = marks_of(game, before, game.notation.read(before, "@1+", game.engine.legal(before))[0])
    assert [game.board.names[cell] for cell in marks.last] == ["A1"]


def test_forced_tiles_are_marked() -> None:
    """One tile is forced and marked."""
    position = after("trax", "@0/", "B1/", "A2/")
    assert position.svg().count(FORCED) == 1


def test_borders_are_in_the_colour_of_whoever_joins_them() -> None:
    game = dslgame.load("hex")
    assert goals(game.rules) == {"top": 0, "bottom": 0, "left": 1, "right": 1}
    assert goals(dslgame.load("y").rules) == {}


def test_rows_that_slide_stick_out() -> None:
    """Three bars of five cells, shifted by the variable."""
    position = after("shift_tac_toe", "3", "8")
    assert sliding(position.game) is not None
    bars = [(float(item["x"]), float(item["width"])) for item in elements(position.svg(), "rect") if "rx" in item]
    assert bars == [(-2.5, 5), (-1.5, 5), (-0.5, 5)]


def test_rows_that_only_have_numbers_do_not_slide() -> None:
    assert all(sliding(dslgame.load(name)) is None for name in ("oware", "go", "sliding_puzzle"))


def test_links_are_lines_between_their_cells() -> None:
    position = after("twixt", "f6", "k9", "h7", rows=12, columns=12)
    places = position.game.board.places
    ends = {places[position.game.board.cell_named(name) or 0] for name in ("f6", "h7")}
    found = [{(float(item["x1"]), float(item["y1"])), (float(item["x2"]), float(item["y2"]))}
             for item in elements(position.svg(), "line") if item["stroke-width"] == "0.16"]
    assert found == [ends]


@pytest.mark.parametrize("name", ["icosian", "mu_torere", "node_kayles", "sim"])
def test_graphs_lie_the_same_on_every_machine(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A basis of equal eigenvalues depends on the processor; the layout does not."""
    board = dslgame.load(name).board
    found = np.linalg.eigh

    def turned(matrix: Any) -> tuple[Any, Any]:
        values, vectors = found(matrix)
        for first in range(len(values) - 1):
            if abs(values[first] - values[first + 1]) < 1e-9:
                one, other = vectors[:, first].copy(), vectors[:, first + 1].copy()
                vectors[:, first], vectors[:, first + 1] = 0.8 * one - 0.6 * other, 0.6 * one + 0.8 * other
        return values, -vectors

    places = places_of(board)
    assert places[0][1] == pytest.approx(min(y for _, y in places)) or name == "mu_torere"  # its first is the middle
    monkeypatch.setattr(np.linalg, "eigh", turned)
    places_of.cache_clear()
    assert np.array(places_of(board)) == pytest.approx(np.array(places), abs=1e-6)


def test_links_of_a_planar_graph_do_not_cross() -> None:
    """Tutte layout of the dodecahedron: one face is the frame, every other vertex the mean of its neighbours."""
    board = dslgame.load("icosian").board
    places = np.array(places_of(board))
    inner = [cell for cell in range(board.size)
             if np.allclose(places[cell], places[list(board.graph[cell])].mean(axis=0), atol=1e-6)]
    assert len(inner) == 15


def test_links_that_are_called_a_colour_have_it() -> None:
    """On a board without pieces only the colour shows the owner of a link."""
    found = [item["stroke"] for item in elements(after("sim", "ab", "cd").svg(), "line")
             if item["stroke-width"] == "0.16"]
    assert found == [colours.NAMED["red"], colours.NAMED["blue"]]


def test_counters_are_written_on_their_pieces() -> None:
    assert "2" in words(after("hexplode", "tile_2_2", "tile_0_0", "tile_2_2").svg())


def test_a_graph_named_like_a_grid_is_drawn_as_one() -> None:
    """Names such as a4 and d1 are read as coordinates; other graphs keep their distances."""
    board = dslgame.load("nine_mens_morris").board
    assert board.kind.dot(board) == 0.2
    assert places_of(board)[0] == (0, -7)
    wheel = dslgame.load("mu_torere").board
    assert wheel.kind.dot(wheel) == 0.4
    hub = places_of(wheel)[wheel.cell_named("putahi") or 0]
    spokes = {round(((x - hub[0]) ** 2 + (y - hub[1]) ** 2) ** 0.5, 6) for x, y in places_of(wheel)} - {0}
    assert len(spokes) == 1


def test_show_says_what_pieces_and_cells_are_drawn_as() -> None:
    text = """game "T"
players A, B
board square(2, 2)
pieces a of A, b of B
move place(c in empty):
    c := own
draw when no empty
show a as "a" {0}
show b as "b" drawn ring
"""
    start = dslgame.loads(text.format("drawn cross")).start().play("a1")
    assert [item["stroke-linecap"] for item in elements(start.svg(), "line")] == ["round", "round"]
    assert "a" in words(dslgame.loads(text.format("")).start().play("a1").svg())
    assert elements(dslgame.loads(text.format("") + "show cells drawn points\n").start().svg(), "polygon") == []


def test_cells_are_coloured_and_explained() -> None:
    """Cell colours, captions and a legend, as `dslgame openings` uses them."""
    position = dslgame.load("hex", size=3).start()
    text = svg(position.game, position.state, shades={4: "#00ff00"}, captions={4: "7"}, legend=[("#00ff00", "wins")])
    assert [item["fill"] for item in elements(text, "polygon")].count("#00ff00") == 1
    assert {"7", "wins"} <= set(words(text))
    assert len(words(svg(position.game, position.state, coordinates=False))) == 0


def test_a_strip_has_every_position() -> None:
    """The start and one picture per move, each with the move below it."""
    text = strip(after("tic_tac_toe", "a1", "b2", "a2", "b3", "a3"))
    assert len(elements(text, "g")) == 6
    assert words(text).count("5. a3: X won") == 1


def test_captions_are_escaped() -> None:
    position = dslgame.load("hex", size=2).start()
    assert "<b>" not in svg(position.game, position.state, caption="<b>&")


def test_png_is_made_of_it() -> None:
    pytest.importorskip("resvg_py")
    data = png(after("trax", "@0/").svg())
    assert data.startswith(b"\x89PNG")


def test_without_the_library_png_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(__import__("sys").modules, "resvg_py", None)
    file = tmp_path / "p.png"
    result = CliRunner().invoke(app, ["show", "hex", "--png", str(file), "--svg", str(tmp_path / "p.svg")])
    assert result.exit_code == 1
    assert "pip install 'dslgame[pictures]'" in result.output
    assert list(tmp_path.iterdir()) == []


def test_command_writes_files(tmp_path: Path) -> None:
    """`--svg` writes the position, and with `--strip` all positions."""
    one, all_of_them = tmp_path / "one.svg", tmp_path / "strip.svg"
    assert CliRunner().invoke(app, ["show", "hex", "--moves", "c3 d4", "--svg", str(one)]).exit_code == 0
    assert CliRunner().invoke(
        app, ["show", "hex", "--moves", "c3 d4", "--strip", "--svg", str(all_of_them)]).exit_code == 0
    assert one.read_text(encoding="utf-8") == svg_of(after("hex", "c3", "d4"))
    assert len(re.findall("<g ", all_of_them.read_text(encoding="utf-8"))) == 3


def test_command_refuses_what_makes_no_picture(tmp_path: Path) -> None:
    """`--strip` needs a file; a missing folder is reported."""
    assert CliRunner().invoke(app, ["show", "hex", "--strip"]).exit_code == 2
    result = CliRunner().invoke(app, ["show", "hex", "--svg", str(tmp_path / "none" / "p.svg")])
    assert result.exit_code == 1
    assert "none/p.svg cannot be written: there is no folder" in result.output


def test_notebooks_show_positions() -> None:
    position = dslgame.load("nex").start()
    assert position._repr_svg_() == position.svg()


def test_sizes_are_what_show_says() -> None:
    """`sized` with a number scales all pieces of a kind, with a row or variable each piece; bars keep their height."""
    text = """game "Sizes"
players A, B
board square(1, 3)
pieces x of A, o of B
var weight[cell] in 0..3 = 1
move place(c in empty):
    c := own
    weight[c] := 3 if c = "c1"
no moves draws
"""

    def scales(*shows: str) -> list[str]:
        position = dslgame.loads(text + "\n".join(shows)).start().play("a1").play("b1").play("c1")
        return re.findall(r"scale\(([^)]*)\)", position.svg())

    assert scales() == []
    assert scales("show x sized 1", "show o sized 2") == ["0.65 0.65", "0.65 0.65"]  # o is as large as others
    assert scales("show x drawn bar sized column") == ["0.533 1"]
    assert scales("show x drawn post sized weight") == ["1 0.65"]


def test_motion_says_where_each_piece_goes() -> None:
    """In a sliding row every piece moves; one that leaves the board goes nowhere; a pass moves nothing."""
    game = dslgame.load("shift_tac_toe")
    before = game.start().play("0").play("1").play("2")
    names = game.board.names
    found = moved(game, before.state, before.find("8"))
    assert {names[start]: names[end] if end >= 0 else "" for start, end in found.items()} == \
        {"a1": "b1", "b1": "c1", "c1": ""}
    assert moved(game, before.state, Move(-1, ())) == {}
    assert moves_sets(game)
    assert not moves_sets(dslgame.load("hex"))


def test_an_empty_pit_is_drawn() -> None:
    """All twelve pits are drawn, also one that has been emptied."""
    position = dslgame.load("oware").start().play("c1")
    pits = [item for item in elements(position.svg(), "circle") if item["fill"] == PIT]
    assert len(pits) == 12


@pytest.mark.parametrize("name", ["chinese_checkers", "hex", "y", "dvonn"])
def test_coordinates_are_beside_cells_and_apart(name: str) -> None:
    """Labels lie close to cells and apart from each other, on shifted rows and where cells are left out."""
    board = dslgame.load(name).board
    places = places_of(board)
    found = list(board.kind.labels(board, range(board.size), places, 0.0))
    rows = {board.row_label(row) for row in board.row_of}
    assert {label.text for label in found} == rows | {board.column_label(column) for column in board.column_of}
    for number, label in enumerate(found):
        assert 0.6 < min(math.dist(label.at, place) for place in places) < 1.1, label
        assert all(math.dist(label.at, other.at) > 0.5 for other in found[:number]), label


def test_men_in_piles_are_discs() -> None:
    """A piece with only a letter is a disc, alone or in a pile; a pile of one kind shows its number."""
    game = dslgame.load("backgammon")
    assert {piece.shape for piece in game.rules.pieces[1:]} == {"disc"}
    assert not any("ww" in text or text == "w" for text in words(game.start().svg()))
    mixed = dslgame.load("gobblet_gobblers").start().play("Sa1").play("ba1").svg()
    assert any("piles" in text for text in words(mixed))
