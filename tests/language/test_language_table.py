"""What a game declares: params, players, pieces, boards, variables, the start, symmetries, notation and looks.

Each test is one small game text and its expected result, worked out by hand. Play is tested in `test_language`,
expressions in `test_language_values`.
"""

from __future__ import annotations

import pytest

import dslgame
from dsl.diagnostics import GameFileError
from dslgame import IllegalMove, RuleError
from tests.probe import PLACE, loaded, named, played, start_of, started

STRIP = "square(1, 5)"
PIE = ("pie rule after turn 1", "symmetry left right mirror swapping players")

# ---- params


def test_param_has_its_default_or_the_given_value() -> None:
    """Params set the numbers in rules, board and ranges."""
    text = (
        'game "G"\nparam size = 3 in 2..5\nparam area = size * size in 1..\nplayers Red, Blue\n'
        "board square(size, size)\npieces red of Red, blue of Blue\nvar left_over in 0..area = area\n"
        "move place(c in empty):\n    c := own\n    left_over -= 1\ndraw when left_over = 0\n"
    )
    assert dslgame.loads(text).params == {"size": 3, "area": 9}
    game = dslgame.loads(text, size=2)
    assert game.params == {"size": 2, "area": 4}
    assert game.board.size == 4
    assert game.start().variables == {"left_over": 4}
    with pytest.raises(GameFileError, match="G502"):
        dslgame.loads(text, size=6)
    with pytest.raises(GameFileError, match="G501"):
        dslgame.loads(text, breadth=2)


def test_param_called_rows_leaves_the_set_of_rows() -> None:
    """`rows` is the number where a number is expected, and the set to choose from after `in`."""
    position = started(
        "param rows = 2",
        "param columns = 3",
        "var used[row] in 0..rows",
        "move fill(r in rows, k in columns where cell(r, k) is empty):\n    cell(r, k) := own\n    used[r] += 1",
        "draw when sum(used) = rows * columns or every r in rows: used[r] = 1",
        board="square(rows, columns)",
    )
    assert len(position.moves()) == 6
    assert position.play("0-2").variables == {"used": (1, 0)}
    assert position.play("0-2").play("1-0").outcome == "draw"


# ---- players and pieces


def test_players_move_in_the_order_of_their_names() -> None:
    """With one, two or three players, turns cycle in this order."""
    for names in ("Solo", "Red, Blue", "Ann, Bob, Cid"):
        position = started(PLACE, players=names)
        movers = []
        for text in ("a1", "b1", "c1", "a2"):
            movers.append(position.to_move)
            position = position.play(text)
        order = names.split(", ")
        assert movers == [order[turn % len(order)] for turn in range(4)]


def test_theirs_are_the_pieces_of_everybody_else() -> None:
    """With three players `theirs` is the pieces of the other two; unowned pieces are neither `mine` nor `theirs`."""
    position = started(
        start_of('"e1" := stone'),
        "move place(c in empty) when no theirs or count(theirs) = 2:\n    c := own",
        'move wait when count(theirs) = 1:\n    "e1" := own',
        "no moves draws",
        board=STRIP,
        players="Ann, Bob, Cid",
    )
    assert position.moves() == ("place:a1", "place:b1", "place:c1", "place:d1")
    position = position.play("place:a1")
    assert position.moves() == ("wait",)
    position = position.play("wait")
    assert (position.to_move, position.moves()) == ("Cid", ("place:b1", "place:c1", "place:d1"))


def test_piece_of_each_player() -> None:
    """`man` is the cells of all players' pieces, `man[p]` one player's piece; several `pieces` lines add up."""
    position = dslgame.loads(
        'game "G"\nplayers Red, Blue\nboard square(1, 4)\npieces man of each\npieces king of each, rock\n'
        'start:\n    "d1" := man[Blue]\n'
        "move place(c in empty):\n    c := man[mover]\n"
        "move crown(c in man and mine):\n    c := king[mover]\n"
        "move press(c in man[opponent]):\n    c := rock\n"
        "draw when count(king) = 2\n"
    ).start()
    assert [piece.name for piece in position.game.rules.pieces] == ["empty", "man", "man", "king", "king", "rock"]
    assert position.moves() == ("place:a1", "place:b1", "place:c1", "press:d1")
    position = played(position, "place:a1 crown:d1")
    assert position.moves() == ("place:b1", "place:c1", "crown:a1")
    assert position.play("crown:a1").outcome == "draw"
    assert position.play("crown:a1").pieces == {"a1": "Red king", "d1": "Blue king"}


