"""Moves of several steps and rotated sets: how the interpreter carries out `then RULE(...)` and `turn`."""

from __future__ import annotations

import random
import textwrap
from pathlib import Path

import pytest

import dslgame
from dslgame import GameFileError, Position, RuleError
from interpreter.build import make_engine
from interpreter.compiler.lowering.module_builder import Passes
from interpreter.kernel.kernel import Kernel
from tests.discovery import one_in
from tests.walking import Walk

GAMES = sorted((Path(__file__).parents[2] / "games").glob("*.game"))

JUMPS = """
game "Jumps"
players Red, Blue
board square(1, 7)
pieces red of Red, blue of Blue
start:
    "a1" := red
    {{"b1", "d1", "f1"}} := blue
define between(a, b) = neighbours(a) and neighbours(b)
move jump(a in mine, b in leap(a, 0, 2) and empty where some (between(a, b) and theirs)):
    carry a to b
    between(a, b) := empty
    then jump(b){ending}
no moves loses
notation jump "{notation}"
"""


def start(text: str) -> Position:
    """The first position of a game text."""
    return dslgame.loads(textwrap.dedent(text)).start()


def jumps(ending: str = "", notation: str = "{a}x{b}") -> Position:
    """A row with a red piece that can jump three blue ones."""
    return start(JUMPS.format(ending=ending, notation=notation))


def test_a_move_goes_on_as_long_as_it_can() -> None:
    """Continuation is compulsory: one move of three jumps, which removes the pieces jumped over."""
    position = jumps()
    assert position.moves() == ("a1xc1xe1xg1",)
    after = position.play("a1xc1xe1xg1")
    assert after.pieces == {"g1": "red"}
    assert after.outcome == "Red"


def test_a_move_may_stop_where_the_rule_says_so() -> None:
    """With `or stop` every prefix is a move too; the longest comes first."""
    position = jumps(" or stop")
    assert position.moves() == ("a1xc1xe1xg1", "a1xc1xe1", "a1xc1")
    assert position.play("a1xc1").pieces == {"c1": "red", "d1": "blue", "f1": "blue"}
    assert position.play("A1xC1xE1").pieces == {"e1": "red", "f1": "blue"}


def test_texts_of_further_steps_leave_out_what_is_given() -> None:
    """Text before the first new choice of a step is not repeated."""
    assert jumps(notation="{own}:{a}-to-{b}").moves() == ("R:a1-to-c1-to-e1-to-g1",)
    assert jumps(notation="{b}<{a}").moves()[0].startswith("c1<a1")


def test_a_move_goes_on_by_another_rule() -> None:
    """A rule can continue by another one; a man that is crowned on its way does not continue as a man."""
    text = """
        game "Hand over"
        players Red, Blue
        board square(1, 4)
        pieces red of Red, blue of Blue
        move first(a in empty):
            a := red
            then second(a)
        move second(a in red, b in neighbours(a) and empty) when false or count(occupied) > 0:
            b := blue
        draw when no empty
        notation first "{a}"
        notation second "{a}:{b}"
    """
    position = start(text)
    assert position.moves() == ("a1:b1", "b1:a1", "b1:c1", "c1:b1", "c1:d1", "d1:c1")
    assert position.play("b1:c1").pieces == {"b1": "red", "c1": "blue"}


def test_a_move_without_end_is_an_error_that_names_the_rule() -> None:
    """A move that would continue for ever is a rule error."""
    text = """
        game "To and fro"
        players Red, Blue
        board square(1, 2)
        pieces red of Red, blue of Blue
        start:
            "a1" := red
        move go(a in red, b in empty):
            carry a to b
            then go(b) or stop
        draw when no red
    """
    with pytest.raises(RuleError, match="goes on for more than 200 steps"):
        start(text).moves()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("then hop(b)", "unknown move 'hop'"),
        ("then jump(q)", "unknown chosen name 'q'"),
        ("then jump(b, b, b)", "gives 3 of the first choices of jump"),
        ("then jump(k)", "found a column, expected a cell for 'a'"),
        ("then jump(b)\n    b := empty", "not the last effect"),
    ],
)
def test_mistakes_in_going_on_are_told(line: str, message: str) -> None:
    """Wrong names, a wrong number of choices, a wrong kind, and a wrong place."""
    text = f"""
game "T"
players Red, Blue
board square(1, 7)
pieces red of Red, blue of Blue
move jump(a in mine, b in empty, k in columns):
    carry a to b
    {line}
no moves loses
"""
    with pytest.raises(GameFileError, match=message.replace("(", r"\(")):
        dslgame.loads(text)


