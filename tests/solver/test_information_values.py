"""Values of bundled games with hidden information: published values, and those of OpenSpiel."""

from __future__ import annotations

from fractions import Fraction

import pyspiel
import pytest

import dslgame
from solver.game_space import solve_game
from solver.information.matrix import Payoffs
from solver.information.regret import learn
from solver.information.tree import sequence_form

EXACT = [
    ("matching_pennies", {}, "0"), ("rock_paper_scissors", {}, "0"), ("rock_paper_scissors", {"well": 1}, "0"),
    ("rock_paper_scissors", {"rock_wins": 3}, "0"), ("blotto", {"soldiers": 3}, "0"), ("goofspiel", {"cards": 3}, "0"),
    ("kuhn_poker", {}, "-1/18"), ("phantom_tic_tac_toe", {"size": 2}, "1"), ("dark_hex", {"rows": 2}, "1"),
    ("battleship", {}, "1/8"), ("liars_dice", {"sides": 2}, "1/2"), ("liars_dice", {"sides": 3}, "1/9"),
]
"""Symmetric games are worth 0; Kuhn 1950; on two by two cells the first player cannot be stopped. Battleship and Liar's
Dice are compared with OpenSpiel below."""
OPENSPIEL = [
    ("kuhn_poker", {}, "kuhn_poker", 2000),
    ("liars_dice", {"sides": 2}, "liars_dice(numdice=1,dice_sides=2)", 500),
    ("liars_dice", {"sides": 3}, "liars_dice(numdice=1,dice_sides=3)", 300),
    ("battleship", {}, "battleship(board_width=2,board_height=2,ship_sizes=[1],ship_values=[1],num_shots=2,"
                       "allow_repeated_shots=false)", 200),
    ("goofspiel", {"cards": 3}, "goofspiel(num_cards=3,points_order=descending,returns_type=win_loss)", 200),
    ("goofspiel", {"cards": 4}, "goofspiel(num_cards=4,points_order=descending,returns_type=win_loss)", 100),
    ("dark_hex", {"rows": 2}, "dark_hex(num_rows=2,num_cols=2,board_size=2)", 50),
]
WEIGHTS = {"rock_paper_scissors": (1 / 5, 3 / 5, 1 / 5, 0)}


@pytest.mark.parametrize(("name", "params", "exact"), EXACT)
def test_a_game_has_its_value(name: str, params: dict[str, int], exact: str) -> None:
    """The exact value is a fraction, reported only if proven."""
    found = solve_game(dslgame.load(name, **params)).strategies
    assert found is not None
    assert found.exact == exact


def test_a_rock_that_wins_three_is_shown_less() -> None:
    """By hand: against (1/5, 3/5, 1/5) rock gets 3/5 - 3/5, paper 1/5 - 1/5, scissors 3/5 - 3/5."""
    game = dslgame.load("rock_paper_scissors", rock_wins=3)
    found = solve_game(game).strategies
    assert found is not None
    shares = found.at(game.start())
    assert shares is not None
    assert shares.probabilities == pytest.approx(WEIGHTS["rock_paper_scissors"][:3], abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "params", "text", "iterations"), OPENSPIEL)
def test_openspiel_finds_the_same_value(name: str, params: dict[str, int], text: str, iterations: int) -> None:
    """OpenSpiel's CFR+ on its own game gives the value within the exploitability of its strategies."""
    theirs = pyspiel.load_game(text)
    if theirs.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        theirs = pyspiel.convert_to_turn_based(theirs)
    solver = pyspiel.CFRPlusSolver(theirs)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    value = pyspiel.expected_returns(theirs.new_initial_state(), [policy, policy], -1, True)[0]
    ours = solve_game(dslgame.load(name, **params)).strategies
    assert ours is not None
    assert ours.expected == pytest.approx(value, abs=2 * pyspiel.exploitability(theirs, policy) + 1e-6)


@pytest.mark.slow
def test_leduc_poker_is_worth_what_was_published() -> None:
    """-0.0856064 (Southey et al. 2005's game as OpenSpiel has it): 936 information states, by both methods."""
    form = sequence_form(dslgame.load("leduc_poker"))
    assert [len(side.states) for side in form.players] == [468, 468]
    found = learn(form, exploitability=1e-3)
    assert found.exploitability <= 1e-3
    assert found.lower - 1e-9 <= -0.085606424 <= found.upper + 1e-9
    from solver.information.linear import best_plans

    lower, upper = Payoffs(form).bounds(*best_plans(form))
    assert (lower, upper) == pytest.approx((-0.085606424, -0.085606424), abs=1e-8)


@pytest.mark.slow
def test_leduc_poker_has_the_information_states_of_openspiel() -> None:
    """Each player has as many information states, and as many moves in them, as in OpenSpiel."""
    theirs = pyspiel.load_game("leduc_poker")
    states: dict[str, tuple[int, int]] = {}
    stack = [theirs.new_initial_state()]
    while stack:
        state = stack.pop()
        if state.is_terminal():
            continue
        if not state.is_chance_node():
            states[state.information_state_string()] = state.current_player(), len(state.legal_actions())
        stack += [state.child(action) for action in state.legal_actions()]
    form = sequence_form(dslgame.load("leduc_poker"))
    for player, side in enumerate(form.players):
        mine = [count for owner, count in states.values() if owner == player]
        assert (len(side.states), side.sequences - 1) == (len(mine), sum(mine))


def test_probabilities_of_deals_add_up() -> None:
    """The sequence form of Kuhn poker has 55 nodes, and no end is worth more than 1/3."""
    form = sequence_form(dslgame.load("kuhn_poker"))
    assert form.nodes == 55
    assert all(abs(worth) <= Fraction(1, 3) for worth in form.worth)
