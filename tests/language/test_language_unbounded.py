"""Unbounded boards: how positions are shifted, named and drawn, their canonical forms, and the limits of the window."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dslgame
from dsl.diagnostics import GameFileError
from dsl.syntax.source import Source
from dslgame import RuleError
from dslgame.testing import check_game
from interpreter.analysis.dynamic_checks import try_out
from interpreter.game import Game, Position, examine
from solver.game_space import solve_game
from tests.games.test_trax import recoloured, renamed
from tests.probe import loaded, played, start_of

Point = tuple[int, int]
Things = dict[Point, str]

NEAR = """
define near = neighbours(occupied) - occupied if some occupied else origin

move place(c in near):
    c := own
"""


def endless(*parts: str, room: int | None = None) -> Game:
    """A game on an unbounded board in which stones are placed next to stones."""
    return loaded(NEAR, *parts, board="unbounded square" + ("" if room is None else f"({room})"))


def text_of(things: Things) -> str:
    """The cells of a position text: the smallest rectangle around some pieces."""
    if not things:
        return "."
    rows, columns = [row for row, _ in things], [column for _, column in things]
    long = any(len(name) > 1 for name in things.values())
    return ("|" if long else "/").join(
        ("," if long else "").join(things.get((row, column), ".") for column in range(min(columns), max(columns) + 1))
        for row in range(min(rows), max(rows) + 1))


# ---- names and drawing


def test_cells_are_named_by_what_stands_there() -> None:
    """Names are relative to the occupied cells: the leftmost column is A and the top row 1 in every position."""
    position = endless("draw when count(occupied) = 8").start()
    assert position.moves() == ("@0",)
    assert str(position) == "  @\n0 ."
    position = position.play("@0")
    assert position.pieces == {"A1": "red"}
    assert position.moves() == ("A0", "@1", "B1", "A2")
    position = position.play("A0")
    assert position.pieces == {"A1": "blue", "A2": "red"}
    position = position.play("@2")
    assert position.pieces == {"B1": "blue", "A2": "red", "B2": "red"}
    assert str(position) == "  @ A B C\n0 . . . .\n1 . . B .\n2 . R R .\n3 . . . ."


def test_columns_after_z() -> None:
    """AA, AB and so on, as on other boards."""
    position = played(endless("draw when count(occupied) = 40").start(), "@0 B1 " + " ".join(
        name + "1" for name in [*"CDEFGHIJKLMNOPQRSTUVWXYZ", "AA", "AB"]))
    assert set(position.pieces) >= {"A1", "Z1", "AA1", "AB1"}
    assert "AC1" in position.moves()
    assert "@1" in position.moves()


def test_cells_are_read_in_small_letters() -> None:
    """Cell names are read in either case."""
    assert endless("draw when count(occupied) = 8").start().play("@0").play("b1").played == ("@0", "B1")


@pytest.mark.parametrize(("coordinates", "first", "names"), [
    ("{column:A}{row:1}", "A1", "B1 A2 C2 B3"),
    ("{row:0}{column:a}", "0a", "0b 1a 1c 2b"),
    ("{column:1}.{row:1}", "1.1", "2.1 1.2 3.2 2.3"),
])
def test_coordinates_can_be_others(coordinates: str, first: str, names: str) -> None:
    """The first value of a template names the row or column before the first occupied one."""
    position = endless(f'coordinates "{coordinates}"', "draw when count(occupied) = 8").start()
    assert position.moves() == (first,)
    assert position.play(first).moves() == tuple(names.split())


def test_same_stones_elsewhere_are_the_same_position() -> None:
    """Positions with the same arrangement are equal and have equal texts, whatever moves led to them."""
    start = endless("draw when count(occupied) = 9").start()
    one, other = played(start, "@0 B1 A2 B2"), played(start, "@0 B1 A0 B1")
    assert one == other
    assert one.text == other.text == "RB/RB Red"
    assert one.played != other.played
    assert played(start, "@0 B1 A2") != played(start, "@0 B1 A0")


def test_functions_on_an_unbounded_board() -> None:
    """Rays, lines, groups and leaps reach past the occupied cells."""
    game = endless("win mover when line(mine, 3)", "draw when count(occupied) = 12",
                   "value 100 * count(group(red, occupied)) + 10 * count(near) + count(leaps and occupied)",
                   "define leaps = union(leap(c, 1, 2) for c in red)")
    position = played(game.start(), "@0 B1 C1 C2")
    assert position.text == "RBR/..B Red"
    assert position.value() == 400 + 90 + 1
    assert played(game.start(), "@0 A2 B1 A3 C1").outcome == "Red"
    assert played(game.start(), "@0 A2 @1 B3 @1").outcome == "Red"


def test_quotes_name_cells_by_what_stands_there() -> None:
    """`"A1"` is the top left cell of the smallest rectangle around all pieces."""
    game = endless("draw when count(occupied) = 9", 'value 1 if "A1" is red else 2 if "A1" is blue else 0')
    values = [played(game.start(), moves).value() for moves in ("@0", "@0 B1", "@0 A0", "@0 @1", "@0 A0 B2 @2")]
    assert values == [1, 1, 2, 2, 0]


def test_repetition_is_about_the_same_stones() -> None:
    """A shifted arrangement is a repetition."""
    game = loaded("move step(c in mine, d in orthogonals):\n    carry c to c.d", start_of("origin := solo"),
                  "repetition draws", board="unbounded square(4)", players="Solo")
    for way in ("A1-north", "A1-east", "A1-south", "A1-west"):
        assert game.start().play(way).outcome == "lost"


# ---- canonical forms


MAPS: tuple[Callable[[int, int], Point], ...] = tuple(
    lambda row, column, turn=turn, flip=flip: turned(row, -column if flip else column, turn)  # type: ignore[misc]
    for turn in range(4) for flip in (False, True))


def turned(row: int, column: int, turns: int) -> Point:
    """A point after some quarter turns clockwise."""
    for _ in range(turns):
        row, column = column, -row
    return row, column


def normal(things: Things) -> frozenset[tuple[Point, str]]:
    """The arrangement of some pieces, shifted so that rows and columns begin at 0."""
    if not things:
        return frozenset()
    top, left = min(row for row, _ in things), min(column for _, column in things)
    return frozenset(((row - top, column - left), name) for (row, column), name in things.items())


places = st.dictionaries(st.tuples(st.integers(0, 5), st.integers(0, 5)), st.sampled_from("RBS"), max_size=7)


@settings(max_examples=200)
@given(things=places, others=places)
def test_canonical_forms_are_those_of_eight_maps(things: Things, others: Things) -> None:
    """All eight images of an arrangement share one canonical form, and only images have it."""
    game = endless("draw when count(occupied) = 8", "symmetry all turns and mirrors")
    assert len(game.symmetries) == 8
    images = [{at(row, column): name for (row, column), name in things.items()} for at in MAPS]
    positions = {game.read_position(text_of(image)).canonical() for image in images}
    assert len(positions) == 1
    (form,) = positions
    assert form.canonical() == form
    other = game.read_position(text_of(others))
    assert (other.canonical() == form) is (normal(others) in {normal(image) for image in images})


@settings(max_examples=12)
@given(data=st.data())
def test_tiles_turn_with_the_board(data: st.DataObject) -> None:
    """Turned, mirrored and recoloured positions of a game with tiles have the same canonical form."""
    game = dslgame.load("trax")
    position = game.start()
    for _ in range(data.draw(st.integers(1, 6))):
        if position.over:
            break
        position = position.play(data.draw(st.sampled_from(position.moves())))
    rows = position.text.split(" ")[0].split("|")
    tiles = {(row, column): name for row, line in enumerate(rows) for column, name in enumerate(line.split(","))
             if name != "."}
    turn = {"N": "E", "E": "S", "S": "W", "W": "N"}
    mirror = {"N": "N", "E": "W", "S": "S", "W": "E"}
    quarter = {(column, -row): renamed(name, turn) for (row, column), name in tiles.items()}
    flipped = {(row, -column): renamed(name, mirror) for (row, column), name in tiles.items()}
    mover, other = position.to_move, next(name for name in game.players if name != position.to_move)
    for image in (quarter, flipped):
        assert game.read_position(f"{text_of(image)} {mover}").canonical() == position.canonical()
    assert game.read_position(f"{text_of(recoloured(tiles))} {other}").canonical() == position.canonical()


def test_symmetry_that_takes_a_tile_out_of_the_set_is_refused() -> None:
    """Without the rotated tile in the set there is no quarter turn."""
    tiles = 'tiles with a track of each player:\n    "/" joins north west, south east'
    with pytest.raises(GameFileError, match="G306") as caught:
        loaded(tiles, "move lay(c in empty, t in tiles):\n    c := t", 'notation lay "{c}{t}{t.north}"',
               "draw when no empty", "symmetry quarter turn")
    assert "takes the tile /r to one that is not in the set" in caught.value.diagnostics[-1].phrase
    assert loaded(tiles, "move lay(c in empty, t in tiles):\n    c := t", 'notation lay "{c}{t}{t.north}"',
                  "draw when no empty", "symmetry diagonal mirror", "symmetry half turn").symmetries


# ---- where it ends


def line_of(length: int, way: str) -> str:
    """Moves that lay a line of the given length in a direction."""
    return " ".join(["@0", *({"east": f"{chr(ord('A') + number)}1", "west": "@1", "north": "A0",
                              "south": f"A{number + 1}"}[way] for number in range(1, length))])


@pytest.mark.parametrize("way", ["north", "east", "south", "west"])
@pytest.mark.parametrize("room", [1, 2, 5, 12])
def test_window_is_as_large_as_it_says(way: str, room: int) -> None:
    """A line of `room` stones fits in every direction, and a longer one is a rule error."""
    game = endless(f"draw when count(occupied) = {(room + 4) ** 2}", room=room)
    position = played(game.start(), line_of(room, way))
    assert len(position.pieces) == room
    with pytest.raises(RuleError) as caught:
        position.play(line_of(room + 1, way).split(" ")[-1])
    assert caught.value.code == "G411"
    assert caught.value.phrase == f"the position has outgrown its window of {room} rows and columns"
    assert caught.value.span.line == 3
    assert caught.value.moves == (*position.played, line_of(room + 1, way).split(" ")[-1])


def test_both_ways_count_apart() -> None:
    """Rows and columns are limited separately, so that a full square fits."""
    game = endless("draw when count(occupied) = 9", room=3)
    position = played(game.start(), "@0 B1 C1 A2 B2 C2 A3 B3 C3")
    assert position.outcome == "draw"


@pytest.mark.parametrize("board", ["unbounded square", "unbounded square(32)"])
def test_window_of_32_is_the_usual_one(board: str) -> None:
    """The default window has 32 rows and columns."""
    game = loaded(NEAR, "draw when count(occupied) = 400", board=board)
    position = played(game.start(), line_of(26, "east") + " " + "@1 " * 6)
    with pytest.raises(RuleError, match="G411"):
        position.play("@1")


def test_check_finds_games_that_outgrow_their_window() -> None:
    """Random games of `check` report that the window is outgrown."""
    text = ('game "T"\nplayers X, O\nboard unbounded square(3)\npieces x of X, o of O\n' + NEAR
            + "draw when count(occupied) = 12\n")
    game, found = examine(Source("t.game", text))
    assert game is not None
    assert [item.code for item in [*found, *try_out(game)] if item.severity == "error"] == ["G411"]


def test_cascade_may_grow_during_a_move() -> None:
    """Forced rules may add several stones; the window shifts only after the move."""
    grow = "forced grow(c in mine where c.east is empty and count(mine) < most):\n    c.east := own"
    game = endless("param most = 5", grow, "draw when count(occupied) > 12", room=6)
    position = game.start().play("@0")
    assert position.text == "RRRRR Blue"
    with pytest.raises(RuleError, match="G411"):
        endless("param most = 7", grow, "draw when count(occupied) > 12", room=6).start().play("@0")


def test_cascade_past_the_window_is_told() -> None:
    """A cascade that passes even the margin around the window is a rule error, in every direction."""
    for way in ("east", "west", "north", "south"):
        grow = f"forced grow(c in mine where c.{way} is empty):\n    c.{way} := own"
        with pytest.raises(RuleError) as caught:
            endless(grow, "draw when count(occupied) > 50", room=6).start().play("@0")
        assert caught.value.code == "G411"


@settings(max_examples=60)
@given(data=st.data())
def test_play_is_as_on_a_large_board(data: st.DataObject) -> None:
    """Stones and ends agree with those on a bounded board whose edges are not reached."""
    ends = ("win mover when line(mine, 3)", "draw when count(occupied) = 9")
    unbounded: Position = endless(*ends, room=9).start()
    bounded = loaded(NEAR.replace("origin", '"k10"'), *ends, board="square(19, 19)").start()
    while not bounded.over:
        assert unbounded.outcome is None
        moves, others = unbounded.moves(), bounded.moves()
        assert len(moves) == len(others)
        number = data.draw(st.integers(0, len(moves) - 1))
        unbounded, bounded = unbounded.play(moves[number]), bounded.play(others[number])
        places = {bounded.game.board.cell_named(name) or 0: piece for name, piece in bounded.pieces.items()}
        stones = {(cell // 19, cell % 19): piece for cell, piece in places.items()}
        window = unbounded.game.board
        found = {divmod(window.cell_named(name) or 0, window.column_count): piece
                 for name, piece in unbounded.pieces.items()}
        assert normal(stones) == normal(found)
    assert unbounded.outcome == bounded.outcome


# ---- hexagonal cells

AXIAL = {"north": (0, -1), "northeast": (1, -1), "southeast": (1, 0), "south": (0, 1), "southwest": (-1, 1),
         "northwest": (-1, 0)}
"""The step of each direction in columns and rows."""


def honeycomb(*parts: str, room: int = 8) -> Game:
    """A game on an unbounded hexagonal board in which stones are placed next to stones."""
    return loaded(NEAR, *parts, board=f"unbounded hexagon({room})")


def corner(stones: set[Point]) -> frozenset[Point]:
    """The stones, shifted so that columns and rows begin at 0."""
    left, top = min(q for q, _ in stones), min(r for _, r in stones)
    return frozenset((q - left, r - top) for q, r in stones)


def turned_sixths(stones: frozenset[Point], sixths: int, mirrored: bool) -> frozenset[Point]:
    """The stones turned by sixths and then mirrored, in cube coordinates, whose sum is 0."""
    found = set()
    for q, r in stones:
        x, y, z = q, -q - r, r
        for _ in range(sixths):
            x, y, z = -z, -x, -y
        found.add((-x, -y) if mirrored else (x, z))
    return corner(found)


def places_in(game: Game, cells: int) -> frozenset[Point]:
    """The columns and rows of a set of cells, shifted to begin at 0."""
    board = game.board
    return corner({(board.column_of[cell], board.row_of[cell]) for cell in range(board.size) if cells >> cell & 1})


@given(st.integers(0, 2**32), st.integers(1, 12))
def test_turns_and_mirrors_of_hexagons_are_those_of_the_plane(seed: int, plies: int) -> None:
    """Each of the twelve images agrees with a naive map of the stones and is shifted to the window's home."""
    game = honeycomb("draw when count(occupied) = 40", "symmetry all turns and mirrors")
    assert len(game.symmetries) == 12
    chance, position = random.Random(seed), game.start()
    for _ in range(plies):
        try:
            position = position.play(chance.choice(position.moves()))
        except RuleError:
            break
    stones = places_in(game, position.state.pieces[1] | position.state.pieces[2])
    found = set()
    for element in game.symmetries:
        image = element.of_state(position.state)
        assert game.board.settled(image.pieces[1] | image.pieces[2]) == 0
        assert image.pieces[1].bit_count() == position.state.pieces[1].bit_count()
        found.add(places_in(game, image.pieces[1] | image.pieces[2]))
    assert found == {turned_sixths(stones, sixths, mirrored) for sixths in range(6) for mirrored in (False, True)}


