"""Games with dice and cards: their values against naive references, and random games against OpenSpiel."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

import dslgame
from interpreter.game import Position
from solver.game_space import solve_game
from tests.reference import blackjack, cant_stop, expectation, hackgammon, minesweeper, twenty_forty_eight, ur, yahtzee
from tests.solver.test_expected import worth

SMALL = {"points": 4, "men": 1, "sides": 2}
FEW = {"points": 4, "men": 2, "sides": 2}


@pytest.mark.parametrize(("name", "params", "value"), [
    ("hackgammon", SMALL, lambda: expectation.worth(hackgammon.Reference(**SMALL), "White")),
    ("twenty_forty_eight", {"rows": 2, "doublings": 4},
     lambda: expectation.worth(twenty_forty_eight.Reference(rows=2, doublings=4), "Solver")),
    pytest.param("hackgammon", FEW, lambda: expectation.worth(hackgammon.Reference(**FEW), "White"),
                 marks=pytest.mark.slow),
    pytest.param("ur", {"men": 1}, lambda: expectation.worth(ur.Reference(men=1), "Light"), marks=pytest.mark.slow),
    pytest.param("cant_stop", cant_stop.SMALL, lambda: expectation.worth(cant_stop.Reference(**cant_stop.SMALL), "Ann"),
                 marks=pytest.mark.slow),
    pytest.param("yahtzee", {"sides": 3}, lambda: yahtzee.expected(3), marks=pytest.mark.slow),
    pytest.param("blackjack", {"copies": 1}, lambda: blackjack.expected(1), marks=pytest.mark.slow),
])
def test_best_play_is_worth_what_naive_references_say(name: str, params: dict[str, int], value: Any) -> None:
    """The first player's chance to win; a single player's expected result."""
    assert worth(dslgame.load(name, **params)).value == pytest.approx(float(value()), abs=1e-7)


def test_a_tile_of_16_on_four_cells() -> None:
    """Best play reaches 16 with probability 0.9625, and 32 with 0.0829 (published by J. Lees-Miller, 2018)."""
    found = worth(dslgame.load("twenty_forty_eight", rows=2, doublings=3))
    assert found.exact == Fraction(770009003, 800000000)


@pytest.mark.parametrize("params", [
    {"rows": 1, "columns": 4, "mines": 2}, pytest.param({}, marks=pytest.mark.slow),
])
def test_minesweeper_is_worth_what_the_player_can_know(params: dict[str, int]) -> None:
    """A single player with hidden information: the exact chance of winning equals the reference's fraction."""
    pytest.importorskip("scipy")
    solution = solve_game(dslgame.load("minesweeper", **params))
    assert solution.strategies is not None
    value = minesweeper.chance_of_winning(**{"rows": 2, "columns": 3, "mines": 2} | params)
    assert Fraction(str(solution.strategies.exact)) == value


def test_hands_of_blackjack_end_as_openspiels() -> None:
    """Replay OpenSpiel's random hands with their cards in our order: the same decisions are open, the results equal."""
    pyspiel = pytest.importorskip("pyspiel")
    game, dice = dslgame.load("blackjack"), random.Random(2)
    for _ in range(60):
        state, said, cards = pyspiel.load_game("blackjack").new_initial_state(), [], []
        while not state.is_terminal():
            action = dice.choice(state.legal_actions())
            text = state.action_to_string(state.current_player(), action)
            if state.is_chance_node():
                cards.append("10" if text[1] in "TJQK" else "1" if text[1] == "A" else text[1])
            else:
                assert len(state.legal_actions()) == 2
                said.append((text.lower(), len(cards)))
            state.apply_action(action)
        taken = len([word for word, _ in said if word == "hit"])
        moves = [*cards[:3], *(move for number in range(taken) for move in ("hit", cards[4 + number]))]
        position = game.start()
        for move in [*moves, *(["stand", cards[3], *cards[4 + taken:]] if said[-1][0] == "stand" else [])]:
            assert (position.to_move == "nature") == (move not in ("hit", "stand"))
            position = position.play(move)
        assert position.over
        assert list(game.payoffs.of(position.state)) == state.returns()


def slides(position: Position, way: str) -> bool:
    """Whether some tile has an empty cell next to it in a direction."""
    down, right = {"north": (1, 0), "east": (0, 1), "south": (-1, 0), "west": (0, -1)}[way]
    there = position.pieces
    return any(f"{chr(ord(cell[0]) + right)}{int(cell[1]) + down}" not in there
               and 0 < int(cell[1]) + down < 5 and "a" <= chr(ord(cell[0]) + right) <= "d" for cell in there)


def test_pushes_of_2048_are_openspiels() -> None:
    """Compare OpenSpiel's random games tile by tile; OpenSpiel 2.0.2 omits some pushes that only merge tiles."""
    pyspiel = pytest.importorskip("pyspiel")
    ways, dice = ("north", "east", "south", "west"), random.Random(3)
    state, position = pyspiel.load_game("2048").new_initial_state(), dslgame.load("twenty_forty_eight").start()
    for _ in range(120):
        if state.is_terminal():
            break
        actions = state.legal_actions()
        if state.is_chance_node():
            assert len(actions) == len(position.moves())
            action = dice.choice(actions)
            number, _, _, _, row, _, _, column = state.action_to_string(-1, action).replace(",", " , ").split()
            move = f"{'abcd'[int(column) - 1]}{5 - int(row)}={number}"
        else:
            offered = {ways[action] for action in actions}
            assert offered <= set(position.moves())
            for way in set(position.moves()) - offered:
                assert not slides(position, way)
            action = dice.choice(actions)
            move = ways[action]
        state.apply_action(action)
        position = position.play(move)
        shown = [[0 if cell == "." else int(cell) for cell in line.split()[1:]]
                 for line in position.drawing().splitlines()[:4]]
        assert [list(map(int, line.split())) for line in str(state).splitlines()[:4]] == shown
