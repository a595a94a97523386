"""Puzzles and small games solved: published lengths and winners, by the references' plain sweeps and by the solver.

Sources: Rush Hour, card 1 (8 moves) as sold, and the hardest position without walls (51) by M. Fogleman, "Solving Rush
Hour" (2018); Klotski, 116 steps (81 moves), M. Gardner ("Mathematical Games", 1964); Guarini's knights, 16 moves; three
missionaries, 11 crossings; Leapfrog, m * n + m + n moves (E. Lucas); the
L game has 2,296 positions up to turns and mirrors and is a draw, "Winning Ways"; Grundy's game, the
heaps that lose, "Winning Ways" and OEIS A036685; Dawson's chess, its nim-values, "Winning Ways"; Fibonacci Nim,
M. Whinihan (1963); Euclid, A. J. Cole and A. J. T. Davie (1969). Sokoban's levels are our own.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

import pytest

import dslgame
from solver.game_space import solve_game
from tests.discovery import FOLDER
from tests.reference.counting import reachable
from tests.reference.rules import Rules, StateT
from tests.reference.solving import solve

LENGTHS = [
    ("rush_hour", {"card": 1}, 8), ("guarini", {}, 16), ("wolf_goat_cabbage", {}, 7),
    ("sokoban", {"level": 1}, 35), ("sokoban", {"level": 2}, 40), ("missionaries_and_cannibals", {}, 11),
    ("jugs", {}, 6), ("leapfrog", {}, 15), ("leapfrog", {"left_ones": 2, "right_ones": 4}, 14),
]
LONG = [("rush_hour", {"card": 2}, 51), ("sokoban", {"level": 3}, 39), ("klotski", {}, 116)]
EACH = [*LENGTHS, *(pytest.param(*item, marks=pytest.mark.slow) for item in LONG)]


def shortest(rules: Rules[StateT]) -> int | None:
    """The fewest moves to a won state, by breadth-first search."""
    seen = {rules.start()}
    level, moves = [rules.start()], 0
    while level:
        if any(rules.outcome(state) == rules.to_move(state) for state in level):
            return moves
        following = {rules.after(state, move) for state in level for move in rules.moves(state)} - seen
        seen |= following
        level, moves = list(following), moves + 1
    return None


@pytest.mark.parametrize(("name", "params", "length"), EACH, ids=str)
def test_shortest_way_is_as_published_and_as_by_the_reference(name: str, params: dict[str, int], length: int) -> None:
    assert shortest(import_module(f"tests.reference.{name}").Reference(**params)) == length
    solution = solve_game(dslgame.load(FOLDER / f"{name}.game", **params))
    assert (solution.winner, solution.remoteness) == (0, length)


@pytest.mark.slow
def test_icosian_game_has_thirty_cycles() -> None:
    """W. R. Hamilton's game: each cycle from one corner can be walked in two directions."""
    rules = import_module("tests.reference.icosian").Reference()
    level = [rules.after(rules.start(), "1")]
    while len(level[0]) < 20:
        level = [rules.after(state, move) for state in level for move in rules.moves(state)]
    assert sum(rules.outcome(state) == "Player" for state in level) == 2 * 30


def test_hackenbush_is_won_by_the_values_of_its_stalks() -> None:
    """The first player, Left, wins if the values add up to more than zero."""
    hackenbush = import_module("tests.reference.hackenbush")
    total = sum(map(hackenbush.value, hackenbush.STALKS))
    assert total != 0
    assert winner("hackenbush") == ("Left" if total > 0 else "Right")


def test_node_kayles_on_petersens_graph_and_treblecross_are_as_by_the_references() -> None:
    for name, params in (("node_kayles", {}), ("treblecross", {"cells_in_row": 7}), ("tac_tix", {"size": 3})):
        reference = import_module(f"tests.reference.{name}").Reference(**params)
        assert winner(name, **params) == solve(reference)[reference.start()].outcome, name


def winner(name: str, **params: int) -> str | None:
    """The winner of a bundled game, by the solver."""
    game = dslgame.load(FOLDER / f"{name}.game", **params)
    return game.outcome_name(solve_game(game).winner)


@pytest.mark.parametrize("coins", [3, 4, 7, 8, 10])
def test_grundys_game_is_lost_with_4_7_and_10_coins(coins: int) -> None:
    assert winner("grundys_game", coins=coins) == ("Second" if coins in (4, 7, 10) else "First")


@pytest.mark.parametrize("files", [1, 2, 4, 5, 8])
def test_dawsons_chess_is_lost_where_its_nim_value_is_zero(files: int) -> None:
    assert winner("dawsons_chess", files=files) == ("Black" if dawson(files) == 0 else "White")
    assert [dawson(number) for number in range(14)] == [0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4]


@cache
def dawson(pawns: int) -> int:
    """The nim-value of a row of pawns: an advance removes its file and the neighbouring ones."""
    after = {dawson(max(0, file - 1)) ^ dawson(max(0, pawns - file - 2)) for file in range(pawns)}
    return next(number for number in range(len(after) + 1) if number not in after)


@pytest.mark.parametrize("stones", [5, 6, 8, 12, 13])
def test_fibonacci_nim_is_lost_with_a_fibonacci_number(stones: int) -> None:
    assert winner("fibonacci_nim", stones=stones) == ("Second" if stones in (5, 8, 13) else "First")


@pytest.mark.parametrize(("a", "b"), [(8, 5), (13, 8), (9, 5), (12, 12), (5, 3), (19, 12)])
def test_euclid_is_won_where_the_heaps_are_equal_or_further_apart_than_the_golden_ratio(a: int, b: int) -> None:
    golden = (1 + 5 ** 0.5) / 2
    assert winner("euclid", a=a, b=b) == ("First" if a == b or a / b > golden else "Second")


@pytest.mark.slow
def test_l_game_has_2296_positions_up_to_turns_and_mirrors() -> None:
    """Each arrangement has either player to move; exchanging the colours of the two L pieces gives another position."""
    states = reachable(import_module("tests.reference.l_game").Reference())
    assert len(states) == 36_736 == 2 * 8 * 2296
