"""The sentences of the language, one by one: what is on the table, what a move does, whose turn it is, how a game ends.

Each test is one small game text and what must happen in it, worked out by hand. Expressions are tested in
`test_language_values`, mistakes in game files elsewhere.
"""

from __future__ import annotations

import pytest

import dslgame
from dsl.diagnostics import GameFileError
from dslgame import IllegalMove, RuleError
from interpreter.state import DRAW
from tests.probe import PLACE, loaded, named, played, start_of, started

STRIP = "square(1, 5)"
"""Five cells in a row, a1 to e1."""

# ---- params


def test_param_has_its_default_or_the_given_value() -> None:
    """Numbers in the rules, the board and the ranges follow."""
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
    """`rows` is the number where a number is wanted, and the set to choose from after `in`."""
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
    """One, two or more; then the first again."""
    for names in ("Solo", "Red, Blue", "Ann, Bob, Cid"):
        position = started(PLACE, players=names)
        movers = []
        for text in ("a1", "b1", "c1", "a2"):
            movers.append(position.to_move)
            position = position.play(text)
        order = names.split(", ")
        assert movers == [order[turn % len(order)] for turn in range(4)]


def test_theirs_are_the_pieces_of_everybody_else() -> None:
    """With three players those of two; pieces of nobody are neither mine nor theirs."""
    position = started(
        start_of('"e1" := stone'),
        "move place(c in empty) when no theirs or count(theirs) = 2:\n    c := own",
        "move wait when count(theirs) = 1:\n    \"e1\" := own",
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
    """One kind for each: `man` is the cells of all, `man[p]` one player's piece; several lines of pieces add up."""
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
    assert position.play("crown:a1").pieces == {"a1": "king", "d1": "king"}


def test_own_needs_one_piece_for_each_player() -> None:
    """Two kinds, or none for somebody, are refused."""
    for pieces in ("man of each, king of each", "man of Red"):
        with pytest.raises(GameFileError, match="G308"):
            dslgame.loads(f'game "G"\nplayers Red, Blue\nboard square(2, 2)\npieces {pieces}\n{PLACE}')


# ---- boards


def test_square_board() -> None:
    """Four neighbours; eight directions; chess-like names from the bottom left."""
    game = loaded(PLACE)
    assert game.board.names == ("a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1")
    assert game.start().moves() == game.board.names


def test_rhombus_board() -> None:
    """Six neighbours, the acute corners at the top left and the bottom right; rows are counted from the top."""
    position = started("move place(c in neighbours(\"b2\")):\n    c := own", "draw when no empty", board="rhombus(3, 3)")
    assert set(position.moves()) == named("b1 c1 a2 c2 a3 b3")
    joined = started(PLACE, 'win Red when joined(red, top, bottom)', board="rhombus(3, 3)")
    assert played(joined, "c1 a1 b2 c3 a3").outcome == "Red"
    assert played(joined, "a1 c1 b2 a3 c3").outcome is None


def test_hexagon_board() -> None:
    """Columns of side to 2 side - 1 cells; rows are counted within a column."""
    game = loaded(PLACE, board="hexagon(2)")
    assert game.board.names == ("a1", "a2", "b1", "b2", "b3", "c1", "c2")
    position = started("move go(d in directions):\n    \"b2\".d := own", "draw when no empty", board="hexagon(2)")
    ends = {text: next(iter(position.play(text).pieces)) for text in position.moves()}
    assert ends == {
        "north": "b1", "northeast": "c1", "southeast": "c2", "south": "b3", "southwest": "a2", "northwest": "a1",
    }  # fmt: skip


def test_graph_board() -> None:
    """Cells by first mention; a path makes neighbours, a line with one name a cell alone; names may be numbers."""
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
    """There is nothing to have a value for."""
    with pytest.raises(GameFileError, match="G215"):
        dslgame.loads(
            'game "G"\nplayers Red, Blue\nboard graph:\n    p - q\npieces red of Red, blue of Blue\n'
            f"var v[{index}] in 0..1\n{PLACE}"
        )


def test_board_without_cells() -> None:
    """The rest keep their names, rows and columns; regions lose what is gone; steps end at the hole."""
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
    """Letters, capitals and numbers, from either end; the rules name cells so as well."""
    position = started('coordinates "{row:A up}/{column:0 up}"', start_of('"C/2" := stone'), PLACE)
    assert position.moves() == ("C/1", "C/0", "B/2", "B/1", "B/0", "A/2", "A/1", "A/0")


def test_unknown_cell_is_refused() -> None:
    """A name that the board does not have is found when the board is built."""
    with pytest.raises(GameFileError, match="G234"):
        started(start_of('"d9" := stone'), PLACE)


# ---- variables


def test_variables_of_every_index_and_sort() -> None:
    """First values: the least number, none where it may be, else the first; an index gives one for each."""
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
    """The same cells with another value are another position."""
    position = started("var n in 0..9", "move place(c in empty, k in 1..2):\n    c := own\n    n += k", "draw when n > 5")
    assert position.play("a1-1").pieces == position.play("a1-2").pieces
    assert position.play("a1-1") != position.play("a1-2")


def test_variables_of_cells_stay_when_pieces_are_carried() -> None:
    """`carry` moves the piece and nothing else."""
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
    """Of params and of the board, also by going over a set."""
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
        ("var v in cells = \"a1\"", "v := v.north", "G401", "would become none"),
        ("var v in players or none\nvar w in players", "w := v", "G401", "would become none"),
        ("var v in 0..9 or none\nvar w in 0..9", "w := v + 1", "G406", "none"),
    ],
)
def test_variable_that_leaves_its_range_stops_the_game(declaration: str, effect: str, code: str, says: str) -> None:
    """The error says which value, where in the file, and shows the position and the moves."""
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
    """Later effects see earlier ones; sets, variables, loops and conditions may be used, nobody's `mine` and `own`."""
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
    """Nothing falls and nobody has won before the first move."""
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
    """A game whose first player cannot move is over before it begins."""
    move = "move place(c in theirs):\n    c := own"
    later = start_of('"a1" := red')
    assert started(later, move, "no moves loses").outcome == "Blue"
    assert started(later, move, "no moves wins").outcome == "Red"
    assert started(later, move, "no moves draws").outcome == "draw"


