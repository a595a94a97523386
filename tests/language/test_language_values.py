"""Expressions of the language: numbers, conditions, sets, quantifiers, aggregates, functions, definitions.

Expected values are worked out by hand from the sample board (see `tests.probe`):

    3 S . .
    2 . B .
    1 R R B
      a b c
"""

from __future__ import annotations

import pytest

from dsl.diagnostics import GameFileError
from dsl.words import CALLED, WORDS
from interpreter.errors import RuleError
from tests.language.test_borders import SITE_WORDS
from tests.language.test_piles import PILE_WORDS
from tests.language.test_shapes import SHAPE_WORDS
from tests.language.test_tracks import TRACK_WORDS
from tests.probe import PLACE, cells, loaded, named, shown, start_of, started

# ---- numbers


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("10 - 2 - 3", 5),
        ("10 - (2 - 3)", 11),
        ("2 * 3 mod 4", 2),
        ("7 div 2", 3),
        ("(0 - 7) div 2", -4),
        ("-7 div 2", -4),
        ("7 div -2", -4),
        ("7 mod 3", 1),
        ("-7 mod 3", 2),
        ("7 mod -3", -2),
        ("-(2 + 3)", -5),
        ("4 - -3", 7),
        ("2 - 5", -3),
        ("3 if 1 < 2 else 4", 3),
        ("3 if 2 < 1 else 4", 4),
        ("(3 if 2 < 1 else 4) + 1", 5),
        ("size * size", 9),
        ("size - 1", 2),
    ],
)
def test_number(expression: str, value: int) -> None:
    """Operators have their arithmetic precedence; `div` rounds down and `mod` takes the divisor's sign."""
    assert shown(expression, "param size = 3") == str(value)


def test_divisor_that_can_be_zero_is_refused() -> None:
    """A divisor is refused if its range contains 0, even if it is never 0 in play."""
    with pytest.raises(GameFileError, match="G208"):
        shown("3 div (count(mine) - 1)")


# ---- conditions


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1 < 2", True),
        ("2 < 2", False),
        ("2 <= 2", True),
        ("2 > 2", False),
        ("3 > 2", True),
        ("2 >= 2", True),
        ("2 = 2", True),
        ("2 != 2", False),
        ("1 != 2", True),
        ("true", True),
        ("false", False),
        ("not true", False),
        ("true and false", False),
        ("true or false", True),
        ("false or false and true", False),
        ("true or true and false", True),
        ("not false and false", False),
        ("not (false and false)", True),
        ("(true or true) and false", False),
        ("mover = Red", True),
        ("opponent = Blue", True),
        ("mover != opponent", True),
        ("mine = red", True),
        ("mine = theirs", False),
        ("mine + theirs != red + blue", False),
        ('"a1" = cell(2, 0)', True),
        ('"a1" = "a2"', False),
        ('piece("a1") = red', True),
        ('red = piece("a1")', True),
        ('piece("a1") = own', True),
        ('piece("b3") = empty', True),
        ('empty = piece("b3")', True),
        ('piece("a3") = stone', True),
        ('piece("a3") != red', True),
        ('piece("c1") = blue', True),
        ('"a1".west = none', True),
        ('none = "a1".west', True),
        ('"a1".east != none', True),
        ('"a1" in mine', True),
        ('"a1" is mine', True),
        ('"a1" is red', True),
        ('"a1" is own', True),
        ('"a1" is not blue', True),
        ('"a1" not in theirs', True),
        ('"a3" is mine', False),
        ('"a3" is theirs', False),
        ('"a3" is occupied', True),
        ('"a3" is stone', True),
        ('"b3" is empty', True),
        ('"b3" is "b3"', True),
        ('"b3" in "a3" + "b3"', True),
        ('"a1".west is empty', False),
        ('"a1".west is not empty', True),
        ('"a1".west in cells', False),
        ("Red in players", True),
        ("mover in players", True),
        ("north in orthogonals", True),
        ("northeast in orthogonals", False),
        ("northeast in diagonals", True),
        ("stone in pieces", True),
        ("2 in rows", True),
        ("3 in rows", False),
        ("some mine", True),
        ("no mine", False),
        ("some (mine and theirs)", False),
        ("no (mine and theirs)", True),
    ],
)
def test_condition(expression: str, value: bool) -> None:
    """Comparisons, `and` before `or`, membership; `none` belongs to no set and equals only itself."""
    assert shown(expression) == ("yes" if value else "no")


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("v = none", True),
        ("none = v", True),
        ("v != none", False),
        ("v = 0", False),
        ("v != 0", True),
        ("v < 1", False),
        ("v >= 0", False),
        ("not v < 1", True),
        ("w = none", False),
        ("w = 2", True),
        ("w < 3", True),
        ("b = none", True),
        ("owner = none", True),
        ("mood = none", True),
        ("owner != Red", True),
    ],
)
def test_comparison_with_none(expression: str, value: bool) -> None:
    """Variables of every kind can be compared with `none`; order comparisons with `none` are false."""
    declarations = (
        "values feeling = warm, cold\nvar v in 0..3 or none\nvar w in 0..3 or none = 2\nvar b in boolean or none\n"
        "var owner in players or none\nvar mood in feeling or none"
    )
    assert shown(expression, declarations) == ("yes" if value else "no")


@pytest.mark.parametrize(
    "expression", ["v + 1", "1 - v", "-v", "v mod 2", "abs(v)", "max(v, 1)", "twice(v)", "sum(many)"]
)
def test_calculating_with_none_is_a_rule_error(expression: str) -> None:
    """Arithmetic on `none` raises a RuleError that names the place, also inside a definition or a sum."""
    declarations = "var v in 0..3 or none\nvar many[cell] in 0..3 or none\ndefine twice(x) = x + x"
    with pytest.raises(RuleError, match="G406"):
        shown(expression, declarations)


