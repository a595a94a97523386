"""Positions as one line of text: how they are written, that they read back, and which texts are refused and why."""

from __future__ import annotations

import json
import random
import re
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dslgame
from dslgame import IllegalMove, ImpossiblePosition
from interpreter.game import Game, Position
from solver.certificates.checker import check, read
from solver.certificates.prove import certify
from tests.app.test_cli import run
from tests.discovery import GameCase, found_cases, found_oracle_cases
from tests.probe import PLACE, loaded, start_of

SEATS = "pie rule after turn 1 by seats"


def again(position: Position) -> Position:
    """The position read back from the text of a position."""
    return position.game.read_position(position.text)


def refusal(game: Game, text: str) -> str:
    """The reason why a text is refused as a position."""
    with pytest.raises(ImpossiblePosition) as caught:
        game.read_position(text)
    assert str(caught.value) == f"impossible position '{text}': {caught.value.reason}"
    return caught.value.reason


# ---- what is written


def test_everything_of_a_position_is_in_its_line() -> None:
    """The text has the cells row by row, the player to move, variables in order, links, the turn and the seats."""
    game = loaded(
        "values mood = warm, cold",
        "links road between c and neighbours(c)",
        "var used[cell] in boolean",
        "var score[player] in -3..9",
        "var last in cells or none",
        "var way in directions",
        "var kept in pieces",
        "var leader in players = Blue",
        "var now in mood",
        "move place(c in empty):\n    c := own\n    used[c] := true\n    score[mover] -= 1\n    last := c\n"
        "    way := south\n    kept := own\n    now := cold\n    each n in neighbours(c) and mine:\n"
        "        link c to n by road",
        "draw when no empty and (used[last] or score[leader] > 0 or way = north or kept = red or now = warm or"
        " linked(last, last.north, road))",
        SEATS,
        board="square(2, 2)",
    )
    start = game.start()
    assert start.text == ("../.. Red used=no,no,no,no score=-3,-3 last=none way=north kept=. leader=Blue now=warm "
                          "road= turn=0 seats=kept")
    assert again(start) == start
    game = dslgame.loads(game.rules.source.text.replace("-3..9", "-9..9 = 0"))
    position = game.start().play("a2").play("swap").play("b1").play("a1")
    assert position.text == ("R./RB Red used=yes,no,yes,yes score=-2,-1 last=a1 way=south kept=R leader=Blue now=cold "
                             "road=a2-a1 turn=2 seats=exchanged")
    assert again(position) == position
    assert again(position).moves() == position.moves() == ("b2",)


@pytest.mark.parametrize(("shows", "text"), [
    (('show red as "/"',), "/.|.B Red"),
    (('show red as "|"',), "|./.B Red"),
    (('show red as "/"', 'show blue as "|"'), "/.!.| Red"),
    (('show red as "r,r"',), "r,r;./.;B Red"),
    (('show red as "RR"', 'show empty as "/"'), "RR,/|/,B Red"),
    (('show red as "-"', 'show empty as "="'), "-=/=B Red"),
    (('show red as ","',), ",./.B Red"),
    (('show red as "\u2654"', 'show blue as "\u265a"'), "\u2654./.\u265a Red"),
])
def test_signs_between_cells_are_no_glyphs(shows: tuple[str, ...], text: str) -> None:
    """The separators between cells are chosen so that no glyph contains them."""
    game = loaded(PLACE, *shows, board="square(2, 2)")
    position = game.start().play("a2").play("b1")
    assert position.text == text
    assert again(position) == position


@pytest.mark.parametrize("coordinates", ["{column:a},{row:1}", "{column:a}-{row:1}", "{column:a}={row:1}"])
def test_names_of_cells_may_hold_signs(coordinates: str) -> None:
    """Names of cells with commas, dashes or equals signs read back in variables and in links."""
    game = loaded(
        f'coordinates "{coordinates}"',
        "links road between c and neighbours(c)",
        "var seen[player] in cells or none",
        "move place(c in empty):\n    c := own\n    seen[mover] := c\n    each n in neighbours(c):\n"
        "        link n to c by road",
        "draw when no empty or seen[Red] = seen[Blue] or linked(seen[Red], seen[Blue], road)",
        board="square(3, 3)",
    )
    position = game.start().play(game.board.names[4]).play(game.board.names[0])
    assert len(position.links["road"]) == 6
    assert again(position) == position