# ---- moves and choices


def test_moves_come_in_file_order_then_by_choices() -> None:
    """The first choice changes slowest; cells come in board order, numbers and the rest in theirs."""
    position = started(
        "var n in 0..99",
        "move second(k in 1..2, b in boolean):\n    n += k if b",
        "move first(c in top, d in orthogonals where c.d is empty and d != south):\n    c := own\n    c.d := own",
        "draw when n > 9",
    )
    assert position.moves() == (
        "second:1-no", "second:1-yes", "second:2-no", "second:2-yes",
        "first:a3-east", "first:b3-east", "first:b3-west", "first:c3-west",
    )  # fmt: skip


def test_choices_of_every_sort() -> None:
    """Players, pieces, directions, words, rows and columns can be chosen; they are written by name."""
    position = started(
        "values mood = warm, cold",
        "move act(p in players, q in pieces where q != stone, m in mood, r in rows, k in columns where r + k = 3):\n"
        "    cell(r, k) := q if p = mover\n    cell(k, r) := stone if m = cold",
        "draw when no empty",
    )
    assert position.moves()[:4] == ("Red-R-warm-1-2", "Red-R-warm-2-1", "Red-R-cold-1-2", "Red-R-cold-2-1")
    assert len(position.moves()) == 2 * 2 * 2 * 2
    assert position.play("Red-R-cold-1-2").pieces == {"c2": "red", "b1": "stone"}


def test_later_choice_sees_earlier_ones() -> None:
    """In its set and in its `where`; a guard sees only what is bound."""
    position = started(
        start_of('"b2" := red'),
        "move jump(c in mine, d in neighbours(c), e in neighbours(d) - c where e.row = c.row or e.column = c.column):\n"
        "    carry c to e\n    d := stone",
        "draw when no empty",
        board="square(5, 5) ",
    )
    assert set(position.moves()) == {"b2-a2-" + x for x in ()} | {"b2-b3-b4", "b2-c2-d2"}


def test_when_switches_a_move_on_and_off() -> None:
    """It is asked once, before any choice."""
    position = started(
        "move place(c in empty) when count(occupied) < 2:\n    c := own",
        "move lift(c in occupied) when count(occupied) = 2:\n    c := empty",
        "draw when no moves for anyone",
        "repetition draws",
        board="square(1, 3)",
    )
    assert position.moves() == ("place:a1", "place:b1", "place:c1")
    assert played(position, "place:a1 place:c1").moves() == ("lift:a1", "lift:c1")


def test_move_without_choices() -> None:
    """It is written by its name."""
    position = started("var n in 0..9", "move wait:\n    n += 1", "move hop when n > 0:\n    n += 2", "draw when n > 3")
    assert position.moves() == ("wait",)
    assert played(position, "wait hop").moves() == ("wait", "hop")
    assert played(position, "wait hop wait").outcome == "draw"


def test_unordered_choice_takes_each_pair_once() -> None:
    """Different elements, in board order; any order is understood; three work as well."""
    position = started("move pair({a, b} in top):\n    a := own\n    b := stone", "draw when no empty and true")
    assert position.moves() == ("a3-b3", "a3-c3", "b3-c3")
    assert position.play("c3-a3").played == ("a3-c3",)
    assert position.play("c3-a3").pieces == {"a3": "red", "c3": "stone"}
    with pytest.raises(IllegalMove):
        position.play("a3-a3")
    triple = started("move three({a, b, d} in cells where d != \"c1\"):\n    {a, b, d} := own", "draw when no empty")
    assert len(triple.moves()) == 56  # of the 84 triples, 28 have the last cell in them
    assert triple.play("b3-a3-c3").play("c3-b3-a3").pieces == {"a3": "blue", "b3": "blue", "c3": "blue"}