def test_none_is_no_condition() -> None:
    """`none` can be compared with, but is neither true nor false."""
    with pytest.raises(GameFileError, match="G206"):
        started("win Red when none", PLACE)


# ---- sets of cells


@pytest.mark.parametrize(
    ("expression", "names"),
    [
        ("mine", "a1 b1"),
        ("theirs", "c1 b2"),
        ("red", "a1 b1"),
        ("blue + stone", "c1 b2 a3"),
        ("stone", "a3"),
        ("own + theirs", "a1 b1 c1 b2"),
        ("empty", "b3 c3 a2 c2"),
        ("occupied", "a1 b1 c1 b2 a3"),
        ("cells - occupied", "b3 c3 a2 c2"),
        ("top", "a3 b3 c3"),
        ("bottom", "a1 b1 c1"),
        ("left", "a1 a2 a3"),
        ("right", "c1 c2 c3"),
        ("corners", "a1 a3 c1 c3"),
        ("edges", "a1 a2 a3 b1 b3 c1 c2 c3"),
        ("top and left", "a3"),
        ("top + left", "a1 a2 a3 b3 c3"),
        ("top - left", "b3 c3"),
        ("top - left - right", "b3"),
        ("top - (left - right)", "b3 c3"),
        ("top + bottom and left", "a1 a3"),
        ("top and left + right", "a3 c3"),
        ("cells and top and right", "c3"),
        ('top + "b2"', "a3 b3 c3 b2"),
        ('"a1" + "b2"', "a1 b2"),
        ('cells - "b2" - mine', "c1 a2 c2 a3 b3 c3"),
        ('{"a1", "c3"}', "a1 c3"),
        ('{"a1", top, "a1"}', "a1 a3 b3 c3"),
        ("{}", ""),
        ("{x in cells where x.row = x.column}", "a3 b2 c1"),
        ("{x in mine}", "a1 b1"),
        ("{x in mine where x is left}", "a1"),
        ("{x in cells where x.north is mine}", ""),
        ("{x in cells where x.south is mine}", "a2 b2"),
        ("{x in cells where some y in neighbours(x): y is theirs}", "b1 a2 b3 c2 c1 b2".replace(" c1 b2", "")),
        ("{x in top and empty}", "b3 c3"),
        ("{x in cells and edges and empty where x is right}", "c2 c3"),
        ('{"a1".west, "a1"}', "a1"),
        ('neighbours("a1".west)', ""),
        ("mine if mover = Red else theirs", "a1 b1"),
        ("mine if mover = Blue else theirs", "c1 b2"),
    ],
)
def test_set(expression: str, names: str) -> None:
    """`+` and `-` associate to the left and bind tighter than `and`; a cell or piece is a set; `none` adds nothing."""
    assert cells(expression) == named(names)


# ---- quantifiers


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("some x in mine: x.north is empty", True),
        ("some x in mine: x.north is red", False),
        ("some x in mine where x.column = 1: x.north is blue", True),
        ("some x in empty where x is top", True),
        ("some x in red + blue", True),
        ("no x in mine: x is top", True),
        ("no x in mine: x is bottom", False),
        ("no x in mine where x is top", True),
        ("every x in mine: x is bottom", True),
        ("every x in mine: x is left", False),
        ("every x in mine where x is left: x.row = 2", True),
        ("every x in (mine and top): false", True),
        ("some x in (mine and top): true", False),
        ("some x in mine and false", False),
        ("some x in mine: x is left and x is top", False),
        ("(some x in mine: x is left) and some stone", True),
        ("exactly one x in mine: x is left", True),
        ("exactly one x in mine: x is bottom", False),
        ("exactly 1 x in mine: x is left", True),
        ("exactly 2 x in mine: x is bottom", True),
        ("exactly 2 x in corners: x is empty", False),
        ("exactly 1 x in corners: x is empty", True),
        ("exactly 0 x in mine: x is top", True),
        ("at least 2 x in cells: x is theirs", True),
        ("at least 3 x in cells: x is theirs", False),
        ("at least one x in cells: x is theirs", True),
        ("at most 2 x in cells: x is theirs", True),
        ("at most one x in cells: x is theirs", False),
        ("at most 0 x in mine: x is top", True),
        ('some d in directions: ("b2".d is empty and d in diagonals)', True),
        ('every d in orthogonals: "b2".d is occupied', False),
        ("some p in players: p = opponent", True),
        ("every p in pieces: some p", True),
        ("some r in rows: count(row(r) and mine) = 2", True),
        ("every k in columns: some (column(k) and occupied)", True),
        ("some n in 0..2: count(row(n)) = n + 3", True),
        ("every n in 3..5: n > 2", True),
        ("some b in boolean: b", True),
        ("every b in boolean: b", False),
        ("some x in mine: some y in neighbours(x): y is theirs", True),
        ("every x in mine: no y in neighbours(x): y is stone", True),
    ],
)
def test_quantifier(expression: str, value: bool) -> None:
    """Over cells, directions, players, pieces and numbers, nested; over an empty set `every` is true, `some` false."""
    assert shown(expression) == ("yes" if value else "no")


