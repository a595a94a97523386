"""Search on kernels against enumeration: the values of all first moves, and how many plies wins take."""

from __future__ import annotations

from typing import Any

import pytest

import dslgame
from interpreter.game import Game
from solver.budget import Budget
from solver.game_space import GameSpace, solve_game
from solver.solve import Solution
from solver.space import DRAW
from solver.weak import search_on_kernel

SMALL: list[tuple[str, dict[str, int]]] = [
    ("tic_tac_toe", {}),
    ("connect_four", {"rows": 3, "columns": 3, "length": 3}),
    ("hex", {"size": 3}),
    ("nex", {"rows": 2, "columns": 2}),
]


def searched(game: Game, *, native: bool = False, **options: Any) -> Solution[Any, Any]:
    """A game's solution by search on its kernel."""
    return search_on_kernel(GameSpace(game), Budget(), "asked for", native=native, **options)


def agree(found: Solution[Any, Any], exact: Solution[Any, Any], *, remoteness: bool = True) -> None:
    """Two solutions have the same values, and wins the same plies."""
    assert found.complete
    assert found.winner == exact.winner
    for one, other in zip(found.moves, exact.moves, strict=True):
        assert (one.move, one.winner) == (other.move, other.winner)
        if other.winner != DRAW and remoteness:
            assert one.remoteness == other.remoteness


@pytest.mark.parametrize(("name", "params"), SMALL, ids=str)
def test_search_agrees_with_enumeration(name: str, params: dict[str, int]) -> None:
    """Values and remoteness, as plain Python."""
    game = dslgame.load(name, **params)
    agree(searched(game, remoteness=True), solve_game(game, method="strong"))


@pytest.mark.parametrize(("name", "params"), [*SMALL, ("shift_tac_toe", {"reach": 1})][-2:], ids=str)
def test_proof_numbers_agree_with_enumeration(name: str, params: dict[str, int]) -> None:
    """Values, as plain Python, where positions come back too."""
    game = dslgame.load(name, **params)
    agree(searched(game, proof=True), solve_game(game, method="strong"), remoteness=False)