def test_links_and_variables_may_be_called_like_the_turn() -> None:
    """The fields of the pie rule are then called `pie.turn` and `pie.seats`."""
    game = loaded("links turn between c and neighbours(c)", "var seats in 0..9",
                  "move place(c in empty):\n    c := own\n    seats := seats + 1\n    each n in neighbours(c):\n"
                  "        link c to n by turn",
                  "draw when no empty or linked(\"a1\", \"a2\", turn) and seats > 3", SEATS, board="square(2, 2)")
    position = game.start().play("a1").play("swap")
    assert position.text == "../R. Red seats=1 turn=a2-a1,a1-b1 pie.turn=2 pie.seats=exchanged"
    assert again(position) == position
    assert refusal(game, "../.. pie.turn=4") == "the turn is 4, expected 0..2"
    assert refusal(game, "../.. pies=4") == "the game has no variable 'pies', expected seats, turn, pie.turn, pie.seats"


def test_graph_is_one_row() -> None:
    """Cells are in the order in which they are first named."""
    game = loaded(PLACE, board="graph:\n    a - b - c\n    d - a")
    position = game.start().play("c").play("d")
    assert position.text == "..RB Red"
    assert again(position) == position


def test_hexagon_is_read_by_its_rows() -> None:
    """A row is that of `row(r)`: one cell of each column that is long enough."""
    game = loaded(PLACE, board="hexagon(2)")
    position = game.start().play("b3").play("a1")
    assert position.text == "B../.../R Red"
    assert again(position) == position


def test_tiles_are_told_apart_in_variables() -> None:
    """In a position, tiles that share a glyph in move texts have distinct names."""
    tiles = 'tiles with a track of each player:\n    "+" joins north south, east west'
    game = loaded(tiles, "var last in pieces", "move lay(c in empty, t in tiles):\n    c := t\n    last := t",
                  'notation lay "{c}{t}{t.north}"', "value 1 if last = red else 0", "draw when no empty")
    position = game.start().play("a1+Blue")
    assert position.text == ".,.,./.,.,./+b,.,. Blue last=+b"
    assert again(position) == position


def test_repr_is_one_short_line() -> None:
    """The repr of a game, a position and a solution, for prompts, notebooks and failed tests."""
    game = dslgame.load("connect_four", rows=5, columns=5)
    assert repr(game) == "<Game 'Connect Four' rows=5 columns=5 length=4>"
    position = game.start().play("2")
    assert repr(position) == "<Position of 'Connect Four' after 1 ply: ...../...../...../...../.Y... Red>"
    large = repr(dslgame.load("go", size=19).start())
    assert large.endswith("...>")
    assert len(large) < 100
    solution = repr(dslgame.solve(dslgame.load("tic_tac_toe")))
    assert solution == "<Solution: to_move=0 winner=draw remoteness=9 moves=9 positions=5478 method=strong>"


# ---- games


@cache
def cases() -> list[GameCase]:
    """Each game once, with the smallest params that a test plays."""
    found: dict[str, GameCase] = {}
    for case in found_cases():
        found.setdefault(case.path.stem, case)
    for oracle in found_oracle_cases("reference"):
        case = found[oracle.oracle.name]
        found[oracle.oracle.name] = min(case, GameCase(case.path, oracle.params), key=lambda item: item.params == ())
    return list(found.values())


@pytest.mark.parametrize("case", [
    pytest.param(case, id=str(case), marks=() if number % 4 == 3 else pytest.mark.slow)
    for number, case in enumerate(cases())])
def test_positions_of_a_game_read_back(case: GameCase) -> None:
    """In a random game, including its end, every position reads back with the same moves and outcome."""
    chance, position = random.Random(case.path.stem), case.load().start()
    for _ in range(60):
        back = again(position)
        repeated = position.state._replace(outcome=None) in position.history  # which the text does not say
        assert back == position or repeated
        assert back.text == position.text
        if position.over:
            break
        assert back.legal() == position.legal() or position.game.rules.repetition == "forbidden"
        position = position.play(chance.choice(position.legal()))