# ---- aggregates


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("count(mine)", 2),
        ("count(red + blue)", 4),
        ("count(red)", 2),
        ('count("a1")', 1),
        ("count(x in mine)", 2),
        ("sum(count(y in {x}) for x in mine)", 2),
        ("count(x in cells where x is mine or x is theirs)", 4),
        ("count(x in top and empty where x is right)", 1),
        ("sum(x.column for x in top and empty)", 3),
        ('count(d in directions where "a1".d in cells)', 3),
        ("count(r in rows where (row(r) and empty) = row(r))", 0),
        ("sum(x.row for x in mine)", 4),
        ("sum(x.row * 10 + x.column for x in occupied)", 20 + 21 + 22 + 11 + 0),
        ("sum(x.row for x in mine where x.column = 0)", 2),
        ("sum(1 for x in mine and top)", 0),
        ("sum(r for r in rows)", 3),
        ("sum(count(row(r) and mine) * r for r in rows)", 4),
        ("sum(n for n in 1..4)", 10),
        ("sum(sum(1 for y in neighbours(x)) for x in corners)", 8),
        ("min(x.column for x in theirs)", 1),
        ("max(x.column for x in theirs)", 2),
        ("min(x.column for x in mine and top)", 0),
        ("max(0 - x.row for x in mine)", -2),
        ("min(2, 5)", 2),
        ("max(2, 5)", 5),
        ("min(count(mine), 1)", 1),
        ("sum(weight)", 9 + 5),
        ("max(weight)", 6),
        ("min(weight)", 1),
        ("sum(pushed)", 2 + 1),
        ("sum(score)", 7),
        ("max(score)", 7),
        ("sum(turns)", 8),
    ],
)
def test_aggregate(expression: str, value: int) -> None:
    """Counts, sums, minima and maxima of expressions and of indexed variables; the minimum of nothing is 0."""
    declarations = (
        "param rows = 3\nvar weight[cell] in 0..9 = 1\nvar pushed[row] in 0..5 = 1\nvar score[player] in 0..9\n"
        "var turns[direction] in 0..2 = 1"
    )
    extra = ('weight["b2"] := 6', "score[Blue] := 7")
    assert shown(expression, declarations, effects=(*SAMPLE_EFFECTS, *extra)) == str(value)


SAMPLE_EFFECTS = ('{"a1", "b1"} := red', '{"c1", "b2"} := blue', '"a3" := stone')


def test_union() -> None:
    """`union` is the set of the cells in any of the sets."""
    assert cells('union(ray("a1", d) for d in orthogonals)') == named("a2 a3 b1 c1")
    assert cells("union(neighbours(x) for x in mine where x is left)") == named("a2 b1")
    assert cells("union(row(r) for r in rows where some (row(r) and mine))") == named("a1 b1 c1")
    assert cells("union(row(r) for r in rows where false)") == set()


# ---- functions

