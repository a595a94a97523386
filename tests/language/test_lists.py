"""Lists: several declarations on one line, and several targets of one effect."""

from __future__ import annotations

import pytest

import dslgame
from dsl.diagnostics import GameFileError
from dsl.syntax.parser import parse
from dsl.syntax.source import Source
from interpreter.kernel.kernel import Kernel
from tests.walking import Walk

APART = """\
game "Lists"
param rows = 2 in 1..4
param columns = 3 in 1..4
players X, O
board square(rows, columns)
pieces x of X, o of O
var last in cells or none
var count[player] in 0..9 = 1
move place(c in empty):
    c := own
    count[mover] += 1
    last := c
pass when last in corners
win mover when count[mover] > 3
draw when no empty
symmetry half turn
symmetry left right mirror swapping players
symmetry swapping players
notation place "{c}" or "{own}{c}"
notation pass "-"
show x as "1" drawn cross in red
show cells drawn points
"""
TOGETHER = """\
game "Lists"
param rows = 2 in 1..4, columns = 3 in 1..4
players X, O
board square(rows, columns)
pieces x of X, o of O
var last in cells or none, count[player] in 0..9 = 1
move place(c in empty):
    c := own
    count[mover] += 1
    last := c
pass when last in corners
win mover when count[mover] > 3
draw when no empty
symmetry half turn, left right mirror swapping players, swapping players
notation place "{c}" or "{own}{c}", pass "-"
show x as "1" drawn cross in red,
    cells drawn points
"""
"""The same declarations as lists."""
TARGETS = """\
game "Targets"
players X, O
board square(1, 4)
pieces x of X, o of O
var n in 0..20 = 1, m in 0..20 = 5, k in 0..20
start:
    "a1", {"b1", "c1"} := x
move go(a in occupied, b in empty):
    {EFFECTS}
draw when n + m + k > 40
"""


def test_list_is_the_declarations_one_by_one() -> None:
    """Each item equals a single declaration; its span is where it is written, the first one's including the keyword."""
    apart, together = (parse(Source("lists.game", text)).file.declarations for text in (APART, TOGETHER))
    assert together == apart
    assert [(item.span.line, item.span.column) for item in together[1:3]] == [(2, 1), (2, 25)]


@pytest.mark.parametrize(("effects", "expected"), [
    ("a, b := piece(a)", "XXXX O n=1 m=5 k=0"),
    ("a, b := piece(b)", ".XX. O n=1 m=5 k=0"),
    ("b, m := 7 if n = 2", ""),
    ("n, m, k := n + m", "XXX. O n=6 m=6 k=6"),
    ("n, m += n", "XXX. O n=2 m=6 k=0"),
    ("m, n -= 1 if n = 1", "XXX. O n=0 m=4 k=0"),
    ("n, m := 7 if n = 2", "XXX. O n=1 m=5 k=0"),
    ("k, n, m := m if k = 0", "XXX. O n=5 m=5 k=5"),
])
def test_value_of_several_targets_is_what_it_was_before(effects: str, expected: str) -> None:
    """The value is computed before the first target changes, and a condition is evaluated once. The kernel agrees."""
    text = TARGETS.replace("{EFFECTS}", effects)
    if not expected:
        with pytest.raises(GameFileError, match="G206"):
            dslgame.loads(text)
        return
    game = dslgame.loads(text)
    after = game.start().play("a1-d1")
    assert after.text == expected
    Walk(game, Kernel.of(game, native=False), may_fail=True).walk(2, 0.2, plies=4)
