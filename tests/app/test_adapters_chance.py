"""Games with chance in environments and for OpenSpiel: chance is drawn inside, or a node of its own."""

from __future__ import annotations

import numpy as np
import pytest

import dslgame
from dslgame.env import Environment


@pytest.mark.slow
def test_an_environment_lets_chance_decide_by_itself() -> None:
    """A player is to move after every step, the legal actions are players' moves, and games end."""
    game = dslgame.load("pig", goal=10)
    environment = Environment(game, 16, seed=4)
    ended = 0
    for _ in range(200):
        assert not environment.batch.by_chance(environment.states).any()
        assert {text for number in range(2) for text in environment.texts(number).values()} <= {"roll", "hold"}
        ended += int(environment.step(environment.sample()).terminated.sum())
    assert ended > 20
    again = Environment(game, 16, seed=4)
    again.step(again.sample())
    other = Environment(game, 16, seed=4)
    other.step(other.sample())
    assert np.array_equal(again.states, other.states)


@pytest.mark.slow
def test_openspiel_has_nodes_of_chance_and_finds_the_value() -> None:
    """Its value iteration finds what ours does, from the first player's 1 for a win and -1 for a loss."""
    pyspiel = pytest.importorskip("pyspiel")
    pytest.importorskip("open_spiel.python.algorithms.value_iteration")
    from open_spiel.python.algorithms import value_iteration

    from dslgame.adapters.openspiel import register

    name = register("pig")
    game = pyspiel.load_game(f"{name}(goal=3)")
    assert game.get_type().chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    state = game.new_initial_state()
    state.apply_action(next(action for action in state.legal_actions() if state.action_to_string(action) == "roll"))
    assert state.is_chance_node()
    assert sum(chance for _, chance in state.chance_outcomes()) == pytest.approx(1)
    values = value_iteration.value_iteration(game, depth_limit=-1, threshold=1e-9, cyclic_game=True)
    start = values[str(game.new_initial_state())]
    assert (start + 1) / 2 == pytest.approx(36 / 43, abs=1e-6)
