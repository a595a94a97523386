"""Players of games with chance: they look ahead, play random games, or know the value."""

from __future__ import annotations

import random

import pytest

import dslgame
from interpreter.game import Game
from interpreter.happening import drawn, happened
from solver.budget import Budget
from solver.expected.value import valued
from solver.game_space import GameSpace
from solver.players.expectimax import Clock, Expectimax
from solver.players.levels import Level
from solver.players.nature import Nature
from tests.language.test_chance import RACE
from tests.solver.test_expected import GUESS

FREE = float("inf")


@pytest.mark.parametrize("text", [GUESS, RACE.replace("12", "5"), RACE.replace("12", "5").replace(
    "(d in 1..6) when", "(d in 1..6) weight 7 - d when")])
def test_looking_ahead_to_the_end_finds_the_expected_value(text: str) -> None:
    """With the bounds of Star1 as without them: they leave out only what cannot matter."""
    game = dslgame.loads(text)
    state = game.engine.start()
    found = Expectimax(game).worth(state, 30, 0.0, 1.0, Clock(None, FREE))
    space = GameSpace(game)
    assert found == pytest.approx(valued(space, Budget(), "interpreter").of(space.root).value, abs=1e-12)


@pytest.mark.parametrize("level", ["solver", "expectimax plies=4", "mcts nodes=400"])
def test_levels_find_the_best_guess(level: str) -> None:
    """3 is drawn as often as 1 and 2 together."""
    game = dslgame.loads(GUESS)
    assert Level.of(level).player(game, seed=1).choose(game.start()).text == "guess:3"


@pytest.mark.parametrize("level", ["alphabeta plies=2", "maxn plies=2"])
def test_levels_that_know_no_chance_say_who_does(level: str) -> None:
    """Instead of choosing what nobody chooses."""
    with pytest.raises(ValueError, match="knows no chance, expected random, solver, expectimax or mcts"):
        Level.of(level).player(dslgame.loads(GUESS))


def test_chance_is_drawn_as_often_as_it_is_likely() -> None:
    """Chi-square of 1,800 draws with two degrees of freedom: above 13.8 once in a thousand; the seed is fixed."""
    position = dslgame.loads(GUESS).start().play("guess:1")
    dice, seen = random.Random(5), [0, 0, 0]
    for _ in range(1800):
        seen[drawn(position, dice).values[0] - 1] += 1
    expected = (300, 600, 900)
    assert sum((often - mean) ** 2 / mean for often, mean in zip(seen, expected, strict=True)) < 13.8


def test_what_happens_leads_to_a_player_or_the_end() -> None:
    """The same moves with the same seed."""
    game: Game = dslgame.loads(RACE)
    position = happened(game.start(), random.Random(3))
    assert position.to_move == "Red"
    assert position == happened(game.start(), random.Random(3))
    assert Nature(random.Random(3)).choose(game.start()).text == position.played[0]