def test_unordered_choice_of_too_few_gives_no_move() -> None:
    """Two different elements of a set of one."""
    position = started(
        start_of('"a1" := stone'),
        "move pair({a, b} in stone):\n    {a, b} := own",
        "move place(c in empty):\n    c := own",
        "draw when no empty",
    )
    assert all(text.startswith("place:") for text in position.moves())


def test_choices_before_and_after_an_unordered_one() -> None:
    """Their places in the text stay theirs."""
    position = started(
        start_of("top := stone"),
        "move swap_in(k in 1..2, {a, b} in stone, c in empty):\n    {a, b} := own\n    c := stone if k = 1",
        "draw when no stone",
    )
    assert position.moves()[0] == "1-a3-b3-a2"
    assert position.play("1-b3-a3-a2") == position.play("1-a3-b3-a2")
    with pytest.raises(IllegalMove):
        position.play("b3-1-a3-a2")


# ---- effects


def test_effects_happen_in_order() -> None:
    """Each sees what those before it left."""
    position = started(
        "var n in 0..9",
        "move place(c in empty):\n    n := count(empty)\n    c := own\n    n -= count(empty)\n    n := n * 5 + count(mine)",
        "draw when no empty and n > 0",
    )
    assert position.play("a1").variables == {"n": 6}


def test_set_of_cells_is_assigned_at_once() -> None:
    """The set is taken before any of its cells changes; braces list cells; nothing in them is left out."""
    position = started(
        "move fill(c in empty):\n    (neighbours(c) and empty) := own\n    {c, c.north, c.south} := stone",
        "draw when no empty",
    )
    assert position.play("a1").pieces == {"a1": "stone", "a2": "stone", "b1": "red"}


def test_assignment_replaces_what_was_there() -> None:
    """A cell holds one piece; `empty` clears it; the piece of another cell may be put."""
    position = started(
        start_of('"a1" := blue', '"b1" := stone'),
        'move act:\n    "a1" := own\n    "c1" := piece("b1")\n    "b1" := empty\n    "a2" := piece("c3")',
        "draw when no empty",
    )
    assert position.play("act").pieces == {"a1": "red", "c1": "stone"}


def test_guarded_effect_and_conditional_value() -> None:
    """`x := v if P` may do nothing; `x := v if P else w` always does something."""
    position = started(
        "var n in 0..9 = 5",
        "var m in 0..9",
        "move place(c in empty):\n    c := own if c is top\n    n += 1 if c is left\n    n -= 2 if c is right\n"
        "    m := 3 if c is top else 4",
        "draw when no empty and n + m > 0",
    )
    assert (position.play("a3").pieces, position.play("a3").variables) == ({"a3": "red"}, {"n": 6, "m": 3})
    assert (position.play("c1").pieces, position.play("c1").variables) == ({}, {"n": 3, "m": 4})


@pytest.mark.parametrize("effect", ["c.west := own", "carry c to c.west", "carry c.west to c", "c := piece(c.west)"])
def test_effect_on_no_cell_is_a_rule_error(effect: str) -> None:
    """Where a step has left the board."""
    position = started(f"move act(c in empty):\n    {effect}", "draw when no empty")
    with pytest.raises(RuleError) as caught:
        position.play("a1")
    assert caught.value.code == "G401"


def test_carry() -> None:
    """Whatever stands there goes, over what was there; from an empty cell nothing goes; in place nothing changes."""
    position = started(
        start_of('"a1" := blue', '"b1" := stone'),
        "move push(c in bottom, d in bottom + left where d.row = 2 or c.row = 2):\n    carry c to d",
        "draw when no empty",
    )
    assert position.play("a1-b1").pieces == {"b1": "blue"}
    assert position.play("c1-b1").pieces == {"a1": "blue"}
    assert position.play("a1-a1").pieces == {"a1": "blue", "b1": "stone"}
    assert position.play("a1-a3").pieces == {"a3": "blue", "b1": "stone"}


def test_slide() -> None:
    """Every piece of the set one step; what leaves the set is lost, what would come from outside does not."""
    position = started(
        start_of('"a2" := red', '"b2" := blue', '"c2" := stone', '"b1" := stone', '"a1" := blue'),
        "move east:\n    slide row(1) east",
        "move west:\n    slide row(1) west",
        "move north:\n    slide {\"a2\", \"b2\", \"b1\"} north",
        "move all:\n    slide cells northeast",
        "move some_way(d in diagonals):\n    slide top d",
        "draw when no occupied",
    )
    assert position.play("east").pieces == {"b2": "red", "c2": "blue", "a1": "blue", "b1": "stone"}
    assert position.play("west").pieces == {"a2": "blue", "b2": "stone", "a1": "blue", "b1": "stone"}
    assert position.play("north").pieces == {"b2": "stone", "c2": "stone", "a1": "blue"}
    assert position.play("all").pieces == {"b3": "red", "c3": "blue", "c2": "stone", "b2": "blue"}
    assert position.play("some_way:northeast").pieces == position.pieces


