"""Comparison of two games: the shortest difference, its frequency, and proofs of equality."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import dslgame
from dslgame.cli.app import app
from dslgame.laboratory.differences import compare
from interpreter.game import Game
from tests.laboratory.families import MNK, mnk


def changed(*pairs: tuple[str, str], rows: int = 3, columns: int = 3, k: int = 3) -> Game:
    text = MNK
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return dslgame.loads(text, rows=rows, columns=columns, k=k)


def test_shorter_line_differs_first_where_it_is_complete() -> None:
    """Two in a row can be completed after three plies at the earliest."""
    found = compare(mnk(3, 3, 3), mnk(3, 3, 2), games=0)
    assert found.difference is not None
    assert (found.difference.kind, found.difference.results, len(found.difference.played)) == ("result", (None, "X"), 3)
    assert (found.shortest, found.depth, found.proven) == (True, 3, False)


def test_misere_differs_in_the_result_alone() -> None:
    """The results differ after five plies, by the winner."""
    found = compare(mnk(3, 3, 3), changed(("win mover", "lose mover")), games=20)
    assert found.difference is not None
    assert (found.difference.results, len(found.difference.played)) == (("X", "O"), 5)
    assert found.frequency is not None
    assert 0 < found.frequency.differing <= 20


def test_moves_that_one_lacks_are_named() -> None:
    """Moves that only one game has are found at the start."""
    found = compare(mnk(3, 3, 3), changed(("c in empty", "c in empty where c in corners or count(empty) < 9")), games=5)
    assert found.difference is not None
    assert (found.difference.kind, found.difference.only, found.difference.played) == (
        "moves", (("a2", "b1", "b2", "b3", "c2"), ()), ())
    assert found.frequency is not None
    assert found.frequency.differing == 5


def test_who_moves_is_compared() -> None:
    """A turn that a player keeps is a difference in the player to move."""
    found = compare(mnk(3, 3, 3), changed(("draw when", "turn again when count(empty) = 8\ndraw when")), games=0)
    assert found.difference is not None
    assert (found.difference.kind, found.difference.to_move) == ("player to move", ("O", "X"))


def test_names_alone_are_proven_equal() -> None:
    """Games that differ in names only are proven equal without comparing a position."""
    found = compare(mnk(3, 3, 3), changed(("X, O", "Left, Right"), ("of X", "of Left"), ("of O", "of Right")))
    assert (found.proven, found.positions) == (True, 0)


def test_rules_said_in_another_way_are_proven_equal_by_enumeration() -> None:
    """All pairs of positions are compared; with a limit equality is shown to a depth."""
    other = changed(("when no empty", "when count(empty) = 0"), rows=2, columns=2, k=2)
    found = compare(mnk(2, 2, 2), other, games=3)
    assert (found.difference, found.proven) == (None, True)
    part = compare(mnk(3, 3, 3), changed(("when no empty", "when count(empty) = 0")), positions=60, games=3)
    assert (part.difference, part.proven, part.depth) == (None, False, 1)
    to_depth = compare(mnk(3, 3, 3), changed(("when no empty", "when count(empty) = 0")), depth=2, games=3)
    assert (to_depth.proven, to_depth.depth, to_depth.positions) == (False, 2, 1 + 9 + 72)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Two files that differ in the length of a line."""
    names = []
    for number in (3, 2):
        path = tmp_path / f"line{number}.game"
        path.write_text(MNK.replace("mine, k", f"mine, {number}"), encoding="utf-8")
        names.append(str(path))
    return names


def run(*arguments: str) -> Result:
    result = CliRunner(env={"COLUMNS": "100"}).invoke(app, ["diff", *arguments], prog_name="dslgame")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    return result


def test_command_shows_the_position(files: list[str]) -> None:
    """A difference gives exit code 1, equality 0."""
    result = run(*files, "--games", "10")
    assert result.exit_code == 1
    assert "the first difference is after 3 plies: the result differs" in result.stdout
    assert "random games: 10 of 10 differ" in result.stdout
    same = run(files[0], files[0])
    assert (same.exit_code, "proven equal" in same.stdout) == (0, True)


