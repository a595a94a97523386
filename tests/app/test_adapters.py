"""The adapters to other libraries pass those libraries' own tests; skipped where these are not installed."""

from __future__ import annotations

import pickle
import random
import subprocess
import sys
import unittest
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dslgame
from interpreter.game import Game

ROOT = Path(__file__).parents[2]
QUICK = "connect_four"
SLOW = ["pie_hex", "english_draughts", "go"]
THOROUGH = ["nine_mens_morris", "peg_solitaire", "quarto", "shift_tac_toe"]
GAMES = [QUICK, *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW),
         *(pytest.param(name, marks=pytest.mark.thorough) for name in THOROUGH)]

# ---- PettingZoo


@pytest.fixture
def zoo() -> Any:
    """The adapter, without PettingZoo's warnings about intended properties."""
    pytest.importorskip("pettingzoo")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="We recommend agents to be named in the format")
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        warnings.filterwarnings("ignore", message="Observation numpy array is all zeros")
        warnings.filterwarnings("ignore", message="Observation space for each agent probably should be")
        from dslgame.adapters import pettingzoo

        yield pettingzoo


@pytest.mark.parametrize("name", GAMES)
def test_pettingzoo_passes_its_api_test(name: str, zoo: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """The adapter passes the API test with and without the usual wrappers, and the seed test."""
    from pettingzoo.test import api_test, seed_test

    api_test(zoo.raw_env(name), num_cycles=30)
    api_test(zoo.env(name), num_cycles=30)
    seed_test(lambda: zoo.env(name), num_cycles=15)


@pytest.mark.parametrize("name", GAMES)
def test_pettingzoo_plays_as_the_interpreter(name: str, zoo: Any) -> None:
    """Agents, action masks and rewards agree over whole games."""
    game = dslgame.load(name)
    for seed in range(2):
        env, chance, position = zoo.raw_env(game, max_cycles=60), random.Random(seed), game.start()
        env.reset(seed=seed)
        plies = 0
        while True:
            observation, _, terminated, truncated, _ = env.last()
            assert env.agent_selection == position.to_move
            assert terminated == position.over
            assert truncated == (not terminated and plies >= 60 * len(game.players))
            if terminated or truncated:
                break
            legal = np.flatnonzero(observation["action_mask"])
            assert sorted(env._env.texts(0).values()) == sorted(position.moves())
            action = int(chance.choice(legal))
            position = position.play(env._env.move(0, action))
            env.step(action)
            plies += 1
        rewards = [env.rewards[agent] for agent in env.possible_agents]
        if position.outcome not in game.players:
            assert rewards == [0.0] * len(game.players)
        else:
            assert rewards[game.players.index(position.outcome)] == 1.0
            assert sum(rewards) == (0.0 if len(game.players) > 1 else 1.0)


def test_pettingzoo_ends_long_games(zoo: Any) -> None:
    """A game is truncated after `max_cycles` moves of each player."""
    env = zoo.env(QUICK, max_cycles=2)
    env.reset(seed=3)
    for agent in env.agent_iter(100):
        observation, _, terminated, truncated, _ = env.last()
        env.step(None if terminated or truncated else env.action_space(agent).sample(observation["action_mask"]))
    assert env.unwrapped._env.plies.tolist() == [4]


def test_pettingzoo_draws_the_board(zoo: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """The board is rendered as text or printed; other modes are refused."""
    env = zoo.raw_env(QUICK, render_mode="ansi")
    env.reset()
    assert env.render() == str(dslgame.load(QUICK).start())
    env = zoo.raw_env(QUICK, render_mode="human")
    env.reset()
    env.step(0)
    assert "Y" in capsys.readouterr().out
    with pytest.raises(ValueError, match="render_mode is 'rgb_array', expected one of ansi, human"):
        zoo.raw_env(QUICK, render_mode="rgb_array")
    with pytest.raises(ValueError, match="no render_mode was given"):
        zoo.raw_env(QUICK).render()


def test_pettingzoo_loses_for_an_illegal_move(zoo: Any) -> None:
    """With the wrappers an illegal move loses, without them it raises an error."""
    env = zoo.env("tic_tac_toe")
    env.reset()
    env.step(4)
    env.step(4)
    assert env.terminations == {"X": True, "O": True}
    assert env.rewards["O"] == -1
    env = zoo.raw_env("tic_tac_toe")
    env.reset()
    env.step(4)
    with pytest.raises(ValueError, match=r"action 4 \(b2\) is not legal in game 0, which has 8 legal actions"):
        env.step(4)


# ---- OpenSpiel


@pytest.fixture
def spiel() -> Any:
    """The adapter."""
    pytest.importorskip("pyspiel")
    from dslgame.adapters import openspiel

    return openspiel


def loaded(spiel: Any, name: str, params: str = "") -> Any:
    import pyspiel

    return pyspiel.load_game(f"{spiel.register(name)}{f'({params})' if params else ''}")


@pytest.mark.parametrize("name", GAMES)
def test_openspiel_passes_its_simulation_test(name: str, spiel: Any) -> None:
    """OpenSpiel's C++ test of random games: clones, serialization, observations, returns."""
    import pyspiel

    pyspiel.random_sim_test(loaded(spiel, name), num_sims=2, serialize=True, verbose=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", [QUICK, *SLOW])
def test_openspiel_passes_its_python_tests(name: str, spiel: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """OpenSpiel's simulation and its API test on part of the tree pass."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from open_spiel.integration_tests import api_test
        from open_spiel.python.tests import games_sim_test

    game = loaded(spiel, name)
    games_sim_test.GamesSimTest("sim_game").sim_game(game)
    case = type("Case", (api_test.EnforceAPIOnPartialTreeBase,), {"game": game, "game_name": name})
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert result.testsRun >= 5
    assert not [*result.errors, *result.failures]


@pytest.mark.parametrize("name", GAMES)
def test_openspiel_plays_as_the_interpreter(name: str, spiel: Any) -> None:
    """Players, texts of moves, ends and returns agree over whole games."""
    game: Game = dslgame.load(name)
    for seed in range(2):
        state, position, chance = loaded(spiel, name).new_initial_state(), game.start(), random.Random(seed)
        for _ in range(60):
            assert state.is_terminal() == position.over
            if position.over:
                break
            assert state.current_player() == position.state.to_move
            actions = state.legal_actions()
            assert sorted(map(state.action_to_string, actions)) == sorted(position.moves())
            action = chance.choice(actions)
            position = position.play(state.action_to_string(action))
            before, text, history = state.clone(), str(state), state.history()
            state.apply_action(action)
            assert (str(before), before.history()) == (text, history)
            assert state.history() == [*history, action]
        if position.outcome in game.players:
            assert state.returns()[game.players.index(position.outcome)] == 1.0
        else:
            assert state.returns() == [0.0] * len(game.players)


@pytest.mark.parametrize(("name", "moves"), [
    ("dobutsu_shogi", "b1a2 b4c3 a2b1 c3b4"), ("chess", "g1f3 g8f6 f3g1 f6g8"),
    ("five_field_kono", "a2-b3 e4-d3 b3-a2 d3-e4"),
])
def test_openspiel_draws_repeated_positions_as_the_interpreter(name: str, moves: str, spiel: Any) -> None:
    """Repeated positions are draws at the rule's count, with `at third` not yet at the second occurrence."""
    state, position = loaded(spiel, name).new_initial_state(), dslgame.load(name).start()
    while not position.over:
        assert not state.is_terminal()
        move = moves.split()[len(position.played) % 4]
        state.apply_action(next(action for action in state.legal_actions() if state.action_to_string(action) == move))
        position = position.play(move)
    assert (position.outcome, len(position.played)) == ("draw", 4 * (position.game.repetition.at - 1))
    assert state.is_terminal()
    assert state.returns() == [0.0, 0.0]


def test_openspiel_knows_params(spiel: Any) -> None:
    """The adapter takes the game's params and the maximal length."""
    game = loaded(spiel, QUICK, "rows=4,columns=5,max_game_length=3")
    assert game.num_distinct_actions() == 5
    assert game.max_game_length() == 3
    state = game.new_initial_state()
    assert game.observation_tensor_shape() == [3, 4, 5]
    for action in (0, 0, 1):
        state.apply_action(action)
    assert state.is_terminal()
    assert state.returns() == [0.0, 0.0]
    assert "max_game_length=3" in str(game)


def test_openspiel_has_registered_names(spiel: Any, tmp_path: Path) -> None:
    """A game is registered under its file's name or a given one, and registering it again changes nothing."""
    import pyspiel

    assert spiel.register(QUICK) == spiel.register(QUICK) == "dslgame_connect_four"
    path = tmp_path / "own game.game"
    path.write_text((ROOT / "games" / "tic_tac_toe.game").read_text(encoding="utf-8"), encoding="utf-8")
    assert spiel.register(path) == "dslgame_own_game"
    assert spiel.register(path, "mine") == "mine"
    assert pyspiel.load_game("mine").num_distinct_actions() == 9
    (tmp_path / "other").mkdir()
    other = tmp_path / "other" / path.name
    other.write_text(path.read_text(encoding="utf-8").replace("square(3, 3)", "square(4, 4)"), encoding="utf-8")
    with pytest.raises(ValueError, match=r"a game 'dslgame_own_game' already, from .*: register this one with another"):
        spiel.register(other)
    with pytest.raises(ValueError, match="a game 'chess' already, from elsewhere"):
        spiel.register(other, "chess")
    assert pyspiel.load_game(spiel.register(other, "larger")).num_distinct_actions() == 16


def test_openspiel_states_can_be_written(spiel: Any) -> None:
    """A state is pickled and read back."""
    state = loaded(spiel, QUICK).new_initial_state()
    state.apply_action(3)
    again = pickle.loads(pickle.dumps(state))
    assert str(again) == str(state)
    assert again.legal_actions() == state.legal_actions()


def test_openspiel_solves_a_small_game(spiel: Any) -> None:
    """OpenSpiel's alpha-beta on the adapter gives our solver's value."""
    pytest.importorskip("open_spiel.python.algorithms.minimax")
    from open_spiel.python.algorithms import minimax

    game = loaded(spiel, QUICK, "rows=3,columns=3,length=3")
    value, _ = minimax.alpha_beta_search(game, maximum_depth=20)
    ours = dslgame.solve(dslgame.load(QUICK, rows=3, columns=3, length=3)).winner
    assert {0: 1.0, 1: -1.0, -1: 0.0}[ours if ours is not None else -9] == value


# ---- without the packages


@pytest.mark.parametrize(("module", "package", "extra", "title"), [
    ("pettingzoo", "pettingzoo", "pettingzoo", "PettingZoo"),
    ("openspiel", "pyspiel", "openspiel", "OpenSpiel"),
])
def test_missing_package_is_said(module: str, package: str, extra: str, title: str) -> None:
    """The error tells how to install the missing package."""
    script = f"import sys; sys.modules['{package}'] = None; import dslgame.adapters.{module}"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert f"dslgame.adapters.{module} needs {title}: pip install 'dslgame[{extra}]'" in done.stderr.splitlines()[-1]