@pytest.mark.parametrize("room", [1, 2, 3, 4, 7, 16, 17])
def test_window_of_hexagons_holds_every_image(room: int) -> None:
    """The largest triangle of cells within the room maps without loss."""
    game = honeycomb("draw when count(occupied) = 40", "symmetry all turns and mirrors", room=room)
    board = game.board
    everything = 0
    for row in range(board.home, board.home + room):
        for column in range(board.home, board.home + room):
            if row + column < 2 * board.home + room:
                everything |= 1 << board.cell_at(row, column)
    assert board.settled(everything) == 0
    for element in game.symmetries:
        image = element.cells.of_set(everything)
        assert board.settled(image) is not None
        assert len(places_in(game, image)) == room * (room + 1) // 2
        assert places_in(game, image) in {turned_sixths(places_in(game, everything), sixths, mirrored)
                                          for sixths in range(6) for mirrored in (False, True)}


@pytest.mark.parametrize("way", AXIAL)
def test_room_of_hexagons_is_that_along_each_axis(way: str) -> None:
    """Lines of `room` stones fit in all six directions, and longer ones do not."""
    game = loaded(f"move place(c in {{c in empty where c.{way} is occupied}} + {{c in origin where no occupied}}):\n"
                  "    c := own", "draw when count(occupied) = 40", board="unbounded hexagon(6)")
    position = game.start()
    for _ in range(6):
        position = position.play(position.moves()[0])
    with pytest.raises(RuleError, match="G411"):
        position.play(position.moves()[0])


