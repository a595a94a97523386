"""Chance, construct by construct: whose move it is, probabilities, the turn, ends and mistakes, worked out by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

import dslgame
from dsl.syntax.formatter import format_text
from dslgame import RuleError
from dslgame.testing import check_game
from interpreter.game import Position
from solver.game_space import solve_game
from tests.probe import played

HEAD = """\
game "Probe"
players Red, Blue
board square(1, 3)
pieces red of Red, blue of Blue
"""
RACE = HEAD + """\
var score[player] in 0..20
var thrown in 0..6

chance throw(d in 1..6) when thrown = 0:
    thrown := d

move take(n in 1..2):
    score[mover] += thrown
    thrown := 0

win mover when score[mover] >= 12
"""
"""A throw before each move; `n` has no effect, so that a player has two moves."""


def of(text: str, moves: str = "") -> Position:
    """The position of a game after some moves."""
    return played(dslgame.loads(text).start(), moves)


def probabilities(position: Position) -> dict[str, Fraction]:
    """The probability of each chance move of a position, by its text."""
    write = position.game.notation.write
    return {write(position.state, move): chance for move, chance in position.outcomes()}


def test_a_position_of_chance_has_its_moves_alone() -> None:
    """Nature moves, even at the start; the state's player to move is still the one whose turn it is."""
    position = of(RACE)
    assert (position.to_move, position.by_chance, position.state.to_move) == ("nature", True, 0)
    assert position.moves() == tuple(f"throw:{d}" for d in range(1, 7))
    assert position.play("throw:4").to_move == "Red"
    assert position.play("throw:4").moves() == ("take:1", "take:2")
    assert position.play("throw:4").outcomes() == ()
    assert of(RACE, "throw:4 take:1").to_move == "nature"
    assert of(RACE, "throw:4 take:1 throw:1").to_move == "Blue"


def test_choices_are_as_likely_unless_a_weight_says_else() -> None:
    """Probabilities are exact fractions; a weight may use the choices; a move of weight 0 does not exist."""
    assert set(probabilities(of(RACE)).values()) == {Fraction(1, 6)}
    weighted = of(RACE.replace("(d in 1..6) when", "(d in 1..6) weight (d - 1) * 2 when"))
    assert probabilities(weighted) == {f"throw:{d}": Fraction(d - 1, 15) for d in range(2, 7)}
    assert len(weighted.moves()) == 5


def test_rules_of_chance_that_apply_are_drawn_together() -> None:
    """The choices of all applicable rules are drawn together by their weights."""
    both = RACE + "\nchance miss weight 4 when thrown = 0:\n    thrown := 1\n"
    assert probabilities(of(both)) == {"miss": Fraction(4, 10)} | {f"throw:{d}": Fraction(1, 10) for d in range(1, 7)}


def test_outcomes_that_lead_to_one_position_count_together() -> None:
    """Equal positions add up to one outcome, which the first move represents."""
    position = of(RACE.replace("thrown := d", "thrown := 1 + d div 3"))
    found = position.game.engine.chance.outcomes(position.state)
    assert [(item.move.values, item.probability) for item in found] == [
        ((1,), Fraction(1, 3)), ((3,), Fraction(1, 2)), ((6,), Fraction(1, 6))]
    assert sum(item.probability for item in found) == 1
    assert position.game.engine.chance.outcomes(found[0].state) == []


def test_the_turn_stays_after_chance_unless_it_passes() -> None:
    """`turn passes when` is evaluated after chance moves, `turn again when` after others."""
    after = RACE.replace(" when thrown = 0", " when thrown = 0 and score[mover] > 0") + (
        "turn again when thrown = 0\nturn passes when thrown = 1\n")
    opened = after.replace("var thrown in 0..6", "var thrown in 0..6 = 6")
    assert of(opened, "take:1").to_move == "nature"
    assert of(opened, "take:1 throw:5").to_move == "Red"
    assert of(opened, "take:1 throw:1").to_move == "Blue"


def test_ends_forced_rules_and_illegal_hold_after_chance() -> None:
    """They apply as after any move; an illegal outcome is left out and the others are scaled up."""
    text = HEAD + """\
chance drop(c in empty) weight 1 + c.column when count(red) < 2:
    c := red

move place(c in empty):
    c := own

forced spread(c in red where c.west is empty):
    c.west := blue

illegal when "b1" is red
win opponent when "c1" is red
draw when no empty
"""
    start = of(text)
    assert probabilities(start) == {"drop:a1": Fraction(1, 4), "drop:c1": Fraction(3, 4)}
    assert start.play("drop:c1").pieces == {"b1": "blue", "c1": "red"}
    assert start.play("drop:c1").outcome == "Blue"


