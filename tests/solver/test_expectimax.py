"""Players of games with chance: they search, play random games, or know the value."""

from __future__ import annotations

import itertools
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dslgame
from dslgame.programs.builtin import Builtin
from dslgame.programs.channels import Deadline
from dslgame.programs.referee import Clock as MatchClock
from interpreter.game import Game
from interpreter.happening import drawn, happened
from solver.budget import Budget
from solver.expected.value import valued
from solver.game_space import GameSpace
from solver.players.expectimax import Expectimax, ExpectingPlayer
from solver.players.levels import Level
from solver.players.limits import Limit
from solver.players.meter import Meter
from solver.players.nature import Nature
from tests.language.test_chance import HEAD, RACE
from tests.solver.test_expected import GUESS

BOUNDED = dslgame.loads(HEAD.replace("(1, 3)", "(2, 3)") + """\
var thrown in 0..3

move put(c in empty) when thrown > 0:
    c := own
    thrown := 0

move take(c in theirs) when thrown = 3:
    c := own
    thrown := 0

chance throw(d in 1..3) weight 4 - d when thrown = 0:
    thrown := d

turn again when thrown > 0
win mover when count(mine) = 4
draw when no empty
value 2 * count(c in mine where c.row = 0) - count(theirs) + thrown
""")
"""A roll of 3 lets a player take a piece."""


@pytest.mark.parametrize("text", [GUESS, RACE.replace("12", "5"), RACE.replace("12", "5").replace(
    "(d in 1..6) when", "(d in 1..6) weight 7 - d when")])
def test_looking_ahead_to_the_end_finds_the_expected_value(text: str) -> None:
    """A search to the end finds the expected value, with the bounds of Star1 and Star2 as without them."""
    game = dslgame.loads(text)
    state = game.engine.start()
    space = GameSpace(game)
    exact = valued(space, Budget(), "interpreter").of(space.root).value
    for star in (0, 1, 2):
        assert Expectimax(game, star).worth(state, 30, 0.0, 1.0, Meter(Limit())) == pytest.approx(exact, abs=1e-12)


@given(seed=st.integers(0, 10**6), low=st.floats(0, 1), high=st.floats(0, 1), plies=st.integers(2, 5),
       star=st.sampled_from((1, 2)))
@settings(max_examples=40, deadline=None)
def test_bounds_are_sound(seed: int, low: float, high: float, plies: int, star: int) -> None:
    """In any window a value inside is exact, and one outside is a bound on that side, by plain expectimax.

    The game's `value` differs between positions; one search runs several times, so that its move ordering is tested
    too.
    """
    low, high = min(low, high), max(low, high) + 1e-6
    game = BOUNDED
    dice = random.Random(seed)
    position = game.start()
    for _ in range(dice.randrange(6)):
        if not position.over:
            position = position.play(dice.choice(position.legal()))
    searching = Expectimax(game, star)
    for depth in range(1, plies + 1):
        exact = Expectimax(game, 0).worth(position.state, depth, 0.0, 1.0, Meter(Limit()))
        found = searching.worth(position.state, depth, low, high, Meter(Limit()))
        if low + 1e-9 < found < high - 1e-9:
            assert found == pytest.approx(exact, abs=1e-9)
        elif found <= low + 1e-9:
            assert exact <= found + 1e-9
        else:
            assert exact >= found - 1e-9


def test_probing_looks_at_fewer_positions() -> None:
    """Star2 visits fewer positions than Star1, and that fewer than neither, with the same value."""
    state, seen, found = BOUNDED.engine.start(), [], []
    for star in (0, 1, 2):
        search, meter = Expectimax(BOUNDED, star), Meter(Limit())
        for plies in range(1, 7):
            found.append(search.worth(state, plies, 0.0, 1.0, meter))
        seen.append(meter.nodes)
    assert found == pytest.approx(found[:6] * 3)
    assert seen[2] < seen[1] < seen[0]


@pytest.mark.parametrize("level", ["solver", "expectimax plies=4", "mcts nodes=400"])
def test_levels_find_the_best_guess(level: str) -> None:
    """The best guess is 3, which is drawn as often as 1 and 2 together."""
    game = dslgame.loads(GUESS)
    assert Level.of(level).player(game, seed=1).choose(game.start()).text == "guess:3"