SET_CASES: dict[str, list[tuple[str, str]]] = {
    "opposite": [
        ('ray("b2", opposite(north))', "b1"),
        ('ray("b2", opposite(southwest))', "c3"),
        ('ray("a1", opposite(opposite(east)))', "b1 c1"),
    ],
    "row": [
        ("row(0)", "a3 b3 c3"),
        ("row(2)", "a1 b1 c1"),
        ("row(3)", ""),
        ("row(0 - 1)", ""),
        ('row("b2".row)', "a2 b2 c2"),
    ],
    "column": [("column(0)", "a1 a2 a3"), ("column(5)", ""), ("column(-1)", "")],
    "neighbours": [
        ('neighbours("b2")', "a2 c2 b1 b3"),
        ('neighbours("a1")', "a2 b1"),
        ("neighbours(mine)", "a1 b1 a2 b2 c1"),
        ("neighbours(mine) - mine", "a2 b2 c1"),
        ("neighbours(red + stone)", "a1 b1 a2 b2 c1 b3"),
        ("neighbours({})", ""),
    ],
    "ray": [
        ('ray("a1", north)', "a2 a3"),
        ('ray("a1", northeast)', "b2 c3"),
        ('ray("a1", west)', ""),
        ('ray("a1", north, empty)', "a2"),
        ('ray("a1", east, mine)', "b1"),
        ('ray("a1", east, theirs)', ""),
        ('ray("c3", west, empty)', "b3"),
        ('ray("a1".west, east)', ""),
    ],
    "reach": [
        ('reach("a1", north)', "a2 a3"),
        ('reach("a1", east)', "b1"),
        ('reach("c3", west)', "b3 a3"),
        ('reach("c3", south)', "c2 c1"),
        ('reach("a2", northeast)', "b3"),
        ('reach("a1", west)', ""),
        ('reach("a1".west, east)', ""),
        ('union(reach("a1", d) for d in directions) and theirs', "b2"),
        ('reach(sight("a1", east), east)', "c1"),
    ],
    "group": [
        ('group("a1", mine)', "a1 b1"),
        ('group("b2", theirs)', "b2"),
        ('group("a1", occupied)', "a1 b1 c1 b2"),
        ('group("a3", occupied)', "a3"),
        ('group("b3", occupied)', ""),
        ('group("b3", cells - "b2")', "a1 a2 a3 b1 b3 c1 c2 c3"),
        ('group("a1".south, mine)', ""),
        ('group(bottom, mine)', "a1 b1"),
        ('group("a3" + "a1", cells - "b2" - "a2")', "a1 a3 b1 b3 c1 c2 c3"),
        ('group({"a1"}, empty)', ""),
    ],
    "lines": [
        ("lines(cells, 3)", "a1 a2 a3 b1 b2 b3 c1 c2 c3"),
        ("lines(top + left + \"c1\", 3)", "a1 a2 a3 b3 c3"),
        ("lines(mine, 3)", ""),
        ("lines(mine, 1)", "a1 b1"),
    ],
    "leap": [
        ('leap("a1", 1, 2)', "b3 c2"),
        ('leap("b2", 2, 1)', ""),
        ('leap("b2", 1, 1)', "a1 a3 c1 c3"),
        ('leap("b2", 0, 1)', "a2 b1 b3 c2"),
        ('leap("b2", 0, 0)', "b2"),
        ('leap("c3", -1, 2)', "a2 b1"),
        ('leap("a1".south, 1, 2)', ""),
    ],
}
VALUE_CASES: dict[str, list[tuple[str, str]]] = {
    "cell": [
        ("cell(0, 0)", "a3"),
        ("cell(2, 1)", "b1"),
        ("cell(3, 0)", "none"),
        ("cell(0, 0 - 1)", "none"),
        ("cell(-1, -1)", "none"),
        ('cell("a1".row, "c3".column)', "c1"),
    ],
    "degree": [('degree("a1")', "2"), ('degree("b1")', "3"), ('degree("b2")', "4")],
    "the": [
        ("the(stone)", "a3"),
        ("the(red)", "none"),
        ("the({})", "none"),
        ('the("b2" + mine)', "none"),
        ('the({"b2".north.north})', "none"),
        ('the("b2")', "b2"),
        ("the(top and column(1) and empty)", "b3"),
    ],
    "piece": [
        ('piece("a1") = red', "yes"),
        ('piece("b3") = empty', "yes"),
        ('piece("a1".west) = none', "yes"),
        ('piece("a1".west) = empty', "no"),
    ],
    "joined": [
        ("joined(mine, left, right)", "no"),
        ("joined(red + blue, left, right)", "yes"),
        ("joined(red, left, bottom)", "yes"),
        ('joined(occupied, "a1", "b2")', "yes"),
        ('joined(occupied, "a1", "a3")', "no"),
        ("joined(red, top, bottom)", "no"),
        ("joined(cells, left, right)", "yes"),
        ("joined({}, left, right)", "no"),
        ("joined(red, {}, bottom)", "no"),
        ('joined("a1", left, bottom)', "yes"),
        ("joined(occupied, left, bottom, right)", "yes"),
        ("joined(occupied, left, bottom, right, top)", "no"),
        ('joined(cells, "a1", "b2", "c3", "a3", "c1", "b1")', "yes"),
        ('joined("a1" + "c1", bottom, left, right)', "no"),
    ],
    "line": [
        ("line(mine, 2)", "yes"),
        ("line(mine, 3)", "no"),
        ("line(red + blue, 3)", "yes"),
        ('line(stone + "b2" + "c1", 3)', "yes"),
        ('line({"a1", "b2", "c3"}, 3)', "yes"),
        ('line({"a1", "b3"}, 2)', "no"),
        ('line({"a1", "c1"}, 2)', "no"),
        ("line(mine, 1)", "yes"),
        ("line({}, 1)", "no"),
        ("line(cells, 4)", "no"),
    ],
    "sight": [
        ('sight("a1", north)', "a3"),
        ('sight("a1", east)', "b1"),
        ('sight("a2", northeast)', "none"),
        ('sight("c2", west)', "b2"),
        ('sight("c3", west)', "a3"),
        ('sight("a1", west)', "none"),
        ('sight("a1".west, east)', "none"),
        ('sight(sight("a1", east), east)', "c1"),
        ('sight("c3", west) is stone', "yes"),
        ('sight("a2", east) in mine', "no"),
        ('count(d in directions where sight("b3", d) is blue)', "1"),
    ],
    "next": [
        ('next("a1", north)', "a2"),
        ('next("a1", northeast, 2)', "c3"),
        ('next("a1", east, 0)', "a1"),
        ('next("c2", east, -2)', "a2"),
        ('next("a1", north, 3)', "none"),
        ('next("b2", north, -2)', "none"),
        ('next("b3", south, count(mine))', "b1"),
        ('next("a1".west, east, 1)', "none"),
        ('next("a1", opposite(south), 1)', "a2"),
        ('count(d in directions where next("a1", d, 2) != none)', "3"),
        ('next("c1", west, "b1".column)', "b1"),
        ('next("b2", east, 999999999) = none', "yes"),
    ],
    "owner": [
        ("owner(red) = Red", "yes"),
        ("owner(own) = mover and owner(piece(\"c1\")) = opponent", "yes"),
        ("owner(stone) = none", "yes"),
        ("owner(piece(\"c3\")) = none and owner(piece(\"c1\".east)) = none", "yes"),
    ],
    "kind": [
        ("kind(red) = kind(own) and kind(red) != kind(blue)", "yes"),
        ("kind(piece(\"a3\")) = stone and stone = kind(stone)", "yes"),
        ("kind(piece(\"c1\")) in {stone, blue}", "yes"),
        ("kind(piece(\"c1\")) is blue and kind(piece(\"c1\")) is not stone", "yes"),
        ("kind(empty) = none and kind(piece(\"c1\".east)) = none", "yes"),
        ("kind(red)[Red] = red", "yes"),
        ("kind(red)[Blue] = none", "yes"),
    ],
    "opposite": [
        ("opposite(north)", "south"),
        ("opposite(southwest)", "northeast"),
        ("every d in directions: opposite(opposite(d)) = d and opposite(d) != d", "yes"),
        ('every d in directions: (some x in {"b2".d}: (some e in {x}: "b2" in ray(e, opposite(d))))', "yes"),
    ],
    "abs": [("abs(2 - 5)", "3"), ("abs(5 - 2)", "3"), ("abs(0)", "0")],
    "count": [("count(corners)", "4"), ("count(x in corners where x is mine)", "1")],
    "sum": [("sum(x.row for x in corners)", "4")],
    "min": [("min(3, 2)", "2"), ("min(x.row for x in mine)", "2")],
    "max": [("max(3, 2)", "3"), ("max(x.row for x in cells)", "2")],
    "union": [("count(union(row(r) for r in 0..1))", "6")],
    "reached": [
        ('reached({x.north} for x from "a1") = column(0)', "yes"),
        ('reached(neighbours(x) for x from "a1" where x in left) = column(0) + column(1)', "yes"),
        ("reached({} for x from corners) = corners", "yes"),
        ("reached(top for x from {}) = {}", "yes"),
    ],
    "cheapest": [
        ('cheapest(1 for x to y in neighbours(x) from "a1" to "c3")', "4"),
        ("cheapest(0 if y is empty else 5 for x to y in neighbours(x) from top to bottom)", "5"),
        ('cheapest(1 for x to y in neighbours(x) where y is empty from "a3" to "c2")', "3"),
        ('cheapest(1 + y.row for x to y in neighbours(x) from "a1" to "c3")', "5"),
        ('cheapest(1 + x.row for x to y in neighbours(x) from "a1" to "c3")', "7"),
        ('cheapest(3 if y in neighbours(x) else 4 for x to y in cells from "a1" to "c3")', "4"),
        ('cheapest(2 for x to y in {x.north} from "a1" to top)', "4"),
        ('cheapest(2 for x to y in {x.north} from top to "a1")', "18"),  # no way
        ("cheapest(1 for x to y in neighbours(x) from left to corners)", "0"),
        ("cheapest(0 for x to y in neighbours(x) from top to bottom)", "0"),
        ("cheapest(0 for x to y in {} from top to bottom)", "9"),
        ("cheapest(1 for x to y in neighbours(x) from {} to top)", "9"),
        ("cheapest(1 for x to y in neighbours(x) from top to {})", "9"),
        ("cheapest(cheapest(1 for e to n in neighbours(e) from x to y) for x to y in corners "
         'from "a1" to "c3")', "4"),
    ],
    "arrivals": [
        ("arrivals(mine, left, right, empty) = {}", "yes"),
        ("arrivals(theirs, top, bottom, empty) = theirs", "yes"),
    ],
    "ways": [
        ("ways(mine, left, right, empty) = {}", "yes"),
        ('ways(theirs, top, bottom, empty) = {"b3", "c2", "c3"}', "yes"),
    ],
    "contested": [
        ("contested(mine, left, right, empty)", "9"),
        ("contested(mine, left, bottom, {})", "0"),
        ("contested(theirs, top, bottom, empty)", "9"),
        ("contested({}, top, bottom, cells)", "9"),  # a cell leads to one above: it is taken
        ("contested(row(1), top, bottom, top + bottom)", "2"),
        ("contested(row(1), top, bottom, top)", "9"),
    ],
    "distance": [
        ("distance(mine, left, right, empty)", "9"),  # walled in
        ("distance(mine, left, right, empty + theirs)", "1"),
        ("distance(mine, left, right, theirs)", "1"),
        ("distance(mine, left, right, {})", "9"),
        ("distance(mine, left, bottom, {})", "0"),
        ("distance(theirs, top, bottom, empty)", "2"),
        ('distance(theirs, top, "b2", empty)', "1"),
        ("distance({}, top, bottom, cells)", "3"),
        ("distance({}, top, bottom, empty)", "9"),
        ('distance({}, "b3", "b3", empty)', "1"),
        ("distance(mine, {}, bottom, empty)", "9"),
        ("distance(mine, bottom, {}, empty)", "9"),
    ],
    "loop": [
        ("loop(cells)", "yes"),
        ("loop(cells - corners)", "no"),
        ('loop(cells - "b2")', "yes"),
        ('loop({"a1", "a2", "b1", "b2"})', "yes"),
        ("loop(occupied)", "no"),
        ("loop({})", "no"),
    ],
    "spans": [
        ("spans(mine + theirs, 3)", "yes"),
        ("spans(mine + theirs, 4)", "no"),
        ("spans(mine, 1)", "no"),  # what stands on the board is three columns wide
        ('spans(mine + "c1", 2)', "yes"),
        ("spans(stone, 1)", "no"),
        ("spans({}, 0)", "no"),
    ],
}
LINKS = "links bridge between c and leap(c, 1, 2) never crossing\nlinks path between c and neighbours(c)"
LINKED = (
    '{"a1", "b3", "d2"} := red', '{"a2", "c3"} := blue',
    'link "a1" to "b3" by bridge', 'link "d2" to "b3" by bridge', 'link "a2" to "a1" by path',
)
"""The bridges a1-b3-d2 and a path from a1 to a2 on a 4 x 4 board."""
LINKED_CASES: dict[str, list[tuple[str, str]]] = {
    "free": [
        ('free("a1", "c2", bridge)', "yes"),
        ('free("c2", "a1", bridge)', "yes"),
        ('free("a1", "b3", bridge)', "no"),
        ('free("a2", "c3", bridge)', "no"),
        ('free("a1", "a2", bridge)', "no"),
        ('free("a1", "a2", path)', "no"),
        ('free("a1", "b1", path)', "yes"),
        ('free("a1", "a1", path)', "no"),
        ('free("a1".west, "a1", path)', "no"),
    ],
    "linked": [
        ('linked("a1", "b3", bridge)', "yes"),
        ('linked("b3", "a1", bridge)', "yes"),
        ('linked("a1", "c2", bridge)', "no"),
        ('linked("a1", "d2", bridge)', "no"),
        ('linked("a1", "a2", path)', "yes"),
        ('linked("a1", "a1".west, path)', "no"),
    ],
    "joined": [
        ("joined(red linked by bridge, bottom, right)", "yes"),
        ("joined(red, bottom, right)", "no"),
        ("joined(red linked by path, bottom, right)", "no"),
        ("joined(red linked by bridge, top, right)", "no"),
        ('joined(red - "b3" linked by bridge, bottom, right)', "no"),
        ('joined(cells linked by path, "a1", "a2")', "yes"),
        ('joined(cells linked by path, "a3", "a3")', "yes"),
        ('joined(red linked by path, "a3", "a3")', "no"),
    ],
    "group": [
        ('group("a1", red linked by bridge) = red', "yes"),
        ('group("a1" + "a2", cells linked by path) = "a1" + "a2"', "yes"),
        ('group("a2", red linked by bridge) = {}', "yes"),
        ('group("a1", red linked by path) = "a1"', "yes"),
    ],
    "distance": [
        ("distance(red linked by bridge, bottom, right, empty)", "0"),
        ("distance(red linked by bridge, top, bottom, empty)", "1"),  # d2-c4
        ("distance(red linked by bridge, top, bottom, {})", "16"),
        ('distance(blue linked by bridge, "a2", "c3", empty)', "16"),  # walled in
        ('distance(blue linked by bridge, "a2", "b4", empty)', "1"),
    ],
    "arrivals": [
        ('arrivals(red linked by bridge, top, bottom, empty) = {"b3", "d2"}', "yes"),  # from d4 and c4
        ('arrivals(red linked by bridge, bottom, top, empty) = {}', "yes"),
        ('arrivals(red linked by bridge, top, bottom, {}) = {}', "yes"),
        ('arrivals(cells linked by path, top, bottom, {}) = {}', "yes"),
    ],
    "ways": [
        ('ways(red linked by bridge, top, bottom, empty) = {"c4", "d4"}', "yes"),
        ('ways(cells linked by path, top, bottom, {}) = {}', "yes"),
    ],
    "contested": [
        ("contested(red linked by bridge, bottom, right, empty)", "0"),
        ("contested(red linked by bridge, top, bottom, empty)", "1"),
        ("contested(red linked by bridge, bottom, top, empty)", "1"),
        ("contested({} linked by bridge, top, bottom, cells)", "16"),
    ],
    "linked_to": [
        ('linked_to("b3", bridge) = {"a1", "d2"}', "yes"),
        ('linked_to("a1", path) = {"a2"}', "yes"),
        ('linked_to("c3", bridge) = {}', "yes"),
        ('linked_to("a1".west, bridge) = {}', "yes"),
    ],
    "loop": [
        ("loop(red linked by bridge)", "no"),
        ("loop(cells linked by path)", "no"),
        ("loop(cells)", "yes"),
    ],
    "spans": [
        ("spans(red linked by bridge, 3)", "yes"),
        ("spans(red linked by bridge, 4)", "yes"),
        ("spans(red linked by bridge, 5)", "no"),
        ("spans(red linked by path, 1)", "no"),
    ],
}
TILES = """tiles with a track of each player:
    "/" joins north west, south east
    "+" joins north south, east west
"""
TILED = (
    'each t in tiles where t.north = Red and t.south = Red:\n    "a2" := t',
    'each t in tiles where t.north = Blue and t.west = Blue:\n    "b2" := t',
    'each t in tiles where t.west = Red and t.east = Red:\n    "c2" := t',
)
"""Three tiles in the middle row: +r /b +b."""
TILED_CASES: dict[str, list[tuple[str, str]]] = {
    "facing": [
        ('facing("a3", south) = Red', "yes"),
        ('facing("b3", south) = Blue', "yes"),
        ('facing("a2", east) = Blue', "yes"),
        ('facing("c2", west) = Red', "yes"),
        ('facing("b1", north) = Red', "yes"),
        ('facing("c3", west) = none', "yes"),
        ('facing("a2", west) = none', "yes"),
        ('facing("a3", southeast) = none', "yes"),
        ('facing("a1".west, east) = none', "yes"),
        ('every d in orthogonals: facing("b2", d) = piece("b2").d or facing("b2", d) = none', "yes"),
    ],
    "group": [
        ('group("a2", track[Blue]) = "a2" + "b2"', "yes"),
        ('group("b2", track[Red]) = "b2" + "c2"', "yes"),
        ('group("a2", track[Red]) = "a2"', "yes"),
    ],
    "joined": [('joined(track[Blue], left, right)', "no"), ('joined(track[Red], "b2", right)', "yes")],
    "loop": [("loop(track[Red])", "no")],
    "spans": [("spans(track[mover], 1)", "yes"), ("spans(track[Red], 2)", "no"), ("spans(track[Blue], 3)", "no")],
}