def test_own_needs_one_piece_for_each_player() -> None:
    """`own` is refused if a player has two pieces, or none."""
    for pieces in ("man of each, king of each", "man of Red"):
        with pytest.raises(GameFileError, match="G308"):
            dslgame.loads(f'game "G"\nplayers Red, Blue\nboard square(2, 2)\npieces {pieces}\n{PLACE}')


# ---- boards


def test_square_board() -> None:
    """Four neighbours, eight directions, and names as in chess, from the bottom left."""
    game = loaded(PLACE)
    assert game.board.names == ("a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1")
    assert game.start().moves() == game.board.names


def test_rhombus_board() -> None:
    """Six neighbours, with acute corners at the top left and bottom right; rows count from the top."""
    position = started('move place(c in neighbours("b2")):\n    c := own', "draw when no empty", board="rhombus(3, 3)")
    assert set(position.moves()) == named("b1 c1 a2 c2 a3 b3")
    joined = started(PLACE, "win Red when joined(red, top, bottom)", board="rhombus(3, 3)")
    assert played(joined, "c1 a1 b2 c3 a3").outcome == "Red"
    assert played(joined, "a1 c1 b2 a3 c3").outcome is None


def test_hexagon_board() -> None:
    """Columns have side to 2 side - 1 cells; rows are numbered within a column."""
    game = loaded(PLACE, board="hexagon(2)")
    assert game.board.names == ("a1", "a2", "b1", "b2", "b3", "c1", "c2")
    position = started('move go(d in directions):\n    "b2".d := own', "draw when no empty", board="hexagon(2)")
    ends = {text: next(iter(position.play(text).pieces)) for text in position.moves()}
    assert ends == {
        "north": "b1", "northeast": "c1", "southeast": "c2", "south": "b3", "southwest": "a2", "northwest": "a1",
    }  # fmt: skip


def test_graph_board() -> None:
    """Cells in order of first mention; a path makes neighbours, a single name an isolated cell; names may be
    numbers."""
    board = "graph:\n    hub - in - out\n    hub - 7\n    alone\n    out - 7"
    position = dslgame.loads(
        f'game "G"\nplayers Red, Blue\nboard {board.replace(" in ", " mid ")}\npieces red of Red, blue of Blue\n'
        "move step(c in neighbours(hub) + alone):\n    c := own\ndraw when no empty\n"
    ).start()
    assert position.game.board.names == ("hub", "mid", "out", "7", "alone")
    assert position.moves() == ("mid", "7", "alone")
    board_of = position.game.board
    assert board_of.neighbours[board_of.names.index("out")] == 1 << 1 | 1 << 3


@pytest.mark.parametrize("index", ["row", "column", "direction"])
def test_graph_board_has_no_variables_by_row_column_or_direction(index: str) -> None:
    """A graph has no rows, columns or directions to index by."""
    with pytest.raises(GameFileError, match="G215"):
        dslgame.loads(
            'game "G"\nplayers Red, Blue\nboard graph:\n    p - q\npieces red of Red, blue of Blue\n'
            f"var v[{index}] in 0..1\n{PLACE}"
        )


def test_board_without_cells() -> None:
    """The others keep their names, rows and columns; regions lose the removed cells; steps end at a hole."""
    position = started(
        "move place(c in cells):\n    c := own\n    {c.north} := stone",
        "draw when no empty",
        board='square(3, 3) without corners + "b2"',
    )
    assert position.moves() == ("b3", "a2", "c2", "b1")
    assert position.play("b1").pieces == {"b1": "red"}
    assert position.game.board.regions["top"] == 1


def test_board_without_a_condition() -> None:
    """Any set of cells can be left out."""
    game = loaded(PLACE, board="square(3, 3) without {c in cells where c.row = c.column}")
    assert game.board.names == ("b3", "c3", "a2", "c2", "a1", "b1")