def test_each() -> None:
    """In board order; the set is taken before the first change, the effects see all changes so far."""
    position = started(
        "var order[cell] in 0..9",
        "var n in 0..9",
        "move go:\n    each c in empty where c is corners:\n        n += 1\n        order[c] := n\n        cells := stone",
        "draw when no empty and sum(order) > 0",
    ).play("go")
    assert position.variables == {"order": (1, 0, 2, 0, 0, 0, 3, 0, 4), "n": 4}
    assert set(position.pieces.values()) == {"stone"}
    spread = started(
        "move go:\n    each c in cells where c.west is not mine:\n        c := own", "draw when no empty", board=STRIP
    )
    assert len(spread.play("go").pieces) == 5  # `where` is settled before the first effect, too
    players = started(
        "var n[player] in 0..9",
        "move go:\n    each p in players:\n        n[p] := 1 if p = mover else 2\n    each k in 1..3:\n        n[Red] += k",
        "draw when sum(n) > 0",
    )
    assert players.play("go").variables == {"n": (7, 2)}


def test_if_else() -> None:
    """The first that holds; `else if` chains; without `else` nothing happens."""
    position = started(
        "var n in 0..9",
        "move go(c in cells):\n    if c is top:\n        n := 1\n    else if c is left:\n        n := 2\n"
        "        if c is bottom:\n            n += 3\n    else:\n        n := 7\n    if c is right:\n        n += 1",
        "draw when n > 8",
    )
    values = {text: position.play(text).variables["n"] for text in position.moves()}
    assert values == {"a3": 1, "b3": 1, "c3": 2, "a2": 2, "b2": 7, "c2": 8, "a1": 5, "b1": 7, "c1": 8}


# ---- then


def test_then_sees_the_effects_so_far() -> None:
    """A further choice from the board as the first effects left it, in the same move."""
    position = started(
        start_of('"a1" := red'),
        "move arrow(c in mine, d in neighbours(c) and empty):\n    carry c to d\n"
        "    then e in neighbours(d) and empty:\n        e := stone",
        "draw when no empty",
    )
    assert set(position.moves()) == named("a1-a2-a1 a1-a2-a3 a1-a2-b2 a1-b1-a1 a1-b1-b2 a1-b1-c1")
    after = position.play("a1-a2-a1")
    assert after.pieces == {"a2": "red", "a1": "stone"}
    assert after.to_move == "Blue"


def test_then_can_be_nested_and_take_several() -> None:
    """Each sees all before it; a first choice that allows no further one is no move."""
    position = started(
        "move chain(c in top):\n    c := own\n    then d in neighbours(c) where d.row = 1, k in 1..2:\n        d := stone\n"
        "        then {e, f} in empty and column(c.column) + bottom where k = 1 or e.row = f.row:\n            {e, f} := own",
        "draw when no empty",
    )
    assert "a3-a2-1-a1-b1" in position.moves()
    assert position.play("a3-a2-2-b1-a1").pieces == {"a3": "red", "a2": "stone", "a1": "red", "b1": "red"}
    stuck = started(
        "move twice(c in empty):\n    c := own\n    then d in neighbours(c) and stone:\n        d := own",
        "move once(c in empty):\n    c := own",
        start_of('"a1" := stone'),
        "draw when no empty",
    )
    twice = [text for text in stuck.moves() if text.startswith("twice")]
    assert twice == ["twice:a2-a1", "twice:b1-a1"]


def test_then_does_not_change_the_position_it_tries() -> None:
    """Looking for moves leaves everything as it was."""
    position = started(
        "var n in 0..1",
        "move act(c in empty):\n    c := own\n    n := 1\n    then d in empty where n = 1:\n        d := own\n        n := 0",
        "draw when no empty",
    )
    before = position.state
    assert len(position.moves()) == 72
    assert position.state == before
    assert position.variables == {"n": 0}


# ---- forced rules


def test_forced_rule_applies_until_it_cannot() -> None:
    """Gravity: a piece falls as far as it can, and what lies on it too."""
    position = started(
        "move drop(k in columns where cell(0, k) is empty):\n    cell(0, k) := own",
        "forced fall(c in occupied where c.south is empty):\n    carry c to c.south",
        "draw when no empty",
    )
    assert played(position, "0 0 2").pieces == {"a1": "red", "a2": "blue", "c1": "red"}


