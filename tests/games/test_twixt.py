"""TwixT: the reference against OpenSpiel, rules on which programs differ, and the game file against the reference."""

from __future__ import annotations

import random
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

import dslgame
from interpreter.game import Game
from tests.discovery import FOLDER
from tests.openspiel.twixt import OpenSpiel
from tests.reference.counting import perft
from tests.reference.rules import DRAW
from tests.reference.twixt import Link, Reference, State, column_name, cross, knights_step

ROOT = Path(__file__).parents[2]
FILE = FOLDER / "twixt.game"


def played(rules: Reference, moves: str) -> State:
    state = rules.start()
    for move in moves.split():
        state = rules.play(state, move)
    return state


# ---- the reference beside OpenSpiel


@pytest.mark.parametrize(
    ("size", "swap", "counts"),
    [
        (5, 0, [15, 216, 2898, 37188]),
        (5, 1, [15, 225, 3024, 38880]),
        pytest.param(5, 1, [15, 225, 3024, 38880, 462384], marks=pytest.mark.slow),
        (6, 1, [24, 576, 12880]),
        pytest.param(6, 1, [24, 576, 12880, 279552], marks=pytest.mark.slow),
    ],
)
def test_reference_has_openspiels_perft(size: int, swap: int, counts: list[int]) -> None:
    """The perft counts of OpenSpiel 2.0.2, without its swap move where `swap` is 0."""
    assert perft(Reference(rows=size, columns=size, swap=swap), len(counts)) == counts


def play_beside_openspiel(size: int, games: int) -> None:
    """Play random games to the end, every other one with the swap, and compare everything that positions show.

    Must run in a process in which OpenSpiel has not had a board of another size.
    """
    for swap in (0, 1):
        ours = Reference(rows=size, columns=size, swap=swap)
        theirs = OpenSpiel(rows=size, columns=size, swap=swap)
        for seed in range(games):
            dice = random.Random(seed)
            state, partner = ours.start(), theirs.start()
            while moves := sorted(ours.moves(state)):
                assert sorted(theirs.moves(partner)) == moves
                assert theirs.to_move(partner) == ours.to_move(state)
                move = "swap" if "swap" in moves and seed % 2 else dice.choice(moves)
                state, partner = ours.after(state, move), theirs.after(partner, move)
                assert theirs.board(partner) == ours.board(state)
                assert theirs.links(partner) == ours.links(state)
                assert theirs.outcome(partner) == ours.outcome(state)
            assert theirs.moves(partner) == []


@pytest.mark.parametrize(
    ("size", "games"),
    [
        *[(size, 4) for size in (5, 8)],
        *[pytest.param(size, 20, marks=pytest.mark.slow) for size in range(5, 13)],
    ],
)
def test_reference_plays_as_openspiel(size: int, games: int) -> None:
    """Pegs, links, moves and winners."""
    pytest.importorskip("pyspiel")
    program = f"from tests.games.test_twixt import play_beside_openspiel; play_beside_openspiel({size}, {games})"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


# ---- the reference by itself


@pytest.mark.parametrize("end", [(1, 2), (2, 1), (2, -1), (1, -2)])
def test_a_link_is_crossed_by_nine_others(end: tuple[int, int]) -> None:
    """On an unbounded board, none of the nine shares an end with it."""
    around = list(product(range(-4, 6), range(-4, 6)))
    link: Link = ((0, 0), end)
    others = [(one, other) for one, other in product(around, around) if one < other and knights_step(one, other)]
    crossing = [other for other in others if cross(link, other)]
    assert len(crossing) == 9
    assert all(not {*other} & {*link} for other in crossing)
    assert all(cross(other, link) for other in crossing)


def test_links_of_either_colour_stop_links() -> None:
    """Red's pegs on c3 and d5: with nothing between them, with a link of Blue's, and with one of Red's own."""
    rules = Reference(rows=8, columns=8, swap=0)
    assert rules.links(played(rules, "c3 h2 d5")) == {"bridge": [("c3", "d5")]}
    assert rules.links(played(rules, "c3 b4 g2 d3 d5")) == {"bridge": [("d3", "b4")]}
    assert rules.links(played(rules, "b4 g2 d3 h2 c3 g7 d5")) == {"bridge": [("d3", "b4"), ("b4", "d5")]}


def test_swap_turns_the_peg_by_a_quarter() -> None:
    """Red's peg becomes Blue's, and Red moves next; the old hole is free again."""
    rules = Reference(rows=6, columns=6, swap=1)
    state = played(rules, "c5 swap")
    assert rules.board(state) == {"b3": "blue"}
    assert rules.to_move(state) == "Red"
    assert {"c5", "b1"} <= set(rules.moves(state))
    assert not {"swap", "b3", "a2"} & set(rules.moves(state))