def test_coordinates() -> None:
    """Coordinates use letters, capitals or numbers, counted from either end; the rules name cells the same way."""
    position = started('coordinates "{row:A up}/{column:0 up}"', start_of('"C/2" := stone'), PLACE)
    assert position.moves() == ("C/1", "C/0", "B/2", "B/1", "B/0", "A/2", "A/1", "A/0")


def test_unknown_cell_is_refused() -> None:
    """A name that the board does not have is reported when the game is loaded."""
    with pytest.raises(GameFileError, match="G234"):
        started(start_of('"d9" := stone'), PLACE)


# ---- variables


def test_variables_of_every_index_and_sort() -> None:
    """Defaults: the least number, `none` where allowed, otherwise the first value; one value for each index."""
    position = started(
        "values phase = placing, moving",
        "var number in -2..5",
        "var first in 0..9 = 4",
        "var maybe in 0..9 or none",
        "var given in 0..9 or none = 3",
        "var flag in boolean",
        "var set_flag in boolean = true",
        "var who in players",
        "var other in players = Blue",
        "var last in cells or none",
        'var home in cells = "b1"',
        "var way in directions = south",
        "var kind in pieces or none",
        "var held in pieces = stone",
        "var now in phase",
        "var later in phase = moving",
        "var lane in rows",
        "var by_cell[cell] in 0..3",
        "var by_row[row] in 0..3 = 1",
        "var by_column[column] in 1..3",
        "var by_player[player] in boolean",
        "var by_direction[direction] in cells or none",
        "var by_piece[piece] in 0..1",
        "var by_phase[phase] in players = Blue",
        PLACE,
        board="square(2, 3)",
    )
    assert position.variables == {
        "number": -2,
        "first": 4,
        "maybe": None,
        "given": 3,
        "flag": 0,
        "set_flag": 1,
        "who": 0,
        "other": 1,
        "last": None,
        "home": position.game.board.cell_named("b1"),
        "way": position.game.board.directions.index("south"),
        "kind": None,
        "held": 3,
        "now": 0,
        "later": 1,
        "lane": 0,
        "by_cell": (0,) * 6,
        "by_row": (1, 1),
        "by_column": (1, 1, 1),
        "by_player": (0, 0),
        "by_direction": (None,) * 8,
        "by_piece": (0, 0, 0, 0),
        "by_phase": (1, 1),
    }


def test_variables_are_part_of_the_position() -> None:
    """The same cells with different variable values are a different position."""
    position = started(
        "var n in 0..9", "move place(c in empty, k in 1..2):\n    c := own\n    n += k", "draw when n > 5"
    )
    assert position.play("a1-1").pieces == position.play("a1-2").pieces
    assert position.play("a1-1") != position.play("a1-2")


def test_variables_of_cells_stay_when_pieces_are_carried() -> None:
    """`carry` moves only the piece."""
    position = started(
        "var load[cell] in 0..3",
        "move place(c in empty) when no mine:\n    c := own\n    load[c] := 2",
        "move run(c in mine, n in neighbours(c) and empty):\n    carry c to n",
        "draw when sum(load) > 8",
        board="square(1, 3)",
    )
    position = played(position, "place:a1 place:c1 run:a1-b1")
    assert position.pieces == {"b1": "red", "c1": "blue"}
    assert position.variables == {"load": (2, 0, 2)}


def test_first_value_may_be_calculated() -> None:
    """Initial values may use params and the board, also in aggregates."""
    position = started("param n = 3", "var v in 0..99 = n * n + sum(1 for c in top)", PLACE)
    assert position.variables == {"v": 12}