def test_forced_rules_start_again_from_the_first_at_the_first_place() -> None:
    """A log of what was applied: the first rule that can, the first cell in board order, again and again."""
    position = started(
        "var step in 0..9",
        "var at[cell] in 0..9",
        'move go:\n    "b1" := own\n    "d1" := own\n    "c1" := stone',
        "forced early(c in stone):\n    c := empty\n    step += 1\n    at[c] := step",
        "forced late(c in red where c.west is empty or c.east is empty) when step < 4:\n    c := stone\n    step += 1\n"
        "    at[c] := step",
        "draw when step > 0 and sum(at) > 0",
        board=STRIP,
    ).play("go")
    # early c1 (1), late b1 (2), early b1 (3), late d1 (4), early d1 (5)
    assert position.variables == {"step": 5, "at": (0, 3, 1, 5, 0)}
    assert position.pieces == {}


def test_forced_until_and_when_belong_to_their_rule() -> None:
    """While `until` holds the rule does not apply, the next one may."""
    position = started(
        "var a in 0..9",
        "var b in 0..9",
        "move go:\n    a := 1",
        "forced first when b < 3 until a >= 4:\n    a += 1",
        "forced second until b = 3:\n    b += 1\n    a -= 1 if b = 2",
        "draw when a > 8",
    ).play("go")
    # a climbs to 4, b becomes 1, then 2 and a drops to 3, a climbs to 4, b becomes 3
    assert position.variables == {"a": 4, "b": 3}


def test_forced_rule_keeps_the_mover() -> None:
    """`mine`, `own` and `mover` are of the player who moved, however long the cascade."""
    position = started(
        start_of('"e1" := blue', '"b1" := stone', '"c1" := stone'),
        "move place(c in empty):\n    c := own",
        "forced spread(c in stone where some (neighbours(c) and mine)):\n    c := own",
        "draw when no empty",
        board=STRIP,
    )
    assert position.play("a1").pieces == {"a1": "red", "b1": "red", "c1": "red", "e1": "blue"}
    assert position.play("d1").pieces == {"b1": "red", "c1": "red", "d1": "red", "e1": "blue"}


@pytest.mark.parametrize(
    "rule",
    [
        "forced still(c in red):\n    c := red",
        "forced turn(c in red):\n    c := stone\nforced back(c in stone):\n    c := red",
        'forced round(c in mine):\n    carry c to (c.east if c.east != none else "a1")',
    ],
)
def test_cascade_that_never_ends_is_a_rule_error(rule: str) -> None:
    """It names a rule and shows the moves."""
    position = started("move place(c in empty):\n    c := own", rule, "draw when no empty", board=STRIP)
    with pytest.raises(RuleError, match=r"G408.*never ends(.|\n)*after the moves: c1"):
        position.play("c1")


def test_long_cascade_that_ends_is_no_error() -> None:
    """Counting down from far."""
    position = started(
        "var n in 0..4000",
        "move go:\n    n := 4000",
        "forced tick when n > 0:\n    n -= 1",
        "draw when some mine",
        "repetition draws",
        board=STRIP,
    )
    assert position.play("go").variables == {"n": 0}


# ---- illegal when


def test_illegal_when_looks_at_the_result() -> None:
    """After effects and forced rules; such moves are not offered and not accepted."""
    position = started(
        start_of('"b1" := stone'),
        "move place(c in empty):\n    c := own",
        "forced melt(c in stone where c.west is mine):\n    c := empty",
        "illegal when some (mine and corners) and some stone",
        "illegal when \"c1\" is mine",
        "draw when no empty",
        board=STRIP,
    )
    assert position.moves() == ("a1", "d1")  # e1 leaves the stone, c1 is refused by name, a1 melts the stone
    with pytest.raises(IllegalMove):
        position.play("e1")


def test_player_whose_every_move_is_illegal_has_none() -> None:
    """`no moves` and the legal moves agree."""
    for result, outcome in (("loses", "Red"), ("wins", "Blue"), ("draws", "draw")):
        position = started(PLACE, "illegal when mover = Blue", f"no moves {result}").play("a1")
        assert position.outcome == outcome
        assert position.moves() == ()


# ---- turns


def test_pass() -> None:
    """A move without effects, written `pass`; with `when`, only then."""
    position = started(PLACE, "pass when some theirs")
    assert "pass" not in position.moves()
    position = position.play("a1")
    assert position.moves()[-1] == "pass"
    passed = position.play("pass")
    assert passed.to_move == "Red"
    assert passed.pieces == position.pieces
    assert "pass" in started(PLACE, "pass").moves()


def test_pass_leaves_out_forced_and_illegal() -> None:
    """Steps 2 to 4 are left out: nothing falls and nothing is taken back; ends are asked."""
    position = started(
        start_of('"a3" := stone'),
        PLACE,
        "pass",
        "forced fall(c in stone where c.south is empty):\n    carry c to c.south",
        "illegal when no mine",
        "win opponent when some theirs and no mine",
    )
    assert position.play("pass").pieces == {"a3": "stone"}
    assert played(position, "a1 pass").outcome == "Red"


def test_turn_again() -> None:
    """The same player moves while any of the conditions holds after the move."""
    position = started(PLACE, "turn again when count(empty) = 8", "turn again when \"b2\" is mine and count(mine) < 3")
    position = position.play("a1")
    assert position.to_move == "Red"
    assert position.play("c3").to_move == "Blue"
    assert position.play("b2").to_move == "Red"
    assert position.play("b2").play("c1").to_move == "Blue"