@given(st.data())
def test_play_on_hexagons_is_as_on_a_large_board(data: st.DataObject) -> None:
    """Numbers of moves, stones and ends agree with those on a bounded hexagon whose edges are not reached."""
    ends = ("win mover when line(mine, 3)", "draw when count(occupied) = 9")
    unbounded: Position = honeycomb(*ends, room=9).start()
    bounded = loaded(NEAR.replace("origin", "cell(10, 10)"), *ends, board="hexagon(11)").start()
    window, wide = unbounded.game.board, bounded.game.board
    while not bounded.over:
        assert unbounded.outcome is None

        def there(position: Position, piece: int) -> set[Point]:
            board = position.game.board
            return {board.points[cell] for cell in range(board.size) if position.state.pieces[piece] >> cell & 1}

        assert len(unbounded.moves()) == len(bounded.moves())
        ordered = [sorted((board.points[move.values[0] or 0], text) for move, text in
                          zip(position.legal(), position.moves(), strict=True))
                   for position, board in ((unbounded, window), (bounded, wide))]
        number = data.draw(st.integers(0, len(ordered[0]) - 1))
        unbounded, bounded = unbounded.play(ordered[0][number][1]), bounded.play(ordered[1][number][1])
        assert corner(there(unbounded, 1) | there(unbounded, 2)) == corner(there(bounded, 1) | there(bounded, 2))
    assert unbounded.outcome == bounded.outcome


