"""A clock for the whole game: about equal shares per move, which never add up to more than the clock."""

from __future__ import annotations

import random
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dslgame
from dsl.syntax.source import Span
from dslgame.programs import builtin
from dslgame.programs.builtin import Builtin
from dslgame.programs.channels import Deadline
from dslgame.programs.referee import Clock
from interpreter.errors import RuleError
from interpreter.game import Game, Position
from interpreter.happening import drawn
from interpreter.model.state import State
from solver.players.found import Found
from solver.players.level_players import SearchingPlayer
from solver.players.levels import Level
from solver.players.limits import Limit
from solver.players.pacing import LEAST, GameClock, Pace, share
from solver.report import Report


class Fake:
    """A search that uses all of its time on a simulated clock, and returns a random move."""

    def __init__(self, game: Game) -> None:
        self.game, self.now, self.given = game, 0.0, list[float]()

    def search(self, state: State, limit: Limit, *, history: Sequence[State] = (), seed: int = 0) -> Found:
        if limit.nodes is None:
            assert limit.seconds is not None
            self.given.append(limit.seconds)
            self.now += limit.seconds
        move = random.Random(seed).choice(list(self.game.engine.legal(state)))
        return Found(move, 0, None, None, Report("fake", 0, 0.0, "0", ()))

    def forget(self) -> None:
        pass


def player_with(search: Fake, level: str, monkeypatch: pytest.MonkeyPatch) -> SearchingPlayer:
    """A player of a level that uses the given search and its clock."""
    player = SearchingPlayer(search.game, Level.of(level), 0, None)
    monkeypatch.setattr(player, "_search", search)
    monkeypatch.setattr(player, "pace", Pace(search, search.game))
    monkeypatch.setattr("solver.players.level_players.time.perf_counter", lambda: search.now)
    return player


def played(player: SearchingPlayer, game: Game, seed: int) -> Position:
    """The last position of a game of the player, who moves first, against random moves."""
    chance, position = random.Random(seed), game.start()
    while not position.over:
        position = position.play(player.choose(position).move)
        if not position.over:
            position = position.play(chance.choice(position.legal()))
    return position


@given(st.integers(0, 500), st.floats(1, 300), st.integers(1, 6))
def test_a_move_gets_a_part_of_what_is_left(ply: int, length: float, seats: int) -> None:
    assert 0 < share(ply, length, seats) <= 1


@given(st.integers(20, 300), st.integers(1, 4), st.integers(0, 3))
def test_moves_get_the_same_until_a_game_is_nearly_as_long_as_usual(length: int, seats: int, first: int) -> None:
    left, parts = 1.0, []
    for ply in range(first, 2 * length, seats):
        parts.append(left * share(ply, length, seats))
        left -= parts[-1]
    assert 0 < left < 1
    even = max(1, int(0.7 * (length - first) / seats) - 3)
    assert parts[:even] == pytest.approx([parts[0]] * even)
    assert max(parts) < 1.5 * parts[0]
    assert parts[-1] < parts[0]