def test_command_as_json(files: list[str]) -> None:
    """The JSON has the documented fields."""
    found = json.loads(run(*files, "--games", "4", "--json").stdout)
    assert list(found) == ["a", "b", "equal", "depth", "positions", "why", "difference", "games", "games_differing",
                           "interval", "positions_played", "positions_differing"]
    assert found["difference"]["result_b"] == "X"
    assert dslgame.loads(MNK).read_position(found["difference"]["position"]).moves()


def test_param_of_neither_game_is_wrong_use(files: list[str]) -> None:
    """A param of either game is accepted, an unknown one ends with exit code 2."""
    result = run(*files, "-p", "size=3")
    assert (result.exit_code, "no game here has the param 'size'" in result.stderr) == (2, True)
    assert run(files[0], files[0], "-p", "rows=2").exit_code == 0


THROW = """\
game "Throw"
players A, B
board square(1, 1)
pieces a of A, b of B
var thrown in 0..2 = 0

move put(c in empty) when thrown > 0:
    c := own

chance throw(d in 1..2) weight 99 if d = 1 else 1 when thrown = 0:
    thrown := d

turn again when thrown > 0
win A when no empty and thrown = 2
draw when no empty
"""


def test_chance_is_drawn_by_its_probabilities_in_random_games() -> None:
    """A throw that is met once in a hundred games makes two games differ as rarely."""
    other = THROW.replace("win A", "win B")
    found = compare(dslgame.loads(THROW), dslgame.loads(other), positions=2, games=300)
    assert found.frequency is not None
    assert 0 < found.frequency.differing <= 20


def test_probabilities_are_compared() -> None:
    """Games with other weights of chance differ at the first throw."""
    found = compare(dslgame.loads(THROW), dslgame.loads(THROW.replace("99 if d = 1 else 1", "d")), games=0)
    assert found.difference is not None
    assert (found.difference.kind, found.difference.played, found.difference.only) == (
        "probabilities", (), (("throw:1 99/100", "throw:2 1/100"), ("throw:1 1/3", "throw:2 2/3")))
    assert found.difference.text(("one", "two")) == (
        "the probabilities differ: throw:1 99/100 throw:2 1/100 in one, throw:1 1/3 throw:2 2/3 in two")


def test_payoffs_are_compared() -> None:
    """Games that end alike but pay differently differ at the end."""
    text = THROW + "payoff A = thrown\npayoff B = 0 - thrown\n"
    found = compare(dslgame.loads(text), dslgame.loads(text.replace("= thrown", "= 2 * thrown").replace(
        "0 - thrown", "0 - 2 * thrown")), games=0)
    assert found.difference is not None
    assert (found.difference.kind, found.difference.results) == ("payoffs", ("A 1, B -1", "A 2, B -2"))
    assert compare(dslgame.loads(THROW), dslgame.loads(text), games=0).difference is not None


def test_what_is_hidden_keeps_games_from_being_proven_equal() -> None:
    """Equal positions do not prove games equal in which players see other things."""
    text = THROW.replace("board", "values side = heads, tails\nvar held[player] in side or none\nboard").replace(
        "    c := own", "    c := own\n    held[mover] := heads")
    hidden = text + "hidden held[p] from others of p\n"
    found = compare(dslgame.loads(text), dslgame.loads(hidden), games=0)
    assert (found.difference, found.proven) == (None, False)
    assert found.why.endswith("pairs of positions are equal; what is hidden from players may differ")
    assert compare(dslgame.loads(hidden), dslgame.loads(hidden.replace("held", "kept")), games=0).proven


GUESS = """
game "H1"

players Ann, Bob
board square(1, 1)
values face = heads, tails
var red in face, blue in face, known in 0..1, done in 0..1, same in 0..1

hidden red from Bob

chance toss(a in {heads, tails}, b in {heads, tails}) when known = 0:
    red := a
    blue := b
    known := 1

move guess(s in {heads, tails}):
    same += 1 if s = red
    done := 1

win Ann when done = 1 and same = 1
win Bob when done = 1
"""


def test_games_that_hide_other_variables_of_the_same_number_are_not_proven_equal() -> None:
    """Moves and results are the same, and in one game the player sees what is to be guessed."""
    other = GUESS.replace("var red in face, blue in face", "var blue in face, red in face").replace(
        "hidden red", "hidden blue")
    found = compare(dslgame.loads(GUESS), dslgame.loads(other), games=5)
    assert (found.difference, found.proven) == (None, False)