@pytest.mark.parametrize("level", ["alphabeta plies=2", "maxn plies=2"])
def test_levels_that_know_no_chance_say_who_does(level: str) -> None:
    """Levels that know no chance refuse such games and name those that do."""
    with pytest.raises(ValueError, match="knows no chance, expected random, solver, mcts or expectimax"):
        Level.of(level).player(dslgame.loads(GUESS))


@pytest.mark.parametrize(("level", "said"), [("alphabeta", "knows no chance"), ("expectimax", "one or two players")])
def test_games_with_chance_for_three_have_levels(level: str, said: str) -> None:
    """Messages about other levels name those that play such games."""
    head = HEAD.replace("Red, Blue", "Red, Blue, Green").replace("blue of Blue", "blue of Blue, green of Green")
    game = dslgame.loads(head + """\
var thrown in 0..2

move put(c in empty) when thrown > 0:
    c := own
    thrown := 0

chance throw(d in 1..2) when thrown = 0:
    thrown := d

turn again when thrown > 0
draw when no empty
""")
    with pytest.raises(ValueError, match=f"{said}.*, expected random or mcts"):
        Level.of(f"{level} plies=2").player(game)
    for name in ("random", "mcts nodes=20"):
        position = game.start().play("throw:1")
        assert Level.of(name).player(game).choose(position).text in position.moves()


def test_chance_is_drawn_as_often_as_it_is_likely() -> None:
    """The chi-square of 1,800 draws with two degrees of freedom exceeds 13.8 once in a thousand; the seed is fixed."""
    position = dslgame.loads(GUESS).start().play("guess:1")
    dice, seen = random.Random(5), [0, 0, 0]
    for _ in range(1800):
        seen[drawn(position, dice).values[0] - 1] += 1
    expected = (300, 600, 900)
    assert sum((often - mean) ** 2 / mean for often, mean in zip(seen, expected, strict=True)) < 13.8


def test_what_happens_leads_to_a_player_or_the_end() -> None:
    """`happened` draws moves of chance until a player is to move or the game ends, and the same ones for a seed."""
    game: Game = dslgame.loads(RACE)
    position = happened(game.start(), random.Random(3))
    assert position.to_move == "Red"
    assert position == happened(game.start(), random.Random(3))
    assert Nature(random.Random(3)).choose(game.start()).text == position.played[0]


def test_levels_in_games_with_chance_have_a_time_limit() -> None:
    """`solver` without limits takes two seconds, and in a match no more than its move may take."""
    game = dslgame.load("pig")
    for text, seconds in (("solver", 2), ("solver nodes=50", None), ("expectimax", 1)):
        known = Level.of(text).player(game)
        assert isinstance(known, ExpectingPlayer)
        assert known.limit.seconds == seconds
    for text in ("solver", "expectimax"):
        player = Builtin(text, game, Level.of(text))
        player.begin(game.start(), 0, MatchClock(move=0.5), 1)
        player.choose(game.start(), Deadline(0.5))
        assert isinstance(player._player, ExpectingPlayer)
        assert player._player.limit.seconds is not None
        assert player._player.limit.seconds < 0.5


@pytest.mark.parametrize("text", ["expectimax plies=30", "expectimax nodes=1000000"])
def test_a_search_of_a_game_with_chance_has_a_ceiling_on_its_time(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search by plies or nodes is cut off after 30 seconds, and says so."""
    position = BOUNDED.start().play("throw:1")
    player, ticks = Level.of(text).player(BOUNDED), itertools.count()
    monkeypatch.setattr(Limit, "now", lambda _: next(ticks) / 10)
    choice = player.choose(position)
    assert re.match(r"the search was cut off after 30 s, at depth \d; seconds=N sets another time", choice.reason)
    assert choice.report is not None
    assert choice.report.nodes < 300


@pytest.mark.parametrize("level", ["expectimax plies=2", "solver nodes=100"])
def test_no_move_is_chosen_where_a_game_with_chance_is_over(level: str) -> None:
    """The message says that the game is over."""
    game = dslgame.loads(GUESS)
    over = happened(game.start().play("guess:1"), random.Random(1))
    with pytest.raises(ValueError, match="the game is over"):
        Level.of(level).player(game).choose(over)