def test_passing_and_swapping_are_not_offered_to_nature() -> None:
    """They are offered only in positions of a player."""
    assert "pass" not in of(RACE + "pass\n").moves()
    assert "pass" in of(RACE + "pass\n", "throw:3").moves()


def test_no_moves_asks_for_moves_of_chance_too() -> None:
    """A player who waits for a throw is not out of moves."""
    text = RACE.replace("move take(n in 1..2):", "move take(n in 1..2 where thrown > 2):") + "no moves loses\n"
    assert of(text).outcome is None
    assert of(text, "throw:1").outcome == "Blue"


def test_a_position_of_chance_is_written_and_read_back() -> None:
    """The position read back is nature's again."""
    position = of(RACE, "throw:4 take:1")
    again = position.game.read_position(position.text)
    assert again == position
    assert again.to_move == "nature"


def test_a_negative_weight_stops_the_game() -> None:
    """A negative weight is a RuleError."""
    with pytest.raises(RuleError, match="a weight of chance is -1"):
        of(RACE.replace("when thrown = 0", "weight 3 - d - score[mover] when thrown = 0")).moves()


def test_formatting_keeps_weights() -> None:
    """A bracket or minus sign after `weight` begins an expression and is spaced so."""
    text = RACE.replace("(d in 1..6) when", "(d in 1..6) weight (d - 1) when")
    assert "weight (d - 1) when" in format_text(text)
    assert "weight -1 + d" in format_text(text.replace("weight (d - 1)", "weight - 1+d"))


def test_weight_and_chance_stay_names() -> None:
    """Keywords of chance rules can be used as names elsewhere."""
    text = HEAD + """\
var weight[cell] in 0..3
var passes in 0..3

chance spread(c in empty) weight weight[c] + 1 when passes = 0:
    passes := 1

move place(c in empty):
    c := own
    weight[c] += 1 if weight[c] < 3

draw when no empty
"""
    assert probabilities(of(text)) == {f"spread:{c}1": Fraction(1, 3) for c in "abc"}


MUST = """\
game "Must"
players Red, Blue
board square(1, 4)
pieces red of Red, blue of Blue
var n in 0..3

chance add(d in 0..2) when n = 0:
    n := 1 + d

move big(c in empty) when n = 3:
    c := own
    n := 0

otherwise move middle(c in empty and column(0)) when n > 1:
    c := own
    n := 0

otherwise move rest(c in empty):
    c := own
    n := 0

draw when no empty
"""


def test_otherwise_offers_what_the_rules_before_do_not() -> None:
    """Each `otherwise` depends on all rules above it; kernels list the same moves, and chance rules do not count."""
    for moves, names in (("add:0", "rest"), ("add:1", "middle"), ("add:2", "big"), ("add:1 middle:a1 add:1", "rest")):
        assert {text.partition(":")[0] for text in of(MUST, moves).moves()} == {names}
    assert "otherwise move rest(c in empty):" in format_text(MUST)
    check_game(dslgame.loads(MUST), games=4, plies=20, seconds=1, kernel=True)


def test_where_all_moves_of_chance_are_illegal_the_player_has_none() -> None:
    """It is not nature's position then: the player passes, and solvers and players go on from there."""
    game = dslgame.loads(HEAD + """\
var thrown in boolean

chance throw(k in 1..2) when not thrown:
    thrown := true

move place(c in empty):
    c := own
    thrown := false

illegal when thrown and mover = Blue and count(occupied) = 1
no moves passes
win Red when no empty and count(red) > count(blue)
win Blue when no empty and count(blue) > count(red)
draw when no moves for anyone
notation throw "{k}"
""")
    position = played(game.start(), "1 place:a1")
    assert (position.to_move, position.by_chance, position.outcomes()) == ("Blue", False, ())
    assert position.moves() == ("pass",)
    check_game(game)
    result = solve_game(game, game.start().state, method="expected")
    assert result.expected is not None
    assert result.expected.exact == 1
    for level in ("expectimax plies=3", "mcts nodes=50"):
        assert dslgame.player(game, level).choose(position).text == "pass"