ASKED = {
    "step": '"a1".north = "a2"',
    "coordinate_row": '"a1".row = 1',
    "coordinate_column": '"a1".column = 1',
    "cell": 'cell(0, 0) = "a1"',
    "row": "some row(0)",
    "column": "some column(0)",
    "neighbours": 'some neighbours("a1")',
    "the": "the(top and left) is top",
    "degree": 'degree("a1") = 2',
    "ray": 'some ray("a1", north, top + left)',
    "sight": 'sight("a1", east) = "b1"',
    "reach": 'some reach("a1", east, top)',
    "next": 'next("a1", north, 2) = "a3"',
    "next_along": 'next("a1", rim) = "a2"',
    "around": 'some around("a1", rim, left)',
    "border": 'border("a1", north) = border("a2", south)',
    "vertex": 'vertex("a1", northeast) = vertex("b2", southwest)',
    "beside": 'some beside(border("a1", north))',
    "cells_round": 'some beside(vertex("a1", northeast))',
    "border_from": 'border(vertex("a1", northeast), north) = border("a2", east)',
    "from_border": 'border("a1", north).north = "a2"',
    "from_vertex": 'vertex("a1", northeast).northwest = "a2"',
    "ray_along": 'some ray("a1", rim, left)',
    "reach_along": 'some reach("a1", rim, left)',
    "track_back": 'next("a1", opposite(rim)) = "b1"',
    "track_cells": "some rim",
    "group": 'some group("a1", left)',
    "leap": 'some leap("a1", 1, 2)',
    "laid": 'some laid(ell, "a1", north, east)',
    "differs": "differs(ell, north, east)",
    "area": "area(ell) = 3",
    "opposite": "opposite(north) = south",
    "piece": 'piece("a1") = red',
    "height": 'height("a1") = 1',
    "below": 'below("a1", 0) = red',
    "copies": "copies(red) = 2",
    "joined": "joined(left, top, bottom)",
    "distance": "distance(left, top, bottom, right) = 1",
    "arrivals": "some arrivals(left, top, bottom, right)",
    "ways": "some ways(left, top, bottom, right)",
    "contested": "contested(left, top, bottom, right) = 1",
    "loop": "loop(cells)",
    "spans": "spans(left, 2)",
    "free": 'free("a1", "b3", bridge)',
    "linked": 'linked("a1", "b3", bridge)',
    "linked_to": 'some linked_to("a1", bridge)',
    "facing": 'facing("a1", north) = White',
    "owner": "owner(red) = Red",
    "kind": "kind(red) = red",
    "piece_of": "kind(red)[Red] = red",
    "side": "some t in tiles: t.north = White",
    "line": "line(left, 3)",
    "lines": "some lines(left, 3)",
    "abs": "abs(0 - 1) = 1",
    "count": "count(left) = 3",
    "sum": "sum(1 for c in left) = 3",
    "min": "min(1, 2) = 1",
    "max": "max(1, 2) = 2",
    "union": "some union(row(r) for r in rows)",
    "reached": "some reached({x.north} for x from bottom)",
    "cheapest": "cheapest(1 for x to y in neighbours(x) from top to bottom) = 2",
}
"""For each function, also those that the resolver derives, a condition in which nothing else can read the position.
Used by `tests.language.test_reads` and `tests.language.test_words`."""