def test_turn_again_decides_before_the_ends_are_asked() -> None:
    """`no moves` asks for the player who is to move now."""
    position = started(
        "move place(c in empty and top) when mover = Red:\n    c := own",
        "turn again when count(mine) < 3",
        "lose mover when no moves",
        "no moves draws",
    )
    assert played(position, "a3 b3").to_move == "Red"
    assert played(position, "a3 b3 c3").outcome == "Blue"


PIE = ("pie rule after turn 1", "symmetry left right mirror swapping players")


def test_pie_rule() -> None:
    """After exactly one move the other player may swap: the image, with the pieces of the other; then the first is to move."""
    position = started(PLACE, *PIE)
    assert "swap" not in position.moves()
    position = position.play("a1")
    assert position.moves()[-1] == "swap"
    swapped = position.play("swap")
    assert swapped.pieces == {"c1": "blue"}
    assert swapped.to_move == "Red"
    assert "swap" not in swapped.moves()
    assert "swap" not in position.play("b1").moves()
    assert "swap" not in position.play("b1").play("c1").moves()


def test_pie_rule_after_other_turns_and_with_a_condition() -> None:
    """The turn is counted in moves, passes included; `when` is asked of the player who could swap."""
    later = started(PLACE, "pass", "pie rule after turn 2 when count(mine) < 2", "symmetry swapping players")
    assert [("swap" in played(later, moves).moves()) for moves in ("", "a1", "a1 b1", "a1 b1 c1", "a1 pass")] == [
        False, False, True, False, True,
    ]  # fmt: skip
    assert played(later, "a1 b1 swap").pieces == {"a1": "blue", "b1": "red"}
    assert played(later, "a1 b1 swap").to_move == "Blue"
    never = started(PLACE, "pie rule after turn 1 when some mine", "symmetry swapping players")
    assert "swap" not in never.play("a1").moves()


def test_pie_rule_needs_a_symmetry() -> None:
    """One that swaps the players."""
    with pytest.raises(GameFileError, match="G309"):
        started(PLACE, "pie rule after turn 1", "symmetry half turn")


def test_swap_that_leaves_no_moves_is_decided() -> None:
    """The `no moves` rule holds after a swap as well."""
    position = started(
        'move place(c in empty) when mover = Blue or "b2" is empty and no occupied:\n    c := own',
        "pie rule after turn 1",
        "symmetry swapping players",
        "no moves loses",
    )
    assert position.play("a1").play("swap").outcome == "Blue"


# ---- ends


def test_first_end_that_holds_decides() -> None:
    """File order settles what is true of several."""
    both = ('win Red when "a1" is occupied', 'win Blue when "a1" is occupied or "b1" is occupied', "draw when some occupied")
    assert started("move place(c in empty):\n    c := own", *both).play("a1").outcome == "Red"
    assert started("move place(c in empty):\n    c := own", *both).play("b1").outcome == "Blue"
    assert started("move place(c in empty):\n    c := own", *both).play("c1").outcome == "draw"


@pytest.mark.parametrize(
    ("end", "outcome"),
    [
        ("win mover", "Red"),
        ("win opponent", "Blue"),
        ("win Red", "Red"),
        ("win Blue", "Blue"),
        ("lose mover", "Blue"),
        ("lose opponent", "Red"),
        ("lose Red", "Blue"),
        ("lose Blue", "Red"),
        ("draw", "draw"),
    ],
)
def test_end_names_who_wins(end: str, outcome: str) -> None:
    """`mover` is who moved, also with `turn again`; a player who loses leaves the other the win."""
    for extra in ("", "turn again when true"):
        position = started("move place(c in empty):\n    c := own", f"{end} when \"a1\" is mine", extra).play("a1")
        assert position.outcome == outcome
        assert position.over
        assert position.moves() == ()


def test_end_sees_forced_rules_but_not_what_was_before() -> None:
    """Ends are asked once, at the end of the step."""
    position = started(
        "move drop(k in columns where cell(0, k) is empty):\n    cell(0, k) := own",
        "forced fall(c in occupied where c.south is empty):\n    carry c to c.south",
        "win Red when some (red and bottom)",
        "win Blue when some (red and top)",
    )
    assert position.play("0").outcome == "Red"


def test_lone_player_wins_or_ends_without_a_winner() -> None:
    """A puzzle is solved or not; what is lost alone is called a draw."""
    win = started("move place(c in empty):\n    c := own", 'win Solo when "a1" is mine', 'lose Solo when "b1" is mine', players="Solo")
    assert win.play("a1").outcome == "Solo"
    assert win.play("b1").outcome == "draw"
    assert win.play("b1").state.outcome == DRAW
    assert win.play("c1").to_move == "Solo"


# ---- no moves