@pytest.mark.parametrize("seed", range(5))
def test_a_clock_is_kept_to_in_each_game(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    search = Fake(dslgame.load("breakthrough", rows=6, columns=6))
    player = player_with(search, "alphabeta clock=3", monkeypatch)
    assert player.pace is not None
    for game in range(3):
        search.given.clear()
        played(player, search.game, 3 * seed + game)
        assert 0.5 < sum(search.given) <= 3.0
        assert search.given[0] == pytest.approx(3.0 * player.pace.share(search.game.start()))
        assert all(seconds > 0 for seconds in search.given)


def test_a_position_that_does_not_follow_begins_another_game() -> None:
    game = dslgame.load("tic_tac_toe")
    start = game.start()
    first, second = (start.play(move) for move in start.legal()[:2])
    clock = GameClock(10.0)
    assert clock.left(start) == 10.0
    clock.spend(start, 4.0)
    assert clock.left(first) == 10.0, "of the other player"
    after = first.play(first.legal()[0])
    assert clock.left(after) == 6.0
    clock.spend(after, 1.0)
    assert clock.left(second.play(second.legal()[0])) == 10.0, "another way"
    clock.spend(second, 1.0)
    assert clock.left(start) == 10.0, "from the beginning"


def test_players_who_exchange_pieces_keep_their_time() -> None:
    game = dslgame.load("twixt", rows=6, columns=6, swap=2)
    start = game.start()
    clock = GameClock(10.0)
    assert clock.left(start) == 10.0
    clock.spend(start, 4.0)
    opened = start.play(start.legal()[3])
    swapped = next(after for after in map(opened.play, opened.legal()) if after.state.seats)
    assert swapped.state.to_move == start.state.to_move
    assert clock.left(swapped) == 6.0


def test_how_long_games_last_is_learned_once() -> None:
    game = dslgame.load("reversi")
    search = Fake(game)
    pace = Pace(search, game)
    assert 40 < pace.learn() < 70
    assert not search.given
    before, pace._game = pace.learn(), dslgame.load("tic_tac_toe")
    assert pace.learn() == before


def test_moves_of_chance_take_no_time() -> None:
    game = dslgame.load("pig")
    pace = Pace(Fake(game), game)
    position, moves, dice = game.start(), 0, random.Random(1)
    while moves < 10:
        if position.by_chance:
            position = position.play(drawn(position, dice))
        else:
            position, moves = position.play(position.legal()[0]), moves + 1
    assert len(position.played) > moves
    assert pace.share(position) == share(moves, pace.learn(), 2)


def test_what_ends_a_quick_game_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule that fails ends the trial game, an interruption ends learning; in both cases nothing is learned."""
    game = dslgame.load("tic_tac_toe")
    search = Fake(game)
    find = search.search

    def failing(*given: Any, **more: Any) -> Found:
        raise RuleError("G404", "a range is left", Span(0, 1, 1, 1))

    def interrupted(*given: Any, **more: Any) -> Found:
        found = find(*given, **more)
        return attrs.evolve(found, report=attrs.evolve(found.report, interrupted=True))

    monkeypatch.setattr(search, "search", failing)
    assert Pace(search, game).learn() == 40, "nothing was learned"
    monkeypatch.setattr(search, "search", interrupted)
    pace = Pace(search, game)
    with pytest.raises(KeyboardInterrupt):
        pace.learn()
    monkeypatch.setattr(search, "search", find)
    assert 5 <= pace.learn() <= 9


def test_levels_without_limits_divide_the_time_for_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    game = dslgame.load("breakthrough", rows=6, columns=6)
    contestant = Builtin("alphabeta", game, Level.of("alphabeta"))
    search = Fake(game)
    player = contestant._player
    assert isinstance(player, SearchingPlayer)
    monkeypatch.setattr(player, "_search", search)
    monkeypatch.setattr(player, "pace", Pace(search, game))
    position, chance = game.start(), random.Random(1)
    monkeypatch.setattr(builtin, "time", SimpleNamespace(monotonic=lambda: search.now))
    contestant.begin(position, 0, Clock(game=60.0), 0)
    while not position.over:
        position = position.play(contestant.choose(position, Deadline(60.0)))
        if not position.over:
            position = position.play(chance.choice(position.legal()))
    assert sum(search.given) <= 60.0
    assert 60.0 / 40 < search.given[0] < 60.0 / 10


def test_sides_of_one_contestant_have_a_clock_each(monkeypatch: pytest.MonkeyPatch) -> None:
    game = dslgame.load("breakthrough", rows=6, columns=6)
    contestant = Builtin("alphabeta", game, Level.of("alphabeta"))
    search = Fake(game)
    assert isinstance(contestant._player, SearchingPlayer)
    monkeypatch.setattr(contestant._player, "_search", search)
    monkeypatch.setattr(contestant._player, "pace", Pace(search, game))
    monkeypatch.setattr(builtin, "time", SimpleNamespace(monotonic=lambda: search.now))
    position = game.start()
    contestant.begin(position, 0, Clock(game=60.0), 0)
    for _ in range(2):
        position = position.play(contestant.choose(position, Deadline(60.0)))
    first, second = search.given
    assert second == pytest.approx(first), "nothing of it was spent by the first player"


def test_an_interruption_while_lengths_are_learned_gives_a_move_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    search = Fake(dslgame.load("breakthrough", rows=6, columns=6))
    player = player_with(search, "alphabeta clock=300", monkeypatch)

    def interrupted() -> float:
        raise KeyboardInterrupt

    monkeypatch.setattr(player.pace, "learn", interrupted)
    choice = player.choose(search.game.start())
    assert choice.move in search.game.start().legal()
    assert choice.report is not None
    assert choice.report.interrupted
    assert search.given == [LEAST]


@pytest.mark.parametrize("text", ["alphabeta clock=60", "patterns clock=1.5 width=9", "mcts clock=2 threads=2",
                                  "connecting clock=0.5", "alphabeta plies=4 clock=9", "mcts clock=2 ponder=yes"])
def test_levels_with_clocks_are_written_as_they_are_read(text: str) -> None:
    level = Level.of(text)
    assert Level.of(str(level)) == level
    assert level.limit.seconds == level.clock


@pytest.mark.parametrize(("text", "expected"), [
    ("alphabeta clock=60 seconds=1", "found both 'clock=60' and 'seconds=1'"),
    ("mcts cpu=1 clock=60", "found both 'cpu=1' and 'clock=60'"),
    ("connecting clock=60 nodes=5", "found both 'clock=60' and 'nodes=5'"),
    ("alphabeta clock=0", "expected more than 0"),
    ("maxn clock=5", "found 'clock=5' after 'maxn'"),
    ("solver clock=5", "found 'clock=5' after 'solver'"),
])
def test_clocks_that_cannot_be_are_refused(text: str, expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        Level.of(text)


@pytest.mark.parametrize(("name", "level"), [
    ("connect_four", "alphabeta"), ("hex", "connecting"), ("hex", "patterns"), ("pig", "mcts"), ("reversi", "mcts")])
def test_searches_with_clocks_play(name: str, level: str) -> None:
    game = dslgame.load(name)
    player = dslgame.player(game, f"{level} clock=0.5" + (" trained=none" if level == "mcts" else ""))
    position = game.start()
    for _ in range(4):
        if position.by_chance:
            position = position.play(position.legal()[0])
            continue
        choice = player.choose(position)
        assert choice.text in position.moves()
        position = position.play(choice.move)
