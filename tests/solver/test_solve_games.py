"""Bundled games solved, compared with published values and with naive references.

Sources: Nex from a separate exhaustive solver; tic-tac-toe, Connect Four 4x4, Hex and Shift-Tac-Toe totals from
GamesmanClassic and an independent re-derivation; openings of Hex from two independent programs.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import dslgame
from interpreter.game import Game
from interpreter.model.state import Move, State
from solver.game_space import GameSpace, solve_game
from solver.perft import perft
from solver.solve import Solution
from solver.space import DRAW
from tests.reference import connect_four, hex, nex, shift_tac_toe, solving, tic_tac_toe

GAMES = Path(__file__).parents[2] / "games"
REFERENCES: dict[str, Any] = {
    "tic_tac_toe": tic_tac_toe.Reference,
    "connect_four": connect_four.Reference,
    "hex": hex.Reference,
    "nex": nex.Reference,
    "shift_tac_toe": shift_tac_toe.Reference,
}
SMALL = [
    ("tic_tac_toe", {}),
    ("connect_four", {"rows": 3, "columns": 3, "length": 3}),
    ("connect_four", {"rows": 3, "columns": 4, "length": 3}),
    ("connect_four", {"rows": 4, "columns": 3, "length": 2}),
    ("hex", {"size": 2}),
    ("hex", {"size": 3}),
    ("nex", {"rows": 2, "columns": 2}),
    ("nex", {"rows": 2, "columns": 3}),
    ("nex", {"rows": 3, "columns": 2}),
    pytest.param("shift_tac_toe", {"reach": 1}, marks=pytest.mark.slow),
]


def solved(name: str, **params: int) -> tuple[Game, Solution[State, Move]]:
    """A bundled game and its solution by the method that `auto` takes."""
    game = dslgame.load(GAMES / f"{name}.game", **params)
    return game, solve_game(game)


def openings(game: Game, solution: Solution[State, Move]) -> dict[str, tuple[str | None, int | None]]:
    """The winner and the plies of each first move, by its text."""
    start = game.engine.start()
    return {
        game.notation.write(start, item.move): (game.outcome_name(item.winner), item.remoteness)
        for item in solution.moves
    }


def winners(game: Game, solution: Solution[State, Move]) -> Counter[str | None]:
    """The number of first moves that lead to each result."""
    return Counter(winner for winner, _ in openings(game, solution).values())


@pytest.mark.parametrize(("name", "params"), SMALL, ids=str)
def test_every_opening_is_valued_as_by_the_reference(name: str, params: dict[str, int]) -> None:
    """Every first move has the reference's winner and remoteness, with and without symmetries."""
    expected = solving.openings(REFERENCES[name](**params))
    game = dslgame.load(GAMES / f"{name}.game", **params)
    values = solving.solve(REFERENCES[name](**params))
    for symmetry in (True, False):
        solution = solve_game(game, symmetry=symmetry, method="strong")
        found = openings(game, solution)
        assert {text: winner for text, (winner, _) in found.items()} == {
            text: value.outcome for text, value in expected.items()
        }
        for text, value in expected.items():
            if value.remoteness is not None:  # cyclic references give draws no remoteness
                assert found[text][1] == value.remoteness + 1
        assert solution.positions == len(values)


@pytest.mark.parametrize(("name", "params"), [case for case in SMALL if isinstance(case, tuple)], ids=str)
def test_search_agrees_with_enumeration(name: str, params: dict[str, int]) -> None:
    """Search finds the same winners and the same remoteness of wins."""
    game = dslgame.load(GAMES / f"{name}.game", **params)
    strong = openings(game, solve_game(game, method="strong"))
    searched = openings(game, solve_game(game, method="alphabeta"))
    assert searched.keys() == strong.keys()
    for text, value in strong.items():
        assert searched[text] == (value if value[0] != "draw" else ("draw", None))


def test_nex_2x2_is_won_by_two_openings() -> None:
    """12 openings: `Ba1?a2` and its half turn win, the other ten draw; 37 positions; 61 nodes in the tree."""
    game, solution = solved("nex", rows=2, columns=2)
    found = openings(game, solution)
    assert game.outcome_name(solution.winner) == "Black"
    assert len(found) == 12
    assert {text for text, (winner, _) in found.items() if winner == "Black"} == {"Ba1?a2", "Bb2?b1"}
    assert winners(game, solution) == {"Black": 2, "draw": 10}
    assert (solution.positions, solution.positions_merged) == (37, 19)
    assert perft(GameSpace(game), 4).nodes == 61


