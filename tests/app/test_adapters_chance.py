"""Games with chance: drawn inside an environment, explicit nodes in OpenSpiel."""

from __future__ import annotations

import random
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest

import dslgame
from dslgame.env import Environment
from tests.discovery import found_games


@pytest.mark.slow
def test_an_environment_lets_chance_decide_by_itself() -> None:
    """After each step a player is to move with legal actions of players only; games end, and a seed repeats them."""
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
    """OpenSpiel's value iteration finds our value, where a win is 1 and a loss -1."""
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


CHANCY = [path.stem for path in found_games() if "\nchance " in path.read_text(encoding="utf-8")]


@pytest.mark.slow
@pytest.mark.parametrize("name", CHANCY[::5])
def test_openspiel_and_pettingzoo_play_games_with_chance(name: str) -> None:
    """In random games chances sum to 1, information states are given where not all is seen, and players get turns."""
    pyspiel = pytest.importorskip("pyspiel")
    pytest.importorskip("pettingzoo")
    from dslgame.adapters import pettingzoo
    from dslgame.adapters.openspiel import register

    dice = random.Random(1)
    game = pyspiel.load_game(register(name))
    state, chances = game.new_initial_state(), 0
    hides = game.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    for _ in range(200):
        if state.is_terminal():
            break
        if state.is_chance_node():
            chances += 1
            assert sum(chance for _, chance in state.chance_outcomes()) == pytest.approx(1)
        elif hides:
            assert all(state.information_state_string(player) for player in range(game.num_players()))
        state.apply_action(dice.choice(state.legal_actions()))
    assert chances
    hides = not dslgame.load(name).observer.sees_all
    with pytest.warns(pettingzoo.ImperfectRecall) if hides else nullcontext():
        environment = pettingzoo.env(name)
    environment.reset(seed=1)
    steps = 0
    for _ in environment.agent_iter(60):
        observation, _, ended, cut, _ = environment.last()
        legal = np.flatnonzero(observation["action_mask"])
        environment.step(None if ended or cut else int(dice.choice(list(legal))))
        steps += 1
    assert steps


EARLY = """
game "Early"
players Ann, Ben
board square(1, 2)
pieces a of Ann, b of Ben
var die in 0..2

chance throw(k in 1..2) when die = 0:
    die := k

move place(c in empty):
    c := own

win Ben when die = 1
draw when no empty
"""


def test_a_game_that_chance_ends_before_any_move_is_over_in_pettingzoo() -> None:
    """The agents are told so at once, none of them has made an illegal move, and nobody has a reward."""
    pytest.importorskip("pettingzoo")
    from dslgame.adapters.pettingzoo import env

    environment, ended = env(dslgame.loads(EARLY)), 0
    for seed in range(12):
        environment.reset(seed=seed)
        steps, total = 0, 0.0
        for agent in environment.agent_iter(20):
            observation, reward, over, cut, _ = environment.last()
            assert over or cut or observation["action_mask"].any(), agent
            steps, total = steps + 1, total + abs(reward)
            environment.step(None if over or cut else int(observation["action_mask"].argmax()))
        ended += steps == 2
        assert total == 0
    assert 0 < ended < 12


@pytest.mark.parametrize(("payoffs", "cancel"), [
    ("", True), ("payoff Ann = count(mine)", True), ('payoff each = 3 if "a1" is a else 1', False),
    ("payoff Ann = count(mine)\npayoff Ben = 0 - count(theirs)", False),
], ids=["none", "of one", "of each", "of both"])
def test_openspiel_takes_for_zero_sum_what_is_declared_so(payoffs: str, cancel: bool, tmp_path: Path) -> None:
    """Payoffs of both players, which may be anything, make a game general-sum; its returns are these payoffs."""
    pyspiel = pytest.importorskip("pyspiel")
    from dslgame.adapters.openspiel import register

    path = tmp_path / "sum.game"
    path.write_text('game "Sum"\nplayers Ann, Ben\nboard square(1, 2)\npieces a of Ann, b of Ben\n\n'
                    f"move place(c in empty):\n    c := own\n\n{payoffs}\ndraw when no empty\n")
    game = pyspiel.load_game(register(str(path), name=f"dslgame_sum_{len(payoffs)}"))
    kinds = pyspiel.GameType.Utility
    assert game.get_type().utility == (kinds.ZERO_SUM if cancel else kinds.GENERAL_SUM)
    assert game.utility_sum() == (0.0 if cancel else None)
    state = game.new_initial_state()
    state.apply_action(0)
    state.apply_action(1)
    expected = dslgame.load(str(path)).start().play("a1").play("b1")
    assert state.returns() == [float(worth) for worth in expected.game.payoffs.of(expected.state)]
