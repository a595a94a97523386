"""Games with hidden information in OpenSpiel: its algorithms give the same results as on its own games."""

from __future__ import annotations

import pyspiel
import pytest
from open_spiel.python.algorithms import cfr
from open_spiel.python.algorithms.expected_game_score import policy_value
from open_spiel.python.algorithms.exploitability import exploitability

from dslgame.adapters.openspiel import register


@pytest.mark.slow
def test_openspiel_solves_kuhn_poker_from_its_file() -> None:
    """OpenSpiel's CFR on our game approaches the value -1/18, with few mistakes by exploitability."""
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
    """Each player has three information states after the deal, one for each own card, whatever the opponent holds."""
    game = pyspiel.load_game(register("kuhn_poker"))
    start = game.new_initial_state()
    states = [start.child(action) for action in start.legal_actions()]
    texts = [[state.information_state_string(player) for state in states] for player in (0, 1)]
    assert [len(set(known)) for known in texts] == [3, 3]
    assert len({*zip(*texts, strict=True)}) == 6
