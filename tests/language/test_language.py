"""Play, construct by construct: moves, effects, forced rules, turns, ends, repetition.

Each test is one small game text and its expected behaviour, worked out by hand. Declarations are tested in
`test_language_table`, expressions in `test_language_values`, mistakes in game files elsewhere.
"""

from __future__ import annotations

import random
import textwrap

import pytest

import dslgame
from dsl.diagnostics import GameFileError
from dslgame import IllegalMove, RuleError
from interpreter.model.state import DRAW
from tests.probe import PLACE, named, played, start_of, started

STRIP = "square(1, 5)"
"""Five cells in a row, a1 to e1."""

# ---- moves and choices


def test_moves_come_in_file_order_then_by_choices() -> None:
    """The first choice varies slowest; cells come in board order, other values in their own order."""
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
    """Players, pieces, directions, words, rows and columns can be chosen; moves write them by name."""
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
    """A later choice sees earlier ones in its set and in its `where`."""
    position = started(
        start_of('"b2" := red'),
        "move jump(c in mine, d in neighbours(c), e in neighbours(d) - c where e.row = c.row or e.column = c.column):\n"
        "    carry c to e\n    d := stone",
        "draw when no empty",
        board="square(5, 5)",
    )
    assert set(position.moves()) == {"b2-b3-b4", "b2-c2-d2"}


def test_when_switches_a_move_on_and_off() -> None:
    """`when` is evaluated once, before any choice."""
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
    """A move without choices is written by its name."""
    position = started("var n in 0..9", "move wait:\n    n += 1", "move hop when n > 0:\n    n += 2", "draw when n > 3")
    assert position.moves() == ("wait",)
    assert played(position, "wait hop").moves() == ("wait", "hop")
    assert played(position, "wait hop wait").outcome == "draw"


def test_unordered_choice_takes_each_pair_once() -> None:
    """A pair is of different elements, listed in board order and read in any order; triples work as well."""
    position = started("move pair({a, b} in top):\n    a := own\n    b := stone", "draw when no empty and true")
    assert position.moves() == ("a3-b3", "a3-c3", "b3-c3")
    assert position.play("c3-a3").played == ("a3-c3",)
    assert position.play("c3-a3").pieces == {"a3": "red", "c3": "stone"}
    with pytest.raises(IllegalMove):
        position.play("a3-a3")
    triple = started('move three({a, b, d} in cells where d != "c1"):\n    {a, b, d} := own', "draw when no empty")
    assert len(triple.moves()) == 56  # of the 84 triples, 28 have the last cell in them
    assert triple.play("b3-a3-c3").play("c3-b3-a3").pieces == {"a3": "blue", "b3": "blue", "c3": "blue"}


def test_unordered_choice_of_too_few_gives_no_move() -> None:
    """A set of one element has no pair of different elements."""
    position = started(
        start_of('"a1" := stone'),
        "move pair({a, b} in stone):\n    {a, b} := own",
        "move place(c in empty):\n    c := own",
        "draw when no empty",
    )
    assert all(text.startswith("place:") for text in position.moves())


def test_choices_before_and_after_an_unordered_one() -> None:
    """They keep their places in the text of the move."""
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
    """Each effect sees the results of those before it."""
    position = started(
        "var n in 0..9",
        "move place(c in empty):\n    n := count(empty)\n    c := own\n    n -= count(empty)\n"
        "    n := n * 5 + count(mine)",
        "draw when no empty and n > 0",
    )
    assert position.play("a1").variables == {"n": 6}


def test_set_of_cells_is_assigned_at_once() -> None:
    """The set is evaluated before any of its cells changes; braces list cells, and `none` in them is ignored."""
    position = started(
        "move fill(c in empty):\n    (neighbours(c) and empty) := own\n    {c, c.north, c.south} := stone",
        "draw when no empty",
    )
    assert position.play("a1").pieces == {"a1": "stone", "a2": "stone", "b1": "red"}


