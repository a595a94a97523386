"""Games for more than two players: max^n against its definition, and against retrograde analysis for two players."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path
from typing import Literal, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dslgame
from dsl.syntax.source import Source
from dslgame.programs.tournament import seated, seatings
from interpreter.game import Game
from interpreter.model.outcomes import bits_of, number_of, outcomes_in
from interpreter.model.state import Move, State
from solver.budget import Budget
from solver.errors import Refused
from solver.game_space import Engine, GameSpace, solve_game
from solver.maxn import MaxN
from solver.players.analysis import Analyst
from solver.players.levels import Level
from solver.players.limits import Limit
from solver.players.vectors import VectorSearch
from solver.solve import Solution
from solver.space import DRAW
from solver.strong import Strong
from tests.app.test_cli import run
from tests.reference.maxn import can_force, equilibria
from tests.solver.test_solver import Graph

NIM = """
game "Nim for Three"
param heap = 5 in 1..30
param most = 2 in 1..9
players A, B, C
board graph:
    a
var stones in 0..30
start:
    stones := heap
move take(number in 1..min(most, stones)):
    stones -= number
win mover when stones = 0
notation take "{number}"
"""


@st.composite
def spaces(draw: st.DrawFn, *, players: tuple[int, ...], cycles: bool) -> Graph:
    """Small spaces for one of the given numbers of players; edges lead to later positions, or to any with `cycles`."""
    many = draw(st.sampled_from(players))
    count = draw(st.integers(2, 10))
    outcomes: list[int | None] = []
    edges: list[list[tuple[int, bool]]] = []
    for number in range(count):
        low = 0 if cycles else number + 1
        last = low == count or (number > 0 and draw(st.integers(0, 3)) == 0)
        outcomes.append(draw(st.integers(DRAW, many - 1)) if last else None)
        edges.append([] if last else [(target, False) for target in draw(
            st.lists(st.integers(low, count - 1), min_size=1, max_size=4))])
    movers = [draw(st.integers(0, many - 1)) for _ in range(count)]
    return Graph(many, movers, outcomes, edges, acyclic=not cycles)


def valued(space: Graph) -> MaxN[tuple[int, int], tuple[int, int, int]]:
    found = MaxN(space, Budget())
    found.enumerate_until()
    found.value_all()
    return found


@given(spaces(players=(2, 3, 4), cycles=False))
def test_outcomes_are_those_of_all_equilibria(space: Graph) -> None:
    """Every way to break ties gives the same set of outcomes; what each player can force alone agrees too."""
    found = valued(space)
    for state in found.states:
        value = found.value(state)
        assert value is not None
        assert set(outcomes_in(value.winner)) == equilibria(space, state)
        assert found.forces(state) == {player: can_force(space, state, player) for player in range(space.players)}
        assert (value.remoteness is None) == (space.outcome(state) in (None, DRAW) and 2 not in
                                              found.forces(state).values())


@given(spaces(players=(2,), cycles=True))
def test_two_players_have_the_value_of_retrograde_analysis(space: Graph) -> None:
    """The winner and the remoteness of wins agree, also where positions repeat."""
    found, strong = valued(space), Strong(space, Budget())
    strong.enumerate_until()
    strong.value_all()
    for state in strong.states:
        one, other = found.value(state), strong.value(state)
        assert one is not None
        assert other is not None
        assert one.winner == other.winner
        assert one.winner == DRAW or one.remoteness == other.remoteness


@given(spaces(players=(3,), cycles=True))
def test_nobody_gets_less_than_can_be_forced(space: Graph) -> None:
    """Every remaining outcome gives each player at least what this player can force, also with cycles."""
    found = valued(space)
    for state in found.states:
        value = found.value(state)
        assert value is not None
        for outcome in outcomes_in(value.winner):
            for player, least in found.forces(state).items():
                assert (2 if outcome == player else int(outcome == DRAW)) >= least


@given(st.sets(st.integers(DRAW, 5), min_size=1))
def test_sets_of_outcomes_are_numbers(outcomes: set[int]) -> None:
    """A single outcome is encoded as itself, a set of several as a number below that of a draw."""
    number = number_of(bits_of(outcomes))
    assert set(outcomes_in(number)) == outcomes
    assert number in outcomes if len(outcomes) == 1 else number < DRAW - 1


def answer_of(heap: int, *, engine: str = "auto") -> tuple[Game, Solution[State, Move]]:
    game = Game.of(Source("nim.game", NIM), {"heap": heap})
    return game, solve_game(game, engine=cast(Engine, engine))


@pytest.mark.parametrize(("heap", "winner", "plies"), [(1, "A", 1), (2, "A", 1), (3, "B", 2)])
def test_a_forced_win_has_its_plies(heap: int, winner: str, plies: int) -> None:
    """A forced win has its plies, and no other player decides."""
    game, answer = answer_of(heap)
    assert (game.outcome_name(answer.winner), answer.remoteness) == (winner, plies)
    assert answer.forces[game.players.index(winner)] == 2
    assert answer.deciders == ()


def test_kingmaking_is_said() -> None:
    """With four stones the first player loses and decides to whom; with five the second player does."""
    game, answer = answer_of(4)
    assert game.outcome_name(answer.winner) == "B or C"
    assert (answer.deciders, answer.forces) == ((0,), {0: 0, 1: 0, 2: 0})
    assert {game.outcome_name(item.winner) for item in answer.moves} == {"B", "C"}
    game, answer = answer_of(5)
    assert (game.outcome_name(answer.winner), answer.deciders) == ("A or C", (1,))
    assert answer.best is not None
    assert game.notation.write(game.engine.start(), answer.best) == "1"


@pytest.mark.parametrize("heap", [7, 30])
def test_engines_agree(heap: int) -> None:
    """The kernel as plain Python and the interpreter give the same answer."""
    (_, one), (_, other) = answer_of(heap, engine="interpreter"), answer_of(heap, engine="kernel")
    assert (one.winner, one.moves, one.forces) == (other.winner, other.moves, other.forces)
    assert (one.engine, other.engine) == ("interpreter", "plain kernel")


def test_searches_for_two_players_refuse() -> None:
    """Methods for one or two players refuse and name what can be used instead."""
    game = Game.of(Source("nim.game", NIM))
    with pytest.raises(Refused, match="it is for one or two players; expected auto"):
        solve_game(game, method="alphabeta")


def test_players_know_what_depends_on_others() -> None:
    """Hints use max^n for few positions: the first player does not give the win away."""
    game = Game.of(Source("nim.game", NIM))
    found = Analyst(game).analyse(game.start(), nodes=500)
    assert found.best.text == "1"
    assert found.exact
    assert found.basis == "proven that a choice between equal results decides"


@pytest.mark.parametrize("kind", ["maxn", "paranoid"])
def test_searches_for_many_players_find_wins(kind: str) -> None:
    """Both searches take a win at once, and play legal moves from larger heaps."""
    game = Game.of(Source("nim.game", NIM), {"heap": 2})
    player = Level.of(f"{kind} plies=4").player(game)
    choice = player.choose(game.start())
    assert choice.text == "2"
    assert (choice.winner, choice.remoteness) == ((0, 1) if kind == "paranoid" else (None, None))
    for heap in (4, 5):
        start = Game.of(Source("nim.game", NIM), {"heap": heap}).start()
        assert Level.of(f"{kind} plies=6").player(start.game).choose(start).text in start.moves()


@pytest.mark.parametrize("kind", ["maxn", "paranoid"])
@pytest.mark.parametrize("limit", ["nodes=1000000", "plies=30"])
def test_searches_for_many_players_say_that_they_were_cut_off(
        kind: str, limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search by plies or nodes ends after 30 seconds, and says so."""
    game = Game.of(Source("nim.game", NIM), {"heap": 30})
    player, ticks = Level.of(f"{kind} {limit}").player(game), itertools.count()
    monkeypatch.setattr(Limit, "now", lambda _: next(ticks) / 10)
    choice = player.choose(game.start())
    assert re.match(r"the search was cut off after 30 s, at depth \d+; seconds=N sets another time", choice.reason)


