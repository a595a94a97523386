"""Games with hidden things as OpenSpiel's: its algorithms find in them what they find in its own."""

from __future__ import annotations

import pyspiel
import pytest
from open_spiel.python.algorithms import cfr
from open_spiel.python.algorithms.expected_game_score import policy_value
from open_spiel.python.algorithms.exploitability import exploitability

from dslgame.adapters.openspiel import register


@pytest.mark.slow
def test_openspiel_solves_kuhn_poker_from_its_file() -> None:
    """By OpenSpiel's CFR, information states and payoffs of ours: -1/18, with as many states as in its own."""
    game = pyspiel.load_game(register("kuhn_poker"))
    assert game.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    assert (game.min_utility(), game.max_utility()) == (-2, 2)
    solver = cfr.CFRSolver(game)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    found = exploitability(game, policy)
    assert found < 0.02
    value = policy_value(game.new_initial_state(), [policy, policy])[0]
    assert value == pytest.approx(-1 / 18, abs=2 * found)


def test_information_states_do_not_tell_what_is_hidden() -> None:
    """Ann knows the same whatever Bob holds, and Bob does not."""
    game = pyspiel.load_game(register("kuhn_poker"))
    start = game.new_initial_state()
    states = [start.child(action) for action in start.legal_actions()]
    texts = [[state.information_state_string(player) for state in states] for player in (0, 1)]
    assert [len(set(known)) for known in texts] == [3, 3]
    assert len({*zip(*texts, strict=True)}) == 6