def test_assignment_replaces_what_was_there() -> None:
    """A cell holds one piece; `empty` clears it; a piece can be copied from another cell."""
    position = started(
        start_of('"a1" := blue', '"b1" := stone'),
        'move act:\n    "a1" := own\n    "c1" := piece("b1")\n    "b1" := empty\n    "a2" := piece("c3")',
        "draw when no empty",
    )
    assert position.play("act").pieces == {"a1": "red", "c1": "stone"}


def test_guarded_effect_and_conditional_value() -> None:
    """`x := v if P` may do nothing; `x := v if P else w` always assigns."""
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
    """An effect on a step off the board is a rule error."""
    position = started(f"move act(c in empty):\n    {effect}", "draw when no empty")
    with pytest.raises(RuleError) as caught:
        position.play("a1")
    assert caught.value.code == "G401"


def test_carry() -> None:
    """Any piece moves and replaces what was there; from an empty cell, or onto the same cell, nothing changes."""
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
    """Every piece of the set moves one step; pieces that leave the set are lost, and none enter from outside."""
    position = started(
        start_of('"a2" := red', '"b2" := blue', '"c2" := stone', '"b1" := stone', '"a1" := blue'),
        "move east:\n    slide row(1) east",
        "move west:\n    slide row(1) west",
        'move north:\n    slide {"a2", "b2", "b1"} north',
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
    """`each` goes in board order; its set is fixed before the first change, but effects see all changes so far."""
    position = started(
        "var order[cell] in 0..9",
        "var n in 0..9",
        "move go:\n    each c in empty where c is corners:\n        n += 1\n        order[c] := n\n"
        "        cells := stone",
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
        "move go:\n    each p in players:\n        n[p] := 1 if p = mover else 2\n"
        "    each k in 1..3:\n        n[Red] += k",
        "draw when sum(n) > 0",
    )
    assert players.play("go").variables == {"n": (7, 2)}


def test_if_else() -> None:
    """The first branch whose condition holds runs; `else if` chains; without `else` nothing happens."""
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
    """`then` is a further choice in the same move, made on the board after the effects before it."""
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
    """Each `then` sees all effects before it; a first choice without a legal continuation is not a move."""
    position = started(
        "move chain(c in top):\n    c := own\n    then d in neighbours(c) where d.row = 1, k in 1..2:\n"
        "        d := stone\n        then {e, f} in empty and column(c.column) + bottom where k = 1 or e.row = f.row:\n"
        "            {e, f} := own",
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
    """Generating moves leaves the position unchanged."""
    position = started(
        "var n in 0..1",
        "move act(c in empty):\n    c := own\n    n := 1\n"
        "    then d in empty where n = 1:\n        d := own\n        n := 0",
        "draw when no empty",
    )
    before = position.state
    assert len(position.moves()) == 72
    assert position.state == before
    assert position.variables == {"n": 0}


# ---- forced rules


def test_forced_rule_applies_until_it_cannot() -> None:
    """Gravity: a piece falls as far as it can, and so do the pieces above it."""
    position = started(
        "move drop(k in columns where cell(0, k) is empty):\n    cell(0, k) := own",
        "forced fall(c in occupied where c.south is empty):\n    carry c to c.south",
        "draw when no empty",
    )
    assert played(position, "0 0 2").pieces == {"a1": "red", "a2": "blue", "c1": "red"}


def test_forced_rules_start_again_from_the_first_at_the_first_place() -> None:
    """The first applicable rule is applied at its first cell in board order, again and again."""
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
    """A rule is skipped while its `until` holds; the next rule may still apply."""
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
    """`mine`, `own` and `mover` refer to the player who moved, however long the cascade is."""
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
    """The error names a rule and lists the moves."""
    position = started("move place(c in empty):\n    c := own", rule, "draw when no empty", board=STRIP)
    with pytest.raises(RuleError, match=r"G408.*never ends(.|\n)*after the moves: c1"):
        position.play("c1")


def test_long_cascade_that_ends_is_no_error() -> None:
    """A cascade of 4000 steps that terminates is no error."""
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
    """`illegal when` is evaluated after effects and forced rules; illegal moves are neither listed nor accepted."""
    position = started(
        start_of('"b1" := stone'),
        "move place(c in empty):\n    c := own",
        "forced melt(c in stone where c.west is mine):\n    c := empty",
        "illegal when some (mine and corners) and some stone",
        'illegal when "c1" is mine',
        "draw when no empty",
        board=STRIP,
    )
    assert position.moves() == ("a1", "d1")  # e1 leaves the stone, c1 is refused by name, a1 melts the stone
    with pytest.raises(IllegalMove):
        position.play("e1")


def test_player_whose_every_move_is_illegal_has_none() -> None:
    """The `no moves` rule applies exactly where the list of legal moves is empty."""
    for result, outcome in (("loses", "Red"), ("wins", "Blue"), ("draws", "draw")):
        position = started(PLACE, "illegal when mover = Blue", f"no moves {result}").play("a1")
        assert position.outcome == outcome
        assert position.moves() == ()


# ---- turns


def test_pass() -> None:
    """`pass` is a move without effects; with `when` it is available only while the condition holds."""
    position = started(PLACE, "pass when some theirs")
    assert "pass" not in position.moves()
    position = position.play("a1")
    assert position.moves()[-1] == "pass"
    passed = position.play("pass")
    assert passed.to_move == "Red"
    assert passed.pieces == position.pieces
    assert "pass" in started(PLACE, "pass").moves()


def test_pass_leaves_out_forced_and_illegal() -> None:
    """After a pass no forced rule and no `illegal when` is applied; ends are checked."""
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
    """The same player moves again while any of the conditions holds after the move."""
    position = started(PLACE, "turn again when count(empty) = 8", 'turn again when "b2" is mine and count(mine) < 3')
    position = position.play("a1")
    assert position.to_move == "Red"
    assert position.play("c3").to_move == "Blue"
    assert position.play("b2").to_move == "Red"
    assert position.play("b2").play("c1").to_move == "Blue"


def test_turn_again_decides_before_the_ends_are_asked() -> None:
    """`no moves` then refers to the player who moves next."""
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
    """After exactly one move the opponent may swap: the mirrored position with colours exchanged, the first to move."""
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
    """The turn counts moves, including passes; `when` is evaluated for the player who could swap."""
    later = started(PLACE, "pass", "pie rule after turn 2 when count(mine) < 2", "symmetry swapping players")
    assert [("swap" in played(later, moves).moves()) for moves in ("", "a1", "a1 b1", "a1 b1 c1", "a1 pass")] == [
        False, False, True, False, True,
    ]  # fmt: skip
    assert played(later, "a1 b1 swap").pieces == {"a1": "blue", "b1": "red"}
    assert played(later, "a1 b1 swap").to_move == "Blue"
    never = started(PLACE, "pie rule after turn 1 when some mine", "symmetry swapping players")
    assert "swap" not in never.play("a1").moves()


def test_pie_rule_needs_a_symmetry() -> None:
    """The pie rule needs a declared symmetry that swaps the players."""
    with pytest.raises(GameFileError, match="G309"):
        started(PLACE, "pie rule after turn 1", "symmetry half turn")


def test_swap_that_leaves_no_moves_is_decided() -> None:
    """The `no moves` rule also applies after a swap."""
    position = started(
        'move place(c in empty) when mover = Blue or "b2" is empty and no occupied:\n    c := own',
        "pie rule after turn 1",
        "symmetry swapping players",
        "no moves loses",
    )
    assert position.play("a1").play("swap").outcome == "Blue"


# ---- ends


def test_first_end_that_holds_decides() -> None:
    """If several ends hold, the first in file order decides."""
    both = (
        'win Red when "a1" is occupied',
        'win Blue when "a1" is occupied or "b1" is occupied',
        "draw when some occupied",
    )
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
    """`mover` is the player who moved, also with `turn again`; if a player loses, the other wins."""
    for extra in ("", "turn again when true"):
        position = started("move place(c in empty):\n    c := own", f'{end} when "a1" is mine', extra).play("a1")
        assert position.outcome == outcome
        assert position.over
        assert position.moves() == ()


def test_end_sees_forced_rules_but_not_what_was_before() -> None:
    """Ends are checked once, after the forced rules."""
    position = started(
        "move drop(k in columns where cell(0, k) is empty):\n    cell(0, k) := own",
        "forced fall(c in occupied where c.south is empty):\n    carry c to c.south",
        "win Red when some (red and bottom)",
        "win Blue when some (red and top)",
    )
    assert position.play("0").outcome == "Red"


def test_lone_player_wins_or_loses() -> None:
    """A single-player game ends with a win or without a winner, which is a loss."""
    win = started(
        "move place(c in empty):\n    c := own",
        'win Solo when "a1" is mine',
        'lose Solo when "b1" is mine',
        players="Solo",
    )
    assert win.play("a1").outcome == "Solo"
    assert win.play("b1").outcome == "lost"
    assert win.play("b1").state.outcome == DRAW
    assert win.play("c1").to_move == "Solo"


# ---- no moves


ONCE = "move place(c in empty) when mover = Red or count(empty) < 8:\n    c := own"
"""Blue cannot answer the first move."""


def test_no_moves_rule() -> None:
    """The player to move who has no move loses, wins, draws or must pass, as the rule says."""
    assert started(ONCE, "no moves loses").play("a1").outcome == "Red"
    assert started(ONCE, "no moves wins").play("a1").outcome == "Blue"
    assert started(ONCE, "no moves draws").play("a1").outcome == "draw"
    position = started(ONCE, "draw when no empty", "no moves passes").play("a1")
    assert not position.over
    assert position.moves() == ("pass",)
    assert position.play("pass").to_move == "Red"
    assert len(position.play("pass").moves()) == 8


def test_no_moves_as_a_condition() -> None:
    """`no moves` as a condition refers to the player who moves next; ends take precedence over the `no moves` rule."""
    assert started(ONCE, "lose mover when no moves").play("a1").outcome == "Blue"
    assert started(ONCE, "win opponent when no moves and some mine", "no moves loses").play("a1").outcome == "Blue"
    assert started(ONCE, "win opponent when no moves and some theirs", "no moves loses").play("a1").outcome == "Red"


def test_no_moves_for_anyone() -> None:
    """The condition holds if no player would have a move if it were their turn."""
    position = started(ONCE, "draw when no moves for anyone", "no moves passes", board="square(1, 9)")
    assert not position.play("a1").over
    moves = "a1 pass b1 c1 d1 e1 f1 g1 h1"
    assert not played(position, moves).over
    assert played(position, moves + " i1").outcome == "draw"


def test_pass_counts_as_a_move() -> None:
    """A player who may pass is not out of moves."""
    position = started(ONCE, "pass when mover = Blue", "no moves loses").play("a1")
    assert not position.over
    assert position.moves() == ("pass",)


def test_player_without_a_move_and_without_a_rule_is_a_rule_error() -> None:
    """Without a rule that decides, a position without moves is a RuleError, also where everyone would have to pass."""
    said = r"<text>:\d+:1: error.G407.: there is no move for Blue(.|\n)*after the moves: a1\n"
    with pytest.raises(RuleError, match=said):
        started(ONCE, "draw when no empty").play("a1").moves()
    everyone = started(
        "move place(c in empty) when no occupied:\n    c := own", "draw when no empty", "no moves passes"
    )
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
    """The first repeated position, with the same player to move, ends the game."""
    position = started(*WALK, "repetition draws", board=STRIP)
    assert not played(position, "a1-b1 e1-d1 b1-a1").over
    assert played(position, ROUND).outcome == "draw"
    assert played(position, ROUND).moves() == ()


def test_repetition_loses() -> None:
    """The player whose move repeats a position loses."""
    assert started(*WALK, "repetition loses", board=STRIP, moves=ROUND).outcome == "Red"


def test_repetition_forbidden() -> None:
    """A move that repeats a position is illegal; the histories of other positions do not matter."""
    position = started(*WALK, "repetition forbidden", board=STRIP, moves="a1-b1 e1-d1 b1-a1")
    assert position.moves() == ("d1-c1",)
    with pytest.raises(IllegalMove):
        position.play("d1-e1")
    with pytest.raises(IllegalMove, match="repeats an earlier position"):
        position.play(started(*WALK, board=STRIP, moves="a1-b1 e1-d1 b1-a1").find("d1-e1"))


def test_repetition_forbidden_refuses_what_changes_nothing() -> None:
    """A move that changes nothing repeats the position before it."""
    puzzle = started(
        "move place(c in cells):\n    c := own",
        "win Solo when no empty",
        "repetition forbidden",
        players="Solo",
        board=STRIP,
    )
    assert puzzle.play("a1").moves() == ("b1", "c1", "d1", "e1")


def test_without_a_rule_positions_may_repeat() -> None:
    """Without a repetition rule play continues."""
    position = started(*WALK, board=STRIP, moves=f"{ROUND} {ROUND} {ROUND}")
    assert not position.over
    assert position == started(*WALK, board=STRIP)


def test_a_move_is_found_by_its_text_exactly_if_it_is_listed() -> None:
    """A move that is checked by itself is legal exactly if it is among all legal moves: suicide and superko in Go."""
    position, dice, refused = dslgame.load("go", size=3).start(), random.Random(5), 0
    texts = [*position.moves(), "d9"]
    while not position.over and len(position.played) < 60:
        listed = position.moves()
        for text in texts:
            if text in listed:
                assert position.game.notation.write(position.state, position.find(text)) == text
                continue
            refused += 1
            with pytest.raises(IllegalMove):
                position.play(text)
        position = position.play(dice.choice([move for move in listed if move != "pass"] or ["pass"]))
    assert refused > 100


def test_ends_go_before_repetition() -> None:
    """Ends take precedence over the repetition rule."""
    position = started(
        *WALK, 'win Blue when "a1" is red and "e1" is blue', "repetition draws", board=STRIP, moves=ROUND
    )
    assert position.outcome == "Blue"


def test_repetition_looks_at_variables() -> None:
    """The same cells with different variable values are not a repetition."""
    walk = (
        WALK[0],
        "var n in 0..99",
        "move step(c in mine, d in neighbours(c) and empty):\n    carry c to d\n    n += 1",
    )
    assert not started(*walk, "draw when n > 90", "repetition draws", board=STRIP, moves=ROUND).over


# ---- histories


def test_positions_are_equal_whatever_led_to_them() -> None:
    """Equality and hash ignore the moves and history, which positions keep."""
    start = started(PLACE)
    left, right = played(start, "a1 b1 c1 a2"), played(start, "c1 a2 a1 b1")
    assert left == right
    assert hash(left) == hash(right)
    assert left.played == ("a1", "b1", "c1", "a2")
    assert left.history[0] == right.history[0] == start.state
    assert len(left.history) == 4


def test_only_repeating_moves_are_no_moves() -> None:
    """If `repetition forbidden` leaves a player no other move, the `no moves` rule applies."""
    text = """
    game "Corridor"
    players One, Two
    board graph:
        a - b
        c - d
    pieces one of One, two of Two
    start:
        a := one
        c := two
    move step(x in mine, y in neighbours(x) and empty):
        carry x to y
    no moves loses
    repetition forbidden
    """
    position = dslgame.loads(textwrap.dedent(text).lstrip()).start()
    for move in ("a-b", "c-d", "b-a"):
        position = position.play(move)
    assert (position.to_move, position.outcome) == ("Two", "One")  # d-c would bring the start back


def test_closed_path_has_no_line_longer_than_its_cells() -> None:
    """The cell where a path of a graph closes counts once in a line."""
    text = """
    game "Ring"
    players X, O
    board graph:
        ka - kb - kc - ka
        kd - ke - kf - kg - kd
    pieces x of X, o of O
    var longest[player] in 0..9
    move place(c in empty):
        c := own
    after every move:
        longest[mover] := count(lines(mine, 4))
    win mover when line(mine, 4)
    draw when no empty
    """
    position = dslgame.loads(textwrap.dedent(text).lstrip()).start()
    for move in ("ka", "kd", "kb", "ke", "kc", "kf"):
        position = position.play(move)
    assert not position.over
    assert position.variables["longest"] == (0, 0)
    assert position.play("kg").outcome == "draw"
    position = position.game.start()
    for move in ("kd", "ka", "ke", "kb", "kf", "kc"):
        position = position.play(move)
    assert position.play("kg").outcome == "X"