def test_every_function_of_the_language_is_tested() -> None:
    """Every function of the language has test cases here; a new one must add some."""
    assert {*SET_CASES, *VALUE_CASES, *LINKED_CASES, *TILED_CASES, *TRACK_WORDS, *SITE_WORDS, *PILE_WORDS,
            *SHAPE_WORDS} == {*CALLED}
    assert set(ASKED) == set(WORDS)


@pytest.mark.parametrize(("expression", "value"), [case for cases in LINKED_CASES.values() for case in cases])
def test_function_of_links(expression: str, value: str) -> None:
    """Links are symmetric; a network contains only its own cells; no cell is linked to itself."""
    assert shown(expression, LINKS, board="square(4, 4)", effects=LINKED) == value


@pytest.mark.parametrize(("expression", "value"), [case for cases in TILED_CASES.values() for case in cases])
def test_function_of_tiles(expression: str, value: str) -> None:
    """Tracks are connected where two facing sides belong to the same player."""
    assert shown(expression, TILES, effects=TILED) == value


@pytest.mark.parametrize(("expression", "names"), [case for cases in SET_CASES.values() for case in cases])
def test_function_that_gives_a_set(expression: str, names: str) -> None:
    """Rows and columns off the board are empty; a ray stops before the first cell outside its set."""
    assert cells(expression) == named(names)