def test_a_forced_rule_cannot_go_on_by_a_move() -> None:
    """Only a move can continue, as a further step is a choice."""
    text = """
        game "T"
        players Red, Blue
        board square(1, 7)
        pieces red of Red, blue of Blue
        move place(c in empty):
            c := own
        forced more(c in red):
            then place(c)
        draw when no empty
    """
    with pytest.raises(GameFileError, match="only a move can do"):
        dslgame.loads(textwrap.dedent(text))


# ---- further choices where a condition holds

ENTERING = """
game "Entering"
players Red, Blue
board square(3, 3)
pieces red of Red, blue of Blue
var n in 0..3
var m in 0..3 = 1
var last in cells or none
start:
    top := blue
    bottom := red
move go(a in mine, b in neighbours(a) - mine):
    {effects}
    carry a to b
    then c in neighbours(b) and empty when {condition}:
        carry b to c
draw when n = 3 or last = cell(2, 2)
no moves loses
notation go "{{a}}{{b}}{{c}}"
"""
TO_EMPTY = {"a1a2", "b1b2", "c1c2"}


def entering(condition: str, effects: str = "n := n + 1 if n < 3") -> dslgame.Game:
    """A game in which men go one step, and another one if the condition holds."""
    return dslgame.loads(ENTERING.format(condition=condition, effects=effects))


def first_moves(position: Position, plies: int) -> None:
    """Play the first move of each position."""
    for _ in range(plies):
        position = position.play(position.moves()[0])


@pytest.mark.parametrize(
    ("condition", "going_on"),
    [
        ("b in {cell(1, 0), top}", {"a1a2"}),  # the same before the effects and after them
        ("m = 1 and mover = Red", TO_EMPTY),
        ("m = 2", set()),
        ("n = 1 and b is red", TO_EMPTY),  # only after them
        ("a is empty and n = 0", set()),
        ("b in column(2) and n = 1", {"c1c2"}),  # of both kinds
        ("n = 1 and (b in column(2) and a is empty)", {"c1c2"}),
        ("n = 1 and not (b in column(2) or a is red)", {"a1a2", "b1b2"}),
        ("last = none and b != a", TO_EMPTY),
        ("kept = m and b in column(1)", {"b1b2"}),  # of a name that the effects give
    ],
)
def test_a_move_goes_on_where_a_condition_holds_after_its_effects(condition: str, going_on: set[str]) -> None:
    """The condition is evaluated after the effects; a kernel evaluates the parts that they cannot change first."""
    kept = "let kept = m\n    " if "kept" in condition else ""
    game = entering(condition, f"{kept}n := n + 1 if n < 3")
    moves = game.start().moves()
    assert {move for move in moves if len(move) == 4} == TO_EMPTY - going_on
    assert {move[:4] for move in moves if len(move) > 4} == going_on
    for passes in (Passes(), Passes(beforehand=False)):
        Walk(game, Kernel.of(game, native=False, passes=passes)).walk(3, 5, plies=10)


