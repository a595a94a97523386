"""Monte-Carlo tree search with chance: its score tends to the expected value, and its proofs are sound."""

from __future__ import annotations

import itertools
import re
from random import Random

import pytest

import dslgame
from dslgame.programs.builtin import MOST, Builtin
from dslgame.programs.channels import Deadline
from dslgame.programs.referee import Clock
from interpreter.game import Game
from interpreter.happening import happened
from solver.budget import Budget
from solver.entries import Entries
from solver.expected.value import valued
from solver.game_space import GameSpace
from solver.players.chance_tree import ChanceTreePlayer
from solver.players.levels import Level
from solver.players.limits import Limit
from solver.players.mcts import MonteCarloSearch
from tests.language.test_chance import HEAD, RACE
from tests.solver.test_expected import GUESS

CARDS = HEAD + """\
var drawn in 0..3000
var bet in 0..2

move bet(n in 1..2):
    bet := n

chance draw(d in 1..3000) weight 1 + d mod 3 when bet > 0 and drawn = 0:
    drawn := d

draw when drawn > 0
payoff Red = drawn div 100 if bet = 1 else drawn div 200
payoff Blue = -(drawn div 100) if bet = 1 else -(drawn div 200)
"""
"""More outcomes than are stored; a bet of 1 is worth twice as much, about 14.5."""
SHORT = RACE.replace("12", "5")
GAMES = {
    "guess": GUESS, "cards": CARDS,
    "large weights": CARDS.replace("weight 1 + d mod 3", "weight (1 + d mod 3) * 500000000 * 500000"),
    "weights": SHORT.replace("(d in 1..6) when", "(d in 1..6) weight d mod 4 when"),
    "turns": SHORT + "turn again when score[mover] mod 2 = 1\nturn passes when thrown = 1\n",
    "taken back": SHORT + "illegal when thrown = 3\n",
}

BAG = HEAD + """\
var drawn in 0..3
var moves in 0..6
var total in -9..9

move add(d in 1..3) when drawn = 0:
    drawn := d

chance roll(d in 1..3) weight 4 - d - moves + moves when drawn > 0:
    total += d - drawn if total > -7 and total < 7
    drawn := 0
    moves += 1

win Red when moves = 6 and total > 0
win Blue when moves = 6
"""
"""The weight of chance is not seen to be at least 0, so that the game is not compiled."""


def start(game: Game) -> tuple[MonteCarloSearch, GameSpace]:
    """A search, and the space from the first position in which a player moves."""
    return MonteCarloSearch(Entries.of(game), nodes=1 << 16), GameSpace(game, happened(game.start(), Random(2)).state)


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=() if name == "cards" else pytest.mark.slow) for name in GAMES])
def test_the_share_of_points_tends_to_the_expected_value(name: str) -> None:
    """The mean score tends to the expected value of the player to move, from 0 to 1 or by payoffs; the move is best."""
    game = dslgame.loads(GAMES[name])
    search, space = start(game)
    found = search.search(space.root, Limit(nodes=30_000), seed=3)
    values = valued(space, Budget(), "interpreter")
    sign = 1 if space.root.to_move == 0 else -1
    exact = {move: sign * values.of(after).value for move, after in space.successors(space.root)}
    low, high = search._worths
    mean = low + found.score / 1000 * (high - low)
    best = max(exact.values()) + (0.0 if sign == 1 or game.payoffs.declared else 1.0)
    assert mean == pytest.approx(best, abs=0.02 * (high - low))
    assert exact[found.move] == pytest.approx(max(exact.values()), abs=0.01 * (high - low))


@pytest.mark.slow
def test_proofs_hold_whatever_chance_does() -> None:
    """A sure win is proven, one that chance may spoil is not, and a repeated position is no draw."""
    search, space = start(dslgame.loads(RACE.replace(">= 12", ">= 1")))
    assert search.search(space.root, Limit(nodes=2_000)).winner == space.root.to_move
    search, space = start(dslgame.loads(SHORT))
    assert search.search(space.root, Limit(nodes=2_000)).winner is None
    search, space = start(dslgame.load("pig", goal=2))
    found = search.search(space.root, Limit(nodes=20_000))
    assert found.score == pytest.approx(1000 * 6 / 7, abs=25)
    assert found.report.pruned["repetition"] == 0


def test_the_level_searches_natively() -> None:
    """The same seed gives the same move, and the report counts games."""
    game = dslgame.load("pig", goal=10)
    choices = [Level.of("mcts nodes=500").player(game, seed=4).choose(game.start()) for _ in range(2)]
    assert choices[0].text == choices[1].text
    assert choices[0].report is not None
    assert choices[0].report.leaves == 500


def ticking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the clock of searches advance by a hundredth of a second at every look."""
    ticks = itertools.count()
    monkeypatch.setattr(Limit, "now", lambda _: next(ticks) / 100)


def test_the_tree_of_an_uncompiled_game_keeps_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock is read for every random game."""
    game = dslgame.loads(BAG)
    player = Level.of("mcts seconds=0.2").player(game)
    assert isinstance(player, ChanceTreePlayer)
    ticking(monkeypatch)
    report = player.choose(game.start()).report
    assert report is not None
    assert 15 <= report.nodes <= 20


def test_the_tree_of_an_uncompiled_game_counts_processor_seconds() -> None:
    """`cpu` is the limit of a search without a kernel as well."""
    player = Level.of("mcts cpu=0.2").player(dslgame.loads(BAG))
    assert isinstance(player, ChanceTreePlayer)
    assert player.limit == Limit(seconds=0.2, processor=True)


def test_the_tree_of_an_uncompiled_game_has_a_ceiling_on_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search by nodes is cut off after 30 seconds, and says so."""
    game = dslgame.loads(BAG)
    player = Level.of("mcts nodes=1000000").player(game)
    ticking(monkeypatch)
    choice = player.choose(game.start())
    assert re.match(r"the search was cut off after 30 s, at (2,9\d\d|3,000) games; seconds=N sets", choice.reason)


@pytest.mark.parametrize("option", ["clock=9", "threads=2", "rave=9", "widening=2 rave=9", "exploring=0.5"])
def test_options_that_need_a_kernel_are_refused_without_one(option: str) -> None:
    """The message names the option and says that the rules are not compiled."""
    level = Level.of(f"mcts {option}")
    with pytest.raises(ValueError, match=r"found '\w+=[\d.]+', but the rules of .* cannot be compiled, and level mcts"):
        level.player(dslgame.loads(BAG))


def test_a_level_without_limits_keeps_the_time_of_a_match_in_an_uncompiled_game() -> None:
    """The time for a move of the match limits the search."""
    game = dslgame.loads(BAG)
    player = Builtin("mcts", game, Level.of("mcts"))
    player.begin(game.start(), 0, Clock(move=0.2), 1)
    player.choose(game.start(), Deadline(0.2))
    assert isinstance(player._player, ChanceTreePlayer)
    assert player._player.limit == Limit(seconds=0.2 * MOST)