@pytest.mark.parametrize(("expression", "value"), [case for cases in VALUE_CASES.values() for case in cases])
def test_function_that_gives_a_value(expression: str, value: str) -> None:
    """A cell off the board is shown as `none`."""
    assert shown(expression) == value


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        ('degree("a1".west)', "G403"),
        ('"a1".west.row', "G403"),
        ("line(mine, count(theirs) - 2)", "G405"),
    ],
)
def test_function_without_an_answer_is_a_rule_error(expression: str, code: str) -> None:
    """Asking for a property of no cell, or for a line of zero cells, is a rule error."""
    with pytest.raises(RuleError, match=code):
        shown(expression)


def test_step() -> None:
    """`c.north` is the adjacent cell; off the board it is `none`, and a step from `none` is `none`."""
    there = {
        "north": "b3", "northeast": "c3", "east": "c2", "southeast": "c1",
        "south": "b1", "southwest": "a1", "west": "a2", "northwest": "a3",
    }  # fmt: skip
    assert {way: shown(f'"b2".{way}') for way in there} == there
    assert shown('"a1".north.north.east') == "b3"
    assert shown('"a1".west') == "none"
    assert shown('"a1".west.east') == "none"
    assert cells("{x in cells where every d in orthogonals: x.d in cells}") == {"b2"}


def test_row_and_column_of_a_cell() -> None:
    """Rows count from 0 at the top and columns from 0 at the left, however cells are named."""
    assert shown('"a1".row') == "2"
    assert shown('"c1".column') == "2"
    assert shown('"a1".row', 'coordinates "{column:a}{row:1}"', effects=()) == "0"


# ---- definitions


def test_definition_without_parameters_is_its_expression() -> None:
    """A definition may be a number, a condition or a set, and may use definitions that come later."""
    definitions = "define most = twice + 1\ndefine twice = count(free) * 2\ndefine free = empty - corners"
    assert shown("most", definitions) == "7"
    assert cells("free", definitions) == named("b3 a2 c2")