@pytest.mark.parametrize(
    ("declaration", "effect", "code", "says"),
    [
        ("var v in 0..2", "v += 1", "G402", "v would become 3, outside its range 0..2"),
        ("var v in 0..2 = 2", "v -= count(occupied) ", "G402", "v would become -1"),
        ("var v[cell] in 0..2", 'v["a1"] += 1', "G402", "v[a1] would become 3"),
        ("var v[player] in 0..1", "v[Red] += 1", "G402", "would become 2"),
        ("var v[cell] in 0..9", 'v["a1".west] += 1', "G403", "used at no cell"),
        ("var v[row] in 0..9", "v[count(occupied) + 2] := 1", "G403", "used at no row"),
        ('var v in cells = "a1"', "v := v.north", "G401", "would become none"),
        ("var v in players or none\nvar w in players", "w := v", "G401", "would become none"),
        ("var v in 0..9 or none\nvar w in 0..9", "w := v + 1", "G406", "none"),
    ],
)
def test_variable_that_leaves_its_range_stops_the_game(declaration: str, effect: str, code: str, says: str) -> None:
    """The error gives the value and the place in the file, and lists the moves."""
    position = started(
        declaration, f"move place(c in empty):\n    c := own\n    {effect}", "draw when no empty and true"
    )
    with pytest.raises(RuleError) as caught:
        played(position, "a3 b3 c3 a2")
    assert caught.value.code == code
    assert says in str(caught.value)
    assert "after the moves: a3" in str(caught.value)


# ---- the start


def test_start_is_carried_out_in_order() -> None:
    """Later effects see earlier ones; sets, variables, loops and conditions are allowed, but not `own`."""
    position = started(
        "var n in 0..9",
        start_of("bottom := red", '"b1" := empty', "n := count(red)", "each c in top where c is left:\n    c := blue"),
        PLACE,
    )
    assert position.pieces == {"a1": "red", "c1": "red", "a3": "blue"}
    assert position.variables == {"n": 2}
    assert position.to_move == "Red"
    with pytest.raises(GameFileError, match="G235"):
        started(start_of("bottom := own"), PLACE)


def test_start_is_before_forced_rules_and_ends() -> None:
    """Forced rules and ends are not applied before the first move."""
    position = started(
        start_of('"a3" := red'),
        "move place(c in empty and right):\n    c := own",
        "forced fall(c in occupied where c.south is empty):\n    carry c to c.south",
        "win Red when some red",
    )
    assert position.pieces == {"a3": "red"}
    assert not position.over
    assert position.play("c1").pieces == {"a1": "red", "c1": "red"}
    assert position.play("c1").outcome == "Red"


def test_start_asks_for_no_moves() -> None:
    """If the first player has no move, the `no moves` rule decides at the start."""
    move = "move place(c in theirs):\n    c := own"
    later = start_of('"a1" := red')
    assert started(later, move, "no moves loses").outcome == "Blue"
    assert started(later, move, "no moves wins").outcome == "Red"
    assert started(later, move, "no moves draws").outcome == "draw"


# ---- symmetry


def test_symmetry_maps_cells_and_variables() -> None:
    """Cells, rows, columns and directions are mapped as indices and as values; a reversed range is mirrored."""
    game = loaded(
        "var mark[cell] in 0..9",
        "var used[row] in 0..9",
        "var tall[column] in 0..9",
        "var seen[direction] in 0..9",
        "var last in cells or none",
        "var lane in rows",
        "var track in columns or none",
        "var way in directions",
        "var tilt in 0..4",
        "var plain in 0..4",
        start_of(
            '"a1" := red', 'mark["a1"] := 5', "used[2] := 4", "tall[0] := 3", "seen[west] := 2", 'last := "a1"',
            "lane := 2", "track := 0", "way := southwest", "tilt := 1", "plain := 1",
        ),
        "move place(c in empty):\n    c := own",
        "draw when no empty",
        "symmetry half turn reversing tilt",
    )  # fmt: skip
    start = game.start()
    image = game.symmetries[1].of_state(start.state)
    turned = start.__class__(game, image)
    board = game.board
    assert turned.pieces == {"c3": "red"}
    variables = turned.variables
    assert variables["mark"] == tuple(5 if name == "c3" else 0 for name in board.names)
    assert variables["used"] == (4, 0, 0)
    assert variables["tall"] == (0, 0, 3)
    assert variables["seen"] == tuple(2 if name == "east" else 0 for name in board.directions)
    assert variables["last"] == board.cell_named("c3")
    assert variables["lane"] == 0
    assert variables["track"] == 2
    assert variables["way"] == board.directions.index("northeast")
    assert (variables["tilt"], variables["plain"]) == (3, 1)
    assert turned.to_move == "Red"
    assert game.symmetries[1].of_state(image) == start.state