def test_paranoid_search_is_what_can_be_forced() -> None:
    """A paranoid search to the end finds a win exactly where the player can force one."""
    for heap in range(1, 10):
        game = Game.of(Source("nim.game", NIM), {"heap": heap, "most": 3})
        found = VectorSearch(game, "paranoid").search(game.engine.start(), Limit(plies=20))
        forced = can_force(GameSpace(game), game.engine.start(), 0)
        assert (found.winner is not None) == (forced == 2)


def test_matches_seat_two_programs_on_three_sides() -> None:
    """Each program has every side equally often, alone and together with another side."""
    game = Game.of(Source("nim.game", NIM))
    found = [seated(game, 0, 1, turn) for turn in range(seatings(game))]
    assert found == [(0, 1, 1), (1, 0, 0), (1, 0, 1), (0, 1, 0), (1, 1, 0), (0, 0, 1)]


def test_a_match_of_three_sides_is_played(tmp_path: Path) -> None:
    """A level plays a random player; a protocol for two players is refused."""
    path = tmp_path / "nim.game"
    path.write_text(NIM)
    found = run("match", str(path), "maxn plies=3", "random", "--games", "6", "--threads", "1", "--json")
    assert found.exit_code == 0, found.output
    said = json.loads(found.stdout)
    assert [row["wins"] + row["losses"] for row in said["players"]] == [6, 6]
    assert not said["forfeits"]
    found = run("match", str(path), "gtp cat", "random", "--games", "6")
    assert found.exit_code == 2
    assert "speaks a protocol for two players" in found.stderr


