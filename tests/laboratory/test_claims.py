"""Formulas over params, claims, and periods."""

from __future__ import annotations

import pytest

from dslgame.laboratory.claims import Claim, ClaimError, Formula
from dslgame.laboratory.known import DRAW, Known, Worth
from dslgame.laboratory.periods import period

PARAMS = {"rows": 2, "columns": 5}


@pytest.mark.parametrize(("text", "value"), [
    ("rows", 2), ("columns - 2 * rows", 1), ("columns div rows", 2), ("columns mod rows", 1), ("-rows + 1", -1),
    ("columns >= rows", True), ("rows = 2 and columns != 5", False), ("rows = 1 or columns = 5", True),
    ("not rows = 2", False), ("rows in 1..2", True), ("columns in {1, 3}", False), ("rows if columns > 9 else 7", 7),
    ("max(rows, columns)", 5), ("min(rows, columns, 1)", 1), ("abs(rows - columns)", 3), ("rows not in 1..2", False),
])
def test_formulas(text: str, value: object) -> None:
    """Formulas use the grammar's expressions with params as variables."""
    assert Formula.of(text).value(PARAMS) == value


@pytest.mark.parametrize(("text", "said"), [
    ("rows >", "is no condition of params"), ("row > 1", "there is no param 'row'; did you mean 'rows'"),
    ("rows", "is the number 2, expected a condition"), ("rows and columns", "number 2 stands where a condition"),
    ("rows mod 0 = 1", "divides by 0"), ("count(empty) = 3", "expected min, max or abs"),
    ("some empty", "asks for something that params do not say"), ("", "is no condition"),
])
def test_formulas_that_cannot_be_calculated(text: str, said: str) -> None:
    """Formulas that cannot be evaluated raise ClaimError with what was expected."""
    with pytest.raises(ClaimError, match=said):
        Formula.of(text).holds(PARAMS)


WON, LOST, DRAWN = (Known(frozenset((value,))) for value in (0, 1, DRAW))
NOT_LOST = Known(frozenset((0, DRAW)))


@pytest.mark.parametrize(("text", "known", "verdict"), [
    ("first wins", WON, "confirmed"), ("first wins", DRAWN, "refuted"), ("first wins", NOT_LOST, "open"),
    ("first loses", NOT_LOST, "refuted"), ("first does not lose", NOT_LOST, "confirmed"),
    ("second wins", LOST, "confirmed"), ("second does not win", NOT_LOST, "confirmed"),
    ("first draws", DRAWN, "confirmed"), ("First  does not  draw", WON, "confirmed"),
    ("first wins when rows > 2", LOST, "not concerned"), ("first wins exactly when rows > 2", LOST, "confirmed"),
    ("first wins exactly when rows > 2", WON, "refuted"), ("black wins when rows = 2", WON, "confirmed"),
    ("White loses", NOT_LOST, "open"), ("first wins", Known.all(2), "open"),
])
def test_verdicts(text: str, known: Known, verdict: str) -> None:
    """Bounds of the value confirm or refute a claim as far as they suffice."""
    assert Claim.of(text.replace("First", "first")).judge(PARAMS, ("Black", "White"), 0, known) == verdict


@pytest.mark.parametrize(("text", "said"), [
    ("first", "is no claim"), ("first wins if rows > 2", "is no claim"),
    ("green wins", "expected first, second, Black"), ("first expects 1/2", "or 'first expects more than 1/2'"),
    ("first expects more than 1/0", "is no claim"),
])
def test_claims_that_cannot_be_read(text: str, said: str) -> None:
    """Malformed claims raise ClaimError with what was expected."""
    with pytest.raises(ClaimError, match=said):
        Claim.of(text).judge(PARAMS, ("Black", "White"), 0, WON)


@pytest.mark.parametrize(("text", "worth", "verdict"), [
    ("first expects more than 1/2", Worth(0.75, 0.0, "3/4", 1), "confirmed"),
    ("first expects more than 3/4", Worth(0.75, 0.0, "3/4", 1), "refuted"),
    ("first expects at least 3/4", Worth(0.75, 0.0, "3/4", 1), "confirmed"),
    ("White expects  at most 0.25", Worth(0.75, 0.0, "3/4", 1), "confirmed"),
    ("second expects less than 0", Worth(0.75, 0.0, "3/4", 0), "confirmed"),
    ("first expects less than -0.08", Worth(-0.0856, 0.001, None, 0), "confirmed"),
    ("first expects less than -0.0856", Worth(-0.0856, 0.001, None, 0), "open"),
    ("second expects more than 1/12 when rows > 2", Worth(-0.0856, 0.001, None, 0), "not concerned"),
    ("first expects more than 0 exactly when rows > 2", Worth(-0.0856, 0.001, None, 0), "confirmed"),
    ("first expects at least 1/2", None, "open"), ("first expects at least 1/2", Worth.of_winner(DRAW, 2), "confirmed"),
])
def test_claims_of_what_a_player_expects(text: str, worth: Worth | None, verdict: str) -> None:
    """Bounds of the expectation decide; the second player expects the rest of 1, or the negative payoff."""
    assert Claim.of(text).judge(PARAMS, ("Black", "White"), 0, Known.all(2), worth) == verdict


def test_bounds_from_moves() -> None:
    """A move with a known draw is a lower bound, known losses of all moves are an upper one."""
    assert Known.of_moves(2, 0, None, [DRAW, None]).possible == {DRAW, 0}
    assert Known.of_moves(2, 0, None, [1, None]).possible == {DRAW, 0, 1}
    assert Known.of_moves(2, 1, 1, [None]).possible == {1}
    assert Known.of_moves(2, 0, None, []).possible == {DRAW, 0, 1}


def test_periods() -> None:
    """The shortest period seen three times is found, with its start; without repetition there is none."""
    found = period("n", 0, [1, 0, 0, 0] * 4)
    assert found is not None
    assert (found.length, found.start, found.pattern) == (4, 0, (1, 0, 0, 0))
    late = period("n", 5, [0, 0, 1, *[0, 1] * 5])
    assert late is not None
    assert (late.length, late.start) == (2, 6)
    assert period("n", 0, [0, 1, 1, 0, 1, 0, 0, 1]) is None
    assert period("n", 0, [0, None, 0, None, 0, None]) is None
