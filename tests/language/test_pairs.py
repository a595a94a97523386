"""Variables with two indices, and with large numbers: values, symmetries, positions as text, kernels, mistakes."""

from __future__ import annotations

import pytest

import dslgame
from dsl.resolve import indices as indices_of_files
from dsl.syntax.formatter import format_text
from dsl.syntax.source import Source
from dslgame import RuleError
from dslgame.testing import check_game
from interpreter.compiler.lowering.errors import NotLowered
from interpreter.game import examine
from interpreter.kernel.kernel import Kernel
from interpreter.model import indices
from solver.game_space import solve_game
from tests.probe import played

TEXT = """\
game "Visits"

values mood = calm, wild

players Ann, Bob
board square(2, 3)
pieces ann of Ann, bob of Bob
var seen[cell, player] in 0..3
var turned[mood, row] in boolean

move place(c in empty):
    c := own
    each n in neighbours(c):
        seen[n, mover] += 1
    turned[wild, c.row] := true

win mover when sum(seen[c, mover] for c in corners) >= 5
win mover when sum(seen) >= 14 and not turned[calm, 0]
draw when no empty

symmetry left right mirror
symmetry top bottom mirror
symmetry swapping players
"""


def test_each_pair_has_a_value() -> None:
    """The first index varies slowest; both are required."""
    position = played(dslgame.loads(TEXT).start(), "a1 b1")
    assert position.variables["seen"] == (1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1)
    assert position.variables["turned"] == (False, False, False, True)
    assert "seen: a2 Ann=1, b2 Bob=1, a1 Bob=1, b1 Ann=1, c1 Bob=1" in str(position)


def test_positions_are_read_back() -> None:
    """The text contains all values."""
    position = played(dslgame.loads(TEXT).start(), "a1 b1")
    assert "seen=1,0,0,1,0,0,0,1,1,0,0,1" in position.text
    assert position.game.read_position(position.text).state == position.state


def test_everything_that_verify_asks_holds() -> None:
    """Symmetries map both indices, including players; the kernel agrees."""
    check_game(dslgame.loads(TEXT), games=10, seed=2, kernel=True)


def test_an_index_that_is_none_is_an_error() -> None:
    """An index `none` or out of range is an error in the interpreter and in kernels."""
    text = TEXT.replace("each n in neighbours(c):\n        seen[n, mover] += 1", "seen[c.north, mover] += 1")
    with pytest.raises(RuleError) as raised:
        played(dslgame.loads(text).start(), "a2")
    assert raised.value.code == "G403"


@pytest.mark.parametrize(("old", "new", "code"), [
    ("seen[n, mover] += 1", "seen[n] += 1", "G211"), ("seen[n, mover] += 1", "seen[mover, n] += 1", "G206"),
    ("seen[cell, player]", "seen[cell, plyer]", "G220"), ("sum(seen)", "count(seen[n])", "G211"),
    ("values mood", "var far[cell, cell] in 0..1\nvar one[player] in 0..1\nvalues mood", ""),
    ("board square(2, 3)", "board square(80, 80)\nvar far[cell, player] in 0..1", "G286"),
])
def test_mistakes_are_told(old: str, new: str, code: str) -> None:
    """Each mistake gives its code."""
    _, told = examine(Source("pairs.game", TEXT.replace(old, new)))
    found = {item.code for item in told if item.severity == "error"}
    assert (code in found) if code else not found


def test_the_formatter_lays_them_out() -> None:
    """The formatter puts one space after the comma."""
    assert "var seen[cell, player] in 0..3\n" in format_text("var  seen[cell ,player]  in 0 ..3\n")


LARGE = """\
game "Large"
param limit = 999999999
players Ann, Bob
board square(1, 3)
pieces ann of Ann, bob of Bob
var x in 0..limit * limit

move grow(c in empty, n in 1..3):
    x := min(x + n * limit * 100000000, limit * limit)
    c := own

win Ann when no empty and x mod 2 = 0
win Bob when no empty
"""


def test_large_numbers_are_read_back_and_compiled() -> None:
    """Kernels agree for numbers of up to 62 bits."""
    game = dslgame.loads(LARGE)
    position = played(game.start(), "a1-3")
    assert position.variables["x"] == 299999999700000000
    check_game(game, games=5, seed=1, kernel=True)


def test_larger_numbers_are_left_to_the_interpreter() -> None:
    """Larger numbers are not compiled, but the game can still be solved."""
    game = dslgame.loads(LARGE.replace("limit * limit", "limit * limit * 100"))
    with pytest.raises(NotLowered, match="numbers of more than 62 bits"):
        Kernel.of(game, native=False)
    assert solve_game(game).winner is not None
    check_game(game, games=3, seed=1)


def test_what_variables_have_values_for_is_known_with_and_without_a_board() -> None:
    """Every kind of index that a file may use has a size, names and images under symmetries."""
    assert indices.INDICES.keys() == indices_of_files.INDICES.keys()