@settings(max_examples=30)
@given(data=st.data())
def test_a_changed_line_is_refused_or_reads_back(data: st.DataObject) -> None:
    """Any text is either read as a position or refused with an ImpossiblePosition."""
    game = dslgame.load("twixt", rows=5, columns=5)
    position = game.start()
    for _ in range(data.draw(st.integers(0, 6))):
        if not position.over:
            position = position.play(data.draw(st.sampled_from(position.moves())))
    letters = list(position.text)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(letters) - 1))
        letters[at : at + data.draw(st.integers(0, 2))] = data.draw(st.text("RB./ =,-abc3kes", max_size=2))
    with suppress(ImpossiblePosition):
        found = game.read_position("".join(letters))
        assert again(found) == found


# ---- what may be left out


def test_what_is_left_out_has_its_first_value() -> None:
    """Defaults: the first player moves, variables have their initial values, and no swap is offered."""
    variables = "var score[player] in 0..9 = 4\nvar left_over in 0..9 = 7\nvalue sum(score) + left_over"
    game = loaded(PLACE, variables, SEATS)
    position = game.read_position(".../.R./...")
    assert position.to_move == "Red"
    assert position.variables == {"score": (4, 4), "left_over": 7}
    assert "swap" not in position.moves()
    assert "swap" in game.read_position(".../.R./... Blue turn=1").moves()
    assert game.read_position(".../.R./... blue score=1,2").variables == {"score": (1, 2), "left_over": 7}
    assert game.read_position(".../.../... turn=0") == game.start()
    assert not game.read_position(".../.R./...").history
    assert not game.read_position(".../.R./...").played


def test_start_of_pieces_is_not_kept() -> None:
    """The cells are those of the text, not of `start`."""
    game = loaded(start_of('"a1" := stone'), PLACE)
    assert game.read_position(".../.../...").pieces == {}
    assert again(game.start()) == game.start()


def test_end_is_asked() -> None:
    """Ends are checked as if the previous player had just moved."""
    game = dslgame.load("tic_tac_toe")
    assert game.read_position("XXX/OO./... O").outcome == "X"
    assert game.read_position("XXX/OO./...").outcome is None  # O has just moved, and has no line
    assert game.read_position("XOX/OXO/OXO").outcome == "draw"


def test_end_is_not_asked_of_the_start() -> None:
    """Ends are not checked at the start position, as no move has been made."""
    game = loaded(start_of('"a1" := red'), PLACE, "win mover when no theirs")
    assert game.start().outcome is again(game.start()).outcome is None
    assert game.read_position(".../.../R.. Blue").outcome == "Red"


def test_end_is_asked_of_who_can_have_moved_last() -> None:
    """With `turn again` the last mover may also be the player to move."""
    game = loaded("move place(c in empty):\n    c := own", "turn again when count(occupied) mod 2 = 1",
                  "win mover when line(mine, 3) or line(theirs, 3)", "draw when no empty")
    position = game.start()
    for move in ("a1", "b1", "c3", "c2", "c1"):
        position = position.play(move)
        assert again(position) == position
    assert (position.to_move, position.outcome, position.text) == ("Red", "Red", "..B/..B/RRR Red")


# ---- other ways to write a position


HANDS = ("pieces rook of each", "var hand[piece] in 0..3", "var seen[player, cell] in boolean",
         "move drop(c in empty, p in pieces where hand[p] > 0):\n    c := p\n    hand[p] -= 1\n"
         "    seen[mover, c] := true",
         start_of('"a1" := red', "hand[rook[Red]] := 2"), "no moves draws",
         "draw when no empty and (seen[Red, \"a1\"] or seen[Blue, \"a1\"])")


