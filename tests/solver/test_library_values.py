"""Games of movement solved: published values, and references that solve the same games by plain sweeps.

Sources: hexapawn, M. Gardner ("Mathematical Games", 1962); Dodgem, "Winning Ways" for 3x3 and D. des Jardins (1996) for
4x4; Pong Hau K'i and Mu Torere, P. D. Straffin ("Position Graphs for Pong Hau K'i and Mu Torere", 1995), the counts of
positions from G. Jelliss and from the article on Mu Torere in Wikipedia; Clobber in a row, the conjecture of Albert,
Grossman, Nowakowski and Wolfe, proved by Chen and others in 2025; Fox and Hounds, "Winning Ways"; Teeko,
G. L. Steele (1998), the value alone.
"""

from __future__ import annotations

from importlib import import_module

import pytest

from interpreter.game import Game
from interpreter.model.state import Move, State
from solver.game_space import solve_game
from solver.solve import Solution
from solver.space import DRAW
from tests.discovery import FOLDER, GameCase, first_of_each
from tests.reference import mu_torere, solving
from tests.reference.counting import reachable

SMALL: list[tuple[str, dict[str, int]]] = [
    ("breakthrough", {"rows": 3, "columns": 3, "filled": 1}),
    ("breakthrough", {"rows": 4, "columns": 3, "filled": 1}),
    ("clobber", {"rows": 1, "columns": 9}),
    ("clobber", {"rows": 3, "columns": 3}),
    ("dodgem", {"size": 2}),
    ("dodgem", {"size": 3}),
    ("english_draughts", {"size": 4, "filled": 1}),
    ("fox_and_hounds", {"size": 4}),
    ("fox_and_hounds", {"size": 5}),
    ("hexapawn", {"rows": 3, "columns": 3}),
    ("hexapawn", {"rows": 4, "columns": 3}),
    ("konane", {"size": 4}),
    ("knightthrough", {"rows": 4, "columns": 3, "filled": 1}),
    ("mu_torere", {}),
    ("pong_hau_ki", {}),
]
"""Games that both solve within about a second."""


def solved(name: str, **params: int) -> tuple[Game, Solution[State, Move]]:
    """A bundled game and its solution by the method that `auto` takes."""
    game = GameCase(FOLDER / f"{name}.game", tuple(params.items())).load()
    return game, solve_game(game)


def value(name: str, **params: int) -> str | None:
    """The winner's name, or "draw"."""
    game, solution = solved(name, **params)
    return game.outcome_name(solution.winner)


@pytest.mark.parametrize(("name", "params"), first_of_each(SMALL), ids=str)
def test_openings_are_valued_as_by_the_reference(name: str, params: dict[str, int]) -> None:
    """Every first move has the reference's winner and remoteness, and the numbers of positions agree."""
    rules = import_module(f"tests.reference.{name}").Reference(**params)
    values = solving.solve(rules)
    game, solution = solved(name, **params)
    start = game.engine.start()
    found = {
        game.notation.write(start, item.move): (game.outcome_name(item.winner), item.remoteness)
        for item in solution.moves
    }
    expected = {move: values[rules.play(rules.start(), move)] for move in rules.moves(rules.start())}
    assert {move: winner for move, (winner, _) in found.items()} == {
        move: after.outcome for move, after in expected.items()
    }
    for move, after in expected.items():
        if after.remoteness is not None:
            assert found[move][1] == after.remoteness + 1
    assert solution.positions == len(values)


def test_hexapawn_is_won_by_the_second_player() -> None:
    """Gardner's game on 3x3."""
    assert value("hexapawn") == "Black"


def test_dodgem_is_won_by_the_first_player() -> None:
    """The 3x3 board of Winning Ways."""
    assert value("dodgem") == "White"


@pytest.mark.thorough
def test_larger_dodgem_is_drawn() -> None:
    """On 4x4 both players can move their cars for ever."""
    assert value("dodgem", size=4) == "draw"


def test_small_quixo_is_won_by_the_first() -> None:
    """The value on 3x3; for 4x4 see S. Tanaka, F. Bonnet, S. Tixeuil and Y. Tamura ("Quixo is solved", 2020)."""
    game, solution = solved("quixo", size=3)
    assert (game.outcome_name(solution.winner), solution.remoteness) == ("X", 7)


@pytest.mark.thorough
def test_quixo_on_sixteen_cells_is_won_by_the_first_in_21_plies() -> None:
    """The published value and depth; 10,339,244 positions up to symmetry take half a minute and three gigabytes."""
    game = GameCase(FOLDER / "quixo.game", (("size", 4),)).load()
    solution = solve_game(game, method="strong")
    assert (game.outcome_name(solution.winner), solution.remoteness) == ("X", 21)


@pytest.mark.thorough
def test_teeko_is_drawn() -> None:
    """Nobody can force a win; the 171,875,046 positions take two minutes and six gigabytes."""
    game = GameCase(FOLDER / "teeko.game").load()
    solution = solve_game(game, method="strong")
    assert (solution.winner, solution.positions) == (DRAW, 171_875_046)


def test_pong_hau_ki_is_drawn() -> None:
    """Neither player can force a win."""
    assert value("pong_hau_ki") == "draw"


def test_mu_torere_is_drawn() -> None:
    """1180 positions are reachable: 208 are won, 128 lost, 844 drawn for the player to move."""
    game, solution = solved("mu_torere")
    assert game.outcome_name(solution.winner) == "draw"
    assert solution.positions == 1180
    assert solution.strong is not None
    assert solution.strong.tally() == {"win": 208, "lose": 128, "draw": 844}


def test_mu_torere_has_86_positions_up_to_turns_and_mirrors() -> None:
    """Of 92 positions (46 arrangements with either player to move) 86 are reachable, counted by the reference."""
    ways = [[(sign * number + turn) % 8 for number in range(8)] for sign in (1, -1) for turn in range(8)]
    found = {
        min((tuple(state.ring[number] for number in way), state.putahi, state.mover) for way in ways)
        for state in reachable(mu_torere.Reference())
    }
    assert len(found) == 86


@pytest.mark.parametrize("columns", [2, 4, 6, 8, 10, 12])
def test_clobber_in_a_row_is_won_by_the_first_player_but_for_six_stones(columns: int) -> None:
    """Of the tested row lengths only six stones are won by the second player."""
    assert value("clobber", rows=1, columns=columns) == ("Black" if columns == 6 else "White")


@pytest.mark.thorough
def test_fox_and_hounds_is_won_by_the_hounds() -> None:
    """The board is 8x8, and the fox begins on e1."""
    assert value("fox_and_hounds") == "Hounds"