def test_nex_3x3_is_won_by_42_openings() -> None:
    """42 win, 30 draw, none loses; 36,397 positions, 18,217 up to the half turn."""
    game, solution = solved("nex")
    assert game.outcome_name(solution.winner) == "Black"
    assert winners(game, solution) == {"Black": 42, "draw": 30}
    assert (solution.positions, solution.positions_merged) == (36_397, 18_217)


def test_tic_tac_toe_is_drawn() -> None:
    """5,478 positions, 765 up to symmetry; 255,168 games and 549,946 nodes in the unmerged tree."""
    game, solution = solved("tic_tac_toe")
    assert (solution.winner, solution.remoteness) == (DRAW, 9)
    assert (solution.positions, solution.positions_merged) == (5_478, 765)
    tree = perft(GameSpace(game), 9)
    assert (tree.games, tree.nodes) == (255_168, 549_946)


@pytest.mark.parametrize(("ignore_ends", "nodes"), [(False, 53), (True, 65)])
def test_hex_2x2_tree(ignore_ends: bool, nodes: int) -> None:
    """53 nodes when play stops at a win, 65 when it does not."""
    space = GameSpace(dslgame.load(GAMES / "hex.game", size=2), ignore_ends=ignore_ends)
    assert perft(space, 4).nodes == nodes


def test_hex_3x3_is_won_by_five_openings() -> None:
    """The first player wins in 5 plies; 5,514 positions."""
    game, solution = solved("hex", size=3)
    assert (game.outcome_name(solution.winner), solution.remoteness) == ("Red", 5)
    assert winners(game, solution) == {"Red": 5, "Blue": 4}
    assert solution.positions == 5_514


@pytest.mark.slow
def test_hex_4x4_is_won_by_four_openings() -> None:
    """Every opening is proven, by search: c2 and b3 win in 9 plies, d1 and a4 in 11."""
    game = dslgame.load(GAMES / "hex.game", size=4)
    solution = solve_game(game, method="alphabeta")
    won = {text: plies for text, (winner, plies) in openings(game, solution).items() if winner == "Red"}
    assert won == {"c2": 9, "b3": 9, "d1": 11, "a4": 11}
    assert winners(game, solution) == {"Red": 4, "Blue": 12}


@pytest.mark.slow
def test_shift_tac_toe_is_won_in_13_plies() -> None:
    """The centre drop wins, the other two drops draw, every first shift loses; 108,786 positions and sides to move."""
    game, solution = solved("shift_tac_toe")
    assert (game.outcome_name(solution.winner), solution.remoteness) == ("One", 13)
    found = {text: winner for text, (winner, _) in openings(game, solution).items()}
    assert found == {"0": "draw", "1": "One", "2": "draw", **dict.fromkeys("345678", "Two")}
    assert solution.positions == 108_786
    assert solution.cyclic
    assert solution.strong is not None
    # under "both lines draw, whoever moved"; the references give the same split
    assert solution.strong.tally() == {"win": 56_440, "lose": 47_176, "draw": 5_170}


@pytest.mark.slow
def test_connect_four_4x4_is_drawn() -> None:
    """A draw on a full board, after 16 plies; 161,029 positions."""
    _, solution = solved("connect_four", rows=4, columns=4)
    assert (solution.winner, solution.remoteness, solution.positions) == (DRAW, 16, 161_029)


def test_first_move_that_repeats_the_position_draws() -> None:
    """`rest` leaves everything as it is, and the rule ends the game there; the other moves win."""
    game = dslgame.loads('''
game "Back"
players A, B
board graph:
    table
var here in 0..3

move go when here = 0 and mover = A:
    here := 3

move turn when here = 0 and mover = A:
    here := 1

move home when here = 1:
    here := 0

move rest when here = 0 and mover = A:
    here := 0

turn again when here = 0
win A when here = 3
no moves loses
repetition draws
''')
    assert game.start().play("rest").outcome == "draw"
    for method in ("auto", "strong", "proof"):
        solution = solve_game(game, method=method)
        values = {game.notation.write(game.start().state, item.move): item.winner for item in solution.moves}
        assert (solution.winner, values["rest"], values["go"]) == (0, DRAW, 0)
        assert solution.best is not None
        assert game.notation.write(game.start().state, solution.best) != "rest"