@pytest.mark.parametrize(("short", "whole"), [
    ("R2/3/1B1", "R../.../.B. Red hand=0,0,0,0,2,0"),
    ("1R./3/3 Blue", ".R./.../... Blue hand=0,0,0,0,2,0"),
    ("3/3/3 hand=1,2,3,0,1", ".../.../... Red hand=0,1,2,3,0,1"),
    ("3/3/3 hand[red]=1 hand[Blue rook]=3", ".../.../... Red hand=0,1,0,0,2,3"),
    ("3/3/3 Blue hand=1,1,1,1,1 hand[rook[Red]]=0 hand[rook Blue]=2", ".../.../... Blue hand=0,1,1,1,0,2"),
])
def test_empty_cells_are_counted_and_values_are_named(short: str, whole: str) -> None:
    """A number is so many empty cells, `hand[NAME]=VALUE` one value, and `empty` may be left out."""
    game = loaded(*HANDS)
    assert game.read_position(short).text.startswith(whole)


def test_a_pair_of_indices_is_named() -> None:
    """Of a variable with two indices a value is named by both, in their order."""
    game = loaded(*HANDS)
    position = game.read_position("3/3/3 seen[Blue, b2]=yes seen[Red a1]=yes")
    assert str(position).splitlines()[-1] == "seen: Red a1=yes, Blue b2=yes"


def test_digits_that_are_pieces_are_no_counts() -> None:
    """A number counts empty cells only where no piece is shown by it; among signs of several letters too."""
    game = loaded('show red as "2"', PLACE)
    assert game.read_position("2../1B1/3").text == "2../.B./... Red"
    game = loaded('show red as "rr"', PLACE)
    assert game.read_position("rr,2/.,B,./3") == game.read_position("rr2/1B1/3")
    assert game.read_position("rr2/1B1/3").text == "rr,.,./.,B,./.,.,. Red"


@pytest.mark.parametrize(("text", "reason"), [
    ("4/3/3", "row 1 has 4 cells, expected 3"),
    ("3/Q2/3", "row 2 has 'Q' for a2, expected one of ., R, B, S"),
    ("3/3/3 hand=1,2", "'hand' has 2 values, expected 6, one for each piece; or by name, as in hand[Blue rook]=1"),
    ("3/3/3 hand[bishop]=1", "'hand' has no value for 'bishop', expected a piece such as Blue rook"),
    ("3/3/3 hand[rook]=1", "'hand' has no value for 'rook', expected a piece such as Blue rook; did you mean 'rook'?"),
    ("3/3/3 hand[red]=4", "'hand' is 4, expected a number in 0..3"),
    ("3/3/3 hand[rook Red]=1 hand[rook[Red]]=2", "'hand[rook[Red]]' is given twice"),
    ("3/3/3 deck[red]=1", "the game has no variable 'deck' with an index, expected hand, seen"),
])
def test_named_values_are_refused(text: str, reason: str) -> None:
    """The error names the variable and what its indices are."""
    assert refusal(loaded(*HANDS), text).startswith(reason.partition("; did")[0])


def test_position_given_as_a_move_is_said_to_be_one() -> None:
    """A position among moves is refused with the option that takes it."""
    with pytest.raises(IllegalMove, match="this is a position, see --position"):
        dslgame.load("tic_tac_toe").start().play("XX1/OO1/3")


# ---- what is refused


SMALL = """
values mood = warm, cold
links road between c and neighbours(c) never crossing
links wire between c and leap(c, 1, 1) never crossing
var used[row] in 0..2
var now in mood
var last in cells or none
var leader in players

move place(c in empty):
    c := own

move build(c in mine, n in neighbours(c) where free(c, n, road)):
    link c to n by road

move hang(c in mine, n in leap(c, 1, 1) where free(c, n, wire)):
    link c to n by wire

draw when no empty or sum(used) > 5
draw when now = cold and last = "a1" and leader = Blue and (linked("a1", "a2", road) or linked("a1", "b2", wire))
"""