ONCE = 'move place(c in empty) when mover = Red or count(empty) < 8:\n    c := own'
"""Blue cannot answer the first move."""


def test_no_moves_rule() -> None:
    """The player who is to move and cannot: loses, wins, draws, or has to pass."""
    assert started(ONCE, "no moves loses").play("a1").outcome == "Red"
    assert started(ONCE, "no moves wins").play("a1").outcome == "Blue"
    assert started(ONCE, "no moves draws").play("a1").outcome == "draw"
    position = started(ONCE, "draw when no empty", "no moves passes").play("a1")
    assert not position.over
    assert position.moves() == ("pass",)
    assert position.play("pass").to_move == "Red"
    assert len(position.play("pass").moves()) == 8


def test_no_moves_as_a_condition() -> None:
    """Of the player who is to move next; ends go before the `no moves` rule."""
    assert started(ONCE, "lose mover when no moves").play("a1").outcome == "Blue"
    assert started(ONCE, "win opponent when no moves and some mine", "no moves loses").play("a1").outcome == "Blue"
    assert started(ONCE, "win opponent when no moves and some theirs", "no moves loses").play("a1").outcome == "Red"


def test_no_moves_for_anyone() -> None:
    """True when nobody could move if it were their turn."""
    position = started(ONCE, "draw when no moves for anyone", "no moves passes", board="square(1, 9)")
    assert not position.play("a1").over
    moves = "a1 pass b1 c1 d1 e1 f1 g1 h1"
    assert not played(position, moves).over
    assert played(position, moves + " i1").outcome == "draw"


def test_pass_counts_as_a_move() -> None:
    """A player who may pass is not stuck."""
    position = started(ONCE, "pass when mover = Blue", "no moves loses").play("a1")
    assert not position.over
    assert position.moves() == ("pass",)


def test_player_without_a_move_and_without_a_rule_is_a_rule_error() -> None:
    """Nobody said what happens; so too when all have to pass."""
    with pytest.raises(RuleError, match="G407.*Blue has no move"):
        started(ONCE, "draw when no empty").play("a1").moves()
    everyone = started("move place(c in empty) when no occupied:\n    c := own", "draw when no empty", "no moves passes")
    with pytest.raises(RuleError, match="G407"):
        everyone.play("a1").moves()


# ---- repetition

WALK = (
    start_of('"a1" := red', '"e1" := blue'),
    "move step(c in mine, d in neighbours(c) and empty):\n    carry c to d",
    "no moves loses",
)
ROUND = "a1-b1 e1-d1 b1-a1 d1-e1"


def test_repetition_draws() -> None:
    """The first position that comes back, with the same player to move, ends the game."""
    position = started(*WALK, "repetition draws", board=STRIP)
    assert not played(position, "a1-b1 e1-d1 b1-a1").over
    assert played(position, ROUND).outcome == "draw"
    assert played(position, ROUND).moves() == ()


def test_repetition_loses() -> None:
    """Whoever brings the position back loses."""
    assert started(*WALK, "repetition loses", board=STRIP, moves=ROUND).outcome == "Red"


def test_repetition_forbidden() -> None:
    """The move that would bring it back is not legal; another position's history does not matter."""
    position = started(*WALK, "repetition forbidden", board=STRIP, moves="a1-b1 e1-d1 b1-a1")
    assert position.moves() == ("d1-c1",)
    with pytest.raises(IllegalMove):
        position.play("d1-e1")
    with pytest.raises(IllegalMove, match="repeats an earlier position"):
        position.play(started(*WALK, board=STRIP, moves="a1-b1 e1-d1 b1-a1").find("d1-e1"))


def test_repetition_forbidden_refuses_what_changes_nothing() -> None:
    """The position before the move counts as an earlier one."""
    puzzle = started(
        "move place(c in cells):\n    c := own", "win Solo when no empty", "repetition forbidden", players="Solo", board=STRIP
    )
    assert puzzle.play("a1").moves() == ("b1", "c1", "d1", "e1")


def test_without_a_rule_positions_may_repeat() -> None:
    """Play goes on."""
    position = started(*WALK, board=STRIP, moves=f"{ROUND} {ROUND} {ROUND}")
    assert not position.over
    assert position == started(*WALK, board=STRIP)


def test_ends_go_before_repetition() -> None:
    """A position that ends the game is not looked up."""
    position = started(
        *WALK, 'win Blue when "a1" is red and "e1" is blue', "repetition draws", board=STRIP, moves=ROUND
    )
    assert position.outcome == "Blue"


def test_repetition_looks_at_variables() -> None:
    """The same cells with another value are no repetition."""
    walk = (WALK[0], "var n in 0..99", "move step(c in mine, d in neighbours(c) and empty):\n    carry c to d\n    n += 1")
    assert not started(*walk, "draw when n > 90", "repetition draws", board=STRIP, moves=ROUND).over


# ---- symmetry