@pytest.mark.parametrize(("params", "opening", "may"), [
    ({"rows": 6, "columns": 6, "swap": 1}, "c2", True),
    ({"rows": 6, "columns": 6, "swap": 1}, "c1", False),
    ({"rows": 6, "columns": 6, "swap": 1}, "c6", False),
    ({"rows": 6, "columns": 6, "swap": 2}, "c1", True),
    ({"rows": 6, "columns": 7, "swap": 1}, "c2", False),
    ({"rows": 6, "columns": 7, "swap": 2}, "c2", True),
    ({"rows": 6, "columns": 6, "swap": 0}, "c2", False),
])  # fmt: skip
def test_when_the_second_player_may_swap(params: dict[str, int], opening: str, may: bool) -> None:
    """The swap is possible as the second move only."""
    rules = Reference(**params)
    assert "swap" not in rules.moves(rules.start())
    state = rules.play(rules.start(), opening)
    assert ("swap" in rules.moves(state)) == may
    assert "swap" not in rules.moves(rules.play(state, "d3"))


def test_seats_are_exchanged() -> None:
    """The pegs stay; Red goes on with the blue pegs, and Blue wins when the red pegs join top and bottom."""
    rules = Reference(rows=5, columns=5, swap=2)
    state = played(rules, "b1 swap")
    assert rules.board(state) == {"b1": "red"}
    assert rules.to_move(state) == "Red"
    assert "a2" in rules.moves(state)
    assert "c1" not in rules.moves(state)
    state = rules.play(state, "a2")
    assert rules.board(state) == {"b1": "red", "a2": "blue"}
    for move in ("c3", "a3", "b5"):
        assert rules.outcome(state) is None
        state = rules.play(state, move)
    assert rules.links(state) == {"bridge": [("b1", "c3"), ("c3", "b5")]}
    assert rules.outcome(state) == "Blue"


def test_early_draws_are_draws() -> None:
    """Playing on from an early draw always ends in a draw, and both rules end all other games alike."""
    late, early = (Reference(rows=5, columns=5, swap=0, early_draw=when) for when in (0, 1))
    found = 0
    for seed in range(30):
        dice = random.Random(seed)
        state, drawn = late.start(), False
        while moves := late.moves(state):
            drawn = drawn or early.outcome(state) == DRAW
            found += early.outcome(state) == DRAW
            assert drawn or set(early.moves(state)) == set(moves)
            state = late.play(state, dice.choice(moves))
        assert early.outcome(state) == late.outcome(state)
        assert late.outcome(state) == DRAW or not drawn
    assert found > 20


def test_names_of_columns() -> None:
    """a to z, aa and so on."""
    assert [column_name(column) for column in (0, 25, 26, 51, 52)] == ["a", "z", "aa", "az", "ba"]


# ---- the game file


def game_of(**params: int) -> Game:
    return dslgame.load(FILE, **params)


@pytest.mark.parametrize("params", [
    {"rows": 5, "columns": 5, "swap": 1, "early_draw": 1},
    {"rows": 6, "columns": 8, "swap": 2, "early_draw": 1},
    {"rows": 12, "columns": 12, "swap": 1},
    {"rows": 9, "columns": 30, "swap": 2},
], ids=str)  # fmt: skip
def test_file_plays_as_the_reference(params: dict[str, int]) -> None:
    """In a random game, with a swap where it is possible, pegs, links, moves and winner agree."""
    rules = Reference(**params)
    state, position = rules.start(), game_of(**params).start()
    dice = random.Random(7)
    while moves := sorted(rules.moves(state)):
        assert sorted(position.moves()) == moves
        assert position.to_move == rules.to_move(state)
        move = "swap" if "swap" in moves else dice.choice(moves)
        state, position = rules.after(state, move), position.play(move)
        assert position.pieces == rules.board(state)
        assert {frozenset(pair) for pair in position.links["bridge"]} == {
            frozenset(pair) for pair in rules.links(state)["bridge"]
        }
        assert position.outcome == rules.outcome(state)
    assert position.over


@pytest.mark.slow
def test_5x5_without_swap_is_a_draw() -> None:
    """Two independent programs found the same; early draws change no value and need fewer positions."""
    game = game_of(rows=5, columns=5, swap=0, early_draw=1)
    answer = dslgame.solve(game)
    assert game.outcome_name(answer.winner) == DRAW
    assert {game.outcome_name(item.winner) for item in answer.moves} == {DRAW}