REFUSED = {
    "": "it is empty, expected the cells row by row, such as .../.../... Red used=0,0,0 now=warm last=none",
    "   ": "it is empty",
    ".../...": "it has 2 rows of cells, expected 3, with '/' between them",
    ".../.../.../...": "it has 4 rows of cells, expected 3, with '/' between them",
    ".........": "it has 1 rows of cells, expected 3, with '/' between them",
    ".../..../...": "row 2 has 4 cells, expected 3",
    ".../.../": "row 3 has 0 cells, expected 3",
    ".../.r./...": "row 2 has 'r' for b2, expected one of ., R, B, S",
    ".../.../..X": "row 3 has 'X' for c1, expected one of ., R, B, S",
    ".../.../... Green": "there is no player 'Green', expected Red or Blue",
    ".../.../... Bleu": "there is no player 'Bleu', expected Red or Blue; did you mean 'Blue'?",
    ".../.../... Red Blue": "found 'Blue', expected NAME=VALUES",
    ".../.../... used=0,0,0 Red": "found 'Red', expected NAME=VALUES",
    ".../.../... used=0,0": "'used' has 2 values, expected 3, one for each row",
    ".../.../... used=": "'used' has 1 values, expected 3, one for each row",
    ".../.../... used=0,0,3": "'used' is 3, expected a number in 0..2",
    ".../.../... used=0,0,-1": "'used' is -1, expected a number in 0..2",
    ".../.../... used=0,x,0": "'used' is x, expected a number in 0..2",
    ".../.../... used=0,0,none": "'used' is none, expected a number in 0..2",
    ".../.../... used=0,0,00000000000000000000000000000000":
        "'used' is 00000000000000000000000000000000, expected a number in 0..2",
    ".../.../... used=0,0,0 used=0,0,0": "'used' is given twice",
    ".../.../... now=hot": "'now' is hot, expected one of warm, cold",
    ".../.../... now=warm,cold": "'now' has 2 values, expected 1",
    ".../.../... last=d4": "'last' is d4, expected one of a3, b3, c3, a2, b2, c2, a1, b1, c1",
    ".../.../... leader=red": "'leader' is red, expected one of Red, Blue",
    ".../.../... road=a1-c3": "there can be no road 'a1-c3', expected two cells such as a3-b3",
    ".../.../... road=a1": "there can be no road 'a1', expected two cells such as a3-b3",
    ".../.../... road=,": "there can be no road '', expected two cells such as a3-b3",
    ".../.../... wire=a1-b2,a2-b1": "the wire a2-b1 crosses another",
    ".../.../... path=a1-a2": "the game has no variable 'path', expected used, now, last, leader, road, wire",
    ".../.../... turn=1": "the game has no variable 'turn', expected used, now, last, leader, road, wire",
    ".../.../... seats=kept": "the game has no variable 'seats'",
}


@pytest.mark.parametrize("text", REFUSED)
def test_text_is_refused(text: str) -> None:
    """The error says what was found and what was expected."""
    assert REFUSED[text] in refusal(loaded(SMALL), text)


@pytest.mark.parametrize(("text", "reason"), [
    ("... turn=3", "the turn is 3, expected 0..2"),
    ("... turn=-1", "the turn is -1, expected 0..2"),
    ("... turn=now", "the turn is now, expected 0..2"),
    ("... seats=changed", "the seats are changed, expected kept or exchanged"),
    ("... Red chairs=kept", "the game has no variable 'chairs', expected turn, seats"),
])
def test_turn_and_seats_are_refused(text: str, reason: str) -> None:
    """Turns out of range, unknown seats and unknown fields are refused."""
    assert refusal(loaded(PLACE, SEATS, board="square(1, 3)"), text) == reason


def test_unchanged_text_without_a_variable_is_refused_plainly() -> None:
    """The message lists no variables if the game has none."""
    assert refusal(loaded(PLACE), ".../.../... a=1") == "the game has no variable 'a'"


def test_what_is_forced_is_refused() -> None:
    """A position in which a forced rule still applies is refused, with the rule and its line."""
    game = dslgame.load("connect_four", rows=4, columns=4)
    assert "the forced rule 'fall' (line" in refusal(game, "..../Y.../..../.... Red")
    assert game.read_position("..../..../..../Y... Red").to_move == "Red"


def test_what_is_illegal_is_refused() -> None:
    """`illegal when` is checked for the previous player."""
    game = loaded(PLACE, "illegal when some c in theirs: no (neighbours(c) and empty)", "no moves draws")
    assert refusal(game, "RB./B../...").startswith("'illegal when' (line ")
    assert game.read_position("RB./B../... Blue").to_move == "Blue"