def test_hexagons_without_end_are_named_and_drawn() -> None:
    """Columns run down and rows down to the right; the first occupied row is 1 and the first occupied column A."""
    position = honeycomb("draw when count(occupied) = 8").start()
    assert position.moves() == ("@0",)
    position = position.play("@0")
    assert position.moves() == ("A0", "B0", "@1", "B1", "@2", "A2")
    assert str(position.play("B0")) == """\
   @
0     A
   .     B
1     .     C
   .     .
2     .     .
   .     B
3     R     .
   .     .
      .     .
         .
            ."""


@pytest.mark.parametrize("coordinates", ["{column:A}{row:1}", "{row:0}{column:a}", "{column:1}.{row:1}"])
def test_coordinates_of_hexagons_can_be_others(coordinates: str) -> None:
    """Every cell of the window has a distinct name."""
    game = honeycomb(f'coordinates "{coordinates}"', "draw when count(occupied) = 8")
    assert len(set(game.board.names)) == game.board.size
    assert len(game.start().moves()) == 1


@pytest.mark.parametrize("board", ["unbounded square(6)", "unbounded hexagon(6)"])
def test_variables_may_have_directions_as_index(board: str) -> None:
    """Symmetries turn them with the board."""
    game = loaded("var built[direction] in 0..9", NEAR.split("\n\nmove")[0],
                  "move place(c in near, d in directions where no occupied or c.d in occupied):\n"
                  "    c := own\n    built[d] += 1",
                  "draw when count(occupied) = 4 or some d in directions: built[d] = 2",
                  "symmetry all turns and mirrors", board=board)
    check_game(game)
    merged, alone = solve_game(game), solve_game(game, symmetry=False)
    assert (merged.winner, merged.positions) == (alone.winner, alone.positions)
