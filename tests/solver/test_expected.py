"""Expected values of games with chance: published, by hand, by a naive reference, and equal by both engines."""

from __future__ import annotations

import re
from fractions import Fraction
from importlib import import_module

import pytest
from click.testing import CliRunner

import dslgame
from dslgame import Game
from dslgame.cli.app import app
from solver.budget import Budget
from solver.errors import Refused
from solver.expected.value import Expected, valued
from solver.game_space import GameSpace, solve_game
from tests.language.test_chance import HEAD, RACE
from tests.reference import expectation as naive
from tests.reference.pig import chance_of_winning

GUESS = HEAD + """\
var drawn in 0..3
var guessed in 0..3

move guess(n in 1..3):
    guessed := n

chance draw(d in 1..3) weight d when guessed > 0 and drawn = 0:
    drawn := d

turn again when true
win mover when drawn > 0 and drawn = guessed
draw when drawn = 2
lose mover when drawn > 0
"""
"""The best guess is 3: it wins 3 of 6, and the 2 that draws in 2 of 6 counts half: 2/3."""
ENDLESS = HEAD + """\
var thrown in 0..6

move stay:
    thrown := 0

chance throw(d in 1..6) when thrown = 0:
    thrown := d

move stop when thrown = 6:
    "a1" := own

win opponent when some mine
"""
"""Whoever stops loses, and nobody must stop, so that play has no end."""


def worth(game: Game, **options: str) -> Expected:
    """The expected value of a game at its start."""
    space = GameSpace(game)
    return valued(space, Budget(), **options).of(space.root)  # type: ignore[arg-type]  # an engine's name


def test_a_guess_is_worth_its_chances() -> None:
    """A win counts 1, a draw 1/2, and the best move has the largest expected value."""
    solution = solve_game(dslgame.loads(GUESS))
    assert solution.expected is not None
    assert solution.expected.exact == Fraction(2, 3)
    assert solution.expected.error == 0
    assert [move.expected.exact for move in solution.moves if move.expected] == [
        Fraction(1, 6) + Fraction(1, 6), Fraction(1, 3), Fraction(2, 3)]
    assert solution.best == solution.moves[2].move
    assert solution.winner is None
    assert solution.complete


@pytest.mark.parametrize(("weight", "expected"), [
    ("999999999 * 999999999 * 4", Fraction(1, 3)),
    ("999999999 * 999999999 * 4 + d", Fraction(4 * 999999999**2 + 3, 12 * 999999999**2 + 6)),
    ("d * 500000000 * 500000000 * 500000000", Fraction(1, 2))])
def test_weights_of_any_size_are_exact(weight: str, expected: Fraction) -> None:
    """Sums of weights past 64 bits are left to the interpreter, whose numbers have no limit."""
    text = GUESS.replace("weight d", f"weight {weight}").replace("draw when drawn = 2\n", "")
    found = solve_game(dslgame.loads(text))
    assert found.expected is not None
    assert found.expected.exact == expected


def test_what_is_certain_has_a_winner() -> None:
    """A game that is won whatever chance does has a winner."""
    sure = solve_game(dslgame.loads(RACE.replace(">= 12", ">= 1")))
    assert sure.winner == 0
    assert sure.expected is not None
    assert sure.expected.exact == 1


@pytest.mark.parametrize("goal", [2, 7, 12])
def test_small_goals_are_what_a_naive_reference_finds(goal: int) -> None:
    """Values agree to ten digits; they are exact, as cycles of positions are solved as equations."""
    found = worth(dslgame.load("pig", goal=goal))
    assert found.exact is not None
    assert float(found.exact) == pytest.approx(chance_of_winning(goal), abs=1e-10)


def test_the_smallest_goal_by_hand() -> None:
    """Any roll but a 1 reaches 2 points, and then the player holds: p = 5/6 + (1 - p) / 6, so p = 6/7."""
    assert worth(dslgame.load("pig", goal=2)).exact == Fraction(6, 7)


def test_play_without_end_leaves_bounds() -> None:
    """Where play need not end, the value is left unknown."""
    solution = solve_game(dslgame.loads(ENDLESS))
    assert solution.expected is not None
    assert not solution.expected.known
    assert not solution.complete
    assert "without end" in solution.reason


def test_methods_without_chance_name_the_one_that_knows_it() -> None:
    """Other methods refuse games with chance and name `expected`, which refuses games without it."""
    with pytest.raises(Refused, match="it does not know moves of chance; expected auto or expected"):
        solve_game(dslgame.load("pig", goal=3), method="strong")
    with pytest.raises(Refused, match="it is for games with chance"):
        solve_game(dslgame.load("tic_tac_toe"), method="expected")


@pytest.mark.slow
@pytest.mark.parametrize("text", [GUESS, RACE, RACE.replace("(d in 1..6) when", "(d in 1..6) weight d when")])
def test_the_kernel_finds_what_the_interpreter_finds(text: str) -> None:
    """Both engines give the same value up to rounding of sums, and the same exact fraction."""
    game = dslgame.loads(text)
    here, there = (worth(game, engine=engine) for engine in ("interpreter", "kernel"))
    assert here.value == pytest.approx(there.value, abs=1e-12)
    assert here.exact == there.exact


@pytest.mark.slow
def test_the_published_value() -> None:
    """The first player wins with probability 0.5306 (Neller and Presser 2004)."""
    found = worth(dslgame.load("pig"))
    assert found.value == pytest.approx(0.5306, abs=5e-5)
    assert found.error < 1e-8


@pytest.mark.parametrize(("name", "params", "first"), [
    ("snakes_and_ladders", {}, "One"), ("two_dice_pig", {"goal": 8}, "One"),
    pytest.param("einstein", {"size": 3, "stones": 3}, "White", marks=pytest.mark.slow),
])
def test_games_are_worth_what_naive_references_say(name: str, params: dict[str, int], first: str) -> None:
    """Values agree with value iteration over positions that the reference enumerates."""
    reference = import_module(f"tests.reference.{name}").Reference(**params)
    assert worth(dslgame.load(name, **params)).value == pytest.approx(naive.worth(reference, first), abs=1e-8)


@pytest.mark.slow
def test_hopeless_work_is_not_begun() -> None:
    """The command refuses hopeless work at once, but begins it with a limit or --anyway."""
    found = CliRunner().invoke(app, ["solve", "einstein"])
    assert found.exit_code == 3
    assert re.search(r"not begun: there are too many positions to value, about 10\^\d+; --anyway begins", found.output)
    limited = CliRunner().invoke(app, ["solve", "einstein", "--nodes", "100"])
    assert "the limit of 100 positions is reached" in limited.output