def test_start_is_a_position_whatever_the_rules_say_of_it() -> None:
    """Forced rules and `illegal when` do not apply to the start position."""
    sink = "forced sink(c in stone where c.south is empty):\n    carry c to c.south"
    game = loaded(start_of('"a3" := stone'), PLACE, sink, "illegal when no occupied")
    assert again(game.start()) == game.start()
    assert "'sink'" in refusal(game, ".../S../...")
    assert again(game.start().play("c1")) == game.start().play("c1")


@pytest.mark.parametrize("rule", ["pass", "turn again when count(mine) = 1"])
def test_last_mover_may_be_anybody_where_turns_are_kept_or_passed(rule: str) -> None:
    """A position in which a forced rule applies for one player may have arisen by the other's move."""
    game = loaded(rule, "move place(c in empty):\n    c := own",
                  "forced push(c in mine where c.east is empty):\n    carry c to c.east",
                  "draw when no empty", "repetition draws", board="square(1, 4)")
    chance = random.Random(3)
    for _ in range(30):
        position = game.start()
        while not position.over:
            assert again(position).text == position.text
            position = position.play(chance.choice(position.moves()))


def test_long_text_is_shortened_in_the_message() -> None:
    """Texts in messages are cut after 77 characters."""
    with pytest.raises(ImpossiblePosition) as caught:
        loaded(PLACE).read_position("." * 1000)
    assert str(caught.value).startswith(f"impossible position '{'.' * 77}...': it has 1 rows of cells, expected 3")
    assert caught.value.text == "." * 1000


# ---- unbounded boards


def test_unbounded_positions_are_their_extent() -> None:
    """Empty rows and columns around the pieces do not matter."""
    game = dslgame.load("trax")
    assert game.start().text == ". White"
    assert again(game.start()) == game.start()
    position = game.start().play("@0/").play("B1+")
    assert position.text == "/w,+w White"
    assert again(position) == position
    assert game.read_position(".,.,.,.|.,/w,+w,.|.,.,.,. White") == position
    assert game.read_position(".,.|.,.") == game.start()
    assert "would still apply" in refusal(game, "/w,+w|/b,. White")
    wide = ",".join(["."] * 37)
    assert refusal(game, wide) == "it has 1 rows of up to 37 cells, expected at most 32 of 32"


def test_uneven_rows_of_an_unbounded_board_are_refused() -> None:
    """All rows must be as long as the longest."""
    assert refusal(dslgame.load("trax"), "/w,+w|.") == "row 2 has 1 cells, expected 2"


# ---- the command


@pytest.mark.parametrize("arguments", [
    ("show",), ("solve",), ("perft", "--depth", "2"), ("play", "--as", "X=random", "--as", "O=random"),
    ("show", "--why", "--moves", "c3"),
])
def test_commands_refuse_what_is_no_position(arguments: tuple[str, ...]) -> None:
    """The commands exit with code 1 and the reason, as for an illegal move."""
    command, *rest = arguments
    result = run(command, "tic_tac_toe", *rest, "--position", "XX./OO.")
    assert result.exit_code == 1
    assert result.stdout == ""
    reason = "it has 2 rows of cells, expected 3, with '/' between them"
    assert result.stderr == f"Error: impossible position 'XX./OO.': {reason}\n"


def test_show_begins_with_the_position() -> None:
    """Moves continue from the position; the printed position can be given again."""
    shown = json.loads(run("show", "tic_tac_toe", "--position", "XX./OO./...", "--json").stdout)
    assert (shown["position"], shown["to_move"], shown["played"]) == ("XX./OO./... X", "X", [])
    assert len(shown["moves"]) == 5
    over = json.loads(run("show", "tic_tac_toe", "--position", shown["position"], "--moves", "c3", "--json").stdout)
    assert (over["outcome"], over["position"], over["to_move"]) == ("X", "XXX/OO./... O", None)
    assert json.loads(run("show", "tic_tac_toe", "--position", over["position"], "--json").stdout)["outcome"] == "X"


def test_solve_begins_with_the_position() -> None:
    """The value is that of the given position."""
    found = json.loads(run("solve", "tic_tac_toe", "--position", "XX./OO./... O", "--json").stdout)
    assert (found["winner"], found["remoteness"], found["best"]) == ("O", 1, "c2")