def test_symmetry_that_is_not_its_own_inverse() -> None:
    """A quarter turn maps values in the same direction as cells; a mirror moves columns and keeps rows."""
    game = loaded(
        "var mark[cell] in 0..9",
        "var seen[direction] in 0..9",
        start_of('"a3" := red', 'mark["a3"] := 5', "seen[north] := 2"),
        PLACE,
        "draw when sum(mark) + sum(seen) > 99",
        "symmetry quarter turn",
    )
    start = game.start()
    turned = start.__class__(game, game.declared[0][1][0].of_state(start.state))
    assert turned.pieces == {"c3": "red"}
    assert turned.variables["mark"] == tuple(5 if name == "c3" else 0 for name in game.board.names)
    assert turned.variables["seen"] == tuple(2 if name == "east" else 0 for name in game.board.directions)
    lanes = loaded(
        "var lane in rows = 2",
        "var track in columns = 0",
        PLACE,
        "draw when lane = track",
        "symmetry left right mirror",
    )
    mirrored = start.__class__(lanes, lanes.symmetries[1].of_state(lanes.start().state))
    assert mirrored.variables == {"lane": 2, "track": 2}


def test_symmetry_swapping_players() -> None:
    """Corresponding pieces are exchanged, as are the player to move, outcomes, and values that belong to players."""
    game = dslgame.loads(
        'game "G"\nplayers Red, Blue\nboard square(1, 3)\npieces man of each, king of each, rock\n'
        "var score[player] in 0..9\nvar leader in players\nvar held[piece] in 0..9\n"
        'start:\n    "a1" := man[Red]\n    "b1" := king[Blue]\n    "c1" := rock\n    score[Red] := 3\n'
        "    held[man[Red]] := 2\n    held[rock] := 1\n"
        "move wait:\n    score[mover] += 1\nwin mover when score[mover] > 3\n"
        "draw when leader = Red and sum(held) + sum(score) > 8\nsymmetry left right mirror swapping players\n"
    )
    start = game.start()
    swapped = start.__class__(game, game.symmetries[1].of_state(start.state))
    names = {piece.name + str(piece.owner): index for index, piece in enumerate(game.rules.pieces)}
    cell = {name: 1 << number for number, name in enumerate(game.board.names)}
    assert swapped.state.pieces[names["man1"]] == cell["c1"]
    assert swapped.state.pieces[names["king0"]] == cell["b1"]
    assert swapped.state.pieces[names["rockNone"]] == cell["a1"]
    assert swapped.variables["score"] == (0, 3)
    assert swapped.variables["leader"] == 1
    held = swapped.variables["held"]
    assert isinstance(held, tuple)
    assert (held[names["man0"]], held[names["man1"]], held[names["rockNone"]]) == (0, 2, 1)
    assert swapped.to_move == "Blue"
    won = start.play("wait")
    assert won.outcome == "Red"
    assert game.outcome_name(game.symmetries[1].of_state(won.state).outcome) == "Blue"


def test_symmetries_combine() -> None:
    """The declared symmetries generate a group; `canonical` gives all images the same representative."""
    game = loaded(PLACE, "symmetry quarter turn", "symmetry left right mirror", "symmetry swapping players")
    assert len(game.symmetries) == 16
    start = game.start()
    corners = {start.play(text).canonical() for text in ("a1", "a3", "c1", "c3")}
    assert len(corners) == 1
    assert len({start.play(text).canonical() for text in start.moves()}) == 3
    assert len(game.fixing(start.state)) == 8
    tilted = loaded(
        "var tilt in 0..4 = 2",
        PLACE,
        "draw when tilt > 3",
        "symmetry left right mirror reversing tilt",
        "symmetry top bottom mirror swapping players reversing tilt",
    )
    elements = {(element.swapping, bool(element.reversing), element.cells.cells[0]) for element in tilted.symmetries}
    assert len(tilted.symmetries) == 4
    assert elements == {(False, False, 0), (False, True, 2), (True, True, 6), (True, False, 8)}