def test_definition_with_parameters_is_called_by_value() -> None:
    """Arguments are expressions; calls are independent, also when one is an argument of another."""
    definitions = "define step2(x, d) = x.d.d\ndefine far(x, y) = abs(x.row - y.row) + abs(x.column - y.column)"
    assert shown('step2("a1", north)', definitions) == "a3"
    assert shown('step2(step2("a1", north), east)', definitions) == "c3"
    assert shown('far(step2("a1", north), "c1")', definitions) == "4"
    assert cells('{x in cells where far(x, "a1") = 1}', definitions) == named("a2 b1")
    assert cells("{x in cells where some y in mine: far(x, y) = 2}", definitions) == named("a3 b3 b2 c2 c1 a2")


def test_definition_sees_the_mover_but_no_bound_name_of_its_user() -> None:
    """A definition sees `mover`, but names bound by its caller only when passed as arguments."""
    assert shown('friend("a1")', "define friend(x) = x is mine") == "yes"
    with pytest.raises(GameFileError, match="G203"):
        shown("some x in cells: odd", "define odd = x.row = 1")


def test_definition_with_a_set_as_parameter() -> None:
    """A piece's name stands for the set of its cells where the body needs a set."""
    definitions = "define pair(s) = count(s) = 2\ndefine both(s, t) = s + t"
    assert shown("pair(mine)", definitions) == "yes"
    assert shown("pair(stone)", definitions) == "no"
    assert cells("both(mine, stone)", definitions) == named("a1 b1 a3")


def test_definition_by_cases() -> None:
    """A definition may give one case per player or per word; the index is any expression of that kind."""
    players = "define goal[Red] = top\ndefine goal[Blue] = left"
    assert cells("goal[Red]", players) == named("a3 b3 c3")
    assert cells("goal[opponent]", players) == named("a1 a2 a3")
    assert cells("goal[mover] and goal[opponent]", players) == {"a3"}
    words = "values size = small, large\ndefine worth[small] = 1\ndefine worth[large] = 10\nvar now in size = large"
    assert shown("worth[small]", words) == "1"
    assert shown("worth[now]", words) == "10"
    assert shown("sum(worth[s] for s in size)", words) == "11"


def test_definition_by_cases_needs_every_case() -> None:
    """A definition that lacks a case is refused, so that no missing case silently takes another's value."""
    for definitions in (
        "define goal[Red] = top",
        "values size = small, large\ndefine goal[small] = top",
        "define goal[red] = top\ndefine goal[blue] = left",
        "define goal[north] = top",
    ):
        with pytest.raises(GameFileError, match="G228"):
            started(definitions, PLACE)


@pytest.mark.parametrize(
    "definitions",
    [
        "define again = again",
        "define ping = pong\ndefine pong = ping",
        "define deep(x) = deep(x.north)",
    ],
)
def test_definition_by_itself_is_refused(definitions: str) -> None:
    """Recursive definitions are refused."""
    with pytest.raises(GameFileError, match="G217"):
        started(definitions, PLACE, 'win Red when deep("a1") is red' if "deep" in definitions else "")


# ---- that


def test_that_is_the_element_which_was_found() -> None:
    """`that` is the element found by `exactly one`, in the same condition or in the effects that depend on it."""
    assert shown('(exactly one x in mine: x is left) and that x = "a1"') == "yes"
    assert shown('that x if exactly one x in theirs: x.row = 1 else "c3"') == "b2"
    game = started(
        start_of('"b2" := blue', '"a1" := blue'),
        "move jump(c in empty where exactly one n in neighbours(c): n is theirs):\n    that n := own",
        "draw when no blue",
    )
    assert set(game.moves()) == named("b3 c2")  # a2 and b1 have two, the corners none
    assert game.play("b3").pieces == {"b2": "red", "a1": "blue"}


def test_that_in_a_forced_rule() -> None:
    """A forced rule places the only piece that fits."""
    game = started(
        start_of('"a1" := stone', '"c1" := stone'),
        "move place(c in empty and top):\n    c := own",
        "forced follow(c in empty and row(1) where exactly one p in pieces: c.north is p):\n    c := that p",
        "draw when count(empty) < 3",
    )
    assert game.play("a3").pieces == {"a1": "stone", "c1": "stone", "a3": "red", "a2": "red"}
    assert game.play("a3").play("b3").pieces["b2"] == "blue"


def test_that_without_exactly_one_is_refused() -> None:
    """`that` is refused where no `exactly one` binds it."""
    with pytest.raises(GameFileError, match="G207"):
        shown('that x = "a1"')


# ---- words of one's own


def test_values() -> None:
    """Declared words are values of their own kind; the declaration's name is the set of all of them."""
    words = "values phase = placing, moving, over\nvar now in phase = moving"
    assert shown("now", words) == "moving"
    assert shown("now = moving", words) == "yes"
    assert shown("now in phase", words) == "yes"
    assert shown("placing = over", words) == "no"
    assert shown("count(p in phase where p != now)", words) == "2"
    with pytest.raises(GameFileError, match="G206"):
        shown("now = red", words)


# ---- value


def test_value_is_for_the_player_to_move() -> None:
    """`mine` in `value` is the cells of the player to move; the value is 0 if the game declares none."""
    game = loaded(
        start_of('"a1" := red', '"b1" := red', '"c1" := blue'), PLACE, "value count(mine) * 10 - count(theirs)"
    )
    assert game.start().value() == 20 - 1
    assert game.start().play("a2").value() == 10 - 3
    assert loaded(PLACE).start().value() == 0