def test_perft_begins_with_the_position() -> None:
    """Five moves, and no successors of the winning one."""
    found = json.loads(run("perft", "tic_tac_toe", "--position", "XX./OO./...", "-d", "2", "--json").stdout)
    assert found["counts"] == [5, 16]


def test_play_begins_with_the_position() -> None:
    """The solver wins with one move."""
    result = run("play", "tic_tac_toe", "--position", "XX./OO./...", "--as", "X=solver", "--as", "O=random")
    assert result.exit_code == 0
    assert "X won" in result.stdout
    assert "c3" in result.stdout


def test_verified_counts_take_no_position() -> None:
    """`perft --verify` takes no position: its counts have their own start."""
    result = run("perft", "tic_tac_toe", "--verify", "--position", "XX./OO./...")
    assert result.exit_code == 2
    assert "--verify takes no other options" in result.stderr


@pytest.mark.slow
def test_names_in_the_plural_stand_in_no_sentence_that_is_wrong(tmp_path: Path) -> None:
    """No verb in the present tense follows a player's name, which may be singular or plural (`Tigers`, `Chaos`)."""
    path = tmp_path / "cattle.game"
    path.write_text('game "Cattle"\nplayers Tigers, Goats\nboard square(1, 4)\npieces tiger of Tigers, goat of Goats\n'
                    "pie rule after turn 1 by seats\nmove place(c in empty):\n    c := own\n\n"
                    "win mover when line(mine, 2)\ndraw when no empty\n")
    said = "".join(
        run(*arguments).output for arguments in (
            ("show", str(path), "-m", "a1 c1 b1"), ("show", str(path), "-m", "a1 swap"), ("solve", str(path)),
            ("show", str(path), "-m", "a1 c1 b1", "--why"), ("openings", str(path)), ("perft", str(path), "-d", "2"),
            ("play", str(path), "--as", "Tigers=random", "--as", "Goats=solver"),
            ("play", str(path), "--as", "Tigers=alphabeta plies=3", "--as", "Goats=mcts games=50"),
            ("match", str(path), "random", "alphabeta plies=2", "--games", "2"),
        ))
    assert "Tigers" in said
    assert re.findall(r"\b(?:Tigers|Goats)(?:'s)? [a-z]*s\b", said) == []


def test_position_of_the_player_who_moved_is_read_whatever_would_fail_for_another() -> None:
    """Where players may pass, either may have moved last; a forced rule that would fail after a move of Blue tells
    nothing where Red moved."""
    game = dslgame.loads("""
game "Tax"
players Red, Blue
board square(1, 4)
pieces red of Red, blue of Blue
var coins in 0..3

move place(c in empty):
    c := own

forced tax(c in theirs where c.west is theirs):
    coins -= 1
    c := empty

pass
win mover when some c in mine: c.west is mine
draw when no empty
""")
    position = game.start().play("a1").play("d1").play("b1")
    assert again(position) == position
    with pytest.raises(ImpossiblePosition, match="a forced rule would still apply, and fail: coins would become -1"):
        game.read_position("RRBB Blue coins=0")


OVER_AT_START = """
game "Over"
players X, O
board square(1, 3)
pieces x of X, o of O

start:
    "c1" := x

move place(c in mine where c is left):
    c := empty

RULE

win mover when no empty
no moves loses
"""


@pytest.mark.parametrize("rule", ["forced kill(c in theirs):\n    c := empty", "illegal when some theirs"])
def test_the_start_is_read_where_the_game_is_over_and_no_move_leads(rule: str, tmp_path: Path) -> None:
    """X has no move at the start: a rule that no position may fulfil does not make it impossible; proofs are read."""
    position = dslgame.loads(OVER_AT_START.replace("RULE", rule)).start()
    assert position.outcome == "O"
    assert again(position) == position
    proof = tmp_path / "over.proof"
    proof.write_bytes(certify(position, dslgame.solve(position.game, engine="interpreter")).data)
    assert check(read(proof)) == 0
    assert refusal(position.game, ".XX X")