def test_the_command_says_who_decides(tmp_path: Path) -> None:
    """Values and first moves name the deciding player, as text and as JSON."""
    path = tmp_path / "nim.game"
    path.write_text(NIM)
    found = run("solve", str(path), "-p", "heap=4")
    assert found.exit_code == 0, found.output
    assert "A to move: B or C, as A may choose between equal results; best move 1" in found.output
    said = json.loads(run("solve", str(path), "--json").stdout)
    assert (said["winner"], said["possible"], said["decided_by"]) == ("A or C", ["A", "C"], ["B"])
    assert said["forces"] == {"A": "loss", "B": "loss", "C": "loss"}
    found = run("openings", str(path), "-p", "heap=6")
    assert "2 first moves: 1 A or B, 1 A or C" in found.output


@pytest.mark.parametrize("heaps", [(1, 2, 3), (0, 2, 2), (1, 1, 1), (2, 2, 3)])
def test_three_player_nim_has_the_values_of_the_definition(heaps: tuple[int, int, int]) -> None:
    """The values of first moves in the bundled game are those of a search that tries every way to break ties."""
    game = dslgame.load("three_player_nim", **dict(zip("abc", heaps, strict=True)))
    answer = solve_game(game)
    space = GameSpace(game, symmetry=False)
    known: dict[State, frozenset[int]] = {}
    assert answer.winner is not None
    assert set(outcomes_in(answer.winner)) == equilibria(space, space.start(), known)
    for (move, after), found in zip(space.successors(space.start()), answer.moves, strict=True):
        assert found.move == move
        assert found.winner is not None
        assert set(outcomes_in(found.winner)) == equilibria(space, after, known)


@pytest.mark.parametrize("kind", ["maxn", "paranoid"])
def test_one_player_has_no_others(kind: Literal["maxn", "paranoid"]) -> None:
    game = dslgame.load("jugs")
    found = VectorSearch(game, kind).search(game.start().state, Limit(plies=3))
    assert found.move in game.start().legal()


def test_a_member_of_the_own_team_is_none_of_the_others() -> None:
    game = dslgame.loads(NIM.replace("players A, B, C", "players A, B, C\nteam Odd = A, C").replace(
        "win mover when", "win Odd when"))
    assert game.sides[0] == game.sides[2] != game.sides[1]
    search = VectorSearch(game, "maxn")
    assert search._rank([5, 2, 9], game.sides[0]) == (5, -2)
    assert search._rank([5, 2, 9], game.sides[1]) == (2, -9)