def test_symmetry_maps_cells_and_variables() -> None:
    """By index and by value: cells, rows, columns, directions turn with the board; a range turns around when reversed."""
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
    """A quarter turn takes values along in the direction in which cells go; a mirror moves columns and leaves rows."""
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
        "var lane in rows = 2", "var track in columns = 0", PLACE, "draw when lane = track", "symmetry left right mirror"
    )
    mirrored = start.__class__(lanes, lanes.symmetries[1].of_state(lanes.start().state))
    assert mirrored.variables == {"lane": 2, "track": 2}


def test_symmetry_swapping_players() -> None:
    """Pieces change hands in their order, and so do turns, outcomes, and what belongs to players."""
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
    """What is declared generates a group; `canonical` gives all images the same representative."""
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
    """A quarter turn of an oblong; rows that would become columns under a variable."""
    with pytest.raises(GameFileError, match="G306"):
        started(PLACE, "symmetry quarter turn", board="square(2, 3)")
    with pytest.raises(GameFileError, match="G306"):
        started("var used[row] in 0..3", PLACE, "draw when sum(used) > 0", "symmetry diagonal mirror")


# ---- notation


def test_notation_with_styles_and_several_forms() -> None:
    """The first form is written, all are read; numbers as letters or counted from 1; expressions see the choices."""
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
    """Cells, pieces as drawn, players, directions, words and conditions."""
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
    """What is written is about the choices, not their effects; `then` choices are in it."""
    position = started(
        start_of('"a1" := stone'),
        "move hop(c in occupied):\n    c := own\n    then d in empty and bottom:\n        carry c to d",
        "draw when no empty",
        'notation hop "{piece(c)}{c}-{d}"',
    )
    assert position.moves() == ("Sa1-b1", "Sa1-c1")


def test_default_notation_and_special_moves() -> None:
    """The move's name where there are several; `pass` and `swap` can be written otherwise."""
    position = started(
        "move place(c in empty):\n    c := own", "draw when no empty", "pass", 'notation pass "-"', 'notation swap "X!" or "swap"', *PIE
    )
    assert position.moves()[-1] == "-"
    assert position.play("-").moves()[-1] == "X!"
    assert position.play("a1").play("swap").pieces == {"c1": "blue"}
    with pytest.raises(IllegalMove):
        position.play("pass")


def test_capitals_count_only_where_it_makes_a_difference() -> None:
    """The exact text goes first; otherwise letters match in either case."""
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
    """A likely meaning, or some of the moves; the end of the game where it is over."""
    position = started("move place(c in empty):\n    c := own", "win mover when some mine")
    with pytest.raises(IllegalMove, match="not among the 9 legal moves") as caught:
        position.play("nowhere")
    assert caught.value.legal == position.moves()
    assert caught.value.text == "nowhere"
    with pytest.raises(IllegalMove, match=r"the game is over \(Red won\)"):
        position.play("a1").play("a2")


# ---- how it looks


def test_glyphs() -> None:
    """As `show` says, else the first free letter of the name; the second player's of `each` in the other case."""
    game = dslgame.loads(
        'game "G"\nplayers Red, Blue\nboard square(1, 6)\npieces rook of each, red of Red, blue of Blue, bird, robe\n'
        'start:\n    "a1" := rook[Red]\n    "b1" := rook[Blue]\n    "c1" := red\n    "d1" := blue\n    "e1" := bird\n'
        "move wait:\n    \"f1\" := robe\ndraw when no empty\n"
        'show rook as "r" in orange\nshow blue as "@"\nshow empty as "_"\nshow bird in "#00ff00"\n'
    )
    glyphs = [piece.glyph for piece in game.rules.pieces[1:]]
    assert glyphs[:4] == ["r", "R", "E", "@"]
    assert len(set(glyphs)) == len(glyphs)
    assert [piece.colour for piece in game.rules.pieces[1:]] == ["orange", "orange", "red", "blue", "#00ff00", ""]
    assert str(game.start()).splitlines()[0] == f"1 r R E @ {glyphs[4]} _"


def test_drawing_shows_variables() -> None:
    """Those of cells behind the pieces, the others below the board."""
    position = started(
        "var load[cell] in 0..9",
        "var score[player] in 0..9",
        start_of('"a1" := red', 'load["a1"] := 3', 'load["b1"] := 2', "score[Blue] := 7"),
        PLACE,
        board="square(1, 3)",
    )
    assert str(position).splitlines() == ["1 R3 .2 .", "  a  b  c", "score: 0 7"]
    assert position.game.position_text(position.state) == "R.. Red load=3,2,0 score=0,7"


# ---- histories


def test_positions_are_equal_whatever_led_to_them() -> None:
    """Their moves and history are kept and do not count."""
    start = started(PLACE)
    left, right = played(start, "a1 b1 c1 a2"), played(start, "c1 a2 a1 b1")
    assert left == right
    assert hash(left) == hash(right)
    assert left.played == ("a1", "b1", "c1", "a2")
    assert left.history[0] == right.history[0] == start.state
    assert len(left.history) == 4