def test_symmetry_that_the_board_lacks_is_refused() -> None:
    """A quarter turn of an oblong board is refused, and so is turning rows that index a variable into columns."""
    with pytest.raises(GameFileError, match="G306"):
        started(PLACE, "symmetry quarter turn", board="square(2, 3)")
    with pytest.raises(GameFileError, match="G306"):
        started("var used[row] in 0..3", PLACE, "draw when sum(used) > 0", "symmetry diagonal mirror")


# ---- notation


def test_notation_with_styles_and_several_forms() -> None:
    """The first form is written, all are read; numbers can be letters or count from 1; expressions see the choices."""
    position = started(
        "move place(c in empty, k in 0..30):\n    c := own",
        "draw when no empty",
        'notation place "{c}{k}" or "{own}{c.column:A}{c.row:1}+{k:a}" or "{k:0}/{c}"',
    )
    assert position.moves()[:2] == ("a30", "a31")
    assert position.play("RC3+ae").played == ("c130",)
    assert position.play("RC3+ae") == position.play("30/c1") == position.play("c130")
    assert position.play("RA1+z").played == ("a325",)


def test_notation_fields_of_every_sort() -> None:
    """Fields can be cells, pieces by their glyph, players, directions, words and conditions."""
    position = started(
        "values mood = warm, cold",
        "move act(c in top, p in pieces, d in orthogonals, m in mood, b in boolean, q in players):\n    c := p",
        "draw when no empty",
        'notation act "{c}.{p}.{d}.{m}.{b}.{q}.{c.north}.{mover}.{c is top and b}"',
        'show stone as "#"',
    )
    assert position.moves()[0] == "a3.R.north.warm.no.Red.none.Red.no"
    assert position.moves()[-1] == "c3.#.west.cold.yes.Blue.none.Red.yes"


def test_notation_sees_the_position_before_the_move() -> None:
    """Notation describes the position before the move's effects; `then` choices are included."""
    position = started(
        start_of('"a1" := stone'),
        "move hop(c in occupied):\n    c := own\n    then d in empty and bottom:\n        carry c to d",
        "draw when no empty",
        'notation hop "{piece(c)}{c}-{d}"',
    )
    assert position.moves() == ("Sa1-b1", "Sa1-c1")


def test_default_notation_and_special_moves() -> None:
    """The move's name is written where there are several moves; `pass` and `swap` can have their own notation."""
    position = started(
        "move place(c in empty):\n    c := own",
        "draw when no empty",
        "pass",
        'notation pass "-"',
        'notation swap "X!" or "swap"',
        *PIE,
    )
    assert position.moves()[-1] == "-"
    assert position.play("-").moves()[-1] == "X!"
    assert position.play("a1").play("swap").pieces == {"c1": "blue"}
    with pytest.raises(IllegalMove):
        position.play("pass")


def test_capitals_count_only_where_it_makes_a_difference() -> None:
    """An exact match goes first; otherwise letters match in either case."""
    position = started(
        "move small(c in top):\n    c := own",
        "move large(c in top):\n    c := stone",
        "draw when no empty",
        'notation small "x{c}"',
        'notation large "X{c}"',
    )
    assert position.play("xa3").pieces == {"a3": "red"}
    assert position.play("Xa3").pieces == {"a3": "stone"}
    with pytest.raises(IllegalMove, match="more than one move"):
        position.play("xA3")
    assert started(PLACE).play("B2").pieces == {"b2": "red"}


def test_refused_move_says_what_would_be_legal() -> None:
    """The error lists legal moves, or says that the game is over."""
    position = started("move place(c in empty):\n    c := own", "win mover when some mine")
    with pytest.raises(IllegalMove, match="not among the 9 legal moves") as caught:
        position.play("nowhere")
    assert caught.value.legal == position.moves()
    assert caught.value.text == "nowhere"
    with pytest.raises(IllegalMove, match=r"the game is over \(Red won\)"):
        position.play("a1").play("a2")


# ---- how it looks


