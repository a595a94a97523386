"""`only moves with`: which legal moves remain, in the interpreter and in kernels, and mistakes."""

from __future__ import annotations

import pytest

import dslgame
from dsl.checker import check
from dsl.syntax.source import Source
from dslgame.testing import check_game
from interpreter.kernel.kernel import Kernel
from tests.walking import Walk

GAME = """\
game "Greedy"

players Red, Blue
board square(3, 5)
pieces red of Red, blue of Blue, taken
var last in cells or none

start:
    {{"a1", "c1", "b3"}} := red
    {{"a2", "c2", "e2", "d3"}} := blue

define over(a, b) = neighbours(a) and neighbours(b) and theirs

move step(a in mine, b in neighbours(a) and empty):
    carry a to b
    last := b

move jump(a in mine, b in leap(a, 0, 2) and empty where some over(a, b)):
    over(a, b) := taken
    carry a to b
    last := b
    then jump(b) or stop

forced clear when some taken:
    taken := empty

{rules}
win mover when no theirs
no moves loses
repetition draws
"""


def moves_with(*rules: str) -> list[str]:
    """The moves at the start under some rules."""
    return list(dslgame.loads(GAME.format(rules="\n".join(rules))).start().moves())


def test_those_with_most_remain() -> None:
    """The value is computed for the mover, in the position after the forced rules."""
    everything = moves_with()
    assert {len(text.split("-")) for text in everything if text.startswith("jump")} == {2, 3, 4}
    assert moves_with("only moves with least count(theirs)") == [
        text for text in everything if text.startswith("jump") and len(text.split("-")) == 4]
    assert moves_with("only moves with most -count(theirs)") == moves_with("only moves with least count(theirs)")
    assert moves_with("only moves with most count(taken)") == everything  # they are gone by then


def test_the_first_rule_decides() -> None:
    """The next rule chooses among what the first one leaves, so that their order matters."""
    column = "only moves with least last.column if last != none else 0"
    fewest = "only moves with least count(theirs)"
    assert set(moves_with(fewest, column)) <= set(moves_with(fewest))
    assert moves_with(fewest, column) != moves_with(column, fewest)


def test_what_is_illegal_is_not_compared() -> None:
    """Illegal moves do not count, so that the next best remain."""
    fewest = "only moves with least count(theirs)"
    one = moves_with(fewest, "illegal when count(theirs) < 3")
    assert one
    assert all(len(text.split("-")) == 2 and text.startswith("jump") for text in one)


def test_passing_is_never_left_out() -> None:
    """A pass is always kept, as it has no effects to compare."""
    assert "pass" in moves_with("only moves with least count(theirs)", "pass")


@pytest.mark.parametrize("rules", [
    ("only moves with least count(theirs)",),
    ("only moves with least count(theirs)", "illegal when count(mine and left) = 2", "pass when some (mine and top)"),
    ("only moves with most count(mine and edges)", "only moves with least last.row if last != none else 0"),
])
def test_kernels_leave_the_same(rules: tuple[str, ...]) -> None:
    """Moves, their order, random moves and perft counts agree."""
    game = dslgame.loads(GAME.format(rules="\n".join(rules)))
    kernel = Kernel.of(game, native=False)
    Walk(game, kernel).walk(2, 0.3, plies=8)
    check_game(game, games=1, plies=8)


def test_numbers_that_are_always_the_same_are_told() -> None:
    """A constant number gives a warning; a set is not a number."""
    source = GAME.format(rules="only moves with most 3")
    assert "G340" in [item.code for item in check(Source("g.game", source), {}).diagnostics]
    source = GAME.format(rules="only moves with most theirs")
    assert "G206" in [item.code for item in check(Source("g.game", source), {}).diagnostics]
    source = GAME.format(rules="only moves with least count(theirs)").replace(
        "players Red, Blue", "players Red, Blue\nplayers move together").replace("win mover", "win Red")
    assert "G297" in [item.code for item in check(Source("g.game", source), {}).diagnostics]
