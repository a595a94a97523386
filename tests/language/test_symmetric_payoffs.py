"""A declared symmetry that changes a payoff is found by the check of a file and by verify."""

from __future__ import annotations

import random

import pytest

import dslgame
from dslgame.testing.disagreement import Disagreement
from dslgame.testing.properties import Ply, Symmetries
from interpreter.analysis.dynamic_checks import check_symmetries

GAME = """game "P"
players Red, Blue
board square(2, 3)
pieces red of Red, blue of Blue
move put(c in empty):
    c := own
draw when no empty
payoff Red = WORTH
payoff Blue = -(WORTH)
symmetry left right mirror
symmetry swapping players
"""
TOP = "count(c in cells where c is red and c.row = 0) - count(c in cells where c is blue and c.row = 0)"
LEFT = TOP.replace("row", "column")
UNEQUAL = "count(c in cells where c is red and c.row = 0)"


@pytest.mark.parametrize(("worth", "line", "phrase"), [
    (TOP, 0, ""), (LEFT, 10, "symmetry left right mirror"), (UNEQUAL, 11, "symmetry swapping players")])
def test_a_symmetry_that_changes_a_payoff_is_found(worth: str, line: int, phrase: str) -> None:
    """Random play finds it and names the payoff, and so does verify; a valid symmetry is accepted."""
    game = dslgame.loads(GAME.replace("WORTH", worth))
    found = check_symmetries(game)
    assert [(item.code, item.span.line) for item in found] == ([("G307", line)] if line else [])
    assert all("'payoff Red' (line 8) breaks it" in item.phrase and item.help.startswith("it shows after")
               for item in found)
    claim, dice, told = Symmetries(game), random.Random(1), ""
    for _ in range(5):
        position = game.start()
        while not position.over and not told:
            try:
                claim.check(Ply(position))
            except Disagreement as problem:
                told = problem.phrase
            position = position.play(dice.choice(position.legal()))
    assert told.startswith(f"{phrase}: the end after") if phrase else not told