@pytest.mark.parametrize(
    ("effects", "code"),
    [
        ("n := n + 1\n    a.south := red if n = 3", "G401"),  # no cell, which is known before
        ("a.south := red if n = 2 and last != none\n    last := a\n    n := n + 1", "G401"),
        ("last := a.west\n    last := a if last = none\n    carry last.east.east to a", "G401"),
        ("n := count(mine) + m - 2 + n", "G402"),
        ("each x in neighbours(a):\n        n := n + m", "G402"),
    ],
)
def test_effects_fail_where_moves_are_listed_though_a_move_ends_after_them(effects: str, code: str) -> None:
    """Effects are carried out, and may fail, even if the condition is known to be false before them."""
    game = entering("b in row(5) and m = 1", effects)
    with pytest.raises(RuleError) as problem:
        first_moves(game.start(), 3)
    assert problem.value.code == code
    for passes in (Passes(), Passes(beforehand=False)):
        Walk(game, Kernel.of(game, native=False, passes=passes), may_fail=True).walk(2, 5, plies=5)


def test_a_condition_that_may_fail_is_asked_after_what_guards_it() -> None:
    """A part that may fail is evaluated only if the part before it, which depends on the effects, holds."""
    game = entering("last != none and last.row = 1 and b in column(0)", "last := b if n = 0\n    n := 1")
    assert set(game.start().moves()) == {"a1a2a1", "a1a2b2", "b1b2", "c1c2"}
    Walk(game, Kernel.of(game, native=False), may_fail=True).walk(3, 5, plies=10)


TURNS = """
game "Turns"
players Red, Blue
board {board}
pieces red of Red, blue of Blue
start:
    {{{cells}}} := red
move spin(c in {{"{first}"}}):
    turn {block} {way}
draw when no red
"""


@pytest.mark.parametrize(
    ("board", "cells", "block", "way", "expected"),
    [
        ("square(3, 3)", '"a3", "b3"', "cells", "clockwise", {"c3", "c2"}),
        ("square(3, 3)", '"a3", "b3"', "cells", "counterclockwise", {"a1", "a2"}),
        ("square(4, 4)", '"a4", "a1"', '{"a4", "b4", "a3", "b3"}', "clockwise", {"b4", "a1"}),
        ("square(2, 3)", '"a2"', '{"a2", "b2", "a1", "b1"}', "clockwise", {"b2"}),
        ("rhombus(2, 3)", '"a1", "b1"', "cells", "clockwise", {"c2", "b2"}),
        ("hexagon(2)", '"b1"', "cells", "clockwise", {"c1"}),
        ("hexagon(2)", '"b1"', "cells", "counterclockwise", {"a1"}),
    ],
)
def test_a_set_is_turned_about_its_middle(board: str, cells: str, block: str, way: str, expected: set[str]) -> None:
    """Quarter, half and sixth turns; pieces outside the set stay."""
    first = cells.split('"')[1]
    position = start(TURNS.format(board=board, cells=cells, block=block, way=way, first=first))
    assert set(position.play(position.moves()[0]).pieces) == expected


def test_a_set_that_does_not_come_onto_itself_is_not_turned() -> None:
    """A 2 x 3 block has no quarter turn."""
    position = start(TURNS.format(board="square(2, 3)", cells='"a2"', block="cells", way="clockwise", first="a2"))
    with pytest.raises(RuleError, match="does not come onto itself"):
        position.play(position.moves()[0])


def test_ways_to_turn_are_two() -> None:
    """An unknown direction of rotation is refused, with the valid ones in the message."""
    with pytest.raises(GameFileError, match="unknown way to turn 'left'"):
        start(TURNS.format(board="square(2, 2)", cells='"a2"', block="cells", way="left", first="a2"))


# ---- remembered values


@pytest.mark.parametrize("path", one_in(4, GAMES, 1))
def test_remembering_fixed_terms_changes_nothing(path: Path) -> None:
    """The same random game with and without `interpreter.analysis.fixed` has the same moves at every ply."""
    game = dslgame.load(path)
    with_memory = game.engine
    without = make_engine(game.rules, game.board, with_memory.swap, remember=False)
    dice = random.Random(1)
    state = with_memory.start()
    assert without.start() == state
    tried = 0
    while state.outcome is None and tried < 400:
        legal = with_memory.legal(state)
        assert without.legal(state) == legal
        tried += len(legal)
        move = dice.choice(legal)
        after = with_memory.apply(state, move)
        assert without.apply(state, move) == after
        assert after is not None
        state = after