def test_glyphs() -> None:
    """A glyph is what `show` says, or the first free letter of the name; the second player's is in the other case."""
    game = dslgame.loads(
        'game "G"\nplayers Red, Blue\nboard square(1, 6)\npieces rook of each, red of Red, blue of Blue, bird, robe\n'
        'start:\n    "a1" := rook[Red]\n    "b1" := rook[Blue]\n    "c1" := red\n    "d1" := blue\n    "e1" := bird\n'
        'move wait:\n    "f1" := robe\ndraw when no empty\n'
        'show rook as "r" in orange\nshow blue as "@"\nshow empty as "_"\nshow bird in "#00ff00"\n'
    )
    glyphs = [piece.glyph for piece in game.rules.pieces[1:]]
    assert glyphs[:4] == ["r", "R", "E", "@"]
    assert len(set(glyphs)) == len(glyphs)
    assert [piece.colour for piece in game.rules.pieces[1:]] == ["orange", "orange", "red", "blue", "#00ff00", ""]
    assert str(game.start()).splitlines()[0] == f"1 r R E @ {glyphs[4]} _"


def test_glyph_of_one_players_piece() -> None:
    """`show man[Green]` is about one player's piece; a sign without another case is the first two players' no more."""
    text = ('game "G"\nplayers Red, Blue, Green\nboard square(1, 3)\npieces man of each, king of each\n'
            "move place(c in empty):\n    c := man[mover]\nmove crown(c in empty):\n    c := king[mover]\n"
            "draw when no empty\n")
    game = dslgame.loads(text + 'show man as "+", man[Blue] as "o" in pink, man[Green] as "@", king[Blue] drawn ring\n')
    pieces = game.rules.pieces[1:]
    assert [piece.glyph for piece in pieces[:3]] == ["+", "o", "@"]
    assert [piece.colour for piece in pieces[:3]] == ["red", "pink", "green"]
    assert [piece.shape == "ring" for piece in pieces[3:]] == [False, True, False]
    assert len({piece.glyph for piece in pieces}) == 6
    shown = dslgame.loads(text + 'show man as "q"\n').rules.pieces[1:4]
    assert [piece.glyph for piece in shown[:2]] == ["q", "Q"]
    assert shown[2].glyph not in "qQ"


def test_board_leaves_out_cells_by_definitions() -> None:
    """`without` knows params and definitions, on the full board."""
    game = dslgame.loads(
        'game "G"\nparam cut = 1 in 0..2\nplayers Red, Blue\n'
        "board square(3, 4) without {c in cells where corner(c)} + odd + {c in cells where wide(c)}\n"
        "pieces red of Red, blue of Blue\n"
        "define corner(c) = c.row = 0 and near(c, 0)\ndefine near(c, k) = c.column <= k + cut - 1\n"
        'define odd = {"c2"}\ndefine wide(c) = c.row = 2 and count(neighbours(c)) < 3\n'
        "move place(c in empty):\n    c := own\ndraw when no empty\n")
    assert game.board.names == ("b3", "c3", "d3", "a2", "b2", "d2", "b1", "c1")


def test_drawing_shows_variables() -> None:
    """Variables of cells are shown after the pieces, the others below the board."""
    position = started(
        "var load[cell] in 0..9",
        "var score[player] in 0..9",
        start_of('"a1" := red', 'load["a1"] := 3', 'load["b1"] := 2', "score[Blue] := 7"),
        PLACE,
        board="square(1, 3)",
    )
    assert str(position).splitlines() == ["1 R3 2  .", "  a  b  c", "score: Red=0, Blue=7"]
    assert position.game.position_text(position.state) == "R.. Red load=3,2,0 score=0,7"


def test_position_text_tells_positions_apart() -> None:
    """Long glyphs are separated by commas, and the turn is included if a pie rule needs it."""
    long = started(
        start_of('"a1" := red', '"b1" := blue'), PLACE, 'show red as "x"', 'show blue as "xx"', board="square(1, 3)"
    )
    assert long.game.position_text(long.state) == "x,xx,. Red"
    counted = started(PLACE, "pass", *PIE, board="square(1, 3)")
    texts = [counted.game.position_text(played(counted, moves).state) for moves in ("", "pass pass", "pass")]
    assert texts == ["... Red turn=0", "... Red turn=2", "... Blue turn=1"]
