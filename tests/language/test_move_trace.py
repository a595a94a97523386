"""Explanations of moves: forced rules in order, what makes a move illegal, and what ends the game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import dslgame
from dslgame import IllegalMove, RuleError
from interpreter.game import Position
from interpreter.semantics.move_trace import Why, explain
from tests.app.test_cli import run
from tests.games.test_trax import FORCING, ILLEGAL, Record
from tests.probe import PLACE, loaded, played, start_of, started


def line_of(position: Position, words: str) -> int:
    """The number of the first line of the game that begins with some words."""
    lines = position.game.rules.source.lines
    return next(number for number, line in enumerate(lines, start=1) if line.startswith(words))


def ended_by(why: Why, position: Position, words: str, outcome: str | None) -> bool:
    """Whether a line that begins with some words ended the game with this outcome."""
    return (why.end.startswith(words), why.end_line, why.outcome) == (True, line_of(position, words), outcome)


# ---- what made the move


def test_move_that_does_nothing_else() -> None:
    """The explanation gives the rule of the move and the board after it."""
    position = started(PLACE)
    why = explain(position, "b2")
    assert (why.move, why.rule, why.line) == ("b2", "move place", line_of(position, "move place"))
    assert why.legal
    assert (why.steps, why.taken_back, why.taken_back_line) == ((), "", 0)
    assert (why.end, why.end_line, why.outcome) == ("", 0, None)
    assert why.board == position.play("b2").drawing()


def test_passing_and_swapping_have_their_rules() -> None:
    """A swap is explained by the pie rule that offers it."""
    position = started(PLACE, "pass when some occupied", 'pie rule after turn 1 by seats when "a1" is occupied',
                       "pie rule after turn 1", "symmetry swapping players", "repetition draws")
    one, other = position.play("a1"), position.play("b1")
    assert (explain(one, "swap").rule, explain(one, "swap").line) == ("swap", line_of(one, "pie rule after turn 1 by"))
    lines = [number for number, line in enumerate(one.game.rules.source.lines, start=1) if line.startswith("pie rule")]
    assert explain(other, "swap").line == lines[1]
    assert "seats: " in explain(one, "swap").board
    assert explain(other, "swap").board == other.play("swap").drawing()
    assert (explain(one, "pass").rule, explain(one, "pass").line) == ("pass", line_of(one, "pass"))


def test_pass_for_want_of_a_move_has_its_rule() -> None:
    """It is the `no moves` rule."""
    position = started(start_of('"a1" := red', '"b1" := blue'),
                       "move step(c in mine, d in orthogonals where c.d is empty):\n    carry c to c.d",
                       "no moves passes", "repetition draws", "draw when no moves for anyone", board="square(1, 3)")
    why = explain(position, "pass")
    assert (why.rule, why.line) == ("pass", line_of(position, "no moves"))


def test_text_is_read_as_in_play() -> None:
    """Any letter case and any template is accepted; the answer uses the first template."""
    position = started(PLACE, 'notation place "{c}" or "{own}@{c}"')
    assert explain(position, "R@B2").move == explain(position, "B2").move == "b2"


@pytest.mark.parametrize("text", ["d4", "", "b2b2", "pass"])
def test_what_no_rule_offers_is_refused(text: str) -> None:
    """A move that no rule offers is an IllegalMove."""
    with pytest.raises(IllegalMove):
        explain(started(PLACE), text)


def test_nothing_can_be_explained_after_the_end() -> None:
    """After the end of the game every move is an IllegalMove."""
    position = dslgame.load("tic_tac_toe").read_position("XXX/OO./...")
    assert explain(position.game.read_position("XX./OO./..."), "c3").outcome == "X"
    over = position.game.read_position("XXX/OO./... O")
    with pytest.raises(IllegalMove):
        explain(over, "a1")


def test_rule_that_fails_is_not_explained_away() -> None:
    """The RuleError is passed on."""
    position = started("move place(c in empty):\n    c.north := own", "draw when no empty")
    with pytest.raises(RuleError, match="G401"):
        explain(position, "a3")


# ---- what is forced


def test_forced_rules_are_steps() -> None:
    """Each step has its line, its choices and the changed cells; a cleared cell is `empty`."""
    position = started(
        start_of('"a1" := stone'),
        "move drop(c in empty and top):\n    c := own",
        "forced fall(c in mine, d in orthogonals where d = south and c.d is empty):\n    carry c to c.d",
        "forced sweep when no (mine - bottom) until no (stone and bottom):\n    bottom := empty",
        "no moves draws",
    )
    steps = explain(position, "c3").steps
    assert [step.rule for step in steps] == ["fall", "fall", "sweep"]
    assert steps[0].choices == {"c": "c3", "d": "south"}
    assert steps[0].changes == {"c3": "empty", "c2": "red"}
    assert str(steps[0]) == "forced fall at c = c3, d = south (line 9): c3 empty, c2 red"
    assert str(steps[2]) == "forced sweep (line 11): a1 empty, c1 empty"


def test_step_without_a_change_of_pieces_shows_none() -> None:
    """Changes of variables are not listed."""
    position = started(PLACE, "var count_down in 0..3 = 2", "forced tick when count_down > 0:\n    count_down -= 1")
    assert [str(step) for step in explain(position, "a1").steps] == 2 * ["forced tick (line 10)"]


@pytest.mark.parametrize("record", FORCING, ids=lambda record: f"{len(record['forced'])} tiles")
def test_cascades_are_explained(record: Record) -> None:
    """One step for each forced tile, and the end that decides."""
    position = played(dslgame.load("trax").start(), record["moves"])
    why = explain(position, record["move"])
    assert len(why.steps) == len(record["forced"])
    assert {step.rule for step in why.steps} == {"fill"}
    assert all(len(step.changes) == 1 and step.changes.keys() == {step.choices["c"]} for step in why.steps)
    after = position.play(record["move"])
    assert (why.outcome, why.board, why.legal) == (after.outcome, after.drawing(), True)
    assert why.end.startswith("win ") is (after.outcome is not None)


@pytest.mark.parametrize("record", ILLEGAL, ids=lambda record: record["move"])
def test_illegal_cascades_are_explained(record: Record) -> None:
    """The explanation gives the rule that makes the move illegal, and the board when it did."""
    position = played(dslgame.load("trax").start(), record["moves"])
    why = explain(position, record["move"])
    assert not why.legal
    assert why.taken_back == "illegal when some c in near: no t in tiles: fits(t, c)"
    assert why.taken_back_line == line_of(position, "illegal")
    assert (why.end, why.outcome) == ("", None)
    assert why.steps
    assert why.board != position.drawing()
    assert record["move"] not in position.moves()


# ---- what takes a move back


def test_first_illegal_that_holds_is_named() -> None:
    """The first one in file order is named, without comments."""
    position = started(PLACE, 'illegal when "a1" is mine', 'illegal  when  "a1" is red or "b1" is red    # not here',
                       "no moves draws")
    assert explain(position, "a1").taken_back == 'illegal when "a1" is mine'
    assert explain(position, "b1").taken_back == 'illegal when "a1" is red or "b1" is red'
    assert explain(position, "c1").legal


STEPS = "move step(c in mine, d in orthogonals where c.d is empty):\n    carry c to c.d"
KINGS = start_of('"a1" := red', '"c3" := blue')


def test_forbidden_repetition_takes_back() -> None:
    """Legality depends on the history; the board is the one after the move."""
    position = started(KINGS, STEPS, "repetition forbidden", "no moves loses",
                       moves="a1-north c3-south a2-south")
    why = explain(position, "c2-north")
    assert (why.taken_back, why.taken_back_line) == ("repetition forbidden", line_of(position, "repetition"))
    assert why.outcome is None
    assert why.board.splitlines()[0] == "3 . . B"
    assert explain(position, "c2-south").legal


# ---- what ends the game


def test_ends_are_named() -> None:
    """The first end that holds is named, with the winner."""
    position = started(PLACE, "win mover when line(mine, 2)", 'lose mover when "c3" is mine')
    assert ended_by(explain(position, "c3"), position, "lose mover", "Blue")
    after = played(position, "a1 a3")
    assert ended_by(explain(after, "b1"), after, "win mover when line(mine, 2)", "Red")
    assert explain(after, "b3").outcome is None


def test_player_without_a_move_is_named() -> None:
    """The `no moves` rule ends the game."""
    position = started("move place(c in empty and top):\n    c := own", "no moves loses", moves="a3 b3")
    assert ended_by(explain(position, "c3"), position, "no moves loses", "Red")


def test_repetition_that_draws_is_named() -> None:
    """The repetition rule is named if no end holds."""
    position = started(KINGS, STEPS, "win mover when no theirs", "repetition draws", moves="a1-north c3-south a2-south")
    assert ended_by(explain(position, "c2-north"), position, "repetition draws", "draw")


def test_exchanged_seats_name_the_winner() -> None:
    """After a swap of seats the winner is the person, not the colour."""
    position = started(PLACE, "win Red when line(red, 2)", "win Blue when line(blue, 2)",
                       "pie rule after turn 1 by seats", moves="a1 swap a3")
    why = explain(position, "b1")
    assert ended_by(why, position, "win Red", "Blue")


# ---- the command


def test_command_explains_the_last_move(tmp_path: Path) -> None:
    """The output has the board before, the move and its steps, the board after, and the end."""
    result = run("show", "connect_four", "-p", "rows=4", "-p", "columns=4", "--why", "--moves", "1 1 2 2 3 3 4")
    assert result.exit_code == 0
    rows = result.stdout.splitlines()
    assert rows[0] == "Connect Four (rows=4, columns=4, length=4)"
    assert rows[6].startswith("Yellow played 4: move drop (line ")
    assert rows[7].startswith("  1. forced fall at c = d4 (line ")
    assert rows[-3] == "  a b c d"
    assert rows[-2].startswith("the game is over by line ")
    assert rows[-2].endswith(": win mover when line(mine, length)")
    assert rows[-1] == "Yellow won"


def test_command_explains_an_illegal_move() -> None:
    """The exit code is 0, as the question was answered."""
    record = ILLEGAL[0]
    result = run("show", "trax", "--why", "--moves", f"{record['moves']} {record['move']}")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1].endswith("illegal when some c in near: no t in tiles: fits(t, c)")


def test_command_gives_json() -> None:
    """The JSON has all fields of the explanation."""
    result = run("show", "connect_four", "--why", "--moves", "1", "--json")
    found = json.loads(result.stdout)
    assert list(found) == ["game", "params", "move", "rule", "line", "steps", "taken_back", "taken_back_line", "end",
                           "end_line", "outcome", "board", "legal"]
    assert len(found["steps"]) == 5
    assert list(found["steps"][0]) == ["rule", "line", "choices", "changes"]
    assert (found["outcome"], found["legal"]) == (None, True)


@pytest.mark.parametrize(("moves", "exit_code", "message"), [
    ("", 2, "--why explains a move: give one or more with --moves"),
    ("b2 b2", 1, "illegal move 'b2'"),
    ("b2 b2 a1", 1, "illegal move 'b2'"),
    ("z9", 1, "illegal move 'z9'"),
])
def test_command_refuses_what_it_cannot_explain(moves: str, exit_code: int, message: str) -> None:
    """No moves, and moves that no rule offers."""
    result = run("show", "tic_tac_toe", "--why", "--moves", moves)
    assert result.exit_code == exit_code
    assert message in result.stderr
    assert result.stdout == ""


def test_command_explains_from_a_position() -> None:
    """The output says that nothing is forced."""
    result = run("show", "tic_tac_toe", "--why", "--position", "XX./OO./...", "--moves", "a1")
    assert "X played a1: move place" in result.stdout
    assert "  nothing is forced" in result.stdout
    assert result.stdout.splitlines()[-1] == "  a b c"


def test_explain_is_of_the_language_and_not_of_the_game() -> None:
    """Any game can be explained."""
    game = loaded(PLACE, board="hexagon(2)")
    assert explain(game.start(), "b2").rule == "move place"
